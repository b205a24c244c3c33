# SPDX-License-Identifier: Apache-2.0
"""Work, what exchanges return with async_op=True."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable, Sequence
from typing import Any


class Work:
    """An exchange under way. Its tensors must not be written, and its results not be read, before wait() returns.

    >>> torch.distributed.init_process_group()
    >>> isinstance(torch.distributed.barrier(async_op=True), torch.distributed.Work)
    True
    >>> torch.distributed.destroy_process_group()
    """

    def __init__(self, works: Sequence[Any], results: Sequence[Any] = (), after: Callable[[], None] | None = None) -> None:
        self._works, self._results, self._after = list(works), list(results), after

    def wait(self, timeout: datetime.timedelta | None = None) -> bool:
        """Waits until the exchange is over, and returns True. Raises what it met, and RuntimeError after the timeout, which is no
        end of the exchange.

        >>> torch.distributed.init_process_group()
        >>> torch.distributed.barrier(async_op=True).wait()
        True
        >>> torch.distributed.destroy_process_group()
        """
        if timeout is not None and timeout.total_seconds() > 0:
            end = time.monotonic() + timeout.total_seconds()
            while not all(work.done() for work in self._works):
                if time.monotonic() > end:
                    raise RuntimeError(f"the exchange was not over within {timeout.total_seconds():g} s")
                time.sleep(1e-4)
        for work in self._works:
            work.wait()
        after, self._after = self._after, None
        if after is not None:
            after()
        return True

    def is_completed(self) -> bool:
        """Returns whether the exchange is over; then its results are there.

        >>> torch.distributed.init_process_group()
        >>> work = torch.distributed.barrier(async_op=True)
        >>> work.wait() and work.is_completed()
        True
        >>> torch.distributed.destroy_process_group()
        """
        return all(work.done() for work in self._works) and self.wait()

    def is_success(self) -> bool:
        """Returns whether the exchange is over and met no error.

        >>> torch.distributed.init_process_group()
        >>> work = torch.distributed.barrier(async_op=True)
        >>> work.wait() and work.is_success()
        True
        >>> torch.distributed.destroy_process_group()
        """
        return self.exception() is None and self.is_completed()

    def exception(self) -> Exception | None:
        """Returns what the exchange met, or None.

        >>> torch.distributed.init_process_group()
        >>> torch.distributed.barrier(async_op=True).exception() is None
        True
        >>> torch.distributed.destroy_process_group()
        """
        try:
            for work in self._works:
                work.done()
        except Exception as e:
            return e
        return None

    def result(self) -> list[Any]:
        """Returns the tensors that the exchange writes.

        >>> torch.distributed.init_process_group()
        >>> torch.distributed.all_reduce(torch.ones(2), async_op=True).result()
        [tensor([1., 1.])]
        >>> torch.distributed.destroy_process_group()
        """
        self.wait()
        return self._results
