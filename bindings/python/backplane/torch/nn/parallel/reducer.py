# SPDX-License-Identifier: Apache-2.0
"""Averages gradients over the members of a group while backward still computes.

Gradients are exchanged in buckets, in the order in which backward is expected to make them, the reverse of the parameters'. A bucket
is begun when all its gradients are there and the one before it is begun, so that all members exchange the same buckets in the same
order. Backward ends when all are over: in the hook of its last gradient or, where parameters may be unused, in the backward of a gate
that is recorded before the module's ops and so comes after theirs."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from typing import Any

from .... import _core, distributed, ops
from ....autograd import Function, no_grad

FIRST_BUCKET = 1 << 20  # bytes: the exchanges begin early

_UNFINISHED = """Expected to have finished reduction in the prior iteration before starting a new one. This error indicates that your \
module has parameters that were not used in producing loss. You can enable unused parameter detection by passing the keyword argument \
`find_unused_parameters=True` to `torch.nn.parallel.DistributedDataParallel`, and by making sure all `forward` function outputs \
participate in calculating loss. Parameters which did not receive grad for rank {rank}: {names}"""


class _Bucket:
    """Parameters whose gradients are exchanged together: of one dtype, on one device."""

    def __init__(self) -> None:
        self.places: list[int] = []
        self.bytes = 0
        self.missing = 0
        self.flat: Any = None
        self.work: Any = None


def buckets_of(params: Sequence[Any], cap: int) -> list[_Bucket]:
    """The buckets, in the order in which they are exchanged."""
    made: list[_Bucket] = []
    open_ones: dict[Any, _Bucket] = {}
    for i in reversed(range(len(params))):
        p = params[i]
        key = p.dtype, p.device
        size = p._numel * p.dtype.itemsize
        bucket = open_ones.get(key)
        if bucket is None or (bucket.bytes and bucket.bytes + size > (cap if bucket is not made[0] else min(cap, FIRST_BUCKET))):
            bucket = open_ones[key] = _Bucket()
            made.append(bucket)
        bucket.places.append(i)
        bucket.bytes += size
    return made


class Reducer:
    """Averages the gradients of parameters, which have names for errors, over the group's members."""

    def __init__(self, names: Sequence[str], params: Sequence[Any], members: distributed.Group, cap: int, finds_unused: bool) -> None:
        self._names, self._params, self._members, self._finds_unused = list(names), list(params), members, finds_unused
        self._buckets = buckets_of(params, cap)
        self._bucket_of = {i: bucket for bucket in self._buckets for i in bucket.places}
        self._averages = False  # what backward makes of the latest forward is averaged
        self._reset()
        this = weakref.ref(self)  # the parameters may outlive it, and keep their hooks
        hooks = [p.register_post_accumulate_grad_hook(_Hook(this, i)) for i, p in enumerate(params)]
        weakref.finalize(self, _remove, hooks).atexit = False

    def _reset(self) -> None:
        self._arrived: set[int] = set()
        self._next = 0  # the bucket that is begun next
        for bucket in self._buckets:
            bucket.missing, bucket.flat, bucket.work = len(bucket.places), None, None

    # ---- forward ----

    def prepare(self, averages: bool) -> None:
        """Comes before a forward, of which backward is averaged or not."""
        if averages and self._arrived:
            names = ", ".join(name for i, name in enumerate(self._names) if i not in self._arrived)
            self._reset()
            raise RuntimeError(_UNFINISHED.format(rank=self._members.rank, names=names))
        self._averages = averages

    def gate(self) -> Any:
        """What a forward whose parameters may be unused begins with; None where none may be. mark() ends it."""
        if not (self._averages and self._finds_unused):
            return None
        return _Gate.apply(weakref.ref(self), _core.ones(()).requires_grad_())

    def mark(self, gate: Any, outputs: Any) -> Any:
        """Returns the outputs, whose backward leads to the gate's."""
        found: list[Any] = []
        _visit(outputs, lambda t: found.append(t) if t.requires_grad else None)
        if gate is None or not found:
            return outputs
        marked = _Marked.apply(gate, *found)
        of = {id(t): m for t, m in zip(found, marked, strict=True)}
        return _visit(outputs, lambda t: of.get(id(t), t))

    # ---- backward ----

    def arrived(self, i: int) -> None:
        """The gradient of parameter i is there."""
        if not self._averages:
            return
        if i in self._arrived:
            raise RuntimeError(f"Expected to mark a variable ready only once: parameter {self._names[i]} got a second gradient while "
                               "others have none yet")  # fmt: skip
        self._arrived.add(i)
        bucket = self._bucket_of[i]
        bucket.missing -= 1
        self._begin_buckets()
        if len(self._arrived) == len(self._params) and not self._finds_unused:
            self.finish()

    def _begin_buckets(self) -> None:
        with no_grad():
            while self._next < len(self._buckets) and self._buckets[self._next].missing == 0:
                bucket = self._buckets[self._next]
                self._next += 1
                parts = []
                for i in bucket.places:
                    p = self._params[i]
                    grad = p.grad if i in self._arrived else None
                    parts.append(_core.reshape(_core.zeros_like(_core.detach(p)) if grad is None else _core.detach(grad), (-1,)))
                bucket.flat = ops.concat(parts, axis=0)  # a copy, also of one gradient
                bucket.work = self._members.all_reduce(bucket.flat, "mean", work=True)

    def finish(self) -> None:
        """Ends backward: what no gradient came for counts as zeros, and all averages come back."""
        used = None
        if self._finds_unused:
            used = self._members.all_reduce(_core.asarray([i in self._arrived for i in range(len(self._params))]), "max", work=True)
            for bucket in self._buckets:
                bucket.missing = 0
            self._begin_buckets()
        try:
            used_anywhere = None if used is None else used.wait().tolist()
            with no_grad():
                for bucket in self._buckets:
                    bucket.work.wait()
                    at = 0
                    for i in bucket.places:
                        p = self._params[i]
                        n = p._numel
                        if used_anywhere is None or used_anywhere[i]:
                            self._put(p, bucket.flat[at : at + n])
                        at += n
        finally:
            self._reset()

    @staticmethod
    def _put(p: Any, average: Any) -> None:
        average = _core.reshape(average, tuple(p.shape))
        if p.grad is None:
            p.grad = average.clone()
        else:
            _core.copy_(p.grad, average, False)


