#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the steps of steps.py for hours: in turns, a part of each at a time, until each has reached its goal or the time is over.
What ran stands in build/soak/ran.jsonl after each part, so that the next run goes on from there.

    ./dev soak                     all that is left
    ./dev soak --hours 2 fuzz      two hours of the steps whose names match
    ./dev soak --table             what ran until now

A part that fails leaves its output in build/soak/failed; the step goes on. The last line is `N passed, N failed`, in parts."""

import argparse
import dataclasses
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from steps import STEPS, Step

ROOT = Path(__file__).resolve().parents[2]
KEPT = ROOT / "build" / "soak"
RAN = KEPT / "ran.jsonl"


@dataclasses.dataclass
class Part:
    """A line of ran.jsonl."""

    step: str
    commit: str
    count: int
    seconds: float
    failed: bool
    said: list[str]  # the lines that the step keeps


def parts() -> list[Part]:
    if not RAN.exists():
        return []
    return [Part(**json.loads(line)) for line in RAN.read_text().splitlines()]


def commit() -> str:
    def git(*arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    return (git("rev-parse", "--short", "HEAD") or "none") + ("+" if git("status", "--porcelain") else "")


def run(step: Step, left: int, of: str) -> Part:
    """One part of a step. Ctrl-C ends the part's whole process group and is raised again."""
    env = os.environ | {"OMP_WAIT_POLICY": "passive"} | step.env
    started = time.monotonic()
    process = subprocess.Popen(step.command(left), cwd=ROOT, env=env, text=True, errors="replace", stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)  # fmt: skip
    try:
        said, _ = process.communicate()
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    seconds = time.monotonic() - started
    count = step.counted(said, left)
    failed = process.returncode != 0 or count == 0
    if failed:
        (KEPT / "failed").mkdir(parents=True, exist_ok=True)
        log = KEPT / "failed" / f"{step.name.replace('/', '-')}-{int(time.time())}.log"
        log.write_text(said)
        print(f"FAILED {step.name}: {log}", *said.splitlines()[-15:], sep="\n   | ", flush=True)
    keeps = [line.strip() for line in said.splitlines() if step.keeps and re.search(step.keeps, line)]
    return Part(step.name, of, count, round(seconds, 1), failed, keeps)


def table(ran: list[Part], steps: list[Step]) -> Iterator[str]:
    yield f"{'step':34} {'done':>12} {'goal':>12} {'unit':14} {'parts':>6} {'failed':>6} {'minutes':>8}  commits"
    for step in steps:
        of = [part for part in ran if part.step == step.name]
        done = sum(part.count for part in of if not part.failed)
        commits = list(dict.fromkeys(part.commit for part in of))
        shown = " ".join(commits[:1] + commits[-1:] if len(commits) > 1 else commits)
        yield (f"{step.name:34} {done:12,} {step.goal:12,} {step.unit:14} {len(of):6} {sum(part.failed for part in of):6} "
               f"{sum(part.seconds for part in of) / 60:8.1f}  {shown}")  # fmt: skip
        latest = [part for part in of if part.said]
        yield from (f"    {line}" for line in (latest[-1].said if latest else []))
    yield f"{sum(part.seconds for part in ran) / 3600:.2f} hours in all"


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev soak", description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("pattern", nargs="?", default="", help="the steps whose names match this regular expression")
    parser.add_argument("--hours", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--table", action="store_true", help="run nothing")
    parser.add_argument("--new", action="store_true", help="forget what ran")
    asked = parser.parse_args()
    steps = [step for step in STEPS if re.search(asked.pattern, step.name)]
    if not steps:
        parser.error(f"no step matches {asked.pattern!r}: {', '.join(step.name for step in STEPS)}")
    KEPT.mkdir(parents=True, exist_ok=True)
    if asked.new:
        RAN.unlink(missing_ok=True)
    before = parts()
    ran = list(before)
    of, ends = commit(), time.monotonic() + asked.hours * 3600
    done = {step.name: sum(part.count for part in ran if part.step == step.name and not part.failed) for step in steps}
    to_go = [] if asked.table else [step for step in steps if done[step.name] < step.goal]
    for stop in (signal.SIGINT, signal.SIGTERM):  # a shell's background job ignores SIGINT, and its tests would too
        signal.signal(stop, signal.default_int_handler)
    try:
        while to_go and time.monotonic() < ends:
            # The step that had least of the time is next.
            step = min(to_go, key=lambda s: sum(part.seconds for part in ran if part.step == s.name))
            part = run(step, step.goal - done[step.name], of)
            ran.append(part)
            with RAN.open("a") as out:
                out.write(json.dumps(dataclasses.asdict(part)) + "\n")
            done[step.name] += 0 if part.failed else part.count
            print(f"{'FAILED' if part.failed else 'ok':6} {step.name:34} {done[step.name]:,} of {step.goal:,} {step.unit}, "
                  f"{part.seconds:.0f} s", flush=True)  # fmt: skip
            if done[step.name] >= step.goal or (part.failed and step.once):
                to_go.remove(step)
    except KeyboardInterrupt:
        print("stopped; the next run goes on from here")
    print(*table(ran, steps), sep="\n")
    new = ran if asked.table else ran[len(before) :]
    failed = sum(part.failed for part in new)
    print(f"{len(new) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
