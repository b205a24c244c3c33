# SPDX-License-Identifier: Apache-2.0
"""backplane.fft against NumPy's, and backplane.torch.fft's names."""

import backplane as bp
import backplane.torch as torch
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

LAYOUTS = [lambda x: x, lambda x: np.repeat(x, 2, -1)[..., ::2], lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
           lambda x: np.ascontiguousarray(x.T).T]  # fmt: skip
NORMS = st.sampled_from(["backward", "ortho", "forward"])


def array(data, shape, dtype):
    g = np.random.default_rng(data.draw(st.integers(0, 2**32 - 1)))
    a = g.normal(size=shape)
    if dtype.startswith("complex"):
        a = a + 1j * g.normal(size=shape)
    return data.draw(st.sampled_from(LAYOUTS))(a.astype(dtype))


def near(x, wanted):
    assert tuple(x.shape) == wanted.shape and x.dtype.name == wanted.dtype.name, (x.dtype, wanted.dtype)
    size = np.linalg.norm(wanted.ravel()) if wanted.size else 0
    single = wanted.dtype.name in ("float32", "complex64")
    assert np.linalg.norm((x.numpy() - wanted).ravel()) <= (1e-6 if single else 2e-15) * (size + 1e-30) * 8


lengths = st.one_of(st.integers(1, 40), st.sampled_from([64, 67, 97, 128, 134, 210, 251, 256, 521, 1000, 1024]))
REALS, COMPLEXES = ["float32", "float64"], ["complex64", "complex128"]


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
@given(st.data(), lengths, NORMS)
def test_transforms_of_one_axis(name, data, n, norm):
    dtype = data.draw(st.sampled_from(REALS if name in ("rfft", "ihfft") else COMPLEXES))
    shape = data.draw(st.sampled_from([(n,), (3, n), (n, 2), (2, n, 2)]))
    axis = shape.index(n)
    least = 2 if name in ("irfft", "hfft") and n == 1 else 1
    size = data.draw(st.one_of(st.none() if n > 1 else st.just(least), st.integers(least, n + 9)))
    a = array(data, shape, dtype)
    near(getattr(bp.fft, name)(bp.asarray(a), n=size, axis=axis, norm=norm),
         getattr(np.fft, name)(a, n=size, axis=axis, norm=norm))


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
@given(st.data(), NORMS)
def test_transforms_of_several_axes(name, data, norm):
    shape = data.draw(st.sampled_from([(4, 6), (3, 5, 2), (2, 3, 4, 5), (17, 12), (7,)]))
    dtype = data.draw(st.sampled_from(REALS if name == "rfftn" else COMPLEXES))
    axes = data.draw(st.one_of(st.none(), st.permutations(range(-len(shape), 0)).flatmap(
        lambda p: st.integers(1, len(p)).map(lambda k: p[:k]))))
    s = data.draw(st.none() if axes is None else st.one_of(
        st.none(), st.lists(st.integers(2, 9), min_size=len(axes), max_size=len(axes))))
    a = array(data, shape, dtype)
    near(getattr(bp.fft, name)(bp.asarray(a), s=s, axes=axes, norm=norm), getattr(np.fft, name)(a, s=s, axes=axes, norm=norm))


@given(st.integers(1, 50), st.sampled_from([1.0, 0.25, 3]))
def test_frequencies(n, d):
    for name in ("fftfreq", "rfftfreq"):
        x = getattr(bp.fft, name)(n, d=d)
        assert x.dtype is bp.float32
        np.testing.assert_allclose(x.numpy(), getattr(np.fft, name)(n, d=d), rtol=1e-6)


@given(st.data())
def test_shifts(data):
    shape = data.draw(st.sampled_from([(1,), (6,), (7,), (4, 5), (2, 3, 5)]))
    axes = data.draw(st.one_of(st.none(), st.integers(-len(shape), len(shape) - 1), st.just(list(range(len(shape))))))
    a = np.arange(np.prod(shape)).reshape(shape)
    for name in ("fftshift", "ifftshift"):
        np.testing.assert_array_equal(getattr(bp.fft, name)(bp.asarray(a), axes=axes).numpy(),
                                      getattr(np.fft, name)(a, axes=axes))


def test_what_is_refused():
    x = bp.ones((4, 4))
    for call, text in ((lambda: bp.fft.fft(x, n=0), "Invalid number of data points"),
                       (lambda: bp.fft.fft(x, norm="no"), "Invalid normalization mode"),
                       (lambda: bp.fft.fftn(x, axes=(0, 0)), "must be unique"),
                       (lambda: bp.fft.fftn(x, s=(2,), axes=(0, 1)), "same length"),
                       (lambda: bp.fft.fft(bp.ones(())), "Dimension|no axis")):  # fmt: skip
        with pytest.raises((ValueError, IndexError), match=text):
            call()
    with pytest.raises(TypeError, match="expects a real input"):
        bp.fft.rfft(bp.fft.fft(x))
    with pytest.raises(TypeError, match="Unsupported dtype Half"):
        bp.fft.fft(x.to(bp.float16))


def test_pytorchs_names():
    x = torch.arange(12.0).reshape(3, 4)
    near(torch.fft.fft2(x), np.fft.fft2(x.numpy()).astype("complex64"))
    near(torch.fft.rfft(x, dim=0, norm="ortho"), np.fft.rfft(x.numpy(), axis=0, norm="ortho").astype("complex64"))
    near(torch.fft.irfft2(torch.fft.rfft2(x)), x.numpy())
    assert isinstance(torch.fft.fftfreq(4), torch.Tensor) and torch.fft.fftshift(torch.fft.fftfreq(4), dim=0)[0] == -0.5
    import backplane.torch.fft as again

    assert again is torch.fft
