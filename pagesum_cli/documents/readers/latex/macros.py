"""LaTeX source without macros of its own: the author's definitions are expanded.

This is done in the text, before it is taken apart, since macros stand for headings and the ends of environments too.
"""

import re
import tomllib
from collections.abc import Container, Mapping, Sequence
from pathlib import Path
from typing import Any

NAMES: dict[str, Any] = tomllib.loads((Path(__file__).parent / "macros.toml").read_text(encoding="utf-8"))
"""What the names of macros and environments mean."""

MAX_DEPTH = 16  # macros within macros that are expanded
MAX_GROWTH = 4, 100_000  # characters that all expansions of a document may have: for each of its own, and in addition
_COMMAND = r"\\[A-Za-z@]+"
_OPTION = re.compile(r"\[((?:[^\[\]{}]|\{[^{}]{0,100}\}){0,200}+)\]")
_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|DeclareMathOperator)\*?\s{0,9}"
    rf"\{{?\s{{0,9}}(?P<command>{_COMMAND})\s{{0,9}}\}}?"
    rf"(?:\s{{0,9}}\[(?P<count>\d)\](?:\s{{0,9}}(?P<option>{_OPTION.pattern}))?)?\s{{0,9}}(?=\{{)"
    rf"|\\[egx]?def\s{{0,9}}(?P<def>{_COMMAND})(?P<parameters>[^{{}}\n]{{0,80}})(?=\{{)"
    rf"|\\let\s{{0,9}}{_COMMAND}\s{{0,9}}=?\s{{0,9}}(?:{_COMMAND}|\\.)"
)
_MACRO = re.compile(r"\\([A-Za-z@]+)")
_TOKEN = re.compile(rf"{_COMMAND}|\\.|[^\s\\{{}}]", re.DOTALL)
_PROGRAM = re.compile(r"\\(?:[A-Za-z]{0,40}@|(?:csname|expandafter|catcode|futurelet|IfNoValue|IfBoolean|IfValue))")

Macro = tuple[tuple[str | None, ...], str]
"""For each argument its default, if it is optional, else None; and the body, with ``#1``, ``#2`` … for them."""


def named(pairs: str) -> dict[str, str]:
    """The entries of a list of ``NAME:VALUE``, in which ``_`` stands for a space."""
    return {name: value.replace("_", " ") for name, value in (pair.split(":", 1) for pair in pairs.split())}


def expanded(text: str, kept: Container[str]) -> str:
    """The source without definitions, and what is defined replaced by what it stands for."""
    return _Expander(kept, MAX_GROWTH[0] * len(text) + MAX_GROWTH[1]).text(text)


class _Expander:
    """Expands with the definitions that it has passed."""

    def __init__(self, kept: Container[str], budget: int) -> None:
        self._macros: dict[str, Macro] = {}
        self._kept = kept
        self._budget = budget

    def text(self, text: str, depth: int = 0) -> str:
        ends = ends_of_groups(text)
        pieces: list[str] = []
        place = 0
        for match in _MACRO.finditer(text):
            if match.start() < place:
                continue
            if definition := _DEFINITION.match(text, match.start()):
                pieces.append(text[place : match.start()])
                place = self._define(definition, text, ends)
            elif macro := self._macros.get(match[1]):
                pieces.append(text[place : match.start()])
                arguments, place = _arguments(text, match.end(), macro[0], ends)
                source = _filled(macro[1], arguments)
                if depth >= MAX_DEPTH or len(source) > self._budget:
                    continue
                self._budget -= len(source)
                pieces.append(self.text(source, depth + 1) if "\\" in source else source)
                if text[place : place + 1].isspace() and re.search(r"\\[A-Za-z]+\Z", pieces[-1][-40:]):
                    pieces.append("{}")  # else this macro takes the space
        return "".join([*pieces, text[place:]])

    def _define(self, found: re.Match[str], text: str, ends: dict[int, int]) -> int:
        if not (found["command"] or found["def"]):
            return found.end()
        name, parameters = (found["command"] or found["def"])[1:], (found["parameters"] or "").replace(" ", "")
        count = int(found["count"] or 0) if found["command"] else parameters.count("#")
        defaults: tuple[str | None, ...] = (None,) * count
        if found["option"] and count:
            defaults = (found["option"][1:-1], *defaults[1:])
        (body,), end = _arguments(text, found.end(), (None,), ends)
        is_plain = re.fullmatch(r"(?:#\d)*", parameters) and not _PROGRAM.search(body)
        if is_plain and name not in self._kept and body != "\\" + name:
            self._macros[name] = defaults, body
        return end


def _filled(body: str, arguments: Sequence[str]) -> str:
    def argument(found: re.Match[str]) -> str:
        before, number = found[1] or "", int(found[2])
        text = arguments[number - 1] if number <= len(arguments) else ""
        return f"{before} {text}" if before and text[:1].isalpha() else before + text

    return re.sub(r"(\\[A-Za-z]{1,40})?#([1-9])", argument, body)


def _arguments(text: str, place: int, defaults: Sequence[str | None], ends: Mapping[int, int]) -> tuple[list[str], int]:
    found: list[str] = []
    for default in defaults:
        start = next((n for n in range(place, min(place + 10, len(text))) if not text[n].isspace()), len(text))
        if default is not None:
            match = _OPTION.match(text, start)
            found.append(match[1] if match else default)
        elif start in ends:
            found.append(text[start + 1 : ends[start] - 1])
            place = ends[start]
            continue
        else:
            match = _TOKEN.match(text, start)
            found.append(match[0] if match else "")
        place = match.end() if match else place
    return found, place


def ends_of_groups(text: str) -> dict[int, int]:
    """Where the braces that open at a place are closed: the place behind."""
    ends: dict[int, int] = {}
    opened: list[int] = []
    for match in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            ends[opened.pop()] = match.end()
    return ends