def _remove(hooks: list[Any]) -> None:
    for hook in hooks:
        hook.remove()


class _Hook:
    """What a parameter calls when its gradient is there."""

    def __init__(self, reducer: weakref.ref[Reducer], place: int) -> None:
        self._reducer, self._place = reducer, place

    def __call__(self, parameter: Any) -> None:
        reducer = self._reducer()
        if reducer is not None:
            reducer.arrived(self._place)


class _Gate(Function):
    """Ends backward. It is recorded before all ops of the forward, and backward takes the latest first."""

    @staticmethod
    def forward(ctx: Any, reducer: weakref.ref[Reducer], token: Any) -> Any:
        ctx.reducer = reducer
        return token.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        reducer = ctx.reducer()
        if reducer is not None:
            reducer.finish()
        return None, None


class _Marked(Function):
    """Returns its inputs but the first, the gate, to which each backward goes."""

    @staticmethod
    def forward(ctx: Any, gate: Any, *outputs: Any) -> Any:
        ctx.set_materialize_grads(False)
        return outputs

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return _core.ones(()), *grads


def _visit(value: Any, change: Any) -> Any:
    """Returns the value with change(t) for each tensor in it: in lists, tuples, named tuples and dicts."""
    if isinstance(value, _core.TensorBase):
        return change(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_visit(v, change) for v in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_visit(v, change) for v in value)
    if isinstance(value, dict):
        return type(value)((k, _visit(v, change)) for k, v in value.items())
    return value
