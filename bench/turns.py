# SPDX-License-Identifier: Apache-2.0
"""Libraries that are timed in turns, each in a process of its own, so that what else the machine does meets all of them.

A bench starts itself once more for each library, with --serve LIBRARY. That process answers lines: "prepare N" makes case N ready,
"time COUNT" runs its call so often and answers with the seconds of one."""

import math
import os
import subprocess
import sys
import time
from statistics import median

SECONDS = 0.006  # of one measurement, about
REST = 0.02  # before one with several threads: those of the library before it may still wait in loops


def pinned(threads):
    """With one thread, one core: some libraries take no other word for it."""
    if threads == 1:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def serve(version, prepare):
    """Answers until the input ends; `prepare(n)` gives a function that runs the call of case n so often as its argument says."""
    run = None
    print("ready", version, flush=True)
    for line in sys.stdin:
        verb, _, number = line.partition(" ")
        try:
            if verb == "prepare":
                run = prepare(int(number))
                run(1)
                print("ok", flush=True)
            else:
                start = time.perf_counter()
                run(int(number))
                print((time.perf_counter() - start) / int(number), flush=True)
        except Exception as problem:  # shown in the table: whatever a library says
            print("failed", f"{type(problem).__name__}: {problem}".replace("\n", " ")[:150], flush=True)


class Worker:
    def __init__(self, python, script, library, threads, *options):
        command = [python, "-W", "ignore", script, "--serve", library, "--threads", str(threads), *options]
        self.rest = REST if threads > 1 else 0
        self.process = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.version = self.process.stdout.readline().split()[1]

    def ask(self, what):
        """The answer; raises with the library's own words, or when the process is gone."""
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer or answer.startswith("failed"):
            raise RuntimeError(answer.removeprefix("failed ") or f"its process ended with {self.process.wait()}")
        return answer

    def time(self, count):
        time.sleep(self.rest)
        return float(self.ask(f"time {count}"))


def measure(workers, number, rounds):
    """For each worker, the seconds of a call in each round. Rounds go through the workers in turns."""
    counts = []
    for worker in workers:
        worker.ask(f"prepare {number}")
        worker.time(1)
        counts.append(max(1, min(20000, int(SECONDS / max(worker.time(3), 1e-8)))))
    turns = [[worker.time(count) for worker, count in zip(workers, counts, strict=True)] for _ in range(rounds)]
    return list(zip(*turns, strict=True))


def median_ratio(theirs, ours):
    """The median over the rounds of their time by ours."""
    return median(t / o for t, o in zip(theirs, ours, strict=True))


def text(seconds):
    for unit, size in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))
