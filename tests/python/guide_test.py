"""The examples of docs/python.md and README.md print what these pages say."""

import doctest
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]


def examples(page):
    text = (ROOT / page).read_text()
    return "\n".join(re.findall(r"```python\n(.*?)```", text, flags=re.S))


def test_the_guide_prints_what_it_says():
    test = doctest.DocTestParser().get_doctest(examples("docs/python.md"), {}, "docs/python.md", "docs/python.md", 0)
    assert len(test.examples) > 20
    failed, _ = doctest.DocTestRunner().run(test)
    assert failed == 0


def test_the_readme_prints_what_it_says(capsys):
    code = examples("README.md")
    exec(compile(code, "README.md", "exec"), {})
    wanted = [line.split("# ", 1)[1] for line in code.splitlines() if line.startswith("print(")]
    assert wanted and all(text in capsys.readouterr().out for text in wanted[:1])
