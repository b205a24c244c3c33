# SPDX-License-Identifier: Apache-2.0
"""x[key] and x[key] = value with numbers, slices, None, Ellipsis, arrays of integers and masks, against NumPy."""

from typing import Any

import backplane as bp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from property_test import LAYOUTS

DTYPES = ["bool", "int8", "int64", "float32", "float64"]


@st.composite
def keys(draw, shape, arrays):
    """Parts for some of the dimensions, Nones and an ellipsis among them. Numbers stand only where there are no arrays,
    for beside those NumPy sees them as arrays and PyTorch does not."""
    parts: list[Any] = []
    d = 0
    across = draw(hnp.array_shapes(min_dims=1, max_dims=2, max_side=3))  # what arrays are broadcast to
    while d < len(shape) and draw(st.booleans() if parts else st.just(True)):
        n = shape[d]
        kinds = ["slice", "all"] + (["integers", "list"] if arrays and n else []) + (["mask"] if arrays == "masks" else [])
        kind = draw(st.sampled_from(kinds + ([] if arrays or not n else ["number"])))
        if kind == "slice":
            parts.append(draw(st.slices(n)))
        elif kind == "all":
            parts.append(slice(None))
        elif kind == "number":
            parts.append(draw(st.integers(-n, n - 1)))
        elif kind == "mask":  # one mask, since two would have to agree in how often they are true
            deep = draw(st.integers(1, len(shape) - d))
            parts.append(draw(hnp.arrays(bool, shape[d:d + deep])))
            arrays, d = "none more", d + deep - 1
        elif arrays != "none more":
            size = across if draw(st.booleans()) else across[-1:]
            made = draw(hnp.arrays(draw(st.sampled_from(["int32", "int64"])), size, elements=st.integers(-n, n - 1)))
            parts.append(made.tolist() if kind == "list" else made)
        else:
            parts.append(slice(None))
        d += 1
        if arrays == "masks" and any(isinstance(p, (np.ndarray, list)) for p in parts):
            arrays = "none more"
    if draw(st.booleans()):
        parts.insert(draw(st.integers(0, len(parts))), None)
    if d < len(shape) or draw(st.booleans()):
        parts.append(Ellipsis)
    return tuple(parts) if len(parts) != 1 or draw(st.booleans()) else parts[0]


def ours(key, device):
    """The key with arrays as tensors on the device; lists stay."""
    if isinstance(key, tuple):
        return tuple(ours(k, device) for k in key)
    return bp.asarray(key, device=device) if isinstance(key, np.ndarray) else key


def drawn(draw, arrays):
    dtype = draw(st.sampled_from(DTYPES))
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=4))
    x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    return x, draw(keys(shape, arrays)), LAYOUTS[draw(st.sampled_from(["whole", "transposed", "reversed", "strided"]))]


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
@pytest.mark.parametrize("arrays", ["", "integers", "masks"])
@given(data=st.data())
def test_what_is_read_is_numpys(arrays, device, data):
    x, key, layout = drawn(data.draw, arrays)
    got, wanted = layout(bp, bp.asarray(x, device=device, copy=True))[ours(key, device)], layout(np, x)[key]
    assert got.shape == wanted.shape and got.dtype.name == x.dtype.name and got.device.type == bp.device(device).type
    np.testing.assert_array_equal(got.cpu().numpy(), wanted)


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
@pytest.mark.parametrize("arrays", ["", "integers", "masks"])
@given(data=st.data())
def test_what_is_written_is_numpys(arrays, device, data):
    x, key, layout = drawn(data.draw, arrays)
    theirs, there = layout(np, x.copy()), layout(bp, bp.asarray(x, device=device, copy=True))
    theirs = theirs.copy() if not theirs.flags.writeable else theirs
    wanted = theirs[key]
    one = data.draw(st.booleans())
    value = np.asarray(7 if one else np.arange(100, 100 + wanted.size).reshape(wanted.shape)).astype(x.dtype)
    if not one and wanted.ndim and data.draw(st.booleans()):
        value = value[:1]  # broadcast
    theirs[key] = value if not one else value.item()
    there[ours(key, device)] = value.item() if one else bp.asarray(value, device=device)
    if not one and any(isinstance(k, (np.ndarray, list)) and np.asarray(k).dtype != bool
                       for k in (key if isinstance(key, tuple) else (key,))):
        return  # the same place may be written twice; which value stays is tested below
    np.testing.assert_array_equal(there.cpu().numpy(), theirs)


