# SPDX-License-Identifier: Apache-2.0
"""What exchanges of processes cost on this machine, and what overlapping them with backward brings.

    bench/groups/measure.py [--ranks 2 3 4] [--rounds N] [--only all_reduce|step] [--mpirun "mpirun --mca ..."] [--json FILE]

It starts itself by mpirun, once for each number of ranks. all_reduce: the median time by size, the slowest member's, and the line
through it by least squares of relative errors. step: a net of equal layers is trained in three ways that take turns, batch after
batch, and their medians are compared: small buckets that are exchanged while backward computes; the same buckets after it (hold, then
finish); one bucket that holds everything. Then schedule.py says what the step should have taken. Each process computes with one thread.
On a machine with fewer cores than processes the numbers say what that costs, and little about a cluster. The package `backplane` is the
one that this Python finds. --json writes what cost_model.py --measured reads."""

import argparse
import json
import math
import os
import platform
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

sys.path.append(str(Path(__file__).parent))
import schedule

# As root, with more processes than processors, and in containers that forbid to read another process's memory.
ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none", "OMP_NUM_THREADS": "1", "OMP_WAIT_POLICY": "passive",
}  # fmt: skip
SIZES = [8 << 2 * k for k in range(12)] + [64 << 20]  # bytes: 8, 32, 128, ... 32 Mi, and 64 Mi
MARK = "measured: "  # before what rank 0 prints for the process that started it


def run(n: int, what: str, mpirun: str = "mpirun", **settings: Any) -> dict[str, Any]:
    """Starts n members that measure `what`, a function on_<what> below, and returns what rank 0 found."""
    command = [*shlex.split(mpirun), "-n", str(n), sys.executable, __file__, "--member", what, "--settings", json.dumps(settings)]
    said = subprocess.run(command, env={**os.environ, **ENVIRONMENT}, capture_output=True, text=True, timeout=600)
    for line in said.stdout.splitlines():
        if line.startswith(MARK):
            return json.loads(line[len(MARK):])  # fmt: skip
    raise RuntimeError(f"{shlex.join(command)} ended with {said.returncode}:\n{said.stdout}{said.stderr}")


def fitted(points: dict[int, float]) -> tuple[float, float, float]:
    """(a, b, the largest relative error) of the line a + b n through seconds by bytes, with the least squares of relative errors."""
    import numpy as np

    n, t = np.array(list(points), float), np.array(list(points.values()))
    (a, b), *_ = np.linalg.lstsq(np.stack([1 / t, n / t], axis=1), np.ones(len(t)), rcond=None)
    a, b = max(float(a), float(t.min()) / 2), float(b)
    return a, b, float(np.max(np.abs((a + b * n) / t - 1)))


def cost_between(points: dict[int, float], n_bytes: int) -> float:
    """The time of n_bytes between the sizes that were measured."""
    import numpy as np

    return float(np.interp(n_bytes, list(points), list(points.values())))


# ---- what members do -------------------------------------------------------------------------------------------------


