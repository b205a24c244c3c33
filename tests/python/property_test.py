# SPDX-License-Identifier: Apache-2.0
"""Each function of the array API standard does as NumPy's: dtypes, layouts, special values, on each device.

The functions and how their arguments are drawn are in property_table.py."""

import ast
import pathlib

import backplane as bp
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from property_table import TABLE
from signature_test import LINES, MISSING


def backwards(xp, x):
    return xp.permute_dims(x, tuple(range(x.ndim))[::-1])


LAYOUTS = {  # views that both libraries make; the shape stays
    "whole": lambda xp, x: x,
    "transposed": lambda xp, x: backwards(xp, xp.stack([backwards(xp, x)])[0]),  # its first dimension is the densest
    "reversed": lambda xp, x: xp.flip(x),
    "strided": lambda xp, x: xp.stack([x, x], axis=-1)[..., 0],
    "broadcast": lambda xp, x: xp.broadcast_to(x[..., :1], x.shape) if x.ndim and x.shape[-1] else x,
}
# Not functions of arrays; data_type_test below.
OTHERS = ["__array_namespace_info__", "can_cast", "finfo", "iinfo", "isdtype", "result_type"]


def equal(got, wanted, bound):
    if isinstance(wanted, (tuple, list)):
        assert isinstance(got, (tuple, list)) and len(got) == len(wanted)
        for g, w in zip(got, wanted, strict=True):
            equal(g, w, bound)
        return
    wanted = np.asarray(wanted)
    assert tuple(got.shape) == wanted.shape and got.dtype.name == wanted.dtype.name, (got, wanted)
    got = np.asarray(got.cpu().numpy())
    if wanted.dtype.kind not in "fc":
        np.testing.assert_array_equal(got, wanted)
    elif bound != 0:  # of a complex number relative to its modulus
        np.testing.assert_allclose(got, wanted, rtol=bound * np.finfo(wanted.dtype).eps, atol=np.finfo(wanted.dtype).tiny)
    else:
        for part in ("real", "imag"):
            g, w = getattr(got, part), getattr(wanted, part)
            np.testing.assert_array_equal(g, w)
            np.testing.assert_array_equal(np.signbit(g[w == 0]), np.signbit(w[w == 0]))


@pytest.mark.parametrize("device", ["cpu", "sim:1"])
@pytest.mark.parametrize("name", TABLE)
@given(data=st.data())
def test_the_function_does_as_numpys(name, device, data):
    if name in MISSING:
        pytest.xfail("not there yet")
    arrays, call, bound = TABLE[name](data.draw, name)
    views = [LAYOUTS[data.draw(st.sampled_from(sorted(LAYOUTS)))] for _ in arrays]
    where = {} if arrays or name == "meshgrid" else {"device": device}
    with np.errstate(all="ignore"):
        wanted = call(np, *(view(np, a) for view, a in zip(views, arrays, strict=True)))
        got = call(bp, *(view(bp, bp.asarray(a, device=device, copy=True)) for view, a in zip(views, arrays, strict=True)), **where)
        equal(got, wanted, bound)


def listed(extension):
    """The functions of the main namespace ("") or of an extension."""
    names = [line.split("(")[0].rpartition(".") for line in LINES if "(" in line]
    return {last for place, _, last in names if place == extension}


def names_in_property_tests(module):
    """What hypothesis' tests of a module name: attributes of bp.linalg or bp.fft, and texts by which they get them."""
    source = ast.parse((pathlib.Path(__file__).parent / f"{module}.py").read_text())
    for test in source.body:
        decorators = getattr(test, "decorator_list", [])
        if not any(isinstance(d, ast.Call) and getattr(d.func, "id", "") == "given" for d in decorators):
            continue
        for node in ast.walk(test):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Attribute) and node.value.attr in ("linalg", "fft"):
                if getattr(node.value.value, "id", "") == "bp":
                    yield node.attr
            elif isinstance(node, ast.Constant):
                yield node.value


def test_every_function_of_the_standard_is_in_the_table():
    assert listed("") == set(TABLE) | set(OTHERS)


@pytest.mark.parametrize("extension", ["linalg", "fft"])
def test_every_function_of_an_extension_has_a_property_test(extension):
    main = {name for name in listed(extension) if name in TABLE and getattr(bp, name) is getattr(getattr(bp, extension), name)}
    left = listed(extension) - main - set(names_in_property_tests(f"{extension}_test"))
    assert len(listed(extension)) > 10 and not left, left
