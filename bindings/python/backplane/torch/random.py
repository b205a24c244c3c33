# SPDX-License-Identifier: Apache-2.0
"""Draws from tensors of probabilities, and fills in place. They come from the device's generator, or from the given one, as those
of rand do."""

from __future__ import annotations

import math
from typing import Any

from .. import _core, dtypes, ops, random
from ..autograd import no_grad
from ..tensor import Tensor

__all__ = ["RandomFills", "bernoulli", "multinomial"]

_LARGEST = 2**63 - 1
WHOLE_FLOATS = {"float16": 2**11, "bfloat16": 2**8, "float32": 2**24, "float64": 2**53}  # up to which each is there


def _drawn(op: Any, shape: Any, generator: Any, dtype: Any, device: Any, **attrs: Any) -> Any:
    return random._draw(op, tuple(shape), generator, dtype=dtype, device=device, **attrs)


def _wide(dtype: Any) -> Any:
    """The dtype in which numbers for the dtype are drawn and computed."""
    return dtypes.float64 if dtype is dtypes.float64 else dtypes.float32


def _check_shares(p: Any) -> None:
    """Refuses probabilities outside [0, 1], on the CPU, where that waits for nobody."""
    if p.is_cpu and not bool(ops.all(ops.logical_and(ops.ge(p, 0), ops.le(p, 1)))):
        raise RuntimeError("Expected p_in >= 0 && p_in <= 1 to be true, but got false.")


def _ones_with(p: Any, shape: Any, dtype: Any, device: Any, generator: Any) -> Any:
    """1 with probability p, a number or a tensor, else 0."""
    if not isinstance(p, Tensor):
        if not 0 <= p <= 1:
            raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
        return _drawn(ops.bernoulli, shape, generator, _wide(dtype), device, p=p).to(dtype)
    _check_shares(p)
    drawn = _drawn(ops.uniform, shape, generator, _wide(p.dtype), device)
    return ops.lt(drawn, p.detach()).to(dtype)


def bernoulli(input: Any, p: float | None = None, *, generator: Any = None, out: Any = None) -> Tensor:
    """1 with the probability that each element of input says, else 0, in its dtype; with p with that probability.

    >>> torch.bernoulli(torch.tensor([0.0, 1.0]))
    tensor([0., 1.])
    """
    if p is None and input.dtype.kind != "f":
        raise NotImplementedError(f"\"bernoulli_tensor_cpu_p_\" not implemented for '{input.dtype._title}'")
    drawn = _ones_with(input if p is None else p, input.shape, input.dtype, input.device, generator)
    return _core.as_class(drawn, type(input.detach())) if out is None else out.copy_(drawn)


def multinomial(input: Any, num_samples: int, replacement: bool = False, *, generator: Any = None, out: Any = None) -> Tensor:
    """num_samples places for each row of input, drawn with the probabilities that are in the relation of its elements.

    >>> torch.multinomial(torch.tensor([0.0, 1.0, 0.0]), 1)
    tensor([1])
    """
    n = input.shape[-1] if input.ndim else 0
    if input.dtype.kind != "f":
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {input.dtype._title}")
    if not 0 < input.ndim <= 2:
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > n:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    rows = _core.reshape(input.detach(), (-1, n)).to(_wide(input.dtype))
    if rows.is_cpu and rows._numel:
        if not bool(ops.all(ops.logical_and(ops.ge(rows, 0), ops.isfinite(rows)))):
            raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
        if not bool(ops.all(ops.gt(ops.sum(rows, axes=(-1,)), 0))):
            raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    draw = _with_replacement if replacement else _without_replacement
    found = _core.reshape(draw(rows, num_samples, generator), (*input.shape[:-1], num_samples))
    return found if out is None else out.copy_(found)


