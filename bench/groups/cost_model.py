# SPDX-License-Identifier: Apache-2.0
"""What data-parallel training costs on 1 to 4,096 ranks: a model, not a measurement.

    bench/groups/cost_model.py [--interconnect NAME ...] [--algorithm NAME] [--parameters N] [--compute SECONDS] [--bucket-mb MB ...]
                               [--ranks N ...] [--measured FILE] [--markdown | --summary] [--plot efficiency.svg]

Each rank has a batch of its own, of the same size however many ranks there are, so that a step that exchanged nothing would take as long
on all of them as on one: the efficiency is that time by the time of the step. An exchange costs what the algorithms' authors say, with a
latency alpha and a time beta for each byte of a link, and gamma for each byte that is added up. Links are of two levels: within a node and
between nodes, where the ranks of a node share its ports. schedule.py puts the exchanges of the buckets beside backward. What is left out:
switches that are busy with others, contention in the network, noise of the system, and what an input pipeline costs.

References.
  Thakur, Rabenseifner, Gropp: Optimization of Collective Communication Operations in MPICH. IJHPCA 19(1), 2005, pages 49 to 66.
  Patarasu, Yuan: Bandwidth optimal all-reduce algorithms for clusters of workstations. J. Parallel Distrib. Comput. 69(2), 2009."""

import argparse
import dataclasses
import json
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parent))
import schedule

RANKS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096)
BUCKETS_MB = (1.0, 4.0, 25.0, 100.0, 1000.0)

# ---- one level -------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Link:
    alpha: float  # seconds of a message of no bytes
    beta: float  # seconds for each byte

    def step(self, n: float) -> float:
        return self.alpha + n * self.beta


def ring(n: float, p: int, link: Link, gamma: float = 0.0) -> float:
    """The ring: reduce-scatter in p - 1 steps of n/p bytes, then all-gather in as many. 2 (p-1) alpha + 2 (p-1)/p n beta +
    (p-1)/p n gamma (Patarasu and Yuan 2009, who show that no algorithm moves fewer bytes)."""
    return 2 * (p - 1) * link.alpha + (p - 1) / p * n * (2 * link.beta + gamma)


def recursive_doubling(n: float, p: int, link: Link, gamma: float = 0.0) -> float:
    """Each step exchanges all of it with a partner at twice the distance: log2(p) (alpha + n beta + n gamma) for a power of two (Thakur
    and others 2005). Otherwise the ranks beyond the largest power first give theirs to a partner, and get the result at the end."""
    return _over_steps(n, p, lambda _: link, gamma, _doubling)


def rabenseifner(n: float, p: int, link: Link, gamma: float = 0.0) -> float:
    """Reduce-scatter by recursive halving, then all-gather by recursive doubling: 2 log2(p) alpha + 2 (p-1)/p n beta + (p-1)/p n gamma
    for a power of two (Thakur and others 2005)."""
    return _over_steps(n, p, lambda _: link, gamma, _halving)


def binomial(n: float, p: int, link: Link, gamma: float = 0.0) -> float:
    """A reduction to one rank over a binomial tree, and a broadcast back: ceil(log2(p)) (2 alpha + 2 n beta + n gamma). Open MPI takes it
    for MPI_Iallreduce with MPI_IN_PLACE, unless it is told otherwise (ompi/mca/coll/libnbc/nbc_iallreduce.c)."""
    return _over_steps(n, p, lambda _: link, gamma, _tree)


def _doubling(n: float, distance: int, link: Link, gamma: float) -> float:
    return link.step(n) + n * gamma


def _halving(n: float, distance: int, link: Link, gamma: float) -> float:
    part = n / (2 * distance)  # the nearest partner gets half of it
    return 2 * link.step(part) + part * gamma


def _tree(n: float, distance: int, link: Link, gamma: float) -> float:
    return 2 * link.step(n) + n * gamma


Stage = Callable[[float, int, Link, float], float]


def _over_steps(n: float, p: int, link_at: Callable[[int], Link], gamma: float, stage: Stage) -> float:
    """The sum of the steps at distances 1, 2, 4, ...; link_at(distance) is the link over which a step goes."""
    if p == 1:
        return 0.0
    if stage is _tree:
        return sum(stage(n, 1 << k, link_at(1 << k), gamma) for k in range(math.ceil(math.log2(p))))
    steps = int(math.log2(p))
    cost = sum(stage(n, 1 << k, link_at(1 << k), gamma) for k in range(steps))
    if p != 1 << steps:  # to the partner and back
        cost += 2 * link_at(1).step(n) + n * gamma
    return cost


