# SPDX-License-Identifier: Apache-2.0
"""backplane.linalg against NumPy's, and backplane.torch.linalg's names and errors."""

import subprocess
import sys

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

NUMBERS = ["float32", "float64", "complex64", "complex128"]
EPS = {"float32": 2e-4, "complex64": 2e-4, "float64": 1e-10, "complex128": 1e-10}
LAYOUTS = [lambda x: x, lambda x: np.swapaxes(np.ascontiguousarray(np.swapaxes(x, -1, -2)), -1, -2),
           lambda x: np.repeat(x, 2, -1)[..., ::2], lambda x: np.ascontiguousarray(x[..., ::-1, :])[..., ::-1, :]]  # fmt: skip
BATCHES = [(), (1,), (3,), (2, 2), (0,)]


def matrix(data, rows, columns, dtype, batch=()):
    """Well-conditioned: a random one, of singular values about 1."""
    seed = data.draw(st.integers(0, 2**32 - 1))
    g = np.random.default_rng(seed)
    a = g.normal(size=(*batch, rows, columns))
    if dtype.startswith("complex"):
        a = a + 1j * g.normal(size=a.shape)
    k = min(rows, columns)
    if a.size:
        u, _, vh = np.linalg.svd(a, full_matrices=False)
        a = (u * np.linspace(1, 2, k)) @ vh
    return data.draw(st.sampled_from(LAYOUTS))(a.astype(dtype))


def near(x, wanted):
    wanted = np.asarray(wanted)
    assert tuple(x.shape) == wanted.shape and x.dtype.name == wanted.dtype.name, (x, wanted)
    np.testing.assert_allclose(np.asarray(x.numpy()), wanted, rtol=EPS.get(x.dtype.name, 0), atol=EPS.get(x.dtype.name, 0))


side, dtypes, batches = st.integers(0, 6), st.sampled_from(NUMBERS), st.sampled_from(BATCHES)
some = st.integers(1, 6)


@given(st.data(), some, dtypes, batches)
def test_functions_of_square_matrices(data, n, dtype, batch):
    a = matrix(data, n, n, dtype, batch)
    x = bp.asarray(a)
    near(bp.linalg.inv(x), np.linalg.inv(a))
    near(bp.linalg.det(x), np.linalg.det(a))
    sign, size = bp.linalg.slogdet(x)
    near(sign, np.linalg.slogdet(a)[0])
    near(size, np.linalg.slogdet(a)[1])
    for power in (-2, 0, 1, 5):
        near(bp.linalg.matrix_power(x, power), np.linalg.matrix_power(a, power))
    spd = a @ np.conj(np.swapaxes(a, -1, -2)) + np.eye(n, dtype=dtype)
    s = bp.asarray(spd)
    near(bp.linalg.cholesky(s), np.linalg.cholesky(spd))
    near(bp.linalg.cholesky(s, upper=True), np.linalg.cholesky(spd, upper=True))
    near(bp.linalg.eigvalsh(s), np.linalg.eigvalsh(spd))
    w, v = bp.linalg.eigh(s)
    near(bp.matmul(s, v), v.numpy() * w.numpy()[..., None, :].astype(dtype))


@given(st.data(), some, some, dtypes, batches)
def test_functions_of_any_matrices(data, rows, columns, dtype, batch):
    a = matrix(data, rows, columns, dtype, batch)
    x = bp.asarray(a)
    near(bp.linalg.svdvals(x), np.linalg.svdvals(a))
    near(bp.linalg.pinv(x), np.linalg.pinv(a))
    np.testing.assert_array_equal(bp.linalg.matrix_rank(x).numpy(), np.linalg.matrix_rank(a))
    for full in (True, False):
        u, s, vh = bp.linalg.svd(x, full_matrices=full)
        wanted = np.linalg.svd(a, full_matrices=full)
        assert [tuple(t.shape) for t in (u, s, vh)] == [t.shape for t in wanted]
        k = min(rows, columns)
        near(bp.matmul(u[..., :k] * s[..., None, :], vh[..., :k, :]), a)
    for mode in ("reduced", "complete"):
        q, r = bp.linalg.qr(x, mode=mode)
        wanted_q, wanted_r = np.linalg.qr(a, mode=mode)
        assert tuple(q.shape) == wanted_q.shape and tuple(r.shape) == wanted_r.shape
        near(bp.matmul(q, r), a)
    for order in ("fro", "nuc", 1, -1, 2, -2, np.inf, -np.inf):
        near(bp.linalg.matrix_norm(x, ord=order), np.linalg.matrix_norm(a, ord=order))
        near(bp.linalg.matrix_norm(x, ord=order, keepdims=True), np.linalg.matrix_norm(a, ord=order, keepdims=True))
    near(bp.linalg.diagonal(x, offset=1), np.linalg.diagonal(a, offset=1))
    near(bp.linalg.diagonal(x, offset=-2), np.linalg.diagonal(a, offset=-2))
    near(bp.linalg.trace(x), np.linalg.trace(a))
    near(bp.linalg.matrix_transpose(x), np.linalg.matrix_transpose(a))


