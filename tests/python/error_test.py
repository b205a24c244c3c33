# SPDX-License-Identifier: Apache-2.0
"""Failures are Python exceptions of the class that people expect, with PyTorch's words where it has them."""

import backplane as bp
import pytest


def test_an_exception_of_a_callback_may_have_a_text_that_is_no_utf8():
    x = bp.ones(2)
    x.requires_grad = True

    def hook(grad):
        raise ValueError("half a character: \udcff")

    x.register_hook(hook)
    with pytest.raises(ValueError, match="half a character: \udcff"):
        bp.sum(x).backward()


@pytest.mark.parametrize("name", ["\udcff", "cuda\udc80:0"])
def test_a_device_name_that_is_no_utf8_is_refused(name):
    for call in (lambda: bp.device(name), lambda: bp.device(name, 0), lambda: bp.ones(1, device=name)):
        with pytest.raises(ValueError):
            call()


@pytest.mark.parametrize("call, builtin, error, text", [
    (lambda: bp.ones((2, 3)) @ bp.ones((4, 5)), ValueError, bp.InvalidArgumentError,
     "mat1 and mat2 shapes cannot be multiplied \\(2x3 and 4x5\\)"),
    (lambda: bp.ones(3) + bp.ones(4), ValueError, bp.InvalidArgumentError,
     "The size of tensor a \\(3\\) must match the size of tensor b \\(4\\) at non-singleton dimension 0"),
    (lambda: bp.ones((2, 2)).sum(axis=5), IndexError, bp.IndexOutOfRangeError, "range"),
    (lambda: bp.ones(2)[5], IndexError, bp.IndexOutOfRangeError, "out of bounds|out of range"),
    (lambda: bp.ones(2) + bp.ones(2, device="sim:0"), RuntimeError, bp.DeviceMismatchError,
     "Expected all tensors to be on the same device"),
    (lambda: bp.ones(2, device="sim:99"), IndexError, bp.IndexOutOfRangeError, "99"),
    (lambda: bp.empty(2**60), MemoryError, bp.OutOfHostMemoryError, "bytes"),
    (lambda: bp.empty(2**33, device="sim:0"), MemoryError, bp.OutOfMemoryError, "Tried to allocate"),
    pytest.param(lambda: bp.cuda.init(), RuntimeError, bp.Error, "cuda",
                 marks=pytest.mark.skipif(bp.cuda.is_available(), reason="there is a CUDA device")),
    (lambda: bp.device("foo"), RuntimeError, bp.Error, "Expected one of cpu, "),
    (lambda: bp.mean(bp.ones(2, dtype=bp.int32)), TypeError, bp.DTypeMismatchError, "mean"),
])
def test_each_failure_has_its_class_and_its_words(call, builtin, error, text):
    with pytest.raises(error, match=text) as e:
        call()
    assert isinstance(e.value, RuntimeError) and isinstance(e.value, builtin) and isinstance(e.value, bp.Error)
    assert e.value.code.startswith("BP_") and "\n" not in str(e.value)