# ---- two levels ------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Interconnect:
    inner: Link  # within a node
    outer: Link  # of one port of a node
    ranks_per_node: int = 8
    ports: int = 1  # of a node
    gamma: float = 1 / 10e9  # one core adds f32 from memory at some 10 GB/s
    about: str = ""

    def flows(self, distance: int, p: int) -> Link:
        """The link at a distance, when all ranks of a node use it at once."""
        here = min(self.ranks_per_node, p)
        if distance < here:
            return self.inner
        return Link(self.outer.alpha, self.outer.beta * max(1.0, here / self.ports))

    def alone(self, distance: int, p: int) -> Link:
        """The link at a distance, when one rank of a node uses it."""
        return self.inner if distance < min(self.ranks_per_node, p) else self.outer


def _ring(n: float, p: int, net: Interconnect) -> float:
    """In the order of the ranks a node has one neighbour on each side, so that the slowest link sets the pace of all."""
    link = net.inner
    if p > net.ranks_per_node:
        link = Link(max(net.inner.alpha, net.outer.alpha), max(net.inner.beta, net.outer.beta))
    return ring(n, p, link, net.gamma)


def _hierarchical(n: float, p: int, net: Interconnect) -> float:
    """Reduce-scatter within each node, the best of ring and Rabenseifner between nodes for each part, which share the ports, all-gather
    within the node."""
    r = min(net.ranks_per_node, p)
    nodes = math.ceil(p / r)
    cost = ring(n, r, net.inner, net.gamma)
    if nodes > 1:
        link = Link(net.outer.alpha, net.outer.beta * max(1.0, r / net.ports))
        cost += min(f(n / r, nodes, link, net.gamma) for f in (ring, rabenseifner))
    return cost


ALGORITHMS: dict[str, Callable[[float, int, Interconnect], float]] = {
    "ring": _ring,
    "doubling": lambda n, p, net: _over_steps(n, p, lambda d: net.flows(d, p), net.gamma, _doubling),
    "rabenseifner": lambda n, p, net: _over_steps(n, p, lambda d: net.flows(d, p), net.gamma, _halving),
    "hierarchical": _hierarchical,
    "binomial": lambda n, p, net: _over_steps(n, p, lambda d: net.alone(d, p), net.gamma, _tree),
}  # fmt: skip


def all_reduce(n: float, p: int, net: Interconnect, algorithm: str = "best") -> tuple[float, str]:
    """The seconds of an all_reduce of n bytes over p ranks, and the algorithm's name; "best" is the fastest of all of them."""
    if p < 1:
        raise ValueError(f"{p} ranks, expected at least 1")
    if p == 1 or n == 0:
        return 0.0, "none"
    names = list(ALGORITHMS) if algorithm == "best" else [algorithm]
    return min((ALGORITHMS[name](n, p, net), name) for name in names)


# Bandwidths are the published rates of the lines, of which 0.9 come through; MPI's latencies between two nodes are rounded, and assumed
# where no source is named. A node has 8 ranks.
_SHARED = Link(1e-6, 1 / 10e9)  # assumed of a server's node; --measured puts the figures of a machine in its place
INTERCONNECTS = {
    # 100 Gb/s: IEEE 802.3ba/bm. Through TCP of the kernel: assumed 20 us.
    "ethernet-100": Interconnect(_SHARED, Link(20e-6, 1 / (0.9 * 12.5e9)), about="100 Gb Ethernet, TCP"),
    # 200 Gb/s: NVIDIA's manuals of ConnectX-6 and Quantum (HDR). Assumed 1.5 us.
    "infiniband-hdr": Interconnect(_SHARED, Link(1.5e-6, 1 / (0.9 * 25e9)), about="HDR InfiniBand, a port for each node"),
    # 400 Gb/s: NVIDIA's manual of ConnectX-7 (NDR). Assumed 1.5 us.
    "infiniband-ndr": Interconnect(_SHARED, Link(1.5e-6, 1 / (0.9 * 50e9)), about="NDR InfiniBand, a port for each node"),
    # 200 Gb/s for each port; a switch takes 350 ns and there are at most three hops between switches: De Sensi and others, An In-Depth
    # Analysis of the Slingshot Interconnect, SC20 (arXiv:2008.08886). Assumed 2 us; four ports a node as Frontier has.
    "slingshot-11": Interconnect(_SHARED, Link(2e-6, 1 / (0.9 * 25e9)), ports=4, about="Slingshot-11, four ports for each node"),
    # Measured by bench/groups/measure.py over 2 ranks: 2 cores of an AMD EPYC, Open MPI 4.1.4, no single copy (docs/scale.md).
    "shared-memory": Interconnect(Link(8e-6, 1.6e-9), Link(8e-6, 1.6e-9), ranks_per_node=4096, about="one node, as measured on 2 cores"),
}
CLUSTERS = [name for name in INTERCONNECTS if name != "shared-memory"]


