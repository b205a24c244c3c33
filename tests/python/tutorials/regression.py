# SPDX-License-Identifier: Apache-2.0
# Linear regression by gradient descent with the gradient written out, and k-means: programs that compute on a device.
import os

import torch

device = torch.device(os.environ.get('DEVICE', 'cpu'))

true_w, true_b = torch.tensor([2.0, -3.4], device=device), 4.2
n = 64
grid = torch.arange(n, dtype=torch.float32, device=device)
X = torch.stack([torch.sin(grid * 12.9898), torch.cos(grid * 78.233)], dim=1)
y = X @ true_w + true_b
w, b = torch.zeros(2, device=device), torch.zeros(1, device=device)
for epoch in range(200):
    error = X @ w + b - y
    w -= 0.3 * (X.T @ error) / n * 2
    b -= 0.3 * error.mean() * 2
    if epoch % 50 == 0:
        print(f'epoch {epoch}, loss {(error ** 2).mean().item():.4f}')
print('error in w', (true_w - w).abs().max().item() < 1e-3, 'error in b', abs(b.item() - true_b) < 1e-3)
print([round(v, 2) for v in w.tolist()], round(b.item(), 2))

points = torch.cat([X * 0.1, X * 0.1 + torch.tensor([5.0, 5.0], device=device)])
centers = points[[0, 70]].clone()
for _ in range(5):
    distances = ((points[:, None, :] - centers[None]) ** 2).sum(dim=-1)
    nearest = distances.argmin(dim=1)
    centers = torch.stack([points[nearest == k].mean(dim=0) for k in range(2)])
print([int((nearest == k).sum()) for k in range(2)], [[round(abs(v), 1) for v in c] for c in centers.tolist()])

scores = X @ torch.tensor([[1.0, 0.5, -1.0], [0.0, 2.0, 1.0]], device=device)
labels = scores.argmax(dim=1)
probabilities = torch.softmax(scores, dim=1)
one = probabilities[torch.arange(n, device=device), labels]
print(probabilities.shape, torch.allclose(probabilities.sum(1), torch.ones(n, device=device)), bool((one >= probabilities.max(1)[0]).all()))
print(labels[:10].tolist(), (labels == 1).float().mean().item())
counts = torch.zeros(3, dtype=torch.int64, device=device)
for label in labels.tolist():
    counts[label] += 1
print(counts, counts.sum() == n)
