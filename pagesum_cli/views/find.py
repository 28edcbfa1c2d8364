"""The answers to a question → the terminal, text, CSV, Markdown, JSON, HTML."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from ..errors import PagesumError
from ..retrieval.find import Answer, Answers
from ..retrieval.passages import Passage
from .citation import Citation
from .markdown import escaped
from .plain import one_line, printable, safe_html
from .tables import as_csv, counted, page_range

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

HEADER = (
    *("rank", "score", "file", "pdf_pages", "page_labels", "section"),
    *("opening", "text", "numbers"),
)
"""The columns of CSV."""
MATCH = "a match may not answer the question"


@dataclass(frozen=True)
class Found:
    """Answers, and the files that they come from."""

    answers: Answers
    files: Mapping[str, str]  # the path of each content
    errors: Mapping[str, PagesumError]  # of the files that could not be read

    def file_of(self, answer: Answer) -> str:
        """The file of an answer as the user named it."""
        return self.files[answer.content]

    def document_of(self, answer: Answer) -> str:
        """The name of an answer's document, with that of its file as it is now."""
        now = Path(self.file_of(answer)).name
        is_own = bool(answer.read_as) and answer.document.startswith(answer.read_as)
        return now + answer.document.removeprefix(answer.read_as) if is_own else answer.document

    def by_file(self) -> dict[tuple[str, str], list[tuple[int, Answer]]]:
        """The answers with their ranks by file and document, those with the best answer first."""
        groups: dict[tuple[str, str], list[tuple[int, Answer]]] = {}
        for rank, answer in enumerate(self.answers.answers, 1):
            key = self.file_of(answer), self.document_of(answer)
            groups.setdefault(key, []).append((rank, answer))
        return groups


def written(found: Found, name: str) -> str:
    """The answers in a format, without a final line end."""
    return _FORMATS[name](found).rstrip("\n")


def find_view(found: Found) -> "RenderableType":
    """A table for each document: rank, answer, its numbers if they are asked for, and place."""
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    views: list[RenderableType] = []
    for (file, document), ranked in found.by_file().items():
        table = Table.grid(padding=(0, 2, 0, 0))
        table.add_column(justify="right", style="dim")
        table.add_column(overflow="fold", ratio=1)
        if found.answers.asks_for_numbers:
            table.add_column(overflow="fold", max_width=24, style="bold")
        table.add_column(overflow="fold", max_width=30, style="dim")
        for rank, answer in ranked:
            numbers = [_numbers(answer)] if found.answers.asks_for_numbers else []
            cells = [_quote(answer), *map(Text, numbers), Text(_place(answer))]
            table.add_row(Text(str(rank)), *cells)
        views += [Text(_title(file, document), "bold"), table, Text()]
    return Group(*views, Text(_summary(found), "dim"))


def _quote(answer: Answer) -> "Text":
    from rich.text import Text

    quote = Text(printable(answer.passage.shown))
    return Text.assemble((printable(answer.passage.opening), "dim"), quote)


def text_view(found: Found) -> str:
    """An answer a line, with its citation."""
    is_one = len(found.files) == 1
    lines = (
        f"{one_line(answer.passage.opening + answer.passage.shown)} "
        f"[{_citation(answer, '' if is_one else found.file_of(answer))}]"
        for answer in found.answers.answers
    )
    return "\n".join(lines)


def csv_view(found: Found) -> str:
    """A row for each answer."""
    rows = []
    for rank, answer in enumerate(found.answers.answers, 1):
        passage = answer.passage
        rows.append(
            (
                *(rank, answer.score, found.file_of(answer), page_range(passage.pdf_pages)),
                *(_printed_pages(passage), _section(answer)),
                *(one_line(passage.opening), one_line(passage.text), _numbers(answer)),
            )
        )
    return as_csv([HEADER, *rows])


def markdown_view(found: Found) -> str:
    """A table for each document."""
    lines = [f"# {escaped(found.answers.question)}"]
    for (file, document), ranked in found.by_file().items():
        lines += ["", f"## {escaped(_title(file, document))}", ""]
        lines += ["| # | Answer | Numbers | Place |", "| ---: | --- | --- | --- |"]
        for rank, answer in ranked:
            cells = (
                answer.passage.opening + answer.passage.shown,
                _numbers(answer),
                _place(answer),
            )
            shown = (escaped(cell, also="|") for cell in cells)
            lines.append(f"| {rank} | {' | '.join(shown)} |")
    return "\n".join([*lines, "", escaped(_summary(found))])


