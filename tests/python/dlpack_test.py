# SPDX-License-Identifier: Apache-2.0
"""DLPack: memory handed to and taken from other libraries, without a copy."""

import ctypes
import gc
import os
import subprocess
import sys
import threading

import backplane as bp
import backplane.torch
import numpy as np
import pytest
from backplane.exchange import _cuda_array

DTYPES = [t for t in bp._core.dtypes if hasattr(np, t.name)]


@pytest.mark.parametrize("dtype", DTYPES, ids=lambda t: t.name)
def test_memory_is_shared_with_numpy_both_ways(dtype):
    x = bp.ones((3, 4), dtype=dtype)
    a = np.from_dlpack(x.T[1:])
    assert a.dtype.name == dtype.name and a.shape == (3, 3)
    x[0, 1] = 0
    assert a[0, 0] == 0
    b = np.zeros((2, 3), dtype.name)
    y = bp.from_dlpack(b.T)
    assert y.dtype is dtype and y.shape == (3, 2)
    y[2, 1] = 1
    assert b[1, 2] == 1


def test_the_memory_lives_as_long_as_either_side():
    x = bp.arange(1000, dtype=bp.float64)
    a = np.from_dlpack(x)
    del x
    gc.collect()
    assert a.sum() == 499500
    y = bp.from_dlpack(np.arange(1000.0))
    gc.collect()
    assert y.sum().item() == 499500


def test_a_capsule_that_nobody_takes_is_given_back():
    gc.collect()
    before = bp._core.memory_stats("cpu")["n_live"]
    for version in (None, (1, 0)):
        x = bp.ones(100)
        capsule = x.__dlpack__(max_version=version)
        del x
        gc.collect()
        assert bp._core.memory_stats("cpu")["n_live"] == before + 1
        del capsule
        assert bp._core.memory_stats("cpu")["n_live"] == before


def test_a_capsule_is_taken_once():
    capsule = bp.ones(3).__dlpack__(max_version=(1, 0))
    assert bp._core.from_dlpack(capsule).tolist() == [1, 1, 1]
    with pytest.raises(BufferError, match="not used yet"):
        bp._core.from_dlpack(capsule)
    with pytest.raises(BufferError):
        bp._core.from_dlpack(3)


def test_copies_are_made_only_when_asked():
    a = np.zeros(3)
    bp.from_dlpack(a, copy=True)[0] = 1
    assert a.tolist() == [0, 0, 0]
    x = bp.zeros(3)
    np.from_dlpack(x, copy=True)[0] = 1
    assert x.tolist() == [0, 0, 0]
    a.flags.writeable = False
    with pytest.raises(BufferError, match="read-only"):
        bp.from_dlpack(a)
    with pytest.raises(ValueError):
        bp.from_dlpack(np.zeros(3), device="sim:0", copy=False)
    assert str(bp.from_dlpack(np.zeros(3), device="sim:0").device) == "sim:0"


def test_simulated_devices_are_extensions_that_come_back_as_they_are():
    x = bp.ones(3, device="sim:2")
    assert x.__dlpack_device__() == (12, 2) and bp.ones(1).__dlpack_device__() == (1, 0)
    for version in (None, (1, 0)):
        same = bp._core.from_dlpack(x.__dlpack__(max_version=version, dl_device=(12, 2)))
        assert str(same.device) == "sim:2"
        same += 1
    assert x.tolist() == [3, 3, 3]
    assert bp._core.from_dlpack(x.__dlpack__(dl_device=(1, 0))).tolist() == [3, 3, 3]
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    assert bp.from_dlpack(x).device == x.device
    with pytest.raises(BufferError, match=r"the memory of sim:2, a simulated device, is nothing that other libraries know; "
                                          r"Tensor\.cpu\(\) copies the tensor, and dl_device=\(12, 2\) says"):  # fmt: skip
        x.__dlpack__(max_version=(1, 0))
    with pytest.raises(BufferError, match="sim:2, a simulated device"):
        np.from_dlpack(x)


class Theirs:
    """Another library's array, which knows all arguments and remembers them."""

    def __init__(self, x):
        self.x, self.asked = x, {}

    def __dlpack__(self, **asked):
        self.asked = asked
        return self.x.__dlpack__(**asked)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def test_the_cpu_is_asked_for_where_it_is_wanted():
    theirs = Theirs(bp.ones(3, device="sim:1"))
    assert str(bp.from_dlpack(theirs).device) == "sim:1" and theirs.asked == {"max_version": (1, 0), "copy": None, "dl_device": (12, 1)}
    y = bp.from_dlpack(theirs, device="cpu")
    assert y.tolist() == [1, 1, 1] and y.device.type == "cpu" and theirs.asked["dl_device"] == (1, 0)


