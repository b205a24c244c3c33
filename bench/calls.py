# SPDX-License-Identifier: Apache-2.0
"""What calls of the Python package cost beside another build of it, in one run: CPU time, in turns, or instructions.

    bench/calls.py BASE [--new FOLDER] [--rounds N] [--only TEXT] [--instructions]

BASE and FOLDER hold a package `backplane`, such as the python/ of a build tree that ./dev py made; FOLDER is build/release/python
by default. Each build has a process of its own, of one thread, on one core that they share. They take turns, round after round, so
that what else the machine does meets both. Where a process lies in memory makes its calls some percent slower or faster, so several
pairs of them are measured; a ratio is the median, over all rounds, of new by base. A call that a build does not have is left out and
named at the end. With a case above the limit the exit status is 1.

On a busy machine times of calls that run the same instructions differ by several percent. --instructions counts them instead, by
Valgrind's callgrind, which must be installed: the same numbers in each run."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import median
from time import process_time

LIMIT = 1.03
SECONDS = 0.004  # of one measurement, about
COUNTED = 400  # calls whose instructions are counted

# What the calls use. It runs in both builds, once for each group of cases.
SETUP = """
import backplane as bp, numpy as np
import backplane.torch as torch
bp.set_num_threads(1)
x, y, m, ints = bp.ones(4), bp.ones(4), bp.ones((3, 4)), bp.arange(4)
mask, one, d = bp.ones(4) > 0, bp.ones(()), bp.ones((3, 4, 2))
g = bp.ones(4).requires_grad_()
square, sides = bp.eye(3), [x, y]
a, listed, cpu = np.ones(4, np.float32), [1.0, 2.0, 3.0, 4.0], bp.device("cpu")
t, u, tm, ti = torch.ones(4), torch.ones(4), torch.ones(3, 4), torch.arange(4)
nn, F = bp.nn, bp.nn.functional
linear, relu, net = nn.Linear(4, 3), nn.ReLU(), nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3))
tlinear, loss, target = torch.nn.Linear(4, 3), nn.MSELoss(), bp.ones((3, 3))
norm, drop, conv, image = nn.LayerNorm(4), nn.Dropout(0.0), nn.Conv2d(1, 2, 3), bp.ones((1, 1, 6, 6))
w = nn.Linear(4, 3)
sgd = bp.optim.SGD(w.parameters(), lr=0.0)
(w(m) ** 2).sum().backward()
"""

CASES = {
    "factories": """
bp.zeros((4,)) | bp.zeros(4) | bp.ones((3, 4)) | bp.empty((4,)) | bp.full((4,), 2.0) | bp.arange(4) | bp.arange(0, 8, 2)
bp.linspace(0, 1, 5) | bp.eye(3) | bp.zeros((4,), dtype=bp.int64) | bp.zeros((4,), dtype=bp.float32, device="cpu")
bp.ones((4,), device=cpu) | bp.zeros_like(x) | bp.ones_like(x) | bp.empty_like(x) | bp.full_like(x, 2.0) | bp.rand(4) | bp.randn(4)
bp.randint(0, 9, (4,)) | bp.tensor(listed) | bp.tensor(1.0) | bp.asarray(listed) | bp.tril(m) | bp.meshgrid(x, y)""",
    "unary": """
bp.exp(x) | bp.sqrt(x) | bp.abs(x) | bp.negative(x) | bp.isnan(x) | bp.round(x) | bp.sign(x) | bp.logical_not(mask) | bp.floor(x)
bp.positive(x) | bp.ops.exp(x) | bp.square(m) | bp.relu(x) | bp.sigmoid(x)""",
    "binary": """
bp.add(x, y) | bp.add(x, 1.0) | bp.multiply(x, y) | bp.divide(x, 2) | bp.maximum(x, y) | bp.pow(x, 2) | bp.equal(x, y)
bp.where(mask, x, y) | bp.matmul(m, x) | bp.matmul(square, square) | bp.logical_and(mask, mask) | bp.clip(x, 0.0, 1.0)
bp.floor_divide(ints, 2) | bp.tensordot(square, square, axes=1) | bp.vecdot(x, y) | bp.ops.add(x, y) | bp.add(x, one)""",
    "operators": """
