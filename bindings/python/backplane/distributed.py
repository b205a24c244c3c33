# SPDX-License-Identifier: Apache-2.0
"""Processes that exchange tensors, on one machine or on many. ``mpirun -n 4 python program.py`` starts them:

    group = bp.distributed.join("mpi", timeout=30)
    group.broadcast(weights)                       # of rank 0, to all
    group.all_reduce(gradient, op="mean")          # the same bits on all
    work = group.all_reduce(next, work=True)       # goes on meanwhile
    work.wait()

Each process is a member with a number, its rank. All members make the same calls of a group in the same order, with tensors of
one dtype and shape, of any layout and on any device. No gradient goes through an exchange. When a member is gone, does not come
in time or fails, an exchange raises ``UnavailableError`` on the others, with a sentence that names it; the group is then of no use,
and the program goes on. Ctrl-C ends a wait."""

from __future__ import annotations

import builtins
import datetime
import pickle
from types import TracebackType
from typing import Any, Literal

from . import _core
from .tensor import Tensor

__all__ = ["Group", "Work", "default_group", "is_available", "join"]

Op = Literal["sum", "product", "min", "max", "mean"]
Seconds = float | datetime.timedelta
_OPS = ("sum", "product", "min", "max", "mean")  # their places are the numbers of bp_reduce
_FAILED = (1 << 64) - 1  # instead of a length: the member could not pickle its object
_LOADED = (8, 9)  # BP_STAGE_DEVICES, where a plugin without a device ends, and BP_STAGE_READY
_CHECK, _NO_CHECK = 1, 2  # BP_GROUP_*
_default: Group | None = None


def _nanoseconds(timeout: Seconds) -> int:
    seconds = timeout.total_seconds() if isinstance(timeout, datetime.timedelta) else timeout
    if not seconds > 0:
        raise ValueError(f"a timeout is more than 0 seconds, got {seconds}")
    return min(int(seconds * 1e9), (1 << 63) - 1)


def _number(op: str) -> int:
    if op not in _OPS:
        raise ValueError(f"op {op!r} is not known, expected one of {', '.join(map(repr, _OPS))}")
    return _OPS.index(op)


def _room(like: Any, shape: tuple[int, ...]) -> Any:
    """Returns memory for a result, of the class that results of ops have."""
    made, cls = _core.empty(shape, like.dtype, like.device), type(_core.detach(like))
    return made if type(made) is cls else _core.as_class(made, cls)


def join(kind: str = "mpi", *, timeout: Seconds | None = None, check: bool | None = None, native: int | None = None) -> Group:
    """Joins the processes that were started together, and returns their group, once all have come.

    timeout, in seconds or a timedelta, is the limit of this and of each exchange, by default 30 minutes. With check=True members tell
    each other what they are about to exchange, and calls that do not agree raise ``InvalidArgumentError``, which says who called
    what; None: what the variable BACKPLANE_CHECK_GROUPS says. native is the address of an ``MPI_Comm`` whose processes to join instead,
    such as ``MPI._addressof(comm)`` of mpi4py. The first group is default_group() until it is left. A process that no launcher started
    is a group of one. Raises ``UnavailableError`` where the plugin's library does not start.

    >>> with bp.distributed.join("mpi", timeout=30) as group:
    ...     group.all_gather(bp.ones(2)).shape
    (1, 2)
    """
    global _default
    flags = 0 if check is None else _CHECK if check else _NO_CHECK
    group = Group(_core.GroupHandle(kind, 0 if timeout is None else _nanoseconds(timeout), flags, native or 0))
    if _default is None:
        _default = group
    return group


def is_available(kind: str = "mpi") -> bool:
    """Returns whether the plugin that connects processes is there and its library starts. It joins nobody.

    >>> bp.distributed.is_available("no such library")
    False
    """
    try:
        _core.device_count(kind)  # loads the plugin
    except _core.Error:
        return False
    return any(entry["kind"] == kind and entry["stage"] in _LOADED for entry in _core.load_report())


def default_group() -> Group:
    """Returns the group that was joined first and is not left. RuntimeError: there is none.

    >>> with bp.distributed.join() as group:
    ...     bp.distributed.default_group() is group
    True
    """
    if _default is None:
        raise RuntimeError("no group was joined: call backplane.distributed.join() first")
    return _default


