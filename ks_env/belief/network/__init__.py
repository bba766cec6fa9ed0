"""A network that predicts the opponent's men from what a seat knows: it refines a location map's chances.

`predict` gives the chances of king, pawns and pieces, which never contradict the metaposition. The network
learns from replayed games, where the true men are its targets: see `ks_train.belief.training`.
"""

from ks_env.belief.network.encoder import predict
from ks_env.belief.network.network import (
    Network,
    Work,
    make_work,
    read_network,
    shipped_network,
    write_network,
)

__all__ = ["Network", "Work", "make_work", "predict", "read_network", "shipped_network", "write_network"]
