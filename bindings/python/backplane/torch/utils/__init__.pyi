# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from . import data as data
from .data import DataLoader as DataLoader, TensorDataset as TensorDataset


