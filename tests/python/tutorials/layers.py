# SPDX-License-Identifier: Apache-2.0
# Layers and parameters, as the builders' chapters of tutorials have them: modules of one's own, access by name, first values,
# shared and lazy layers, a step of training, files' dicts. Weights are given, so that the numbers are the same everywhere.
import torch
from collections import OrderedDict

from torch import nn
from torch.nn import functional as F


def fill(module):
    with torch.no_grad():
        for p in module.parameters():
            p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) % 5 - 2) / 4)


class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(4, 3)
        self.out = nn.Linear(3, 2)

    def forward(self, X):
        return self.out(F.relu(self.hidden(X)))


class CenteredLayer(nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, X):
        return X - X.mean()


class MyLinear(nn.Module):
    def __init__(self, in_units, units):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(in_units, units))
        self.bias = nn.Parameter(torch.zeros(units,))
        self.register_buffer('calls', torch.zeros(1))

    def forward(self, X):
        self.calls += 1
        return torch.matmul(X, self.weight) + self.bias


X = torch.arange(8.0).reshape(2, 4) / 8
net = MLP()
fill(net)
print(net)
print(net(X))
print(net.hidden.weight)
print(net.out.bias.data)
print(type(net.out.bias).__name__, net.out.weight.grad is None)
print([(name, param.shape) for name, param in net.named_parameters()])
print(dict(net.state_dict()))

print(CenteredLayer()(torch.tensor([1.0, 2, 3, 4, 5])))
own = nn.Sequential(MyLinear(4, 2), nn.ReLU())
print(own, own(X), own[0].calls, list(own.state_dict()))

shared = nn.Linear(3, 3)
tied = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), shared, nn.ReLU(), shared, nn.ReLU(), nn.Linear(3, 1))
fill(tied)
print(tied[2].weight.data[0] == tied[4].weight.data[0])
tied[2].weight.data[0, 0] = 100
print(tied[2].weight.data[0] == tied[4].weight.data[0])
print(len(list(tied.parameters())), [name for name, _ in tied.named_modules()])


def init_constant(module):
    if type(module) == nn.Linear:
        nn.init.constant_(module.weight, 1)
        nn.init.zeros_(module.bias)


net.apply(init_constant)
print(net.hidden.weight.data[0], net.hidden.bias.data[0])
try:
    net.hidden.weight = torch.ones(3, 4)
except TypeError as e:
    print(e)

lazy = nn.Sequential(nn.LazyLinear(3), nn.ReLU(), nn.LazyLinear(1))
print(lazy[0].weight, lazy)
lazy(X)
print(lazy[0].weight.shape, lazy)

fill(net)
Y = torch.tensor([1, 0])
loss = nn.CrossEntropyLoss()
for _ in range(3):
    value = loss(net(X), Y)
    net.zero_grad()
    value.backward()
    with torch.no_grad():
        for p in net.parameters():
            p -= 0.5 * p.grad
    print(value)
print(net.out.weight.grad)

blocks = nn.Sequential(OrderedDict([('conv', nn.Conv2d(1, 2, 3, padding=1)), ('norm', nn.BatchNorm2d(2)), ('act', nn.GELU()),
                                    ('pool', nn.AvgPool2d(2)), ('flat', nn.Flatten()), ('out', nn.LazyLinear(2))]))
image = torch.arange(16.0).reshape(1, 1, 4, 4) / 16
blocks.eval()
blocks(image)
blocks.train()
fill(blocks)
print(blocks)
print(blocks(image))
print(blocks.norm.running_mean, blocks.norm.num_batches_tracked)
blocks.eval()
print(blocks.training, blocks.norm.training, blocks(image))
other = nn.Sequential(OrderedDict((name, m) for name, m in blocks.named_children()))
print(other.load_state_dict(blocks.state_dict()))
try:
    net.load_state_dict({'hidden.weight': torch.zeros(2, 2), 'more': torch.zeros(1)})
except RuntimeError as e:
    print(e)
print(net.double().hidden.weight.dtype, net.float().out.bias.dtype)
print(nn.utils.clip_grad_norm_(net.parameters(), 0.1))
print(list(nn.ModuleList([nn.Linear(1, 1), nn.Tanh()]))[1], nn.ModuleDict({'a': nn.Softmax(dim=1)}))
print(nn.MultiheadAttention(4, 2), nn.LSTM(3, 2, num_layers=2, batch_first=True), nn.Embedding(5, 3, padding_idx=0))
print(nn.Embedding(5, 3, padding_idx=0)(torch.tensor([0])), nn.Embedding.from_pretrained(torch.eye(2))(torch.tensor([1])))