x + y | x + 1 | 1 + x | x - 1.5 | x * y | x / y | x ** 2 | -x | abs(x) | x < y | x > 0 | x == y | x == 1 | x != y | x @ y | m @ x
x // 2 | ints % 3 | ints & 1 | ~ints | mask & mask | x + one | m + x | bool(one) | float(one) | len(x) | x.__iadd__(0.0)""",
    "reductions": """
bp.sum(x) | bp.sum(m) | bp.sum(x, axis=0) | bp.sum(m, axis=1) | bp.sum(m, axis=(0, 1)) | bp.sum(m, axis=1, keepdims=True)
bp.sum(ints) | bp.mean(x) | bp.mean(m, axis=0) | bp.max(x) | bp.max(m, axis=1) | bp.min(x) | bp.prod(x) | bp.any(mask) | bp.all(mask)
bp.var(x) | bp.std(m, axis=0) | bp.argmax(x) | bp.argmax(m, axis=1) | bp.argmin(x) | bp.count_nonzero(x) | bp.cumulative_sum(x)
bp.cumulative_sum(m, axis=1) | bp.ops.sum(x) | x.sum() | x.mean() | m.sum(0) | m.sum(axis=1) | m.max(axis=0) | m.sum(dim=1)""",
    "shapes": """
bp.reshape(m, (4, 3)) | bp.squeeze(bp.expand_dims(x, axis=0), axis=0) | bp.expand_dims(x, axis=0) | bp.permute_dims(m, (1, 0))
bp.concat([x, y]) | bp.concat([m, m], axis=1) | bp.stack([x, y]) | bp.stack([x, y], axis=1) | bp.flip(x) | bp.flip(m, axis=0)
bp.roll(x, 1) | bp.roll(m, 1, axis=0) | bp.moveaxis(m, 0, 1) | bp.repeat(x, 2) | bp.repeat(m, 2, axis=0) | bp.tile(x, (2,))
bp.unstack(m) | bp.unstack(m, axis=1) | bp.broadcast_to(x, (3, 4)) | bp.matrix_transpose(m) | bp.diff(x) | bp.broadcast_arrays(x, m)
bp.take(x, ints) | bp.take(m, ints[:2], axis=0) | bp.take_along_axis(x, ints) | bp.sort(x) | bp.sort(m, axis=0) | bp.argsort(x)
bp.searchsorted(x, y) | bp.nonzero(x) | bp.unique_values(x) | bp.isin(x, y)""",
    "indexing": """
x[0] | x[1:3] | m[0] | m[0, 1] | m[:, 1] | m[None] | m[..., 0] | x[mask] | x[ints] | m[1:, ::2] | x.__setitem__(0, 1.0)
m.__setitem__(0, x) | x.__setitem__(mask, 1.0) | m[-1]""",
    "methods": """
x.shape | x.dtype | x.device | x.ndim | x.dim() | x.numel() | x.item.__name__ | one.item() | x.tolist() | m.T | m.mT | m.reshape(4, 3)
m.reshape((4, 3)) | m.view(12) | m.flatten() | x.unsqueeze(0) | m.transpose(0, 1) | m.permute(1, 0) | x.contiguous() | x.clone()
x.detach() | x.exp() | x.exp_() | x.add(y) | x.to(bp.float32) | x.to(bp.float64) | x.to("cpu") | x.to("cpu", bp.float64)
x.expand(3, 4) | x.is_contiguous() | repr(one) | x.requires_grad | g.requires_grad | g * 2 | (g * 2).sum().backward() | x.add_(y)
iter(x) | x.device.type | x.to(bp.int64) | x.float() | x.double() | x.cpu() | x.sum().item()""",
    "linear algebra and spectra": """
bp.linalg.norm(m) | bp.linalg.vector_norm(x) | bp.linalg.vector_norm(m, axis=1) | bp.linalg.inv(square) | bp.linalg.det(square)
bp.linalg.solve(square, square) | bp.linalg.matmul(square, square) | bp.linalg.qr(square) | bp.linalg.matrix_norm(m)
bp.fft.fft(x) | bp.fft.rfft(x, axis=0) | bp.fft.fftn(m, axes=(0, 1)) | bp.fft.fftshift(x) | bp.einsum("ij,j->i", m, x)""",
    "networks": """
linear(m) | relu(m) | net(m) | norm(m) | drop(m) | conv(image) | loss(linear(m), target) | F.relu(x) | F.softmax(m, dim=1)
F.linear(m, linear.weight) | F.mse_loss(x, y) | linear.weight | list(net.parameters()) | sgd.step() | sgd.zero_grad(False)
net.train() | net.state_dict() | nn.Linear(4, 3) | F.cross_entropy(m, ints[:3]) | loss(linear(m), target).backward()""",
    "torch": """
torch.zeros(4) | torch.ones(3, 4) | torch.zeros((3, 4)) | torch.tensor(listed) | torch.arange(4) | torch.full((4,), 2.0)
torch.rand(4) | torch.eye(3) | torch.zeros_like(t) | torch.exp(t) | torch.add(t, u) | t + u | t * 2 | t == u | torch.sum(t)
t.sum() | tm.sum(0) | tm.sum(dim=1) | tm.sum(dim=1, keepdim=True) | tm.mean(dim=0) | tm.max(dim=1) | tm.max() | torch.max(tm, 1)
tm.argmax(dim=1) | tm.var(dim=0) | tm.std() | torch.cat([t, u]) | torch.cat([tm, tm], dim=1) | torch.stack([t, u])
torch.matmul(tm, t) | tm @ t | tm.softmax(dim=1) | torch.softmax(tm, 1) | tm.size() | tm.size(0) | tm.shape | tm.view(4, 3) | tm.t()
t.unsqueeze(0) | tm.squeeze() | tm.permute(1, 0) | tm.flatten() | torch.where(t > 0, t, u) | t[0] | t[1:3] | t[ti] | tm.sort(dim=1)
tm.topk(2) | tm.chunk(3) | tm.split(1) | tm.any() | tm.all(dim=1) | torch.nn.functional.relu(t) | tlinear(tm) | t.to(torch.float64)
t.float() | t.item.__name__ | torch.squeeze(tm, 0) | tm.norm() | tm.gather(1, ti[:3].reshape(3, 1)) | tm.cumsum(dim=0)
torch.flip(tm, (0,)) | torch.clamp(t, 0.0, 1.0) | t.clamp(min=0.0) | torch.linspace(0, 1, 5) | torch.empty(4)""",
    "exchange": """
bp.asarray(a) | bp.tensor(a) | bp.asarray(x) | bp.from_dlpack(a) | bp.from_dlpack(x) | np.asarray(x) | np.from_dlpack(x) | x.numpy()
bp.asarray(a, dtype=bp.float64) | bp.asarray(a, copy=True) | torch.from_numpy(a) | torch.as_tensor(a) | memoryview(x) | x * np.float32(2)
np.float32(2) * x | bp.asarray(2.0) | bp.isdtype(bp.float32, "real floating") | bp.result_type(x, ints) | bp.finfo(bp.float32)
x.dtype == bp.float32 | x.dtype is bp.float32 | bp.astype(x, bp.float64) | bp.astype(x, bp.float32) | bp.can_cast(x, bp.float64)""",
}