def test_of_equal_indices_the_last_value_stays(device):
    x = bp.zeros(3, device=device)
    x[bp.asarray([0, 2, 0], device=device)] = bp.asarray([1.0, 2.0, 3.0], device=device)
    assert x.tolist() == [3, 0, 2]
    y = bp.zeros((2, 3), device=device)
    y[[1, 1], [2, 2]] = bp.asarray([4.0, 5.0], device=device)
    assert y.tolist() == [[0, 0, 0], [0, 0, 5]]


def test_values_are_converted_and_may_be_lists(device):
    x = bp.zeros(4, dtype=bp.int32, device=device)
    x[[0, 1]] = [5, 6]
    x[x == 0] = 1.9
    assert x.tolist() == [5, 6, 1, 1] and x.dtype is bp.int32
    x[bp.asarray([True, False, True, False], device=device)] = bp.asarray([8.5, 9.5])  # from another device too
    assert x.tolist() == [8, 6, 9, 1]
    view = x[::-1]
    view[[0]] = 0
    assert x.tolist() == [8, 6, 9, 0]


def test_masks_without_dimensions(device):
    x = bp.arange(3, device=device)
    for yes in (True, np.True_, bp.asarray(True, device=device), x.sum() == 3):
        assert x[yes].tolist() == [[0, 1, 2]]
    for no in (False, np.False_, x.sum() == 4):
        assert x[no].shape == (0, 3)
    x[True] = 5
    x[False] = 6
    assert x.tolist() == [5, 5, 5]
    zero = bp.asarray(3.0, device=device)
    assert zero[zero > 2].tolist() == [3] and zero[zero > 4].shape == (0,)
    zero[zero > 2] = 1
    assert zero.item() == 1


@pytest.mark.parametrize("shape, chosen", [((0,), (0, 3, 4)), ((2, 0), (0, 4)), ((0, 3), (0, 4)), ((0, 0, 0), (0,))])
def test_a_mask_dimension_of_0_fits_any_and_chooses_nothing(shape, chosen, device):
    x = bp.ones((2, 3, 4), device=device)
    mask = bp.zeros(shape, dtype=bp.bool, device=device)
    assert x[mask].shape == chosen
    x[mask] = 5
    x[mask] = bp.zeros(chosen, device=device)
    assert bp.all(x == 1)
    with pytest.raises(IndexError):
        x[:, mask[..., None, None]]


def test_a_number_beside_arrays_takes_its_dimension_away_first(device):
    x = bp.arange(24, device=device).reshape(2, 3, 4)
    assert x[0, :, [0, 1]].shape == (3, 2)  # as PyTorch; NumPy sees the number as an array: (2, 3)
    assert x[bp.asarray(0, device=device), [0, 1], 2].tolist() == [2, 6]
    assert x[:, [0, 2], None].shape == (2, 2, 1, 4) and x[[0, 1], :, [0, 1]].shape == (2, 3)


def test_an_index_may_lie_on_the_cpu():
    x = bp.arange(4, device="sim:1")
    at = bp.asarray([1, 3])
    assert x[at].tolist() == [1, 3] and x[at].device == bp.device("sim:1")
    x[at] = 0
    assert x[bp.asarray([True, False, True, False])].tolist() == [0, 2]


@pytest.mark.parametrize("key, error", [
    (([5],), IndexError), (([-4],), IndexError), (([0], [0], [0]), IndexError), (([0, 1], [0, 1, 0]), (IndexError, ValueError)),
    (np.array([True, False]), (IndexError, ValueError)), (np.ones((3, 2, 1), bool), IndexError), ([1.5], (IndexError, TypeError)),
    (["a"], (IndexError, TypeError)), ((..., [0], ...), IndexError), ([[0], [0, 1]], ValueError),
])  # fmt: skip
def test_wrong_arrays_are_refused_and_nothing_is_written(key, error):
    x = bp.zeros((3, 2))
    with pytest.raises(error):
        x[key]
    with pytest.raises(error):
        x[key] = 1
    assert not x.any()


def test_values_of_a_wrong_shape_are_refused(device):
    x = bp.zeros((3, 2), device=device)
    for key in ([0, 1], x == 0, (slice(None), [0])):
        with pytest.raises((ValueError, RuntimeError)):
            x[key] = bp.ones(7, device=device)
    assert not x.any()
