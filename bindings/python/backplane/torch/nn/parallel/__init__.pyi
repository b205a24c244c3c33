# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from . import distributed as distributed, reducer as reducer
from .distributed import DistributedDataParallel as DistributedDataParallel


