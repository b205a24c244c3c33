#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Learns which digit is on an 8x8 image, saves the net, and loads it on another backend, where it must predict the same.

    python examples/train_digits.py                              on the best device that is there
    python examples/train_digits.py --device cpu --other sim:1 --epochs 6
    python examples/train_digits.py --resume digits-run.safetensors --epochs 20
"""

import argparse
import pathlib
import random
import sys

import backplane as bp
from backplane import nn, optim
from backplane.data import DataLoader, Subset, TensorDataset

DATA = pathlib.Path(__file__).parent / "data" / "digits.csv"


def load(path):
    """Images [n, 1, 8, 8], 0 to 1, and their digits [n]."""
    rows = [[int(field) for field in line.split(",")] for line in path.read_text().splitlines()]
    pixels = bp.asarray([row[:64] for row in rows], dtype=bp.float32) / 16
    return pixels.reshape(len(rows), 1, 8, 8), bp.asarray([row[64] for row in rows], dtype=bp.int64)


def stratified(labels, share, seed):
    """Numbers of images to learn and to hold out: of each digit the same share is held out."""
    by_digit = {}
    for number, digit in enumerate(labels):
        by_digit.setdefault(digit, []).append(number)
    learned, held_out = [], []
    for _, numbers in sorted(by_digit.items()):
        random.Random(seed).shuffle(numbers)
        n = int(len(numbers) * share)
        held_out += numbers[:n]
        learned += numbers[n:]
    return learned, held_out


def new_net(device):
    return nn.Sequential(
        nn.Conv2d(1, 16, 3, padding=1), nn.ReLU(),
        nn.Conv2d(16, 32, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(),
        nn.Linear(512, 64), nn.ReLU(),
        nn.Linear(64, 10),
    ).to(device)  # fmt: skip


def predictions(net, images):
    with bp.no_grad():
        return net(images).argmax(dim=1).tolist()


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", default=str(bp.try_gpu()), help="where it learns")
    parser.add_argument("--other", default="sim:1", help="where the saved net is tried")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=42, help="of first weights, order and held-out images")
    parser.add_argument("--out", default="digits.safetensors", help="the net; beside it, in *-run.safetensors, the whole run")
    parser.add_argument("--resume", help="such a run, to go on with")
    parser.add_argument("--curve", help="a picture of the losses; takes matplotlib")
    return parser.parse_args()


def main():
    args = arguments()
    bp.manual_seed(args.seed)
    images, labels = load(DATA)
    learned, held_out = stratified(labels.tolist(), 0.2, args.seed)
    every = TensorDataset(images, labels)
    train = DataLoader(Subset(every, learned), batch_size=32, shuffle=True, seed=args.seed)
    val = DataLoader(Subset(every, held_out), batch_size=512)

    net = new_net(args.device)
    print(net.summary(images[:1].to(args.device)))
    adam = optim.Adam(net.parameters(), lr=3e-3)
    trainer = bp.Trainer(args.epochs, accuracy=True, checkpoint=args.out.replace(".safetensors", "-run.safetensors"))
    trainer.fit(net, train, val, loss=nn.CrossEntropyLoss(), optimizer=adam,
                schedule=optim.lr_scheduler.ExponentialLR(adam, 0.85), resume=args.resume)  # fmt: skip
    print(trainer.board)
    if args.curve:
        trainer.board.save(args.curve)

    bp.io.save_file(net.state_dict(), args.out, metadata={"seed": str(args.seed)})
    other = new_net(args.other)
    other.load_state_dict(bp.io.load_file(args.out, device=args.other))
    unseen, wanted = bp.concat([images[i : i + 1] for i in held_out], axis=0), [labels[i].item() for i in held_out]
    here, there = predictions(net, unseen.to(args.device)), predictions(other, unseen.to(args.other))
    right = sum(a == b for a, b in zip(here, wanted))
    same = sum(a == b for a, b in zip(here, there))
    print(f"{100 * right / len(wanted):.2f} % of {len(wanted)} held-out images right; the net is in {args.out}")
    print(f"{same} of {len(there)} predictions on {args.other} agree with those on {args.device}")
    return 0 if same == len(there) else 1


if __name__ == "__main__":
    sys.exit(main())