@given(st.data(), some, some, dtypes, batches)
def test_equations(data, n, k, dtype, batch):
    a, b = matrix(data, n, n, dtype, batch), matrix(data, n, k, dtype)
    x, y = bp.asarray(a), bp.asarray(b)
    near(bp.linalg.solve(x, y), np.linalg.solve(a, b))
    near(bp.linalg.solve(x, y[:, 0]), np.linalg.solve(a, b[:, 0]))
    near(bp.matmul(x, torch.linalg.solve(x, y)), np.broadcast_to(b, (*batch, n, k)))
    triangle = np.tril(a) + 3 * np.eye(n, dtype=dtype)
    t = bp.asarray(triangle)
    near(bp.linalg.solve_triangular(t, y, upper=False), np.linalg.solve(triangle, b))
    near(bp.linalg.solve_triangular(t.mT, y, upper=True), np.linalg.solve(np.swapaxes(triangle, -1, -2), b))
    tall = matrix(data, n + 3, n, dtype)
    right = matrix(data, n + 3, k, dtype)
    ours, theirs = bp.linalg.lstsq(bp.asarray(tall), bp.asarray(right)), np.linalg.lstsq(tall, right)
    near(ours.solution, theirs[0])
    near(ours.residuals, theirs[1])
    assert int(ours.rank) == theirs[2]
    near(ours.singular_values, theirs[3])


@given(st.data(), st.sampled_from([(), (0,), (1,), (2,), (0, 1), (-1,), None]))
def test_norms_of_vectors(data, axis):
    a = matrix(data, 4, 5, data.draw(dtypes), (3,))
    for order in (0, 1, 2, 3, -1, 0.5, np.inf, -np.inf):
        for keepdims in (False, True):
            wanted = np.linalg.vector_norm(a, axis=axis, ord=order, keepdims=keepdims)
            near(bp.linalg.vector_norm(bp.asarray(a), axis=axis, ord=order, keepdims=keepdims),
                 np.asarray(wanted, dtype=a.real.dtype))


@given(st.data(), dtypes)
def test_products(data, dtype):
    a, b = matrix(data, 4, 3, dtype), matrix(data, 4, 3, dtype)
    x, y = bp.asarray(a), bp.asarray(b)
    near(bp.linalg.cross(x, y), np.linalg.cross(a, b))
    near(bp.linalg.cross(x.mT, y.mT, axis=0), np.linalg.cross(a.T, b.T, axis=0))
    near(bp.linalg.outer(x[0], y[1]), np.linalg.outer(a[0], b[1]))
    near(bp.linalg.multi_dot([x[0], y.mT, x, y.mT]), np.linalg.multi_dot([a[0], b.T, a, b.T]))


def test_nothing_has_factors_too():
    x = bp.zeros((2, 0, 0), dtype=bp.float64)
    assert bp.linalg.inv(x).shape == (2, 0, 0) and bp.linalg.det(x).tolist() == [1, 1]
    assert bp.linalg.slogdet(x)[1].tolist() == [0, 0] and bp.linalg.matrix_rank(x).tolist() == [0, 0]
    u, s, vh = bp.linalg.svd(bp.zeros((0, 3)))
    assert u.shape == (0, 0) and s.shape == (0,) and vh.tolist() == np.eye(3).tolist()
    q, r = bp.linalg.qr(bp.zeros((3, 0)), mode="complete")
    assert q.tolist() == np.eye(3).tolist() and r.shape == (3, 0)
    assert bp.linalg.pinv(bp.zeros((0, 3))).shape == (3, 0)