def json_view(found: Found) -> str:
    """One object, schema 1."""
    answers = found.answers
    data = {
        "schema": 1,
        "question": answers.question,
        "answers": [_fields(answer, found) for answer in answers.answers],
        "found": answers.number,
        "doubtful": answers.is_doubtful,
        "files": [
            {"file": file, "sha256": content.split()[0]} if " " in content else {"file": file}
            for content, file in found.files.items()
        ],
        "not_read": [{"file": path, "error": one.message} for path, one in found.errors.items()],
    }
    return json.dumps(data, ensure_ascii=False, indent=2)


def _fields(answer: Answer, found: Found) -> dict[str, Any]:
    passage = answer.passage
    is_placed = passage.start >= 0
    fields: dict[str, Any] = {
        "text": passage.text,
        "kind": passage.kind,
        "score": answer.score,
        "file": found.file_of(answer),
        "document": found.document_of(answer),
        "section": passage.section,
        "headings": passage.headings,
        "pdf_pages": passage.pdf_pages,
        "page_labels": passage.page_labels,
        "start": passage.start if is_placed else None,
        "end": passage.end if is_placed else None,
        "boxes": [asdict(box) for box in passage.boxes],
        "numbers": [asdict(number) for number in answer.numbers],
    }
    names = ("opening", "time", "lines", "source_file", "paragraph", "heads", "table")
    known = {name: getattr(passage, name) for name in names}
    return fields | {key: value for key, value in known.items() if value not in (None, "", ())}


def html_view(found: Found) -> str:
    """A page with the answers lit in the text around them. All text is escaped, and the page runs
    and loads nothing.
    """
    page = Template(Path(__file__).with_name("find.html").read_text(encoding="utf-8"))
    parts = []
    for (file, document), ranked in found.by_file().items():
        parts.append(f"<h2>{safe_html(_title(file, document))}</h2>")
        parts += [_html_of(rank, answer) for rank, answer in ranked]
    return page.substitute(
        question=safe_html(found.answers.question),
        answers="\n".join(parts),
        summary=safe_html(_summary(found)),
    )


def _html_of(rank: int, answer: Answer) -> str:
    before, after = map(safe_html, answer.around)
    opening = safe_html(answer.passage.opening)
    quote = f"<mark>{safe_html(answer.passage.shown)}</mark>"
    text = " ".join(filter(None, (before, opening, quote, after)))
    numbers = f"<p class=numbers>{safe_html(_numbers(answer))}</p>" if answer.asked else ""
    place = f"<cite>{safe_html(_place(answer))}</cite>"
    return f'<article id="a{rank}"><b>{rank}</b><p>{text}</p>{numbers}{place}</article>'


def _summary(found: Found) -> str:
    """``the best 20 of 34 matching passages in 3 of 50 files``; a match may not answer."""
    answers = found.answers
    shown, every = len(answers.answers), counted(answers.number, "matching passage")
    count = every if shown == answers.number else f"the best {shown} of {every}"
    files = len({file for file, _ in found.by_file()})
    where = f" in {files:,} of {counted(len(found.files), 'file')}" if len(found.files) > 1 else ""
    return f"{count}{where}; {MATCH}"


def _title(file: str, document: str) -> str:
    """The file; of one with several documents, also which one."""
    is_own = not document or document == Path(file).name
    return one_line(file if is_own else f"{file}: {document}")


def _place(answer: Answer) -> str:
    return _citation(answer, "") or ("table" if answer.passage.kind != "sentence" else "")


def _citation(answer: Answer, file: str) -> str:
    passage, number = answer.passage, answer.passage.sentence_number
    citation = Citation(
        passage.source_file or file,
        passage.pdf_pages,
        _section(answer),
        page_labels=passage.page_labels,
        lines=None if passage.pdf_pages else passage.lines,
        numbers=(number, number) if number else None,
        time=passage.time,
        paragraph=passage.paragraph,
    )
    return citation.text


def _section(answer: Answer) -> str:
    """The heading of its section; of a table row, the table, or else what kind of passage it is."""
    passage = answer.passage
    return passage.section if passage.kind == "sentence" else passage.table or passage.kind


def _numbers(answer: Answer) -> str:
    return "; ".join(one_line(f"{one.text} {one.noun}") for one in answer.asked)


def _printed_pages(passage: Passage) -> str:
    """The numbers printed on its PDF pages; empty if they are not known."""
    labels = dict(zip(passage.pdf_pages, passage.page_labels, strict=False))
    return page_range(filter(labels.get, labels), labels)


_FORMATS: dict[str, Callable[[Found], str]] = {
    "text": text_view,
    "csv": csv_view,
    "md": markdown_view,
    "json": json_view,
    "html": html_view,
}
