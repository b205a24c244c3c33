# SPDX-License-Identifier: Apache-2.0
"""backplane.torch's random numbers beside rand and randn: that they have the distribution that they are said to have, come from the
generator, and go where they are to go."""

import math

import backplane.torch as torch
import numpy as np
import pytest

FILLS = {  # call: mean and standard deviation
    "uniform_(-1, 3)": (1, 4 / 12**0.5), "normal_(2, 0.5)": (2, 0.5), "exponential_(2)": (0.5, 0.5),
    "log_normal_(0, 0.5)": (1.1331, 0.6039),
    "geometric_(0.25)": (4, 12**0.5), "random_(3, 9)": (5.5, 35**0.5 / 12**0.5), "bernoulli_(0.2)": (0.2, 0.4),
}  # fmt: skip


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
@pytest.mark.parametrize("call", FILLS)
def test_a_fill_has_its_mean_and_deviation(call, dtype):
    torch.manual_seed(3)
    x = torch.zeros(200, 500, dtype=dtype)
    assert eval(f"x.{call}") is x
    mean, std = FILLS[call]
    found = x.double()
    assert found.mean().item() == pytest.approx(mean, abs=5 * std / 300) and found.std().item() == pytest.approx(std, rel=0.05)


@pytest.mark.parametrize("call", [*FILLS, "cauchy_()", "uniform_()", "normal_()"])
def test_a_fill_draws_from_its_generator_into_any_view(call):
    def drawn(x, generator):
        return eval(f"x.{call[:-1]}{', ' if call[-2] != '(' else ''}generator=generator)", {"x": x, "generator": generator}).tolist()

    g = torch.Generator(7)
    first, second = drawn(torch.zeros(2, 3), g), drawn(torch.zeros(2, 3), g)
    assert first != second or "bernoulli" in call
    assert drawn(torch.zeros(2, 3), torch.Generator(7)) == first
    whole = torch.zeros(3, 4)
    assert drawn(whole[:, ::2].T, torch.Generator(7)) == first and whole[:, 1::2].abs().sum() == 0
    torch.manual_seed(7)
    default = eval(f"x.{call}", {"x": torch.zeros(2, 3)})
    torch.manual_seed(7)
    assert eval(f"x.{call}", {"x": torch.zeros(2, 3)}).equal(default)
    assert eval(f"x.{call}", {"x": torch.zeros(0)}).numel() == 0


def test_uniform_and_normal_fills_are_rand_and_randn():
    for fill, factory in (("uniform_", torch.rand), ("normal_", torch.randn)):
        torch.manual_seed(1)
        wanted = factory(3, 5)
        torch.manual_seed(1)
        assert getattr(torch.empty(3, 5), fill)().equal(wanted)


def test_integers_are_filled_within_what_the_dtype_holds():
    for dtype, largest in ((torch.uint8, 255), (torch.int8, 127), (torch.int32, 2**31 - 1), (torch.int64, 2**63 - 1), (torch.bool, 1)):
        x = torch.zeros(1000, dtype=dtype).random_()
        assert int(x.min()) >= 0 and int(x.max()) > largest * 0.9 and x.dtype is dtype
    assert sorted(set(torch.zeros(1000, dtype=torch.int8).random_(-3, 0).tolist())) == [-3, -2, -1]
    assert set(torch.zeros(100).random_(2).tolist()) == set(torch.zeros(100).random_(**{"from": 0, "to": 2}).tolist()) == {0, 1}
    assert (torch.zeros(9).uniform_(**{"from": 2}, to=3) >= 2).all()
    for call in ("uniform_(form=1)", "random_(form=1)"):
        with pytest.raises(TypeError, match="unexpected keyword argument 'form'"):
            eval(f"torch.zeros(2).{call}")
    assert torch.zeros(9, dtype=torch.int64).geometric_(0.5).min() >= 1
    assert set(torch.zeros(100, dtype=torch.int64).bernoulli_().tolist()) == {0, 1}


