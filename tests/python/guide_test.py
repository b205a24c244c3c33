# SPDX-License-Identifier: Apache-2.0
"""What the pages of docs/ are held to beside tests/pages, which runs their examples."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]


def test_each_difference_to_pytorch_is_shown():
    parts = re.split(r"^- ", (ROOT / "docs/torch.md").read_text(), flags=re.M)[1:]
    assert len(parts) > 12 and all("```python\n>>> " in part for part in parts)
