# SPDX-License-Identifier: Apache-2.0
"""PyTorch's names, as a typed program has them."""

from __future__ import annotations

import backplane.torch as torch
from backplane.torch import nn, optim
from backplane.torch.nn import functional as F
from backplane.torch.utils.data import DataLoader, TensorDataset


class Attention(nn.Module):
    def __init__(self, width: int, heads: int) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(width, heads, batch_first=True)
        self.norm = nn.LayerNorm(width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y, weights = self.attention(x, x, x)
        assert weights is not None
        return self.norm(x + y)


class Classifier(nn.Module):
    def __init__(self, words: int, width: int, classes: int) -> None:
        super().__init__()
        self.table = nn.Embedding(words, width)
        self.body = Attention(width, 2)
        self.head = nn.Linear(width, classes)
        self.temperature = nn.Parameter(torch.ones(1))
        self.register_buffer("seen", torch.zeros(1, dtype=torch.int64))

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        hidden: torch.Tensor = self.body(self.table(tokens))
        pooled = hidden.mean(dim=1)
        return self.head(F.relu(pooled)) / self.temperature


def sentences(n: int, length: int, words: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of words, and whether the word 0 is among them."""
    tokens = torch.randint(0, words, (n, length))
    return tokens, (tokens == 0).any(dim=1).long()


def step(model: nn.Module, optimizer: optim.Optimizer, x: torch.Tensor, y: torch.Tensor) -> float:
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
    return float(loss)


def statistics(x: torch.Tensor) -> dict[str, float]:
    values, indices = x.flatten().sort(descending=True)
    largest = torch.max(x, dim=-1)
    return {
        "median": values[values.numel() // 2].item(),
        "first": float(indices[0]),
        "largest": largest.values.max().item(),
        "std": x.std(dim=None, unbiased=False).item(),
        "norm": torch.linalg.norm(x).item(),
    }


def main() -> None:
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    tokens, labels = sentences(64, 6, 8)
    model = Classifier(8, 8, 2).to(device)
    optimizer = optim.Adam(model.parameters(), lr=0.01, betas=(0.9, 0.999))
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.5)
    loader = DataLoader(TensorDataset(tokens, labels), batch_size=16, shuffle=True)
    losses: list[float] = []
    for _ in range(3):
        model.train()
        for x, y in loader:
            losses.append(step(model, optimizer, x, y))
        scheduler.step()
    assert losses[-1] < losses[0] and optimizer.param_groups[0]["lr"] < 0.01
    with torch.no_grad():
        scores = torch.softmax(model(tokens), dim=-1)
    assert torch.allclose(scores.sum(dim=-1), torch.ones(64))
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    y = (x @ x.T).sqrt().clamp(min=0.0, max=3.0)
    y.sum().backward()
    grad: torch.Tensor | None = x.grad
    assert grad is not None and grad.shape == torch.Size([2, 2])
    parts = torch.cat([x.detach(), torch.eye(2)], dim=0).view(2, -1).unsqueeze(0)
    assert parts.size(0) == 1 and parts.size()[-1] == 4
    table = torch.where(parts > 1, parts, torch.zeros_like(parts))
    state = model.state_dict()
    assert "temperature" in state and table.dtype is torch.float32
    found = statistics(x.detach())
    print(f"{found['largest']:.1f} {found['norm']:.3f}, accuracy {(scores.argmax(dim=-1) == labels).float().mean().item():.2f}")


if __name__ == "__main__":
    main()
