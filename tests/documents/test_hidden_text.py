"""One hidden sentence in a document of each format: no summary quotes it, and no claim that quotes
it passes.
"""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from docx import Document as WordDocument
from epub_writer import epub, page
from pdf_resources import PICTURE, with_resources
from pdf_writer import Sheet, write
from word_files import add_xml, run, saved

from pagesum_cli import PageSummarizer
from pagesum_cli.documents.model import Document
from pagesum_cli.documents.read import read_file
from pagesum_cli.summary.check.checker import Checker
from pagesum_cli.summary.check.claims import Claim, parts_of_text

SECRET = "The council met in the spring and sold nine boats to the brother of the mayor."
SENTENCES = (
    "Rain fell for eleven days in April, and the fields stood under water.",
    "The farmers of the town were lent seed until the autumn by all of its members.",
    "Wheat cost a third more than the year before, and bread followed in the summer.",
    "Nobody asked what the mills would do with the rest of the corn.",
)
BEFORE, AFTER = SENTENCES[0], " ".join(SENTENCES[1:])

ELEMENTS = {
    "display": "<p style='display:none'>{}</p>",
    "visibility": "<p style='visibility:hidden'>{}</p>",
    "opacity": "<p style='opacity:0'>{}</p>",
    "white": "<p style='color:#fff'>{}</p>",
    "off the page": "<p style='position:absolute;left:-9999px'>{}</p>",
    "size": "<p style='font-size:0'>{}</p>",
    "attribute": "<p hidden>{}</p>",
    "clip": "<p style='position:absolute;clip:rect(0,0,0,0)'>{}</p>",
    "clip-path": "<p style='clip-path:inset(50%)'>{}</p>",
    "indent": "<p style='text-indent:-9999px'>{}</p>",
    "class": "<style>.note {{ display: none }}</style><p class='note'>{}</p>",
    "around": "<div style='display:none'><div><p>{}</p></div></div>",
    "in a sentence": "<p>The mill burned. <span style='display:none'>{}</span></p>",
    "comment": "<!-- {} -->",
}
MARKDOWN = {
    **{name: markup for name, markup in ELEMENTS.items() if name != "class"},
    "around paragraphs": "<div hidden>\n\n{}\n\n</div>",
    "around a list": "<div style='display:none'>\n\n- {}\n- One.\n\n</div>",
    "in elements": "<section>\n<div hidden>\n\n> {}\n\n</div>\n</section>",
    "around elements": "<div hidden>\n\n<p>{}</p>\n\n</div>",
    "a class": "<style>.note {{ display: none }}</style>\n\n<div class='note'>\n\n{}\n\n</div>",
    "an element's class": "<style>.note {{ display: none }}</style>\n\n<p class='note'>{}</p>",
    "in a paragraph": "The mill burned. <span hidden>{}</span>",
    "in a paragraph, by a class": "<style>b {{ opacity: 0 }}</style>\n\nYes. <b>{}</b>",
    "with places of its own": "<div hidden>\n\n<p>{}</p>\n\n</div>\n\n<b DATA-place='2'>x</b> "
    "<i data-place='99'>y</i> <i data-place='z'>z</i>",
    "comment in a paragraph": "The mill burned. <!-- {} -->",
    "comment around paragraphs": "<!--\n\n{}\n\n-->",
    "a reference": "[//]: # ({})",
}
WORD = {
    "vanish": "<w:vanish/>",
    "white": '<w:color w:val="FFFFFF"/>',
    "tiny": '<w:sz w:val="2"/>',
}
TEXT = f"BT /F1 10 Tf 72 712 Td ({SECRET}) Tj ET"
PDF = {
    "mode": f"3 Tr {TEXT}",
    "white": f"1 g {TEXT}",
    "transparent": f"/Clear gs {TEXT}",
    "covered": f"{TEXT} 0.5 g 60 710 500 12 re f",
    "below a picture": f"{TEXT} 500 0 0 12 60 710 cm {PICTURE}",
    "off the page": TEXT.replace("72 712", "72 900"),
    "tiny": TEXT.replace("10 Tf", "0.5 Tf"),
    "clipped": f"72 100 20 20 re W n {TEXT}",
    "layer": f"/OC /Off BDC {TEXT} EMC",
    "other words": TEXT.replace(SECRET, "So it is.").replace(
        "BT", f"BT /Span <</ActualText ({SECRET})>> BDC"
    )
    + " EMC",
}


