# SPDX-License-Identifier: Apache-2.0
"""backplane.torch's numbers, gradients and refusals where they are easily wrong: at zero, at ties, of nothing, of arguments that
make no sense. What is expected was worked out by hand or printed by PyTorch 2.15."""

import math

import backplane.torch as torch
import numpy as np
import pytest
from backplane.torch.nn import functional as F

inf, nan = math.inf, math.nan
NAMES = {"torch": torch, "F": F, "inf": inf, "nan": nan}
M = "torch.tensor([[1., 2.], [.5, 3.]])"
Z = "torch.tensor([3j, 4.])"
V = "torch.tensor([1., 2., 4.])"
LINE = "torch.arange(4.).reshape(1, 1, 4)"

VALUES = [
    (f"torch.norm({Z})", 5), (f"{Z}.norm()", 5), (f"torch.norm({Z}, 1)", 7), (f"torch.norm({Z}.reshape(1, 2), dim=1)", [5]),
    (f"F.normalize({Z}.reshape(1, 2))", [[0.6j, 0.8]]), (f"torch.norm({M}, -inf)", 0.5), (f"torch.norm({M}, inf)", 3),
    (f"torch.norm({M}, 0)", 4), (f"torch.norm({M}, None)", 14.25**0.5), (f"torch.norm({M}, 'nuc')", 18.25**0.5),
    (f"torch.norm({M}, 'fro', dim=1)", [5**0.5, 9.25**0.5]), (f"torch.norm({M}, dtype=torch.float64)", 14.25**0.5),
    ("torch.linalg.vector_norm(torch.tensor([300., 400.], dtype=torch.float16))", 500),
    (f"torch.linalg.vector_norm({V}, dim=())", 21**0.5), ("torch.linalg.matrix_norm(torch.zeros(0, 3), 2)", 0),
    (f"{V}.std(False)", (14 / 9) ** 0.5), (f"{V}.var(False)", 14 / 9), (f"{V}.var(True)", 7 / 3), (f"torch.var({V}, False)", 14 / 9),
    (f"{V}.var(0, False)", 14 / 9), (f"{V}.var(0, correction=2)", 14 / 3), (f"{V}.var(correction=9)", inf),
    ("torch.tensor([1.]).std()", nan), ("torch.tensor([1.]).var(False)", 0),
    ("F.cosine_similarity(torch.tensor([[1., 0]]), torch.tensor([[1., 0], [0, 2]]), dim=0)", [0.5**0.5, 0]),
    ("F.cosine_similarity(torch.tensor([[1e-6, 0]]), torch.tensor([[1e-6, 0]]))", [1]),
    ("F.cosine_similarity(torch.tensor([[1., 0]]), torch.tensor([[1, 0]]))", [1]),
    (f"F.pad({LINE}, (-1, 1), 'circular')", [[[1, 2, 3, 1]]]), (f"F.pad({LINE}, (1, -1), 'circular')", [[[2, 0, 1, 2]]]),
    (f"F.pad({LINE}, (-1, 1), 'reflect')", [[[1, 2, 3, 2]]]), (f"F.pad({LINE}, (-2, 1), 'replicate')", [[[2, 3, 3]]]),
    ("list(torch.squeeze(torch.ones(1, 2, 1), ()).shape)", [1, 2, 1]), ("list(torch.ones(1, 2, 1).squeeze([]).shape)", [1, 2, 1]),
    ("list(torch.ones(1, 2, 1).squeeze().shape)", [2]), ("list(torch.ones(1, 2, 1).squeeze((0, 2)).shape)", [2]),
    ("torch.all(torch.tensor([2, 0]), dim=())", [True, False]), ("torch.tensor([[0, 0]]).any(())", [[False, False]]),
    ("torch.sum(torch.ones(2, 3), dim=())", 6),
    ("torch.isclose(torch.tensor([1., inf, nan]), torch.tensor([inf, inf, nan]))", [False, True, False]),
    ("torch.isclose(torch.tensor([250], dtype=torch.uint8), torch.tensor([251], dtype=torch.uint8), rtol=.01)", [True]),
    ("torch.linalg.diagonal(torch.ones(2, 3), offset=1)", [1, 1]), ("torch.linalg.diagonal(torch.ones(2, 3), offset=9)", []),
    ("torch.linalg.vander(torch.tensor(2.), N=3)", [[1, 2, 4]]), ("torch.linalg.vander(torch.tensor([2., 3.]))", [[1, 2], [1, 3]]),
    *((f"list(torch.linalg.lstsq(torch.eye(3, 2), torch.ones(3, 2), driver={driver!r}).{part}.shape)", shape)
      for driver, shapes in ((None, ([0], [], [0])), ("gelsy", ([0], [], [0])), ("gels", ([2], [0], [0])), ("gelsd", ([2], [], [2])))
      for part, shape in zip(("residuals", "rank", "singular_values"), shapes, strict=True)),
    # PyTorch rounds the start and the step first and gives zeros; docs/torch.md says so
    ("torch.arange(0, 3, .5, dtype=torch.int64)", [0, 0, 1, 1, 2, 2]),
    ("torch.ones(2, dtype=torch.uint8).masked_fill(torch.tensor([True, False]), -1)", [255, 1]),
    ("F.scaled_dot_product_attention(*[torch.ones(1, 2, 2)] * 3, torch.tensor([[True, False], [False, False]]))",
     [[[1, 1], [0, 0]]]),
    ("list(F.adaptive_avg_pool1d(torch.ones(1, 0, 3), 1).shape)", [1, 0, 1]),
    ("list(F.max_pool2d(torch.ones(0, 1, 3, 3), 2).shape)", [0, 1, 1, 1]),
    ("torch.split(torch.ones(0), 0)[0]", []),
]  # fmt: skip


