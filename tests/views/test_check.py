"""What a check shows in a terminal."""

from rich.console import Console

from pagesum_cli.documents.model import Document, Paragraph, Section, Sentence
from pagesum_cli.summary.check.claims import Citation, Claim
from pagesum_cli.summary.check.results import Checked, Place
from pagesum_cli.views.check import check_view

TEXT = "The mill burned in May."
DOCUMENTS = [Document(name, (Section("", (Paragraph(TEXT),)),)) for name in ("a.pdf", "b.pdf")]


def shown(citation: Citation | None, *, is_right: bool | None) -> str:
    place = Place(Sentence(TEXT, start=0, end=len(TEXT)), 1)
    checked = Checked(
        Claim(TEXT, citation=citation), "verbatim", 1.0, (place,), is_cited_right=is_right
    )
    console = Console(width=200)
    with console.capture() as capture:
        console.print(check_view([checked], DOCUMENTS))
    return capture.get()


def test_a_claim_that_is_cited_wrongly_gets_no_tick() -> None:
    work = Citation("Lee 2010", file="a.pdf", is_work=True)
    text = shown(work, is_right=False)
    assert "✓" not in text
    assert "✗ verbatim" in text
    assert "cited wrongly: as Lee 2010 (a.pdf), found in b.pdf" in text
    assert "✗ verbatim" in shown(Citation("[p. 3]", ("3",)), is_right=False)


def test_a_claim_without_a_citation_gets_a_tick() -> None:
    assert "✓ verbatim" in shown(None, is_right=None)
