# SPDX-License-Identifier: Apache-2.0
"""The Python package next to NumPy and, where it is installed, PyTorch, in one run: calls, and the time of importing.

./dev bench --python [--peers]    PEERS in sys.argv[1]: a folder of packages that joins the search path

Rounds of all rivals take turns, so that what else the machine does meets all of them; a rival's best round is shown,
and its ratio to ours."""

import subprocess
import sys
import time

ROUNDS = 41


def seconds_of(f, n):
    start = time.perf_counter()
    for _ in range(n):
        f()
    return (time.perf_counter() - start) / n


def best(rivals, batch):
    """Seconds of one call for each of {name: function}."""
    for f in rivals.values():
        seconds_of(f, max(2, batch // 10))
    rounds = {name: [] for name in rivals}
    for _ in range(ROUNDS):
        for name, f in rivals.items():
            rounds[name].append(seconds_of(f, batch))
    return {name: min(times) for name, times in rounds.items()}


def text(seconds):
    for unit, size in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} s"


def row(case, found):
    ours = found["backplane"]
    others = "".join(f"   {name} {text(s)} ({s / ours:.2f}x)" for name, s in found.items() if name != "backplane")
    print(f"{case:<34}{text(ours):>10}{others}", flush=True)


def compare(libraries):
    for n, batch in ((4, 20000), (1000, 10000), (100_000, 200), (1_000_000, 20)):
        for dtype in ("float32", "float64"):
            pairs = {name: make(n, dtype) for name, make in libraries.items()}
            row(f"a + b, {n} elements of {dtype}", best({name: lambda a=a, b=b: a + b for name, (a, b) in pairs.items()}, batch))
    pairs = {name: make(4) for name, make in libraries.items()}
    row("a * 2, 4 elements", best({name: lambda a=a: a * 2 for name, (a, _) in pairs.items()}, 20000))
    row("a[1:3], 4 elements", best({name: lambda a=a: a[1:3] for name, (a, _) in pairs.items()}, 20000))
    row("a.sum(), 4 elements", best({name: lambda a=a: a.sum() for name, (a, _) in pairs.items()}, 20000))


def seconds_to(code):
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return time.perf_counter() - start


def compare_imports():
    lines = {"nothing": "pass", "numpy": "import numpy", "backplane": "import backplane",
             "numpy and backplane": "import numpy, backplane"}  # fmt: skip
    times = {name: [] for name in lines}
    for _ in range(15):
        for name, code in lines.items():
            times[name].append(seconds_to(code))
    found = {name: min(t) for name, t in times.items()}
    bare = found.pop("nothing")
    for name, t in found.items():
        print(f"import {name:<27}{text(t - bare):>10}")
    print(f"beyond NumPy's{'':<20}{text(max(0.0, found['numpy and backplane'] - found['numpy'])):>10}")


def main():
    import backplane as bp
    import numpy as np

    print(f"backplane {bp.__version__}, NumPy {np.__version__}", end="")

    def numpys(n, dtype="float32"):
        return np.linspace(0, 1, n, dtype=dtype), np.ones(n, dtype)

    def ours(n, dtype="float32"):
        return tuple(bp.tensor(a) for a in numpys(n, dtype))

    libraries = {"backplane": ours, "NumPy": numpys}
    if len(sys.argv) > 1:
        sys.path.append(sys.argv[1])
        import torch

        print(f", PyTorch {torch.__version__}", end="")
        libraries["PyTorch"] = lambda n, dtype="float32": tuple(torch.tensor(a) for a in numpys(n, dtype))
    print(f"; {bp.get_num_threads()} threads\n{'':<34}{'ours':>10}   rivals: time, and how many times ours")
    compare(libraries)
    compare_imports()


main()
