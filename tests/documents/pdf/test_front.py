"""What stands before the first heading of a PDF."""

from types import SimpleNamespace
from typing import Any

from pagesum_cli.documents.model import Paragraph, Section
from pagesum_cli.documents.pdf.front_matter import title_of
from pagesum_cli.documents.pdf.headings import Heading
from pagesum_cli.documents.pdf.sections import FRONT_PAGES, separate_front

LINES = ("The Society", "Chapter 2")


def kept_of(paragraphs: list[Paragraph]) -> tuple[list[str], list[str]]:
    """The texts before the first heading that are read, and those that are left out."""
    dropped: list[str] = []
    layout: Any = SimpleNamespace(
        headings=[Heading(0, 0, "Conflicts", 1, "name")],
        sections=[Section("", tuple(paragraphs), 1), Section("Conflicts", (), 1)],
        lines=[],
        body=SimpleNamespace(font="F", size=10.0),
        dropped=SimpleNamespace(add=lambda reason, text, *_: dropped.append(text)),
    )
    separate_front(layout)
    return [one.text for section in layout.sections for one in section.paragraphs], dropped


def test_front_matter_ends_where_the_first_numbered_clause_stands() -> None:
    texts = ["The Society", "1.1.1. A meeting shall be called in May.", "Chapter 2"]
    assert kept_of([Paragraph(text, ((0, 1),)) for text in texts]) == (texts[1:], texts[:1])


def test_short_lines_are_front_matter_on_the_first_pages_alone() -> None:
    pages = (1, FRONT_PAGES + 1)
    paragraphs = [
        Paragraph(text, page_starts=((0, page),)) for text, page in zip(LINES, pages, strict=True)
    ]
    assert kept_of(paragraphs) == ([LINES[1]], [LINES[0]])


def abstract_of(words: int, names: tuple[str, ...] = ("Methods", "References")) -> list[str]:
    """The headings of a paper whose abstract has no heading, before three paragraphs."""
    text = "Rye is sown in May in the fields of the north. " * 5
    paragraphs = [text, text * (words // 50), text * (words // 50)]
    layout: Any = SimpleNamespace(
        headings=[Heading(n, n, name, 1, "name") for n, name in enumerate(names)],
        sections=[
            Section("", tuple(Paragraph(one, ((0, 1),)) for one in paragraphs), 1),
            *(Section(name, (), 1) for name in names),
        ],
        lines=[],
        body=SimpleNamespace(font="F", size=10.0),
        dropped=SimpleNamespace(add=lambda *_: None, has=lambda *_: True),
    )
    separate_front(layout)
    return [one.heading for one in layout.sections]


def test_a_long_text_without_a_heading_is_no_abstract() -> None:
    assert abstract_of(400) == ["", "Methods", "References"]
    assert abstract_of(100) == ["Abstract", "Methods", "References"]
    with_introduction = ("Introduction", "Methods", "References")
    assert abstract_of(400, with_introduction) == ["Abstract", *with_introduction]


def test_the_badge_of_an_open_journal_is_not_in_its_title() -> None:
    lines = [line_at(36, 608, "OPEN A History of Foxes", 30), line_at(36, 500, "Foxes.", 10)]
    assert title_of(lines, 10, "") == ("A History of Foxes", {0})


def line_at(x0: float, y: float, text: str, size: float) -> Any:
    """A line of the first page."""
    look = {"size": size, "bold": False, "style": ("F", size, False)}
    return SimpleNamespace(
        x0=x0, x1=x0 + size * len(text) / 2, y=y, text=text, page=1, height=792, **look
    )


def test_a_title_goes_on_around_smaller_lines_beside_it() -> None:
    lines = [
        line_at(36, 613, "Expected at noon", 10),
        line_at(216, 608, "The Accounts of", 30),
        line_at(36, 603, "Thursday, March 13", 10),
        line_at(216, 578, "the Great Forest", 30),
        line_at(216, 548, "and its Foxes", 30),
        line_at(36, 500, "A statement of the board", 10),
    ]
    assert title_of(lines, 10, "") == ("The Accounts of the Great Forest and its Foxes", {1, 3, 4})


def test_addresses_that_go_over_to_the_text_of_the_next_page_do_not_take_it_along() -> None:
    address = "ANNA BERG 5 Mill Street, Hollow 01366 THE MILL 7 Brook Lane, Hollow 01366 pending"
    text = "The owners of the mill ask that the court stay the sale of the bridge until May."
    paragraph = Paragraph(f"{address} {text}", ((0, 1), (len(address) + 1, 2)))
    assert kept_of([paragraph]) == ([text], [address])
    pages = ((0, 1), (len(text) + 1, 2))
    assert kept_of([Paragraph(f"{text} {text}", pages)]) == ([f"{text} {text}"], [])
