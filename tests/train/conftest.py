import torch

# Nets this small gain nothing from a second thread, and lose much on a busy machine.
torch.set_num_threads(1)
