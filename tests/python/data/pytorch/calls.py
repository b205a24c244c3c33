# SPDX-License-Identifier: Apache-2.0
"""calls.py: calls of functions and modules, and what PyTorch answers, calls.json. Run with any Python that has PyTorch:

    python calls.py > calls.json

tests/python/torch_calls_test.py makes the same calls with backplane.torch. Every name that a call uses is one of leaves(), which have
gradients, or of constants(); nothing random is in them."""

import json
import math

inf, nan = math.inf, math.nan


def wave(torch, *shape, k=0.0):
    n = math.prod(shape)
    return torch.tensor([math.sin(1.3 * i + 0.7 * k + 0.2) for i in range(n)], dtype=torch.float64).reshape(shape)


def leaves(torch):
    return {
        "x": wave(torch, 3, 4), "y": wave(torch, 3, 4, k=1), "z": wave(torch, 3, 4, k=2) + 2, "row": wave(torch, 4, k=3),
        "m": wave(torch, 4, 5, k=4), "v": wave(torch, 4, k=5), "b": wave(torch, 2, 3, 4, k=6), "d": wave(torch, 2, 4, 3, k=7),
        "line": wave(torch, 2, 2, 5, k=8), "image": wave(torch, 2, 3, 4, 5, k=9), "cube": wave(torch, 1, 2, 3, 4, 2, k=10),
        "columns": wave(torch, 2, 12, 6, k=11), "ones": torch.ones(3, 2, dtype=torch.float64), "many": wave(torch, 30, 3, k=12),
        "few": wave(torch, 4, 3, k=13), "log_p": torch.log_softmax(wave(torch, 3, 4, k=14), 1), "p": torch.softmax(wave(torch, 3, 4,
        k=15), 1),
        "gamma": torch.tensor([0.1, 0.5, 0.9, 1.0, 1.2, 1.5, 1.9, 2.0, 2.4, 3.0, 5.5, 9.9, 10.0, 35.5, 1e5, -0.5, -1.7, -20.3],
                              dtype=torch.float64),
        "unknown": torch.tensor([[1.0, nan, 3, 2], [4, 2, 8, 6], [nan, nan, nan, 1]], dtype=torch.float64),
        "tied": torch.tensor([[2.0, 1, 1, 3], [4, 4, 4, 4], [0, -1, -1, 0]], dtype=torch.float64),
    }  # fmt: skip


def constants(torch):
    return {
        "i": torch.tensor([1, 2, 7]), "j": torch.tensor([[3, 1, 3, 2, 2], [5, 5, 5, 0, 0]]), "u": torch.tensor([3, 1, 1],
        dtype=torch.uint8),
        "t": torch.tensor([True, False, True]), "f": torch.tensor([1.5, 2.0, 2.5, 7.0, 3.0]), "h": torch.tensor([0.5, 1.0, 3.0]).half(),
        "at": torch.tensor([2, 0]), "q": torch.tensor([0.1, 0.5, 0.83], dtype=torch.float64),
    }  # fmt: skip


