"""From a trained model to the weights of a player of `ks_baselines.policy`, which needs no torch."""

from pathlib import Path

from ks_arena.names import model_file
from ks_arena.sections import ConfigError
from ks_baselines.policy import SHIPPED, Weights, write_weights

from ks_train.policy.files import load_network
from ks_train.policy.terms import TermsPolicy


def ship(model: Path, file: Path | None = None) -> Path:
    """Write the weights of a model to the file that the player over its terms reads.

    Args:
        model: a model's file, or the folder of a run.
        file: overwritten, instead of the player's.

    Returns:
        The file.

    Raises:
        ConfigError: the model rests on something else, or cannot be read.
    """
    network = load_network(str(model_file(model)), "sb3_contrib:MaskablePPO")
    terms = network.env.terms
    if not isinstance(network.policy, TermsPolicy) or network.terms is None or terms not in SHIPPED:
        raise ConfigError(
            f"{model}: rests on no terms that a player has; expected a config with env.terms: "
            + " or ".join(SHIPPED)
        )
    file = file or SHIPPED[terms]
    parameters = {name: tensor.numpy() for name, tensor in network.policy.network.state_dict().items()}
    write_weights(Weights.of(parameters), network.terms, network.temperature, file)
    return file
