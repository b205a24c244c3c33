# SPDX-License-Identifier: Apache-2.0
"""Five networks, written for torch and for backplane.torch alike: build(name, torch) gives the network, and inputs(name, torch) what it
is shown. make.py writes what PyTorch makes of them; tests/python/pt_test.py builds them here."""

NAMES = ("mlp", "convnet", "recurrent", "transformer", "embedding")


def build(name, torch):
    nn = torch.nn

    class Recurrent(nn.Module):
        def __init__(self):
            super().__init__()
            self.lstm = nn.LSTM(4, 6, num_layers=2, batch_first=True)
            self.gru = nn.GRU(6, 5, batch_first=True, bidirectional=True)
            self.head = nn.Linear(10, 3)

        def forward(self, x):
            x, _ = self.lstm(x)
            x, _ = self.gru(x)
            return self.head(x[:, -1])

    class Transformer(nn.Module):
        def __init__(self):
            super().__init__()
            self.embed = nn.Linear(4, 8)
            layer = nn.TransformerEncoderLayer(8, 2, dim_feedforward=16, dropout=0.0, batch_first=True)
            self.encoder = nn.TransformerEncoder(layer, num_layers=2)
            self.head = nn.Linear(8, 3)

        def forward(self, x):
            return self.head(self.encoder(self.embed(x)).mean(dim=1))

    class Classifier(nn.Module):
        def __init__(self):
            super().__init__()
            self.embedding = nn.Embedding(20, 6, padding_idx=0)
            self.norm = nn.LayerNorm(6)
            self.head = nn.Linear(6, 3)

        def forward(self, x):
            return self.head(self.norm(self.embedding(x).mean(dim=1)))

    return {
        "mlp": lambda: nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 3)),
        "convnet": lambda: nn.Sequential(nn.Conv2d(1, 4, 3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
                                         nn.Flatten(), nn.Linear(36, 3)),
        "recurrent": Recurrent,
        "transformer": Transformer,
        "embedding": Classifier,
    }[name]()  # fmt: skip


def inputs(name, torch):
    if name == "embedding":
        return torch.arange(12).reshape(3, 4) % 20
    shape = {"mlp": (5, 4), "convnet": (3, 1, 6, 6)}.get(name, (3, 5, 4))
    n = 1
    for size in shape:
        n *= size
    return torch.sin(torch.arange(n, dtype=torch.float32)).reshape(*shape)


def optimizer_of(name, net, torch):
    if name in ("mlp", "embedding"):
        return torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
    return torch.optim.Adam(net.parameters(), lr=0.01)


def step(net, optimizer, x, torch):
    """Takes one step of training and returns the loss."""
    net.train()
    optimizer.zero_grad()
    y = torch.arange(x.shape[0]) % 3
    loss = torch.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    optimizer.step()
    return loss.item()
