"""Each function of the array API standard does as NumPy's: dtypes, layouts, special values, on each device.

The functions and how their arguments are drawn are in property_table.py."""

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
        for g, w in zip(got, wanted):
            equal(g, w, bound)
        return
    wanted = np.asarray(wanted)
    assert got.shape == wanted.shape and got.dtype.name == wanted.dtype.name, (got, wanted)
    got = got.cpu().numpy()
    if wanted.dtype.kind != "f":
        np.testing.assert_array_equal(got, wanted)
    elif bound == 0:
        np.testing.assert_array_equal(got, wanted)
        zeros = wanted == 0
        np.testing.assert_array_equal(np.signbit(got[zeros]), np.signbit(wanted[zeros]))
    else:
        np.testing.assert_allclose(got, wanted, rtol=bound * np.finfo(wanted.dtype).eps, atol=np.finfo(wanted.dtype).tiny)


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
        wanted = call(np, *(view(np, a) for view, a in zip(views, arrays)))
        got = call(bp, *(view(bp, bp.asarray(a, device=device, copy=True)) for view, a in zip(views, arrays)), **where)
        equal(got, wanted, bound)


def test_every_function_of_the_standard_is_in_the_table():
    functions = {line.split("(")[0] for line in LINES if "(" in line and "." not in line.split("(")[0]}
    assert functions == set(TABLE) | set(OTHERS) | {"conj", "imag", "real"}