SIZES = ("nearest", "nearest-exact", "area")
CALLS = [
    "torch.add(x, y, alpha=0.5)", "torch.add(x, row, alpha=-2)", "x.add(y, alpha=3)", "x.add(2, alpha=0.5)",
    "x.clone().add_(y, alpha=0.25)",
    "torch.sub(x, y, alpha=0.5)", "x.sub(row, alpha=2)", "x.clone().sub_(y, alpha=0.25)", "torch.subtract(x, y, alpha=2)",
    "torch.add(i, i, alpha=2)", "torch.add(i, f[:3], alpha=0.5)", "torch.add(t, t, alpha=True)", "torch.add(h, h, alpha=0.1)",
    "torch.add(i, u, alpha=3)", "torch.sub(i, 2, alpha=3)", "torch.add(u, 1)", "torch.add(f[:3], i, alpha=0.1)",
    "torch.addcmul(x, y, z, value=0.5)", "torch.addcmul(x, row, z)", "x.clone().addcmul_(y, z, value=-1)",
    "torch.addcmul(i, i, i, value=2)", "torch.addcmul(h + .1, h + .1, h + .1, value=0.1)",
    "torch.addcdiv(x, y, z, value=0.5)", "torch.addcdiv(x, row, z)", "x.clone().addcdiv_(y, z, value=-1)",
    "torch.addmm(torch.ones(5, dtype=torch.float64), x, m)", "torch.addmm(x @ m, x, m, beta=0.5, alpha=2)",
    "torch.addmm(row[:1], x, m, beta=3)",
    "torch.addmm(torch.full((5,), nan, dtype=torch.float64), x, m, beta=0)", "(x @ m).addmm_(x, m, alpha=-1)", "torch.addmv(x[:, 0], x, v)",
    "x[:, 0].addmv(x, v, beta=2, alpha=0.5)", "torch.baddbmm(x[:, :3], b, d)", "torch.baddbmm(row[:3], b, d, beta=0.5, alpha=2)",
    "torch.addbmm(x[:, :3], b, d)", "torch.addbmm(row[:3], b, d, beta=0.5, alpha=2)",
    "torch.addmm(i, i.reshape(3, 1), i.reshape(1, 3))", "torch.baddbmm(i, j[None, :1, :3], torch.stack([i, i, i])[None])",
    "torch.amax(x, 1)", "x.amax((0, 1))", "x.amin()", "torch.amin(x, dim=(1,), keepdim=True)", "torch.amax(tied, 1)", "torch.amax(tied)",
    "torch.amax(unknown.detach(), 1)", "torch.aminmax(x)", "torch.aminmax(x, dim=1, keepdim=True)", "torch.amax(i)", "torch.amax(t, 0)",
    "torch.zeros(0, 3).amax(1)",
    "torch.median(x)", "x.median(1)", "torch.median(x, dim=0, keepdim=True)", "torch.median(tied)", "tied.median(1).values",
    "unknown.median()",
    "unknown.median(1)", "torch.nanmedian(unknown)", "torch.nanmedian(unknown, 1)", "torch.median(i)", "torch.median(j, 1).values",
    "torch.median(torch.zeros(0))", "torch.median(torch.tensor(5.), 0)", "torch.nanmedian(torch.tensor([nan]))",
    "x.kthvalue(2)", "x.kthvalue(3, 0, True)", "tied.detach().kthvalue(2).values", "unknown.detach().kthvalue(4).values",
    "torch.kthvalue(i, 2)",
    "torch.kthvalue(torch.tensor(5.), 1)", "tied.mode()", "torch.mode(j)", "torch.mode(j, 0, True)", "torch.mode(t)",
    "torch.mode(torch.tensor(3))",
    *(f"torch.quantile(x, {q}, {dim}, interpolation={how!r})" for q, dim in (("0.3", "1"), ("q", "0"), ("q", "None"))
      for how in ("linear", "lower", "higher", "midpoint", "nearest")),
    "torch.quantile(x, q, 1, keepdim=True)", "x.quantile(0.5)", "torch.quantile(unknown, q, 1)", "torch.nanquantile(unknown, q, 1)",
    "torch.nanquantile(unknown.detach(), 0.5)", "torch.quantile(b, q, 1)", "torch.quantile(b, q, -1, True)", "torch.quantile(f, 0.6)",
    "torch.quantile(x, 1.0)", "torch.quantile(x, 0.0, 1)",
    "torch.bincount(i)", "torch.bincount(i, minlength=9)", "i.bincount(f[:3])", "torch.bincount(i, torch.tensor([1, 2, 3]))",
    "torch.bincount(u)",
    "torch.bincount(i, h)", "torch.bincount(torch.zeros(0, dtype=torch.int64), minlength=3)",
    "torch.histc(f, 4)", "torch.histc(f, 4, 0, 3)", "f.histc(bins=3, min=2, max=2.5)", "torch.histc(torch.ones(3), 4)",
    "torch.histc(f.double())",
    "torch.histc(torch.tensor([1., nan, 2.]), 4, 0, 2)", "torch.histc(torch.zeros(0), 3)", "torch.histc(h, 3)",
    "torch.lgamma(gamma)", "torch.digamma(gamma)", "gamma.lgamma()", "torch.lgamma(gamma.detach().float())",
    "torch.lgamma(torch.tensor([0., -0., -1., -2., inf, -inf, nan, 1., 2., 1e-40, 1e38]))",
    "torch.digamma(torch.tensor([0., -0., -1., -2., inf, nan, 1.5]))", "torch.lgamma(i)", "torch.digamma(u)",
    "x.index_fill(1, at, 0.5)", "torch.index_fill(x, 0, at, x[0, 0].detach())", "x.clone().index_fill_(-1, torch.tensor([-1]), 3)",
    "i.index_fill(0, torch.tensor(1), 9)", "torch.tensor(1.).index_fill(0, torch.tensor([0]), 3)", "i.index_fill(0, at, 3.7)",
    "torch.cdist(x, y)", "torch.cdist(b, x)", "torch.cdist(many, few)", "torch.cdist(few, many)", "torch.cdist(many, many[:5], p=1)",
    "torch.cdist(x, y, p=inf)", "torch.cdist(x, y, p=3)", "torch.cdist(x, y, p=0)", "torch.cdist(x, y, p=1.5)",
    "torch.cdist(many, few, compute_mode='donot_use_mm_for_euclid_dist')", "torch.cdist(x, y, compute_mode='use_mm_for_euclid_dist')",
    "torch.cdist(ones, ones)", "torch.cdist(x[:0], y)", "torch.cdist(x[:, :0], y[:, :0])",
    *(f"F.interpolate({x}, {how}, mode={mode!r})" for x, sizes in (("line", ("7", "3", "scale_factor=2", "scale_factor=1.7")),
                                                                ("image", ("(3, 9)", "5", "scale_factor=2", "scale_factor=(0.6, 1.3)")),
                                                                ("cube", ("(2, 5, 3)", "scale_factor=2", "scale_factor=1.5")))
      for how in sizes for mode in SIZES),
    *(f"F.interpolate({x}, {how}, mode={mode!r}, align_corners={corners})"
      for x, modes, sizes in (("line", ("linear",), ("7", "3", "5", "scale_factor=2", "scale_factor=1.7")),
                              ("image", ("bilinear", "bicubic"), ("(3, 9)", "(4, 5)", "scale_factor=2", "scale_factor=(0.6, 1.3)")),
                              ("cube", ("trilinear",), ("(2, 5, 3)", "scale_factor=2", "scale_factor=1.5")))
      for mode in modes for how in sizes for corners in (None, True)),
    "F.interpolate(image, scale_factor=1.3, mode='bilinear', recompute_scale_factor=True)", "F.interpolate(image, 1, mode='bicubic')",
    "F.interpolate(line, 1, mode='linear', align_corners=True)", "nn.Upsample(scale_factor=2)(image)",
    "nn.Upsample((3, 3), mode='area')(image)",
    "nn.UpsamplingNearest2d(2)(image)", "nn.UpsamplingBilinear2d(scale_factor=2)(image)",
    "F.unfold(image, 2)", "F.unfold(image, (2, 3), dilation=(1, 2), padding=1, stride=2)", "F.unfold(image[0], 3, padding=2)",
    "F.fold(columns[:, :, :2], (2, 3), 2)", "F.fold(columns, (3, 4), 2)",
    "F.fold(columns, (4, 6), (3, 2), stride=(1, 2), padding=(1, 0), dilation=(2, 1))",
    "F.fold(columns[0], (3, 4), 2)", "F.unfold(f[None, None, None], (1, 2))",
    "F.instance_norm(image)", "F.instance_norm(line, weight=row[:2], bias=row[2:])", "F.instance_norm(line, eps=0.1)",
    "F.instance_norm(line, torch.zeros(2, dtype=torch.float64), torch.ones(2, dtype=torch.float64), use_input_stats=False)",
    "(lambda mean, var: (F.instance_norm(line, mean, var, momentum=0.3), mean, var))(torch.zeros(2).double(), torch.ones(2).double())",
    *(f"F.kl_div(log_p, p, reduction={r!r})" for r in ("none", "mean", "sum", "batchmean")), "F.kl_div(log_p, log_p, log_target=True)",
    "F.kl_div(torch.tensor([.5, -1.]), torch.tensor([0., -1.]), reduction='none')", "F.kl_div(x[0, 0], p[0, 0], reduction='batchmean')",
    "nn.KLDivLoss(reduction='batchmean')(log_p, p)",
    *(f"F.pad(line, (2, 1), {mode!r})" for mode in ("reflect", "replicate", "circular")), "F.pad(image, (2, 1, 1, 2), 'reflect')",
]  # fmt: skip

