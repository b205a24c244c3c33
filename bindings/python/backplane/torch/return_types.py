# SPDX-License-Identifier: Apache-2.0
"""torch.return_types: the pairs of values and indices that some functions return. They print as PyTorch's do."""

from __future__ import annotations

from typing import Any, NamedTuple


class _Pair(NamedTuple):
    values: Any
    indices: Any


class Pair(_Pair):
    """What the pairs have in common."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"torch.return_types.{type(self).__name__}(\nvalues={self.values!r},\nindices={self.indices!r})"


class max(Pair):
    __slots__ = ()


class min(Pair):
    __slots__ = ()


class sort(Pair):
    __slots__ = ()


class topk(Pair):
    __slots__ = ()


class cummax(Pair):
    __slots__ = ()


class cummin(Pair):
    __slots__ = ()


class kthvalue(Pair):
    __slots__ = ()


class median(Pair):
    __slots__ = ()


class nanmedian(Pair):
    __slots__ = ()


class mode(Pair):
    __slots__ = ()


class aminmax(NamedTuple):
    min: Any
    max: Any

    def __repr__(self) -> str:
        return f"torch.return_types.aminmax(\nmin={self.min!r},\nmax={self.max!r})"