class Old:
    """An array of a library from before DLPack 1.0."""

    def __init__(self, x):
        self.x = x

    def __dlpack__(self):
        return self.x.__dlpack__()


def test_older_libraries_are_understood():
    x = bp.zeros(3)
    bp.from_dlpack(Old(x))[0] = 1
    bp.from_dlpack(Old(x), copy=True)[1] = 1
    assert x.tolist() == [1, 0, 0]


class Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("type", ctypes.c_int32), ("id", ctypes.c_int32), ("rank", ctypes.c_int32),
                ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p), ("offset_bytes", ctypes.c_uint64)]


DELETER = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Managed(ctypes.Structure):
    _fields_ = [("array", Array), ("owner", ctypes.c_void_p), ("deleter", DELETER)]


class Versioned(ctypes.Structure):
    _fields_ = [("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("owner", ctypes.c_void_p), ("deleter", DELETER),
                ("flags", ctypes.c_uint64), ("array", Array)]


@pytest.fixture(params=["dltensor", "dltensor_versioned"])
def made(request):
    """make(**changes): a capsule of another library, over three floats; make.deleted: what its deleter was called with."""
    data, shape = (ctypes.c_float * 3)(1, 2, 3), (ctypes.c_int64 * 1)(3)
    deleted: list[int] = []
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    kept = []

    def make(**changes):
        array = Array(ctypes.addressof(data), 1, 0, 1, 2, 32, 1, ctypes.addressof(shape), None, 0)
        deleter = DELETER(deleted.append)
        m = Managed(array, None, deleter) if request.param == "dltensor" else Versioned(1, 0, None, deleter, 0, array)
        for name, value in changes.items():
            setattr(m if hasattr(m, name) else m.array, name, value)
        kept.append((m, name := request.param.encode()))
        return new(ctypes.addressof(m), name, None)

    vars(make).update(deleted=deleted, at=lambda i: ctypes.addressof(kept[i][0]), versioned=request.param != "dltensor")
    return make


def test_the_owner_is_told_once_on_whatever_thread_the_last_view_goes(made):
    x = bp._core.from_dlpack(made())
    views = [x[1:], x.reshape(3, 1)]
    del x
    assert views[0].tolist() == [2, 3] and made.deleted == []
    last = threading.Thread(target=views.clear)
    last.start()
    last.join()
    assert made.deleted == [made.at(0)]
    w = bp.ones(3).requires_grad_()
    y = (bp._core.from_dlpack(made()) * w).sum()
    gc.collect()
    assert len(made.deleted) == 1
    y.backward()  # lets go of what it saved while other Python threads may run
    assert made.deleted == [made.at(0), made.at(1)] and w.grad.tolist() == [1, 2, 3]


def test_what_is_refused_stays_its_owners(made):
    for changes, text in (({"lanes": 4}, "4 lanes"), ({"type": 99}, "device type 99"), ({"data": None}, "must not be NULL"),
                          ({"type": 15}, "webgpu is not available"), ({"rank": 99}, "99 dimensions")):
        capsule = made(**changes)
        for _ in range(2):
            with pytest.raises(BufferError, match=text):
                bp._core.from_dlpack(capsule)
    if made.versioned:
        for changes, text in (({"major": 2}, "version 2.0"), ({"flags": 1}, "read-only")):
            with pytest.raises(BufferError, match=text):
                bp._core.from_dlpack(made(**changes))
    assert made.deleted == []


def test_streams_are_of_accelerators():
    for stream in (1, -1, 0):
        with pytest.raises(ValueError, match="must be None"):
            bp.ones(2).__dlpack__(stream=stream)
    x = bp.ones(2, device="sim:0")
    with pytest.raises(ValueError, match="stream 0"):
        x.__dlpack__(stream=0)
    assert bp._core.from_dlpack((x + 1).__dlpack__(stream=-1, dl_device=(12, 0))).tolist() == [2, 2]


def test_a_tensor_that_requires_a_gradient_stays():
    with pytest.raises(BufferError, match=r"Can't export tensors that require gradient, use tensor\.detach"):
        bp.ones(2).requires_grad_().__dlpack__()


def test_only_tensors_on_cuda_have_its_array_interface():
    for x in (bp.ones(2), bp.ones(2, device="sim:0")):
        assert not hasattr(x, "__cuda_array_interface__")
    script = """
import backplane as bp
import backplane.torch
x = bp.ones(2, device="cuda:0")
assert x.is_cuda and x.__dlpack_device__() == (12, 0)
try:
    x.__cuda_array_interface__
except AttributeError as e:
    print(e)
"""
    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True,
                         env={**os.environ, "BACKPLANE_ALIAS": "cuda=sim"})
    assert out.stdout.startswith("Can't get __cuda_array_interface__ on non-CUDA tensor"), out.stderr