def _without_replacement(rows: Any, count: int, generator: Any) -> Any:
    """Of exponential waiting times with these rates the shortest ones (Efraimidis and Spirakis, 2006)."""
    drawn = _drawn(ops.uniform, rows.shape, generator, rows.dtype, rows.device)
    wait = ops.neg(ops.log1p(ops.neg(ops.maximum(drawn, 2.0**-25))))  # never 0, so that a rate of 0 is the last
    return ops.topk(ops.div(rows, wait), count, axis=-1)[1]


def _with_replacement(rows: Any, count: int, generator: Any) -> Any:
    """Looks up numbers r + u, u in [0, 1), in one list: row r has r and the running shares of its elements."""
    m, n = rows.shape
    upto = ops.cumsum(rows.double(), axis=-1)
    total = _core.narrow(upto, -1, n - 1, 1)
    # The last elements of a row without a share have that of the last one with one: u does not reach it.
    shares = ops.where(ops.ge(upto, total), 1.0, ops.div(upto, total))
    row = _core.reshape(ops.arange(0, m, 1, device=rows.device), (m, 1))
    drawn = ops.add(_drawn(ops.uniform, (m, count), generator, dtypes.float32, rows.device).double(), row)
    found = ops.searchsorted(_core.reshape(ops.add(shares, row), (-1,)), drawn, right=True)
    return ops.sub(found, ops.mul(row, n))


# ---- in place --------------------------------------------------------------------------------------------------------


def _put(x: Any, drawn: Any) -> Any:
    """Writes into x, whose graph then knows that nothing of what it was is left."""
    x.copy_(drawn)
    return x


def _fill(x: Any, op: Any, generator: Any, **attrs: Any) -> Any:
    """Draws straight into x where it is a float that is in no graph."""
    if x.requires_grad or generator is not None or not _core.is_contiguous(x):
        return _put(x, _drawn(op, x.shape, generator, x.dtype, x.device, **attrs))
    op(out=x, **attrs)
    return x


def _uniform_for(x: Any, generator: Any) -> Any:
    return _drawn(ops.uniform, x.shape, generator, _wide(x.dtype), x.device)


def _need_floats(x: Any, text: str) -> None:
    if x.dtype.kind != "f":
        raise (RuntimeError if "Expected" in text or "distribution" in text else NotImplementedError)(text)


def _taken(named: dict[str, Any], name: str, default: Any) -> Any:
    """Takes the keyword away, which may be a word of Python's, such as from."""
    value = named.pop(name, default)
    if named.keys() - {"from", "to"}:
        raise TypeError(f"got an unexpected keyword argument '{next(iter(named.keys() - {'from', 'to'}))}'")
    return value


