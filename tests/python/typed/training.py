# SPDX-License-Identifier: Apache-2.0
"""A model of one's own, optimisers, schedules, loaders and the Trainer, as a typed program has them."""

from __future__ import annotations

from collections.abc import Iterator

import backplane as bp
from backplane import data, metrics, nn, optim
from backplane.optim import lr_scheduler
from backplane.train import Figures


class Residual(nn.Module):
    """Two layers beside their input."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.first = nn.Linear(width, 4 * width)
        self.second = nn.Linear(4 * width, width, bias=False)
        self.drop = nn.Dropout(p=0.1)
        self.scale = nn.Parameter(bp.ones(width))

    def forward(self, x: bp.Tensor) -> bp.Tensor:
        hidden = nn.functional.gelu(self.first(self.norm(x)))
        return x + self.scale * self.drop(self.second(hidden))


class Net(nn.Module):
    def __init__(self, features: int, classes: int, blocks: int = 2) -> None:
        super().__init__()
        self.enter = nn.Linear(features, 16)
        self.blocks = nn.ModuleList(Residual(16) for _ in range(blocks))
        self.leave = nn.Sequential(nn.ReLU(), nn.Linear(16, classes))

    def forward(self, x: bp.Tensor) -> bp.Tensor:
        x = self.enter(x)
        for block in self.blocks:
            x = block(x)
        y: bp.Tensor = self.leave(x)
        return y


class Points(data.Dataset):
    """Points of the plane, and whether they lie in the circle."""

    def __init__(self, n: int) -> None:
        self.points = bp.rand(n, 2) * 2 - 1

    def __getitem__(self, index: int) -> tuple[bp.Tensor, bp.Tensor]:
        point = self.points[index]
        return point, (point.square().sum() < 0.6).long()

    def __len__(self) -> int:
        return self.points.shape[0]


def batches(points: Points, size: int) -> Iterator[tuple[bp.Tensor, bp.Tensor]]:
    loader = data.DataLoader(points, batch_size=size, shuffle=True, seed=1)
    yield from loader


def trained(net: Net, points: Points, epochs: int) -> list[float]:
    """The loss of each epoch, by a loop of one's own."""
    optimizer = optim.AdamW(net.parameters(), lr=0.01, betas=(0.9, 0.99), weight_decay=0.01)
    schedule = lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    criterion = nn.CrossEntropyLoss(label_smoothing=0.01)
    losses: list[float] = []
    for _ in range(epochs):
        mean = metrics.Mean()
        for x, y in batches(points, 32):
            optimizer.zero_grad()
            loss = criterion(net(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            mean.add(loss.detach(), weight=x.shape[0])
        schedule.step()
        losses.append(float(mean.value()))
    return losses


def fitted(net: Net, points: Points) -> list[Figures]:
    """The same by a Trainer."""
    halves = data.random_split(points, [96, 32])
    loaders = [data.DataLoader(half, batch_size=16) for half in halves]
    trainer = bp.Trainer(max_epochs=2, accuracy=True, progress=False)
    done = trainer.fit(net, loaders[0], loaders[1], loss=nn.CrossEntropyLoss(),
                       optimizer=optim.SGD(net.parameters(), lr=0.05, momentum=0.9))
    assert done and trainer.evaluate(loaders[1]).loss > 0
    return trainer.history


def main() -> None:
    bp.manual_seed(0)
    points = Points(128)
    net = Net(2, 2)
    losses = trained(net, points, 3)
    assert losses[-1] < losses[0]
    history = fitted(net, points)
    size = sum(p.numel() for p in net.parameters())
    names = [name for name, _ in net.named_parameters()]
    assert "blocks.0.scale" in names and net.enter.weight.shape == (16, 2)
    lstm = nn.LSTM(4, 8, batch_first=True)
    y, (h, c) = lstm(bp.zeros((2, 3, 4)))
    assert y.shape == (2, 3, 8) and h.shape == c.shape == (1, 2, 8)
    net.eval()
    with bp.no_grad():
        scores = net(points.points)
    print(f"{size} parameters, {history[-1].val_accuracy:.2f} right, {scores.argmax(axis=1).sum().item()} inside")


if __name__ == "__main__":
    main()
