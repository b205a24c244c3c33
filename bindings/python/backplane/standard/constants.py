# SPDX-License-Identifier: Apache-2.0
"""Constants."""

import math

__all__ = ["e", "inf", "nan", "newaxis", "pi"]

e, inf, nan, newaxis, pi = math.e, math.inf, math.nan, None, math.pi
