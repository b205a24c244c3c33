# SPDX-License-Identifier: Apache-2.0
"""Exchanges of tensors in which all members of a group take part, under PyTorch's names."""

from __future__ import annotations

import datetime
import enum
from collections.abc import Callable, Sequence
from typing import Any

from ... import _core, distributed, ops
from ...autograd import no_grad
from . import process_groups
from .process_groups import _group, _is_outside, _member
from .work import Work

_MESSAGE_TAG = 32767  # of the parts of an all_to_all, beside a program's own messages


class ReduceOp(enum.Enum):
    """What members make of their elements. AVG is for floating and complex dtypes; BAND and BOR are for bool.

    >>> torch.distributed.ReduceOp.SUM.name
    'SUM'
    """

    SUM, AVG, PRODUCT, MIN, MAX, BAND, BOR, BXOR, PREMUL_SUM = range(9)


_WORDS: dict[ReduceOp, distributed.Op] = {
    ReduceOp.SUM: "sum", ReduceOp.AVG: "mean", ReduceOp.PRODUCT: "product", ReduceOp.MIN: "min", ReduceOp.MAX: "max",
}  # fmt: skip
_OF_BOOL: dict[ReduceOp, distributed.Op] = {
    ReduceOp.BAND: "min", ReduceOp.PRODUCT: "min", ReduceOp.MIN: "min", ReduceOp.BOR: "max", ReduceOp.SUM: "max", ReduceOp.MAX: "max",
}  # fmt: skip


def _word(op: Any, t: Any) -> distributed.Op:
    words = _OF_BOOL if t.dtype.name == "bool" else _WORDS
    if op not in words:
        raise ValueError(f"{op} is not defined for {t.dtype}: MPI has {', '.join(f'ReduceOp.{o.name}' for o in words)}")
    return words[op]


def _check(t: Any, name: str) -> None:
    if not isinstance(t, _core.TensorBase):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type torch.Tensor. Instead got {type(t)} instead.")


def _check_list(tensors: Any, name: str) -> None:
    if not isinstance(tensors, (list, tuple)) or not all(isinstance(t, _core.TensorBase) for t in tensors):
        raise TypeError(f"Invalid function argument. Expected parameter `{name}` of type List[torch.Tensor]. Instead got {type(tensors)} "
                        "instead.")  # fmt: skip


def _done(works: Sequence[Any], async_op: bool, results: Sequence[Any] = (), after: Callable[[], None] | None = None) -> Any:
    """Waits, or returns the work. `after` comes when the works are over, once."""
    work = Work(works, results, after)
    if async_op:
        return work
    work.wait()
    return None


def _spread(into: Sequence[Any], parts: Any) -> Callable[[], None]:
    """Copies part i into tensor i, when it is called."""

    def copy() -> None:
        with no_grad():
            for i, t in enumerate(into):
                t.copy_(parts[i])

    return copy


def _parts_like(tensors: Sequence[Any], like: Any, size: int, name: str) -> None:
    if len(tensors) != size:
        raise ValueError(f"{name} has {len(tensors)} tensors, expected one for each of the {size} members")
    for t in tensors:
        if t.shape != like.shape or t.dtype != like.dtype:
            raise ValueError(f"{name} has a tensor of shape {tuple(t.shape)} and dtype {t.dtype}, expected {tuple(like.shape)} and "
                             f"{like.dtype}")  # fmt: skip


def barrier(group: Any = None, async_op: bool = False, device_ids: Any = None) -> Any:
    """Returns when all members have called it.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.barrier()
    >>> torch.distributed.destroy_process_group()
    """
    if _is_outside(group, "barrier"):
        return None
    return _done([_group(group)._open().barrier(work=True)], async_op)


def monitored_barrier(group: Any = None, timeout: datetime.timedelta | None = None, wait_all_ranks: bool = False) -> None:
    """Returns when all members have called it, or raises an error that names who did not within the timeout.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.monitored_barrier()
    >>> torch.distributed.destroy_process_group()
    """
    if not _is_outside(group, "monitored_barrier"):
        _group(group)._open().barrier(process_groups._seconds(timeout))


