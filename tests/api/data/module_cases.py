# SPDX-License-Identifier: Apache-2.0
"""module_cases.py: prints module_cases.json, what PyTorch makes of each kind of modules: names and shapes of parameters, text,
results, gradients, in f64. Run with any Python that has PyTorch:  python module_cases.py > module_cases.json

Nothing random is in it. Element i of the k-th tensor that is filled (parameters, then inputs) is sin(1.3 i + 0.7 k + 0.2);
running means are that, running variances its absolute value + 0.5. Gradients are those of the sum over results o and their
elements i of y[i] sin(0.9 i + 0.3 o + 0.1). module_cases_test.cc does the same with the library."""
import json
import math

import torch
from torch import nn

F64 = torch.float64


def filled(shape, k, f=lambda v: v):
    n = math.prod(shape)
    return torch.tensor([f(math.sin(1.3 * i + 0.7 * k + 0.2)) for i in range(n)], dtype=F64).reshape(shape)


def numbers(t):
    return [float(f"{v:.12g}") for v in t.detach().to(F64).reshape(-1).tolist()]


def case(name, kind, title, attrs, inputs, n_out=1, train=True, buffers=None, call=None, **own):
    """attrs: of the kind; own: PyTorch's arguments where they differ. inputs: shapes, or (list, shape) of integers, None."""
    torch.manual_seed(0)
    m = getattr(nn, title)(**{**attrs, **own}).to(F64)
    m.train(train)
    k = 0
    for p in m.parameters():
        if not isinstance(p, nn.UninitializedParameter):
            p.data = filled(p.shape, k)
            k += 1
    for b_name, b in m.named_buffers():
        if b_name.endswith("running_mean"):
            b.copy_(filled(b.shape, 50))
        if b_name.endswith("running_var"):
            b.copy_(filled(b.shape, 51, lambda v: abs(v) + 0.5))
    for b_name, values in (buffers or {}).items():
        setattr(m, b_name, torch.tensor(values, dtype=F64))
    given = []
    for x in inputs:
        if x is None:
            given.append(None)
        elif isinstance(x, dict):
            t = torch.tensor(x["values"]).reshape(x["shape"])
            given.append(t.bool() if x.get("bool") else t)
        else:
            given.append(filled(x, 100 + len(given)).requires_grad_())
    shown = repr(m)
    out = call(m, given) if call else m(*given)
    outs = [t for t in flat(out) if t is not None][:n_out]
    loss = sum((y * torch.tensor([math.sin(0.9 * i + 0.3 * o + 0.1) for i in range(y.numel())], dtype=F64).reshape(y.shape)).sum()
               for o, y in enumerate(outs) if y.is_floating_point())
    loss.backward()
    return {
        "name": name, "kind": kind, "attrs": attrs, "inputs": inputs, "n_out": n_out, "train": train, "set_buffers": buffers or {},
        "text": shown,
        "parameters": {n: list(p.shape) for n, p in m.named_parameters()},
        "state": {n: list(t.shape) for n, t in m.state_dict().items()},
        "shapes": [list(y.shape) for y in outs],
        "outputs": [numbers(y) for y in outs],
        "grads": {n: numbers(p.grad) for n, p in m.named_parameters() if p.grad is not None},
        "input_grads": [numbers(x.grad) if x is not None and x.grad is not None else [] for x in given],
        "buffers": {n: numbers(b) for n, b in m.named_buffers() if "running" in n or "num_batches" in n},
    }


def flat(out):
    if isinstance(out, (tuple, list)):
        return [t for part in out for t in flat(part)]
    return [out]


def ints(values, shape):
    return {"values": values, "shape": shape}


def mask(values, shape):
    return {"values": values, "shape": shape, "bool": True}


def masked_attention(m, x):
    return m(x[0], x[1], x[2], key_padding_mask=x[3], attn_mask=x[4])


def with_state(n):
    return lambda m, x: m(x[0], tuple(x[1:]) if n == 2 else x[1])


def lazy(m, x):
    m(x[0])
    for k, p in enumerate(m.parameters()):
        p.data = filled(p.shape, k)
    return m(x[0])


