"""DLPack: memory handed to and taken from other libraries, without a copy."""

import gc
import os
import subprocess
import sys

import backplane as bp
import numpy as np
import pytest
from backplane.exchange import _cuda_array

DTYPES = [t for t in bp._core.dtypes if t is not bp.bfloat16]


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


def test_simulated_devices_are_extensions_and_are_not_taken_for_host_memory():
    x = bp.ones(3, device="sim:2")
    assert x.__dlpack_device__() == (12, 2) and bp.ones(1).__dlpack_device__() == (1, 0)
    with pytest.raises(BufferError, match="device type 12 cannot be taken over"):
        bp._core.from_dlpack(x.__dlpack__(max_version=(1, 0)))
    assert bp._core.from_dlpack(x.__dlpack__(dl_device=(1, 0))).tolist() == [1, 1, 1]
    with pytest.raises(BufferError):
        x.__dlpack__(dl_device=(1, 0), copy=False)
    assert bp.from_dlpack(x).device == x.device


def test_only_tensors_on_cuda_have_its_array_interface():
    for x in (bp.ones(2), bp.ones(2, device="sim:0")):
        assert not hasattr(x, "__cuda_array_interface__")
    script = """
import backplane as bp
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
