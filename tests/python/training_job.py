# SPDX-License-Identifier: Apache-2.0
"""A small job for the tests of training: a straight line in three dimensions, and what learns it."""

import backplane.torch as torch
from backplane.data import DataLoader, TensorDataset
from backplane.torch import nn, optim
from backplane.train import Trainer

MATRIX = torch.tensor([[2.0, -3.4, 1.0]]).T


def examples(n=48, seed=1):
    g = torch.Generator(seed)
    x = torch.randn(n, 3, generator=g)
    return x, x @ MATRIX + 4.2


def loader(n=48, **how):
    return DataLoader(TensorDataset(*examples(n)), **{"batch_size": 8, "shuffle": True, "seed": 3, **how})


def new_net(seed=0):
    torch.manual_seed(seed)
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))


def values(net):
    return [p.detach().cpu().flatten().tolist() for p in net.parameters()]


def plain_loop(net, batches, epochs, clip=0.0, gamma=0.9):
    """What fit does, by hand."""
    optimizer = optim.Adam(net.parameters(), lr=0.02)
    schedule = optim.lr_scheduler.ExponentialLR(optimizer, gamma)
    loss = nn.MSELoss()
    for _ in range(epochs):
        for x, y in batches:
            optimizer.zero_grad()
            loss(net(x), y).backward()
            if clip:
                nn.utils.clip_grad_norm_(net.parameters(), clip)
            optimizer.step()
        schedule.step()


def fit(net, batches, epochs=3, *, loss=None, resume=None, val=None, **how):
    trainer = Trainer(epochs, **{"progress": False, **how})
    optimizer = optim.Adam(net.parameters(), lr=0.02)
    trainer.fit(net, batches, val, loss=loss or nn.MSELoss(), optimizer=optimizer,
                schedule=optim.lr_scheduler.ExponentialLR(optimizer, 0.9), resume=resume)  # fmt: skip
    return trainer


class Model(nn.Module):
    """As tutorials write one: the trainer and the board are its, and it draws."""

    def __init__(self, lr=0.05):
        super().__init__()
        self.net = nn.LazyLinear(1)
        self.lr, self.seen, self.boards = lr, [], set()

    def forward(self, x):
        return self.net(x)

    def loss(self, y_hat, y):
        return nn.functional.mse_loss(y_hat, y)

    def training_step(self, batch):
        loss = self.loss(self(*batch[:-1]), batch[-1])
        t = self.trainer
        self.board.draw(t.train_batch_idx / t.num_train_batches, loss, "train_loss", every_n=3)
        self.seen.append((t.epoch, t.train_batch_idx, str(batch[0].device), self.training))
        return loss

    def validation_step(self, batch):
        loss = self.loss(self(*batch[:-1]), batch[-1])
        self.board.draw(self.trainer.epoch + 1, loss, "val_loss")
        self.seen.append((self.trainer.epoch, "val", self.trainer.val_batch_idx, self.training))

    def configure_optimizers(self):
        return optim.SGD(self.parameters(), lr=self.lr)


class Data:
    def train_dataloader(self):
        return loader()

    def val_dataloader(self):
        return loader(16, shuffle=False)