# ---- a step ----------------------------------------------------------------------------------------------------------


@dataclasses.dataclass(frozen=True)
class Job:
    sizes: tuple[int, ...]  # bytes of each parameter
    forward: float
    backward: float
    after: float = 0.0  # the optimiser's step
    staging: float = 0.0  # seconds to copy a byte between a device and the host; 0: gradients are in host memory

    @property
    def alone(self) -> float:
        return self.forward + self.backward + self.after


def job_of(n_params: float, n_layers: int, compute: float, staging: float = 0.0) -> Job:
    """A model of equal layers, whose backward takes two thirds of the time: one product for each of two gradients, and one forward."""
    return Job(tuple(schedule.layers(n_layers, n_params)), compute / 3, compute * 2 / 3, staging=staging)


def step_of(job: Job, p: int, net: Interconnect, bucket_bytes: int, algorithm: str = "best", overlap: bool = True) -> schedule.Step:
    """One step. All ranks do the same at the same time, so that two of them stand for all."""
    ready = schedule.even_backward(job.sizes, job.forward, job.backward)

    def cost(n: int) -> float:
        return all_reduce(n, p, net, algorithm)[0] + 2 * n * job.staging

    return schedule.simulate(job.sizes, ready, cost, bucket_bytes=bucket_bytes, n_ranks=min(p, 2), after=job.after, overlap=overlap)


@dataclasses.dataclass(frozen=True)
class Row:
    ranks: int
    step: float
    exchanged: float
    exposed: float
    efficiency: float
    bucket_mb: float  # the best of those that were tried
    algorithm: str  # of the largest bucket


def table(job: Job, net: Interconnect, ranks: Sequence[int] = RANKS, buckets_mb: Sequence[float] = BUCKETS_MB,
          algorithm: str = "best") -> list[Row]:  # fmt: skip
    rows = []
    for p in ranks:
        tried = [step_of(job, p, net, int(mb * (1 << 20)), algorithm) for mb in buckets_mb]
        best = int(np.argmin([step.seconds for step in tried]))
        step = tried[best]
        largest = max((b.n_bytes for b in step.buckets), default=0)
        name = all_reduce(largest, p, net, algorithm)[1]
        rows.append(Row(p, step.seconds, step.exchanged, step.exposed, job.alone / step.seconds, buckets_mb[best], name))
    return rows


def efficiencies(job: Job, net: Interconnect, ranks: Sequence[int], bucket_mb: float, algorithm: str) -> np.ndarray:
    return np.array([job.alone / step_of(job, p, net, int(bucket_mb * (1 << 20)), algorithm).seconds for p in ranks])


# ---- what is printed and drawn ---------------------------------------------------------------------------------------


def print_table(rows: Sequence[Row], title: str, markdown: bool) -> None:
    head = ("ranks", "step", "exchanged", "exposed", "efficiency", "best bucket", "all_reduce")
    cells = [(f"{r.ranks:,}", f"{r.step * 1e3:.1f} ms", f"{r.exchanged * 1e3:.1f} ms", f"{r.exposed * 1e3:.1f} ms",
              f"{r.efficiency * 100:.1f} %", f"{r.bucket_mb:g} MiB" if r.ranks > 1 else "", r.algorithm) for r in rows]  # fmt: skip
    print(f"\n{title}\n")
    if markdown:
        print("| " + " | ".join(head) + " |\n" + "|---" * len(head) + "|")
        print("\n".join("| " + " | ".join(row) + " |" for row in cells))
        return
    for row in (head, *cells):
        print("".join(f"{cell:>14}" for cell in row))


