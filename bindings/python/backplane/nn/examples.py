# SPDX-License-Identifier: Apache-2.0
"""What the docstrings of the layers show: shapes, where one rule says them, and an example of each kind. A line of a table is
`title | arguments | inputs | result`; tests/python/docstrings_test.py runs what is made of it."""

from __future__ import annotations

_SAME = "The result has the input's shape."
_RULES = {
    "Same": _SAME,
    "Linear": "[*, in_features] gives [*, out_features].",
    "Bilinear": "[*, in1_features] and [*, in2_features] give [*, out_features].",
    "Conv": "[N, in_channels, *] gives [N, out_channels, *], each size s of * as (s + 2 padding - dilation (kernel_size - 1) - 1) //"
            " stride + 1.",
    "ConvTranspose": "[N, in_channels, *] gives [N, out_channels, *], each size s of * as (s - 1) stride - 2 padding + dilation"
                     " (kernel_size - 1) + output_padding + 1.",
    "Pool": "[N, C, *] gives [N, C, *], each size s of * as (s + 2 padding - kernel_size) // stride + 1.",
    "Adaptive": "[N, C, *] gives [N, C, *output_size].",
    "Norm": _SAME,
    "Dropout": _SAME,
    "Embedding": "Whole numbers of any shape [*] give [*, embedding_dim].",
    "Attention": "Query [L, N, E], key and value [S, N, E] give [L, N, E] and the weights [N, L, S]; with batch_first N comes first.",
    "Encoder": "[L, N, d_model], with batch_first [N, L, d_model], gives the same shape.",
    "Recurrent": "[L, N, input_size], with batch_first [N, L, input_size], gives [L, N, hidden_size] and the last states, [num_layers, N,"
                 " hidden_size].",
    "Cell": "[N, input_size] or [input_size], and a state of hidden_size where one is given, give the next state.",
    "Unfold": "[N, C, H, W] gives [N, C * kernel, windows], and without N the same without it.",
    "Fold": "[N, C * kernel, windows] gives [N, C, *output_size], and without N the same without it.",
    "Loss": "Input and target of one shape give one number, or with reduction=\"none\" one for each element.",
    "Classes": "[N, C] or [N, C, *] and classes [N] or [N, *] give one number, or with reduction=\"none\" one for each of these.",
}  # fmt: skip

