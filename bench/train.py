# SPDX-License-Identifier: Apache-2.0
"""Training steps next to PyTorch's: a step is forward, loss, backward and the optimiser's step on a batch that is there.

./dev bench --train    (PyTorch comes from PyPI into build/peers)

Each library works in a process of its own, and both run the same program below: its nets, losses and optimisers. Rounds
take turns, so that what else the machine does meets both; shown are medians of seven rounds, PyTorch's divided by ours, and
the peak of each process's resident memory."""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time

ROUNDS = 7


def nets(torch, nn):
    """name: (net, inputs, targets, steps of a round)"""

    class Classifier(nn.Module):
        """Encoder layers over [batch, sequence, d]; the mean over the sequence is classified."""

        def __init__(self):
            super().__init__()
            self.first = nn.TransformerEncoderLayer(128, 4, 512, dropout=0.0, batch_first=True)
            self.second = nn.TransformerEncoderLayer(128, 4, 512, dropout=0.0, batch_first=True)
            self.head = nn.Linear(128, 10)

        def forward(self, x):
            return self.head(self.second(self.first(x)).mean(1))

    digits = nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(512, 64), nn.ReLU(), nn.Linear(64, 10))  # fmt: skip
    mlp = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    return {
        "digits net, batch 64": (digits, torch.randn(64, 1, 8, 8), torch.randint(0, 10, (64,)), 40),
        "MLP 784-256-10, batch 128": (mlp, torch.randn(128, 784), torch.randint(0, 10, (128,)), 60),
        "transformer, 2 layers, d 128, batch 16 x 64": (
            Classifier(), torch.randn(16, 64, 128), torch.randint(0, 10, (16,)), 6),  # fmt: skip
    }


def waits(torch, cases, loss, optim):
    """How often ten steps of each net wait for a device that works beside its caller, as the runtime counts it."""
    if not torch.sim.is_available():
        return "no simulated device is there to count on"
    counted = []
    for net, x, y, _ in cases.values():
        net.to("sim:0")
        x, y, adam = x.to("sim:0"), y.to("sim:0"), optim.Adam(net.parameters(), lr=1e-3)
        torch.sim.synchronize(0)
        before = torch.sim.waits(0)
        for _ in range(10):
            adam.zero_grad()
            loss(net(x), y).backward()
            adam.step()
        counted.append(torch.sim.waits(0) - before)
        torch.sim.synchronize(0)
    return "waits for sim:0 in ten steps of each: " + ", ".join(map(str, counted))


def serve(library, threads):
    """Runs the rounds that stdin names, and answers with seconds of a step and the peak in bytes. "waits" has an answer too."""
    if library == "backplane":
        import backplane.torch as torch
        from backplane.torch import nn, optim

        import backplane

        backplane.set_num_threads(threads)
    else:
        import torch
        from torch import nn, optim

        torch.set_num_threads(threads)
    torch.manual_seed(1)
    cases = nets(torch, nn)
    loss = nn.CrossEntropyLoss()
    ready = {}
    print("ready", torch.__version__, flush=True)
    for line in sys.stdin:
        name = line.strip()
        if name == "waits":
            print(waits(torch, nets(torch, nn), loss, optim), flush=True)
            continue
        if name not in ready:
            net, x, y, n = cases[name]
            ready[name] = net, x, y, n, optim.Adam(net.parameters(), lr=1e-3)
        net, x, y, n, adam = ready[name]
        start = time.perf_counter()
        for _ in range(n):
            adam.zero_grad()
            loss(net(x), y).backward()
            adam.step()
        seconds = (time.perf_counter() - start) / n
        print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, flush=True)


class Worker:
    def __init__(self, python, library, threads):
        self.process = subprocess.Popen([python, "-W", "ignore", __file__, "--serve", library, "--threads", str(threads)],
                                        text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # fmt: skip
        self.version = self.process.stdout.readline().split()[1]

    def ask(self, what):
        self.process.stdin.write(what + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def round(self, name):
        seconds, peak = self.ask(name).split()
        return float(seconds), int(peak)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--serve")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--peer", help="a Python that has PyTorch")
    args = parser.parse_args()
    if args.serve:
        return serve(args.serve, args.threads)
    threads = args.threads or len(os.sched_getaffinity(0))
    names = list(NAMES)
    for name in names:  # fresh processes, so that each net's memory is its own
        workers = {"backplane": Worker(sys.executable, "backplane", threads), "PyTorch": Worker(args.peer, "torch", threads)}
        if name == names[0]:
            print(f"backplane {workers['backplane'].version}, PyTorch {workers['PyTorch'].version}, {threads} threads")
            print(f"{'':<44}{'ours':>10}{'PyTorch':>12}{'speed':>8}{'memory, ours':>16}{'PyTorch':>10}")
        for worker in workers.values():
            worker.round(name)  # warm, and what libraries load at first use
        times, peaks = {library: [] for library in workers}, {}
        for _ in range(ROUNDS):
            for library, worker in workers.items():
                seconds, peaks[library] = worker.round(name)
                times[library].append(seconds)
        if name == names[-1]:
            counted = workers["backplane"].ask("waits")
        for worker in workers.values():
            worker.process.stdin.close()
            worker.process.wait()
        ours, theirs = (statistics.median(times[library]) for library in workers)
        mb = [peaks[library] / 2**20 for library in workers]
        print(f"{name:<44}{ours * 1e3:>7.2f} ms{theirs * 1e3:>9.2f} ms{theirs / ours:>7.2f}x{mb[0]:>13.0f} MB{mb[1]:>7.0f} MB", flush=True)
    print(counted)


NAMES = ("digits net, batch 64", "MLP 784-256-10, batch 128", "transformer, 2 layers, d 128, batch 16 x 64")
main()
