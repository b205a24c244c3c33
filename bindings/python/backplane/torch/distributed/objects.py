# SPDX-License-Identifier: Apache-2.0
"""Exchanges of Python objects, under PyTorch's names. They are pickled, and unpickling runs code of the sender's choice: members trust
each other, as processes of one program do. device and pg_options are ignored."""

from __future__ import annotations

from typing import Any

from .process_groups import _group, _is_outside, _member


def broadcast_object_list(object_list: list[Any], src: int | None = None, group: Any = None, device: Any = None,
                          group_src: int | None = None) -> None:  # fmt: skip
    """Replaces the objects in the list by those of member src, by default 0. All lists are equally long. They are pickled: members
    trust each other.

    >>> torch.distributed.init_process_group()
    >>> torch.distributed.broadcast_object_list([1, "two"], src=0)
    >>> torch.distributed.destroy_process_group()
    """
    if _is_outside(group, "broadcast_object_list"):
        return
    g = _group(group)
    given = g._open().broadcast_object(list(object_list), _member(g, src, group_src, "src", default=0))
    if len(given) != len(object_list):
        raise ValueError(f"object_list has {len(object_list)} objects here and {len(given)} at its source")
    object_list[:] = given


def all_gather_object(object_list: list[Any], obj: Any, group: Any = None) -> None:
    """Puts obj of member i into object_list[i] of all. They are pickled: members trust each other.

    >>> torch.distributed.init_process_group()
    >>> found = [None]
    >>> torch.distributed.all_gather_object(found, {"epoch": 3})
    >>> found
    [{'epoch': 3}]
    >>> torch.distributed.destroy_process_group()
    """
    if _is_outside(group, "all_gather_object"):
        return
    members = _group(group)._open()
    if len(object_list) != members.size:
        raise ValueError(f"object_list has {len(object_list)} places, expected one for each of the {members.size} members")
    object_list[:] = members.all_gather_object(obj)


def gather_object(obj: Any, object_gather_list: list[Any] | None = None, dst: int | None = None, group: Any = None,
                  group_dst: int | None = None) -> None:  # fmt: skip
    """Puts obj of member i into object_gather_list[i] of member dst, by default 0; the others give no list. They are pickled: members
    trust each other.

    >>> torch.distributed.init_process_group()
    >>> found = [None]
    >>> torch.distributed.gather_object("one", found)
    >>> found
    ['one']
    >>> torch.distributed.destroy_process_group()
    """
    if _is_outside(group, "gather_object"):
        return
    g = _group(group)
    members, root = g._open(), _member(g, dst, group_dst, "dst", default=0)
    if members.rank == root and not object_gather_list:
        raise ValueError("Argument ``object_gather_list`` must be specified on destination rank.")
    if members.rank != root and object_gather_list:
        raise ValueError("Argument ``object_gather_list`` must NOT be specified on non-destination ranks.")
    every = members.all_gather_object(obj)
    if object_gather_list:
        if len(object_gather_list) != members.size:
            raise ValueError(f"object_gather_list has {len(object_gather_list)} places for {members.size} members")
        object_gather_list[:] = every


def scatter_object_list(scatter_object_output_list: list[Any], scatter_object_input_list: list[Any] | None = None,
                        src: int | None = None, group: Any = None, group_src: int | None = None) -> None:  # fmt: skip
    """Puts scatter_object_input_list[i] of member src, by default 0, into scatter_object_output_list[0] of member i. They are pickled:
    members trust each other.

    >>> torch.distributed.init_process_group()
    >>> found = [None]
    >>> torch.distributed.scatter_object_list(found, ["one"])
    >>> found
    ['one']
    >>> torch.distributed.destroy_process_group()
    """
    if _is_outside(group, "scatter_object_list"):
        return
    if not isinstance(scatter_object_output_list, list) or len(scatter_object_output_list) < 1:
        raise ValueError("Expected argument scatter_object_output_list to be a list of size at least 1.")
    g = _group(group)
    members, root = g._open(), _member(g, src, group_src, "src", default=0)
    if members.rank == root and len(scatter_object_input_list or []) != members.size:
        raise ValueError("Expected argument scatter_object_input_list to be a list with one object for each member")
    given = members.broadcast_object(scatter_object_input_list, root)
    scatter_object_output_list[0] = given[members.rank]
