from tests.train.data.made import files

__all__ = ["files"]
