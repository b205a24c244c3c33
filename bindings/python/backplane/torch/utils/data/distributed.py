# SPDX-License-Identifier: Apache-2.0
"""The sampler that gives each member of a group its part of a dataset."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from .... import _core
from ...distributed.process_groups import get_rank, get_world_size

__all__ = ["DistributedSampler"]


class DistributedSampler:
    """The indices of one member's examples: every num_replicas-th of the dataset's, from rank on. Give it to a DataLoader.

    num_replicas and rank are by default those of torch.distributed's default group. With shuffle the order is that of seed + epoch, the
    same on all members and the same that PyTorch's sampler has; set_epoch() says the epoch. All members have as many examples: the
    first ones of the order come once more at its end, or with drop_last the last ones are left out.

    >>> sampler = torch.utils.data.DistributedSampler(range(5), num_replicas=2, rank=1, shuffle=False)
    >>> list(sampler)
    [1, 3, 0]
    """

    def __init__(self, dataset: Any, num_replicas: int | None = None, rank: int | None = None, shuffle: bool = True, seed: int = 0,
                 drop_last: bool = False) -> None:  # fmt: skip
        num_replicas = get_world_size() if num_replicas is None else num_replicas
        rank = get_rank() if rank is None else rank
        if rank >= num_replicas or rank < 0:
            raise ValueError(f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]")
        self.dataset, self.num_replicas, self.rank = dataset, num_replicas, rank
        self.shuffle, self.seed, self.drop_last, self.epoch = shuffle, seed, drop_last, 0
        n = len(dataset)
        if drop_last and n % num_replicas:
            self.num_samples = math.ceil((n - num_replicas) / num_replicas)
        else:
            self.num_samples = math.ceil(n / num_replicas)
        self.total_size = self.num_samples * num_replicas

    def __iter__(self) -> Iterator[int]:
        n = len(self.dataset)
        indices = _core.mt19937_permutation(self.seed + self.epoch, n) if self.shuffle else list(range(n))
        if self.drop_last:
            indices = indices[: self.total_size]
        else:
            missing = self.total_size - n
            indices += (indices * math.ceil(missing / n))[:missing] if missing else []
        return iter(indices[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Says the epoch of the next ``for``: with shuffle each has an order of its own.

        >>> sampler = torch.utils.data.DistributedSampler(range(4), num_replicas=2, rank=0)
        >>> sampler.set_epoch(1)
        >>> list(sampler)
        [1, 2]
        """
        self.epoch = epoch
