# SPDX-License-Identifier: Apache-2.0
"""Messages of one member to another, under PyTorch's names."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .collectives import _check
from .process_groups import _group, _is_outside, _member, get_global_rank
from .work import Work


def isend(tensor: Any, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None) -> Any:
    """Sends tensor to member dst, which receives into one of equal dtype and shape; returns the work. tag is at most 32766.

    >>> torch.distributed.init_process_group()
    >>> work = torch.distributed.isend(torch.ones(2), dst=0)
    >>> torch.distributed.recv(torch.zeros(2), src=0)
    0
    >>> work.wait()
    True
    >>> torch.distributed.destroy_process_group()
    """
    _check(tensor, "tensor")
    if _is_outside(group, "isend"):
        return None
    g = _group(group)
    return Work([g._open().send(tensor, _member(g, dst, group_dst, "dst"), tag, work=True)], [tensor])


def irecv(tensor: Any, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None) -> Any:
    """Receives into tensor what member src sends; returns the work. A message from whoever comes first is not there.

    >>> torch.distributed.init_process_group()
    >>> work = torch.distributed.irecv(torch.zeros(2), src=0)
    >>> torch.distributed.send(torch.ones(2), dst=0)
    >>> work.result()
    [tensor([1., 1.])]
    >>> torch.distributed.destroy_process_group()
    """
    _check(tensor, "tensor")
    if _is_outside(group, "irecv"):
        return None
    if src is None and group_src is None:
        raise NotImplementedError("a message comes from a member that is named: give src")
    g = _group(group)
    return Work([g._open().receive(tensor, _member(g, src, group_src, "src"), tag, work=True)], [tensor])


def send(tensor: Any, dst: int | None = None, group: Any = None, tag: int = 0, group_dst: int | None = None) -> None:
    """Sends tensor to member dst, and returns when that is done.

    >>> torch.distributed.init_process_group()
    >>> work = torch.distributed.irecv(torch.zeros(2), src=0)
    >>> torch.distributed.send(torch.ones(2), dst=0)
    >>> torch.distributed.destroy_process_group()
    """
    work = isend(tensor, dst, group, tag, group_dst)
    if work is not None:
        work.wait()


def recv(tensor: Any, src: int | None = None, group: Any = None, tag: int = 0, group_src: int | None = None) -> int:
    """Receives into tensor what member src sends, and returns src; -1 outside of the group.

    >>> torch.distributed.init_process_group()
    >>> work = torch.distributed.isend(torch.ones(2), dst=0)
    >>> torch.distributed.recv(torch.zeros(2), src=0)
    0
    >>> torch.distributed.destroy_process_group()
    """
    work = irecv(tensor, src, group, tag, group_src)
    if work is None:
        return -1
    work.wait()
    return src if src is not None else get_global_rank(_group(group), group_src or 0)


class P2POp:
    """One message of batch_isend_irecv(): op is isend or irecv, peer the other member.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.P2POp(torch.distributed.isend, torch.ones(2), 0).peer
    0
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(self, op: Callable[..., Any], tensor: Any, peer: int | None = None, group: Any = None, tag: int = 0,
                 group_peer: int | None = None) -> None:  # fmt: skip
        if op not in (isend, irecv):
            raise ValueError("Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or ``torch.distributed.irecv``.")
        _check(tensor, "tensor")
        self.op, self.tensor, self.group, self.tag = op, tensor, group, tag
        g = _group(group)
        self.group_peer = _member(g, peer, group_peer, "peer")
        self.peer = get_global_rank(g, self.group_peer)


def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[Work]:
    """Begins messages, and returns the work of each.

    >>> torch.distributed.init_process_group()
    >>> dist, got = torch.distributed, torch.zeros(2)
    >>> both = [dist.P2POp(dist.isend, torch.ones(2), 0), dist.P2POp(dist.irecv, got, 0)]
    >>> [work.wait() for work in dist.batch_isend_irecv(both)]
    [True, True]
    >>> got
    tensor([1., 1.])
    >>> dist.destroy_process_group()
    """
    return [one.op(one.tensor, group=one.group, tag=one.tag, **{f"group_{'dst' if one.op is isend else 'src'}": one.group_peer})
            for one in p2p_op_list]  # fmt: skip
