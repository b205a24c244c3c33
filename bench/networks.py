# SPDX-License-Identifier: Apache-2.0
"""The networks of the benches, in the names that PyTorch and backplane.torch share."""

from functools import partial


def networks(torch, nn):
    """The classes and functions by their names, made of that library."""
    F = nn.functional

    class Block(nn.Module):
        """A block of a GPT: attention and a perceptron, each after a normalisation and beside a residual."""

        def __init__(self, d, heads):
            super().__init__()
            self.heads = heads
            self.ln1, self.ln2 = nn.LayerNorm(d), nn.LayerNorm(d)
            self.qkv, self.out = nn.Linear(d, 3 * d), nn.Linear(d, d)
            self.up, self.down = nn.Linear(d, 4 * d), nn.Linear(4 * d, d)

        def forward(self, x):
            b, t, d = x.shape
            q, k, v = self.qkv(self.ln1(x)).chunk(3, dim=-1)
            q, k, v = (y.reshape(b, t, self.heads, d // self.heads).transpose(1, 2) for y in (q, k, v))
            y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(y.transpose(1, 2).reshape(b, t, d))
            return x + self.down(F.gelu(self.up(self.ln2(x))))

        def next(self, x, keys, values):
            """Of one token: its result, and the keys and values with its own behind them."""
            b, _, d = x.shape
            q, k, v = (y.reshape(b, 1, self.heads, d // self.heads).transpose(1, 2) for y in self.qkv(self.ln1(x)).chunk(3, dim=-1))
            keys, values = torch.cat([keys, k], dim=2), torch.cat([values, v], dim=2)
            y = F.scaled_dot_product_attention(q, keys, values)
            x = x + self.out(y.transpose(1, 2).reshape(b, 1, d))
            return x + self.down(F.gelu(self.up(self.ln2(x)))), keys, values

    class GPT(nn.Module):
        def __init__(self, vocabulary=256, d=128, heads=4, layers=2, longest=128):
            super().__init__()
            self.token, self.place = nn.Embedding(vocabulary, d), nn.Embedding(longest, d)
            self.blocks = nn.Sequential(*[Block(d, heads) for _ in range(layers)])
            self.norm, self.head = nn.LayerNorm(d), nn.Linear(d, vocabulary)

        def forward(self, tokens):
            x = self.token(tokens) + self.place(torch.arange(tokens.shape[1]))
            return self.head(self.norm(self.blocks(x)))

        def next(self, token, place, caches):
            """The logits of one token after those whose keys and values the caches hold, and the caches with its own."""
            x = self.token(token) + self.place(place)
            kept = []
            for block, (keys, values) in zip(self.blocks, caches):
                y, k, v = block.next(x, keys, values)
                x = y
                kept.append((k, v))
            return self.head(self.norm(x)), kept

    def cnn():
        return nn.Sequential(
            nn.Conv2d(3, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(32, 64, 3, padding=1), nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(2),
            nn.Flatten(), nn.Linear(64 * 8 * 8, 10))

    def mlp():
        return nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, 10))

    class Trainer:
        """A training step: forward, loss, backward, the optimiser's step."""

        def __init__(self, net, x, y, optimizer=None):
            self.net, self.x, self.y = net, x, y
            self.optimizer = (optimizer or partial(torch.optim.Adam, lr=1e-3))(net.parameters())

        def __call__(self):
            self.optimizer.zero_grad()
            output = self.net(self.x)
            F.cross_entropy(output.reshape(-1, output.shape[-1]), self.y.reshape(-1)).backward()
            self.optimizer.step()

    return dict(locals())