def test_ranks_of_matrices_that_lack_some():
    x = bp.asarray([[[1.0, 2], [2, 4]], [[0, 0], [0, 0]], [[1, 0], [0, 1e-3]]])
    assert bp.linalg.matrix_rank(x).tolist() == [1, 0, 2]
    assert bp.linalg.matrix_rank(x, rtol=1e-2).tolist() == [1, 0, 1]
    assert bp.linalg.matrix_rank(x, rtol=bp.asarray([0.1, 0.1, 1e-4])).tolist() == [1, 0, 2]
    assert torch.linalg.matrix_rank(x, atol=1e-2, hermitian=True).tolist() == [1, 0, 1]


@pytest.mark.parametrize("call, text", [
    (lambda: bp.linalg.cholesky(bp.asarray([[1.0, 2], [2, 1]])),
     "linalg.cholesky: The factorization could not be completed because the input is not positive-definite (the leading minor of "
     "order 2 is not positive-definite)."),
    (lambda: bp.linalg.cholesky(bp.asarray([[[1.0]], [[-1.0]]])), "linalg.cholesky: (Batch element 1): The factorization"),
    (lambda: bp.linalg.inv(bp.asarray([[1.0, 2], [2, 4]])),
     "linalg.inv: The diagonal element 2 is zero, the inversion could not be completed because the input matrix is singular."),
    (lambda: bp.linalg.solve(bp.zeros((2, 2)), bp.ones((2, 1))),
     "torch.linalg.solve: The solver failed because the input matrix is singular."),
    (lambda: bp.linalg.svd(bp.full((2, 2), float("nan"))),
     "linalg.svd: The algorithm failed to converge because the input matrix contained non-finite values."),
    (lambda: bp.linalg.inv(bp.ones((2, 3))),
     "linalg.inv: A must be batches of square matrices, but they are 2 by 3 matrices"),
    (lambda: bp.linalg.svd(bp.ones(3)), "linalg.svd: The input tensor A must have at least 2 dimensions."),
])  # fmt: skip
def test_errors_have_the_well_known_texts(call, text):
    with pytest.raises(bp.linalg.LinAlgError) as e:
        call()
    assert str(e.value).startswith(text) and isinstance(e.value, (ValueError, RuntimeError))


def test_dtypes_without_inverses_are_refused():
    for dtype, text in ((bp.int64, "Expected a floating point or complex tensor as input. Got Long"),
                        (bp.float16, "Low precision dtypes not supported. Got Half")):  # fmt: skip
        with pytest.raises(TypeError, match=text):
            bp.linalg.inv(bp.ones((2, 2), dtype=dtype))


def test_accelerators_compose_what_they_have_no_kernel_for_and_say_what_they_cannot():
    x = bp.asarray([[4.0, 1.0], [1.0, 3.0]])
    assert (bp.linalg.inv(x.to("sim:0")).to("cpu") - bp.linalg.inv(x)).abs().max().item() < 1e-6
    with pytest.raises(NotImplementedError, match="eig: sim:0 has no kernel for float32"):
        bp.linalg.eig(x.to("sim:0"))


