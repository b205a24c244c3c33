"""``torch.nn.utils``: backplane.nn.utils, under PyTorch's path."""

from ...nn.utils import *
