"""The summary of a press release: news, time, amounts, one quotation, whom to ask."""

from shape_texts import document_of, pages_of

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.options import GenerationOptions
from pagesum_cli.shapes.brief import RELEASE, Brief, kind_of
from pagesum_cli.shapes.essentials import Essentials
from pagesum_cli.shapes.releases import is_quotation, is_release

NEWS = "The Mill Museum has bought the old bridge over the brook for £6,000."
TIME = "The bridge will open to walkers on Saturday, 3 May, at 10 a.m."
FEE = "There will be a small charge of £2 for each walk over the bridge."
QUOTATION = "“We have waited ten years for this bridge,” said the miller, Anna Berg."
UNNAMED = "“It was a very long winter for all of us here at the mill.”"
PAST = "The museum was founded in 1985 and has since cost more than £90,000."
CONTACT = "For more information about the walks, please call Anna Berg on 01366 500628."
HEAD = "Press Release"
BODY = (UNNAMED, PAST, NEWS, TIME, FEE, QUOTATION, CONTACT)


def _release() -> Document:
    return document_of({HEAD: " ".join(BODY)})


def _chosen(document: Document) -> set[str]:
    pages = pages_of(document)
    sentences = pages.pages[0].sentences
    scores = {(0, number): -float(number) for number in range(len(sentences))}
    brief = Brief(document, GenerationOptions(), RELEASE)
    return {sentences[number].text for _, number in brief.choose(pages, scores)}


def test_a_release_has_news_time_fee_a_speaker_and_a_contact() -> None:
    assert kind_of([_release()]) is RELEASE
    whole = " ".join(_chosen(_release()))
    for text in (NEWS, TIME, FEE, QUOTATION, CONTACT):
        assert text[-20:-1] in whole


def test_what_was_before_is_no_news() -> None:
    assert PAST not in _chosen(_release())
    assert UNNAMED not in _chosen(_release())


def test_a_name_in_quotation_marks_is_no_quotation() -> None:
    assert is_quotation(QUOTATION)
    assert is_quotation("John wants to help: “I would like to give all of it away.”")
    assert not is_quotation("The goal is a “sustainable and livable community” on the brook.")


def test_a_release_calls_itself_one_in_its_first_lines() -> None:
    assert is_release(Document("a", (Section("", (Paragraph("For immediate release"),)),)))
    late = (Paragraph("A mill."),) * 12 + (Paragraph("A press release came."),)
    assert not is_release(Document("a", (Section("", late),)))
    assert not is_release(Document("a", (Section("Press Release", (Paragraph("a " * 2100),)),)))


def test_a_short_release_is_not_filled_up() -> None:
    document = _release()
    pages = pages_of(document)
    scores = {(0, number): 1.0 for number in range(len(pages.pages[0].sentences))}
    places = Essentials(document, GenerationOptions(), RELEASE).choose(pages, scores)
    assert len(places) == len(_chosen(document))
