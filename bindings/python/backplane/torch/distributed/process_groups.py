# SPDX-License-Identifier: Apache-2.0
"""Groups of processes as torch.distributed has them: one default group, and groups of some of its members. Ranks are the default
group's numbers everywhere, as in PyTorch."""

from __future__ import annotations

import datetime
import os
import warnings
from collections.abc import Sequence
from typing import Any

from ... import _core, distributed

_UNLAUNCHED = "rendezvous is over MPI alone: start the program with `mpirun -n {n} python ...`"


class Backend(str):
    """The name of what connects processes, in lower case. Here it is "mpi", or "nccl" where members also have devices of their own.

    >>> torch.distributed.Backend("MPI")
    'mpi'
    """

    __slots__ = ()
    UNDEFINED, GLOO, NCCL, UCC, MPI = "undefined", "gloo", "nccl", "ucc", "mpi"

    def __new__(cls, name: str) -> Backend:
        return super().__new__(cls, name.lower())


class ProcessGroup:
    """The members of a group: what new_group() returns, and group.WORLD is.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.group.WORLD.size()
    1
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(self, members: distributed.Group, ranks: Sequence[int], device: Any = None) -> None:
        self._members: distributed.Group | None = members
        self._ranks = tuple(ranks)  # of the default group, by this group's
        self._device = device  # of "nccl"

    def _open(self) -> distributed.Group:
        if self._members is None:
            raise ValueError("Invalid process group specified: it was destroyed")
        return self._members

    def rank(self) -> int:
        """Returns this member's number in this group.

        >>> torch.distributed.init_process_group()
        >>> torch.distributed.group.WORLD.rank()
        0
        >>> torch.distributed.destroy_process_group()
        """
        return self._open().rank

    def size(self) -> int:
        """Returns how many members the group has.

        >>> torch.distributed.init_process_group()
        >>> torch.distributed.group.WORLD.size()
        1
        >>> torch.distributed.destroy_process_group()
        """
        return self._open().size

    def name(self) -> str:
        """Returns what connects the members, "mpi" or "nccl".

        >>> torch.distributed.init_process_group()
        >>> torch.distributed.group.WORLD.name()
        'mpi'
        >>> torch.distributed.destroy_process_group()
        """
        return Backend.MPI if self._device is None else Backend.NCCL


class _Worlds(type):
    """What has the default group as an attribute; None while there is none."""

    @property
    def WORLD(cls) -> ProcessGroup | None:
        return _State.world

    @WORLD.setter
    def WORLD(cls, world: ProcessGroup | None) -> None:
        _State.world = world


class group(metaclass=_Worlds):
    """Has the default group, ``group.WORLD``, which is None while there is none.

    >>> torch.distributed.group.WORLD is None
    True
    """


class GroupMember(metaclass=_Worlds):
    """Has the default group, ``GroupMember.WORLD``, and what new_group() gives to those who are not in it.

    >>> torch.distributed.GroupMember.NON_GROUP_MEMBER
    -100
    """

    NON_GROUP_MEMBER = -100


class _State:
    world: ProcessGroup | None = None
    parts: list[ProcessGroup] = []  # noqa: RUF012  # groups that new_group made


# ---- beginning and end ----------------------------------------------------------------------------------------------


def is_mpi_available() -> bool:
    """Returns whether the plugin that connects processes by MPI is there and its library starts.

    >>> torch.distributed.is_mpi_available()
    True
    """
    return distributed.is_available(Backend.MPI)


def is_available() -> bool:
    """Returns whether processes can be connected, which MPI alone does here.

    >>> torch.distributed.is_available() == torch.distributed.is_mpi_available()
    True
    """
    return is_mpi_available()


def is_nccl_available() -> bool:
    """Returns whether "nccl" has a device to take: one of cuda or hip. Whether their library is there, init_process_group says.

    >>> torch.distributed.is_nccl_available() == (torch.cuda.is_available() and torch.distributed.is_mpi_available())
    True
    """
    return is_mpi_available() and bool(_kind_of_nccl())


def _kind_of_nccl() -> str:
    """The kind of this machine's cards; "" without any."""
    return next((kind for kind in ("cuda", "hip") if _core.device_count(kind)), "")


def _device_of_nccl(device: Any, local_rank: int) -> Any:
    """The device that was asked for, with its number, or that of the member's place on its machine."""
    if device is None:
        device = _kind_of_nccl()
    elif isinstance(device, int):
        device = f"{_kind_of_nccl()}:{device}"
    device = _core.device(device)
    if device.index is not None:
        return device
    return _core.device(f"{device.type}:{local_rank % max(1, _core.device_count(device.type))}")


def is_gloo_available() -> bool:
    """Returns False: Gloo connects no processes here.

    >>> torch.distributed.is_gloo_available()
    False
    """
    return False


def is_ucc_available() -> bool:
    """Returns False: UCC connects no processes here.

    >>> torch.distributed.is_ucc_available()
    False
    """
    return False