def broadcast(tensor: Any, src: int | None = None, group: Any = None, async_op: bool = False, group_src: int | None = None) -> Any:
    """Copies tensor of member src into tensor of all.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.broadcast(torch.ones(2), src=0)
    >>> torch.distributed.destroy_process_group()
    """
    _check(tensor, "tensor")
    if _is_outside(group, "broadcast"):
        return None
    g = _group(group)
    return _done([g._open().broadcast(tensor, _member(g, src, group_src, "src"), work=True)], async_op, [tensor])


def all_reduce(tensor: Any, op: ReduceOp = ReduceOp.SUM, group: Any = None, async_op: bool = False) -> Any:
    """Makes each member's tensor the reduction of all, the same bits everywhere.

    >>> torch.distributed.init_process_group()
    >>> work = torch.distributed.all_reduce(torch.ones(2), async_op=True)
    >>> work.wait()
    True
    >>> torch.distributed.destroy_process_group()
    """
    _check(tensor, "tensor")
    if _is_outside(group, "all_reduce"):
        return None
    return _done([_group(group)._open().all_reduce(tensor, _word(op, tensor), work=True)], async_op, [tensor])


def reduce(tensor: Any, dst: int | None = None, op: ReduceOp = ReduceOp.SUM, group: Any = None, async_op: bool = False,
           group_dst: int | None = None) -> Any:  # fmt: skip
    """Makes tensor of member dst the reduction of all; the others keep theirs.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.reduce(torch.ones(2), dst=0)
    >>> torch.distributed.destroy_process_group()
    """
    _check(tensor, "tensor")
    if _is_outside(group, "reduce"):
        return None
    g = _group(group)
    work = g._open().reduce(tensor, _word(op, tensor), _member(g, dst, group_dst, "dst"), work=True)
    return _done([work], async_op, [tensor])


def all_gather(tensor_list: list[Any], tensor: Any, group: Any = None, async_op: bool = False) -> Any:
    """Copies tensor of member i into tensor_list[i] of all.

    >>> torch.distributed.init_process_group()
    >>> found = [torch.zeros(2)]
    >>> torch.distributed.all_gather(found, torch.ones(2))
    >>> found
    [tensor([1., 1.])]
    >>> torch.distributed.destroy_process_group()
    """
    _check_list(tensor_list, "tensor_list")
    _check(tensor, "tensor")
    if _is_outside(group, "all_gather"):
        return None
    members = _group(group)._open()
    _parts_like(tensor_list, tensor, members.size, "tensor_list")
    every = distributed._room(tensor, (members.size, *tensor.shape))
    return _done([members.all_gather(tensor, every, work=True)], async_op, tensor_list, _spread(tensor_list, every))


def _in_parts(t: Any, size: int, shape: tuple[int, ...], name: str) -> Any:
    """A view of t, one part of that shape for each member."""
    n = 1
    for s in shape:
        n *= s
    if t._numel != size * n:
        raise ValueError(f"{name} has the shape {tuple(t.shape)}, expected {size} parts of shape {shape}, one after the other")
    with no_grad():
        return _core.detach(t).view(size, *shape)


def all_gather_into_tensor(output_tensor: Any, input_tensor: Any, group: Any = None, async_op: bool = False) -> Any:
    """Copies input_tensor of all members into output_tensor, of shape [size, ...] or [size * n, ...] where input_tensor has [n, ...].

    >>> torch.distributed.init_process_group()
    >>> found = torch.zeros(2)
    >>> torch.distributed.all_gather_into_tensor(found, torch.ones(2))
    >>> found
    tensor([1., 1.])
    >>> torch.distributed.destroy_process_group()
    """
    _check(input_tensor, "input_tensor")
    _check(output_tensor, "output_tensor")
    if _is_outside(group, "all_gather_into_tensor"):
        return None
    members = _group(group)._open()
    out = _in_parts(output_tensor, members.size, tuple(input_tensor.shape), "output_tensor")
    return _done([members.all_gather(input_tensor, out, work=True)], async_op, [output_tensor])


