# SPDX-License-Identifier: Apache-2.0
"""Chains of calls as users write them, which memory bounds unless they are fused. One text for every library.

`m` has the names of the array standard: of `backplane`, of `jax.numpy`, and of `torch` with the few that it calls otherwise. Arguments
are made by NumPy for about n elements in all; rows are of 256."""

import math

import numpy


def rows(n):
    return max(1, n // 256), 256


def normal(*shapes):
    def make(n, random):
        return [random.standard_normal(shape(n) if callable(shape) else shape, dtype=numpy.float32) for shape in shapes]

    return make


def flat(n):
    return (n,)


def chains(m):
    """name -> (function, arguments of n elements). `m` is the library's namespace."""

    def gelu(x):
        return 0.5 * x * (1 + m.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))

    def swiglu(x, gate):
        return x / (1 + m.exp(-x)) * gate

    def layer_norm(x, weight, bias):
        centered = x - m.mean(x, axis=-1, keepdims=True)
        return centered / m.sqrt(m.mean(centered * centered, axis=-1, keepdims=True) + 1e-5) * weight + bias

    def rms_norm(x, weight):
        return x / m.sqrt(m.mean(x * x, axis=-1, keepdims=True) + 1e-6) * weight

    def softmax(x):
        e = m.exp(x - m.max(x, axis=-1, keepdims=True))
        return e / m.sum(e, axis=-1, keepdims=True)

    def cross_entropy(x, labels, classes):
        shifted = x - m.max(x, axis=-1, keepdims=True)
        chosen = m.sum(m.where(classes == labels, shifted, 0.0), axis=-1)
        return m.mean(m.log(m.sum(m.exp(shifted), axis=-1)) - chosen)

    def black_scholes(price, strike, time):
        root = 0.3 * m.sqrt(time)
        d1 = (m.log(price / strike) + (0.02 + 0.045) * time) / root
        d2 = d1 - root
        return price * (0.5 + 0.5 * m.erf(d1 * math.sqrt(0.5))) - strike * m.exp(-0.02 * time) * (0.5 + 0.5 * m.erf(d2 * math.sqrt(0.5)))

    def adam(p, g, mean, square):
        mean = 0.9 * mean + 0.1 * g
        square = 0.999 * square + 0.001 * g * g
        return p - 0.001 * (mean / 0.271) / (m.sqrt(square / 0.002997) + 1e-8), mean, square

    def momentum(p, g, v):
        v = 0.9 * v + (g + 0.0001 * p)
        return p - 0.1 * v, v

    def rotary(x, cos, sin):
        a, b = x[..., :32], x[..., 32:]
        return m.concat([a * cos - b * sin, a * sin + b * cos], axis=-1)

    def normalise(image, mean, deviation):
        return (m.astype(image, m.float32) / 255.0 - mean) / deviation

    def running(x, mean, var):
        now = m.mean(x, axis=0)
        off = x - now
        spread = m.mean(off * off, axis=0)
        return off / m.sqrt(spread + 1e-5), 0.9 * mean + 0.1 * now, 0.9 * var + 0.1 * spread

    def logistic(x):
        for _ in range(8):
            x = 3.7 * x * (1 - x)
        return x

    def clipped(g, mask):
        return m.where(mask, m.where(m.abs(g) > 1.0, m.sign(g), g), 0.0) * 0.5

    def haversine(lat1, lon1, lat2, lon2):
        a = m.sin((lat2 - lat1) / 2) ** 2 + m.cos(lat1) * m.cos(lat2) * m.sin((lon2 - lon1) / 2) ** 2
        return 12742.0 * m.asin(m.sqrt(m.minimum(a, m.ones_like(a))))

    def quantise(x):
        q = m.astype(m.clip(m.round(x * 20.0), -127.0, 127.0), m.int8)
        return m.astype(q, m.float32) * 0.05

    def labels(n, random):
        count, width = rows(n)
        return [random.standard_normal((count, width), dtype=numpy.float32),
                random.integers(0, width, (count, 1)).astype(numpy.int32), numpy.arange(width, dtype=numpy.int32)]  # fmt: skip

    def prices(n, random):
        return [(random.random(n) * scale + least).astype(numpy.float32) for scale, least in ((90, 10), (90, 10), (2, 0.1))]

    def unit(count):
        return lambda n, random: [random.random(n, dtype=numpy.float32) for _ in range(count)]

    def images(n, random):
        side = max(1, math.isqrt(n // 3))
        return [random.integers(0, 256, (3, side, side)).astype(numpy.uint8),
                random.random((3, 1, 1), dtype=numpy.float32), random.random((3, 1, 1), dtype=numpy.float32) + 0.5]  # fmt: skip

    def masked(n, random):
        return [random.standard_normal(n, dtype=numpy.float32), random.random(n) < 0.9]

    def heads(n, random):
        count = max(1, n // (8 * 64))
        return normal((count, 8, 64), (count, 1, 32), (count, 1, 32))(n, random)

    def states(n, random):
        p, g, mean, square = normal(flat, flat, flat, flat)(n, random)
        return [p, g, mean, square * square]

    return {
        "gelu": (gelu, normal(flat)),
        "swiglu": (swiglu, normal(flat, flat)),
        "layer norm": (layer_norm, normal(rows, (256,), (256,))),
        "rms norm": (rms_norm, normal(rows, (256,))),
        "softmax": (softmax, normal(rows)),
        "cross entropy": (cross_entropy, labels),
        "Black-Scholes": (black_scholes, prices),
        "Adam": (adam, states),
        "momentum": (momentum, normal(flat, flat, flat)),
        "rotary embedding": (rotary, heads),
        "image normalise": (normalise, images),
        "running statistics": (running, normal(rows, (256,), (256,))),
        "logistic map": (logistic, unit(1)),
        "clipped gradient": (clipped, masked),
        "haversine": (haversine, unit(4)),
        "quantise": (quantise, normal(flat)),
    }
