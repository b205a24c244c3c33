# SPDX-License-Identifier: Apache-2.0
"""DistributedDataParallel: one model in several processes, each of which computes on a part of each batch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

from .... import _core
from ....autograd import is_grad_enabled, no_grad
from ...distributed.process_groups import ProcessGroup, _group
from ..module import Module
from .reducer import Reducer, _visit


class DistributedDataParallel(Module):
    """The module, whose gradients backward averages over the members of a group, by default the default group.

    Parameters and buffers of rank 0 go to all when it is made, once it is sure that their names, shapes and dtypes agree; RuntimeError
    says where they do not. Each member then runs its part of each batch and its own optimiser, and all of them take the same steps.
    Gradients are exchanged in buckets of about bucket_cap_mb while backward still computes. Buffers of rank 0, such as a batch norm's
    statistics, go to all before each forward with broadcast_buffers.

    A parameter that backward gives no gradient is an error in the next forward; with find_unused_parameters it counts as zeros, and one
    that is unused on all members keeps the gradient that it has. With device_ids, of one device, tensors of the inputs go to the
    module's. static_graph, gradient_as_bucket_view and other arguments of PyTorch's that only say how to do this change nothing. The
    keys of state_dict() begin with ``module.``, as in PyTorch.

    >>> torch.distributed.init_process_group("mpi")
    >>> net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> net(torch.ones(4, 2)).sum().backward()
    >>> net.module.weight.grad
    tensor([[4., 4.]])
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(self, module: Any, device_ids: Sequence[Any] | None = None, output_device: Any = None, dim: int = 0,
                 broadcast_buffers: bool = True, init_sync: bool = True, process_group: ProcessGroup | None = None,
                 bucket_cap_mb: float | None = None, find_unused_parameters: bool = False, check_reduction: bool = False,
                 gradient_as_bucket_view: bool = False, static_graph: bool = False) -> None:  # fmt: skip
        super().__init__()
        if device_ids is not None and len(device_ids) > 1:
            raise ValueError("device_ids can only be None or contain a single element.")
        self.process_group = _group(process_group)
        named = [(name, p) for name, p in module.named_parameters() if p.requires_grad]
        if not named:
            raise RuntimeError("DistributedDataParallel is not needed when a module doesn't have any parameters that require a gradient.")
        self.module = module
        self.device_ids, self.output_device, self.dim = device_ids, output_device, dim
        self.broadcast_buffers, self.find_unused_parameters = broadcast_buffers, find_unused_parameters
        self.gradient_as_bucket_view, self.static_graph = gradient_as_bucket_view, static_graph
        self.bucket_bytes_cap = int((25 if bucket_cap_mb is None else bucket_cap_mb) * (1 << 20))
        self.require_backward_grad_sync = True
        self.require_forward_param_sync = True
        members = self.process_group._open()
        if init_sync:
            self._compare()
            self._send([*(p for _, p in module.named_parameters()), *(b for _, b in module.named_buffers())])
        self.reducer = Reducer([name for name, _ in named], [p for _, p in named], members, self.bucket_bytes_cap, find_unused_parameters)

    def _compare(self) -> None:
        """Raises an error on all members where their parameters or buffers do not agree."""
        members = self.process_group._open()
        own = [(name, tuple(t.shape), t.dtype.name, t.requires_grad)
               for name, t in [*self.module.named_parameters(), *self.module.named_buffers()]]  # fmt: skip
        every = members.all_gather_object(own)
        for rank, theirs in enumerate(every):
            if len(theirs) != len(every[0]):
                raise RuntimeError(f"DDP expects same model across all ranks, but Rank 0 has {len(every[0])} params, while rank {rank} has "
                                   f"inconsistent {len(theirs)} params.")  # fmt: skip
            for first, other in zip(every[0], theirs, strict=True):
                if first != other:
                    raise RuntimeError(f"DDP expects same model across all ranks: params[{other[0]}] of rank {rank} with sizes {other[1]}, "
                                       f"dtype {other[2]} and requires_grad={other[3]} appears not to match {first[0]} of rank 0 with "
                                       f"sizes {first[1]}, dtype {first[2]} and requires_grad={first[3]}")  # fmt: skip

    def _send(self, tensors: Sequence[Any]) -> None:
        members = self.process_group._open()
        for work in [members.broadcast(_core.detach(t), 0, work=True) for t in tensors]:
            work.wait()

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """Runs the module.

        >>> torch.distributed.init_process_group("mpi")
        >>> net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
        >>> net(torch.ones(4, 2)).shape
        torch.Size([4, 1])
        >>> torch.distributed.destroy_process_group()
        """
        records = is_grad_enabled()
        if records:
            self.reducer.prepare(self.require_backward_grad_sync)
        if self.require_forward_param_sync and self.broadcast_buffers:
            with no_grad():
                self._send([b for _, b in self.module.named_buffers()])
        gate = self.reducer.gate() if records else None
        if self.device_ids:
            device = next(self.module.parameters()).device
            inputs, kwargs = _visit((inputs, kwargs), lambda t: t.to(device))
        result = self.reducer.mark(gate, self.module(*inputs, **kwargs))
        self.require_forward_param_sync = self.require_backward_grad_sync if records else self.require_forward_param_sync
        return result

    @contextlib.contextmanager
    def no_sync(self) -> Iterator[None]:
        """Within ``with``, gradients of forwards stay the members' own and add up; the next backward outside averages the sums.

        >>> torch.distributed.init_process_group("mpi")
        >>> net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1))
        >>> with net.no_sync():
        ...     net(torch.ones(4, 2)).sum().backward()
        >>> net(torch.ones(4, 2)).sum().backward()
        >>> net.module.weight.grad
        tensor([[8., 8.]])
        >>> torch.distributed.destroy_process_group()
        """
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before


DistributedDataParallel.__module__ = "backplane.torch.nn.parallel"