def web_page(markup: str) -> bytes:
    return f"<html><body><p>{BEFORE}</p>{markup}<p>{AFTER}</p></body></html>".encode()


def book(markup: str) -> bytes:
    body = f"<h1>One</h1><p>{BEFORE}</p>{markup}<p>{AFTER}</p>"
    return epub({"a.xhtml": page(body.replace(" hidden>", " hidden=''>"))})


def word(inner: str) -> bytes:
    made = WordDocument()
    made.add_paragraph(BEFORE)
    add_xml(made, inner)
    made.add_paragraph(AFTER)
    return saved(made)


def pdf(operators: str) -> bytes:
    sheet = Sheet()
    sheet.lines(72, 700, [*SENTENCES])
    sheet.operators += ["q", operators, "Q"]
    return with_resources(write([sheet]))


def cases() -> Iterator[tuple[str, bytes]]:
    """Names of files and their contents."""
    for name, markup in ELEMENTS.items():
        yield f"{name}.html", web_page(markup.format(SECRET))
        yield f"{name}.epub", book(markup.format(SECRET))
    for name, markup in MARKDOWN.items():
        yield f"{name}.md", f"{BEFORE}\n\n{markup.format(SECRET)}\n\n{AFTER}\n".encode()
    for name, properties in WORD.items():
        yield f"{name}.docx", word(run(SECRET, properties))
    deleted = run(SECRET).replace("w:t>", "w:delText>").replace("<w:t ", "<w:delText ")
    yield "deleted.docx", word(f'<w:del w:id="1" w:author="A">{deleted}</w:del>')
    for name, operators in PDF.items():
        yield f"{name}.pdf", pdf(operators)


CASES = dict(cases())


@pytest.fixture(scope="module")
def summary_of() -> Callable[[list[Document]], str]:
    """Summarizes documents; most of those with something hidden have the same text."""
    summarizer = PageSummarizer.from_pretrained("mini", device="cpu", light=True)
    summaries: dict[str, str] = {}

    def summary(documents: list[Document]) -> str:
        text = "\n\n".join(document.text for document in documents)
        if text not in summaries:
            summaries[text] = summarizer.summarize(documents, max_length=1000).text
        return summaries[text]

    return summary


def fails(text: str, documents: list[Document]) -> bool:
    """Whether ``check`` ends with 1."""
    draft = read_file("-", stdin=io.BytesIO(text.encode()))
    claims = [part for part in parts_of_text(draft[0], documents) if isinstance(part, Claim)]
    assert claims
    return any(one.fails(strict=False) for one in Checker.of(documents).checked(claims))


@pytest.mark.parametrize("name", CASES)
def test_what_is_hidden_is_in_no_summary_and_proves_nothing(
    name: str, tmp_path: Path, summary_of: Callable[[list[Document]], str]
) -> None:
    path = tmp_path / name
    path.write_bytes(CASES[name])
    documents = read_file(str(path))
    summary = summary_of(documents)
    assert SECRET not in summary
    assert summary
    assert fails(SECRET, documents)
    assert not fails(SENTENCES[2], documents)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.html", web_page(f"<p>{SECRET}</p>")),
        ("a.epub", book(f"<p>{SECRET}</p>")),
        ("a.md", f"{BEFORE}\n\n<div>\n\n{SECRET}\n\n</div>\n\n{AFTER}".encode()),
        ("a.docx", word(run(SECRET))),
        ("a.pdf", pdf(TEXT)),
    ],
)
def test_the_same_sentence_is_quoted_where_it_is_shown(
    name: str, content: bytes, tmp_path: Path, summary_of: Callable[[list[Document]], str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    documents = read_file(str(path))
    assert SECRET in summary_of(documents)
    assert not fails(SECRET, documents)


@pytest.mark.parametrize("mode", [0, 3])
def test_the_text_layer_of_a_scan_is_evidence(mode: int, tmp_path: Path) -> None:
    sheet = Sheet()
    sheet.lines(72, 700, [*SENTENCES])
    scan = f"q 612 0 0 792 0 0 cm {PICTURE} Q {mode} Tr"
    sheet.operators.insert(0, scan)
    path = tmp_path / "a.pdf"
    path.write_bytes(with_resources(write([sheet])))
    assert not fails(SENTENCES[0], read_file(str(path)))
