"""Where quotes stand on the pages of a PDF, against what PDFium says of the same page."""

import re
from pathlib import Path

import pytest

from pagesum_cli.documents.boxes import LineBox, boxes_of, pack
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.read import read_file
from pagesum_cli.documents.sentences import all_sentences

PAPER = Path(__file__).parents[2] / "docs" / "examples" / "paper.pdf"


def words(text):
    return re.findall(r"[a-z]{3,}", re.sub(r"[-\ufffe\u0002]\s*\n\s*", "", text).lower())


def test_the_boxes_of_each_sentence_hold_its_words_and_hardly_others():
    pdfium = pytest.importorskip("pypdfium2")
    document = read_file(str(PAPER))[0]
    pages = [page.get_textpage() for page in pdfium.PdfDocument(PAPER)]
    inside = total = foreign = within = 0
    sentences = [sentence for sentence in all_sentences(document) if not sentence.is_heading]
    for sentence in sentences:
        boxes = [box for box, _ in boxes_of(document, sentence.start, sentence.end)]
        assert {box.pdf_page for box in boxes} == set(sentence.pdf_pages)
        texts = [
            pages[box.pdf_page - 1].get_text_bounded(box.x0, box.y0, box.x1, box.y1)
            for box in boxes
        ]
        known = set(words("\n".join(texts)))
        own = words(sentence.text)
        total += len(own)
        inside += sum(word in known for word in own)
        # the first and the last line hold parts of other sentences
        between = words("\n".join(texts[1:-1])[:-1])
        within += len(between)
        foreign += sum(word not in own for word in between)
    assert len(sentences) > 100
    assert inside > 0.97 * total
    assert foreign < 0.1 * within  # halves of broken words


def test_offsets_of_boxes_are_those_of_the_documents_text():
    lines = [
        (0, 1, (72, 700, 300, 712)),
        (10, 1, (72, 688, 300, 700)),
        (20, 2, (72, 700, 200, 712)),
    ]
    paragraph = Paragraph(
        "Foxes are few in the forest of", ((0, 1), (20, 2)), line_boxes=pack(lines)
    )
    document = Document("a.pdf", (Section("Foxes", (Paragraph("None."), paragraph)),))
    start = document.text.index("few")
    assert boxes_of(document, start, start + 3) == ((LineBox(1, 72, 688, 300, 700), "few"),)
    assert [box.pdf_page for box, _ in boxes_of(document, start, len(document.text))] == [1, 2]
    assert boxes_of(document, 0, document.text.index("None.") + 5) == ()
