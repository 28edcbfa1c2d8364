r"""Conditionals of LaTeX source → the branch that is printed: ``\if…\else…\fi``, and those of the
packages etoolbox and ifthen.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....text.tables import table

_NAMES = table(__file__, "macros.toml")["conditionals"]
_TRUE, _FALSE, _NOT_CLOSED = (
    frozenset(_NAMES[name].split()) for name in ("true", "false", "not_closed")
)
_CONDITIONS = {name: re.compile(form) for name, form in _NAMES["conditions"].items()}
_NUMBER = r"-?\d{1,9}|\\value\s*\{\w{1,40}\}|\\[A-Za-z@]+"
_COMPARISON = re.compile(rf"\s*({_NUMBER})\s*([<=>])\s*({_NUMBER})(?!\d)\s?")
_NUMBER_SET = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|[egx]?def|chardef)\*?\s*\{?\s*(?P<name>\\[A-Za-z@]+)\s*\}?"
    r"\s*(?:=\s*)?\{?\s*(?P<value>-?\d{1,9})\s*(?:\}|\n|\\relax)"
    r"|\\setcounter\s*\{(?P<counter>\w{1,40})\}\s*\{\s*(?P<count>-?\d{1,9})\s*\}"
)
_USED = re.compile(r"(?P<asked>\\ifdefined\s*)?\\(?P<name>[A-Za-z@]+)")

_TOKEN = re.compile(
    r"\\newif\s*\\if(?P<new>[A-Za-z@]+)\s?"
    r"|\\new(?:toggle|bool|boolean)\s*\{(?P<switch>[^{}]{1,60})\}"
    r"|\\(?P<turned>toggle|bool)(?P<turn>true|false)\s*\{(?P<turned_name>[^{}]{1,60})\}"
    r"|\\set(?:toggle|bool|boolean)\s*\{(?P<set_name>[^{}]{1,60})\}\s*\{(?P<set>true|false)\}"
    r"|\\(?P<chosen>iftoggle|ifbool|ifthenelse|nottoggle|notbool)\s*(?=\{)"
    r"|\\(?P<edge>else|fi|or)(?![A-Za-z@])[ \t]?"
    r"|\\if(?P<condition>[A-Za-z@]*)[ \t]?"
    r"|\\(?P<assigned>[A-Za-z@]+?)(?P<value>true|false)(?![A-Za-z@])[ \t]?"
    r"|\\(?P<begin>begin\{document\})|\\.",
    re.DOTALL,
)
_SWITCH = re.compile(r"(?P<not>\\(?:not|NOT)\b)?\s*\\boolean\s*\{(?P<name>[^{}]{1,60})\}")


@dataclass
class _Open:
    """A conditional that is open."""

    is_printed: bool  # whether what stands around it is
    branch: bool | None  # whether the one that is open is; None where all are left out


@dataclass(frozen=True)
class _Known:
    """What the source says about its macros."""

    numbers: Mapping[str, int]  # what some stand for, and counters
    used: frozenset[str]  # those that do not stand behind ``ifdefined`` only


def with_chosen_branches(text: str, ends: Mapping[int, int]) -> str:
    """The source with the branches of conditionals that are printed.

    Of a condition that cannot be known, it is the first one. What the preamble sets at its end
    holds in it, as most of its conditions stand in definitions.
    """
    start = text.find("\\begin{document}")
    states: dict[str, bool] = {}
    known = _Known(
        dict(map(_number_set, _NUMBER_SET.finditer(text))),
        frozenset(found["name"] for found in _USED.finditer(text) if not found["asked"]),
    )
    if start > 0:
        _Chooser(text[:start], ends, states, known).text()
    return _Chooser(text, ends, states, known, max(start, 0)).text()


class _Chooser:
    """Reads a source once."""

    def __init__(
        self,
        text: str,
        ends: Mapping[int, int],
        states: dict[str, bool],
        known: _Known,
        start: int = 0,
    ) -> None:
        self._text, self._ends, self._known = text, ends, known
        self._states = states  # of switches
        self._start = start  # from where on these may be set
        self._open: list[_Open] = []
        self._pieces: list[str] = []
        self._closers: dict[int, int] = {}  # of an argument: where the rest ends

    def text(self) -> str:
        """The source with the branches that are printed."""
        tokens = list(_TOKEN.finditer(self._text))
        closed = _closed(tokens)
        place = 0
        for token in tokens:
            if token.start() < place:
                continue
            self._add(place, token.start())
            place = token.end()
            if token["edge"]:
                self._edge(token["edge"])
            elif token["condition"] is not None:
                place = self._condition(token, is_closed=token.start() in closed)
            elif token["chosen"]:
                place = self._choice(token)
            else:
                self._switch(token)
        self._add(place, len(self._text))
        return "".join(self._pieces)

    @property
    def _is_printed(self) -> bool:
        return not self._open or self._open[-1].branch is True

    def _add(self, start: int, end: int) -> None:
        if self._is_printed:
            self._pieces.append(self._text[start:end])

    def _edge(self, name: str) -> None:
        if not self._open:
            return
        innermost = self._open[-1]
        if name == "fi":
            self._open.pop()
        elif innermost.branch is not None:
            innermost.branch = name == "else" and innermost.is_printed and not innermost.branch

    def _condition(self, token: re.Match[str], *, is_closed: bool) -> int:
        name, end = token["condition"], token.end()
        if name in _NOT_CLOSED or (not is_closed and name not in self._states):
            self._add(token.start(), end)
            return end
        value, end = self._value(name, end)
        if is_closed:
            is_printed = self._is_printed
            self._open.append(_Open(is_printed, value if is_printed else None))
        return end

    def _value(self, name: str, start: int) -> tuple[bool, int]:
        """Whether a condition holds, as far as the source says it, and where it ends."""
        value, end = self._states.get(name, name not in _FALSE), start
        if (form := _CONDITIONS.get(name)) and (found := form.match(self._text, start)):
            end = found.end()
        if name == "num" and (compared := _COMPARISON.match(self._text, start)):
            left, right = self._number(compared[1]), self._number(compared[3])
            if left is not None and right is not None:
                value = _holds(left, compared[2], right)
            end = compared.end()
        elif name == "defined":
            macro = self._text[start:end].strip(" \\\n\t")
            value = macro in self._known.used or macro.startswith("pdf")
        return value, end

    def _number(self, text: str) -> int | None:
        name = text.removeprefix("\\value").strip(" {}")
        return self._known.numbers.get(name) if "\\" in text else int(text)

    def _choice(self, token: re.Match[str]) -> int:
        """One of the two arguments behind a condition in braces."""
        places = [token.end()]
        for _ in range(3):
            end = self._ends.get(places[-1])
            if end is None:
                self._add(token.start(), token.end())
                return token.end()
            places.append(self._after_space(end))
        condition = self._text[places[0] + 1 : self._ends[places[0]] - 1]
        is_first = self._is_true(token["chosen"], condition)
        opening = places[1] if is_first else places[2]
        inside = self._text[opening + 1 : self._ends[opening] - 1]
        if self._is_printed:
            self._pieces.append(_Chooser(inside, {}, self._states, self._known).text())
        return self._ends[places[2]]

    def _is_true(self, name: str, condition: str) -> bool:
        is_negated = name.startswith("not")
        if name == "ifthenelse":
            switch = _SWITCH.search(condition)
            condition = switch["name"] if switch else ""
            is_negated = bool(switch and switch["not"])
        return self._states.get(condition.strip(), False) is not is_negated

    def _after_space(self, place: int) -> int:
        while self._text[place : place + 1].isspace():
            place += 1
        return place

    def _switch(self, token: re.Match[str]) -> None:
        """Note what is declared or set; else keep what stands there."""
        is_settable = token.start() >= self._start and self._is_printed
        declared = token["new"] or token["switch"]
        name, value = _assignment(token)
        is_known = not token["assigned"] or name in self._states
        if not declared and not (value and is_known):
            self._add(token.start(), token.end())
        elif is_settable and declared:
            self._states.setdefault(declared, False)
        elif is_settable:
            self._states[name] = value == "true"


def _number_set(found: re.Match[str]) -> tuple[str, int]:
    """A macro or a counter, and the number that it stands for."""
    return found["name"] or found["counter"], int(found["value"] or found["count"])


def _assignment(token: re.Match[str]) -> tuple[str, str]:
    """The name of a switch that is set, and its value; both empty if none is."""
    name = token["turned_name"] or token["set_name"] or token["assigned"]
    value = token["turn"] or token["set"] or token["value"]
    return name or "", value or ""


def _closed(tokens: Sequence[re.Match[str]]) -> frozenset[int]:
    r"""Where conditionals begin that have a ``\fi``."""
    return frozenset(_pairs(tokens))


def _pairs(tokens: Sequence[re.Match[str]]) -> Iterator[int]:
    opened: list[int] = []
    for token in tokens:
        name = token["condition"]
        if name is not None and name not in _NOT_CLOSED:
            opened.append(token.start())
        elif token["edge"] == "fi" and opened:
            yield opened.pop()


def _holds(left: int, sign: str, right: int) -> bool:
    if sign == "=":
        return left == right
    return left < right if sign == "<" else left > right
