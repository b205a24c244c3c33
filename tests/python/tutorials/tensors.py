# SPDX-License-Identifier: Apache-2.0
# Tensors: making, looking at, indexing, joining and computing with them; NumPy beside them.
import os

import numpy as np
import torch

device = torch.device(os.environ.get('DEVICE', 'cpu'))

data = [[1, 2], [3, 4]]
x_data = torch.tensor(data)
np_array = np.array(data)
x_np = torch.from_numpy(np_array)
print(x_data, x_np, x_data.dtype)
x_ones = torch.ones_like(x_data)
print(f"Ones Tensor: \n {x_ones} \n")
x_rand = torch.rand_like(x_data, dtype=torch.float)
print(x_rand.shape, x_rand.dtype, bool((x_rand < 1).all()))
shape = (2, 3,)
print(torch.rand(shape).shape, torch.ones(shape), torch.zeros(shape), torch.randn(4, 5).size())

tensor = torch.rand(3, 4)
print(f"Shape of tensor: {tensor.shape}")
print(f"Datatype of tensor: {tensor.dtype}")
print(f"Device tensor is stored on: {tensor.device}")

tensor = torch.ones(4, 4, device=device)
print(f"First row: {tensor[0]}")
print(f"First column: {tensor[:, 0]}")
print(f"Last column: {tensor[..., -1]}")
tensor[:, 1] = 0
print(tensor)
t1 = torch.cat([tensor, tensor, tensor], dim=1)
print(t1)
y1 = tensor @ tensor.T
y2 = tensor.matmul(tensor.T)
y3 = torch.rand_like(y1)
torch.matmul(tensor, tensor.T, out=y3)
print(y1, torch.equal(y1, y2), torch.equal(y1, y3))
z1 = tensor * tensor
z2 = tensor.mul(tensor)
z3 = torch.rand_like(tensor)
torch.mul(tensor, tensor, out=z3)
print(z1, (z1 == z2).all(), (z2 == z3).all())
agg = tensor.sum()
agg_item = agg.item()
print(agg_item, type(agg_item))
tensor.add_(5)
print(tensor)

t = torch.ones(5)
n = t.numpy()
print(t, n)
t.add_(1)
print(f"t: {t}")
print(f"n: {n}")
n = np.ones(5)
t = torch.from_numpy(n)
np.add(n, 1, out=n)
print(f"t: {t}")
print(f"n: {n}")

x = torch.arange(12, dtype=torch.float32, device=device)
print(x, x.numel(), x.shape)
X = x.reshape(3, 4)
print(X, X[-1], X[1:3])
X[1, 2] = 17
X[:2, :] = 12
print(X)
print(torch.exp(x))
x, y = torch.tensor([1.0, 2, 4, 8], device=device), torch.tensor([2, 2, 2, 2], device=device)
print(x + y, x - y, x * y, x / y, x ** y)
X, Y = torch.arange(12, dtype=torch.float32).reshape((3, 4)), torch.tensor([[2.0, 1, 4, 3], [1, 2, 3, 4], [4, 3, 2, 1]])
X, Y = X.to(device), Y.to(device)
print(torch.cat((X, Y), dim=0), torch.cat((X, Y), dim=1))
print(X == Y, X.sum())
a, b = torch.arange(3, device=device).reshape((3, 1)), torch.arange(2, device=device).reshape((1, 2))
print(a, b, a + b)
before = id(Y)
Y = Y + X
print(id(Y) == before)
before = id(X)
X += Y
print(id(X) == before)
a = torch.tensor([3.5])
print(a, a.item(), float(a), int(a))

print(X[[0, 2]], X[X > 10], X[torch.tensor([0, 1], device=device), torch.tensor([1, 2], device=device)])
X[X > 20] = 0
print(X, (X == 0).nonzero(), torch.where(X > 5, X, -X))
A = torch.arange(20, dtype=torch.float32, device=device).reshape(5, 4)
B = A.clone()
print(A, A + B, A * B, A.T, A.mean(), A.sum() / A.numel(), A.mean(axis=0), A.sum(axis=1, keepdims=True), A.cumsum(axis=0))
u = torch.tensor([3.0, -4.0], device=device)
print(torch.norm(u), torch.abs(u).sum(), torch.norm(torch.ones((4, 9), device=device)), torch.dot(u, u), A @ A[0], torch.mv(A, A[0]))
print(A.argmax(), A.argmax(dim=1), A.max(dim=0), A.min(), A.std(), A.var(dim=0))
print(torch.stack([u, u]), u.unsqueeze(0).shape, u.view(1, 2).squeeze().shape, A.permute(1, 0).shape, A.flatten()[:3], A.view(-1, 10).shape)
print(torch.linspace(0, 1, 5), torch.eye(3), torch.full((2, 2), 7), torch.zeros(2, 2, dtype=torch.bool), torch.arange(1, 10, 2))
print(A.chunk(2, dim=1)[0].shape, [p.shape for p in A.split([2, 3])], torch.topk(A[0], 2), torch.sort(u), u.clamp(min=0), u.sign())
print(torch.softmax(u, dim=0), torch.sigmoid(u), torch.relu(u), torch.tanh(u), u.abs().sqrt(), u.pow(2), u.exp().log())
print(torch.tensor(3.14159), torch.tensor([1e-8, 1.0]), torch.tensor([1e5, 1.5]), torch.tensor([float('nan'), float('inf')]), torch.tensor([]))
print(torch.allclose(u, u + 1e-9), torch.is_tensor(u), u.dim(), u.ndim, len(A), u.tolist(), u.type(), torch.tensor([True, False]))
print(torch.unique(torch.tensor([3, 1, 3])))
print(torch.tril(A[:4]), torch.triu(A[:4]), torch.outer(u, u), torch.trace(A[:4]), torch.cumprod(u, dim=0), torch.flip(u, [0]), torch.roll(u, 1))
