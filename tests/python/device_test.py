# SPDX-License-Identifier: Apache-2.0
"""Devices: names, counting, moving, default and current ones, streams, events, memory."""

import importlib
import os
import subprocess
import sys
import threading

import backplane as bp
import pytest


def test_names_are_parsed_by_pytorchs_rules():
    d = bp.device("cuda:1")
    assert (d.type, d.index, str(d), repr(d)) == ("cuda", 1, "cuda:1", "device(type='cuda', index=1)")
    assert bp.device("cuda").index is None and repr(bp.device("cuda")) == "device(type='cuda')"
    assert bp.device("cuda", 1) == d == bp.device(d) and hash(bp.device("cuda:1")) == hash(d)
    assert bp.device("cpu") != bp.device("cpu:0")
    assert d != "cuda:1"  # type: ignore[comparison-overlap]  # that they differ is tested
    names = ["cpu", "cpu:0", "cuda", "cuda:0", "cuda:1", "cuda:10", "cuda:100"]
    assert len({hash(bp.device(n)) for n in names}) == len(names)


@pytest.mark.parametrize("name", ["cpu:-1", "cuda:-1", "cuda:2 ", "cuda: 2", "cuda:2 2", "cuda:2.", "cuda:2?", "cuda:?2",
                                  "cuda:", "cuda:2.232", "cuda:2 cuda:3", "cuda:2+cuda:3", "cuda:2cuda:3", "other",
                                  "other:0", "", "CPU", "cuda:2147483648"])
def test_what_is_no_device_is_refused(name):
    with pytest.raises(RuntimeError):
        bp.device(name)


def test_the_index_is_given_once():
    with pytest.raises(RuntimeError, match="type \\(string\\) must not include an index because index was passed explicitly: cuda:0"):
        bp.device("cuda:0", 1)
    with pytest.raises(RuntimeError, match="Device index must not be negative"):
        bp.device("cuda", -1)
    with pytest.raises(TypeError):
        bp.device(1)  # type: ignore[arg-type]  # wrong on purpose


def test_kinds_are_modules():
    sim = importlib.import_module("backplane.sim")
    assert sim is bp.sim and sim.is_available() and sim.device_count() == 4
    assert sim.get_device_name(0) == sim.get_device_properties("sim:1").name
    assert not bp.cuda.is_available() and bp.cuda.device_count() == 0
    assert bp.devices()[0] == bp.device("cpu") and bp.device("sim:3") in bp.devices()
    with pytest.raises(IndexError):
        sim.get_device_name(99)
    with pytest.raises(ValueError, match="Expected a sim device, but got: cpu"):
        sim.get_device_name("cpu")
    assert any(e["kind"] == "sim" and e["status"] == "BP_OK" for e in bp.doctor())


def test_devices_and_doctor_print_as_pages():
    table = repr(bp.devices()).splitlines()
    assert len(table) == 1 + len(bp.devices()) and table[0].split() == ["device", "name", "memory", "driver"]
    (row,) = (line for line in table if line.startswith("sim:0"))
    assert "Simulated accelerator" in row and " GiB" in row
    code = "import backplane as bp\nbp.ones(1); bp.devices()\nprint(bp.doctor())"
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                         env={**os.environ, "BACKPLANE_PLUGIN_PATH": "/nowhere"}).stdout
    assert "[ok] cpu  /" in out and "[!!]" in out and "/nowhere" in out and "why:    " in out and "remedy: " in out


def test_moving_gives_itself_when_nothing_changes():
    x = bp.ones((2, 3))
    y = x.to("sim:1")
    assert str(y.device) == "sim:1" and y.get_device() == 1 and x.get_device() == -1 and y.to("sim:1") is y
    assert x.cpu() is x and y.cpu().tolist() == x.tolist() and x.to(bp.float32) is x and x.to(x) is x
    assert y.to(bp.int32).device == y.device and x.to("sim:2", bp.float64).dtype is bp.float64 and x.to(y).device == y.device
    assert x.to("cpu", copy=True) is not x and y.to_device("cpu").tolist() == x.tolist()
    assert not x.is_cuda and y.to("sim:3").device.index == 3
    with pytest.raises(RuntimeError, match="Invalid device, must be cuda device"):
        x.cuda("sim:1")


def test_the_default_device_is_where_factories_put_data():
    with bp.device("sim:2"):
        assert str(bp.ones(2).device) == "sim:2" and str(bp.asarray([1]).device) == "sim:2"
        assert str(bp.rand(2).device) == "sim:2" and str(bp.ones(2, device="cpu").device) == "cpu"
        with bp.device("cpu"):
            assert str(bp.ones(2).device) == "cpu"
        assert bp.sim.current_device() == 2 and str(bp.ones(2, device="sim").device) == "sim:2"
    assert str(bp.ones(2).device) == "cpu" and bp.sim.current_device() == 0
    bp.set_default_device("sim:1")
    try:
        assert str(bp.arange(3).device) == "sim:1" == str(bp.get_default_device())
    finally:
        bp.set_default_device(None)
    assert str(bp.zeros(1).device) == "cpu"


def test_a_with_statement_restores_after_an_exception_and_nests():
    d = bp.device("sim:3")
    with pytest.raises(KeyError), d, d:
        raise KeyError
    assert str(bp.get_default_device()) == "cpu"