def on_all_reduce(group: Any, rounds: int = 5, sizes: tuple[int, ...] = tuple(SIZES)) -> dict[str, Any]:
    """Seconds by bytes: of each round the slowest member's mean over some repetitions, of rounds the median. Sizes take turns."""
    import backplane as bp

    tensors = {n: bp.zeros(max(1, n // 4), dtype=bp.float32) for n in sizes}
    found: dict[int, list[float]] = {n: [] for n in sizes}
    for number in range(rounds + 1):  # the first round warms up
        for n, t in tensors.items():
            repetitions = max(1, min(50, (8 << 20) // n))
            group.barrier()
            begin = time.perf_counter()
            for _ in range(repetitions):
                group.all_reduce(t)
            seconds = group.all_reduce(bp.asarray((time.perf_counter() - begin) / repetitions, dtype=bp.float64), "max").item()
            if number:
                found[n].append(seconds)
    return {"points": {n: median(times) for n, times in found.items()}}


class _Net:
    """A net of equal layers whose gradients are averaged over the group in buckets of a size."""

    def __init__(self, group: Any, width: int, n_layers: int, batch: int, bucket_mb: float) -> None:
        import backplane as bp
        from backplane import nn

        bp.manual_seed(0)
        self.group = group
        self.net = nn.Sequential(*(layer for _ in range(n_layers) for layer in (nn.Linear(width, width), nn.ReLU())))
        self.params = list(self.net.parameters())
        self.sizes = [4 * math.prod(p.shape) for p in self.params]
        self.x = bp.randn(batch, width)
        self.replicas = bp.parallel.Replicas([self.params], bucket_mb=bucket_mb)
        self.replicas.join(group)
        self.arrivals: list[tuple[int, float, int, int]] = []  # (parameter, when, exchanges begun, bytes of them)
        self.begin, self.before = 0.0, (0, 0)
        self.hooks = [p.register_post_accumulate_grad_hook(self._noting(i)) for i, p in enumerate(self.params)]

    def _noting(self, i: int) -> Any:
        def note(_: Any) -> None:
            self.arrivals.append((i, time.perf_counter() - self.begin, *self._counts()))

        return note

    def _counts(self) -> tuple[int, int]:
        about = self.group._handle.info()
        return about["n_exchanges"], about["exchanged_bytes"]

    def step(self, *, exchanges: bool = True, overlap: bool = True) -> float:
        """Seconds of forward, backward and, unless nothing is exchanged, the averages. self.arrivals says when gradients came."""
        for p in self.params:
            p.grad = None
        self.arrivals = []
        self.group.barrier()
        self.replicas.hold(not (exchanges and overlap))
        self.before = self._counts()
        self.begin = time.perf_counter()
        (self.net(self.x) ** 2).mean().backward()
        if exchanges:
            self.replicas.hold(False)
            self.replicas.finish()
        return time.perf_counter() - self.begin

    def ready(self) -> list[float]:
        times = {i: t for i, t, _, _ in self.arrivals}
        return [times[i] for i in range(len(self.params))]

    def buckets(self) -> list[int]:
        """The bytes of each bucket, in the order in which the last step of this member began them during backward."""
        seen, out = self.before, []
        for _, _, n, n_bytes in self.arrivals:
            if n != seen[0]:  # of two at once the sum, which is no bucket's
                out.append(n_bytes - seen[1])
            seen = n, n_bytes
        return out


def on_step(group: Any, width: int = 512, n_layers: int = 8, batch: int = 256, bucket_mb: float = 2, rounds: int = 15) -> dict[str, Any]:
    """Three ways to train, and one that exchanges nothing, in turns; medians of the slowest member. And what schedule.py needs: when each
    gradient is there, and what exchanges of these buckets cost."""
    import backplane as bp

    small, whole = _Net(group, width, n_layers, batch, bucket_mb), _Net(group, width, n_layers, batch, 1 << 12)
    ways = {
        "alone": lambda: small.step(exchanges=False),
        "overlapped": small.step,
        "afterwards": lambda: small.step(overlap=False),
        "one bucket": whole.step,
    }
    seconds: dict[str, list[float]] = {name: [] for name in ways}
    ready: list[list[float]] = []
    orders: list[list[int]] = []
    counts = []
    for number in range(rounds + 2):  # two rounds warm up
        for name, step in ways.items():
            before = group._handle.info()["n_exchanges"]
            t = step()
            counts.append((name, group._handle.info()["n_exchanges"] - before - 1))  # but for the barrier
            t = group.all_reduce(bp.asarray(t, dtype=bp.float64), "max").item()
            if number > 1:
                seconds[name].append(t)
                if name == "alone":
                    ready.append(small.ready())
                if name == "overlapped":
                    orders.append(small.buckets())
    filled = schedule.fill_buckets(small.sizes, int(bucket_mb * (1 << 20)))
    n_bytes = sorted({sum(small.sizes[i] for i in b) + schedule.FLAG * len(b) for b in filled})
    points = on_all_reduce(group, 5, (*n_bytes, n_bytes[-1] * 2))["points"]
    source, target = bp.ones(n_bytes[-1] // 4), bp.zeros(n_bytes[-1] // 4)
    begin = time.perf_counter()
    for _ in range(20):
        target[...] = source
    return {
        "sizes": small.sizes, "bucket_mb": bucket_mb, "seconds": {name: median(times) for name, times in seconds.items()},
        "ready": [median(times) for times in zip(*ready, strict=True)], "orders": orders, "counts": counts, "points": points,
        "copy_seconds": (time.perf_counter() - begin) / 20 / n_bytes[-1],
        "ratios": {name: median(a / b for a, b in zip(seconds["overlapped"], seconds[name], strict=True)) for name in list(ways)[2:]},
    }  # fmt: skip


def simulated(found: dict[str, Any], n_ranks: int, overlap: bool = True) -> schedule.Step:
    """What schedule.py says of a step that on_step measured."""
    points = {int(n): t for n, t in found["points"].items()}
    return schedule.simulate(found["sizes"], found["ready"], lambda n: cost_between(points, n), n_ranks=n_ranks, overlap=overlap,
                             bucket_bytes=int(found["bucket_mb"] * (1 << 20)), copy_seconds=found["copy_seconds"],
                             after=max(0.0, found["seconds"]["alone"] - max(found["ready"])))  # fmt: skip


MEMBERS: dict[str, Callable[..., dict[str, Any]]] = {"all_reduce": on_all_reduce, "step": on_step}


def member(what: str, settings: dict[str, Any]) -> None:
    import backplane as bp

    with bp.distributed.join("mpi", timeout=300) as group:
        found = MEMBERS[what](group, **settings)
        group.barrier()
        if group.rank == 0:
            print(MARK + json.dumps(found), flush=True)


# ---- what is printed -------------------------------------------------------------------------------------------------


def tell_all_reduce(n: int, points: dict[int, float]) -> dict[str, float]:
    """Prints what an all_reduce takes, and returns the link: what alpha and beta a binomial tree, which Open MPI takes, makes of it. Small
    messages and large ones go different ways, so that two lines are fitted: alpha is that of the small ones, beta of the large ones."""
    print(f"\nall_reduce over {n} ranks:")
    for size, seconds in points.items():
        print(f"  {size:>9} bytes {seconds * 1e6:>11.1f} us {size / seconds / 1e9:>8.3f} GB/s")
    lines = {"up to 128 KiB": fitted({size: t for size, t in points.items() if size <= 128 << 10}),
             "from 2 MiB": fitted({size: t for size, t in points.items() if size >= 2 << 20})}  # fmt: skip
    for name, (a, b, error) in lines.items():
        print(f"  line {name}: {a * 1e6:.1f} us and {1 / b / 1e9:.3f} GB/s, off by at most {error * 100:.0f} %")
    (alpha, _, _), (_, beta, _) = lines.values()
    rounds = 2 * math.ceil(math.log2(n))
    print(f"  of a step of a binomial tree: alpha {alpha / rounds * 1e6:.1f} us, beta {beta / rounds * 1e9:.3f} ns a byte")
    return {"alpha": alpha / rounds, "beta": beta / rounds}


def tell_step(n: int, found: dict[str, Any]) -> None:
    print(f"\na step of {sum(found['sizes']) / 4e6:.2f} million parameters over {n} ranks, buckets of {found['bucket_mb']} MiB:")
    for name, seconds in found["seconds"].items():
        print(f"  {name:<12}{seconds * 1e3:>9.2f} ms")
    for name, ratio in found["ratios"].items():
        print(f"  overlapped by {name}: {ratio:.3f}")
    for overlap, name in ((True, "overlapped"), (False, "afterwards")):
        step = simulated(found, n, overlap)
        share = step.seconds / found["seconds"][name]
        print(f"  simulated, {name}: {step.seconds * 1e3:.2f} ms, which is {share:.2f} of what was measured")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, nargs="+", default=[2, 3, 4])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--only", choices=["all_reduce", "step"])
    parser.add_argument("--mpirun", default="mpirun", help="how members are started, with options for the launcher")
    parser.add_argument("--width", type=int, default=512)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--bucket-mb", type=float, default=2)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--member", help=argparse.SUPPRESS)
    parser.add_argument("--settings", default="{}", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.member:
        member(args.member, json.loads(args.settings))
        return 0
    print(f"{platform.machine()}, {len(os.sched_getaffinity(0))} cores, load {os.getloadavg()[0]:.1f}", flush=True)
    kept: dict[str, Any] = {}
    for n in args.ranks:
        if args.only != "step":
            points = {int(size): t for size, t in run(n, "all_reduce", args.mpirun, rounds=args.rounds)["points"].items()}
            link = tell_all_reduce(n, points)
            kept.setdefault("link", link)
        if args.only != "all_reduce":
            found = run(n, "step", args.mpirun, rounds=args.rounds, width=args.width, n_layers=args.layers, batch=args.batch,
                        bucket_mb=args.bucket_mb)  # fmt: skip
            tell_step(n, found)
            alone = found["seconds"]["alone"]
            kept.setdefault("step", {"sizes": found["sizes"], "forward": min(found["ready"]), "backward": alone - min(found["ready"])})
        sys.stdout.flush()
    if args.json:
        args.json.write_text(json.dumps(kept, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
