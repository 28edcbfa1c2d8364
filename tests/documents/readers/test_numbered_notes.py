"""HTML: notes that stand among the paragraphs, with a number and a mark in brackets."""

from pagesum_cli.documents.readers.html import html_document
from pagesum_cli.documents.readers.markdown import markdown_document

TEXT = [f"<p>Keepers counted the owls of hill {n}. [{n}] All were well.</p>" for n in range(1, 7)]
NOTES = [f"<p>{n} We counted hill {n} in another report.</p>" for n in range(1, 7)]


def _paragraphs(*html: str) -> tuple[list[str], list[str]]:
    """The paragraphs of a page, and the reasons why others are left out."""
    document = html_document(f"<body>{''.join(html)}</body>", "a.html", "a.html")
    texts = [one.text for section in document.sections for one in section.paragraphs]
    return texts, [one.reason for one in document.left_out]


def test_numbered_notes_with_marks_are_left_out() -> None:
    pairs = [one for pair in zip(TEXT, NOTES, strict=True) for one in pair]
    texts, reasons = _paragraphs(*pairs, "<p>12 Owls live at the lake.</p>")
    assert len(texts) == len(TEXT) + 1
    assert not any("another report" in one for one in texts)
    assert reasons == ["footnote"]


def test_paragraphs_go_on_after_notes_at_the_feet_of_pages_in_markdown() -> None:
    text = "\n\n".join(
        f"Keepers counted hill {n}. [{n}] All were\n\n{n} We counted hill {n} in 2010.\n\nwell."
        for n in range(1, 7)
    )
    (section,) = markdown_document(text, "a.md", "a.md").sections
    texts = [one.text for one in section.paragraphs]
    assert texts == [f"Keepers counted hill {n}. All were well." for n in range(1, 7)]


def test_numbered_paragraphs_without_marks_are_text() -> None:
    assert _paragraphs(*NOTES) == ([one[3:-4] for one in NOTES], [])


def test_a_few_numbers_are_no_notes() -> None:
    texts, reasons = _paragraphs(*TEXT, *NOTES[:3])
    assert (len(texts), reasons) == (len(TEXT) + 3, [])
