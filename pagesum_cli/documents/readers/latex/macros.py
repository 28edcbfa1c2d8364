"""LaTeX source without macros of its own: the author's definitions are expanded, and conditionals decided.

This is done in the text, before it is taken apart, since macros stand for headings and the ends of environments too.
"""

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass

MAX_DEPTH = 16
"""Macros within macros that are expanded."""

MAX_GROWTH = 4, 100_000
"""Characters that all expansions of a document may have: for each of its own, and in addition."""

_VERBATIM = "\\{}$&#^_~%`'[]-<>|\"*"
_MASKS = {ord(mark): 0xFDD0 + place for place, mark in enumerate(_VERBATIM)}  # code points that no text may use
_MARKS = {mask: mark for mark, mask in _MASKS.items()}

_COMMAND = r"\\[A-Za-z@]+"
_NAME = rf"(?:{_COMMAND}|\\.)"
_OPTION = r"\[(?:[^\[\]{}]|\{[^{}]{0,100}\}){0,200}+\]"
_DEFINITION = re.compile(
    r"\\(?:(?:re)?newcommand|providecommand|DeclareRobustCommand|(?:re)?newrobustcmd|DeclareMathOperator)\*?"
    rf"\s{{0,9}}(?P<brace>\{{)?\s{{0,9}}(?P<command>{_COMMAND})\s{{0,9}}(?(brace)\}})"
    rf"|\\(?:[egx]?def)\s{{0,9}}(?P<def>{_COMMAND})(?P<parameters>[^{{}}\n]{{0,80}})(?=\{{)"
    rf"|\\let\s{{0,9}}(?P<let>{_COMMAND})\s{{0,9}}=?\s{{0,9}}(?P<same>{_NAME})"
    r"|\\(?:re)?newenvironment\*?\s{0,9}\{(?P<environment>[^{}\s]{1,40})\}"
    r"|\\newif\s{0,9}\\if(?P<if>[A-Za-z@]+)"
)
_COUNT = re.compile(rf"\s{{0,9}}\[(?P<count>\d)\](?:\s{{0,9}}(?P<default>{_OPTION}))?")
_ARGUMENT = re.compile(rf"\s{{0,9}}(?P<option>{_OPTION})")
_TOKEN = re.compile(r"\\(?P<edge>begin|end)\s?\{(?P<environment>[^{}\s]{1,40})\}|\\(?P<name>[A-Za-z@]+)|\\.", re.DOTALL)
_PROGRAM = re.compile(r"\\(?:[A-Za-z]{0,40}@|(?:csname|expandafter|catcode|futurelet|IfNoValue|IfBoolean|IfValue))")
_ONE = rf"\s{{0,9}}(?:{_NAME}|#\d|[^\s\\{{}}])"
_CONDITION = re.compile(
    rf"\\(?:newif\s{{0,9}}\\if[A-Za-z@]+|(?P<compare>if(?:x|cat|)(?![A-Za-z@]){_ONE}{_ONE})"
    rf"|(?P<number>if(?:num|dim)(?![A-Za-z@])[^<>={{}}\n]{{0,60}}[<>=]\s{{0,9}}(?:\\[A-Za-z@]+|[-\w.]{{1,20}})\s?)"
    rf"|(?P<one>if(?:odd|case|defined)(?![A-Za-z@]){_ONE}(?:\{{\w{{1,40}}\}})?)"
    r"|(?P<test>if(?!f(?![A-Za-z@])|thenelse)[A-Za-z@]+(?!\s?\{))|(?P<else>else)(?![A-Za-z@])|(?P<fi>fi)(?![A-Za-z@])|.)"
    r"|[{}]",
    re.DOTALL,
)


@dataclass(frozen=True)
class Macro:
    """What a macro stands for.

    Attributes:
        defaults: For each argument its default, if it is optional, else None.
        body: With ``#1``, ``#2`` … for the arguments.
    """

    defaults: tuple[str | None, ...]
    body: str

    def of(self, arguments: list[str]) -> str:
        """The body with these arguments."""
        pieces = re.split(r"#(\d)", self.body)
        for place in range(1, len(pieces), 2):
            number = int(pieces[place])
            pieces[place] = arguments[number - 1] if 0 < number <= len(arguments) else ""
            if pieces[place][:1].isalpha() and re.search(r"\\[A-Za-z]{1,40}\Z", pieces[place - 1][-42:]):
                pieces[place] = " " + pieces[place]
        return "".join(pieces)


_KNOWN = {
    **dict.fromkeys(("ifthenelse", "iftoggle", "ifbool", "IfFileExists"), Macro((None,) * 3, "#2")),
    "typeout": Macro((None,), ""),
    "foreignlanguage": Macro((None, None), "#2"),
    "cs": Macro((None,), "\\textbackslash{}#1"),
    "figsetstart": Macro((), "\\begin{figure}"),
    "figsetend": Macro((), "\\end{figure}"),
}


def masked(text: str) -> str:
    """Text in which no character means anything to LaTeX."""
    return text.translate(_MASKS)


def unmasked(text: str) -> str:
    """The text that was masked."""
    return text.translate(_MARKS)


def expanded(text: str, kept: Container[str]) -> str:
    """The source without definitions, and what is defined replaced by what it stands for.

    Macros whose definition is a program keep only the text of their arguments.

    Args:
        text: Source without comments.
        kept: Names of macros that stay, whatever the author makes of them.
    """
    return _Expander(kept, MAX_GROWTH[0] * len(text) + MAX_GROWTH[1]).text(decided(text))


