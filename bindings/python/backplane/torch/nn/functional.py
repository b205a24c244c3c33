# SPDX-License-Identifier: Apache-2.0
"""``torch.nn.functional``: backplane.nn.functional, under PyTorch's path."""

from ...nn.functional import *
