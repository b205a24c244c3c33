# SPDX-License-Identifier: Apache-2.0
"""The examples of the pages in docs/ and of README.md print what these pages say."""

import doctest
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).parents[2]


def examples(page):
    text = (ROOT / page).read_text()
    return "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.S))


@pytest.fixture
def built(page, tmp_path, monkeypatch):
    """The page's C, as its lines of shell build it, in the working directory."""
    monkeypatch.chdir(tmp_path)
    text = (ROOT / page).read_text()
    for name, code in re.findall(r"```c\n/\* (\w+\.c) \*/\n(.*?)```", text, flags=re.S):
        pathlib.Path(name).write_text(code)
        (lines,) = (b for b in re.findall(r"```sh\n(.*?)```", text, flags=re.S) if name in b)
        path = f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"
        subprocess.run(["bash", "-ec", lines], check=True, env={**os.environ, "PATH": path})


@pytest.mark.parametrize("page", ["docs/python.md", "docs/torch.md", "docs/modules.md", "docs/training.md"])
def test_the_page_prints_what_it_says(page, built):
    test = doctest.DocTestParser().get_doctest(examples(page), {}, page, page, 0)
    assert len(test.examples) > 20
    failed, _ = doctest.DocTestRunner().run(test)
    assert failed == 0


@pytest.mark.parametrize("page", sorted(p.name for p in (ROOT / "docs").glob("*.md")))
def test_stock_doctest_reads_the_page(page):
    """An empty line ends each output, for doctest alone would take the fence after it for output, too."""
    found = doctest.DocTestParser().get_examples((ROOT / "docs" / page).read_text())
    assert not [example.want for example in found if "```" in example.want or "```" in example.source]


def test_each_difference_to_pytorch_is_shown():
    parts = re.split(r"^- ", (ROOT / "docs/torch.md").read_text(), flags=re.M)[1:]
    assert len(parts) > 12 and all("```python\n>>> " in part for part in parts)


def test_the_readme_prints_what_it_says(capsys):
    code = examples("README.md")
    exec(compile(code, "README.md", "exec"), {})
    wanted = [line.split("# ", 1)[1] for line in code.splitlines() if line.startswith("print(")]
    assert wanted and all(text in capsys.readouterr().out for text in wanted[:1])