def cases(only=""):
    for group, text in CASES.items():
        for call in text.strip().replace("\n", " | ").split(" | "):
            if only in f"{group}: {call}":
                yield group, call


def serve():
    """Answers each line `count call` with the CPU seconds of so many calls, or with what it raises."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    environment, made = {}, {}
    exec(SETUP, environment)
    for line in sys.stdin:
        count, _, call = line.rstrip("\n").partition(" ")
        try:
            if call not in made:
                scope = dict(environment)
                exec(f"def run(n):\n  for _ in range(n): {call}", scope)
                made[call] = scope["run"]
            start = process_time()
            made[call](int(count))
            print(process_time() - start, flush=True)
        except Exception as e:
            print(f"{type(e).__name__}: {e}".splitlines()[0], flush=True)


def count(only, reached):
    """Makes each call COUNTED times between two calls of getpgid, at which callgrind writes what it has counted, and then writes the
    call into the file `reached`. Calls that fail are left out."""
    environment, last = {}, None
    with open(reached, "w", buffering=1) as done:
        for group, call in cases(only):
            if group != last:
                environment, last = {}, group
                exec(SETUP, environment)
            try:
                run = eval(f"lambda: {call}", environment)
                for _ in range(60):  # what is made once has been
                    run()
            except Exception:
                continue
            os.getpgid(0)
            for _ in range(COUNTED):
                run()
            os.getpgid(0)
            print(call, file=done)


def instructions(folder, only):
    """Instructions of one call, by call."""
    environment = {**os.environ, "PYTHONPATH": str(Path(folder).resolve()), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    with tempfile.TemporaryDirectory() as made:
        parts, reached = Path(made, "part"), Path(made, "reached")
        subprocess.run(["valgrind", "--tool=callgrind", "--dump-before=getpgid", f"--callgrind-out-file={parts}",
                        sys.executable, "-P", __file__, "--count", reached, "--only", only],
                       env=environment, capture_output=True, check=True)  # fmt: skip
        numbers = {}
        for i, call in enumerate(reached.read_text().splitlines()):
            part = Path(f"{parts}.{2 * i + 2}").read_text()  # the one before is of what came before the counted calls
            numbers[call] = int(re.search(r"^(?:totals|summary): (\d+)", part, re.MULTILINE)[1]) / COUNTED
    return numbers


class Build:
    """A process in which one build of the package answers."""

    def __init__(self, folder):
        environment = {**os.environ, "PYTHONPATH": str(Path(folder).resolve()), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen([sys.executable, "-P", __file__, "--serve"], env=environment, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip

    def seconds(self, call, count):
        """CPU seconds of count calls, or the error's text."""
        self.process.stdin.write(f"{count} {call}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        try:
            return float(answer)
        except ValueError:
            return answer or "the process ended"


def compare(pairs, call, rounds):
    """The medians of one call's seconds in both builds, and of their ratio; or the text of an error."""
    found = []
    for base, new in pairs:
        for build in (base, new):
            if isinstance(error := build.seconds(call, 3), str):
                return f"{'base' if build is base else 'new'}: {error}"
        count = max(1, int(SECONDS / max(1e-9, min(build.seconds(call, 200) / 200 for build in (base, new)))))
        for i in range(rounds):
            pair = {build: build.seconds(call, count) / count for build in ((base, new) if i % 2 else (new, base))}
            found.append((pair[base], pair[new]))
    return median(b for b, _ in found), median(n for _, n in found), median(n / b for b, n in found)


def timed(given):
    """Each case with the text of base and new and their ratio, or with an error's text."""
    pairs = [(Build(given.base), Build(given.new)) for _ in range(given.pairs)]
    for group, call in cases(given.only):
        found = compare(pairs, call, given.rounds)
        yield group, call, found if isinstance(found, str) else (f"{found[0] * 1e6:.2f} us", f"{found[1] * 1e6:.2f} us", found[2])


def counted(given):
    """The same of instructions."""
    with ThreadPoolExecutor() as both:
        base, new = both.map(lambda folder: instructions(folder, given.only), (given.base, given.new))
    for group, call in cases(given.only):
        missing = [name for name, numbers in (("base", base), ("new", new)) if call not in numbers]
        yield group, call, f"{missing[0]}: it fails" if missing else (f"{base[call]:.0f}", f"{new[call]:.0f}", new[call] / base[call])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("base", nargs="?")
    arguments.add_argument("--new", default=Path(__file__).parents[1] / "build/release/python")
    arguments.add_argument("--pairs", type=int, default=7, help="of processes")
    arguments.add_argument("--rounds", type=int, default=4, help="in each pair")
    arguments.add_argument("--only", default="", help="the cases whose 'group: call' contains this")
    arguments.add_argument("--instructions", action="store_true", help="count them, in one process of each build")
    arguments.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    arguments.add_argument("--count", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.serve:
        return serve()
    if given.count:
        return count(given.only, given.count)
    if not given.base or not (Path(given.base) / "backplane").exists():
        arguments.error(f"there is no package backplane in {given.base}")
    slower, left_out, last, ratios = [], [], "", []
    for group, call, found in counted(given) if given.instructions else timed(given):
        if isinstance(found, str):
            left_out.append(f"{call}: {found}")
            continue
        if group != last:
            print(f"{group:<52}{'base':>9}{'new':>9}   ratio")
            last = group
        row = f"  {call:<50}{found[0]:>9}{found[1]:>9}   {found[2]:.3f}"
        print(row, flush=True)
        ratios.append(found[2])
        if found[2] > LIMIT:
            slower.append(row)
    print(f"{len(ratios)} cases, median ratio {median(ratios or [1]):.3f}, {len(slower)} above {LIMIT}", *slower, sep="\n")
    print(*(f"left out: {text}" for text in left_out), sep="\n")
    return 1 if slower else 0


if __name__ == "__main__":
    sys.exit(main())
