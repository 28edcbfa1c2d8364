"""Summary → Markdown."""

import re
from collections.abc import Iterable

from ..summary.summary import Summary, SummarySentence
from .citation import (
    NEEDS_CONTEXT,
    is_quoted,
    items_of,
    lines_after,
    made_of,
    opening_of,
    paragraphs_of,
)
from .evidence import NOT_SUPPORTED, support_of
from .plain import one_line
from .rows import table_rows
from .tables import percents

# Characters where they act in a line: no "<" before a space, no "_" within a word
_INLINE = r"""
    \\(?=[!-/:-@\[-`{-~]|$)
  | `
  | \*(?=\S) | (?<=\S)\*
  | (?<!\w)_++(?=\S) | (?<=[^\s_])_++(?!\w)
  | ~(?=~) | (?<=\S)~
  | \[(?=\[) | (?<=[\[^])\[ | \](?=[({:])
  | <(?=[A-Za-z/!?])
  | &(?=\#|\w+;)
  | (?<=\s)\#+$
"""
# Before what acts at the start of a line only: the number of a list, a bullet, a task, a heading,
# a quote, a line across the page
_LINE_START = re.compile(
    r"""^(?: \d+(?=[.)](?:\s|$))
      | (?= [-+*](?:\s|$) | \[[ xX]\] | \#{1,6}(?:\s|$) | > | :[\s:] | [-=_][-=_\s]*$ ) )""",
    re.VERBOSE,
)


def markdown_view(
    summary: Summary, *, cite: bool = False, bullets: bool = False, chapters: bool = False
) -> str:
    """Title, summary, and a table of the sections with their shares; text from documents never acts
    as Markdown.

    Options are those of :func:`.formats.written`; with ``cite``, a generated summary is followed by
    what supports it.
    """
    parts = [f"# {escaped(summary.title, begins_line=False)}"] if one_line(summary.title) else []
    parts.append(_sentences(summary, cite, bullets))
    rows = table_rows(summary)
    lines = [f"| {summary.made_of} | share |", "|---|--:|"]
    for row, share in zip(rows, percents([row.share for row in rows]), strict=True):
        lines.append(f"| {escaped(row.name, also='|')} | {share} |")
    parts.append("\n".join(lines))
    if cite and not is_quoted(summary) and (evidence := _evidence(summary)):
        parts.append("\n".join(["## Evidence", "", *evidence]))
    for chapter in summary.chapters if chapters else ():
        parts += [
            f"## {escaped(chapter.title, begins_line=False)}",
            _sentences(chapter, cite, bullets),
        ]
    parts.append(f"*{made_of(summary)}; model {escaped(summary.model)}*")
    return "\n\n".join(parts)


def _sentences(summary: Summary, cite: bool, bullets: bool) -> str:
    """The text, as a paragraph or a list."""
    shown = []
    bullets = bullets or summary.is_list
    for title, named, cited in paragraphs_of(summary, cite=cite, merged=not bullets):
        shown += [f"**{escaped(title, begins_line=False)}**"] if title else []
        if bullets:
            shown.append("\n".join(f"- {_joined(one)}" for one in items_of(cited)))
        else:
            shown.append(_joined(cited))
        shown += [f"*{escaped(named)}*"] if named else []
    shown += [f"*{escaped(line)}*" for line in lines_after(summary)]
    return "\n\n".join(filter(None, shown))


def _joined(cited: Iterable[tuple[SummarySentence, str, str]]) -> str:
    return escaped(" ".join(_sentence(*one) for one in cited))


def _sentence(own: SummarySentence, text: str, citation: str) -> str:
    """A sentence with what it records, whether it needs context, and its citation."""
    recorded = f"({own.outcome})" if own.outcome else ""
    context = f"({NEEDS_CONTEXT})" if own.needs_context else ""
    return " ".join(filter(None, (opening_of(own) + text, recorded, context, citation)))


def _evidence(summary: Summary) -> list[str]:
    """A list of the sentences, with what supports each one under it."""
    lines = []
    for number, support in enumerate(support_of(summary), start=1):
        lines.append(f"{number}. {escaped(support.text)}")
        lines += [f"   - **✗ {NOT_SUPPORTED}**"] if support.is_missing else []
        lines += [
            f"   - “{escaped(text)}” ({escaped(origin)})" for text, origin in support.sentences
        ]
    return lines


def escaped(text: str, also: str = "", *, begins_line: bool = True) -> str:
    """The text on one line, as Markdown that shows it character by character.

    Args:
        text: Any text.
        also: Characters that act where the text will be: ``|`` in a table, brackets in a link.
        begins_line: Whether the text will be at the beginning of a line.
    """
    line = one_line(text)
    if line.count("$") > 1:  # may be around a formula
        also += "$"
    pattern = f"{_INLINE} | [{re.escape(also)}]" if also else _INLINE
    marked = re.sub(pattern, _with_backslashes, line, flags=re.VERBOSE)
    return _LINE_START.sub(r"\g<0>\\", marked) if begins_line else marked


def _with_backslashes(found: re.Match[str]) -> str:
    return "".join(f"\\{mark}" for mark in found[0])
