# SPDX-License-Identifier: Apache-2.0
"""PyTorch's files, both ways. Those in data/pytorch are PyTorch's own (make.py there); what is written here is read by
weights_only.py, and by PyTorch itself where ./dev bench --peers has installed it."""

import importlib
import io
import pathlib
import pickle
import subprocess
import sys
import zipfile
from collections import OrderedDict
from typing import Any

import backplane as bp
import backplane.torch as torch
import hostile_files as files
import numpy as np
import pytest
import weights_only

DATA = pathlib.Path(__file__).parent / "data/pytorch"
PEER = pathlib.Path(__file__).parents[2] / "build/peers/bin/python"
sys.path.insert(0, str(DATA))
architectures = importlib.import_module("architectures")
NAMES = architectures.NAMES


def trained(name):
    """The network and the optimiser of a checkpoint of PyTorch's, and the checkpoint."""
    found = torch.load(DATA / f"{name}.pt")
    net = architectures.build(name, torch)
    net.load_state_dict(found["model"])
    optimizer = architectures.optimizer_of(name, net, torch)
    optimizer.load_state_dict(found["optimizer"])
    return net, optimizer, found


@pytest.mark.parametrize("name", NAMES)
def test_a_checkpoint_of_pytorchs_goes_on_here(name):
    net, optimizer, found = trained(name)
    assert found["epoch"] == 2 and found["name"] == name
    x = architectures.inputs(name, torch)
    np.testing.assert_allclose(x.numpy(), found["x"].numpy(), rtol=0, atol=1e-6)
    np.testing.assert_allclose(net.eval()(found["x"]).detach().numpy(), found["y"].numpy(), rtol=2e-4, atol=2e-5)
    losses = [architectures.step(net, optimizer, found["x"], torch) for _ in found["losses"]]
    np.testing.assert_allclose(losses, found["losses"], rtol=2e-3)


def written(name, path):
    """Writes a checkpoint of a network that was trained here, and returns the network."""
    net = architectures.build(name, torch)
    optimizer = architectures.optimizer_of(name, net, torch)
    x = architectures.inputs(name, torch)
    for _ in range(2):
        architectures.step(net, optimizer, x, torch)
    y = net.eval()(x).detach()
    made = {"epoch": 2, "name": name, "model": net.state_dict(), "optimizer": optimizer.state_dict(), "x": x, "y": y}
    torch.save(made, path)
    made["losses"] = [architectures.step(net, optimizer, x, torch) for _ in range(3)]
    return made


@pytest.mark.parametrize("name", NAMES)
def test_a_checkpoint_made_here_follows_pytorchs_rules(name, tmp_path):
    path = tmp_path / "checkpoint.pt"
    torch.manual_seed(0)
    net = architectures.build(name, torch)
    state = net.state_dict()
    optimizer = architectures.optimizer_of(name, net, torch)
    architectures.step(net, optimizer, architectures.inputs(name, torch), torch)
    torch.save({"model": state, "optimizer": optimizer.state_dict(), "epoch": 1}, path)
    found, ours = weights_only.load(path), torch.load(path)
    pytorchs = weights_only.load(DATA / f"{name}.pt")
    assert list(found["model"]) == list(pytorchs["model"]) == list(state) and found["epoch"] == 1
    for key, t in state.items():
        assert found["model"][key].shape == pytorchs["model"][key].shape and found["model"][key].dtype == pytorchs["model"][key].dtype
        assert np.array_equal(found["model"][key], t.numpy()) and np.array_equal(ours["model"][key].numpy(), t.numpy())
    assert set(found["optimizer"]) == set(pytorchs["optimizer"]) and set(found["optimizer"]["state"]) == set(pytorchs["optimizer"]["state"])
    for i, kept in found["optimizer"]["state"].items():
        assert set(kept) >= set(pytorchs["optimizer"]["state"][i])


IN_PYTORCH = """
import sys, torch
sys.path.insert(0, sys.argv[1])
from architectures import build, optimizer_of, step
for path in sys.argv[2:]:
    found = torch.load(path, weights_only=True, mmap=True)
    found = torch.load(path, weights_only=True)
    net = build(found["name"], torch)
    net.load_state_dict(found["model"])
    optimizer = optimizer_of(found["name"], net, torch)
    optimizer.load_state_dict(found["optimizer"])
    assert torch.allclose(net.eval()(found["x"]), found["y"], rtol=2e-4, atol=2e-5)
    print(*[step(net, optimizer, found["x"], torch) for _ in range(3)])
"""


