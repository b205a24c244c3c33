# SPDX-License-Identifier: Apache-2.0
"""Calls of backplane.torch give what PyTorch 2.15 gave: dtypes, shapes, elements and gradients, or the same refusal. The calls are
those of data/pytorch/calls.py, PyTorch's answers those of calls.json beside it."""

import json
import pathlib
import sys

import backplane.torch as torch
import numpy as np
import pytest

DATA = pathlib.Path(__file__).parent / "data/pytorch"
sys.path.insert(0, str(DATA))
import calls  # type: ignore[import-not-found]  # noqa: E402

PYTORCHS = json.loads((DATA / "calls.json").read_text())


def test_pytorch_was_asked_each_call():
    assert list(PYTORCHS["answers"]) == calls.CALLS and list(PYTORCHS["refusals"]) == calls.REFUSED


@pytest.mark.parametrize("call", calls.CALLS)
def test_a_call_gives_what_pytorch_gives(call):
    found, wanted = calls.answer(torch, call), PYTORCHS["answers"][call]
    assert (found["dtypes"], found["shapes"]) == (wanted["dtypes"], wanted["shapes"])
    narrow = [t for t in wanted["dtypes"] if t in ("float32", "float16")]
    rtol = 1e-3 if "float16" in narrow else 1e-6 if narrow or ".float()" in call else 1e-7
    for values, expected in zip(found["values"], wanted["values"], strict=True):
        np.testing.assert_allclose(values, expected, rtol=rtol, atol=1e-7 if narrow else 1e-8)
    # A leaf that nothing arrives at may have zeros, or no gradient.
    for name in found["grads"].keys() | wanted["grads"].keys():
        one = found["grads"].get(name) or wanted["grads"][name]
        got, expected = (side["grads"].get(name) or [0] * len(one) for side in (found, wanted))
        np.testing.assert_allclose(got, expected, rtol=rtol, atol=1e-7, err_msg=name)


@pytest.mark.parametrize("call", calls.REFUSED)
def test_a_call_is_refused_with_pytorchs_sentence(call):
    with pytest.raises((RuntimeError, ValueError, IndexError, NotImplementedError)) as error:
        calls.answer(torch, call)
    assert PYTORCHS["refusals"][call].partition(" (Could this")[0] in str(error.value)
