# SPDX-License-Identifier: Apache-2.0
"""Ops, networks and training steps next to PyTorch's: one program, run by both libraries.

./dev bench --ops [FILTER] [--threads N] [--rounds N] [--json FILE]     (PyTorch comes from PyPI into build/peers)

The cases are those of bench/ops.txt; FILTER is a regular expression that "group: name" must match somewhere. Each library
works in a process of its own. They take turns, round after round, so that what else the machine does meets both. A case's
ratio is the median over the rounds of PyTorch's time by ours: above 1 we are faster. At the end stand the geometric mean of each
group and the cases below the limit; with one of these the exit status is 1. A case that one library refuses is named with its reason
and counts as below the limit if the library is ours."""

import argparse
import json
import math
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

LIMIT = 0.95
SECONDS = 0.006  # of one measurement, about
TABLE = Path(__file__).with_name("ops.txt")


def read_cases(filter=""):
    """(group, name, preparation, call) for each case of the table that the filter matches.

    A line "[group]" begins a group. A case is "name | preparation | call"; lines that begin with # are comments."""
    group, found = "", []
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            group = line.strip("[]")
            continue
        parts = [part.strip() for part in line.split(" | ")]
        if len(parts) != 3:
            sys.exit(f"{TABLE.name}:{number}: a case is 'name | preparation | call', and this has {len(parts)} parts: {line}")
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

class Block(nn.Module):
    '''A block of a GPT: attention and a perceptron, each after a normalisation and beside a residual.'''

    def __init__(self, d, heads):
        super().__init__()
        self.heads = heads
        self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
        self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
        self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

    def forward(self, x):
        b, t, d = x.shape
        q, k, v = self.qkv(self.ln1(x)).chunk(3, dim=-1)
        q, k, v = (y.reshape(b, t, self.heads, d // self.heads).transpose(1, 2) for y in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).reshape(b, t, d))
        return x + self.down(F.gelu(self.up(self.ln2(x))))

class GPT(nn.Module):
    def __init__(self, vocabulary=256, d=128, heads=4, layers=2, longest=128):
        super().__init__()
        self.token, self.place = nn.Embedding(vocabulary, d), nn.Embedding(longest, d)
        self.blocks = nn.Sequential(*[Block(d, heads) for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, vocabulary)

    def forward(self, tokens):
        x = self.token(tokens) + self.place(torch.arange(tokens.shape[1]))
        return self.head(self.norm(self.blocks(x)))

def cnn():
    return nn.Sequential(
        nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(64 * 8 * 8, 10))

def mlp():
    return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))

class Trainer:
    '''A training step: forward, loss, backward, the optimiser's step.'''

    def __init__(self, net, x, y, optimizer=None):
        self.net, self.x, self.y = net, x, y
        self.optimizer = (optimizer or partial(torch.optim.Adam, lr=1e-3))(net.parameters())

    def __call__(self):
        self.optimizer.zero_grad()
        output = self.net(self.x)
        F.cross_entropy(output.reshape(-1, output.shape[-1]), self.y.reshape(-1)).backward()
        self.optimizer.step()
"""


def serve(library, threads):
    """Answers each line: "prepare N" makes case N, "time COUNT" runs its call so often and answers with the seconds of one."""
    if library == "backplane":
        import backplane.torch as torch
        from backplane.torch import nn

        import backplane

        backplane.set_num_threads(threads)
    else:
        import torch
        from torch import nn

        torch.set_num_threads(threads)
    if threads == 1:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    cases, run = read_cases(), None
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        verb, _, number = line.partition(" ")
        try:
            if verb == "prepare":
                _, _, preparation, call = cases[int(number)]
                torch.manual_seed(1)
                scope = {"torch": torch, "nn": nn, "F": nn.functional}
                exec(PREPARATION + preparation.replace("; ", "\n"), scope)
                exec(f"def run(n):\n for _ in range(n):\n  {call}", scope)
                run = scope["run"]
                run(1)
                print("ok", flush=True)
            else:
                start = time.perf_counter()
                run(int(number))
                print((time.perf_counter() - start) / int(number), flush=True)
        except Exception as problem:  # shown in the table: whatever a library says
            print("failed", f"{type(problem).__name__}: {problem}".replace("\n", " ")[:150], flush=True)


class Worker:
    def __init__(self, python, library, threads):
        command = [python, "-W", "ignore", __file__, "--serve", library, "--threads", str(threads)]
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
        return float(self.ask(f"time {count}"))


def measure(workers, number, rounds):
    """Medians of seconds of both, and of PyTorch's by ours, over rounds in turns."""
    counts = []
    for worker in workers:
        worker.ask(f"prepare {number}")
        worker.time(1)
        counts.append(max(1, min(20000, int(SECONDS / max(worker.time(3), 1e-8)))))
    times = [(workers[0].time(counts[0]), workers[1].time(counts[1])) for _ in range(rounds)]
    return median(t[0] for t in times), median(t[1] for t in times), median(t[1] / t[0] for t in times)


def text(seconds):
    for unit, size in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filter", nargs="?", default="", help="a regular expression; without one, all cases")
    parser.add_argument("--threads", type=int, default=1, help="of each library (default: 1)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", help="a file for the numbers: name, seconds of ours, of PyTorch's, ratio")
    parser.add_argument("--peer", help="a Python that has PyTorch")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        return serve(args.serve, args.threads)
    everything, chosen = read_cases(), read_cases(args.filter)
    if not chosen:
        sys.exit(f"no case matches {args.filter!r}; there are {len(everything)}, in {TABLE.name}")

    def start():
        return Worker(sys.executable, "backplane", args.threads), Worker(args.peer or sys.executable, "torch", args.threads)

    workers = start()
    print(f"backplane {workers[0].version}, PyTorch {workers[1].version}, {args.threads} threads, medians of {args.rounds} rounds")
    groups, below, records = {}, [], []
    for case in chosen:
        group, name, *_ = case
        if group not in groups:
            groups[group] = []
            print(f"\n{group:<58}{'ours':>10}{'PyTorch':>10}{'ratio':>8}")
        try:
            ours, theirs, ratio = measure(workers, everything.index(case), args.rounds)
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