def test_checkpoints_made_here_go_on_in_pytorch(tmp_path):
    if not PEER.exists() or subprocess.run([PEER, "-c", "import torch"], capture_output=True).returncode:
        pytest.skip("PyTorch is not in build/peers: ./dev bench --python --peers puts it there")
    made = [written(name, tmp_path / f"{name}.pt")["losses"] for name in NAMES]
    out = subprocess.run([PEER, "-c", IN_PYTORCH, DATA, *(tmp_path / f"{name}.pt" for name in NAMES)], capture_output=True, text=True)
    assert out.returncode == 0, out.stderr
    np.testing.assert_allclose([[float(loss) for loss in line.split()] for line in out.stdout.splitlines()], made, rtol=2e-3)


def test_every_kind_of_value_is_read_as_pytorch_wrote_it():
    found = bp.io.load_pt(DATA / "kinds.pt")
    for t in bp._core.dtypes:
        assert found[t.name].dtype is t and found[t.name].tolist() == ([False, True, True] if t is bp.bool else [0, 1, 2])
    assert found["base"].tolist() == [[0, 1, 2], [3, 4, 5]] and found["expanded"].tolist() == [1] * 4 and found["empty"].shape == (0, 3)
    found["column"][0] = 9  # the storage is shared, as in PyTorch
    assert found["base"][0, 1] == 9 and found["transposed"][1, 0] == 9
    assert type(found["parameter"]) is bp.nn.Parameter and found["parameter"].requires_grad
    assert found["dtype"] is bp.bfloat16 and found["device"] == bp.device("cpu") and found["size"] == (2, 3)
    rest = {key: found[key] for key in ("bytes", "complex", "set", "tuple", "text", "large")}
    assert rest == {"bytes": b"\0ab", "complex": 1 + 2j, "set": {1, 2}, "tuple": (1, (2.5, None, True)), "text": "\u03b1", "large": 2**70}
    assert torch.load(DATA / "kinds.pt")["size"].numel() == 6 and type(torch.load(DATA / "kinds.pt")["base"]) is torch.Tensor
    assert type(torch.load(DATA / "kinds.pt")["parameter"]) is torch.nn.Parameter
    assert bp.io.load_pt(DATA / "protocol5.pt").tolist() == [[0, 1, 2], [3, 4, 5]]


def test_every_kind_of_value_is_written_as_pytorch_reads_it(tmp_path):
    base = bp.reshape(bp.arange(12, dtype=bp.float32), (3, 4))
    obj: dict[Any, Any] = {t.name: bp.asarray([0, 1, 2]).to(t) for t in bp._core.dtypes}
    obj.update(
        self=obj,
        base=base,
        column=base[:, 1],
        reversed=base[::-1],
        empty=bp.zeros((0, 3)),
        scalar=bp.asarray(2.5),
        part=bp.arange(10000)[5:7],
        there=bp.ones(2, device="sim:1"),
        parameter=bp.nn.Parameter(bp.ones(2)),
        ordered=OrderedDict(a=1),
        bytes=b"\0\xff",
        array=bytearray(b"x"),
        complex=1 + 2j,
        set={1, 2},
        tuple=((), (1,), (1, 2.5), (None, True, False), (1, 2, 3, 4)),
        text="\u03b1",
        numbers=[0, 255, 256, -1, 2**31, -(2**31) - 1, 2**70, -(2**70)],
        device=bp.device("cpu"),
        dtype=bp.float16,
    )
    obj.update({f"key {i}": [i] for i in range(300)})
    bp.io.save_pt(obj, tmp_path / "kinds.pt")
    for found in (weights_only.load(tmp_path / "kinds.pt"), bp.io.load_pt(tmp_path / "kinds.pt")):
        for key, value in obj.items():
            got = found[key]
            if key == "self":
                assert got is found
            elif key == "parameter":
                assert np.asarray(got.data).tolist() == [1, 1] and got.requires_grad
            elif isinstance(value, bp.Tensor):
                assert np.array_equal(np.asarray(got), value.cpu().numpy()) and got.shape == value.shape
            elif key not in ("dtype", "device"):
                assert got == value and type(got) is type(value), key
        found["column"][0] = 77
        assert found["base"][0, 1] == 77
    with zipfile.ZipFile(tmp_path / "kinds.pt") as archive:
        sizes = [entry.file_size for entry in archive.infolist() if "/data/" in entry.filename]
    assert max(sizes) < 100  # of part, two numbers and not ten thousand


