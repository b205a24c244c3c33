# SPDX-License-Identifier: Apache-2.0
# The device chapter of "Dive into Deep Learning" (builders' guide, GPUs), as a program: what it creates, counts and moves.
import torch


def cpu():
    return torch.device('cpu')


def gpu(i=0):
    return torch.device(f'cuda:{i}')


def num_gpus():
    return torch.cuda.device_count()


def try_gpu(i=0):
    if num_gpus() >= i + 1:
        return gpu(i)
    return cpu()


def try_all_gpus():
    return [gpu(i) for i in range(num_gpus())]


print(cpu(), gpu(), gpu(1))
print((cpu(), gpu(), gpu(1)))
print(num_gpus())
for i in range(torch.cuda.device_count()):
    print(i, torch.cuda.get_device_name(i), torch.cuda.get_device_name(gpu(i)) == torch.cuda.get_device_properties(i).name)
print((try_gpu(), try_gpu(10), try_all_gpus()))
x = torch.tensor([1, 2, 3])
print(x.device, repr(x.device), x.shape, x.dtype)
X = torch.ones(2, 3, device=try_gpu())
print(X)
Y = torch.full((2, 3), 0.5, device=try_gpu(1))
print(Y)
Z = X.cuda(1)
print(X)
print(Z)
print(Y + Z)
print(Z.cuda(1) is Z)
try:
    X + Y
except RuntimeError as e:
    print(str(e).split(' (')[0])
try:
    X + torch.ones(2, 3)
except RuntimeError as e:
    print(str(e).split(' (')[0])
print(X + torch.tensor(2.0), X * 3)
with torch.cuda.device(1):
    print(torch.cuda.current_device(), torch.zeros(2, device='cuda').device)
print(torch.cuda.current_device(), X.cpu().device, Z.get_device(), X.is_cuda, x.is_cuda)
with torch.device('cuda:1'):
    print(torch.arange(3).device)
print(torch.zeros_like(Z).device, Z.new_full((1, 2), 7.0))
print(Z.to('cpu', torch.float64), Z.to(X).device, (Z.sum() / 2).item(), Z.cpu().numpy().tolist())
print(torch.arange(6.0).reshape(2, 3).cuda().max(dim=1))
print(torch.device('cuda') == torch.device('cuda:0'), torch.cuda.is_available())
try:
    Z.numpy()
except TypeError as e:
    print(e)
