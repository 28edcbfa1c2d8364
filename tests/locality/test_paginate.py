from collections import Counter

import pytest

from pagesum_cli import options
from pagesum_cli.documents.model import Document, Paragraph, Section, words
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.errors import UsageError
from pagesum_cli.locality import LOCALITIES, Locality, paginate
from pagesum_cli.locality.flow import PageSize, Unit, _parts, items_of
from pagesum_cli.options import PagingOptions


def count(texts):
    """A tokenizer of four characters a token: counts of long words are high, as in byte-level
    BPE.
    """
    return [sum(-(-len(word) // 4) for word in text.split()) for text in texts]


class Tokens:
    """What pagination knows of a tokenizer."""

    def __init__(self, title_tokens=0, special_tokens=2):
        self.title_tokens = title_tokens
        self.special_tokens = special_tokens

    def count(self, texts):
        return count(texts)


def cut(documents, locality="auto", *, page_tokens=512, title_tokens=0, **options):
    options = PagingOptions(locality=locality, page_tokens=page_tokens, **options)
    return paginate(documents, options, Tokens(title_tokens))


def prose(sentences, name="It"):
    return " ".join(f"{name} says number {number} aloud." for number in range(sentences))


def document(*sections, name="paper.txt"):
    return Document(
        name,
        tuple(Section(heading, (Paragraph(text),), level) for heading, level, text in sections),
    )


PAPER = document(
    ("", 1, "A few words."),
    ("1 Introduction", 1, prose(12)),
    ("2 Methods", 1, ""),
    ("2.1 Data", 2, prose(5)),
    ("2.2 Models", 2, prose(40)),
    ("2.3 Code", 2, "Here it is."),
    ("3 Results", 1, prose(3)),
    ("3.1 Tables", 2, prose(3)),
)


def labels(pages):
    return [page.label for page in pages.pages]


def left_out(documents, pages):
    wanted = Counter(word for one in documents for word in words(one))
    return wanted - Counter(word for page in pages.pages for word in page.text.split())


@pytest.mark.parametrize("locality", ["auto", "spatial", "discourse", "document"])
@pytest.mark.parametrize("page_tokens", [34, 60, 128, 512, 5000])
def test_every_word_is_on_some_page_and_no_page_is_too_long(locality, page_tokens):
    documents = [PAPER, document(("Only", 1, prose(70)), name="b.txt")]
    for given in (documents, documents[:1]):
        pages = cut(given, locality, page_tokens=page_tokens)
        assert not left_out(given, pages)
        assert pages.dropped_words == 0
        for page in pages.pages:
            assert page.tokens == count([page.text])[0] + 2 <= page_tokens
            assert page.truncated_words == 0


@pytest.mark.parametrize("locality", ["spatial", "discourse", "document"])
def test_pages_begin_with_as_much_of_their_documents_title_as_fits(locality):
    long = Document(
        "a",
        PAPER.sections,
        title="A title of very many words which tells nearly everything at once",
    )
    short = Document("b", PAPER.sections, title="Brief")
    untitled = Document("c", PAPER.sections)
    for documents in ([long], [long, short, untitled]):
        pages = cut(documents, locality, page_tokens=80, title_tokens=10)
        titles = {"a": "A title of very many words which", "b": "Brief", "c": ""}
        for page in pages.pages:
            assert page.title == titles[page.source]
            assert page.tokens == count([page.title])[0] + count([page.text])[0] + 2 <= 80
        assert not left_out(documents, pages)


def test_words_stay_in_order():
    pages = cut([PAPER], "spatial", page_tokens=64)
    assert [word for page in pages.pages for word in page.text.split()] == list(words(PAPER))


def test_auto_looks_at_what_was_given():
    plain = document(("", 1, prose(3)))
    assert cut([PAPER]).locality == "discourse"
    assert cut([PAPER, PAPER]).locality == "document"
    assert cut([plain]).locality == "spatial"


def test_a_section_with_its_subsections_is_a_page_where_it_fits():
    pages = cut([PAPER], "discourse", page_tokens=130)
    assert labels(pages) == [
        "Opening – 1 Introduction",
        "2 Methods – 2.1 Data",
        "2.2 Models – 2.3 Code (1/3)",
        "2.2 Models – 2.3 Code (2/3)",
        "2.2 Models – 2.3 Code (3/3)",
        "3 Results",
    ]


def test_a_continued_section_repeats_its_heading_on_balanced_pages():
    long = document(("Methods", 1, prose(50)))
    pages = cut([long], page_tokens=150).pages
    assert [page.label for page in pages] == ["Methods (1/3)", "Methods (2/3)", "Methods (3/3)"]
    assert all(page.text.startswith("Methods It says number") for page in pages)
    assert max(page.tokens for page in pages) - min(page.tokens for page in pages) <= 20


def test_a_heading_is_never_the_last_thing_on_a_page():
    sections = [("Big", 1, prose(31)), *((f"Small {number}", 2, "Just so.") for number in range(9))]
    for page_tokens in range(60, 120, 3):
        for page in cut([document(*sections)], "discourse", page_tokens=page_tokens).pages:
            assert not page.sentences[-1].text.startswith("Small")


def test_pages_of_two_documents_are_told_apart():
    pages = cut([PAPER, document(("Data", 1, prose(9)), name="b.txt")], "discourse")
    assert {page.source for page in pages.pages} == {"paper.txt", "b.txt"}
    assert labels(pages)[-1] == "b.txt: Data"


def test_document_pages_bear_the_documents_names():
    long = document(("", 1, prose(50)), name="a.txt")
    pages = cut([long, document(("", 1, "Short."), name="b.txt")], page_tokens=150)
    assert labels(pages) == ["a.txt (1/3)", "a.txt (2/3)", "a.txt (3/3)", "b.txt"]


def test_spatial_pages_say_where_they_stand():
    text = prose(20)
    half = text.index("It says number 10 ")
    pdf = Document("a.pdf", (Section("", (Paragraph(text, ((0, 3), (half, 4))),)),))
    assert labels(cut([pdf], "spatial")) == ["p. 3–4"]
    assert labels(cut([pdf], "spatial", page_tokens=70)) == ["p. 3", "p. 3–4", "p. 4"]
    plain = document(("", 1, text))
    assert labels(cut([plain], "spatial", page_tokens=80)) == ["sentences 1–10", "sentences 11–20"]


def test_spatial_takes_as_few_pages_as_hold_the_text():
    text = prose(200)
    pages = cut([document(("", 1, text))], "spatial", page_tokens=100).pages
    assert len(pages) <= -(-count([text])[0] // (98 - 8))
    assert max(page.tokens for page in pages) - min(page.tokens for page in pages) <= 16


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("word " * 3000, id="no punctuation"),
        pytest.param("x" * 1_000_000, id="one word of a megabyte"),
        pytest.param("1.2 3.4 | " * 500, id="table"),
        pytest.param("漢字" * 5000, id="no spaces"),
    ],
)
@pytest.mark.parametrize("locality", ["spatial", "discourse"])
def test_what_has_no_sentences_is_split_at_words_and_characters(text, locality):
    given = document(("Heading", 1, text))
    pages = cut([given], locality, page_tokens=512).pages
    assert all(page.tokens <= 512 for page in pages)
    read = "".join(sentence.text for page in pages for sentence in page.sentences)
    assert read.removeprefix("Heading").replace(" ", "") == "".join(text.split())


def test_a_word_that_comes_again_and_again_is_counted_once():
    counted = []

    def count(texts):
        counted.extend(texts)
        return [1 for _ in texts]

    size = PageSize(100, 2, count)
    spans = list(_parts("` " * 5000, 100, size))
    assert (counted, len(spans)) == (["`"], 50)


def test_a_heading_longer_than_a_page_is_read_and_its_label_is_short():
    given = document(("Very long heading " * 400, 1, "The text."))
    pages = cut([given], "discourse")
    assert not left_out([given], pages)
    assert all(len(page.label) < 100 for page in pages.pages)


def test_a_table_of_contents_taken_for_headings_is_not_a_page_each():
    given = document(*((f"{number} Heading", 1, "") for number in range(50)), ("Text", 1, prose(5)))
    pages = cut([given], "discourse")
    assert len(pages.pages) <= 5
    assert not left_out([given], pages)


def test_truncating_gives_one_page_a_section_and_counts_the_rest():
    given = document(("Short", 1, prose(12)), ("Long", 1, prose(100)))
    pages = cut([given], "discourse", page_tokens=100, overflow="truncate").pages
    assert [page.label for page in pages] == ["Short", "Long"]
    assert pages[0].truncated_words == 0
    read = sum(len(page.text.split()) for page in pages)
    assert read + pages[1].truncated_words == len(list(words(given)))


def test_a_greatest_number_of_pages_keeps_the_first_and_counts_the_rest():
    for locality in ("spatial", "discourse", "document"):
        everything = cut([PAPER], locality, page_tokens=64)
        pages = cut([PAPER], locality, page_tokens=64, max_pages=3)
        assert pages.pages == everything.pages[:3]
        # Of a page that only continues a section, the repeated heading does not count.
        read = list(words(PAPER))
        assert (
            len(read) - sum(len(page.text.split()) for page in pages.pages)
            <= pages.dropped_words
            < len(read)
        )


def test_truncating_spatial_pages_spreads_them_over_the_document():
    given = document(("", 1, prose(200)))
    pages = cut([given], "spatial", page_tokens=64, max_pages=4, overflow="truncate").pages
    assert len(pages) == 4
    assert "number 0 " in pages[0].text
    assert "number 150 " in pages[3].text
    read = sum(len(page.text.split()) for page in pages)
    assert read + sum(page.truncated_words for page in pages) == len(list(words(given)))


@pytest.mark.parametrize(
    "wrong",
    [
        {"locality": "temporal"},
        {"overflow": "ignore"},
        {"page_tokens": 8},
        {"max_pages": 0},
        {"num_pages": 0},
        {"num_pages": 7, "max_pages": 3},
        {"num_pages": 7, "overflow": "truncate"},
    ],
)
def test_values_that_make_no_sense_are_refused(wrong):
    with pytest.raises(UsageError):
        cut([PAPER], **wrong)


class ParagraphLocality(Locality):
    def units(self, documents, size):
        return [
            Unit(
                f"paragraph {number}",
                one.name,
                items_of(sentences_of(Section("", (paragraph,))), size),
            )
            for one in documents
            for number, paragraph in enumerate(
                (p for section in one.sections for p in section.paragraphs if p.text), 1
            )
        ]


@pytest.fixture
def paragraphs(monkeypatch):
    monkeypatch.setitem(LOCALITIES, "paragraph", f"{__name__}:ParagraphLocality")
    options.LOCALITIES.append("paragraph")
    yield "paragraph"
    options.LOCALITIES.remove("paragraph")


def test_a_new_locality_is_a_class_and_a_name(paragraphs):
    pages = cut([PAPER], paragraphs, page_tokens=100)
    assert pages.locality == "paragraph"
    assert labels(pages)[:2] == ["paragraph 1", "paragraph 2"]
    assert any(label.startswith("paragraph 4 (1/") for label in labels(pages))


def test_a_new_locality_forms_a_fixed_number_of_pages_and_truncates(paragraphs):
    assert labels(cut([PAPER], paragraphs, page_tokens=100, num_pages=2)) == [
        "paragraph 1",
        "paragraph 2",
    ]
    truncated = cut([PAPER], paragraphs, page_tokens=100, overflow="truncate")
    assert all("/" not in label for label in labels(truncated))
    assert sum(page.truncated_words for page in truncated.pages) > 0


def test_parts_of_a_sentence_longer_than_half_a_page_are_no_quotes() -> None:
    long = " ".join(f"word{number}" for number in range(200)) + "."
    text = f"It is short. {long} It ends."
    (page, *others) = cut([document(("", 1, text))], page_tokens=64).pages
    sentences = [one for each in (page, *others) for one in each.sentences]
    assert [one.text for one in sentences if one.is_quotable] == ["It is short.", "It ends."]
    assert sum(len(one.text.split()) for one in sentences) == len(text.split())