def is_torchelastic_launched() -> bool:
    """Returns whether torchrun started the process. It connects none here; mpirun does.

    >>> torch.distributed.is_torchelastic_launched()
    False
    """
    return "TORCHELASTIC_RUN_ID" in os.environ


def is_initialized() -> bool:
    """Returns whether there is a default group.

    >>> torch.distributed.is_initialized()
    False
    """
    return _State.world is not None


def _seconds(timeout: datetime.timedelta | None) -> float | None:
    if timeout is not None and not isinstance(timeout, datetime.timedelta):
        raise TypeError(f"Expected timeout argument to be of type datetime.timedelta, got {timeout}")
    return None if timeout is None else timeout.total_seconds()


def init_process_group(backend: str | None = None, init_method: str | None = None, timeout: datetime.timedelta | None = None,
                       world_size: int = -1, rank: int = -1, store: Any = None, group_name: str = "", pg_options: Any = None,
                       device_id: Any = None) -> None:  # fmt: skip
    """Joins the processes that mpirun started together, as the default group.

    backend is None or "mpi", which takes tensors of every device; an accelerator's go through pinned memory. With "nccl" those of one
    device go from device to device: device_id names it, by default the card whose number is the member's on its machine. It raises
    UnsupportedError on all members alike where the device's library does not serve. Another backend, "nccl" without a card, or a second
    default group, raises ValueError. MPI says who the processes are: init_method, store and the other arguments change nothing.
    Where world_size, rank or the variables WORLD_SIZE and RANK, which PyTorch's launcher sets, say something else than MPI, RuntimeError
    is raised. timeout is the limit of each exchange, by default 30 minutes.

    >>> torch.distributed.init_process_group("mpi")
    >>> torch.distributed.get_rank(), torch.distributed.get_world_size()
    (0, 1)
    >>> torch.distributed.destroy_process_group()
    """
    if _State.world is not None:
        raise ValueError("trying to initialize the default process group twice!")
    chosen = Backend.MPI if backend is None else Backend(backend)
    if chosen not in (Backend.MPI, Backend.NCCL):
        raise ValueError(f'backend {backend!r} connects no processes here, "mpi" and "nccl" alone do')
    if chosen == Backend.NCCL and device_id is None and not _kind_of_nccl():
        raise ValueError(f'backend {backend!r} wants a device of cuda or hip for each process, and there is none; "mpi" takes every tensor')
    seconds = _seconds(timeout)
    members = distributed.join(Backend.MPI, timeout=seconds)
    device = None
    try:
        _compare(members, world_size, rank)
        if chosen == Backend.NCCL:
            device = _device_of_nccl(device_id, members.local_rank)
            members.use_device(device)
    except BaseException:
        members.leave()
        raise
    _State.world = ProcessGroup(members, range(members.size), device)


def _compare(members: distributed.Group, world_size: int, rank: int) -> None:
    """Raises an error when arguments or variables of PyTorch's launcher say something else than MPI."""
    size_there, rank_there = _number("WORLD_SIZE"), _number("RANK")
    for name, value, own in (("world_size", world_size, members.size), ("rank", rank, members.rank),
                             ("WORLD_SIZE", size_there, members.size), ("RANK", rank_there, members.rank)):  # fmt: skip
        if value not in (-1, own):
            n = next((size for size in (world_size, size_there) if size > 0), 2)
            raise RuntimeError(f"{name} is {value}, and MPI says {own} (rank {members.rank} of {members.size}): "
                               + _UNLAUNCHED.format(n=n))  # fmt: skip


def _number(variable: str) -> int:
    """The number in the environment, or -1."""
    value = os.environ.get(variable, "")
    return int(value) if value.isdecimal() else -1


def destroy_process_group(group: Any = None) -> None:
    """Leaves the group, by default the default group and all that were made of it.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.destroy_process_group()
    >>> torch.distributed.is_initialized()
    False
    """
    if _is_no_group(group):
        return
    chosen = _group(group)
    for one in [*_State.parts, chosen] if chosen is _State.world else [chosen]:
        if one._members is not None:
            one._members.leave()
            one._members = None
    if chosen is _State.world:
        _State.world, _State.parts = None, []
    else:
        _State.parts = [one for one in _State.parts if one is not chosen]


def new_group(ranks: Sequence[int] | None = None, timeout: datetime.timedelta | None = None, backend: str | None = None,
              pg_options: Any = None, use_local_synchronization: bool = False, group_desc: str | None = None,
              device_id: Any = None) -> Any:  # fmt: skip
    """Returns a group of the default group's members that have these ranks, by default all, in the order of their ranks; to the others
    ``GroupMember.NON_GROUP_MEMBER``. All members of the default group call it.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.new_group([0]).size()
    1
    >>> torch.distributed.destroy_process_group()
    """
    world = _group(None)
    if backend is not None and Backend(backend) not in (Backend.MPI, world.name()):
        raise ValueError(f"backend {backend!r} is not that of the default group, {world.name()!r}")
    device = None if backend is not None and Backend(backend) == Backend.MPI else world._device
    chosen = sorted(range(world.size()) if ranks is None else ranks)
    if len(chosen) > world.size():
        raise ValueError("the new group's world size should be less or equal to the world size set by init_process_group")
    if len(set(chosen)) != len(chosen):
        raise ValueError(f"the new group's ranks should be different, got {chosen}")
    for r in chosen:
        if not 0 <= r < world.size():
            raise ValueError("The new group's rank should be within the world_size set by init_process_group")
    own = world.rank()
    part = world._open().split(0 if own in chosen else None, chosen.index(own) if own in chosen else 0)
    if part is None:
        return GroupMember.NON_GROUP_MEMBER
    seconds = _seconds(timeout)
    if seconds is not None:
        part.timeout = seconds
    if device is not None:
        part.use_device(device)
    made = ProcessGroup(part, chosen, device)
    _State.parts.append(made)
    return made


