# SPDX-License-Identifier: Apache-2.0
"""Files of named tensors, ours in other people's hands and theirs in ours: the safetensors package and NumPy."""

import os
import pathlib
import pickle
import struct
import subprocess
import sys

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest
import safetensors
import safetensors.numpy as reference
from backplane import data
from backplane.torch import nn
from backplane.train import Trainer
from hypothesis import given
from hypothesis import strategies as st

NUMPY = ["bool", "uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float16", "float32", "float64", "complex64"]


def sample(dtype, shape=(2, 3)):
    values = np.arange(np.prod(shape, dtype=int)).reshape(shape) % 5
    return np.array(values, dtype)


@pytest.mark.parametrize("dtype", NUMPY)
@pytest.mark.parametrize("shape", [(2, 3), (), (0, 4), (1, 1, 7)])
def test_ours_and_the_reference_read_each_other(dtype, shape, tmp_path, device):
    a = sample(dtype, shape)
    ours, theirs = tmp_path / "ours.safetensors", tmp_path / "theirs.safetensors"
    bp.io.save_file({"a": bp.asarray(a, device=device)}, ours)
    reference.save_file({"a": a}, theirs)
    for back in (reference.load_file(ours)["a"], bp.io.load_file(theirs, device=device)["a"].cpu().numpy()):
        assert back.dtype == a.dtype and back.shape == a.shape and (back == a).all()
    assert bp.io.load_file(theirs, device=device)["a"].device == bp.device(device)


def test_bfloat16_crosses_bit_for_bit(tmp_path, device):
    x = bp.asarray([1.0, -2.5, 3.140625, float("inf")], device=device).to(bp.bfloat16)
    path = tmp_path / "b.safetensors"
    bp.io.save_file({"x": x}, path)
    ((name, spec),) = safetensors.deserialize(path.read_bytes())
    bits = np.frombuffer(bytes(spec["data"]), np.uint16)
    assert name == "x" and spec["dtype"] == "BF16" and spec["shape"] == [4]
    assert (bits.astype(np.uint32) << 16).view(np.float32).tolist() == x.tolist()
    assert bp.io.load(path.read_bytes(), device=device)["x"].tolist() == x.tolist()
    assert bp.io.load(path.read_bytes())["x"].dtype is bp.bfloat16


def test_views_and_layouts_are_saved_as_what_they_show(device):
    base = bp.asarray(np.arange(24, dtype=np.float32).reshape(2, 3, 4), device=device)
    tensors = {"whole": base, "t": base.permute(2, 0, 1), "row": base[1], "step": base[:, ::2], "flip": bp.flip(base, axis=2),
               "wide": bp.broadcast_to(base[0, 0], (3, 4)), "corner": base[1, 2, 3], "none": base[:0]}
    back = reference.load(bp.io.save(tensors))
    assert set(back) == set(tensors)
    for name, t in tensors.items():
        assert back[name].tolist() == t.tolist(), name


def test_names_order_and_metadata_come_back(tmp_path):
    names = ["z", "ä/层.0", "", "a\"\\\n\t", "😀", "a"]
    meta = {"format": "pt", "schlüssel": "wert\n\"层\""}
    path = tmp_path / "ünï 层.safetensors"
    bp.io.save_file({n: bp.asarray([float(i)]) for i, n in enumerate(names)}, path, metadata=meta)
    back = bp.io.load_file(str(path))
    assert list(back) == names and [t.item() for t in back.values()] == list(range(6))
    assert bp.io.load_metadata(path) == meta
    with safetensors.safe_open(path, "np") as f:
        assert f.metadata() == meta and set(f.keys()) == set(names)
    reference.save_file({"a": np.ones(1)}, path, metadata=meta)
    assert bp.io.load_metadata(os.fsencode(path)) == meta
    bp.io.save_file({}, path)
    assert bp.io.load_file(path) == {} and bp.io.load_metadata(path) == {}


def test_what_has_a_buffer_is_saved_too(tmp_path):
    path = tmp_path / "a.safetensors"
    bp.io.save_file({"a": np.arange(3)}, path)
    assert bp.io.load_file(path)["a"].tolist() == [0, 1, 2]


def test_loaded_tensors_are_the_files_pages_until_they_are_written(tmp_path):
    path = tmp_path / "a.safetensors"
    bp.io.save_file({"a": bp.zeros(1000), "b": bp.ones(3)}, path)
    before = path.read_bytes()
    t = bp.io.load_file(path)
    t["a"] += 1
    assert path.read_bytes() == before
    other = bp.io.load_file(path)["a"]
    bp.io.save_file(t, path)  # over what it came from
    assert other.sum().item() == 0 and bp.io.load_file(path)["a"].sum().item() == 1000


def test_a_file_is_loaded_without_a_copy_on_the_host(tmp_path):
    path = tmp_path / "large.safetensors"
    bp.io.save_file({"a": bp.zeros(1 << 22)}, path)
    live = bp.cpu.memory_allocated() if hasattr(bp, "cpu") else None
    t = bp.io.load_file(path)["a"]
    if live is not None:
        assert bp.cpu.memory_allocated() == live
    assert t[-1].item() == 0


