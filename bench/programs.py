# SPDX-License-Identifier: Apache-2.0
"""Programs next to what others compile: chains of calls that memory bounds, and networks.

./dev bench --programs [FILTER] [--threads N] [--rounds N] [--json FILE]     (PyTorch and JAX come from PyPI into build/peers)

The chains are those of bench/chains.py at 1e4, 1e6 and 1e7 elements: ours by `compile`, PyTorch's calls, torch.compile and jax.jit. A
chain's ratio is the best of the others' time by ours. The networks are those of bench/networks.py, inference and training steps: ours
by `compile` next to torch.compile, and next to our own calls one by one. All work in turns, each library in a process of its own; the
ratios are medians over the rounds. What is below its limit is listed at the end, and then the exit status is 1."""

import argparse
import json
import re
import sys
import types
from pathlib import Path
from statistics import median

import numpy
from chains import chains
from networks import networks
from turns import Worker, mean, measure, median_ratio, pinned, serve, text

SIZES = {"1e4": 10**4, "1e6": 10**6, "1e7": 10**7}
CHAINS = ("ours", "torch", "torch.compile", "jax.jit")
NETWORKS = ("ours", "our calls", "torch", "torch.compile")
BEST, COMPILED, EAGER, TOKEN = 0.95, 1.0, 1.2, 1.5  # limits: of a chain, of a network next to torch.compile and to our own calls


def network_cases(torch, nn):
    """name -> a function that makes (a function, its arguments)."""
    nets = types.SimpleNamespace(**networks(torch, nn))
    F = nn.functional

    def no_grad(net):
        net.eval()

        def infer(x):
            with torch.no_grad():
                return net(x)

        return infer

    def step(net):
        adam = torch.optim.Adam(net.parameters(), lr=1e-3)

        def train(x, y):
            adam.zero_grad()
            output = net(x)
            loss = F.cross_entropy(output.reshape(-1, output.shape[-1]), y.reshape(-1))
            loss.backward()
            adam.step()
            return loss.detach()

        return train

    def token():
        net = nets.GPT()
        net.eval()
        caches = [(torch.randn(1, 4, 63, 32), torch.randn(1, 4, 63, 32)) for _ in range(2)]

        def next_token(token, place):
            with torch.no_grad():
                return net.next(token, place, caches)[0]

        return next_token, [torch.randint(0, 256, (1, 1)), torch.tensor([[63]])]

    def images(n):
        return torch.randn(n, 3, 32, 32)

    def tokens(n):
        return torch.randint(0, 256, (n, 64))

    def digits(n):
        return torch.randint(0, 10, (n,))

    return {
        "MLP of 32, inference": lambda: (no_grad(nets.mlp()), [torch.randn(32, 784)]),
        "MLP of 32, step": lambda: (step(nets.mlp()), [torch.randn(32, 784), digits(32)]),
        "CNN of 8, inference": lambda: (no_grad(nets.cnn()), [images(8)]),
        "CNN of 8, step": lambda: (step(nets.cnn()), [images(8), digits(8)]),
        "GPT of 4x64, inference": lambda: (no_grad(nets.GPT()), [tokens(4)]),
        "GPT of 4x64, step": lambda: (step(nets.GPT()), [tokens(4), tokens(4)]),
        "GPT, one token": token,
    }


def cases(filter=""):
    """(kind, name, size) of those that match; the same list in every process."""
    every = [("chain", f"{name} {size}", size) for name in chains(types.SimpleNamespace()) for size in SIZES]
    every += [("network", name, "") for name in network_cases(None, types.SimpleNamespace(functional=None, Module=object))]
    return [case for case in every if re.search(filter, f"{case[0]}: {case[1]}")]


def torch_names(torch):
    """PyTorch in the array standard's words."""
    names = types.SimpleNamespace(**{name: getattr(torch, name) for name in dir(torch)})
    names.max = lambda x, axis, keepdims=False: torch.amax(x, dim=axis, keepdim=keepdims)
    names.mean = lambda x, axis=None, keepdims=False: x.mean() if axis is None else torch.mean(x, dim=axis, keepdim=keepdims)
    names.sum = lambda x, axis, keepdims=False: torch.sum(x, dim=axis, keepdim=keepdims)
    names.concat = lambda xs, axis: torch.cat(xs, dim=axis)
    names.astype = lambda x, dtype: x.to(dtype)
    return names