class Work:
    """An exchange under way: what an exchange returns with ``work=True``. Until wait() its tensors must not be written, and its
    results not be read.

    >>> with bp.distributed.join() as group:
    ...     group.all_reduce(bp.ones(2), work=True).wait()
    tensor([1., 1.])
    """

    __slots__ = ("_handle", "_result")

    def __init__(self, handle: Any, result: Any) -> None:
        self._handle, self._result = handle, result

    def wait(self) -> Any:
        """Waits until the exchange is over, and returns what it returns without ``work``. Raises what it met, each time.

        >>> with bp.distributed.join() as group:
        ...     group.all_gather(bp.ones(2), work=True).wait()
        tensor([[1., 1.]])
        """
        self._handle.wait()
        return self._result

    def done(self) -> bool:
        """Returns whether it is over. Raises what it met. Results are there after wait() alone.

        >>> with bp.distributed.join() as group:
        ...     work = group.barrier(work=True)
        ...     work.wait()
        ...     work.done()
        True
        """
        return self._handle.done()


class Group:
    """The members of a group, as this one sees them: what join() and split() return. ``with`` leaves it at the end.

    Exchanges of one group happen one after the other in the order of the calls; those of several groups do not wait for each other,
    and neither do send() and receive(). With ``work=True`` each returns ``Work`` at once.

    >>> with bp.distributed.join() as group:
    ...     print(group.rank, group.size)
    0 1
    """

    def __init__(self, handle: Any) -> None:
        self._kept: Any = handle
        about = handle.info()
        self._kind, self._rank, self._size = about["kind"], about["rank"], about["size"]
        self._local = about["local_rank"], about["local_size"]

    @property
    def _handle(self) -> Any:
        if self._kept is None:
            raise _core.BadStateError("the group was left")
        return self._kept

    def _begun(self, handle: Any, result: Any) -> Any:
        return result if handle is None else Work(handle, result)

    # ---- who the members are ----

    @property
    def rank(self) -> int:
        """The number of this member, from 0.

        >>> with bp.distributed.join() as group:
        ...     group.rank
        0
        """
        return self._rank

    @property
    def size(self) -> int:
        """How many members there are.

        >>> with bp.distributed.join() as group:
        ...     group.size
        1
        """
        return self._size

    @property
    def local_rank(self) -> int:
        """The number of this member among those on its machine: which of the machine's accelerators it may take.

        >>> with bp.distributed.join() as group:
        ...     group.local_rank
        0
        """
        return self._local[0]

    @property
    def local_size(self) -> int:
        """How many members there are on this machine.

        >>> with bp.distributed.join() as group:
        ...     group.local_size
        1
        """
        return self._local[1]

    @property
    def timeout(self) -> float:
        """The seconds in which each exchange must be over. It may be assigned.

        >>> with bp.distributed.join() as group:
        ...     group.timeout = 5
        ...     group.timeout
        5.0
        """
        return self._handle.info()["timeout_ns"] / 1e9

    @timeout.setter
    def timeout(self, timeout: Seconds) -> None:
        self._handle.set_timeout(_nanoseconds(timeout))

    def use_device(self, device: Any) -> None:
        """Has exchanges of tensors on this device go through a library of its vendor's (NCCL, RCCL), which device_library names, and not
        through the host. All members call it, each with a device of its own, of one kind. Such an exchange is queued as ops are, and
        ``work.wait()`` makes the device's stream wait instead of the caller. Messages go through the host as before. Raises
        ``UnsupportedError`` on all members alike where that cannot be; the group goes on as before.

        >>> with bp.distributed.join() as group:
        ...     try:
        ...         group.use_device("cpu")
        ...     except bp.UnsupportedError as e:
        ...         print(str(e)[:57])
        use_device: rank 0: the plugin of cpu exchanges nothing b
        """
        self._handle.use_device(device)

    @property
    def device_library(self) -> str:
        """The library of use_device() and its version, such as "NCCL 2.21.5"; "" without one.

        >>> with bp.distributed.join() as group:
        ...     group.device_library
        ''
        """
        return self._handle.info()["device_library"]

    def split(self, color: int | None, key: int = 0) -> Group | None:
        """Returns the group of the members that give the same color, 0 or more, ordered by key and then by rank; None to those that
        give None. All members call it.

        >>> with bp.distributed.join() as group:
        ...     group.split(color=group.rank % 2).size
        1
        """
        handle = self._handle.split(-1 if color is None else color, key)
        return None if handle is None else Group(handle)

    def leave(self) -> None:
        """Leaves the group, once what is under way is over. Whoever leaves while others wait for him counts as gone.

        >>> bp.distributed.join().leave()
        """
        global _default
        self._kept = None
        if _default is self:
            _default = None

    def __enter__(self) -> Group:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self.leave()

    def __repr__(self) -> str:
        return f"<backplane.distributed.Group kind={self._kind} rank={self._rank} size={self._size}>"

    # ---- exchanges of tensors ----

    def barrier(self, timeout: Seconds | None = None, *, work: bool = False) -> Any:
        """Returns when all members have called it. timeout is that of this call.

        >>> with bp.distributed.join() as group:
        ...     group.barrier(timeout=5)
        """
        return self._begun(self._handle.barrier(0 if timeout is None else _nanoseconds(timeout), work), None)

    def broadcast(self, t: Tensor, root: int = 0, *, work: bool = False) -> Any:
        """Copies t of member root into t of all, and returns t.

        >>> with bp.distributed.join() as group:
        ...     group.broadcast(bp.ones(2))
        tensor([1., 1.])
        """
        return self._begun(self._handle.broadcast(t, root, work), t)

    def all_reduce(self, t: Tensor, op: Op = "sum", *, work: bool = False) -> Any:
        """Makes each member's t the reduction of all, the same bits everywhere, and returns it.

        op is "sum", "product", "min" or "max", or for floating and complex elements "mean"; of bool there are min (and) and max (or).
        float16 and bfloat16 are reduced in float32 and rounded once.

        >>> with bp.distributed.join() as group:
        ...     group.all_reduce(bp.ones(2), "mean")
        tensor([1., 1.])
        """
        return self._begun(self._handle.all_reduce(t, _number(op), work), t)

    def reduce(self, t: Tensor, op: Op = "sum", root: int = 0, *, work: bool = False) -> Any:
        """Does the same for member root; the others keep what they have. Returns t.

        >>> with bp.distributed.join() as group:
        ...     group.reduce(bp.ones(2), "max")
        tensor([1., 1.])
        """
        return self._begun(self._handle.reduce(t, _number(op), root, work), t)

    def all_gather(self, t: Tensor, out: Tensor | None = None, *, work: bool = False) -> Any:
        """Returns t of all members, of shape [size, ...] where t has the shape [...]; out, of that shape, takes them instead.

        >>> with bp.distributed.join() as group:
        ...     group.all_gather(bp.ones(2))
        tensor([[1., 1.]])
        """
        out = _room(t, (self._size, *t.shape)) if out is None else out
        return self._begun(self._handle.all_gather(t, out, work), out)

    def reduce_scatter(self, t: Tensor, op: Op = "sum", out: Tensor | None = None, *, work: bool = False) -> Any:
        """Returns the reduction of the members' t[rank], of shape [...] where t has the shape [size, ...].

        >>> with bp.distributed.join() as group:
        ...     group.reduce_scatter(bp.ones((1, 2)))
        tensor([1., 1.])
        """
        out = _room(t, tuple(t.shape[1:])) if out is None else out
        return self._begun(self._handle.reduce_scatter(t, _number(op), out, work), out)

    def all_to_all(self, t: Tensor, out: Tensor | None = None, *, work: bool = False) -> Any:
        """Returns t[rank] of each member, in their order: both have the shape [size, ...].

        >>> with bp.distributed.join() as group:
        ...     group.all_to_all(bp.ones((1, 2)))
        tensor([[1., 1.]])
        """
        out = _room(t, tuple(t.shape)) if out is None else out
        return self._begun(self._handle.all_to_all(t, out, work), out)

    def gather(self, t: Tensor, root: int = 0, out: Tensor | None = None, *, work: bool = False) -> Any:
        """Returns t of all members, of shape [size, ...], to member root, and None to the others.

        >>> with bp.distributed.join() as group:
        ...     group.gather(bp.ones(2))
        tensor([[1., 1.]])
        """
        if self._rank != root:
            out = None
        elif out is None:
            out = _room(t, (self._size, *t.shape))
        return self._begun(self._handle.gather(t, root, out, work), out)

    def scatter(self, t: Tensor | None, root: int = 0, out: Tensor | None = None, *, work: bool = False) -> Any:
        """Copies t[rank] of member root, of shape [size, ...], into out, and returns it. The others give None for t, and need an out,
        of shape [...].

        >>> with bp.distributed.join() as group:
        ...     group.scatter(bp.ones((1, 2)))
        tensor([1., 1.])
        """
        if self._rank != root:
            t = None
        if out is None:
            if t is None:
                raise TypeError("scatter: a member that is not root gives out, and root gives t")
            out = _room(t, tuple(t.shape[1:]))
        return self._begun(self._handle.scatter(t, root, out, work), out)

    def send(self, t: Tensor, to: int, tag: int = 0, *, work: bool = False) -> Any:
        """Sends t to one member, which receives into a tensor of equal dtype and shape. Messages with one tag, at most 32767, arrive in
        the order in which they were sent.

        >>> with bp.distributed.join() as group:
        ...     sent = group.send(bp.ones(2), to=0, work=True)
        ...     group.receive(bp.zeros(2), source=0)
        tensor([1., 1.])
        """
        return self._begun(self._handle.send(t, to, tag, work), None)

    def receive(self, t: Tensor, source: int, tag: int = 0, *, work: bool = False) -> Any:
        """Copies what member source sends into t, and returns t.

        >>> with bp.distributed.join() as group:
        ...     received = group.receive(bp.zeros(2), source=0, work=True)
        ...     group.send(bp.ones(2), to=0)
        ...     received.wait()
        tensor([1., 1.])
        """
        return self._begun(self._handle.receive(t, source, tag, work), t)

    # ---- exchanges of Python objects ----

    def broadcast_object(self, obj: Any, root: int = 0) -> Any:
        """Returns obj of member root to all; the others' is not looked at.

        It is pickled, and unpickling runs code of the sender's choice: members trust each other, as processes of one program do.

        >>> with bp.distributed.join() as group:
        ...     group.broadcast_object({"epoch": 3})
        {'epoch': 3}
        """
        if self._rank != root:
            n = int.from_bytes(self._handle.broadcast_bytes(None, 8, root), "little")
            if n == _FAILED:
                raise RuntimeError(f"rank {root} could not pickle its object")
            return pickle.loads(self._handle.broadcast_bytes(None, n, root))
        data, failure = _pickled(obj)
        self._handle.broadcast_bytes(_length(data), 8, root)
        if failure is not None:
            raise failure
        self._handle.broadcast_bytes(data, len(data or b""), root)
        return obj

    def all_gather_object(self, obj: Any) -> list[Any]:
        """Returns obj of all members, in their order. They are pickled, as broadcast_object() says.

        >>> with bp.distributed.join() as group:
        ...     group.all_gather_object("one")
        ['one']
        """
        data, failure = _pickled(obj)
        told = self._handle.all_gather_bytes(_length(data))
        lengths = [int.from_bytes(told[i : i + 8], "little") for i in range(0, len(told), 8)]
        if failure is not None:
            raise failure
        if _FAILED in lengths:
            raise RuntimeError(f"rank {lengths.index(_FAILED)} could not pickle its object")
        widest = builtins.max(lengths)
        every = self._handle.all_gather_bytes((data or b"").ljust(widest, b"\0"))
        return [pickle.loads(every[i * widest : i * widest + n]) for i, n in enumerate(lengths)]


def _pickled(obj: Any) -> tuple[bytes | None, Exception | None]:
    """Returns the object as bytes, or why it has none."""
    try:
        return pickle.dumps(obj), None
    except Exception as e:
        return None, e


def _length(data: bytes | None) -> bytes:
    return (_FAILED if data is None else len(data)).to_bytes(8, "little")
