# SPDX-License-Identifier: Apache-2.0
# The last part of the device chapter: a network moves, and knows where it is; losses with weights move too.
import torch
from torch import nn


def gpu(i=0):
    return torch.device(f'cuda:{i}')


net = nn.Sequential(nn.LazyLinear(1))
net = net.to(device=gpu())
X = torch.ones(2, 3, device=gpu())
net(X)
weight = net[0].weight
print(net[0].weight.data.device)
print(net.parameters().__class__.__name__, [(name, p.device) for name, p in net.named_parameters()])
net.cuda(1)
print(net[0].weight is weight, weight.device, weight.is_leaf, weight.requires_grad)
net(X.cuda(1)).sum().backward()
net.cpu()
print(weight.device, weight.grad.device, weight.grad)
linear = nn.Linear(3, 2, device='cuda:1', dtype=torch.float64)
print(linear.weight.device, linear.bias.dtype)
nn.init.constant_(linear.weight, 0.5)
print(linear.weight)
criterion = nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0]))
print(criterion._buffers, list(criterion.parameters()))
criterion.cuda()
print(criterion._buffers['weight'].device, criterion.weight)
print(criterion(torch.zeros(2, 2, device=gpu()), torch.tensor([0, 1], device=gpu())))
try:
    net(X)
except RuntimeError as e:
    print(str(e).split('!')[0])
