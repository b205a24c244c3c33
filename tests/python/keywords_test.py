# SPDX-License-Identifier: Apache-2.0
"""Functions whose parameters have NumPy's and PyTorch's names (keywords.py, src/function.cc)."""

import inspect
import pickle
from typing import Any

import backplane as bp
import backplane.torch as torch
import pytest

untyped: Any = bp


@pytest.mark.parametrize("name", ["sum", "mean", "argmax", "concat", "flip", "squeeze", "permute_dims", "sort", "roll"])
def test_a_function_with_two_names_for_a_parameter_is_as_any_other(name):
    f = getattr(bp, name)
    assert pickle.loads(pickle.dumps(f)) is f
    assert f.__name__ == name and "dim" in inspect.signature(f).parameters
    assert inspect.isroutine(f) and f"function {name}" in repr(f)


@pytest.mark.parametrize("axis", [0, -1, (0, 1), (), [], None])
@pytest.mark.parametrize("dtype", ["uint8", "int8", "float64"])
def test_each_axis_means_the_same_by_either_name(axis, dtype):
    x = bp.asarray([[1, 2], [3, 4]], dtype=dtype)
    by_axis, by_dim = bp.sum(x, axis=axis, keepdims=True), bp.sum(x, dim=axis, keepdim=True)
    assert by_axis.tolist() == by_dim.tolist() and by_axis.dtype == by_dim.dtype
    assert by_dim.dtype == {"u": bp.uint64, "i": bp.int64, "f": bp.float64}[x.dtype.kind]
    if axis in ((), []):
        assert by_dim.tolist() == x.tolist()
    assert bp.sum(x, dim=axis, dtype=bp.float32).dtype == bp.float32


def test_what_the_op_cannot_answer_the_function_does():
    x = bp.asarray([[1, 2], [3, 4]])
    assert bp.concat([x, x], dim=1).shape == (2, 4) and untyped.concat([x, x], dim=None).shape == (8,)
    assert bp.permute_dims(x, dim=(1, 0)).tolist() == [[1, 3], [2, 4]]
    assert bp.argmax(x, dim=1, keepdim=True).tolist() == [[1], [1]]
    assert bp.diff(x, dim=0, prepend=x[:1]).tolist() == [[0, 0], [2, 2]]
    assert bp.fft.fft(x, n=1, dim=0).shape == (1, 2) and bp.fft.fft(x, dim=0, norm="ortho").shape == (2, 2)
    assert bp.linalg.vector_norm(x.double(), dim=()).tolist() == x.tolist()
    assert torch.tensor([[1, 2]]).sum(axis=0, keepdims=True).shape == (1, 2)


@pytest.mark.parametrize("call, text", [
    (lambda x: untyped.sum(x, axis=0, dim=0), r"sum\(\) got both axis= and dim=, which mean the same"),
    (lambda x: untyped.sum(x, dim=None, axis=0), r"sum\(\) got both dim= and axis=, which mean the same"),
    (lambda x: untyped.sum(x, 0), r"sum\(\) takes 1 positional argument but 2 were given"),
    (lambda x: untyped.sum(x, rows=0), r"sum\(\) got an unexpected keyword argument 'rows'"),
    (lambda x: untyped.permute_dims(x), r"permute_dims\(\) missing 1 required positional argument: 'axes'"),
    (lambda x: untyped.permute_dims(x, (0,), dim=(0,)), r"permute_dims\(\) got multiple values for argument 'axes'"),
    (lambda x: untyped.sum(), r"sum\(\) missing 1 required positional argument: 'x'"),
])  # fmt: skip
def test_wrong_keywords_are_refused_by_name(call, text):
    with pytest.raises(TypeError, match=text):
        call(bp.ones(2))
