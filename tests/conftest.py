"""For all tests."""

from hypothesis import settings

from tests import compile_clock

compile_clock.install()
settings.register_profile("shared machine", deadline=None)  # a slow moment says nothing of the code
settings.load_profile("shared machine")
