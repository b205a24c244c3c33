# SPDX-License-Identifier: Apache-2.0
"""bench/groups: the simulated step beside cases whose answer is known and beside real runs, and the limits of the cost model. Times of
real runs are printed (pytest -s) and not compared, because other work on a machine may take any part of it: what must agree is which
buckets there are, in which order they are exchanged, and how often."""

import importlib.util
import itertools
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from typing import Any

import backplane as bp
import pytest

ROOT = pathlib.Path(__file__).parents[2]
GROUPS = ROOT / "bench/groups"
MIB = 1 << 20


def loaded(name: str) -> Any:
    sys.path.append(str(GROUPS))
    try:
        spec = importlib.util.spec_from_file_location(name, GROUPS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module
    finally:
        sys.path.remove(str(GROUPS))


pytest.importorskip("numpy")
schedule = loaded("schedule")
model = loaded("cost_model")
measure = loaded("measure")
LINK = model.Link(3e-6, 2e-10)


def lines_of(script, *arguments):
    return subprocess.run([sys.executable, str(GROUPS / script), *arguments], capture_output=True, text=True, check=True).stdout


# ---- buckets ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sizes", "bucket", "buckets"), [
    ([], 100, []),
    ([4], 100, [[0]]),
    ([10, 20, 30], 60, [[2, 1, 0]]),
    ([10, 20, 30], 59, [[2, 1], [0]]),
    ([10, 20, 300], 30, [[2], [1, 0]]),  # what is larger than a bucket is alone in it
    ([10, 300, 20], 30, [[2], [1], [0]]),
    ([8, 8, 8], 0, [[2], [1], [0]]),
    ([0, 8, 0], 8, [[2, 1, 0]]),
    ([MIB, MIB, MIB, MIB], 3 * MIB, [[3], [2, 1, 0]]),  # the first one has at most 1 MiB
    ([MIB, MIB // 2, MIB // 2, MIB // 2], 25 * MIB, [[3, 2], [1, 0]]),
])  # fmt: skip
def test_buckets_are_filled_as_the_library_fills_them(sizes, bucket, buckets):
    assert schedule.fill_buckets(sizes, bucket) == buckets


def test_a_bucket_has_one_dtype():
    assert schedule.fill_buckets([4, 4, 2, 4], 100, ["f32", "f32", "f16", "f32"]) == [[3], [2], [1, 0]]


# ---- the schedule ----------------------------------------------------------------------------------------------------


def evenly(n, forward, each):
    """When the gradients of n parameters are there, of which each takes as long."""
    return [forward + (n - i) * each for i in range(n)]


def steady(cost):
    return lambda n_bytes: cost


def test_one_rank_exchanges_nothing():
    step = schedule.simulate([100, 100], [3.0, 2.0], steady(1.0), n_ranks=1, after=0.5)
    assert (step.seconds, step.exposed, step.buckets) == (3.5, 0.0, ())


def test_one_bucket_is_exchanged_after_the_last_gradient():
    step = schedule.simulate([100, 100], [3.0, 2.0], steady(1.0), after=0.5)
    assert (step.seconds, step.exposed, step.exchanged) == (4.5, 1.0, 1.0)
    assert [(b.params, b.n_bytes, b.begin, b.end) for b in step.buckets] == [((1, 0), 208, 3.0, 4.0)]


@pytest.mark.parametrize(("n", "each", "cost"), [(8, 2.0, 1.0), (8, 1.0, 1.0), (8, 1.0, 3.0), (1, 1.0, 5.0)])
def test_equal_buckets_are_bound_by_backward_or_by_the_exchanges(n, each, cost):
    step = schedule.simulate([8] * n, evenly(n, 10.0, each), steady(cost), bucket_bytes=8)
    assert [b.params for b in step.buckets] == [(i,) for i in reversed(range(n))]
    assert step.seconds == 10 + (n * each + cost if cost <= each else each + n * cost)
    assert all(a.end <= b.begin for a, b in itertools.pairwise(step.buckets))


def test_without_overlap_all_exchanges_come_after_backward():
    step = schedule.simulate([8] * 5, evenly(5, 10.0, 1.0), steady(3.0), bucket_bytes=8, overlap=False)
    assert (step.seconds, step.exposed, step.exchanged) == (30.0, 15.0, 15.0)
    assert step.buckets[0].begin == 15.0


def test_an_exchange_waits_for_the_slowest_member():
    ready = evenly(4, 10.0, 1.0)
    punctual = schedule.simulate([8] * 4, ready, steady(0.5), bucket_bytes=8, n_ranks=3)
    late = schedule.simulate([8] * 4, ready, steady(0.5), bucket_bytes=8, n_ranks=3, delays=[0.0, 7.0, 2.0])
    assert late.seconds == punctual.seconds + 7 and late.exposed == punctual.exposed == 0.5
    assert [b.begin for b in late.buckets] == [b.begin + 7 for b in punctual.buckets]
    assert late.buckets[0].ready == (11.0, 18.0, 13.0)


def test_buckets_keep_their_order_when_a_later_one_is_complete_before():
    step = schedule.simulate([8, 8, 8], [1.0, 2.0, 9.0], steady(1.0), bucket_bytes=8)
    assert [(b.params, b.begin) for b in step.buckets] == [((2,), 9.0), ((1,), 10.0), ((0,), 11.0)]


def test_copies_are_paid_by_the_thread_of_backward():
    step = schedule.simulate([100], [3.0], steady(1.0), copy_seconds=0.01)
    assert step.seconds == pytest.approx(3 + 1 + 1 + 1)
    two = schedule.simulate([100, 100], [3.0, 2.0], steady(0.0), copy_seconds=0.01, bucket_bytes=100)
    assert [b.begin for b in two.buckets] == pytest.approx([3.0, 5.0])  # the first copy delays the second gradient
    assert two.seconds == pytest.approx(3 + 2 * (1 + 1))


def test_overlap_is_never_slower_nor_faster_than_what_bounds_it():
    for n, each, cost, bucket in itertools.product((3, 20), (0.5, 2.0), (0.1, 1.0, 5.0), (8, 40, 1000)):
        sizes, ready = [8] * n, evenly(n, 1.0, each)
        with_it, without = (schedule.simulate(sizes, ready, steady(cost), bucket_bytes=bucket, overlap=on) for on in (True, False))
        assert with_it.seconds <= without.seconds
        assert with_it.seconds >= max(with_it.alone, 1 + with_it.exchanged)


def test_the_schedule_prints_and_draws(tmp_path):
    said = lines_of("schedule.py", "--ranks", "3", "--delay", "0", "0.01", "--picture", str(tmp_path / "step.svg"))
    assert len(re.findall(r"^bucket \d+: ", said, re.M)) == 16 and "are exposed" in said
    drawn = xml.etree.ElementTree.parse(tmp_path / "step.svg").getroot()
    assert len(drawn.findall("{*}rect")) == 1 + 3 * 16 + 16  # the ground, gradients, exchanges


# ---- the cost model --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(model.ALGORITHMS))
def test_one_rank_costs_nothing(name):
    for net in model.INTERCONNECTS.values():
        assert model.all_reduce(1e8, 1, net, name)[0] == 0 == model.ALGORITHMS[name](1e8, 1, net)


def test_a_ring_moves_twice_all_but_one_part():
    for p in (2, 3, 8, 1000):
        assert model.ring(1e6, p, model.Link(0, 1)) == pytest.approx(2 * (p - 1) / p * 1e6)
        assert model.ring(0, p, model.Link(1, 0)) == 2 * (p - 1)
    assert model.ring(1e6, 4096, model.Link(0, 1)) == pytest.approx(2e6, rel=1e-3)


def test_the_other_algorithms_have_the_costs_of_their_authors():
    for k in range(1, 13):
        p = 1 << k
        assert model.recursive_doubling(1e6, p, LINK) == pytest.approx(k * (LINK.alpha + 1e6 * LINK.beta))
        assert model.rabenseifner(1e6, p, LINK) == pytest.approx(2 * k * LINK.alpha + 2 * (p - 1) / p * 1e6 * LINK.beta)
        assert model.binomial(1e6, p, LINK) == pytest.approx(2 * k * (LINK.alpha + 1e6 * LINK.beta))
        assert model.rabenseifner(1e6, p, model.Link(0, 0), 1.0) == pytest.approx((p - 1) / p * 1e6)
    assert model.binomial(1e6, 5, LINK) == pytest.approx(6 * (LINK.alpha + 1e6 * LINK.beta))


@pytest.mark.parametrize("name", list(model.ALGORITHMS))
def test_two_equal_levels_with_a_port_for_each_rank_are_one(name):
    net = model.Interconnect(LINK, LINK, ranks_per_node=8, ports=8, gamma=1e-10)
    flat = {"ring": model.ring, "doubling": model.recursive_doubling, "rabenseifner": model.rabenseifner, "binomial": model.binomial,
            "hierarchical": lambda n, p, *rest: model.ring(n, min(8, p), *rest)}[name]  # fmt: skip
    for p in (2, 8) if name == "hierarchical" else (2, 3, 8, 64, 100, 4096):
        assert model.ALGORITHMS[name](1e6, p, net) == pytest.approx(flat(1e6, p, LINK, 1e-10))


@pytest.mark.parametrize("net", list(model.INTERCONNECTS.values()), ids=list(model.INTERCONNECTS))
@pytest.mark.parametrize("name", ["best", *model.ALGORITHMS])
def test_more_bytes_and_more_ranks_cost_more(name, net):
    sizes = [8 << 2 * k for k in range(13)]
    for p in model.RANKS[1:]:
        costs = [model.all_reduce(n, p, net, name)[0] for n in sizes]
        assert costs[0] > 0 and all(a < b for a, b in itertools.pairwise(costs))
    for n in sizes:
        costs = [model.all_reduce(n, p, net, name)[0] for p in model.RANKS]
        assert all(a < b for a, b in itertools.pairwise(costs))


def test_a_message_that_waits_for_latency_goes_another_way_than_one_that_waits_for_bandwidth():
    net = model.INTERCONNECTS["infiniband-ndr"]
    assert model.all_reduce(8, 4096, net)[1] == "doubling"
    assert model.all_reduce(1e9, 4096, net)[1] in ("hierarchical", "rabenseifner", "ring")
    assert model.all_reduce(1e9, 4096, net)[0] < model.all_reduce(1e9, 4096, net, "binomial")[0] / 5


def test_efficiency_falls_with_ranks_and_rises_with_the_work():
    net = model.INTERCONNECTS["ethernet-100"]
    short, long = model.job_of(25.6e6, 50, 0.05), model.job_of(25.6e6, 50, 0.5)
    for algorithm in ("best", "binomial"):
        rows, other = model.table(short, net, algorithm=algorithm), model.table(long, net, algorithm=algorithm)
        assert rows[0].efficiency == 1 and all(a.efficiency >= b.efficiency > 0 for a, b in itertools.pairwise(rows))
        assert all(a.efficiency <= b.efficiency for a, b in zip(rows, other, strict=True))
        for row in rows:
            assert all(model.step_of(short, row.ranks, net, int(mb * MIB), algorithm).seconds >= row.step for mb in model.BUCKETS_MB)


def test_copies_between_a_device_and_the_host_are_part_of_an_exchange():
    net, job = model.INTERCONNECTS["infiniband-ndr"], model.job_of(1e6, 1, 0.01)
    copied = model.job_of(1e6, 1, 0.01, staging=1e-10)
    more = model.step_of(copied, 8, net, 25 * MIB).exchanged - model.step_of(job, 8, net, 25 * MIB).exchanged
    assert more == pytest.approx(2e-10 * sum(b.n_bytes for b in model.step_of(job, 8, net, 25 * MIB).buckets))


def test_the_page_shows_what_the_model_prints():
    said = lines_of("cost_model.py", "--summary", "--ranks", "1", "2", "4", "8", "16", "64", "256", "1024", "4096")
    table = [line for line in said.splitlines() if line.startswith("|")]
    assert len(table) == 11 and "\n".join(table) in (ROOT / "docs/scale.md").read_text()


def test_the_model_prints_and_draws(tmp_path):
    pytest.importorskip("matplotlib")
    few = ("--ranks", "1", "8", "512", "--bucket-mb", "1", "25", "--interconnect", "ethernet-100", "--algorithm", "best")
    said = lines_of("cost_model.py", *few, "--markdown", "--plot", str(tmp_path / "efficiency.svg"))
    assert said.count("\n| ") == 4 and (tmp_path / "efficiency.svg").stat().st_size > 1000


# ---- beside real runs ------------------------------------------------------------------------------------------------


def test_a_line_is_fitted_to_times():
    a, b, error = measure.fitted({n: 5e-6 + n * 2e-9 for n in measure.SIZES})
    assert a == pytest.approx(5e-6) and b == pytest.approx(2e-9) and error < 1e-6


@pytest.fixture
def mpirun(monkeypatch):
    """The launcher, with an environment in which members find this package."""
    command = shutil.which("mpirun")
    if command is None:
        pytest.skip("there is no mpirun")
    for name, value in measure.ENVIRONMENT.items():
        monkeypatch.setenv(name, value)
    if not bp.distributed.is_available():
        pytest.skip("there is no plugin for MPI, or no MPI")
    monkeypatch.setenv("PYTHONPATH", str(pathlib.Path(bp.__file__).parents[1]), prepend=":")
    return command


def test_the_pages_program_learns_the_same_in_one_process_and_in_several(mpirun, tmp_path):
    program = re.search(r"^```python\n(# train\.py\n.*?)^```$", (ROOT / "docs/scale.md").read_text(), re.S | re.M)
    assert program is not None
    (tmp_path / "train.py").write_text(program[1])
    losses = set()
    for n in (1, 2, 4):
        # os.environ is without what an MPI that ran in this process set, and what a launcher would stumble over.
        command, clean = [mpirun, "-n", str(n), sys.executable, "train.py"], {**os.environ}
        said = subprocess.run(command, cwd=tmp_path, env=clean, capture_output=True, text=True, timeout=120)
        found = dict(re.findall(rf"rank (\d) of {n}: loss (\d+\.\d{{4}})", said.stdout))  # lines of two may meet
        assert sorted(found) == [str(rank) for rank in range(n)], said
        losses |= {float(loss) for loss in found.values()}
    assert max(losses) == pytest.approx(min(losses), rel=1e-3)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_real_steps_exchange_the_simulated_buckets_in_the_simulated_order(n, mpirun):
    found = measure.run(n, "step", mpirun, width=400, n_layers=8, batch=16, bucket_mb=1.5, rounds=5)
    step = measure.simulated(found, n)
    buckets = [b.n_bytes for b in step.buckets]
    assert len(buckets) > 3 and len(set(map(tuple, found["orders"]))) == 1
    assert found["orders"][0] == buckets
    whole = len(schedule.fill_buckets(found["sizes"], 1 << 32))  # 2: the first one has at most 1 MiB
    expected = {"alone": 0, "overlapped": len(buckets), "afterwards": len(buckets), "one bucket": whole}
    assert dict(found["counts"]) == expected and len(set(map(tuple, found["counts"]))) == 4
    assert math.isfinite(step.seconds) and step.exposed > 0
    for overlap, name in ((True, "overlapped"), (False, "afterwards")):
        real, told = found["seconds"][name], measure.simulated(found, n, overlap).seconds
        print(f"{n} ranks, {name}: simulated {told * 1e3:.3f} ms, measured {real * 1e3:.3f} ms, ratio {told / real:.2f}")