def test_the_array_interface_describes_memory_as_numpys_does():
    for dtype in DTYPES:
        x = bp.zeros((2, 3, 4), dtype=dtype)
        for y in (x, x[:, 1:], x[1].T, x[:0], x[0, 0, 0]):
            said, wanted = _cuda_array(y, y.data_ptr()), y.numpy().__array_interface__
            assert {k: said[k] for k in ("shape", "typestr", "strides")} == {k: wanted[k] for k in ("shape", "typestr", "strides")}
            assert said["data"] == ((wanted["data"][0], False) if y.numel() else (0, False))
            assert said["version"] == 3 and said["stream"] is None
    with pytest.raises(TypeError, match="no name for"):
        _cuda_array(bp.ones(2, dtype=bp.bfloat16), 0)
    with pytest.raises(RuntimeError, match="requires grad"):
        _cuda_array(bp.ones(2).requires_grad_(), 0)


def test_torch_shares_memory_where_it_is_installed():
    torch = pytest.importorskip("torch")
    x = bp.zeros(3)
    y = torch.from_dlpack(x)
    y[0] = 1
    assert x[0].item() == 1
    bp.from_dlpack(y)[1] = 2
    assert y.tolist() == [1, 2, 0]
    with pytest.raises(BufferError, match=r"of sim:0, a simulated device, is nothing that other libraries know; Tensor\.cpu\(\) copies"):
        torch.from_dlpack(bp.ones(3, device="sim:0"))
    assert torch.from_dlpack(bp.ones(3, device="sim:0").cpu()).tolist() == [1, 1, 1]


def test_a_bool_is_true_unless_its_byte_is_0(device):
    """What other libraries leave in a bool is taken as PyTorch takes it. tests/conformance does so for every op."""
    given = bytearray([0, 1, 2, 255, 128])
    theirs, truth = np.frombuffer(given, dtype=np.bool_), [False, True, True, True, True]
    buffer = memoryview(given).cast("?")
    for x in (bp.from_dlpack(theirs).to(device), bp.asarray(theirs, device=device), bp.asarray(buffer, device=device)):
        assert x.tolist() == truth and [bool(b) for b in x] == truth
        assert repr(x).startswith("tensor([False,  True,  True,  True,  True]")
        assert x[2].item() is True and int(x[3]) == 1 and float(x[4]) == 1.0
        assert int(bp.sum(x)) == 4 and bool(bp.all(x[1:])) and int(bp.argmax(x)) == 1
        assert bp.equal(x[1:4], x[2:]).tolist() == [True] * 3 and bp.add(bp.ones(5, device=device), x).tolist() == [1, 2, 2, 2, 2]
        assert bp.sort(x, descending=True).tolist() == [True] * 4 + [False] and bp.argsort(x[1:]).tolist() == [0, 1, 2, 3]
        assert [n.tolist() for n in bp.nonzero(x)] == [[1, 2, 3, 4]] and bp.unique_values(x).tolist() == [False, True]


def test_capsules_are_taken_by_themselves_and_devices_and_copies_are_asked_for():
    array = np.ones(3)
    for namespace in (bp, bp.torch):
        shared, copied = namespace.from_dlpack(array.__dlpack__()), namespace.from_dlpack(array.__dlpack__(), copy=True)
        array += 1
        assert (shared == namespace.asarray(array)).all() and (copied + 1 == shared).all() and type(shared) is namespace.Tensor
        assert namespace.from_dlpack(array, device="sim:1").device == bp.device("sim:1")
        other = namespace.from_dlpack(array, copy=True, device="cpu")
        other += 1
        assert (other == namespace.asarray(array) + 1).all()
    with pytest.raises(BufferError, match="capsule"):
        bp.from_dlpack(3)


def test_what_exports_no_buffer_is_taken_through_dlpack():
    class Foreign:  # as PyTorch's tensors: a sequence that has DLPack and no buffer
        def __init__(self, array):
            self.array = array

        def __len__(self):
            return len(self.array)

        def __getitem__(self, i):
            return Foreign(self.array[i])

        def __dlpack__(self, **options):
            return self.array.__dlpack__(**options)

    array = np.arange(6.0).reshape(2, 3)
    shared, copied = bp.asarray(Foreign(array)), bp.asarray(Foreign(array), copy=True)
    array[0, 0] = 7
    assert shared[0, 0].item() == 7 and copied[0, 0].item() == 0 and copied.shape == (2, 3)
    assert bp.torch.as_tensor(Foreign(array), dtype=bp.int8).tolist() == [[7, 1, 2], [3, 4, 5]]