def test_the_current_device_is_of_a_thread():
    seen = []
    with bp.sim.device(3):
        thread = threading.Thread(target=lambda: seen.append(bp.sim.current_device()))
        thread.start()
        thread.join()
        assert bp.sim.current_device() == 3 and str(bp.get_default_device()) == "cpu"
        bp.sim.set_device(1)
    assert bp.sim.current_device() == 0 and seen == [0]
    for wrong in (-1, None, "sim", "cpu", 99):
        with pytest.raises((ValueError, RuntimeError)):
            bp.sim.set_device(wrong)
    assert bp.sim.current_device() == 0


def test_streams_and_events():
    s = bp.sim.Stream("sim:1")
    x = bp.ones(1000, device="sim:1")
    s.wait_stream(bp.sim.current_stream("sim:1"))
    start, end = bp.sim.Event(enable_timing=True), bp.sim.Event(enable_timing=True)
    with bp.sim.stream(s):
        assert bp.sim.current_stream() == s and bp.sim.current_device() == 1
        start.record()
        y = x * 2
        end.record()
    x.record_stream(s)
    bp.sim.current_stream(1).wait_event(end)
    assert (y + x)[0].item() == 3 and bp.sim.current_stream(1) == bp.sim.default_stream(1) != s
    s.synchronize()
    assert end.query() and s.query() and start.elapsed_time(end) >= 0
    end.synchronize()
    with pytest.raises(RuntimeError, match="Both events must be recorded"):
        start.elapsed_time(bp.sim.Event())


def test_memory_is_counted():
    bp.sim.synchronize(2)
    before = bp.sim.memory_allocated(2)
    x = bp.empty(1000, device="sim:2")
    assert bp.sim.memory_allocated(2) >= before + 4000
    assert bp.sim.max_memory_allocated(2) >= bp.sim.memory_allocated(2) and bp.sim.memory_reserved(2) >= 4000
    free, total = bp.sim.mem_get_info(2)
    assert 0 < free <= total
    del x
    bp.sim.synchronize(2)
    assert bp.sim.memory_allocated(2) == before
    bp.sim.empty_cache()


def test_pinned_memory_and_copies_beside_the_program():
    x = bp.empty_pinned((4,), device="sim:1")
    x[...] = [1, 2, 3, 4]
    assert x.is_pinned() and not bp.ones(1).is_pinned()
    y = x.to("sim:1", non_blocking=True)
    z = y.to("cpu", non_blocking=True)
    assert z.tolist() == [1, 2, 3, 4] and bp.ones(3).pin_memory("sim:0").is_pinned()


def test_the_accelerator_passes_over_simulated_devices():
    assert bp.accelerator.current_accelerator() is None and not bp.accelerator.is_available()
    code = """
import os; os.environ["BACKPLANE_ALIAS"] = "cuda=sim"; os.environ["CUDA_VISIBLE_DEVICES"] = "2,0"
import backplane as bp
assert str(bp.accelerator.current_accelerator()) == "cuda" and bp.accelerator.device_count() == 2
x = bp.ones(2).cuda(1)
assert x.is_cuda and str(x.device) == "cuda:1" and x.cuda(1) is x and str(x.cuda().device) == "cuda:0"
bp.accelerator.synchronize()
print(x)
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (out.stdout, out.stderr) == ("tensor([1., 1.], device='cuda:1')\n", "")


def test_importing_loads_no_backend_and_no_numpy():
    code = """
import sys, backplane
assert "numpy" not in sys.modules
assert all(e["stage"] == 0 for e in backplane.doctor()), backplane.doctor()
"""
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (out.returncode, out.stdout, out.stderr) == (0, "", "")


def test_a_forked_child_goes_on_with_the_cpu():
    code = """
import os, backplane as bp
x = bp.rand(200, 200); y = x @ x; bp.ones(3, device="sim:0")
pid = os.fork()
if pid == 0:
    ok = (x @ x).shape == (200, 200)
    try: bp.ones(1, device="sim:0"); ok = False
    except bp.Error: pass
    os._exit(0 if ok else 1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
"""
    # From 3.12 on Python itself warns whoever forks beside threads.
    out = subprocess.run([sys.executable, "-W", "ignore::DeprecationWarning", "-c", code], capture_output=True, text=True, timeout=60)
    assert (out.returncode, out.stderr) == (0, "")


def test_the_runtime_starts_with_options():
    code = ("import backplane as bp\n"
            "bp.init(options='sim.device_count=2', alias='cuda=sim', allow='cpu,cuda')\n"
            "print(bp.cuda.device_count())\n"
            "try: bp.init()\n"
            "except bp.BadStateError: print('runs')")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert out.stdout.split() == ["2", "runs"], out


def test_the_cpu_runs_what_a_backend_lacks_where_it_may():
    x = bp.asarray([[2.0, 0.0], [0.0, 3.0]], device="sim:0")  # which has no kernel of eig
    assert bp.get_fallback() == "refuse"
    with pytest.raises(bp.UnsupportedError, match="BACKPLANE_FALLBACK=cpu"):
        bp.linalg.eig(x)
    with bp.fallback("cpu"):
        assert bp.get_fallback() == "cpu"
        values = bp.linalg.eig(x).eigenvalues
        with bp.fallback(None):
            assert bp.get_fallback() == "refuse"
    assert str(values.device) == "sim:0" and values.tolist() == bp.linalg.eig(x.to("cpu")).eigenvalues.tolist()
    bp.set_fallback("cpu")
    try:
        assert bp.get_fallback() == "cpu"
    finally:
        bp.set_fallback(None)
    with pytest.raises(ValueError, match="fallback 'gpu' is not known, expected 'refuse', 'cpu' or None"):
        bp.set_fallback("gpu")  # type: ignore[arg-type]
