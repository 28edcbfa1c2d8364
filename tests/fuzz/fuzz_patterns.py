"""Attacks every regular expression of the package with texts made from its own structure.

For each pattern, texts are sampled that its parts match; one is repeated many times, with a
beginning and an end that do not match, at two sizes. Time that grows with more than the size is a
pattern that an author of a file can stall the program with.

python tests/fuzz/fuzz_patterns.py --seed 0 --count 200
"""

import argparse
import importlib
import pkgutil
import random
import re
import signal
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pagesum_cli

SIZES = (5_000, 20_000)
"""Characters of the attacking texts."""

SLOW = 0.5
"""CPU seconds for the larger text that are too much; what every line of a file is matched with is
given less text.
"""

SECONDS = 5
"""CPU seconds after which a search is given up."""

BOUNDED = (
    "text.sentences._FORMS.last_word",
    ".FORMS.kind_of_article",
    ".FORMS.leader",
)
"""The ends of the names of patterns that only ever see 60 characters, or a title."""

SKIPPED = ("pagesum_cli.__main__",)


def patterns() -> dict[str, re.Pattern[Any]]:
    """All compiled patterns at the top level of the package's modules, also in tables, by module
    and name.
    """
    found: dict[str, re.Pattern[Any]] = {}
    for module in pkgutil.walk_packages(pagesum_cli.__path__, "pagesum_cli."):
        if module.name not in SKIPPED:
            for name, value in vars(importlib.import_module(module.name)).items():
                for key, one in value.items() if isinstance(value, dict) else [("", value)]:
                    place = f"{module.name}.{name}.{key}".rstrip(".")
                    if (
                        isinstance(one, re.Pattern)
                        and one not in found.values()
                        and not place.endswith(BOUNDED)
                    ):
                        found[place] = one
    return found


def sample(random: random.Random, parts: Any) -> str:
    """A text that a parsed pattern matches, but for what it looks ahead or back at."""
    return "".join(_sample(random, kind, value) for kind, value in parts)


def _sample(random: random.Random, kind: Any, value: Any) -> str:
    if kind is op.LITERAL:
        return chr(value)
    if kind in (op.NOT_LITERAL, op.ANY):
        return random.choice("aA1 .,")
    if kind is op.IN:
        return _of_set(random, value)
    if kind is op.BRANCH:
        return sample(random, random.choice(value[1]))
    if kind is op.SUBPATTERN:
        return sample(random, value[3])
    if kind is op.ATOMIC_GROUP:
        return sample(random, value)
    if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
        low, high, inner = value
        count = random.choice((int(low), int(min(high, int(low) + 1)), int(min(high, 12))))
        return "".join(sample(random, inner) for _ in range(count))
    return ""


def _of_set(random: random.Random, items: Any) -> str:
    options = []
    for kind, value in items:
        if kind is op.NEGATE:
            return random.choice("aA1 .-,")
        if kind is op.LITERAL:
            options.append(chr(value))
        elif kind is op.RANGE:
            options.append(chr(random.randint(*value)))
        elif kind is op.CATEGORY:
            options.append(
                {op.CATEGORY_DIGIT: "1", op.CATEGORY_SPACE: " ", op.CATEGORY_WORD: "a"}.get(
                    value, "."
                )
            )
    return random.choice(options)


def _pieces(parts: Any) -> Iterator[Any]:
    """The pattern, and every group, branch and loop in it."""
    yield parts
    for kind, value in parts:
        if kind in (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT):
            yield [(kind, value)]
            yield from _pieces(value[2])
        elif kind is op.SUBPATTERN:
            yield from _pieces(value[3])
        elif kind is op.ATOMIC_GROUP:
            yield from _pieces(value)
        elif kind is op.BRANCH:
            for branch in value[1]:
                yield from _pieces(branch)


BACKTRACKING = (op.MAX_REPEAT, op.MIN_REPEAT, op.BRANCH)


def is_misread(pattern: re.Pattern[Any]) -> bool:
    """Whether a possessive group has parts that can match in several ways.

    Python before 3.11.5 misses texts that such a pattern matches (python/cpython issue 106052);
    an atomic group is read alike by every version.
    """
    return any(
        kind is op.POSSESSIVE_REPEAT
        and any(part[0] in BACKTRACKING for piece in _pieces(value[2]) for part in piece)
        for piece in _pieces(_parsed(pattern))
        for kind, value in piece
    )


def _parsed(pattern: re.Pattern[Any]) -> Any:
    is_bytes = isinstance(pattern.pattern, bytes)
    return parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE if is_bytes else pattern.flags)


def texts(
    random: random.Random, pattern: re.Pattern[Any], count: int
) -> Iterator[tuple[str, str, str]]:
    """Beginnings, repeated parts and ends of attacking texts."""
    parts = _parsed(pattern)
    pieces = list(_pieces(parts))
    for _ in range(count):
        unit = "".join(
            sample(random, random.choice(pieces)) for _ in range(random.choice((1, 1, 1, 2, 3)))
        )
        begin = random.choice(
            ("", "", sample(random, parts), sample(random, random.choice(pieces)), "\n", " ")
        )
        yield (
            begin,
            unit or random.choice("a1 .-\n"),
            random.choice(("", "!", "\x00", "\n", "é", sample(random, parts))),
        )


class TooSlow(Exception):
    """A search took longer than it may."""


@cache
def searched() -> frozenset[str]:
    """The names of patterns that are searched for; the others are matched at one place only."""
    code = "".join(
        path.read_text(encoding="utf-8") for path in Path(pagesum_cli.__path__[0]).rglob("*.py")
    )
    return frozenset(
        re.findall(r"\b(\w+)(?:\"\])?\.(?:search|finditer|findall|subn?|split)\b", code)
    )


def seconds(pattern: re.Pattern[Any], text: str, search: bool = True) -> float:
    """CPU seconds for finding all matches, and for one match of the whole; at most
    :data:`SECONDS`.
    """
    data: Any = text.encode("latin-1", "replace") if isinstance(pattern.pattern, bytes) else text

    def stop(*_: object) -> None:
        raise TooSlow

    signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    began = time.process_time()
    try:
        for _ in pattern.finditer(data) if search else ():
            pass
        pattern.match(data)
        pattern.fullmatch(data)
    except TooSlow:
        return float(SECONDS)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - began


def attack(name: str, pattern: re.Pattern[Any], seed: int, count: int) -> tuple[float, str]:
    """The most time that any of some texts took, and what the worst was made of."""
    worst, made_of = 0.0, ""
    search = name.rpartition(".")[2] in searched() or "." not in name
    for begin, unit, end in texts(random.Random(f"{seed} {name}"), pattern, count):
        for size in SIZES:
            spent = seconds(pattern, begin + (unit * (size // len(unit) + 1))[:size] + end, search)
            if spent > worst:
                worst, made_of = (
                    spent,
                    f"{begin[:40]!r} + {unit[:60]!r} × {size // len(unit)} + {end[:20]!r}",
                )
            if spent > SLOW:
                return worst, made_of
    return worst, made_of


def main() -> None:
    """Attack all patterns and print the slow ones."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--seed", type=int, default=0)
    asked.add_argument("--count", type=int, default=100)
    asked.add_argument("--only", default="")
    options = asked.parse_args()
    failed = 0
    chosen = {name: pattern for name, pattern in patterns().items() if options.only in name}
    for name, pattern in chosen.items():
        worst, made_of = attack(name, pattern, options.seed, options.count)
        if worst > SLOW:
            failed += 1
            print(f"{name}: {worst:.2f} s for {made_of}", flush=True)
    print(f"{len(chosen)} patterns, {failed} slow")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
