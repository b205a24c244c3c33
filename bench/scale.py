# SPDX-License-Identifier: Apache-2.0
"""What a program pays as it grows: live tensors, graphs, modules, threads, simulated devices.

./dev bench --scale [--tensors N] [--rounds N] [--picture FILE]

bench/scale.cc measures, in rounds; the least of each size counts. For each family stands the time of one (a tensor, a node, ...) at each
size, the bytes of a tensor, and the exponent of the whole time by the size: the slope of a line through the logarithms. An exponent above
the limit is listed at the end, and then the exit status is 1. The picture is a log-log plot, PNG; Matplotlib comes from PyPI into
build/peers."""

import argparse
import math
import os
import subprocess
import sys

LIMIT = 1.05


def measured(command, rounds):
    """family -> {size: (least seconds, bytes)}, in the order in which they were measured."""
    found = {}
    for number in range(rounds):
        said = subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE, env=os.environ | {"SIM_DEVICE_COUNT": "16"}).stdout
        for line in said.splitlines():
            family, size, seconds, held = line.split()
            sizes = found.setdefault(family, {})
            before = sizes.get(int(size), (math.inf, 0))
            sizes[int(size)] = min(before[0], float(seconds)), before[1] or float(held)
        print(f"round {number + 1} of {rounds}", file=sys.stderr, flush=True)
    return found


def exponent(sizes):
    points = [(math.log(n), math.log(seconds)) for n, (seconds, _) in sizes.items()]
    x, y = (sum(p[i] for p in points) / len(points) for i in (0, 1))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)


def draw(found, file):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(10, 7), layout="constrained")
    for number, (family, sizes) in enumerate(found.items()):
        style = {"marker": "os^Dv"[number % 5], "linestyle": ("-", "--", ":")[number % 3]}
        label = f"{family.replace('_', ' ')}: {exponent(sizes):.2f}"
        axes.loglog(list(sizes), [seconds for seconds, _ in sizes.values()], label=label, **style)
    axes.set_xlabel("n")
    axes.set_ylabel("seconds")
    axes.set_title("What grows, and how: seconds by n, with the exponent")
    axes.grid(visible=True, which="major", alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(file, dpi=120)
    print(f"picture: {file}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bin/bench_scale")
    parser.add_argument("--tensors", type=int, default=10**7, help="the largest number of live tensors (default: 10^7, which take 4 GB)")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--picture", default="build/scale.png")
    args = parser.parse_args()
    if args.tensors < 10**4:
        parser.error("--tensors wants at least 10000, for an exponent takes two sizes")
    found = measured([args.program, str(args.tensors)], args.rounds)
    above = []
    for family, sizes in found.items():
        e = exponent(sizes)
        if e > LIMIT:
            above.append(f"{e:.2f}  {family}")
        print(f"\n{family.replace('_', ' ')}: exponent {e:.2f}")
        for n, (seconds, held) in sizes.items():
            print(f"  {n:>10}{seconds / n * 1e9:>12.1f} ns each" + (f"{held / n:>10.0f} bytes each" if held else ""))
    print(f"\nabove {LIMIT}: {len(above)}", *(f"  {line}" for line in sorted(above, reverse=True)), sep="\n")
    draw(found, args.picture)
    return 1 if above else 0


sys.exit(main())