def test_without_a_lapack_there_are_triangular_factors_and_a_sentence():
    program = """
import backplane as bp
bp.init(options="cpu.lapack=off")
a = bp.asarray([[4.0, 1.0], [1.0, 3.0]])
assert bp.linalg.det(a).item() == 11 and bp.linalg.solve(a, bp.asarray([5.0, 4.0])).tolist() == [1, 1]
try:
    bp.linalg.svd(a)
except NotImplementedError as e:
    assert "needs LAPACK" in str(e), e
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_pytorchs_names():
    a = torch.tensor([[4.0, 1.0], [1.0, 3.0]])
    assert torch.linalg.eigh(a, UPLO="U").eigenvalues.tolist() == pytest.approx(np.linalg.eigvalsh(a.numpy()).tolist(), rel=1e-5)
    p, lower, upper = torch.linalg.lu(torch.tensor([[[1.0, 2], [3, 4]], [[0, 1], [2, 3]]]))
    near(p @ lower @ upper, np.array([[[1.0, 2], [3, 4]], [[0, 1], [2, 3]]], dtype="float32"))
    assert isinstance(torch.linalg.inv(a), torch.Tensor) and torch.linalg.qr(a, mode="r").Q.numel() == 0
    assert float(torch.linalg.norm(a)) == pytest.approx(27**0.5) and float(torch.linalg.norm(a, 1)) == 5
    assert torch.linalg.norm(a, dim=1).shape == (2,) and torch.linalg.matrix_norm(a, keepdim=True).shape == (1, 1)
    b = torch.ones(5, 2)
    assert torch.linalg.solve(a.expand(5, 2, 2), b).shape == (5, 2) and torch.linalg.solve(a, b, left=False).shape == (5, 2)
    assert torch.linalg.vander(torch.tensor([2.0, 3.0]), 3).tolist() == [[1, 2, 4], [1, 3, 9]]
    assert torch.linalg.diagonal(torch.ones(2, 3, 4), dim1=0, dim2=1).shape == (4, 2)
    assert float(torch.linalg.cond(a)) == pytest.approx(np.linalg.cond(a.numpy()), rel=1e-5)
    import backplane.torch.linalg as again

    assert again is torch.linalg and torch.inverse(a).shape == (2, 2)


@given(seed=st.integers(0, 99), dtype=st.sampled_from(NUMBERS),
       shape=st.sampled_from([(4, 4), (3, 2, 5, 5), (1, 1), (0, 0), (2, 0, 0)]))
def test_eigenvalues_of_any_matrix(seed, dtype, shape):
    rng = np.random.default_rng(seed)
    a = (rng.standard_normal(shape) + (1j * rng.standard_normal(shape) if dtype[0] == "c" else 0)).astype(dtype)
    w, v = bp.linalg.eig(bp.asarray(a))
    double = dtype in ("float64", "complex128")
    assert w.dtype is v.dtype is (bp.complex128 if double else bp.complex64)
    wanted, *found = (np.take_along_axis(x, np.lexsort((x.imag.round(3), x.real.round(3))), -1)
                      for x in (np.linalg.eigvals(a), w.numpy(), bp.linalg.eigvals(bp.asarray(a)).numpy()))
    for got in found:
        np.testing.assert_allclose(got, wanted, atol=1e-10 if double else 1e-4)
    np.testing.assert_allclose(a @ v.numpy(), v.numpy() * w.numpy()[..., None, :], atol=1e-10 if double else 1e-4)
    np.testing.assert_allclose(np.linalg.norm(v.numpy(), axis=-2), np.ones(w.shape), rtol=1e-5)


@pytest.mark.parametrize("dtype", [bp.float64, bp.complex128])
def test_eigenvectors_have_the_gradient_of_what_their_phases_leave_alone(dtype):
    rng = np.random.default_rng(3)
    a = rng.standard_normal((4, 4)) + (1j * rng.standard_normal((4, 4)) if dtype is bp.complex128 else 0)
    weights = bp.asarray(rng.standard_normal((4, 4)))

    def measured(x):  # |v|^2 has no phase; the order of the pairs is that of LAPACK, which small steps keep
        w, v = bp.linalg.eig(x)
        size = bp.abs(v)
        return bp.sum(size * size * weights) + bp.sum(bp.real(w) * weights[0]) + bp.sum(bp.imag(w) * weights[1])

    x = bp.asarray(a, dtype=dtype).requires_grad_()
    measured(x).backward()
    got, step = x.grad.numpy(), 1e-6
    for i in range(4):
        for j in range(4):
            for unit in (1, 1j) if dtype is bp.complex128 else (1,):
                at = np.zeros((4, 4), a.dtype)
                at[i, j] = unit * step
                slope = (measured(bp.asarray(a + at)).item() - measured(bp.asarray(a - at)).item()) / (2 * step)
                assert abs((got[i, j].real if unit == 1 else got[i, j].imag) - slope) < 1e-6 * (1 + abs(slope)), (i, j, unit)


def test_eigenvalues_of_what_is_not_finite_are_refused():
    for value in (np.nan, np.inf):
        with pytest.raises(bp.linalg.LinAlgError, match=r"linalg\.eig: .*should not contain infs or NaNs"):
            bp.linalg.eigvals(bp.asarray([[1.0, value], [0.0, 1.0]]))
