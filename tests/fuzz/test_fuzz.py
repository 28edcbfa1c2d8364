"""A quick run of each fuzzer, and of the attack on the regular expressions; the inputs are always
the same ones.

docs/reliability.md tells how to run more of them.
"""

import random
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pagesum_cli.errors import PagesumError

sys.path.append(str(Path(__file__).parent))

import fuzz_checkpoints
import fuzz_patterns
import fuzz_readers
import fuzz_records
import fuzz_saved
import fuzzing

CHEAP_PDFS = {kind: attack for kind, attack in fuzz_readers.PDFS.items() if kind != "pdf_bomb"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("attacks", "count"),
    [
        pytest.param(fuzz_readers.TEXTS, 100, id="texts"),
        pytest.param(CHEAP_PDFS, 100, id="pdfs"),
        pytest.param({"pdf_bomb": fuzz_readers.PDFS["pdf_bomb"]}, 4, id="bombs"),
        pytest.param(fuzz_records.ATTACKS, 100, id="records"),
        pytest.param(fuzz_checkpoints.ATTACKS, 140, id="checkpoints"),
        pytest.param(fuzz_saved.ATTACKS, 200, id="saved"),
    ],
)
def test_every_input_gives_a_result_or_a_clear_error(
    attacks: dict[str, fuzzing.Attack], count: int
) -> None:
    outcomes = list(fuzzing.fuzz(attacks, 0, range(count)))
    assert [outcome for outcome in outcomes if outcome.failed] == []
    assert len(outcomes) == count


def _crash(random: random.Random, folder: Path) -> None:
    raise KeyError("x")


def _refuse(random: random.Random, folder: Path) -> None:
    raise PagesumError("no")


def _hang(random: random.Random, folder: Path) -> None:
    while True:
        pass


def _grow(random: random.Random, folder: Path) -> None:
    bytearray(1 << 30)


def _done(random: random.Random, folder: Path) -> None:
    time.sleep(0)


@pytest.mark.parametrize(
    ("attack", "result"),
    [(_crash, "KeyError at "), (_refuse, "refused"), (_hang, "hang"), (_grow, "MemoryError")],
)
def test_a_fuzzer_notices_what_it_is_for(attack: Callable[..., None], result: str) -> None:
    outcomes = list(fuzzing.fuzz({"a": attack, "b": _done}, 0, range(4), seconds=1, memory=1 << 29))
    assert [outcome.result[: len(result)] for outcome in outcomes] == [
        result,
        "done",
        result,
        "done",
    ]


@pytest.mark.slow
def test_no_regular_expression_takes_more_than_linear_time_beyond_reason() -> None:
    patterns = fuzz_patterns.patterns()
    assert len(patterns) > 50
    slow = {name: fuzz_patterns.attack(name, pattern, 0, 8) for name, pattern in patterns.items()}
    assert {name: found for name, found in slow.items() if found[0] > fuzz_patterns.SLOW} == {}


def test_no_regular_expression_depends_on_the_version_of_python() -> None:
    patterns = fuzz_patterns.patterns().items()
    assert not [name for name, pattern in patterns if fuzz_patterns.is_misread(pattern)]
    assert fuzz_patterns.is_misread(re.compile(r"(?:ab?)++c"))
    assert not fuzz_patterns.is_misread(re.compile(r"(?>(?:ab?)+)[ab]++c"))


def test_the_attack_notices_a_slow_pattern() -> None:
    import re

    assert fuzz_patterns.attack("x", re.compile(r"(?:a+)+b"), 0, 20)[0] > fuzz_patterns.SLOW
