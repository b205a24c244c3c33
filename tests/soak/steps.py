# SPDX-License-Identifier: Apache-2.0
"""What a soak runs. A step is a command that does a part of a long count."""

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RELEASE = "build/release"
PLUGINS = f"{ROOT / RELEASE}/lib/backplane"  # a search wants absolute paths
SECONDS = 60  # of one part of a step that takes any time


@dataclasses.dataclass(frozen=True)
class Step:
    name: str
    goal: int
    unit: str
    command: Callable[[int], list[str]]  # given how many are left to do
    part: int = 1  # how many a part does at most, where its output does not tell
    counts: str = ""  # matches in the output how many a part did
    keeps: str = ""  # matches the lines that the table shows
    env: dict[str, str] = dataclasses.field(default_factory=dict)
    once: bool = False  # it would fail in the same way again

    def counted(self, said: str, left: int) -> int:
        if not self.counts:
            return min(self.part, left)
        return sum(int(n) for n in re.findall(self.counts, said))

# Tests of programs beside this one; and the pages' examples, which register an op, as a process can do once.
NOT_AGAIN = ("leaks", "wheel", "lint", "typing", "guide")


def fuzz(target: str) -> Step:
    return Step(f"fuzz/{target}", 10_000_000, "executions",
                lambda left: ["tests/fuzz/run", str(left), target, f"-max_total_time={SECONDS}"],
                counts=r"stat::number_of_executed_units: (\d+)")  # fmt: skip


def again(name: str, preset: str, tests: str, goal: int, part: int) -> Step:
    """Tests of CTest, each so many times; the first time that one fails ends the part."""
    return Step(f"again/{preset}/{name}", goal, "rounds",
                lambda left: ["ctest", "--preset", preset, "-R", tests, "-j2", "--repeat", f"until-fail:{min(part, left)}"],
                part=part, env={"TSAN_OPTIONS": "halt_on_error=1:second_deadlock_stack=1"})  # fmt: skip


def leaks(file: Path) -> Step:
    topic = file.name.removesuffix("_test.py")
    return Step(f"leaks/{topic}", 1, "runs", lambda _: ["./dev", "py", "--leaks", "6", topic], once=True,
                keeps=r"^\d+ passed, \d+ failed$")  # fmt: skip


def verify(kind: str) -> Step:
    return Step(f"verify/{kind}", 1, "runs", lambda _: [f"{RELEASE}/bin/backplane", "verify", kind], once=True,
                env={"BACKPLANE_PLUGIN_PATH": PLUGINS, "NULL_DEVICE_COUNT": "2"},
                keeps=r"^\w+ +\d+ ")  # fmt: skip


def memcheck(program: str, *filtered: str) -> Step:
    options = ["--quiet", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite", "--num-callers=30"]  # fmt: skip
    return Step(f"memcheck/{program}", 1, "runs",
                lambda _: ["valgrind", *options, f"{RELEASE}/bin/{program}", *filtered,
                           f"--set=BACKPLANE_PLUGIN_PATH={PLUGINS}", "--set=NULL_DEVICE_COUNT=2"],
                keeps=r"tests ran", once=True)  # fmt: skip


STEPS = [
    *(fuzz(target.stem) for target in sorted((ROOT / "tests" / "fuzz").glob("[ai]*/*.cc"))),
    Step("generations", 3000, "generations", lambda left: [f"{RELEASE}/bin/sim_tests", "--gtest_filter=*Generations*"], part=3000,
         env={"BACKPLANE_TEST_GENERATIONS": "1000", "BACKPLANE_PLUGIN_PATH": PLUGINS}),
    again("beside_work", "release", r"^sim\..*(BesideWork|UnloadKind|Shutdown|Fork|Interleav)", 200, 5),
    again("beside_work", "tsan", r"^sim\..*(BesideWork|UnloadKind|Shutdown|Interleav)", 20, 1),
    again("api", "tsan", r"^api\.", 10, 1),
    *(verify(kind) for kind in ("cpu", "sim", "null")),
    # After the first other tests have no tensors; the second's kernel asks the processor whether it overflowed, which valgrind's never did.
    memcheck("api_tests", "--gtest_filter=-CppRuntime.EndsKindsAndItself:ProductsOnTheCpu.*"),
    *(Step(f"memory/{of}", 1, "runs", lambda _, of=of: [f"{RELEASE}/bin/memory_{of}"], once=True, keeps=r"^\w.* +\d+ +\d+$",
           env={"BP_MEMORY_EVERY": "1", "BACKPLANE_PLUGIN_PATH": PLUGINS, "NULL_DEVICE_COUNT": "2"})
      for of in ("tests", "cold_tests")),
    *(Step(f"plugin_calls/{of}", 1, "runs", lambda _, of=of: [f"{RELEASE}/bin/plugin_calls_{of}"], once=True, keeps=r"^\w.* +\d+ +\d+$",
           env={"BP_PLUGIN_CALLS_EVERY": "1", "BP_MEMORY_EVERY": "1", "NULL_DEVICE_COUNT": "2",
                "BACKPLANE_PLUGIN_PATH": f"{ROOT / RELEASE}/tests/plugin_calls/wrapping:{PLUGINS}"})
      for of in ("tests", "cold_tests")),
    *(Step(f"files/{of}", 1, "runs", lambda _, of=of: [f"{RELEASE}/bin/files_{of}"], once=True, keeps=r"^\w.* +\d+ +\d+$",
           env={"BP_FILES_EVERY": "1", "BACKPLANE_PLUGIN_PATH": PLUGINS, "NULL_DEVICE_COUNT": "2"})
      for of in ("calls_tests", "cold_tests")),
    Step("files/killed_tests", 900, "kills", lambda _: [f"{RELEASE}/bin/files_killed_tests"], counts=r"(\d+) kills,",
         env={"BP_KILLS": "100", "BP_FILES_EVERY": "1", "BACKPLANE_PLUGIN_PATH": PLUGINS}),
    Step("threads/python", 1, "runs", lambda _: ["./dev", "py", "threads"], once=True, keeps=r"^\d+ passed, \d+ failed$",
         env={"BACKPLANE_THREADS_ROUNDS": "100"}),
    *(leaks(file) for file in sorted((ROOT / "tests" / "python").glob("*_test.py"))
      if file.name.removesuffix("_test.py") not in NOT_AGAIN),
]  # fmt: skip
