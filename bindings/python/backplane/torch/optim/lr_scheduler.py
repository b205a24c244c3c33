# SPDX-License-Identifier: Apache-2.0
"""``torch.optim.lr_scheduler``: backplane.lr_scheduler, under PyTorch's path."""

from ...lr_scheduler import *
from ...lr_scheduler import _LRScheduler