@pytest.mark.parametrize("call, expected", VALUES)
def test_a_call_gives_what_pytorch_gives(call, expected):
    found = eval(call, NAMES)
    assert isinstance(found, list) or type(found) is torch.Tensor
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected), rtol=1e-6, atol=1e-12)


ZEROS = [0.0, 0.0]
GRADIENTS = [  # of sum(call), towards x and y
    ("torch.norm(x)", ZEROS, ZEROS), ("x.norm(3)", ZEROS, ZEROS), ("torch.linalg.norm(x)", [ZEROS, ZEROS], [ZEROS, ZEROS]),
    ("torch.linalg.matrix_norm(x)", [ZEROS, [3, 4]], [ZEROS, [0.6, 0.8]]), ("torch.norm(x, .5)", [0, 3], [0, 1]),
    ("torch.norm(x, 0)", [1, 2], ZEROS), ("torch.norm(x, -inf)", [2, -2], [0.5, -0.5]), ("torch.linalg.vector_norm(x, 1.5)", ZEROS, ZEROS),
    ("torch.norm(x)", [0j, 0j], [0j, 0j]), ("torch.norm(x)", [3j, 4 + 0j], [0.6j, 0.8]), ("torch.abs(x)", [0j, 3 + 4j], [0j, 0.6 + 0.8j]),
    ("torch.angle(x)", [0j], [0j]), ("(torch.conj(x) * x).real", [1 + 2j, 3j], [2 + 4j, 6j]),
    ("torch.std(x)", [2, 2], ZEROS), ("torch.std(x, unbiased=False)", [2.0], [0]), ("torch.std(x)", [2.0], [nan]),
    ("torch.prod(x)", [0, 2, 3], [6, 0, 0]), ("torch.cumprod(x, 0)", [2, 0, 3], [1, 8, 0]),
    ("torch.atan2(x, y)", [0.0], [0], [0.0], [0]), ("torch.hypot(x, y)", [0.0], [nan], [0.0], [nan]),
    ("torch.logaddexp(x, y)", [inf], [1], [1.0], [0]), ("torch.pow(0., x)", [0, 1, 2], [0, 0, 0]),
    ("torch.linalg.pinv(torch.outer(x, x))", [1, 2], [-0.048, -0.336]), ("torch.linalg.pinv(x)", [ZEROS, ZEROS], [ZEROS, ZEROS]),
    ("torch.linalg.pinv(x)", [[1, 0], [0, 1]], [[-1, -1], [-1, -1]]), ("torch.linalg.matrix_power(x, 0)", [[1, 2], [3, 4]], [ZEROS, ZEROS]),
    ("torch.linalg.lstsq(x, y).solution", [[1, 0], [0, 1]], [[-1, -2], [-1, -2]], [[1], [2]], [[1], [1]]),
    ("torch.linalg.pinv(x.reshape(0, 3))", [], []), ("torch.logsumexp(x, 0)", [], []),
    ("F.cosine_similarity(x, y, dim=0)[0]", [[1, 0]], [[0, 0]], [[1, 0], [0, 2]], [[0, 0], [0.5**0.5, 0]]),
    ("F.cosine_similarity(x, y, dim=0)", ZEROS, [1e8, 0], [1, 0], ZEROS), ("F.normalize(x, dim=0)", ZEROS, [1e12, 1e12]),
    ("torch.max(x, 0).values", [1, 1], [1, 0]), ("torch.max(x)", [1, 1], [0.5, 0.5]), ("torch.max(x)", [nan, 1], [1, 0]),
    ("torch.maximum(x, y)", [1, nan], [0.5, 1], [1, 2], [0.5, 1]), ("torch.clamp(x, 0, 1)", [0, 1, 2, -1, 0.5], [0, 0, 0, 0, 1]),
    ("torch.clamp(x, max=1)", [0, 1, 2], [1, 0, 0]), ("F.hardswish(x)", [-3, 3], [0, 1]),
    ("F.binary_cross_entropy(x, y, reduction='sum')", [0, 1], [0, 0], [0, 1], [100, -100]),
    ("F.binary_cross_entropy(x, torch.tensor([1., 0]).double())", [0, 1], [-5e11, 5e11]),
    ("F.adaptive_max_pool1d(x.reshape(1, 1, 4), 2)", [1, 1, 2, 2], [1, 0, 1, 0]),
    ("F.pad(x.reshape(1, 1, 4), (-1, 1), 'circular')", [1, 2, 3, 4], [0, 2, 1, 1]),
    ("F.scaled_dot_product_attention(x, x, x, torch.zeros(2, 2, dtype=torch.bool))", [[1, 2], [3, 4]], [ZEROS, ZEROS]),
]  # fmt: skip


