# SPDX-License-Identifier: Apache-2.0
"""Profiles from Python: what stands in the file, ranges, threads, and what is refused."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import threading

import backplane as bp
import pytest
from backplane import nn, torch

REPOSITORY = pathlib.Path(__file__).parents[2]


def spans(path, category=None):
    page = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    return [e for e in page["traceEvents"] if e["ph"] == "X" and category in (None, e["cat"])]


def test_a_training_step_is_seen(tmp_path, device):
    net = nn.Sequential(nn.Linear(4, 3), nn.ReLU()).to(device)
    adam = bp.optim.Adam(net.parameters())
    x = bp.ones((2, 4), device=device)
    with bp.profile(tmp_path / "trace.json") as p:
        assert bp.profile.is_running()
        loss = (net(x) ** 2).sum()
        loss.backward()
        adam.step()
        loss.item()
    assert not bp.profile.is_running()
    assert p.path == tmp_path / "trace.json"
    seen = spans(p.path)
    assert {"op", "backward", "module", "step"} <= {e["cat"] for e in seen}
    assert {e["args"]["path"] for e in seen if e["cat"] == "module"} == {"net (Sequential)", "net.0 (Linear)", "net.1 (ReLU)"}
    assert device == "cpu" or any(e["args"]["to"] == "cpu" for e in seen if e["name"] == "copy")
    assert any(e["name"] == "Adam" for e in seen if e["cat"] == "step")


def gpt():
    """The small GPT of the benches, and a step of its training."""
    spec = importlib.util.spec_from_file_location("networks", REPOSITORY / "bench" / "networks.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    nets = module.networks(torch, torch.nn)
    tokens = torch.arange(64).reshape(2, 32)
    return nets["Trainer"](nets["GPT"](vocabulary=64, d=32, longest=32), tokens, (tokens + 1) % 64)


def assert_nested(path):
    """Within a lane a span lies in another one or beside it; times have three decimals."""
    lanes: dict[tuple[int, int], list[tuple[float, float]]] = {}
    for e in spans(path):
        lanes.setdefault((e["pid"], e["tid"]), []).append((e["ts"], -e["dur"]))
    for lane in lanes.values():
        ends: list[float] = []
        for begin, minus_length in sorted(lane):
            end = begin - minus_length
            while ends and ends[-1] <= begin + 0.0015:
                ends.pop()
            assert not ends or end <= ends[-1] + 0.0015
            ends.append(end)


def test_a_step_of_a_gpt_is_nested_and_has_its_table_and_picture(tmp_path):
    step = gpt()
    path, picture = tmp_path / "trace.json", tmp_path / "trace.svg"
    with bp.profile(path):
        step()
    assert_nested(path)
    paths = {e["args"]["path"] for e in spans(path, "module")}
    assert {"net (GPT)", "net.blocks.1 (Block)", "net.blocks.1.up (Linear)"} <= paths
    assert "GeluBackward0" in {e["name"] for e in spans(path, "backward")}
    if "BP_COMMAND" not in os.environ:
        pytest.skip("BP_COMMAND names no command")
    for words in (["summary", "--by", "module"], ["picture", "--out", picture]):
        said = subprocess.run([os.environ["BP_COMMAND"], "profile", words[0], path, *words[1:]], capture_output=True, text=True)
        assert said.returncode == 0, said.stderr
        assert words[0] == "picture" or "net.blocks.1.up (Linear)" in said.stdout
    assert picture.read_text().count("GeluBackward0")


def test_ranges_nest_and_wrap_functions(tmp_path):
    @bp.profile_range("doubled")
    def doubled(x):
        """Returns twice x."""
        return x + x

    assert doubled.__doc__ == "Returns twice x."
    with bp.profile_range("unseen"):
        doubled(bp.ones(2))
    outer = bp.profile_range("outer")
    with bp.profile(str(tmp_path / "trace.json")), outer, outer:
        doubled(bp.ones(2))
    names = [e["name"] for e in spans(tmp_path / "trace.json", "range")]
    assert sorted(names) == ["doubled", "outer", "outer"]


def test_an_error_ends_the_profile_and_is_marked(tmp_path):
    with pytest.raises(bp.Error), bp.profile(tmp_path / "trace.json"):
        bp.ones(3) + bp.ones(4)
    assert not bp.profile.is_running()
    assert [e["args"]["failed"] for e in spans(tmp_path / "trace.json", "op") if e["name"] == "add"] == [True]


def test_threads_have_lanes(tmp_path):
    def work():
        for _ in range(20):
            bp.exp(bp.ones(3))

    with bp.profile(tmp_path / "trace.json"):
        threads = [threading.Thread(target=work) for _ in range(3)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    exps = [e for e in spans(tmp_path / "trace.json", "op") if e["name"] == "exp"]
    assert len(exps) == 60
    assert len({e["tid"] for e in exps}) == 3


def test_what_is_beyond_most_spans_is_counted(tmp_path):
    with bp.profile(tmp_path / "trace.json", most_spans=5):
        for _ in range(10):
            bp.exp(bp.ones(3))
    page = json.loads((tmp_path / "trace.json").read_text())
    assert len(spans(tmp_path / "trace.json")) == 5
    assert page["otherData"]["dropped"] == 15


def test_what_cannot_be_is_refused(tmp_path):
    with bp.profile(tmp_path / "trace.json"), pytest.raises(bp.BadStateError, match="a profile is being taken already"):
        bp.profile(tmp_path / "other.json").__enter__()
    with pytest.raises(bp.Error, match="nowhere"), bp.profile("/nowhere/trace.json"):
        pass
    with pytest.raises(ValueError, match=r"zero byte|null"), bp.profile_range("a\0b"):
        pass
    with pytest.raises((TypeError, OverflowError)):
        bp.profile(tmp_path / "trace.json", most_spans=-1).__enter__()
    assert not bp.profile.is_running()


def test_the_environment_asks_for_one(tmp_path):
    path = tmp_path / "trace.json"
    code = "import backplane as bp; bp.exp(bp.ones(3))"
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | {"BACKPLANE_PROFILE": str(path)},
                          capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "exp" in {e["name"] for e in spans(path, "op")}


def test_a_snapshot_says_who_holds_memory(tmp_path, device):
    net = nn.Sequential(nn.Linear(40, 30), nn.ReLU()).to(device)
    x = bp.ones((20, 40), device=device)
    with pytest.raises(bp.BadStateError, match="no profile"):
        bp.memory_snapshot(tmp_path / "memory.json")
    with bp.profile(tmp_path / "trace.json"):
        y = net(x)
        bp.memory_snapshot(tmp_path / "memory.json")
    events = json.loads((tmp_path / "memory.json").read_text())["traceEvents"]
    held = [e["args"] for e in events if e["ph"] == "N"]
    assert {"bytes": y.nbytes, "op": "relu", "module": "net.1 (ReLU)"} in held