REFUSED = [
    "torch.add(i, i, alpha=0.5)", "torch.add(i, i, alpha=True)", "torch.sub(i, i, alpha=0.5)", "torch.addcdiv(i, i, i)",
    "torch.addmm(row, x, m.T)", "torch.addmm(row, row, m)", "torch.addmm(row, x, m)", "torch.addmv(row, x, row[:2])",
    "torch.addmv(row, row, row)",
    "torch.addmm(row.float(), x, x.T)", "torch.baddbmm(row[:3], b[:1], d)", "torch.addbmm(row[:3], b[:1], d)",
    "torch.baddbmm(row[:1], x, d)",
    "torch.addbmm(row[:1], x, d)", "torch.aminmax(torch.zeros(0))", "torch.zeros(0).amax()", "torch.zeros(0, 3).amin(0)",
    "torch.zeros(0, 3).median(0)",
    "x.kthvalue(0)", "x.kthvalue(5)", "torch.zeros(0, 3).kthvalue(1, 0)", "torch.zeros(0).mode()", "t.median()", "torch.quantile(x, 1.5)",
    "torch.quantile(i, 0.5)", "torch.quantile(x, 0.3, interpolation='foo')", "torch.quantile(torch.zeros(0), 0.3)",
    "torch.quantile(x, torch.tensor(0.3))", "torch.quantile(x, q[None])", "torch.quantile(x, q + 1)", "torch.bincount(f)",
    "torch.bincount(-i)",
    "torch.bincount(i, minlength=-1)", "torch.bincount(i, f)", "torch.bincount(j)", "torch.histc(i, 4)", "torch.histc(f, 0)",
    "torch.histc(f, 4, 3, 1)",
    "torch.histc(torch.tensor([1., inf]), 4)", "torch.randperm(300, dtype=torch.bool)", "torch.bernoulli(i)", "torch.bernoulli(f, 2.)",
    "f.clone().bernoulli_(1.5)", "torch.multinomial(f, 6)", "torch.multinomial(-f, 1)", "torch.multinomial(f, 0)",
    "torch.multinomial(i, 1)",
    "torch.multinomial(b, 1)", "torch.multinomial(f * 0, 1)", "torch.multinomial(f / 0, 1)", "i.uniform_()", "f.clone().uniform_(2, 1)",
    "i.normal_()",
    "f.clone().normal_(0, -1)", "i.exponential_()", "f.clone().exponential_(0)", "f.clone().geometric_(0)", "f.clone().cauchy_(0, 0)",
    "i.log_normal_()", "f.clone().log_normal_(0, 0)", "f.clone().random_(3, 3)", "f.clone().random_(0)", "torch.normal(f, -f)",
    "x.uniform_()",
    "x.index_fill(0, torch.tensor([9]), 5)", "x.index_fill(0, at[None], 5)", "x.index_fill(0, f, 5)", "x.index_fill(0, at, f)",
    "i.index_fill(0, at, 1j)", "torch.cdist(x, y, -1)", "torch.cdist(x, m)", "torch.cdist(i[None], i[None])", "torch.cdist(row, x)",
    "torch.cdist(x, y, compute_mode='x')", "F.unfold(image, 6)", "F.fold(columns[:, :5], (4, 4), 2)", "F.fold(columns, (4, 4), 2)",
    "F.fold(row, (4, 4), 2)",
    "F.kl_div(x, x, reduction='asdf')", "F.kl_div(x, i, reduction='sum')", "F.instance_norm(line[:, :, :1])",
    "F.instance_norm(line, use_input_stats=False)",
    "F.interpolate(x, 2)", "F.interpolate(line, 2, mode='foo')", "F.interpolate(line)",
    "F.interpolate(line, 2, 2)", "F.interpolate(line, 2, align_corners=True)", "F.interpolate(line, 2, mode='bilinear')",
    "F.interpolate(image, (2, 2, 2))", "F.interpolate(image, scale_factor=(2., 2., 2.))",
    "F.interpolate(line, 2, recompute_scale_factor=True)",
    "nn.LSTMCell(3, 2)(torch.ones(1, 1, 3))", "nn.GRUCell(3, 2)(torch.ones(1, 4))", "nn.RNNCell(3, 2)(torch.ones(1, 3), torch.ones(2, 2))",
    "nn.RNNCell(3, 2)(torch.ones(1, 3), torch.ones(1, 3))", "nn.InstanceNorm2d(3)(torch.ones(3, 2))",
    "nn.InstanceNorm1d(3, affine=True)(torch.ones(1, 2, 4))",
]  # fmt: skip