@pytest.mark.parametrize("call, x, expected, more", [(call, x, dx, more) for call, x, dx, *more in GRADIENTS])
def test_a_gradient_is_pytorchs_where_there_is_no_slope(call, x, expected, more):
    def leaf(values):
        return torch.tensor(np.asarray(values, complex if np.iscomplexobj(values) else float)).requires_grad_()

    x, y = leaf(x), leaf(more[0] if more else [0.0])
    eval(call, NAMES | {"x": x, "y": y}).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), np.reshape(expected, x.shape), rtol=1e-9, atol=1e-12)
    if more:
        np.testing.assert_allclose(y.grad.numpy(), np.reshape(more[1], y.shape), rtol=1e-9, atol=1e-12)


A = "torch.ones(1, 1, 3)"
ERRORS = [
    ("F.gelu(torch.ones(1), approximate='asdf')", "approximate argument must be either none or tanh."),
    ("torch.isclose(torch.ones(1), torch.ones(1), rtol=-1)", "rtol must be greater than or equal to zero, but got -1"),
    ("torch.allclose(torch.ones(1), torch.ones(1), atol=-1)", "atol must be greater than or equal to zero, but got -1"),
    ("torch.isclose(torch.ones(1), torch.ones(1).double())", "Float did not match Double"),
    ("torch.linalg.diagonal(torch.ones(2, 3), dim1=10000)", "Dimension out of range (expected to be in range of [-2, 1], but got 10000)"),
    ("torch.linalg.diagonal(torch.ones(2, 3), dim1=0, dim2=-2)", "diagonal dimensions cannot be identical 0, -2"),
    (f"F.conv1d({A}.long(), {A}.long(), torch.ones(1).double())", "Input type (Long) and bias type (Double) should be the same"),
    (f"F.conv1d({A}, {A}.double())", "Input type (Float) and weight type (Double) should be the same"),
    ("F.linear(torch.ones(2, 3), torch.ones(4, 3), torch.ones(4).double())",
     "self and mat2 must have the same dtype, but got Double and Float"),
    ("torch.complex(torch.ones(1), torch.ones(1).double())",
     "Expected object of scalar type Float but got scalar type Double for second argument"),
    ("torch.linalg.cross(torch.ones(5, 3), torch.ones(5, 1))", "linalg.cross: inputs dimension -1 must have length 3. Got 3 and 1"),
    ("torch.linalg.cross(torch.ones(5, 3), torch.ones(3))", "linalg.cross: inputs must have the same number of dimensions."),
    ("F.group_norm(torch.ones(2, 0, 3), 1)", "Expected number of channels to be greater than 0, got 0"),
    ("F.group_norm(torch.ones(2, 2, 0), 1)", "Expected HxW to be greater than 0, got 0"),
    ("F.max_pool3d(torch.ones(1, 0, 3, 3, 3), 1)",
     "Expected input to have non-zero size for non-batch dimensions, but input has sizes [1, 0, 3, 3, 3] with dimension 1 being empty"),
    ("torch.roll(torch.tensor(1.), 0, 0)", "Dimension specified as 0 but tensor has no dimensions"),
    ("torch.ones(2).long().masked_fill(torch.tensor(True), torch.tensor(1j))", "value cannot be converted to type int64 without overflow"),
    ("torch.ones(2).long().masked_fill(torch.tensor(True), nan)", "value cannot be converted to type int64 without overflow"),
    ("torch.ones(2, dtype=torch.int8).masked_fill(torch.tensor(True), 300)", "value cannot be converted to type int8 without overflow"),
    ("F.cosine_similarity(torch.ones(1, 2), torch.ones(1, 2), eps=-1)", "eps must be non-negative, got: -1"),
    ("F.cosine_similarity(torch.tensor([[1]]), torch.tensor([[1]]))",
     "expected common dtype to be floating point, yet common dtype is Long"),
    (f"F.pad({LINE}, (-2, 3), 'circular')", "Padding value causes wrapping around more than once"),
    (f"F.pad({LINE}, (1, 1), 'circular', 1.)", 'Padding mode "circular" doesn\'t take in value argument'),
    (f"F.pad({LINE}, (1, 1), 'asdf')", "Unrecognised padding mode asdf"),
    ("torch.norm(torch.tensor([1, 2]))", "linalg.vector_norm: Expected a floating point or complex tensor as input. Got Long"),
    (f"torch.norm({M}, 'asdf')", "linalg.matrix_norm: Order 'asdf' not supported"),
    (f"torch.linalg.matrix_norm({M}, dim=(0, 5))", "Dimension out of range (expected to be in range of [-2, 1], but got 5)"),
    (f"torch.linalg.matrix_norm({M}, dim=(0,))", "linalg.matrix_norm: dim must be a 2-tuple. Got 0"),
    ("torch.linalg.norm(torch.ones(1, 2, 2), 2)", "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got 3D."),
    ("torch.linalg.vector_norm(torch.zeros(0), -1)", "linalg.vector_norm cannot compute the -1 norm on an empty tensor"),
    (f"torch.linalg.vector_norm({Z}, dtype=torch.float32)",
     "linalg.vector_norm: dtype should be complex for complex inputs, but got Float"),
    (f"torch.linalg.vector_norm({V}, dtype=torch.float16)", "should be convertible without narrowing to the specified dtype (Half)"),
    ("torch.linalg.lstsq(torch.eye(2), torch.eye(2), driver='asdf')",
     "torch.linalg.lstsq: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)"),
    ("torch.linalg.vander(torch.tensor([2., 3.]), N=1)", "N must be greater than 1."),
    ("F.batch_norm(torch.ones(2, 2), None, None, training=True, eps=-1)", "batch_norm eps must be positive during training, but got -1"),
    ("F.mse_loss(torch.ones(2), torch.ones(2), reduction='asdf')", "asdf is not a valid value for reduction"),
    ("F.binary_cross_entropy_with_logits(torch.ones(2), torch.ones(1))", "must be the same as input size"),
    ("F.dropout(torch.ones(2), 1.1, training=False)", "dropout probability has to be between 0 and 1, but got 1.1"),
    ("F.one_hot(torch.tensor([0, 1]), -2)", "num_classes must be at least 1, got -2"),
    ("torch.chunk(torch.ones(4), -1)", "chunk expects `chunks` to be greater than 0, got: -1"),
    ("torch.split(torch.ones(4), -1)", "split expects split_size be non-negative, but got split_size=-1"),
    ("torch.split(torch.ones(4), 0)", "split_size can only be 0 if dimension size is 0, but got dimension size of 4"),
    ("torch.ones(2, 2).repeat(2)", "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor"),
    ("torch.tensordot(torch.ones(2, 3), torch.ones(3, 2), -1)", "tensordot expects dims >= 0, but got dims=-1"),
    ("torch.clamp(torch.ones(2))", "At least one of 'min' or 'max' must not be None"),
    ("torch.searchsorted(torch.ones(2), torch.ones(1), right=True, side='left')",
     "side and right can't be set to opposites, got side of left while right was True"),
    ("torch.dot(torch.ones(2, 2), torch.ones(2))", "1D tensors expected, but got 2D and 1D tensors"),
    ("torch.mv(torch.ones(2, 2), torch.ones(2, 2))", "vector + matrix @ vector expected, got 1, 2, 2"),
    ("torch.mm(torch.ones(2, 2), torch.ones(2))", "mm: mat2 must be a matrix, got 1-D tensor"),
    ("torch.bmm(torch.ones(2, 2), torch.ones(2, 2))", "batch1 must be a 3D tensor"),
    ("torch.bmm(torch.ones(1, 2, 3), torch.ones(2, 3, 2))",
     "Expected size for first two dimensions of batch2 tensor to be: [1, 3] but got: [2, 3]."),
    ("torch.ones(1, 2, 1).squeeze((0, -3))", "appears multiple times in the list of dims"),
]  # fmt: skip


