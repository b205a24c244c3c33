# SPDX-License-Identifier: Apache-2.0
"""``torch.nn.init``: backplane.nn.init, under PyTorch's path."""

from ...nn.init import *
