# SPDX-License-Identifier: Apache-2.0
# Default types and devices, and devices made visible from the program before their first use.
import os

os.environ['CUDA_VISIBLE_DEVICES'] = '1,0'
import torch

print(torch.cuda.is_available(), torch.cuda.device_count(), torch.get_default_dtype())
print(torch.tensor([1.5]).dtype, torch.zeros(2).type(), torch.ones(2, dtype=torch.int64).type())
torch.set_default_dtype(torch.float64)
print(torch.tensor([1.5]).dtype, torch.tensor([1, 2]).dtype, torch.arange(3.0).dtype)
torch.set_default_dtype(torch.float32)
torch.set_default_tensor_type('torch.cuda.FloatTensor')
x = torch.zeros(2)
print(x.device, x.type(), x.is_cuda, torch.FloatTensor([1, 2]).is_cuda, torch.rand(2, 3).device)
torch.set_default_tensor_type('torch.cuda.DoubleTensor')
print(torch.zeros(2).type(), torch.get_default_dtype())
torch.set_default_tensor_type('torch.FloatTensor')
print(torch.zeros(2).device, torch.cuda.FloatTensor(2, 3).shape, torch.cuda.LongTensor([1, 2]))
torch.set_default_device('cuda:1')
print(torch.ones(2).device, torch.get_default_device(), torch.arange(3).sum().device)
torch.set_default_device('cpu')
with torch.cuda.device(1):
    print(torch.cuda.current_device(), torch.ones(1).cuda().device, torch.ones(1, device='cuda').device)
    with torch.cuda.device(0):
        print(torch.cuda.current_device())
    print(torch.cuda.current_device())
torch.cuda.set_device(1)
print(torch.cuda.current_device(), torch.ones(1).to('cuda').device, torch.ones(1).cuda(0).device)
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
print(device, torch.cuda.get_device_name(0) == torch.cuda.get_device_name(device))
a = torch.ones(3, device='cuda:0')
try:
    a + torch.ones(3, device='cuda:1')
except RuntimeError as e:
    print(str(e).split(' (')[0])
print((a.to('cuda:1') + torch.ones(3, device='cuda:1')).cpu())
before = torch.cuda.memory_allocated(0)
big = torch.empty(1024, 256, device='cuda:0')
print(torch.cuda.memory_allocated(0) - before)
del big
torch.cuda.empty_cache()
torch.cuda.synchronize()
print(torch.cuda.memory_allocated(0) == before)
try:
    torch.ones(1, device='cuda:7')
except RuntimeError as e:
    print('invalid device ordinal' in str(e))
