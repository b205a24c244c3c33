# SPDX-License-Identifier: Apache-2.0
"""Tensors, ops, indexing, gradients, linear algebra, random numbers and files, as a typed program has them."""

from __future__ import annotations

import pathlib
import tempfile
from collections.abc import Callable

import backplane as bp
from backplane import autograd, fft, io, linalg, ops


def newton(f: Callable[[bp.Tensor], bp.Tensor], x: bp.Tensor, steps: int = 8) -> bp.Tensor:
    """A root of f, by Newton's method, with the derivative that autograd finds."""
    for _ in range(steps):
        x = x.detach().requires_grad_()
        y = f(x)
        (slope,) = autograd.grad(y.sum(), [x])
        x = x - y / slope
    return x.detach()


def standardized(x: bp.Tensor, axis: int = 0) -> bp.Tensor:
    mean = bp.mean(x, axis=axis, keepdims=True)
    return (x - mean) / bp.sqrt(bp.var(x, axis=axis, keepdims=True) + 1e-6)


def fitted_line(x: bp.Tensor, y: bp.Tensor) -> tuple[float, float]:
    """Slope and intercept of least squares."""
    a = bp.stack([x, bp.ones_like(x)], axis=1)
    solution = linalg.lstsq(a, y[:, None]).solution
    slope, intercept = solution[:, 0].tolist()
    return float(slope), float(intercept)


class Scaled(autograd.Function):
    """Twice the input, whose gradient is three times what it should be."""

    @staticmethod
    def forward(ctx: autograd.FunctionCtx, x: bp.Tensor) -> bp.Tensor:
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx: autograd.FunctionCtx, grad: bp.Tensor) -> bp.Tensor:
        (x,) = ctx.saved_tensors
        assert isinstance(x, bp.Tensor)
        return grad * 6 + x * 0


def spectrum(signal: bp.Tensor) -> int:
    """The strongest frequency of a signal."""
    strength = bp.abs(fft.rfft(signal))
    return int(bp.argmax(strength))


def kept(tensors: dict[str, bp.Tensor]) -> dict[str, bp.Tensor]:
    """What a file gives back."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "tensors.safetensors"
        io.save_file(tensors, path)
        return io.load_file(path)


def main() -> None:
    bp.manual_seed(0)
    device = bp.device("cpu")
    x = bp.randn(64, 3, device=device)
    shape: tuple[int, ...] = x.shape
    assert shape == (64, 3) and x.dtype == bp.float32 and x.device.type == "cpu"
    y = standardized(x)
    assert abs(float(y.mean())) < 1e-5
    root = newton(lambda t: t * t - 2, bp.asarray([1.0, 3.0]))
    assert bool(bp.all(bp.abs(root - 2**0.5) < 1e-4))
    line = bp.linspace(0.0, 1.0, 20)
    slope, intercept = fitted_line(line, 3 * line + 1)
    assert abs(slope - 3) < 1e-3 and abs(intercept - 1) < 1e-3
    leaf = bp.ones(3).requires_grad_()
    Scaled.apply(leaf).sum().backward()
    assert leaf.grad is not None and leaf.grad.tolist() == [6.0, 6.0, 6.0]
    with bp.no_grad():
        assert not (leaf * 2).requires_grad
    wave = bp.sin(bp.arange(64, dtype=bp.float32) * (2 * bp.pi * 5 / 64))
    assert spectrum(wave) == 5
    values, places = ops.topk(bp.asarray([3.0, 1.0, 2.0]), 2)
    assert values.tolist() == [3.0, 2.0] and places.tolist() == [0, 2]
    mask = x > 0
    chosen = x[mask].clip(max=1.0)
    x[0, ..., :2] = 0
    total = sum(float(row.sum()) for row in x)
    joined = bp.concat([chosen, bp.zeros(2)], axis=0).reshape(-1)
    assert joined.ndim == 1 and isinstance(total, float)
    product = bp.einsum("ij,ij->i", x, x)
    back = kept({"x": x, "product": product})
    assert bool((back["x"] == x).all()) and sorted(back) == ["product", "x"]
    print(f"root {root.tolist()[0]:.4f}, of {len(bp.devices())} device(s), largest {bp.max(product).item():.2f}")


if __name__ == "__main__":
    main()