CASES = [
    case("linear", "linear", "Linear", dict(in_features=3, out_features=2), [(4, 3)]),
    case("linear without bias, 3-D", "linear", "Linear", dict(in_features=3, out_features=2, bias=False), [(2, 2, 3)]),
    case("lazy linear", "lazy_linear", "LazyLinear", dict(out_features=2), [(4, 3)], call=lazy),
    case("bilinear", "bilinear", "Bilinear", dict(in1_features=3, in2_features=2, out_features=4), [(5, 3), (5, 2)]),
    case("identity", "identity", "Identity", {}, [(2, 3)]),
    case("flatten", "flatten", "Flatten", {}, [(2, 3, 2)]),
    case("unflatten", "unflatten", "Unflatten", dict(dim=1, unflattened_size=[2, 3]), [(2, 6)], unflattened_size=(2, 3)),
    case("conv1d", "conv1d", "Conv1d", dict(in_channels=2, out_channels=3, kernel_size=3, stride=2, padding=1), [(2, 2, 7)]),
    case("conv2d", "conv2d", "Conv2d", dict(in_channels=4, out_channels=2, kernel_size=[2, 3], padding=[0, 1], dilation=2, groups=2),
         [(2, 4, 5, 6)], kernel_size=(2, 3), padding=(0, 1)),
    case("conv2d same", "conv2d", "Conv2d", dict(in_channels=1, out_channels=2, kernel_size=[2, 3], padding="same"), [(1, 4, 5)],
         kernel_size=(2, 3)),
    case("conv2d reflect", "conv2d", "Conv2d",
         dict(in_channels=1, out_channels=1, kernel_size=3, padding=2, padding_mode="reflect", bias=False), [(1, 1, 4, 4)]),
    case("conv2d circular", "conv2d", "Conv2d",
         dict(in_channels=1, out_channels=1, kernel_size=3, padding=1, padding_mode="circular"), [(1, 1, 4, 4)]),
    case("conv3d", "conv3d", "Conv3d", dict(in_channels=1, out_channels=2, kernel_size=2), [(1, 1, 3, 3, 3)]),
    case("lazy conv2d", "lazy_conv2d", "LazyConv2d", dict(out_channels=2, kernel_size=2), [(2, 3, 4, 4)], call=lazy),
    case("conv transpose 1d", "conv_transpose1d", "ConvTranspose1d",
         dict(in_channels=2, out_channels=4, kernel_size=3, stride=2, padding=1, output_padding=1, groups=2), [(2, 2, 4)]),
    case("conv transpose 2d", "conv_transpose2d", "ConvTranspose2d",
         dict(in_channels=2, out_channels=1, kernel_size=[3, 2], stride=2, dilation=2), [(1, 2, 3, 3)], kernel_size=(3, 2)),
    case("batch norm 1d", "batch_norm1d", "BatchNorm1d", dict(num_features=3), [(5, 3)]),
    case("batch norm 1d, averaged", "batch_norm1d", "BatchNorm1d", dict(num_features=2), [(3, 2, 4)], train=False),
    case("batch norm 2d", "batch_norm2d", "BatchNorm2d", dict(num_features=2, momentum=0.3, eps=1e-3), [(2, 2, 3, 3)]),
    case("batch norm 2d without running statistics", "batch_norm2d", "BatchNorm2d",
         dict(num_features=2, affine=False, track_running_stats=False), [(2, 2, 3, 3)], train=False),
    case("batch norm 3d", "batch_norm3d", "BatchNorm3d", dict(num_features=2), [(2, 2, 2, 2, 2)]),
    case("instance norm 1d", "instance_norm1d", "InstanceNorm1d", dict(num_features=3), [(2, 3, 4)]),
    case("instance norm 2d", "instance_norm2d", "InstanceNorm2d",
         dict(num_features=2, affine=True, track_running_stats=True, momentum=0.3), [(2, 2, 3, 3)]),
    case("instance norm 2d, averaged", "instance_norm2d", "InstanceNorm2d", dict(num_features=2, track_running_stats=True),
         [(2, 2, 3, 3)], train=False),
    case("instance norm 3d, one element", "instance_norm3d", "InstanceNorm3d", dict(num_features=2, affine=True, eps=1e-3), [(2, 2, 2, 2)]),
    case("layer norm", "layer_norm", "LayerNorm", dict(normalized_shape=[2, 3]), [(4, 2, 3)]),
    case("layer norm without bias", "layer_norm", "LayerNorm", dict(normalized_shape=3, bias=False), [(4, 3)]),
    case("rms norm", "rms_norm", "RMSNorm", dict(normalized_shape=3), [(4, 3)]),
    case("group norm", "group_norm", "GroupNorm", dict(num_groups=2, num_channels=4), [(2, 4, 3)]),
    case("embedding", "embedding", "Embedding", dict(num_embeddings=5, embedding_dim=3), [ints([0, 4, 2, 2], [2, 2])]),
    case("embedding with padding", "embedding", "Embedding", dict(num_embeddings=5, embedding_dim=2, padding_idx=1),
         [ints([1, 0, 1, 3], [4])]),
    case("dropout, evaluating", "dropout", "Dropout", dict(p=0.3), [(2, 3)], train=False),
    case("relu", "relu", "ReLU", {}, [(7,)]),
    case("relu in place", "relu", "ReLU", dict(inplace=True), [(7,)], call=lambda m, x: m(x[0].clone())),
    case("relu6", "relu6", "ReLU6", {}, [(7,)]),
    case("gelu", "gelu", "GELU", {}, [(7,)]),
    case("gelu tanh", "gelu", "GELU", dict(approximate="tanh"), [(7,)]),
    case("silu", "silu", "SiLU", {}, [(7,)]),
    case("elu", "elu", "ELU", dict(alpha=0.5), [(7,)]),
    case("selu", "selu", "SELU", {}, [(7,)]),
    case("celu", "celu", "CELU", dict(alpha=2.0), [(7,)]),
    case("leaky relu", "leaky_relu", "LeakyReLU", dict(negative_slope=0.2), [(7,)]),
    case("prelu", "prelu", "PReLU", dict(num_parameters=3), [(2, 3, 2)]),
    case("softplus", "softplus", "Softplus", dict(beta=2.0), [(7,)]),
    case("softsign", "softsign", "Softsign", {}, [(7,)]),
    case("tanh", "tanh", "Tanh", {}, [(7,)]),
    case("tanhshrink", "tanhshrink", "Tanhshrink", {}, [(7,)]),
    case("sigmoid", "sigmoid", "Sigmoid", {}, [(7,)]),
    case("log sigmoid", "log_sigmoid", "LogSigmoid", {}, [(7,)]),
    case("hardswish", "hardswish", "Hardswish", {}, [(7,)]),
    case("hardsigmoid", "hardsigmoid", "Hardsigmoid", {}, [(7,)]),
    case("hardtanh", "hardtanh", "Hardtanh", dict(min_val=-0.5, max_val=0.7), [(7,)]),
    case("mish", "mish", "Mish", {}, [(7,)]),
    case("threshold", "threshold", "Threshold", dict(threshold=0.1, value=-2.0), [(7,)]),
    case("glu", "glu", "GLU", {}, [(2, 4)]),
    case("softmax", "softmax", "Softmax", dict(dim=1), [(2, 4)]),
    case("log softmax", "log_softmax", "LogSoftmax", dict(dim=-1), [(2, 4)]),
    case("max pool 1d", "max_pool1d", "MaxPool1d", dict(kernel_size=2), [(1, 2, 6)]),
    case("max pool 2d", "max_pool2d", "MaxPool2d", dict(kernel_size=[2, 3], stride=2, padding=1, ceil_mode=True), [(1, 2, 5, 6)],
         kernel_size=(2, 3)),
    case("max pool 2d, places", "max_pool2d", "MaxPool2d", dict(kernel_size=2, return_indices=True), [(1, 2, 4, 4)], n_out=2),
    case("avg pool 1d", "avg_pool1d", "AvgPool1d", dict(kernel_size=3, stride=2, padding=1), [(1, 2, 6)]),
    case("avg pool 2d", "avg_pool2d", "AvgPool2d", dict(kernel_size=3, padding=1, count_include_pad=False), [(1, 2, 6, 6)]),
    case("adaptive avg pool 1d", "adaptive_avg_pool1d", "AdaptiveAvgPool1d", dict(output_size=3), [(1, 2, 7)]),
    case("adaptive avg pool 2d", "adaptive_avg_pool2d", "AdaptiveAvgPool2d", dict(output_size=[1, 2]), [(1, 2, 5, 5)],
         output_size=(1, 2)),
    case("adaptive max pool 2d", "adaptive_max_pool2d", "AdaptiveMaxPool2d", dict(output_size=2), [(1, 2, 5, 5)]),
    case("unfold", "unfold", "Unfold", dict(kernel_size=[2, 3], dilation=[1, 2], padding=1, stride=2), [(2, 3, 4, 5)],
         kernel_size=(2, 3), dilation=(1, 2)),
    case("fold", "fold", "Fold", dict(output_size=[4, 5], kernel_size=2), [(2, 12, 12)], output_size=(4, 5)),
    case("attention to itself", "multihead_attention", "MultiheadAttention", dict(embed_dim=4, num_heads=2), [(3, 2, 4)] * 3, n_out=2),
    case("attention, masked", "multihead_attention", "MultiheadAttention", dict(embed_dim=4, num_heads=2, batch_first=True),
         [(2, 3, 4), (2, 4, 4), (2, 4, 4), mask([0, 0, 0, 1, 0, 1, 0, 0], [2, 4]), mask([0, 1, 0, 0] + [0, 0, 0, 1] * 2, [3, 4])],
         n_out=2, call=masked_attention),
    case("attention with more", "multihead_attention", "MultiheadAttention",
         dict(embed_dim=4, num_heads=1, kdim=3, vdim=2, add_bias_kv=True, add_zero_attn=True, bias=False),
         [(3, 2, 4), (5, 2, 3), (5, 2, 2)], n_out=2),
    case("rnn", "rnn", "RNN", dict(input_size=3, hidden_size=2), [(4, 2, 3)], n_out=2),
    case("rnn, relu, both ways", "rnn", "RNN",
         dict(input_size=3, hidden_size=2, num_layers=2, nonlinearity="relu", bidirectional=True, batch_first=True, bias=False),
         [(2, 4, 3), (4, 2, 2)], n_out=2),
    case("lstm", "lstm", "LSTM", dict(input_size=3, hidden_size=2), [(4, 2, 3)], n_out=3),
    case("lstm, both ways", "lstm", "LSTM", dict(input_size=3, hidden_size=2, num_layers=2, bidirectional=True, batch_first=True),
         [(2, 4, 3), (4, 2, 2), (4, 2, 2)], n_out=3, call=with_state(2)),
    case("gru", "gru", "GRU", dict(input_size=3, hidden_size=2, num_layers=2), [(4, 2, 3), (2, 2, 2)], n_out=2),
    case("gru, one sequence", "gru", "GRU", dict(input_size=3, hidden_size=2), [(4, 3)], n_out=2),
    case("rnn cell", "rnn_cell", "RNNCell", dict(input_size=3, hidden_size=2, nonlinearity="relu", bias=False), [(4, 3), (4, 2)]),
    case("lstm cell", "lstm_cell", "LSTMCell", dict(input_size=3, hidden_size=2), [(4, 3), (4, 2), (4, 2)], n_out=2, call=with_state(2)),
    case("lstm cell, first step", "lstm_cell", "LSTMCell", dict(input_size=3, hidden_size=2, bias=False), [(4, 3)], n_out=2),
    case("gru cell, one element", "gru_cell", "GRUCell", dict(input_size=3, hidden_size=2), [(3,), (2,)]),
    case("transformer encoder layer", "transformer_encoder_layer", "TransformerEncoderLayer",
         dict(d_model=4, nhead=2, dim_feedforward=6, dropout=0.0), [(3, 2, 4)]),
    case("transformer encoder layer, norm first", "transformer_encoder_layer", "TransformerEncoderLayer",
         dict(d_model=4, nhead=2, dim_feedforward=6, dropout=0.0, activation="gelu", batch_first=True, norm_first=True),
         [(2, 3, 4), mask([0, 1, 1, 0, 0, 1, 0, 0, 0], [3, 3])]),
    case("cross entropy", "cross_entropy_loss", "CrossEntropyLoss", dict(label_smoothing=0.1), [(4, 3), ints([0, 2, 1, -100], [4])],
         buffers={"weight": [0.2, 0.5, 0.3]}),
    case("cross entropy of planes", "cross_entropy_loss", "CrossEntropyLoss", dict(reduction="none"),
         [(2, 3, 2), ints([0, 2, 1, 1], [2, 2])]),
    case("nll", "nll_loss", "NLLLoss", dict(reduction="sum", ignore_index=1), [(4, 3), ints([0, 2, 1, 0], [4])]),
    case("mse", "mse_loss", "MSELoss", {}, [(4, 3), (4, 3)]),
    case("l1", "l1_loss", "L1Loss", dict(reduction="sum"), [(4, 3), (4, 3)]),
    case("bce with logits", "bce_with_logits_loss", "BCEWithLogitsLoss", {}, [(4, 3), (4, 3)], buffers={"pos_weight": [0.2, 0.5, 3.0]}),
    case("huber", "huber_loss", "HuberLoss", dict(delta=0.5), [(4, 3), (4, 3)]),
    case("smooth l1", "smooth_l1_loss", "SmoothL1Loss", dict(beta=0.5), [(4, 3), (4, 3)]),
    case("kl div", "kl_div_loss", "KLDivLoss", dict(reduction="batchmean", log_target=True), [(4, 3), (4, 3)]),
]


if __name__ == "__main__":
    print(json.dumps(CASES, indent=None, separators=(",", ":")).replace('},{"name"', '},\n{"name"'))
