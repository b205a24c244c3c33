"""The Python array API standard (2023.12): names, signatures and results, one file for each of its chapters.

What the standard names as the table does (exp, maximum, ...) is the op itself. Made here are the names that differ, the ops
whose results differ (PyTorch's unbiased var, sign of NaN, sums of unsigned integers), and what is made of several."""

from .constants import *  # noqa: F403
from .creation import *  # noqa: F403
from .data_types import *  # noqa: F403
from .elementwise import *  # noqa: F403
from .info import *  # noqa: F403
from .linear_algebra import *  # noqa: F403
from .manipulation import *  # noqa: F403
from .searching import *  # noqa: F403
from .sets import *  # noqa: F403
from .statistics import *  # noqa: F403
