# SPDX-License-Identifier: Apache-2.0
"""The schedule of a training step in several processes: when each gradient is there, when each bucket is exchanged, when it is over.

    bench/groups/schedule.py [--ranks N] [--bucket-mb MB] [--delay SECONDS ...] [--no-overlap] [--picture step.svg]

It follows core/train/replicas.cc. Backward makes the gradients of the parameters, the last one first. They fill buckets; a member hands
a bucket over when all of its gradients are there and all buckets before it are handed over. The exchange begins when the last member has
come, and after the exchange before it. finish() waits for all of them, and puts the averages back."""

import argparse
import dataclasses
import itertools
import math
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

FIRST_BUCKET = 1 << 20  # kFirstBucket of replicas.cc
FLAG = 4  # bytes that say of each parameter whether it has a gradient, behind those of the bucket; of f32


def fill_buckets(sizes: Sequence[int], bucket_bytes: int, dtypes: Sequence[object] | None = None) -> list[list[int]]:
    """Returns the numbers of the parameters in each bucket, by the rule of fill_buckets in replicas.cc: from the last parameter to the
    first, one dtype in a bucket, at most 1 MiB in the first one, and what is larger than a bucket alone in one."""
    buckets: list[list[int]] = []
    room, dtype = 0, object()
    for i in reversed(range(len(sizes))):
        its = dtypes[i] if dtypes else None
        if not buckets or its != dtype or room < sizes[i]:
            room, dtype = bucket_bytes if buckets else min(bucket_bytes, FIRST_BUCKET), its
            buckets.append([])
        room -= min(room, sizes[i])
        buckets[-1].append(i)
    return buckets


@dataclasses.dataclass(frozen=True)
class Bucket:
    params: tuple[int, ...]
    n_bytes: int  # that are exchanged: the gradients and a flag for each
    ready: tuple[float, ...]  # when each member has handed it over
    begin: float
    end: float


@dataclasses.dataclass(frozen=True)
class Step:
    seconds: float  # until the last member is through
    alone: float  # the same if nothing were exchanged
    buckets: tuple[Bucket, ...]

    @property
    def exchanged(self) -> float:
        """The seconds in which something is exchanged."""
        return sum(b.end - b.begin for b in self.buckets)

    @property
    def exposed(self) -> float:
        """The seconds that the exchanges add to the step."""
        return self.seconds - self.alone


def simulate(sizes: Sequence[int], ready: Sequence[float], cost: Callable[[int], float], *, bucket_bytes: int = 25 << 20, n_ranks: int = 2,
             delays: Sequence[float] = (), overlap: bool = True, copy_seconds: float = 0.0, after: float = 0.0) -> Step:  # fmt: skip
    """Returns what becomes of one step.

    sizes[i] are the bytes of parameter i and ready[i] the seconds from the step's begin until backward has its gradient; cost(n_bytes) is
    the time of an exchange. delays[rank] is by how much a member begins later. Without overlap the exchanges begin after backward, as
    with bp_replicas_hold. copy_seconds is the time to copy one byte into a bucket, or back: it is spent by the thread of backward. after
    is the time of what follows, such as the optimiser's step."""
    late = list(delays) or [0.0] * n_ranks
    if len(late) != n_ranks:
        raise ValueError(f"{len(late)} delays for {n_ranks} ranks")
    whole = max(ready, default=0.0)
    alone = max(late) + whole + after
    if n_ranks == 1:
        return Step(alone, alone, ())
    filled = fill_buckets(sizes, bucket_bytes)
    n_bytes = [sum(sizes[i] for i in params) for params in filled]
    handed_over = [_handed_over(filled, n_bytes, [t + d for t in ready], d + whole, copy_seconds, overlap) for d in late]
    buckets: list[Bucket] = []
    for k, params in enumerate(filled):
        come = tuple(times[k] for times, _ in handed_over)
        begin = max(max(come), buckets[-1].end if buckets else 0.0)
        there = n_bytes[k] + FLAG * len(params)
        buckets.append(Bucket(tuple(params), there, come, begin, begin + cost(there)))
    ends = []
    for _, now in handed_over:
        for bucket, n in zip(buckets, n_bytes, strict=True):
            now = max(now, bucket.end) + n * copy_seconds
        ends.append(now + after)
    return Step(max(ends), alone, tuple(buckets))


def _handed_over(filled: list[list[int]], n_bytes: list[int], ready: list[float], end: float, copy_seconds: float,
                 overlap: bool) -> tuple[list[float], float]:  # fmt: skip
    """When one member hands each bucket over, and when its backward is through. A copy delays the gradients that come after it."""
    spent, last, times = 0.0, 0.0, []
    for params, n in zip(filled, n_bytes, strict=True):
        there = max(ready[i] for i in params) + spent if overlap else end + spent
        copy = n * copy_seconds
        last = max(there, last) + copy
        spent += copy
        times.append(last)
    return times, max(end + spent, last)