@pytest.mark.parametrize("call, sentence", ERRORS)
def test_what_pytorch_refuses_is_refused_with_its_sentence(call, sentence):
    with pytest.raises((RuntimeError, ValueError, IndexError)) as error:
        eval(call, NAMES)
    assert sentence in str(error.value)


@pytest.mark.parametrize("call", [
    "x.sum(True)", "x.sum(dim=False)", "x.mean(False)", "x.max(False)", "x.argmax(False)", "x.cumsum(True)", "x.softmax(True)",
    "x.squeeze(False)", "x.unsqueeze(True)", "x.transpose(False, True)", "x.select(0, True)", "x.narrow(0, False, True)",
    "x.reshape(True, 2)", "x.expand((True, 2))", "x.flip(False)", "x.roll(True, 0)", "x.topk(True)", "x.flatten(False)",
    "x.diagonal(False)", "x.std(True, True)", "x.std(0, 1)", "x.std(0, False, correction=0)", "torch.cat([x, x], False)",
    "torch.zeros(True)", "F.one_hot(torch.tensor([0]), True)", "F.conv1d(x, x, groups=True)", "torch.linalg.matrix_power(x, True)",
])  # fmt: skip
def test_a_bool_is_no_dimension_and_no_number_of_things(call):
    with pytest.raises(TypeError):
        eval(call, NAMES | {"x": torch.ones(1, 2)})


@pytest.mark.parametrize("call", [
    "torch.cummax(torch.tensor(1.), 0)", "torch.cummin(torch.ones(1), 0)", "torch.linalg.lstsq(x, x)", "torch.linalg.lstsq(x[:0], x[:0])",
    "torch.linalg.lu(x)", "torch.linalg.qr(x, mode='r')", "[torch.linalg.diagonal(x, offset=9)]", "torch.max(x, 0)",
    "[torch.fft.fftfreq(3), torch.searchsorted(x[0], 1.5)]", "torch.unique(x, return_counts=True)", "torch.nonzero(x, as_tuple=True)",
])  # fmt: skip
def test_every_part_of_a_result_is_a_torch_tensor(call):
    for part in eval(call, NAMES | {"x": torch.eye(2)}):
        assert type(part) is torch.Tensor


def test_real_and_imag_are_views_as_functions_too():
    z = torch.tensor([1 + 2j, 3j])
    torch.imag(z)[0] = 9
    torch.real(z)[1] = 5
    assert z.tolist() == [1 + 9j, 5 + 3j]
    x = torch.ones(2)
    assert torch.real(x) is x
    with pytest.raises(RuntimeError, match="imag is not implemented for tensors with non-complex dtypes"):
        torch.imag(x)