def summary(job: Job, nets: dict[str, Interconnect], ranks: Sequence[int], buckets_mb: Sequence[float], algorithms: Sequence[str]) -> str:
    """The efficiencies in one table of Markdown, which docs/scale.md shows: of each algorithm with the best of the buckets."""
    columns = {name: [table(job, net, ranks, buckets_mb, algorithm) for algorithm in algorithms] for name, net in nets.items()}
    lines = ["| ranks | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for i, p in enumerate(ranks):
        cells = (", ".join(f"{rows[i].efficiency * 100:.1f} %" for rows in column) for column in columns.values())
        lines.append(f"| {p:,} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(job: Job, nets: dict[str, Interconnect], ranks: Sequence[int], buckets_mb: Sequence[float], algorithms: Sequence[str],
         file: Path) -> None:  # fmt: skip
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "backplane"
    matplotlib.rcParams["svg.fonttype"] = "none"
    from matplotlib import pyplot

    size = 6 * len(algorithms), 4.6
    figure, panes = pyplot.subplots(1, len(algorithms), figsize=size, sharey=True, squeeze=False, layout="constrained")
    for axes, algorithm in zip(panes[0], algorithms, strict=True):
        for number, (name, net) in enumerate(nets.items()):
            for style, mb in zip(("-", "--", ":", "-."), buckets_mb, strict=False):
                curve = efficiencies(job, net, ranks, mb, algorithm)
                axes.plot(ranks, curve, color=f"C{number}", linestyle=style, label=f"{name}, {mb:g} MiB")
        axes.set_xscale("log", base=2)
        axes.set_yscale("log")
        axes.set_xticks(ranks, [f"{p:,}" for p in ranks], rotation=60, fontsize=8)
        axes.set_yticks(percents := [0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1], [f"{100 * y:.0f} %" for y in percents])
        axes.minorticks_off()
        axes.set_xlabel("ranks")
        axes.set_title("the best all_reduce" if algorithm == "best" else f"{algorithm} all_reduce", fontsize=11)
        axes.grid(visible=True, alpha=0.3)
    panes[0][0].set_ylim(bottom=0.95 * min(line.get_ydata().min() for axes in panes[0] for line in axes.get_lines()), top=1.05)
    panes[0][0].set_ylabel("efficiency")
    panes[0][-1].legend(fontsize=7, ncols=2)
    figure.savefig(file, dpi=120, metadata={"Date": None} if file.suffix == ".svg" else None)
    print(f"picture: {file}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--interconnect", nargs="+", default=CLUSTERS, choices=list(INTERCONNECTS), metavar="NAME",
                        help=f"some of {', '.join(INTERCONNECTS)} (default: all but the last)")  # fmt: skip
    parser.add_argument("--algorithm", nargs="+", default=["best", "binomial"], choices=["best", *ALGORITHMS], metavar="NAME",
                        help=f"best or some of {', '.join(ALGORITHMS)} (default: best binomial)")  # fmt: skip
    parser.add_argument("--parameters", type=float, default=25.6e6, help="of the model, in f32 (default: 25.6e6, as ResNet-50 has)")
    parser.add_argument("--layers", type=int, default=50)
    parser.add_argument("--compute", type=float, default=0.1, help="seconds of a step on one rank (default: 0.1)")
    parser.add_argument("--staging-gbs", type=float, default=0, help="GB/s between a device and the host; 0: gradients are in host memory")
    parser.add_argument("--ranks-per-node", type=int, help="default: 8")
    parser.add_argument("--bucket-mb", type=float, nargs="+", default=list(BUCKETS_MB))
    parser.add_argument("--ranks", type=int, nargs="+", default=list(RANKS))
    parser.add_argument("--measured", type=Path, help="a file of bench/groups/measure.py --json: links within a node, and the step")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--summary", action="store_true", help="print one table of efficiencies instead")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="efficiency by ranks, .png or .svg")
    args = parser.parse_args()
    job = job_of(args.parameters, args.layers, args.compute, 1 / (args.staging_gbs * 1e9) if args.staging_gbs else 0.0)
    nets = {name: INTERCONNECTS[name] for name in args.interconnect}
    if args.ranks_per_node:
        nets = {name: dataclasses.replace(net, ranks_per_node=args.ranks_per_node) for name, net in nets.items()}
    if args.measured:
        figures = json.loads(args.measured.read_text())
        inner = Link(figures["link"]["alpha"], figures["link"]["beta"])
        nets = {name: dataclasses.replace(net, inner=inner) for name, net in nets.items()}
        if (step := figures.get("step")) is not None:
            job = Job(tuple(step["sizes"]), step["forward"], step["backward"])
    print(f"{sum(job.sizes) / 4e6:.1f} million parameters, {sum(job.sizes) / (1 << 20):.0f} MiB of gradients; "
          f"a step alone takes {job.alone * 1e3:.1f} ms")  # fmt: skip
    if args.summary:
        print(f"\n{summary(job, nets, args.ranks, args.bucket_mb, args.algorithm)}")
    for algorithm in [] if args.summary else args.algorithm:
        for name, net in nets.items():
            print_table(table(job, net, args.ranks, args.bucket_mb, algorithm), f"{name} ({net.about}), {algorithm}", args.markdown)
    if args.plot:
        shown = [mb for mb in (1.0, 25.0, 1000.0) if mb in args.bucket_mb] or args.bucket_mb[:4]
        draw(job, nets, args.ranks, shown, args.algorithm, args.plot)
    return 0


if __name__ == "__main__":
    sys.exit(main())