def test_a_fill_forgets_what_made_the_tensor():
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad is being used in an in-place operation"):
        x.normal_()
    for call in (*FILLS, "cauchy_()"):
        y = x * 2
        eval(f"y.{call}")
        (y + x).sum().backward()
        assert x.grad.tolist() == [1, 1, 1]
        x.grad = None


def test_randperm_has_each_number_once_in_an_order_of_the_generators():
    order = torch.randperm(1000)
    assert order.dtype is torch.int64 and order.sort().values.equal(torch.arange(1000)) and not order.equal(torch.arange(1000))
    assert torch.randperm(50, generator=torch.Generator(1)).equal(torch.randperm(50, generator=torch.Generator(1)))
    assert torch.randperm(0).shape == (0,) and type(order) is torch.Tensor
    assert torch.randperm(5, dtype=torch.float32).dtype is torch.float32
    assert torch.randperm(5, device="sim:0").device == torch.device("sim:0")
    assert torch.randperm(200, dtype=torch.uint8).sort().values.tolist() == list(range(200))
    firsts = np.bincount([int(torch.randperm(4)[0]) for _ in range(400)], minlength=4)
    assert firsts.min() > 60
    with pytest.raises(RuntimeError, match="n is too large for result tensor type"):
        torch.randperm(300, dtype=torch.uint8)


def test_bernoulli_draws_each_element_with_its_own_probability():
    torch.manual_seed(0)
    p = torch.tensor([0.0, 0.1, 0.5, 1.0]).repeat(20000, 1)
    drawn = torch.bernoulli(p)
    assert set(drawn.reshape(-1).tolist()) == {0, 1} and np.allclose(drawn.mean(0).numpy(), p[0].numpy(), atol=0.02)
    assert torch.bernoulli(p, 0.25).mean().item() == pytest.approx(0.25, abs=0.01) and p.bernoulli(1.0).min() == 1
    assert torch.zeros(2, 2).bernoulli_(torch.tensor([0.0, 1.0])).tolist() == [[0, 1], [0, 1]]
    with pytest.raises(RuntimeError, match="Expected p_in >= 0 && p_in <= 1 to be true"):
        torch.bernoulli(torch.tensor([math.nan]))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.float16])
@pytest.mark.parametrize("replacement", [False, True])
def test_multinomial_draws_in_the_relation_of_the_weights(replacement, dtype):
    torch.manual_seed(0)
    weights = torch.tensor([[0.0, 1, 0, 3], [2, 2, 0, 0]], dtype=dtype)
    many = weights.repeat(5000, 1)
    drawn = torch.multinomial(many, 1, replacement)
    share = [np.bincount(drawn[row::2, 0].numpy(), minlength=4) / 5000 for row in (0, 1)]
    assert np.allclose(share, [[0, 0.25, 0, 0.75], [0.5, 0.5, 0, 0]], atol=0.03)
    assert drawn.dtype is torch.int64 and torch.multinomial(weights[0], 2, replacement).shape == (2,)
    assert torch.multinomial(weights[:0], 2, replacement).shape == (0, 2)
    if replacement:
        assert set(torch.multinomial(weights, 1000, True)[0].tolist()) == {1, 3}
    else:
        assert all(set(row) == {1, 3} for row in torch.multinomial(many[::2], 2).tolist())


def test_normal_takes_means_and_deviations():
    torch.manual_seed(0)
    drawn = torch.normal(torch.tensor([0.0, 10.0]).repeat(20000, 1), torch.tensor([1.0, 3.0]))
    assert np.allclose(drawn.mean(0).numpy(), [0, 10], atol=0.1) and np.allclose(drawn.std(0).numpy(), [1, 3], rtol=0.05)
    assert torch.normal(2.0, torch.zeros(3)).tolist() == [2, 2, 2] and torch.normal(0.0, 1.0, (2, 3)).shape == (2, 3)