class RandomFills:
    """torch.Tensor's methods that fill it with random numbers."""

    __slots__ = ()

    def uniform_(self: Any, from_: float = 0, to: float = 1, *, generator: Any = None, **named: Any) -> Any:
        """Fills it with numbers that are uniform in [from, to).

        >>> x = torch.zeros(3)
        >>> bool((x.uniform_(1, 2) >= 1).all())
        True
        """
        from_ = _taken(named, "from", from_)
        _need_floats(self, f"\"check_uniform_bounds\" not implemented for '{self.dtype._title}'")
        if from_ > to:
            raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={from_:g} > to={to:g}")
        return _fill(self, ops.uniform, generator, low=from_, high=to)

    def normal_(self: Any, mean: float = 0, std: float = 1, *, generator: Any = None) -> Any:
        """Fills it with normal numbers of that mean and standard deviation.

        >>> torch.zeros(3).normal_().shape
        torch.Size([3])
        """
        _need_floats(self, f"\"normal_kernel_cpu\" not implemented for '{self.dtype._title}'")
        if std < 0:
            raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
        return _fill(self, ops.normal, generator, mean=mean, std=std)

    def exponential_(self: Any, lambd: float = 1, *, generator: Any = None) -> Any:
        """Fills it with the waiting times between events that come lambd times in a unit of time.

        >>> bool((torch.ones(3).exponential_() >= 0).all())
        True
        """
        _need_floats(self, "Exponential distribution is a continuous probability distribution. dtype must be a floating point but you "
                           f"specified {self.dtype._title}")
        if lambd <= 0:
            raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
        with no_grad():
            drawn = _uniform_for(self, generator)
            drawn = ops.log1p(ops.neg(drawn, out=drawn), out=drawn)
            drawn = ops.mul(drawn, -1 / lambd, out=drawn)
        return _put(self, drawn)

    def cauchy_(self: Any, median: float = 0, sigma: float = 1, *, generator: Any = None) -> Any:
        """Fills it with numbers of the Cauchy distribution.

        >>> torch.zeros(3).cauchy_().shape
        torch.Size([3])
        """
        _need_floats(self, "Cauchy distribution is a continuous probability distribution. dtype must be a floating point but you "
                           f"specified {self.dtype._title}")
        if sigma <= 0:
            raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
        with no_grad():
            drawn = ops.tan(ops.mul(ops.sub(_uniform_for(self, generator), 0.5), math.pi))
            drawn = ops.add(ops.mul(drawn, sigma), median)
        return _put(self, drawn)

    def log_normal_(self: Any, mean: float = 1, std: float = 2, *, generator: Any = None) -> Any:
        """Fills it with exp of normal numbers of that mean and standard deviation.

        >>> bool((torch.zeros(3).log_normal_() > 0).all())
        True
        """
        _need_floats(self, f"\"log_normal_cpu\" not implemented for '{self.dtype._title}'")
        if std <= 0:
            raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
        with no_grad():
            drawn = ops.exp(_drawn(ops.normal, self.shape, generator, _wide(self.dtype), self.device, mean=mean, std=std))
        return _put(self, drawn)

    def geometric_(self: Any, p: float, *, generator: Any = None) -> Any:
        """Fills it with how many trials it takes until one of probability p succeeds.

        >>> bool((torch.zeros(3).geometric_(0.5) >= 1).all())
        True
        """
        if not 0 < p < 1:
            raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
        with no_grad():
            drawn = ops.log1p(ops.neg(_uniform_for(self, generator)))
            drawn = ops.maximum(ops.ceil(ops.mul(drawn, 1 / math.log1p(-p))), 1)
        return _put(self, drawn)

    def random_(self: Any, *bounds: Any, generator: Any = None, **named: Any) -> Any:
        """Fills it with integers: random_(from, to) from `from` to to - 1, random_(to) from 0, random_() with any that are not
        negative and that the dtype holds, of a floating one up to where it holds each.

        >>> bool((torch.zeros(3).random_(2, 5) >= 2).all())
        True
        """
        low, high = _taken(named, "from", None), _taken(named, "to", None)
        if len(bounds) == 2:
            low, high = bounds
        elif bounds:
            low, high = (low, bounds[0]) if low is not None or high is None else (bounds[0], high)
        largest = 1 if self.dtype.kind == "b" else WHOLE_FLOATS.get(self.dtype.name) or dtypes.iinfo(self.dtype).max
        least = 0 if self.dtype.kind in "bu" else -largest - (self.dtype.kind != "f")
        low, high = 0 if low is None else low, min(largest + 1, _LARGEST) if high is None else high
        if low >= high:
            raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
        for name, bound in (("from", low), ("to - 1", high - 1)):
            if self.dtype.kind != "f" and not least <= bound <= largest:
                raise RuntimeError(f"{name} is out of bounds for {self.dtype.name}")
        return _put(self, _drawn(ops.randint, self.shape, generator, dtypes.int64, self.device, low=low, high=high))

    def bernoulli_(self: Any, p: Any = 0.5, *, generator: Any = None) -> Any:
        """Fills it with 1 with probability p, a number or a tensor, else 0.

        >>> torch.zeros(2).bernoulli_(1)
        tensor([1., 1.])
        """
        return _put(self, _ones_with(p, self.shape, self.dtype, self.device, generator))