def even_backward(sizes: Sequence[int], forward: float, backward: float) -> list[float]:
    """When each gradient is there, if backward takes as long for a parameter as its size says."""
    total, done, ready = sum(sizes), 0, [0.0] * len(sizes)
    for i in reversed(range(len(sizes))):
        done += sizes[i]
        ready[i] = forward + backward * done / total
    return ready


def layers(n_layers: int, n_params: float) -> list[int]:
    """The bytes of the parameters of n_layers equal layers in f32, each a weight and its bias."""
    width = max(1, round(math.sqrt(n_params / n_layers)))
    return [4 * width * width, 4 * width] * n_layers


# ---- the picture -----------------------------------------------------------------------------------------------------


def picture(step: Step, ready: Sequence[float], delays: Sequence[float]) -> str:
    """The step as an SVG: a lane of gradients for each member, and one of exchanges, with a line from who came last to each."""
    width, left, lane, scale = 900, 90, 34, (900 - 90 - 20) / step.seconds
    shown = [0.0, *sorted(ready)]
    out = []

    def box(y: int, begin: float, end: float, fill: str, title: str) -> None:
        out.append(f'<rect x="{left + begin * scale:.1f}" y="{y}" width="{max((end - begin) * scale, 0.6):.1f}" height="{lane - 10}" '
                   f'fill="{fill}" stroke="#fff" stroke-width="0.6"><title>{title}</title></rect>')  # fmt: skip

    for rank, delay in enumerate(delays):
        y = 10 + rank * lane
        out.append(f'<text x="8" y="{y + 17}">rank {rank}</text>')
        for k, (begin, end) in enumerate(itertools.pairwise(shown)):
            about = "forward and the first gradient" if k == 0 else f"gradient {k + 1}"
            box(y, begin + delay, end + delay, "#c9d7e8" if k == 0 else "#6f95c0", f"{about}: {(end - begin) * 1e3:.3f} ms")
    y = 10 + len(delays) * lane
    out.append(f'<text x="8" y="{y + 17}">exchange</text>')
    for k, b in enumerate(step.buckets):
        about = f"bucket {k}: {b.n_bytes} bytes, from {b.begin * 1e3:.3f} to {b.end * 1e3:.3f} ms"
        box(y, b.begin, b.end, "#d98c4a", about)
        last = b.ready.index(max(b.ready))
        x, top = left + b.ready[last] * scale, 10 + last * lane + lane - 10
        out.append(f'<line x1="{x:.1f}" y1="{top}" x2="{left + b.begin * scale:.1f}" y2="{y}" stroke="#999" stroke-width="0.7"/>')
    y += lane
    about = f"step {step.seconds * 1e3:.2f} ms, of which the exchanges add {step.exposed * 1e3:.2f} ms"
    out.append(f'<text x="{left}" y="{y + 12}">{about}</text>')
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {y + 22}" font-family="sans-serif" font-size="13">'
            f'<rect width="100%" height="100%" fill="#fff"/>{"".join(out)}</svg>\n')  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--parameters", type=float, default=8.4e6, help="how many numbers all layers have together")
    parser.add_argument("--forward", type=float, default=0.02, help="seconds")
    parser.add_argument("--backward", type=float, default=0.04, help="seconds")
    parser.add_argument("--latency", type=float, default=20e-6, help="seconds of an exchange of nothing")
    parser.add_argument("--bandwidth", type=float, default=1e9, help="bytes a second that an exchange brings through")
    parser.add_argument("--bucket-mb", type=float, default=4)
    parser.add_argument("--delay", type=float, nargs="*", default=[], help="seconds by which ranks 0, 1, ... begin later")
    parser.add_argument("--no-overlap", action="store_true")
    parser.add_argument("--picture", type=Path, help="an SVG of the step")
    args = parser.parse_args()
    sizes = layers(args.layers, args.parameters)
    ready = even_backward(sizes, args.forward, args.backward)
    delays = (args.delay + [0.0] * args.ranks)[: args.ranks]
    step = simulate(sizes, ready, lambda n: args.latency + n / args.bandwidth, bucket_bytes=int(args.bucket_mb * (1 << 20)),
                    n_ranks=args.ranks, delays=delays, overlap=not args.no_overlap)  # fmt: skip
    for k, b in enumerate(step.buckets):
        print(f"bucket {k}: {len(b.params):3} gradients {b.n_bytes:10} bytes  begins {b.begin * 1e3:8.3f} ms  ends {b.end * 1e3:8.3f} ms")
    print(f"step {step.seconds * 1e3:.3f} ms; alone {step.alone * 1e3:.3f} ms; exchanged {step.exchanged * 1e3:.3f} ms, "
          f"of which {step.exposed * 1e3:.3f} ms are exposed")  # fmt: skip
    if args.picture:
        args.picture.write_text(picture(step, ready, delays))
        print(f"picture: {args.picture}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
