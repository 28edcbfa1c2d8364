import tiny

from pagesum_cli.documents.model import Document, Paragraph, Section
from pagesum_cli.locality import paginate
from pagesum_cli.options import PagingOptions


def cut(documents, locality="auto", *, page_tokens=512, title_tokens=0, **options):
    options = PagingOptions(locality=locality, page_tokens=page_tokens, **options)
    return paginate(documents, options, tiny.Words(title_tokens))


def document(name="paper.txt", sections=(("1 Introduction", "We ask. We answer."), ("2 Results", "It works."))):
    return Document(name, tuple(Section(heading, (Paragraph(text),)) for heading, text in sections))


def test_a_fixed_number_of_pages_has_labelled_fillers():
    pages = cut([document()], "discourse", page_tokens=64, num_pages=3)
    assert [page.label for page in pages.pages] == ["1 Introduction", "2 Results", "(no page)"]
    assert [page.text for page in pages.pages] == ["1 Introduction We ask. We answer.", "2 Results It works.", "."]


def test_units_beyond_the_fixed_number_are_counted_as_dropped():
    pages = cut([document()], "discourse", page_tokens=64, num_pages=1)
    assert len(pages.pages) == 1
    assert pages.dropped_words == 4  # "2 Results It works."


def test_spatial_pages_are_those_of_the_sentences():
    sentences = [f"Sentence {number} is here." for number in range(11)]
    paper = document(sections=(("", " ".join(sentences)),))
    pages = cut([paper], "spatial", page_tokens=64, num_pages=4)
    runs = [sentences[:2], sentences[2:4], sentences[4:6], sentences[6:]]  # 11 // 4 a page, the remainder on the last
    assert [page.text for page in pages.pages] == [" ".join(run) for run in runs]
    assert pages.pages[-1].label == "sentences 7–11"


def test_fewer_sentences_than_pages_all_stand_on_the_last():
    pages = cut([document(sections=(("", "It rained. It snowed."),))], "spatial", page_tokens=64, num_pages=3)
    assert [page.text for page in pages.pages] == [".", ".", "It rained. It snowed."]


def test_a_page_too_long_is_truncated_and_says_so():
    long = document(sections=(("", "one two three four. " * 30),))
    pages = cut([long], "spatial", page_tokens=40, num_pages=1)
    (page,) = pages.pages
    kept = len(page.text.split())
    assert page.tokens == 40
    assert 38 <= kept <= 40
    assert page.truncated_words == 120 - kept
