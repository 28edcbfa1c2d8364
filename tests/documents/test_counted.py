"""Documents of courts that count their paragraphs."""

import pytest

from pagesum_cli.documents.counted import with_counted
from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.documents.sentences import all_sentences
from pagesum_cli.summary.openings import opening_of

FRONT = Paragraph("In the High Court. The claimant asks for judgment against the defendant.")
COUNT = 24


def numbered(number: int, text: str = "The mill is at the brook.") -> Paragraph:
    return Paragraph(text, label=f"{number}.", depth=1)


def document(*paragraphs: Paragraph, front: Paragraph = FRONT) -> Document:
    half = len(paragraphs) // 2
    sections = (
        Section("", (front,)),
        Section("Facts", paragraphs[:half]),
        Section("Law", paragraphs[half:]),
    )
    return with_counted(Document("a.docx", sections))


def numbers(found: Document) -> list[str]:
    return [one.number for section in found.sections[1:] for one in section.paragraphs]


COUNTED = [numbered(number) for number in range(1, COUNT + 1)]


def test_paragraphs_have_the_numbers_that_they_are_under() -> None:
    quoted = Paragraph("The mill shall be old.", block="quotation")
    found = document(*COUNTED[:2], quoted, *COUNTED[2:])
    assert numbers(found)[:4] == ["1", "2", "2", "3"]
    assert numbers(found)[-1] == str(COUNT)


def test_a_list_within_a_paragraph_does_not_count() -> None:
    found = document(*COUNTED[:5], numbered(1), numbered(2), numbered(3), *COUNTED[5:])
    assert numbers(found)[4:9] == ["5", "5", "5", "5", "6"]


@pytest.mark.parametrize("mark", ["{}. ", "[{}] ", "{}  "])
def test_a_number_by_hand_is_the_label(mark: str) -> None:
    by_hand = Paragraph(mark.format(3) + "The brook is near.")
    plain = [Paragraph(mark.format(number) + "The mill is old.") for number in range(1, COUNT + 1)]
    plain[2] = by_hand
    found = document(*plain)
    sentence = next(one for one in all_sentences(found) if one.paragraph == "3")
    assert (sentence.text, sentence.label) == ("The brook is near.", mark.format(3).strip())
    assert opening_of(sentence) == ""


def test_the_depth_may_change_after_a_number() -> None:
    deep = [numbered(number) for number in range(1, 13)]
    flat = [Paragraph("The mill is old.", label=f"{number}.") for number in range(13, 24)]
    assert numbers(document(*deep, *flat))[-1] == "23"


def test_no_numbers_in_documents_of_others_in_short_ones_nor_in_lists_that_begin_again() -> None:
    assert not any(numbers(document(*COUNTED, front=Paragraph("Rules of the mill."))))
    assert not any(numbers(document(*COUNTED[:9])))
    assert not any(numbers(document(*COUNTED[:10], *COUNTED[:10], *COUNTED[:10])))


def test_a_quote_of_a_counted_paragraph_is_shown_without_its_number() -> None:
    item = Paragraph("(a) The brook shall be clean.", label="(a)", body=4, depth=2)
    sentences = all_sentences(document(*COUNTED[:4], item, *COUNTED[4:]))
    shown = {one.text: opening_of(one) for one in sentences if one.paragraph == "4"}
    assert shown == {COUNTED[0].text: "", "The brook shall be clean.": "(a) "}
