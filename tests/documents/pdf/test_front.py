"""What stands before the first heading of a PDF."""

from types import SimpleNamespace
from typing import Any

from pagesum_cli.documents.model import Paragraph, Section
from pagesum_cli.documents.pdf.headings import Heading
from pagesum_cli.documents.pdf.sections import FRONT_PAGES, separate_front

LINES = ("The Society", "Chapter 2")


def test_short_lines_are_front_matter_on_the_first_pages_alone() -> None:
    pages = (1, FRONT_PAGES + 1)
    paragraphs = [
        Paragraph(text, page_starts=((0, page),)) for text, page in zip(LINES, pages, strict=True)
    ]
    dropped: list[str] = []
    layout: Any = SimpleNamespace(
        headings=[Heading(0, 0, "Conflicts", 1, "name")],
        sections=[Section("", tuple(paragraphs), 1), Section("Conflicts", (), 1)],
        lines=[],
        dropped=SimpleNamespace(add=lambda reason, text, *_: dropped.append(text)),
    )
    separate_front(layout)
    assert dropped == [LINES[0]]
    assert [one.text for section in layout.sections for one in section.paragraphs] == [LINES[1]]