def library(name, threads):
    """The version, and a function that prepares a chain (function, NumPy arguments) and one that prepares a network."""
    if name in ("ours", "our calls"):
        import backplane.torch as torch
        from backplane.torch import nn

        import backplane

        backplane.set_num_threads(threads)
        names, to = backplane, backplane.asarray
        compiled = backplane.compile if name == "ours" else lambda f: f
    elif name == "jax.jit":
        import jax
        import jax.numpy as jnp

        names = types.SimpleNamespace(**{n: getattr(jnp, n) for n in dir(jnp)}, erf=jax.scipy.special.erf)

        def jitted(f):
            g = jax.jit(f)
            return lambda *a: jax.block_until_ready(g(*a))

        return jax.__version__, chains(names), jnp.asarray, jitted, None
    else:
        import torch
        from torch import nn

        torch.set_num_threads(threads)
        names, to = torch_names(torch), torch.from_numpy
        compiled = (lambda f: torch.compile(f, dynamic=False)) if name == "torch.compile" else lambda f: f
    torch.manual_seed(1)
    return torch.__version__, chains(names), to, compiled, network_cases(torch, nn)


def serve_programs(name, threads):
    pinned(threads)
    version, functions, to, compiled, nets = library(name, threads)
    every = cases()

    def prepare(number):
        kind, case, size = every[number]
        if kind == "chain":
            f, make = functions[case.removesuffix(" " + size)]
            arguments = [to(a) for a in make(SIZES[size], numpy.random.default_rng(1))]
        else:
            f, arguments = nets[case]()
            for _ in range(2):  # an optimiser's states are made before the step is compiled
                f(*arguments)
        f = compiled(f)

        def run(count):
            for _ in range(count):
                f(*arguments)

        return run

    serve(version, prepare)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("filter", nargs="?", default="", help='a regular expression that "chain: name size" or "network: name" matches')
    parser.add_argument("--threads", type=int, default=1, help="of each library (default: 1)")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--json", help="a file for the numbers: the seconds of each library, in each round")
    parser.add_argument("--peer", help="a Python that has PyTorch and JAX")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.serve:
        return serve_programs(args.serve, args.threads)
    everything, chosen = cases(), cases(args.filter)
    if not chosen:
        sys.exit(f"no case matches {args.filter!r}; there are {len(everything)}")
    workers = {}

    def worker(name):
        if name not in workers or workers[name].process.poll() is not None:
            python = sys.executable if name.startswith("our") else args.peer or sys.executable
            workers[name] = Worker(python, __file__, name, args.threads)
        return workers[name]

    below, records, ratios = [], [], {"chain": [], "network next to torch.compile": [], "network next to our calls": []}
    for kind, names in (("chain", CHAINS), ("network", NETWORKS)):
        mine = [case for case in chosen if case[0] == kind]
        if mine:
            titles = (f"{n} {worker(n).version.split('+')[0]}" for n in names)
            print(f"\n{f'{kind}s, {args.threads} threads':<28}", *(f"{title:>21}" for title in titles), f"{'ratio':>8}")
        for case in mine:
            times = []
            try:
                times = measure([worker(n) for n in names], everything.index(case), args.rounds)
            except (RuntimeError, BrokenPipeError) as problem:
                print(f"  {case[1]:<26} {problem}", flush=True)
                below.append(f"0.00  {case[1]}: {problem}")
                continue
            ours = times[0]
            if kind == "chain":
                best = [min(t) for t in zip(*times[1:], strict=True)]
                found = [(median_ratio(best, ours), BEST, "chain", "the best")]
            else:
                found = [(median_ratio(times[3], ours), COMPILED, "network next to torch.compile", "torch.compile"),
                         (median_ratio(times[1], ours), TOKEN if "token" in case[1] else EAGER, "network next to our calls", "our calls")]  # fmt: skip
            for ratio, limit, group, what in found:
                ratios[group].append(ratio)
                if ratio < limit:
                    below.append(f"{ratio:.2f}  {case[1]}, next to {what}")
            rounds = dict(zip(names, times, strict=True))
            records.append({"name": case[1], "rounds": rounds, "ratios": [ratio for ratio, *_ in found]})
            print(f"  {case[1]:<26}", *(f"{text(median(t)):>21}" for t in times), *(f"{r:>7.2f}x" for r, *_ in found), flush=True)
    print()
    for group, list_ in ratios.items():
        if list_:
            print(f"{group:<30} {len(list_):>4} cases, geometric mean {mean(list_):.2f}")
    print(f"below their limits: {len(below)}", *(f"  {line}" for line in sorted(below)), sep="\n")
    if args.json:
        Path(args.json).write_text(json.dumps(records, indent=1))
    return 1 if below else 0


sys.exit(main())