def numbers(t):
    values = t.detach().double().reshape(-1).tolist()
    return [v if math.isnan(v) or math.isinf(v) else float(f"{v:.10g}") for v in values]


def flat(result):
    return [t for part in result for t in flat(part)] if isinstance(result, (tuple, list)) else [result]


def answer(torch, call):
    """What the call gives: dtypes, shapes and elements of the results, and the gradients of their sum, each element weighed."""
    used = {name: t.clone().requires_grad_() for name, t in leaves(torch).items()}
    space = {"torch": torch, "nn": torch.nn, "F": torch.nn.functional, "inf": inf, "nan": nan, **constants(torch), **used}
    results = flat(eval(call, space))
    weighed = [(y.double() * wave(torch, *y.shape, k=20 + o)).sum() for o, y in enumerate(results) if y.requires_grad]
    if weighed:
        sum(weighed).backward()
    return {
        "dtypes": [str(y.dtype).partition(".")[2] for y in results],
        "shapes": [list(y.shape) for y in results],
        "values": [numbers(y) for y in results],
        "grads": {name: numbers(x.grad) for name, x in used.items() if x.grad is not None},
    }


def refusal(torch, call):
    try:
        answer(torch, call)
    except Exception as e:
        return str(e).partition("\n")[0]
    return None


if __name__ == "__main__":
    import warnings

    import torch

    warnings.simplefilter("ignore")
    asked = {"answers": {call: answer(torch, call) for call in CALLS}, "refusals": {call: refusal(torch, call) for call in REFUSED}}
    print(json.dumps(asked, separators=(",", ":")).replace('},"', '},\n"'))
