"""The Python array API standard (2023.12): names, signatures and results, one file for each of its chapters.

What the standard names as the table does (exp, maximum, ...) is the op itself. Made here are the names that differ, the ops
whose results differ (PyTorch's unbiased var, sign of NaN, sums of unsigned integers), and what is made of several."""

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
