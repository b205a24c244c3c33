# SPDX-License-Identifier: Apache-2.0
"""``torch.nn.utils``: backplane.nn.utils, under PyTorch's path."""

from ...nn.utils import *
