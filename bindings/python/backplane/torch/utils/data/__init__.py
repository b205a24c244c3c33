# SPDX-License-Identifier: Apache-2.0
"""``torch.utils.data``: backplane.data with loaders whose batches are PyTorch's tensors."""

from __future__ import annotations

from .... import data
from ....data import Dataset, Subset, TensorDataset, default_collate, random_split
from . import distributed
from .distributed import DistributedSampler

__all__ = ["DataLoader", "Dataset", "DistributedSampler", "Subset", "TensorDataset", "default_collate", "random_split"]


class DataLoader(data.DataLoader):
    __doc__ = data.DataLoader.__doc__
    _is_torch = True
