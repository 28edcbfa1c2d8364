"""The name of a case, by the parties that the beginning of its judgment lists (English)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from ..text.tables import patterns
from .model import Document

FRONT = 60  # paragraphs in which a judgment lists the parties
MAX_BLOCK = 12  # lines of the names and parts of one side
MAX_NAME = 12  # words
MAX_LINE = 40  # words of a line with the name of a case and its citation
_FORMS = patterns(__file__, "case_names.toml")


def with_case_name(document: Document) -> Document:
    """A document whose title is the name of its case, if it has none or only a number or a court,
    and lists the parties with their parts.
    """
    is_named = bool(document.title) and not _FORMS["no_name"].search(document.title)
    if is_named or document.given is not None:
        return document
    front = _front_of(document)
    name = _of_table(document) or _of_front(front)
    return replace(document, title=name) if name else document


def is_case_name(line: str) -> bool:
    """Whether a line is the name of a case, with or without its citation: "Mill Co. v. Brook, 532
    U.S. 504 (2001)", "Mill v Brook Ltd [2006] FCA 15".
    """
    is_named = _FORMS["name"].fullmatch(line) is not None
    words = _FORMS["word"].findall(line) if is_named else []
    return is_named and len(words) <= MAX_LINE and all(map(_FORMS["named"].fullmatch, words))


def _of_table(document: Document) -> str:
    """The name by the first table, if it lists the parties."""
    rows = next((one.rows for one in document.left_out if one.rows), ())
    return _of_lines(rows)


def _of_front(front: Sequence[str]) -> str:
    """The name by the paragraphs at the beginning."""
    listed = _of_lines(_after(front, "between")) or _of_proceedings(front)
    return listed or next(filter(None, map(_of_paragraph, front)), "")


def _of_paragraph(text: str) -> str:
    """``A v B`` by a paragraph that has both names with their parts; else empty."""
    match = _FORMS["both"].match(text)
    if match is None:
        return ""
    names = [match[side].strip(" ,;") for side in ("one", "other")]
    return " v ".join(names) if all(len(one.split()) <= MAX_NAME for one in names) else ""


def _front_of(document: Document) -> list[str]:
    """The paragraphs at the beginning."""
    paragraphs = [one.text for section in document.sections for one in section.paragraphs]
    return [one.strip() for one in paragraphs[:FRONT]]


def _after(front: Sequence[str], form: str) -> Sequence[str]:
    """The paragraphs after the first one of a form; none if there is none."""
    found = (place for place, one in enumerate(front) if _FORMS[form].fullmatch(one))
    return front[next(found, len(front)) + 1 :]


def _of_proceedings(front: Sequence[str]) -> str:
    """``A v B`` by the lines between "in the proceedings" and "THE COURT"; empty without them."""
    parties = list(_after(front, "proceedings"))
    parties = parties[: _place(parties, _FORMS["court"].fullmatch)]
    middle = _place(parties, _FORMS["against"].fullmatch)
    if not middle or len(parties) > MAX_BLOCK:
        return ""
    names = [lines[0].strip(" ,;") for lines in (parties, parties[middle + 1 :]) if lines]
    return " v ".join(names) if len(names) == 2 and all(map(_is_name, names)) else ""


def _of_lines(lines: Sequence[str]) -> str:
    """``A v B`` by the lines of the names of each side and their parts; empty where a side has no
    part, or no name.
    """
    middle = _place(lines, _FORMS["against"].fullmatch)
    sides = (lines[max(middle - MAX_BLOCK, 0) : middle], lines[middle + 1 : middle + 1 + MAX_BLOCK])
    names = [_name_of(side) for side in sides]
    return " v ".join(names) if all(names) else ""


def _name_of(lines: Sequence[str]) -> str:
    """The first name of one side, which must have its part below it."""
    end = _place(lines, _FORMS["part"].match)
    names = [_FORMS["count"].sub("", one).strip(" ,;") for one in lines[:end]]
    named = names[_place(names, _FORMS["for"].search) :]
    whom = _FORMS["for"].sub("", named[0]) if named else ""
    if named[:1] == [whom]:
        return whom if _is_name(whom) else ""
    name = whom or "".join(named[1:2])
    return f"R ({name})" if _is_name(name) else ""


def _place(lines: Sequence[str], is_it: Callable[[str], object]) -> int:
    """The place of the first line that fits; 0 if none does."""
    return next((place for place, one in enumerate(lines) if is_it(one)), 0)


def _is_name(text: str) -> bool:
    is_short = 0 < len(text.split()) <= MAX_NAME
    return is_short and re.search(r"[^\W\d_]", text) is not None and not text.endswith((".", ":"))
