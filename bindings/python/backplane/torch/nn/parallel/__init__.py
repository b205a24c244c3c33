# SPDX-License-Identifier: Apache-2.0
"""``torch.nn.parallel``, of which there is DistributedDataParallel."""

from . import distributed
from .distributed import DistributedDataParallel
