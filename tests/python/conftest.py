# SPDX-License-Identifier: Apache-2.0
"""Tests that take `device` run on the CPU and on a simulated accelerator; where BACKPLANE_TEST_DEVICE names another, as in
BACKPLANE_TEST_DEVICE=cuda:0, on that one instead of the simulated one."""

import os

os.environ.pop("BACKPLANE_ALIAS", None)

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "backplane", max_examples=25, deadline=None, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow])  # fmt: skip  # a busy machine is no fault
settings.load_profile("backplane")


@pytest.fixture(params=["cpu", os.environ.get("BACKPLANE_TEST_DEVICE", "sim:1")])
def device(request):
    return request.param
