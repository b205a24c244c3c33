# SPDX-License-Identifier: Apache-2.0
"""Ops, networks and training steps next to PyTorch's: one program, run by both libraries.

./dev bench --ops [FILTER] [--threads N] [--rounds N] [--device KIND] [--table FILE] [--json FILE]
                                                                        (PyTorch comes from PyPI into build/peers)

The cases are those of bench/ops.txt; FILTER is a regular expression that "group: name" must match somewhere. Each library
works in a process of its own. They take turns, round after round, so that what else the machine does meets both. A case's
ratio is the median over the rounds of PyTorch's time by ours: above 1 we are faster. At the end stand the geometric mean of each
group and the cases below the limit; with one of these the exit status is 1. A case that one library refuses is named with its reason
and counts as below the limit if the library is ours.

With --device cuda the tensors are made and the calls are run on that device, and a measurement ends when the device is done.
The sizes of ops.txt are those of a CPU's caches, on which a card shows what launches cost; --table bench/ops_card.txt has its own."""

import argparse
import json
import re
import sys
from pathlib import Path
from statistics import median

from networks import networks
from turns import Worker, mean, measure, median_ratio, pinned, serve, text

LIMIT = 0.95
TABLE = Path(__file__).with_name("ops.txt")


def read_cases(table, filter=""):
    """(group, name, preparation, call) for each case of the table that the filter matches.

    A line "[group]" begins a group. A case is "name | preparation | call"; lines that begin with # are comments."""
    group, found = "", []
    for number, line in enumerate(table.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            group = line.strip("[]")
            continue
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != 3:
            sys.exit(f"{table.name}:{number}: a case is 'name | preparation | call', and this has {len(parts)} parts: {line}")
        if re.search(filter, f"{group}: {parts[0]}"):
            found.append((group, *parts))
    return found


PREPARATION = """
from functools import partial

def normal(*shape, dtype=torch.float32):
    return torch.randn(*shape).to(dtype)

def uniform(*shape, dtype=torch.float32):
    return (torch.rand(*shape) + 0.001).to(dtype)

def integers(*shape, high=100, dtype=torch.int64):
    return torch.randint(0, high, shape).to(dtype)

def spd(*shape):
    a = torch.randn(*shape)
    return a @ a.transpose(-1, -2) + shape[-1] * torch.eye(shape[-1])

def step(f, *leaves):
    '''One forward and backward of f, whose result is summed; the gradients of the leaves are dropped first.'''
    for leaf in leaves:
        leaf.grad = None
    f().sum().backward()
"""


def on_device(library, torch, kind):
    """Makes new tensors lie on the kind's current device."""
    if library == "backplane":
        torch.set_default_device(kind)
    else:  # set_default_device of PyTorch makes each of its calls slower by microseconds
        torch.set_default_tensor_type(getattr(torch, kind).FloatTensor)


def serve_ops(library, threads, kind, table):
    if library == "backplane":
        import backplane.torch as torch
        from backplane.torch import nn

        import backplane

        backplane.set_num_threads(threads)
    else:
        import torch
        from torch import nn

        torch.set_num_threads(threads)
    pinned(threads)
    synchronize = ""
    if kind != "cpu":
        on_device(library, torch, kind)
        synchronize = f"\n torch.{kind}.synchronize()"
    cases = read_cases(table)

    def prepare(number):
        _, _, preparation, call = cases[number]
        torch.manual_seed(1)
        scope = {"torch": torch, "nn": nn, "F": nn.functional, **networks(torch, nn)}
        exec(PREPARATION + preparation.replace("; ", "\n"), scope)
        exec(f"def run(n):\n for _ in range(n):\n  {call}{synchronize}", scope)
        return scope["run"]

    serve(torch.__version__, prepare)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filter", nargs="?", default="", help="a regular expression; without one, all cases")
    parser.add_argument("--threads", type=int, default=1, help="of each library (default: 1)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--device", default="cpu", metavar="KIND", help="where tensors lie (default: cpu)")
    parser.add_argument("--table", type=Path, default=TABLE, help="a file of cases (default: bench/ops.txt)")
    parser.add_argument("--json", help="a file for the numbers: name, seconds of ours, of PyTorch's, ratio")
    parser.add_argument("--peer", help="a Python that has PyTorch")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        return serve_ops(args.serve, args.threads, args.device, args.table)
    everything, chosen = read_cases(args.table), read_cases(args.table, args.filter)
    if not chosen:
        sys.exit(f"no case matches {args.filter!r}; there are {len(everything)}, in {args.table.name}")

    def start():
        return [Worker(python, __file__, library, args.threads, "--device", args.device, "--table", args.table)
                for python, library in ((sys.executable, "backplane"), (args.peer or sys.executable, "torch"))]  # fmt: skip

    workers = start()
    print(f"backplane {workers[0].version}, PyTorch {workers[1].version}, {args.device}, {args.threads} threads, medians of {args.rounds} rounds")
    groups, below, records = {}, [], []
    for case in chosen:
        group, name, *_ = case
        if group not in groups:
            groups[group] = []
            print(f"\n{group:<58}{'ours':>10}{'PyTorch':>10}{'ratio':>8}")
        try:
            ours, theirs = measure(workers, everything.index(case), args.rounds)
            ratio = median_ratio(theirs, ours)
            ours, theirs = median(ours), median(theirs)
        except (RuntimeError, BrokenPipeError) as problem:
            print(f"  {name:<56} {problem}", flush=True)
            below.append((0.0, f"{group}: {name}: {problem}"))
            if any(worker.process.poll() is not None for worker in workers):
                workers = start()
            continue
        groups[group].append(ratio)
        records.append({"group": group, "name": name, "ours_s": ours, "torch_s": theirs, "ratio": ratio})
        if ratio < LIMIT:
            below.append((ratio, f"{group}: {name}"))
        print(f"  {name:<56}{text(ours):>10}{text(theirs):>10}{ratio:>7.2f}x{'  <' if ratio < LIMIT else ''}", flush=True)
    print(f"\n{len(chosen)} cases\n{'geometric means':<58}{'cases':>10}{'ratio':>18}")
    for group, ratios in groups.items():
        if ratios:
            print(f"  {group:<56}{len(ratios):>10}{mean(ratios):>17.2f}x")
    every = [ratio for ratios in groups.values() for ratio in ratios]
    if every:
        print(f"  {'all':<56}{len(every):>10}{mean(every):>17.2f}x")
    print(f"\nbelow {LIMIT}: {len(below)}")
    for ratio, name in sorted(below):
        print(f"  {ratio:.2f}  {name}")
    if args.json:
        Path(args.json).write_text(json.dumps(records, indent=1))
    return 1 if below else 0


sys.exit(main())
