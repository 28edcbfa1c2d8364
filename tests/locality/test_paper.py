import json
from pathlib import Path

import pytest

from pagesum_cli.documents.document import Document, Paragraph, Section
from pagesum_cli.locality import cut
from pagesum_cli.locality.paper import paper_pages

REFERENCE = Path(__file__).parents[3] / "shared" / "reference" / "pages.json"


def count(texts):
    return [len(text.split()) for text in texts]


@pytest.mark.skipif(not REFERENCE.exists(), reason="the original program's pages are not on this machine")
def test_pages_are_the_original_programs():
    data = json.loads(REFERENCE.read_text(encoding="utf-8"))
    assert len(data["results"]) == 156
    for case in data["results"]:
        units = data["documents"][case["doc"]]
        formed = paper_pages(units, case["num_pages"], one_unit_a_page=case["page_type"] == "multi_doc")
        assert formed == case["pages"], (case["doc"], case["num_pages"], case["page_type"])


def test_the_remainder_goes_to_the_last_page():
    assert paper_pages(["a", "b", "c", "d", "e"], 2) == ["a b", "c d e"]


def test_fewer_sentences_than_pages_all_stand_on_the_last():
    assert paper_pages(["a", "b"], 3) == [".", ".", "a b"]


def test_one_unit_a_page_drops_what_is_beyond():
    assert paper_pages(["a", "b", "c"], 2, one_unit_a_page=True) == ["a", "b"]
    assert paper_pages(["a"], 2, one_unit_a_page=True) == ["a", "."]


def document(name="paper.txt", sections=(("1 Introduction", "We ask. We answer."), ("2 Results", "It works."))):
    return Document(name, tuple(Section(heading, (Paragraph(text),)) for heading, text in sections))


def test_a_fixed_number_of_pages_has_labelled_fillers():
    pages = cut([document()], "discourse", count_tokens=count, page_tokens=64, num_pages=3)
    assert [page.label for page in pages.pages] == ["1 Introduction", "2 Results", "(no page)"]
    assert [page.text for page in pages.pages] == ["1 Introduction We ask. We answer.", "2 Results It works.", "."]


def test_units_beyond_the_fixed_number_are_counted_as_dropped():
    pages = cut([document()], "discourse", count_tokens=count, page_tokens=64, num_pages=1)
    assert len(pages.pages) == 1
    assert pages.dropped_words == 4  # "2 Results It works."


def test_spatial_pages_are_those_of_the_sentences():
    sentences = [f"Sentence {number} is here." for number in range(11)]
    paper = document(sections=(("", " ".join(sentences)),))
    pages = cut([paper], "spatial", count_tokens=count, page_tokens=64, num_pages=4)
    assert [page.text for page in pages.pages] == paper_pages(sentences, 4)
    assert pages.pages[-1].label == "sentences 7–11"


def test_a_page_too_long_is_truncated_and_says_so():
    long = document(sections=(("", "one two three four. " * 30),))
    pages = cut([long], "spatial", count_tokens=count, page_tokens=40, num_pages=1)
    (page,) = pages.pages
    kept = len(page.text.split())
    assert page.tokens == 40
    assert 38 <= kept <= 40
    assert page.truncated_words == 120 - kept