def reduce_scatter(output: Any, input_list: list[Any], op: ReduceOp = ReduceOp.SUM, group: Any = None,
                   async_op: bool = False) -> Any:  # fmt: skip
    """Makes output of member i the reduction of all members' input_list[i].

    >>> torch.distributed.init_process_group()
    >>> found = torch.zeros(2)
    >>> torch.distributed.reduce_scatter(found, [torch.ones(2)])
    >>> found
    tensor([1., 1.])
    >>> torch.distributed.destroy_process_group()
    """
    _check(output, "output")
    _check_list(input_list, "input_list")
    if _is_outside(group, "reduce_scatter"):
        return None
    members = _group(group)._open()
    _parts_like(input_list, output, members.size, "input_list")
    with no_grad():
        parts = ops.stack(list(input_list), axis=0)
    return _done([members.reduce_scatter(parts, _word(op, output), output, work=True)], async_op, [output])


def reduce_scatter_tensor(output: Any, input: Any, op: ReduceOp = ReduceOp.SUM, group: Any = None,
                          async_op: bool = False) -> Any:  # fmt: skip
    """Makes output of member i the reduction of part i of all members' input, of shape [size, ...] or [size * n, ...] where output has
    [n, ...].

    >>> torch.distributed.init_process_group()
    >>> found = torch.zeros(2)
    >>> torch.distributed.reduce_scatter_tensor(found, torch.ones(2))
    >>> found
    tensor([1., 1.])
    >>> torch.distributed.destroy_process_group()
    """
    _check(output, "output")
    _check(input, "input")
    if _is_outside(group, "reduce_scatter_tensor"):
        return None
    members = _group(group)._open()
    parts = _in_parts(input, members.size, tuple(output.shape), "input")
    return _done([members.reduce_scatter(parts, _word(op, output), output, work=True)], async_op, [output])


def gather(tensor: Any, gather_list: list[Any] | None = None, dst: int | None = None, group: Any = None, async_op: bool = False,
           group_dst: int | None = None) -> Any:  # fmt: skip
    """Copies tensor of member i into gather_list[i] of member dst, by default 0; the others give no list.

    >>> torch.distributed.init_process_group()
    >>> found = [torch.zeros(2)]
    >>> torch.distributed.gather(torch.ones(2), found)
    >>> found
    [tensor([1., 1.])]
    >>> torch.distributed.destroy_process_group()
    """
    _check(tensor, "tensor")
    if _is_outside(group, "gather"):
        return None
    g = _group(group)
    members, root = g._open(), _member(g, dst, group_dst, "dst", default=0)
    if members.rank != root:
        if gather_list:
            raise ValueError("Argument ``gather_list`` must NOT be specified on non-destination ranks.")
        return _done([members.gather(tensor, root, work=True)], async_op)
    if not gather_list:
        raise ValueError("Argument ``gather_list`` must be specified on destination rank.")
    _check_list(gather_list, "gather_list")
    _parts_like(gather_list, tensor, members.size, "gather_list")
    every = distributed._room(tensor, (members.size, *tensor.shape))
    return _done([members.gather(tensor, root, every, work=True)], async_op, gather_list, _spread(gather_list, every))


def scatter(tensor: Any, scatter_list: list[Any] | None = None, src: int | None = None, group: Any = None, async_op: bool = False,
            group_src: int | None = None) -> Any:  # fmt: skip
    """Copies scatter_list[i] of member src, by default 0, into tensor of member i; the others give no list.

    >>> torch.distributed.init_process_group()
    >>> found = torch.zeros(2)
    >>> torch.distributed.scatter(found, [torch.ones(2)])
    >>> found
    tensor([1., 1.])
    >>> torch.distributed.destroy_process_group()
    """
    _check(tensor, "tensor")
    if _is_outside(group, "scatter"):
        return None
    g = _group(group)
    members, root = g._open(), _member(g, src, group_src, "src", default=0)
    if members.rank != root:
        if scatter_list:
            raise ValueError("Argument ``scatter_list`` must NOT be specified on non-source ranks.")
        return _done([members.scatter(None, root, tensor, work=True)], async_op, [tensor])
    if not scatter_list:
        raise ValueError("Argument ``scatter_list`` must be specified on source rank.")
    _check_list(scatter_list, "scatter_list")
    _parts_like(scatter_list, tensor, members.size, "scatter_list")
    with no_grad():
        parts = ops.stack(list(scatter_list), axis=0)
    return _done([members.scatter(parts, root, tensor, work=True)], async_op, [tensor])


