# SPDX-License-Identifier: Apache-2.0
"""``torch.utils``, of which there is data."""

from . import data
from .data import DataLoader, TensorDataset
