"""A network that predicts the opponent's men from what a seat knows: it refines a location map's chances.

`predict` gives the chances of king, pawns and pieces, which never contradict the metaposition;
`predict_sampled` is told of particles, too, takes a hundred times as long and predicts better. The networks
learn from replayed games, where the true men are their targets: see `ks_train.belief.training`.
"""

from ks_env.belief.network.encoder import predict
from ks_env.belief.network.network import (
    Network,
    Work,
    hears_particles,
    make_work,
    read_network,
    shipped_network,
    write_network,
)
from ks_env.belief.network.sampled import predict_sampled

__all__ = [
    "Network",
    "Work",
    "hears_particles",
    "make_work",
    "predict",
    "predict_sampled",
    "read_network",
    "shipped_network",
    "write_network",
]
