"""``torch.nn.functional``: backplane.nn.functional, under PyTorch's path."""

from ...nn.functional import *
