"""What a study shows, in the terminal: scores by pairing with their 95 % intervals."""

from rich.console import Console
from rich.table import Table

from train.arena.schedule import Pairing
from train.arena.study import Study
from train.statistics.elo import elo_interval, elo_of
from train.statistics.pairs import mean_points, pentanomial, points_interval
from train.statistics.score import Score

