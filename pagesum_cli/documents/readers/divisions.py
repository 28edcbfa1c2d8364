"""The divisions of a lesson in Markdown: its key points, objectives, exercises and boxes, each with
a heading that ends where the division ends.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ...text.cleaning import one_line
from ...text.tables import patterns, table

_FORMS = patterns(__file__, "divisions.toml")
_HEADINGS: dict[str, str] = table(__file__, "divisions.toml")["headings"]
_TASKS: dict[str, str] = table(__file__, "divisions.toml")["tasks"]
_ALONE = _HEADINGS | table(__file__, "divisions.toml")["alone"]
_BOXES = frozenset(table(__file__, "divisions.toml")["boxes"]["names"].split())
_KNOWN = frozenset((*_HEADINGS, *_TASKS, *_BOXES))
_FIELDS = ("questions", "objectives", "keypoints")  # the last one comes at the end
_NONE = (0, "")  # the level and text of no heading
MAX_NESTED = 4  # quotations inside of one another
DEEPEST = 6  # level of a heading


def with_lists(text: str, fields: str) -> str:
    """The text of a lesson with the lists of its front matter: objectives first, key points last;
    another text as it is.
    """
    found = {one["name"]: _items(one["items"]) for one in _FORMS["field"].finditer(fields)}
    if not (found.get("keypoints") and (found.get("objectives") or found.get("questions"))):
        return text
    lists = {name: f"::: {name}\n\n{found[name]}\n\n:::\n" for name in _FIELDS if found.get(name)}
    end = lists.pop("keypoints")
    return "\n".join([*lists.values(), text, "", end])


def _items(items: str) -> str:
    """A list of YAML as one of Markdown; empty for one that is written in another way."""
    texts = [one_line(one) for one in _FORMS["item"].split(items)[1:]]
    if any(one[:1] in (">", "|", "{", "&") for one in texts):
        return ""
    return "\n".join(f"- {_unquoted(one)}" for one in texts)


def _unquoted(text: str) -> str:
    is_quoted = len(text) > 1 and text[0] == text[-1] and text[0] in "\"'"
    return text[1:-1].replace('\\"', '"') if is_quoted else text


def with_division_headings(text: str) -> str:
    """A text whose named divisions have headings, and after which the heading above them is
    repeated; the text as it is where a division does not end.
    """
    if ":::" not in text and "{" not in text:
        return text
    lines = text.split("\n")
    reader = _Divisions()
    found = [*reader.lines(_with_fences(lines, MAX_NESTED))]
    return "\n".join(found) if reader.has_any and not reader.is_open else text


def _with_fences(lines: list[str], depth: int) -> list[str]:
    """The lines, in which quotations with a name below them are divisions."""
    found: list[str] = []
    quoted: list[str] = []
    for line in lines:
        if start := _FORMS["quoted"].match(line):
            quoted.append(line[start.end() :])
            found.append(line)
            continue
        name = _FORMS["below_quotation"].fullmatch(line) if quoted else None
        if name and name["name"] in _KNOWN and depth:
            inner = _with_fences(quoted, depth - 1)
            found[-len(quoted) :] = [f"::: {name['name']}", "", *inner, "", ":::", ""]
        else:
            found.append(line)
        quoted = []
    return found


@dataclass
class _Open:
    """A division that has not ended."""

    name: str  # empty for one that has another meaning
    fence: str  # what ends it, or a longer one
    needs_heading: bool = False

    @property
    def is_read(self) -> bool:
        """Whether its lines of signs are taken away."""
        return self.name in _HEADINGS or self.name in _TASKS

    def ends(self, fence: str) -> bool:
        """Whether a line of signs ends it."""
        return fence[0] == self.fence[0] and (fence[0] == ":" or len(fence) >= len(self.fence))


class _Divisions:
    """Goes through the lines of a text."""

    def __init__(self) -> None:
        self.has_any = False
        self._stack: list[_Open] = []
        self._code = ""  # the fence of the listing that is open
        self._above = _NONE  # the last heading outside of divisions: its level and text
        self._is_pending = False  # whether text needs that heading again
        self._last = ""  # the line before

    @property
    def is_open(self) -> bool:
        """Whether a division has not ended."""
        return bool(self._stack)

    def lines(self, lines: list[str]) -> Iterator[str]:
        """The lines with headings."""
        for line in lines:
            yield from self._code_line(line) if self._code else self._line(line)
            self._last = line

    def _code_line(self, line: str) -> Iterator[str]:
        closing = _FORMS["closing"].fullmatch(line)
        if closing and closing["fence"].startswith(self._code):
            self._code = ""
        yield line

    def _line(self, line: str) -> Iterator[str]:
        closing = _FORMS["closing"].fullmatch(line)
        if closing and self._stack and self._stack[-1].ends(closing["fence"]):
            yield from self._end(line)
        elif (opening := _FORMS["opening"].fullmatch(line)) and self._begins(opening):
            yield from self._begin(opening, line)
        elif line.strip():
            yield from self._text(line)
            if fence := line.strip()[:3]:
                self._code = _fence_of(line) if fence in ("```", "~~~") else ""
        else:
            yield line

    def _begins(self, opening: re.Match[str]) -> bool:
        """Whether a line begins a division: a fence of code does if its name is known."""
        is_code = opening["fence"][0] != ":"
        return not is_code or (opening["braces"] is not None and _name(opening) in _KNOWN)

    def _begin(self, opening: re.Match[str], line: str) -> Iterator[str]:
        name = _name(opening)
        one = _Open(name, opening["fence"])
        one.needs_heading = one.is_read
        if one.fence[0] != ":" and name in _BOXES:  # it is read as a directive
            self._code = one.fence
            yield from self._text(line)
            return
        self.has_any = self.has_any or bool(name)
        self._stack.append(one)
        if not one.is_read:
            yield line
        elif title := opening["title"].strip(" \t:"):
            yield from self._heading(2, title)
        else:
            yield ""

    def _end(self, line: str) -> Iterator[str]:
        yield "" if self._stack.pop().is_read else line

    def _text(self, line: str) -> Iterator[str]:
        """A line with words, and the heading that it needs."""
        if heading := _FORMS["heading"].fullmatch(line):
            yield from self._heading(len(heading["marks"]), heading["text"].rstrip())
        elif _FORMS["aside"].match(line):
            is_option = self._stack and _FORMS["option"].match(line)
            yield "" if is_option and self._stack[-1].is_read else line
        else:
            if self._last.strip() and _FORMS["underline"].fullmatch(line) and not self._stack:
                self._above = (1 if "=" in line else 2, self._last.strip())
            yield from self._missing_heading()
            yield line

    def _missing_heading(self) -> Iterator[str]:
        one = next((one for one in reversed(self._stack) if one.name), None)
        if one and one.needs_heading:
            yield from self._heading(2, _ALONE.get(one.name, one.name))
        elif self._is_pending and not one:
            self._is_pending = False
            yield from ("", f"{'#' * (self._above[0] or 2)} {self._above[1]}", "")

    def _heading(self, level: int, text: str) -> Iterator[str]:
        """A heading; in a division, below the one above it."""
        named = [one for one in self._stack if one.name]
        if not named:
            is_title = self._above == _NONE and level == 1
            self._above, self._is_pending = (2, "") if is_title else (level, text), False
            yield f"{'#' * level} {text}"
            return
        named[-1].needs_heading = False
        self._is_pending = True
        if named[-1].name not in _HEADINGS:
            level = min(max(level, self._above[0] + 1), DEEPEST)
        task = next((_TASKS[one.name] for one in named if one.name in _TASKS), "")
        yield from ("", f"{'#' * level} {f'{task}: ' if task else ''}{text}", "")


def _name(opening: re.Match[str]) -> str:
    """The name of a division, if it is known; otherwise empty."""
    if opening["name"]:
        names = [opening["name"].lower()]
    else:
        names = [one["name"].lower() for one in _FORMS["class_name"].finditer(opening["classes"])]
    return next((one for one in names if one in _KNOWN), "")


def _fence_of(line: str) -> str:
    sign = line.strip()[0]
    return sign * (len(line.strip()) - len(line.strip().lstrip(sign)))


def admonition_of(found: re.Match[str]) -> str:
    """The title of an admonition of MkDocs as a paragraph, and its text without the indent."""
    lines = found["body"].split("\n")
    title = f"{found['title']}\n\n" if found["title"] else ""
    return "\n" + title + "\n".join(line.removeprefix("\t").removeprefix("    ") for line in lines)