# Layers whose example shows the result's shape.
_SHAPES = """
AdaptiveAvgPool1d | 2 | (1, 3, 8) | (1, 3, 2) | Adaptive
AdaptiveAvgPool2d | 2 | (1, 3, 8, 6) | (1, 3, 2, 2) | Adaptive
AdaptiveAvgPool3d | 2 | (1, 3, 8, 6, 4) | (1, 3, 2, 2, 2) | Adaptive
AdaptiveMaxPool1d | 2 | (1, 3, 8) | (1, 3, 2) | Adaptive
AdaptiveMaxPool2d | 2 | (1, 3, 8, 6) | (1, 3, 2, 2) | Adaptive
AdaptiveMaxPool3d | 2 | (1, 3, 8, 6, 4) | (1, 3, 2, 2, 2) | Adaptive
AvgPool1d | 2 | (1, 3, 8) | (1, 3, 4) | Pool
AvgPool2d | 2 | (1, 3, 8, 6) | (1, 3, 4, 3) | Pool
AvgPool3d | 2 | (1, 3, 8, 6, 4) | (1, 3, 4, 3, 2) | Pool
MaxPool1d | 2 | (1, 3, 8) | (1, 3, 4) | Pool
MaxPool2d | 2 | (1, 3, 8, 6) | (1, 3, 4, 3) | Pool
MaxPool3d | 2 | (1, 3, 8, 6, 4) | (1, 3, 4, 3, 2) | Pool
BatchNorm1d | 3 | (4, 3) | (4, 3) | Norm
BatchNorm2d | 3 | (4, 3, 2, 2) | (4, 3, 2, 2) | Norm
BatchNorm3d | 3 | (4, 3, 2, 2, 2) | (4, 3, 2, 2, 2) | Norm
InstanceNorm1d | 3 | (4, 3, 2) | (4, 3, 2) | Norm
InstanceNorm2d | 3 | (4, 3, 2, 2) | (4, 3, 2, 2) | Norm
InstanceNorm3d | 3 | (4, 3, 2, 2, 2) | (4, 3, 2, 2, 2) | Norm
GroupNorm | 2, 4 | (1, 4, 3) | (1, 4, 3) | Norm
LayerNorm | 3 | (2, 3) | (2, 3) | Norm
RMSNorm | 3 | (2, 3) | (2, 3) | Norm
Bilinear | 2, 3, 4 | (5, 2) (5, 3) | (5, 4) | Bilinear
Conv1d | 3, 2, 3 | (1, 3, 8) | (1, 2, 6) | Conv
Conv2d | 3, 2, 3 | (1, 3, 8, 8) | (1, 2, 6, 6) | Conv
Conv3d | 3, 2, 3 | (1, 3, 8, 8, 8) | (1, 2, 6, 6, 6) | Conv
ConvTranspose1d | 3, 2, 3 | (1, 3, 6) | (1, 2, 8) | ConvTranspose
ConvTranspose2d | 3, 2, 3 | (1, 3, 6, 6) | (1, 2, 8, 8) | ConvTranspose
ConvTranspose3d | 3, 2, 3 | (1, 3, 6, 6, 6) | (1, 2, 8, 8, 8) | ConvTranspose
LazyConv1d | 2, 3 | (1, 3, 8) | (1, 2, 6) | Conv
LazyConv2d | 2, 3 | (1, 3, 8, 8) | (1, 2, 6, 6) | Conv
LazyConv3d | 2, 3 | (1, 3, 8, 8, 8) | (1, 2, 6, 6, 6) | Conv
LazyLinear | 2 | (4, 3) | (4, 2) | Linear
Linear | 3, 2 | (4, 3) | (4, 2) | Linear
Dropout1d | 0.5 | (2, 3, 4) | (2, 3, 4) | Dropout
Dropout2d | 0.5 | (2, 3, 4, 4) | (2, 3, 4, 4) | Dropout
Unfold | 3 | (1, 2, 4, 4) | (1, 18, 4) | Unfold
Fold | (4, 4), 3 | (1, 18, 4) | (1, 2, 4, 4) | Fold
RNNCell | 3, 4 | (5, 3) | (5, 4) | Cell
GRUCell | 3, 4 | (5, 3) | (5, 4) | Cell
Flatten | | (2, 3, 4) | (2, 12) |
Unflatten | 1, (3, 4) | (2, 12) | (2, 3, 4) |
TransformerEncoderLayer | 4, 2 | (3, 1, 4) | (3, 1, 4) | Encoder
"""

