"""From a trained model to the weights of the player `policy`, which needs no torch."""

from pathlib import Path

from ks_arena.names import model_file
from ks_arena.sections import ConfigError
from ks_baselines.policy import SHIPPED, Weights, write_weights

from ks_env.belief.terms.raw import RawTerms
from ks_train.policy.files import load_network
from ks_train.policy.terms import TermsPolicy


def ship(model: Path, file: Path = SHIPPED) -> Path:
    """Write the weights of a model over the terms `raw` to the file that the player `policy` reads.

    Args:
        model: a model's file, or the folder of a run.
        file: overwritten.

    Returns:
        The file.

    Raises:
        ConfigError: the model rests on something else, or cannot be read.
    """
    network = load_network(str(model_file(model)), "sb3_contrib:MaskablePPO")
    if not isinstance(network.policy, TermsPolicy) or not isinstance(network.terms, RawTerms):
        raise ConfigError(f"{model}: does not rest on the terms raw; expected a config with env.terms: raw")
    parameters = {name: tensor.numpy() for name, tensor in network.policy.network.state_dict().items()}
    write_weights(Weights.of(parameters), network.terms, network.temperature, file)
    return file