BAD = [
    (b"", "0 bytes, which is too short for the length of a header"),
    (struct.pack("<Q", 100) + b"{}", "a header of 100 bytes, but only 2 follow its length"),
    (struct.pack("<Q", 2) + b"{}x", "the tensors take 0 bytes, but 1 follow the header"),
    (struct.pack("<Q", 1 << 60), "a header of 1152921504606846976 bytes, at most 100000000 are possible"),
]


@pytest.mark.parametrize("data, message", BAD)
def test_bad_files_are_exceptions_with_a_sentence(data, message, tmp_path):
    path = tmp_path / "bad.safetensors"
    path.write_bytes(data)
    with pytest.raises(ValueError) as e:
        bp.io.load(data)
    assert str(e.value) == "safetensors bytes: " + message
    with pytest.raises(bp.InvalidArgumentError) as e:
        bp.io.load_file(path)
    assert str(e.value) == f"safetensors '{path}': {message}"


def saved_while_fitting(path):
    net = nn.Linear(1, 1)
    examples = data.TensorDataset(torch.ones(2, 1), torch.ones(2, 1))
    trainer = Trainer(1, progress=False, checkpoint=path)
    trainer.fit(net, data.DataLoader(examples), loss=nn.MSELoss(), optimizer=torch.optim.SGD(net.parameters(), lr=0.1))


NUL_CALLS = [
    ("a name", lambda: bp.io.save({"a\0b": bp.ones(1)})),
    ("a key of metadata", lambda: bp.io.save({}, metadata={"a\0b": ""})),
    ("a value of metadata", lambda: bp.io.save({}, metadata={"": "a\0b"})),
    ("a path", lambda: bp.io.load_file("a\0b")),
    ("a path", lambda: bp.io.save_file({}, "a\0b")),
    ("a path", lambda: bp.io.load_npz("a\0b")),
    ("a path", lambda: bp.io.savez("a\0b")),
    ("a path", lambda: saved_while_fitting("a\0b")),
    ("a device", lambda: bp.device("a\0b")),
    ("a device", lambda: bp.device("a\0b", 1)),
    ("a device", lambda: bp.ones(1, device="a\0b")),
    ("a name", lambda: nn.Linear(1, 1).register_buffer("a\0b", torch.ones(1))),
    ("a name", lambda: nn.Linear(1, 1).register_parameter("a\0b", nn.Parameter(torch.ones(1)))),
    ("a name", lambda: nn.Linear(1, 1).add_module("a\0b", nn.Linear(1, 1))),
    ("mode", lambda: nn.init.kaiming_normal_(torch.ones(2, 2), mode="a\0b")),
    ("nonlinearity", lambda: nn.init.kaiming_normal_(torch.ones(2, 2), nonlinearity="a\0b")),
    ("nonlinearity", lambda: nn.init.calculate_gain("a\0b")),
]


# In C a text ends there.
@pytest.mark.parametrize("what, call", NUL_CALLS, ids=[str(i) for i in range(len(NUL_CALLS))])
def test_a_zero_byte_in_a_text_is_refused(what, call):
    with pytest.raises(ValueError, match=rf"^embedded null byte in {what}: 'a\\x00b(\.npz)?'$"):
        call()


def test_faults_of_paths_and_arguments_are_the_exceptions_python_has(tmp_path):
    with pytest.raises(FileNotFoundError, match="No such file or directory") as e:
        bp.io.load_file(tmp_path / "none")
    assert isinstance(e.value, bp.NotFoundError) and e.value.code == "BP_NOT_FOUND"
    with pytest.raises(FileNotFoundError, match="cannot write"):
        bp.io.save_file({}, tmp_path / "no" / "folder")
    with pytest.raises(bp.Error, match="Is a directory"):
        bp.io.load_npz(tmp_path)
    with pytest.raises(TypeError, match="must be a str, not int"):
        bp.io.save({1: bp.ones(1)})  # type: ignore[dict-item]  # wrong on purpose
    with pytest.raises(TypeError, match="value of metadata must be a str"):
        bp.io.save({}, metadata={"epoch": 3})  # type: ignore[dict-item]  # wrong on purpose
    with pytest.raises(UnicodeEncodeError):
        bp.io.save({"\ud800": bp.ones(1)})
    with pytest.raises(NotImplementedError, match="'z' is complex128"):
        bp.io.save({"z": bp.ones(1, dtype=bp.complex128)})
    with pytest.raises(TypeError):
        bp.io.load("text")
    with pytest.raises(FileNotFoundError):
        bp.io.load_file(b"/no/\xff/such")


