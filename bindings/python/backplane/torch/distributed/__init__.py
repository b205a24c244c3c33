# SPDX-License-Identifier: Apache-2.0
"""``torch.distributed``: processes that exchange tensors. MPI connects them: ``mpirun -n 4 python program.py``. With
"nccl" tensors of their cards go from card to card."""

from .collectives import (
    ReduceOp, all_gather, all_gather_into_tensor, all_reduce, all_to_all, all_to_all_single, barrier, broadcast, gather,
    monitored_barrier, reduce, reduce_scatter, reduce_scatter_tensor, scatter,
)
from .messages import P2POp, batch_isend_irecv, irecv, isend, recv, send
from .objects import all_gather_object, broadcast_object_list, gather_object, scatter_object_list
from .process_groups import (
    Backend, GroupMember, ProcessGroup, destroy_process_group, get_backend, get_global_rank, get_group_rank, get_node_local_rank,
    get_process_group_ranks, get_rank, get_world_size, group, init_process_group, is_available, is_gloo_available, is_initialized,
    is_mpi_available, is_nccl_available, is_torchelastic_launched, is_ucc_available, new_group,
)
from .work import Work
