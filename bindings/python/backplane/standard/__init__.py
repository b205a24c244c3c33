# SPDX-License-Identifier: Apache-2.0
"""The Python array API standard (2025.12): names, signatures and results, one file for each of its chapters.

A function that the op table has under the same name (exp, maximum, ...) is the op itself. The functions written here have
another name in the table, or another result (PyTorch's unbiased var, sign of NaN, sums of unsigned integers), or are made of
several ops."""

from .constants import *
from .creation import *
from .data_types import *
from .elementwise import *
from .info import *
from .linear_algebra import *
from .manipulation import *
from .searching import *
from .sets import *
from .statistics import *