def test_nothing_is_left_behind_when_a_disk_is_full(tmp_path):
    if not pathlib.Path("/dev/full").exists():
        pytest.skip("no /dev/full here")
    with pytest.raises(bp.InvalidArgumentError, match="not a regular file"):
        bp.io.save_file({"a": bp.ones(1)}, "/dev/full")
    # A limit on the size of files stands for a disk without room.
    code = """if True:
        import resource, signal, sys
        import backplane as bp
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            bp.io.save_file({"a": bp.ones(1000)}, sys.argv[1])
        except bp.UnavailableError as e:
            print(e)"""
    path = tmp_path / "a.safetensors"
    bp.io.save_file({"a": bp.zeros(2)}, path)
    out = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True)
    assert out.stdout == f"cannot write '{path}': File too large\n", out.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["a.safetensors"] and bp.io.load_file(path)["a"].tolist() == [0, 0]


@given(st.dictionaries(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20),
                       st.tuples(st.sampled_from(NUMPY), st.lists(st.integers(0, 4), max_size=4)), max_size=6))
def test_whatever_is_saved_comes_back(entries):
    arrays = {name: sample(dtype, shape) for name, (dtype, shape) in entries.items() if name != "__metadata__"}
    data = bp.io.save({name: bp.asarray(a) for name, a in arrays.items()})
    ours, theirs = bp.io.load(data), reference.load(data)
    assert list(ours) == list(arrays) and set(theirs) == set(arrays)
    for name, a in arrays.items():
        assert (ours[name].numpy() == a).all() and theirs[name].shape == a.shape and (theirs[name] == a).all()
        assert (bp.io.load(reference.save(arrays))[name].numpy() == a).all()


# ---- .npz


@pytest.mark.parametrize("dtype", [*NUMPY, "complex128"])
@pytest.mark.parametrize("shape", [(2, 3), (), (0, 4), (5,)])
def test_ours_and_numpy_read_each_others_npz(dtype, shape, tmp_path, device):
    a = sample(dtype, shape)
    path = tmp_path / "a.npz"
    bp.io.savez(path, bp.asarray(a, device=device), **{"net.0.ä": bp.asarray(a, device=device)})
    with np.load(path) as back:
        assert sorted(back.files) == ["arr_0", "net.0.ä"]
        for b in back.values():
            assert b.dtype == a.dtype and b.shape == a.shape and (b == a).all()
    for save in (np.savez, np.savez_compressed):
        save(path, a=a, f=np.asfortranarray(a).reshape(shape), b=a[..., ::2] if shape else a)
        back = bp.io.load_npz(path, device=device)
        assert list(back) == ["a", "f", "b"] and back["a"].device == bp.device(device)
        for name, wanted in (("a", a), ("f", a), ("b", a[..., ::2] if shape else a)):
            b = back[name].cpu().numpy()
            assert b.dtype == a.dtype and b.shape == wanted.shape and (b == wanted).all()


def test_a_large_packed_array_and_a_fortran_one_come_back(tmp_path):
    a = np.random.default_rng(1).integers(0, 7, (300, 1000)).astype(np.float32)
    np.savez_compressed(tmp_path / "a.npz", a=a, t=a.T)
    back = bp.io.load_npz(tmp_path / "a.npz")
    assert (back["a"].numpy() == a).all() and (back["t"].numpy() == a.T).all() and back["t"].shape == (1000, 300)


def test_numpys_path_and_names(tmp_path):
    bp.io.savez(tmp_path / "plain", x=bp.ones(2))
    assert np.load(tmp_path / "plain.npz")["x"].tolist() == [1, 1]
    with pytest.raises(ValueError, match="keyword arr_0"):
        bp.io.savez(tmp_path / "plain", bp.ones(1), arr_0=bp.ones(1))
    with pytest.raises(NotImplementedError, match="NumPy has no bfloat16"):
        bp.io.savez(tmp_path / "plain", bp.ones(1, dtype=bp.bfloat16))


@pytest.mark.parametrize("array, message", [
    (np.array([{}], object), "dtype '|O' is not supported"), (np.array(["a"]), "dtype '<U1' is not supported"),
    (np.ones(2, ">f4"), "big-endian"), (np.ones(2, [("a", "f4")]), "records"), (np.ones(2, "M8[s]"), "not supported")])
def test_arrays_that_are_none_of_ours_are_refused(array, message, tmp_path):
    np.savez(tmp_path / "a.npz", good=np.ones(2), bad=array)
    with pytest.raises(NotImplementedError) as e:
        bp.io.load_npz(tmp_path / "a.npz")
    assert message in str(e.value) and "'bad.npy'" in str(e.value)


def test_what_is_no_array_is_refused(tmp_path):
    import zipfile

    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("a.npy", pickle.dumps([1, 2]))
    with pytest.raises(ValueError, match="not an array of NumPy's"):
        bp.io.load_npz(path)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as z:
        z.writestr("a.npy", b"x" * 100)
    with pytest.raises(NotImplementedError, match="packed by method 14"):
        bp.io.load_npz(path)
    path.write_bytes(b"x" * 100)
    with pytest.raises(ValueError, match="no end record"):
        bp.io.load_npz(path)


def test_more_arrays_than_sixteen_bits_count(tmp_path):
    one = bp.ones(())
    bp.io.savez(tmp_path / "many.npz", **{str(i): one for i in range(66000)})
    with np.load(tmp_path / "many.npz") as back:
        assert len(back.files) == 66000 and back["65999"] == 1