def test_locations_lead_to_devices(tmp_path):
    path = tmp_path / "t.pt"
    torch.save([torch.ones(2), torch.ones(2)[1:]], path)
    places: Any = ("sim:1", torch.device("sim:1"), {"cpu": "sim:1"}, lambda storage, location: storage.to("sim:1"),
                   lambda storage, location: "sim:1")  # fmt: skip
    for where in places:
        assert [str(t.device) for t in torch.load(path, map_location=where)] == ["sim:1"] * 2
    whole, part = bp.io.load_pt(path, device="sim:1")
    assert not bp._core.same_storage(whole, part)  # two tensors of two storages
    ones = bp.ones(2)
    bp.io.save_pt([ones, ones[1:]], path)
    whole, part = bp.io.load_pt(path, device="sim:1")
    assert bp._core.same_storage(whole, part)
    neither: Any = (None, lambda storage, location: None)
    for where in neither:
        assert torch.load(path, map_location=where)[0].device.type == "cpu"
    files.store(path, files.pickled(location="cuda:0"))
    if not bp.cuda.is_available():
        with pytest.raises(bp.UnavailableError, match="Attempting to deserialize object on a CUDA device but"):
            torch.load(path)
    assert torch.load(path, map_location="cpu").tolist() == [0, 1]


def test_load_file_and_save_file_take_pytorchs_files(tmp_path):
    net = bp.nn.Linear(2, 3)
    for path in (tmp_path / "model.pt", str(tmp_path / "model.pth")):
        bp.io.save_file(net.state_dict(), path)
        found = bp.io.load_file(path, device="sim:1")
        assert list(found) == ["weight", "bias"] and found["bias"].device == bp.device("sim:1")
        assert weights_only.load(path)["weight"].shape == (3, 2)
    (tmp_path / "model.pt").rename(tmp_path / "model.safetensors")  # the bytes say what a file is
    net.load_state_dict(bp.io.load_file(tmp_path / "model.safetensors"))
    with pytest.raises(ValueError, match="a PyTorch file has no metadata"):
        bp.io.save_file({}, path, metadata={"a": "b"})
    torch.save({"model": net.state_dict(), "inner": {"more": {"x": bp.ones(1)}}}, path)
    assert list(bp.io.load_file(path)) == ["model.weight", "model.bias", "inner.more.x"]
    torch.save({"model": net.state_dict(), "epoch": 3}, path)
    with pytest.raises(bp.InvalidArgumentError, match=r"it holds 'epoch', which is a int, .* load_pt gives everything in the file"):
        bp.io.load_file(path)
    with pytest.raises(bp.io.FileNotFoundError, match=r"absent\.pt"):
        bp.io.load_pt(tmp_path / "absent.pt")
    with pytest.raises(bp.io.FileNotFoundError, match="the folder to write it to does not exist"):
        bp.io.save_pt(1, tmp_path / "absent/x.pt")


def test_open_files_do_too():
    file = io.BytesIO()
    torch.save({"x": torch.ones(2)}, file)
    file.seek(0)
    assert torch.load(file)["x"].tolist() == [1, 1]


def test_a_failed_save_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "t.pt"
    bp.io.save_pt(bp.ones(1), path)
    path.chmod(0o640)
    before = path.read_bytes()
    with pytest.raises(TypeError, match=r"cannot save \['a'\]\[1\]: a builtins.object is none of what PyTorch reads"):
        bp.io.save_pt({"a": [1, object()]}, path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]
    bp.io.save_pt(bp.ones(2), path)
    assert path.stat().st_mode & 0o777 == 0o640 and bp.io.load_pt(path).tolist() == [1, 1]


@pytest.mark.parametrize("obj, why", [
    (torch.nn.Linear(1, 1), r"a backplane.torch.nn.Linear is none .*; save its state_dict\(\)"),
    ({"a": np.float32(1)}, r"a numpy.float32 is none .* asarray\(\) makes a tensor"),
    ({(1, (2,)): 1}, "a key is a tuple, where a number"), (len, "a builtins.builtin_function_or_method is none"),
    ({1, (2, (3,))}, "a builtins.set is none")])  # fmt: skip
def test_what_pytorch_would_not_read_is_not_written(obj, why):
    with pytest.raises(TypeError, match=why):
        torch.save(obj, io.BytesIO())


def test_there_is_one_way_of_reading_and_it_runs_nothing():
    for options in ({"weights_only": False}, {"pickle_module": pickle}, {"encoding": "latin1"}):
        with pytest.raises(NotImplementedError, match="reads without running code"):
            torch.load(DATA / "kinds.pt", **options)
    with pytest.raises(NotImplementedError, match="writes PyTorch's zip format"):
        torch.save(1, io.BytesIO(), pickle_protocol=4)
