# SPDX-License-Identifier: Apache-2.0
"""A plugin of pytest that hunts leaks: with --leaks N it runs each test N times, after some that warm up caches. Where something
has grown every time it runs the test N times more, because threads and caches settle late, and what then still grows every time
is a failure that says by how much.

    ./dev py --leaks 5 lifetime

Counted are, after a full collection, the references of a debug build of Python, else its objects and memory blocks; the live
tensors of each device; and what malloc has handed out."""

import ctypes
import gc
import itertools
import sys
from typing import Any

import backplane as bp
from _pytest.runner import runtestprotocol

WARM_UPS = 3
ROUNDS = 3  # in each of which a leak grows
MOST = {"blocks": 30, "bytes of malloc": 250}  # which pytest's own reports and these figures take each time
OF_TMP_PATH = {"objects": 8}  # which pytest keeps of each temporary folder
DEVICES = ("cpu", "sim:0", "sim:1")


class _Malloc(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks",
                                                     "uordblks", "fordblks", "keepcost")]  # fmt: skip


_mallinfo = getattr(ctypes.CDLL(None), "mallinfo2", None)  # other C libraries have none
if _mallinfo is not None:
    _mallinfo.restype = _Malloc


def figures() -> dict[str, int]:
    found = {}
    for device in DEVICES:
        bp.synchronize(device)
        found[f"tensors on {device}"] = bp._core.memory_stats(device)["n_live"]
    if hasattr(sys, "gettotalrefcount"):
        found["references"] = sys.gettotalrefcount()
    else:
        found["objects"] = len(gc.get_objects())
        found["blocks"] = sys.getallocatedblocks()
    if _mallinfo is not None:
        of_malloc = _mallinfo()
        found["bytes of malloc"] = of_malloc.uordblks + of_malloc.hblkhd
    return found


def growth(counted: list[dict[str, int]], allowed: dict[str, int]) -> dict[str, list[int]]:
    """Returns by how much each figure grew that was above the one before, and what is allowed, every time."""
    steps = {name: [b[name] - a[name] for a, b in itertools.pairwise(counted)] for name in counted[0]}
    return {name: by for name, by in steps.items() if by and min(by) > allowed.get(name, 0)}


def is_of_hypothesis(item: Any) -> bool:
    return getattr(item.obj, "is_hypothesis_test", False)  # which keeps objects of each run, large ones from malloc


def collect() -> None:
    for _ in range(3):  # what one collection ends may have held what the next one ends
        gc.collect()


def pytest_addoption(parser: Any) -> None:
    parser.addoption("--leaks", type=int, default=0, metavar="N", help="run each test N times more and fail where something grows")


def pytest_runtest_protocol(item: Any, nextitem: Any) -> Any:
    times = item.config.getoption("leaks")
    if not times:
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    grown: dict[str, list[int]] = {}
    allowed = MOST | (OF_TMP_PATH if "tmp_path" in item.fixturenames else {})
    settings = dict(vars(item.function))  # hypothesis wraps those of each run in another layer, for ever
    for of_round in range(ROUNDS):
        counted: list[dict[str, int]] = []
        for i in range(times + 1 if of_round else WARM_UPS + times + 1):
            item._initrequest()
            item._report_sections.clear()
            reports = runtestprotocol(item, log=False, nextitem=nextitem)
            vars(item.function).update(settings)
            if not all(r.passed for r in reports):
                break
            collect()
            if of_round or i >= WARM_UPS:
                counted.append(figures())
        grown = growth(counted, allowed) if len(counted) > times else {}
        if is_of_hypothesis(item):
            grown = {name: by for name, by in grown.items() if name.startswith("tensors")}
        if not grown:
            break
    if grown:
        called = next(r for r in reports if r.when == "call")
        called.outcome = "failed"
        called.longrepr = "\n".join(f"leak: {name} grew by {', '.join(map(str, by))}" for name, by in grown.items())
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
