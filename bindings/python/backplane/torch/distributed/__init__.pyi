# SPDX-License-Identifier: Apache-2.0
# Printed by `./dev print` (tools/stubs.py); do not edit.
from . import collectives as collectives, messages as messages, objects as objects, process_groups as process_groups, work as work
from .collectives import (
    ReduceOp as ReduceOp, all_gather as all_gather, all_gather_into_tensor as all_gather_into_tensor, all_reduce as all_reduce,
    all_to_all as all_to_all, all_to_all_single as all_to_all_single, barrier as barrier, broadcast as broadcast, gather as
    gather, monitored_barrier as monitored_barrier, reduce as reduce, reduce_scatter as reduce_scatter, reduce_scatter_tensor as
    reduce_scatter_tensor, scatter as scatter,
)
from .messages import (
    P2POp as P2POp, batch_isend_irecv as batch_isend_irecv, irecv as irecv, isend as isend, recv as recv, send as send,
)
from .objects import (
    all_gather_object as all_gather_object, broadcast_object_list as broadcast_object_list, gather_object as gather_object,
    scatter_object_list as scatter_object_list,
)
from .process_groups import (
    Backend as Backend, GroupMember as GroupMember, ProcessGroup as ProcessGroup, destroy_process_group as destroy_process_group,
    get_backend as get_backend, get_global_rank as get_global_rank, get_group_rank as get_group_rank, get_node_local_rank as
    get_node_local_rank, get_process_group_ranks as get_process_group_ranks, get_rank as get_rank, get_world_size as
    get_world_size, group as group, init_process_group as init_process_group, is_available as is_available, is_gloo_available as
    is_gloo_available, is_initialized as is_initialized, is_mpi_available as is_mpi_available, is_nccl_available as
    is_nccl_available, is_torchelastic_launched as is_torchelastic_launched, is_ucc_available as is_ucc_available, new_group as
    new_group,
)
from .work import Work as Work