def _each_to_each(members: distributed.Group, into: Sequence[Any], of: Sequence[Any]) -> tuple[list[Any], Callable[[], None]]:
    """Parts of any shapes, as messages."""
    own = members.rank
    others = [i for i in range(members.size) if i != own]
    works = [members.receive(into[i], i, _MESSAGE_TAG, work=True) for i in others]
    works += [members.send(of[i], i, _MESSAGE_TAG, work=True) for i in others]
    return works, _spread([into[own]], [of[own]])


def all_to_all(output_tensor_list: list[Any], input_tensor_list: list[Any], group: Any = None, async_op: bool = False) -> Any:
    """Copies input_tensor_list[j] of member i into output_tensor_list[i] of member j. These two have one shape; others may differ.

    >>> torch.distributed.init_process_group()
    >>> found = [torch.zeros(2)]
    >>> torch.distributed.all_to_all(found, [torch.ones(2)])
    >>> found
    [tensor([1., 1.])]
    >>> torch.distributed.destroy_process_group()
    """
    _check_list(output_tensor_list, "output_tensor_list")
    _check_list(input_tensor_list, "input_tensor_list")
    if _is_outside(group, "all_to_all"):
        return None
    members = _group(group)._open()
    for name, tensors in (("output_tensor_list", output_tensor_list), ("input_tensor_list", input_tensor_list)):
        if len(tensors) != members.size:
            raise ValueError(f"{name} has {len(tensors)} tensors, expected one for each of the {members.size} members")
    works, after = _each_to_each(members, output_tensor_list, input_tensor_list)
    return _done(works, async_op, output_tensor_list, after)


def all_to_all_single(output: Any, input: Any, output_split_sizes: Sequence[int] | None = None,
                      input_split_sizes: Sequence[int] | None = None, group: Any = None,
                      async_op: bool = False) -> Any:  # fmt: skip
    """Copies part j of input of member i into part i of output of member j. Parts are cut along the first dimension: of these sizes, or
    equal ones.

    >>> torch.distributed.init_process_group()
    >>> found = torch.zeros(2)
    >>> torch.distributed.all_to_all_single(found, torch.ones(2))
    >>> found
    tensor([1., 1.])
    >>> torch.distributed.destroy_process_group()
    """
    _check(output, "output")
    _check(input, "input")
    if _is_outside(group, "all_to_all_single"):
        return None
    members = _group(group)._open()
    if output_split_sizes or input_split_sizes:
        into, of = _cut(output, output_split_sizes, members.size, "output"), _cut(input, input_split_sizes, members.size, "input")
        works, after = _each_to_each(members, into, of)
        return _done(works, async_op, [output], after)
    views = []
    for t, name in ((input, "input"), (output, "output")):
        if t.shape[0] % members.size:
            raise ValueError(f"{name}: Tensor's dim 0 does not divide equally across group size")
        views.append(_in_parts(t, members.size, (t.shape[0] // members.size, *t.shape[1:]), name))
    return _done([members.all_to_all(views[0], views[1], work=True)], async_op, [output])


def _cut(t: Any, sizes: Sequence[int] | None, n: int, name: str) -> list[Any]:
    """Views of t, of these sizes along its first dimension."""
    if not sizes:
        if t.shape[0] % n:
            raise ValueError(f"{name}: Tensor's dim 0 does not divide equally across group size")
        sizes = [t.shape[0] // n] * n
    if len(sizes) != n or sum(sizes) != t.shape[0]:
        raise ValueError(f"{name}: Split sizes doesn't match total dim 0 size")
    plain, at, views = _core.detach(t), 0, []
    for size in sizes:
        views.append(plain.narrow(0, at, size))
        at += size
    return views