# ---- ranks ----------------------------------------------------------------------------------------------------------


def _group(group: Any) -> ProcessGroup:
    """The group, by default the default one. ValueError: there is none."""
    if group is None:
        group = _State.world
        if group is None:
            raise ValueError("Default process group has not been initialized, please make sure to call init_process_group.")
    if not isinstance(group, ProcessGroup):
        raise TypeError(f"expected a group that new_group made, got {group!r}")
    return group


def _is_no_group(group: Any) -> bool:
    """Whether it is what new_group gives to those who are no members."""
    return isinstance(group, int) and group == GroupMember.NON_GROUP_MEMBER


def _is_outside(group: Any, what: str) -> bool:
    """Whether this process is no member of the group; then there is a warning."""
    if not _is_no_group(group):
        return False
    warnings.warn(f"Running {what} on global rank {get_rank()} which does not belong to the given group.", stacklevel=3)
    return True


def _member(group: ProcessGroup, rank: int | None, group_rank: int | None, name: str, default: int | None = None) -> int:
    """The group's own rank of a member that is named by its rank in the default group, or by group_rank."""
    if rank is not None and group_rank is not None:
        raise ValueError(f"Can't specify both group_{name} and {name}")
    if group_rank is not None:
        if not 0 <= group_rank < group.size():
            raise ValueError(f"group_{name} {group_rank} is out of range for a group of {group.size()} members")
        return group_rank
    if rank is None:
        if default is None:
            raise ValueError(f"Must specify {name} or group_{name}")
        rank = default
    return get_group_rank(group, rank)


def get_rank(group: Any = None) -> int:
    """Returns this process's number in the group, by default the default group; -1 outside of it.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.get_rank()
    0
    >>> torch.distributed.destroy_process_group()
    """
    return -1 if _is_no_group(group) else _group(group).rank()


def get_world_size(group: Any = None) -> int:
    """Returns how many members the group has, by default the default group; -1 outside of it.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.get_world_size()
    1
    >>> torch.distributed.destroy_process_group()
    """
    return -1 if _is_no_group(group) else _group(group).size()


def get_backend(group: Any = None) -> Backend:
    """Returns what connects the group's members, "mpi" or "nccl".

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.get_backend()
    'mpi'
    >>> torch.distributed.destroy_process_group()
    """
    return Backend(_group(group).name())


def get_group_rank(group: ProcessGroup, global_rank: int) -> int:
    """Returns the number in the group of the member that has this one in the default group. ValueError: it is no member.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.get_group_rank(torch.distributed.group.WORLD, 0)
    0
    >>> torch.distributed.destroy_process_group()
    """
    if global_rank not in group._ranks:
        raise ValueError(f"Global rank {global_rank} is not part of group {group}")
    return group._ranks.index(global_rank)


def get_global_rank(group: ProcessGroup, group_rank: int) -> int:
    """Returns the number in the default group of the member that has this one in the group. ValueError: there is none.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.get_global_rank(torch.distributed.group.WORLD, 0)
    0
    >>> torch.distributed.destroy_process_group()
    """
    if not 0 <= group_rank < len(group._ranks):
        raise ValueError(f"Group rank {group_rank} is not part of group {group}")
    return group._ranks[group_rank]


def get_process_group_ranks(group: ProcessGroup | None) -> list[int]:
    """Returns the numbers in the default group of the group's members, in the group's order.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.get_process_group_ranks(torch.distributed.group.WORLD)
    [0]
    >>> torch.distributed.destroy_process_group()
    """
    return list(_group(group)._ranks)


def get_node_local_rank(fallback_rank: int | None = None) -> int:
    """Returns this process's number among those on its machine: which of the machine's accelerators it may take. Before
    init_process_group it is LOCAL_RANK or fallback_rank.

    >>> torch.distributed.get_node_local_rank(fallback_rank=0)
    0
    """
    if _State.world is not None:
        return _State.world._open().local_rank
    if "LOCAL_RANK" in os.environ:
        return int(os.environ["LOCAL_RANK"])
    if fallback_rank is None:
        raise RuntimeError("LOCAL_RANK is not in the environment. Consider passing fallback_rank to allow `get_node_local_rank` to work")
    return int(fallback_rank)