class _Expander:
    """Expands with the definitions that it has passed."""

    def __init__(self, kept: Container[str], budget: int) -> None:
        self._macros = dict(_KNOWN)
        self._kept = kept
        self._budget = budget

    def text(self, text: str, depth: int = 0) -> str:
        """The text with its macros expanded."""
        ends = dict(_groups(text))
        pieces: list[str] = []
        place = 0
        while match := _TOKEN.search(text, place):
            pieces.append(text[place : match.start()])
            definition = _DEFINITION.match(text, match.start())
            name = f"{match['edge']} {match['environment']}" if match["edge"] else match["name"] or match[0][1:]
            if definition:
                place = self._define(definition, text, ends)
            elif name in self._macros:
                arguments, place = _arguments(text, match.end(), self._macros[name].defaults, ends)
                source = self._macros[name].of(arguments)
                if depth < MAX_DEPTH and len(source) <= self._budget:
                    self._budget -= len(source)
                    pieces.append(self.text(source, depth + 1) if "\\" in source else source)
                    if text[place : place + 1].isspace() and re.search(r"\\[A-Za-z]+\Z", pieces[-1][-40:]):
                        pieces.append("{}")  # else this macro takes the space
                else:
                    pieces.append(" ".join(arguments) if depth < MAX_DEPTH else "")
            else:
                pieces.append(match[0])
                place = match.end()
        return "".join([*pieces, text[place:]])

    def _define(self, found: re.Match[str], text: str, ends: dict[int, int]) -> int:
        """Keep a definition; where it ends."""
        name, place = (found["command"] or found["def"] or found["let"] or "\\")[1:], found.end()
        if found["if"]:
            self._macros |= dict.fromkeys((found["if"] + "true", found["if"] + "false"), Macro((), ""))
        elif found["let"]:
            self._add(name, self._macros.get(found["same"][1:], Macro((), found["same"])))
        elif found["def"]:
            (body,), place = _arguments(text, place, (None,), ends)
            parameters = found["parameters"].strip()
            if re.fullmatch(r"(?:#\d\s?){0,9}", parameters):
                self._add(name, Macro((None,) * parameters.count("#"), body))
            else:
                self._macros.pop(name, None)
        else:
            count = _COUNT.match(text, place)
            place = count.end() if count else place
            defaults: tuple[str | None, ...] = (None,) * int(count["count"] if count else 0)
            if count and count["default"] and defaults:
                defaults = (count["default"][1:-1], *defaults[1:])
            (body,), place = _arguments(text, place, (None,), ends)
            if found["environment"]:
                (end,), place = _arguments(text, place, (None,), ends)
                self._add("begin " + found["environment"], Macro(defaults, body))
                self._add("end " + found["environment"], Macro((), end))
            else:
                self._add(name, Macro(defaults, body))
        return place

    def _add(self, name: str, macro: Macro) -> None:
        if _PROGRAM.search(macro.body):
            numbers = [n for n, default in enumerate(macro.defaults, 1) if default is None]
            macro = Macro(macro.defaults, " ".join(f"{{#{number}}}" for number in numbers))
            if not numbers and " " not in name:
                self._macros.pop(name, None)  # it may take arguments all the same
                return
        if name not in self._kept and macro.body != "\\" + name:
            self._macros[name] = macro


def _arguments(text: str, place: int, defaults: tuple[str | None, ...], ends: dict[int, int]) -> tuple[list[str], int]:
    """The arguments that stand at a place, and where they end."""
    found: list[str] = []
    for default in defaults:
        start = next((n for n in range(place, min(place + 10, len(text))) if not text[n].isspace()), len(text))
        if default is not None:
            option = _ARGUMENT.match(text, place)
            found.append(option["option"][1:-1] if option else default)
            place = option.end() if option else place
        elif start in ends:
            found.append(text[start + 1 : ends[start] - 1])
            place = ends[start]
        else:
            token = re.compile(rf"{_NAME}|[^\s\\{{}}]").match(text, start)
            found.append(token[0] if token else "")
            place = token.end() if token else place
    return found, place


def _groups(text: str) -> Iterator[tuple[int, int]]:
    """Where braces open, and the places behind those that close them."""
    opened: list[int] = []
    for match in re.finditer(r"\\.|[{}]", text, re.DOTALL):
        if match[0] == "{":
            opened.append(match.start())
        elif match[0] == "}" and opened:
            yield opened.pop(), match.end()


def decided(text: str) -> str:
    """The source with one branch of each conditional: by what the author has set, else the first one.

    Comparisons single out special cases, so their second branch is taken.
    """
    set_ = dict(re.findall(r"\\([A-Za-z@]{1,40}?)(true|false)(?![A-Za-z@])", text[: text.find("\\begin{document}")]))
    own = {name: set_.get(name) == "true" for name in re.findall(r"\\newif\s{0,9}\\if([A-Za-z@]{1,40})", text)}
    own |= {"false": False, "mmode": False, "true": True}
    removed: list[tuple[int, int]] = []
    opened: list[list[re.Match[str]]] = [[]]  # for each group, conditionals with their \else
    for match in _CONDITION.finditer(text):
        if match[0] == "{":
            opened.append([])
        elif match[0] == "}" and len(opened) > 1:
            opened.pop()
        elif match["compare"] or match["number"] or match["one"] or match["test"] or match["else"]:
            opened[-1].append(match)
        elif match["fi"]:
            other = opened[-1].pop() if opened[-1] and opened[-1][-1]["else"] else None
            if not opened[-1]:
                continue
            first = opened[-1].pop()
            if own.get((first["test"] or "")[2:], not first["compare"]):
                removed += [(first.start(), first.end()), ((other or match).start(), match.end())]
            else:
                removed += [(first.start(), (other or match).end()), (match.start(), match.end())]
    pieces, place = [], 0
    for start, end in sorted(removed):
        pieces.append(text[place : max(start, place)])
        place = max(end, place)
    return "".join([*pieces, text[place:]])