# Layers whose example shows the result for these inputs.
_VALUES = """
CELU |  | x | tensor([-0.6321,  2.0000]) | Same
ELU |  | x | tensor([-0.6321,  2.0000]) | Same
GELU |  | x | tensor([-0.1587,  1.9545]) | Same
Hardsigmoid |  | x | tensor([0.3333, 0.8333]) | Same
Hardswish |  | x | tensor([-0.3333,  1.6667]) | Same
Hardtanh |  | x | tensor([-1.,  1.]) | Same
Identity |  | x | tensor([-1.,  2.]) | Same
LeakyReLU |  | x | tensor([-0.0100,  2.0000]) | Same
LogSigmoid |  | x | tensor([-1.3133, -0.1269]) | Same
Mish |  | x | tensor([-0.3034,  1.9440]) | Same
PReLU |  | x | tensor([-0.2500,  2.0000]) | Same
ReLU |  | x | tensor([0., 2.]) | Same
ReLU6 |  | x | tensor([0., 2.]) | Same
SELU |  | x | tensor([-1.1113,  2.1014]) | Same
SiLU |  | x | tensor([-0.2689,  1.7616]) | Same
Sigmoid |  | x | tensor([0.2689, 0.8808]) | Same
Softplus |  | x | tensor([0.3133, 2.1269]) | Same
Softsign |  | x | tensor([-0.5000,  0.6667]) | Same
Tanh |  | x | tensor([-0.7616,  0.9640]) | Same
Tanhshrink |  | x | tensor([-0.2384,  1.0360]) | Same
Threshold | 0.5, 9.0 | x | tensor([9., 2.]) | Same
Softmax | dim=0 | x | tensor([0.0474, 0.9526]) | Same
LogSoftmax | dim=0 | x | tensor([-3.0486, -0.0486]) | Same
GLU | dim=0 | bp.asarray([2.0, 0.0]) | tensor([1.]) |
HuberLoss |  | x, y | tensor(1.) | Loss
L1Loss |  | x, y | tensor(1.5000) | Loss
MSELoss |  | x, y | tensor(2.5000) | Loss
SmoothL1Loss |  | x, y | tensor(1.) | Loss
BCELoss |  | bp.asarray([0.5, 0.5]), bp.asarray([1.0, 0.0]) | tensor(0.6931) | Loss
BCEWithLogitsLoss |  | bp.zeros(2), bp.asarray([1.0, 0.0]) | tensor(0.6931) | Loss
KLDivLoss | reduction="sum" | bp.log(bp.asarray([0.5, 0.5])), bp.asarray([0.5, 0.5]) | tensor(0.) | Loss
CrossEntropyLoss |  | bp.zeros((2, 3)), bp.asarray([0, 2]) | tensor(1.0986) | Classes
NLLLoss |  | bp.asarray([[-1.0, -2.0], [-3.0, -0.5]]), bp.asarray([0, 1]) | tensor(0.7500) | Classes
"""
_INPUTS = {"x": "bp.asarray([-1.0, 2.0])", "x, y": "bp.asarray([1.0, 2.0]), bp.asarray([0.0, 4.0])"}

_OTHERS = {
    "Dropout": (_SAME, """
>>> bp.nn.Dropout(0.5).eval()(bp.asarray([1.0, 2.0]))
tensor([1., 2.])"""),
    "Embedding": (_RULES["Embedding"], """
>>> bp.nn.Embedding(5, 2)(bp.asarray([0, 4])).shape
(2, 2)"""),
    "LSTM": (_RULES["Recurrent"] + " The states are h and c.", """
>>> y, (h, c) = bp.nn.LSTM(3, 4)(bp.ones((5, 2, 3)))
>>> y.shape, h.shape, c.shape
((5, 2, 4), (1, 2, 4), (1, 2, 4))"""),
    "LSTMCell": (_RULES["Cell"] + " The states are h and c.", """
>>> h, c = bp.nn.LSTMCell(3, 4)(bp.ones((5, 3)))
>>> h.shape, c.shape
((5, 4), (5, 4))"""),
    "MultiheadAttention": (_RULES["Attention"], """
>>> x = bp.ones((3, 1, 4))
>>> y, weights = bp.nn.MultiheadAttention(4, 2)(x, x, x)
>>> y.shape, weights.shape
((3, 1, 4), (1, 3, 3))"""),
    **{title: (_RULES["Recurrent"], f"""
>>> y, h = bp.nn.{title}(3, 4)(bp.ones((5, 2, 3)))
>>> y.shape, h.shape
((5, 2, 4), (1, 2, 4))""") for title in ("RNN", "GRU")},
}  # fmt: skip


def _rows(table: str) -> list[list[str]]:
    return [[part.strip() for part in line.split("|")] for line in table.strip().splitlines()]


def examples() -> dict[str, str]:
    """Returns, by the layer's title, what its docstring says behind the attributes: the rule of shapes and an example."""
    found = dict(_OTHERS)
    for title, arguments, inputs, result, rule in _rows(_SHAPES):
        made = ", ".join(f"bp.ones({shape})" for shape in inputs.replace(") (", ")|(").split("|"))
        found[title] = _RULES.get(rule, ""), f"\n>>> bp.nn.{title}({arguments})({made}).shape\n{result}"
    for title, arguments, inputs, result, rule in _rows(_VALUES):
        learned = ".detach()" if title == "PReLU" else ""
        call = f"bp.nn.{title}({arguments})({_INPUTS.get(inputs, inputs)}){learned}"
        found[title] = _RULES.get(rule, ""), f"\n>>> {call}\n{result}"
    return {title: f"{rule}\n{example}".strip() for title, (rule, example) in found.items()}
