"""Files as the data sets of the paper are published → pages, compared with pages formed here from
the same lists.
"""

import json

import pytest
import tiny

from pagesum_cli.datasets.formats import record_of
from pagesum_cli.datasets.named import DataRequest, HubSource, _value, read_data
from pagesum_cli.datasets.readers import read_path
from pagesum_cli.locality import paginate
from pagesum_cli.options import PagingOptions

SECTIONS = {
    "i. introduction": [
        "( 1 ) as in fig . 3 .",
        "we follow smith et al . and jones .",
        "",
        "it   works .",
    ],
    "ii. data and methods": [
        f"step {number} of eq . ( {number} ) holds . then stop ." for number in range(23)
    ],
    "iii. acknowledgments": [""],
    "iv. results": ["tables are\nin the appendix .", " ", "no."],
}
ARTICLE = [
    *SECTIONS["i. introduction"],
    *SECTIONS["ii. data and methods"],
    "tables are\nin the appendix .",
    "no.",
]
"""As in the published files: a section without sentences has an empty one, the article has none for
it.
"""


@pytest.fixture(params=["arxiv", "pubmed"])
def cohan(request, tmp_path):
    """A folder of Cohan et al.'s release."""
    value = {
        "article_id": "0705.1234",
        "article_text": ARTICLE,
        "abstract_text": ["<S> we show it , see fig . 2 . </S>", "<S> it works . </S>"],
        "labels": None,
        "section_names": list(SECTIONS),
        "sections": list(SECTIONS.values()),
    }
    (tmp_path / "test.txt").write_text(json.dumps(value) + "\n")
    return request.param, tmp_path


def spatial(units, number):
    """The original's pages: as many units each, the rest on the last, a full stop on a page
    without.
    """
    size = len(units) // number
    runs = [units[page * size : (page + 1) * size] for page in range(number - 1)] + [
        units[(number - 1) * size :]
    ]
    return [" ".join(run) if run else "." for run in runs]


def one_a_page(units, number):
    return [*units[:number], *["."] * (number - len(units))]


def cut(documents, locality, number, tokens=4096):
    return [
        page.text
        for page in paginate(
            documents, PagingOptions(locality, tokens, None, number), tiny.Words()
        ).pages
    ]


@pytest.mark.parametrize("number", [7, 8, 20, 40])
def test_sentences_of_scientific_papers_are_the_units_and_names_of_sections_are_not(cohan, number):
    name, folder = cohan
    (record,) = read_data(DataRequest(name, folder), print, "spatial")
    assert cut(record.documents, "spatial", number) == spatial(ARTICLE, number)
    assert record.summary_sentences == ("we show it , see fig . 2 .", "it works .")


def test_names_of_sections_are_not_read_by_spatial_locality_without_a_number_either(cohan):
    (record,) = read_path(cohan[1])
    pages = paginate(record.documents, PagingOptions("spatial", page_tokens=64), tiny.Words()).pages
    kept = [" ".join(sentence.split()) for sentence in ARTICLE if sentence.strip()]
    assert len(pages) > 1
    assert [sentence.text for page in pages for sentence in page.sentences] == kept
    assert " ".join(page.text for page in pages) == " ".join(kept)
    for page in pages:
        for sentence in page.sentences:
            assert record.documents[0].text[sentence.start : sentence.end] == sentence.text
            assert sentence.heading in SECTIONS


@pytest.mark.parametrize("number", [3, 7, 8, 20])
def test_a_section_is_a_page_its_name_before_its_sentences(cohan, number):
    for locality_of_reading, data in (
        ("discourse", "arxiv-discourse"),
        ("discourse", cohan[0]),
        ("auto", cohan[0]),
    ):
        (record,) = read_data(DataRequest(data, cohan[1]), print, locality_of_reading)
        units = [" ".join([name, *sentences]) for name, sentences in SECTIONS.items()]
        assert cut(record.documents, "discourse", number) == one_a_page(units, number)


def test_a_section_without_words_is_left_out_of_ordinary_reading(cohan):
    (record,) = read_path(cohan[1])
    pages = paginate(
        record.documents, PagingOptions("discourse", page_tokens=512), tiny.Words()
    ).pages
    assert not any(
        "acknowledgments" in page.text or "acknowledgments" in page.label for page in pages
    )
    assert any("iv. results" in page.label for page in pages)


def test_an_article_text_that_differs_from_its_sections_is_what_spatial_pages_hold(tmp_path):
    value = {
        "article_text": ["one .", "b .", "two ."],
        "section_names": ["x"],
        "sections": [["b ."]],
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(value))
    (record,) = read_path(tmp_path / "a.jsonl")
    assert cut(record.documents, "spatial", 3) == ["one .", "b .", "two ."]
    assert cut(record.documents, "discourse", 1) == ["x b ."]


@pytest.mark.parametrize("number", [7, 20])
def test_sentences_of_govreport_are_the_units_and_headings_are_not(tmp_path, number):
    for folder in ("split_ids", "crs", "gao"):
        (tmp_path / folder).mkdir()
    (tmp_path / "split_ids" / "crs_test.ids").write_text("R1\n")
    (tmp_path / "split_ids" / "gao_test.ids").write_text("GAO-1\n")
    sentences = [f"The agency reported {count} cases to Congress." for count in range(2, 25)]
    inner = {
        "section_title": "Background",
        "paragraphs": [" ".join(sentences[10:])],
        "subsections": [],
    }
    top = {
        "section_title": "Introduction",
        "paragraphs": [" ".join(sentences[:4]), " ".join(sentences[4:10])],
    }
    report = {**top, "subsections": [inner]}
    crs = {
        "id": "R1",
        "title": "A Report",
        "reports": report,
        "summary": ["It did. It was late.", "It ended."],
    }
    gao = {
        "id": "GAO-1",
        "report": [report],
        "highlight": [{"section_title": "Why", "paragraphs": ["It did."]}],
    }
    (tmp_path / "crs" / "R1.json").write_text(json.dumps(crs))
    (tmp_path / "gao" / "GAO-1.json").write_text(json.dumps(gao))
    records = read_data(DataRequest("govreport", tmp_path), print, "spatial")
    assert len(records) == 2
    for record in records:
        assert cut(record.documents, "spatial", number) == spatial(sentences, number)
        sections = [
            " ".join(["Introduction", *sentences[:10]]),
            " ".join(["Background", *sentences[10:]]),
        ]
        assert cut(record.documents, "discourse", number) == one_a_page(sections, number)
    assert records[0].summary_sentences == ()  # paragraphs, not sentences
    assert records[0].summary == "It did. It was late. It ended."


@pytest.mark.parametrize("number", [7, 8, 20])
def test_multi_news_by_documents_and_by_sentences(tmp_path, number):
    first = [f"The storm hit town {count} on Monday." for count in range(9)]
    second = [f"Officials in county {count} said schools would close." for count in range(6)]
    cluster = (
        f"{' '.join(first[:5])} NEWLINE_CHAR NEWLINE_CHAR {' '.join(first[5:])} "
        f"||||| {' '.join(second)} |||||\n"
    )
    (tmp_path / "test.src").write_text(cluster)
    (tmp_path / "test.tgt").write_text("– A storm. It hit.\n")
    (record,) = read_data(DataRequest("multinews", tmp_path), print, "document")
    texts = [f"{' '.join(first[:5])} \n \n {' '.join(first[5:])}", " ".join(second)]
    assert cut(record.documents, "document", number) == one_a_page(texts, number)
    (record,) = read_data(DataRequest("multinews", tmp_path), print, "spatial")
    assert cut(record.documents, "spatial", number) == spatial([*first, *second], number)


LEAD = ["the okapi lives in congo .", "it eats leaves ."]
PARAGRAPHS = [
    "photos of zebras .",
    "okapis live far away . it eats leaves and fruit .",
    "the okapi lives in congo today .",
]


@pytest.fixture
def wikicatsum(tmp_path):
    """A folder of WikiCatSum's form: a title, paragraphs, and beside them bags of words that are no
    texts.
    """
    (tmp_path / "test.src").write_text(
        f"okapi <EOT> {' <EOP> '.join(PARAGRAPHS)}\nno title here .\n"
    )
    (tmp_path / "test.tgt").write_text(f"{' <SNT> '.join(LEAD)}\none sentence .\n")
    for side in ("src", "tgt"):
        (tmp_path / f"test.bow.{side}").write_text("okapi congo\n" * 2)
    return tmp_path


def test_wikicatsum_has_a_title_paragraphs_and_the_sentences_of_the_lead(wikicatsum):
    first, second = read_data(DataRequest("wikicatsum-animal", wikicatsum), print, "spatial")
    (document,) = first.documents
    assert [part for section in document.sections for part in section.parts] == [
        "okapi",
        *PARAGRAPHS,
    ]
    assert (first.summary, first.summary_sentences) == (" ".join(LEAD), tuple(LEAD))
    assert (second.texts, second.summary) == (("no title here .",), "one sentence .")


def test_paragraphs_are_ranked_by_the_bigrams_that_they_share_with_the_lead(wikicatsum):
    request = DataRequest("wikicatsum-film", wikicatsum, rank_paragraphs=True)
    record, _ = read_data(request, print, "spatial")
    (document,) = record.documents
    expected = [PARAGRAPHS[2], PARAGRAPHS[1], PARAGRAPHS[0]]  # 4, 2 and 0 bigrams of 7
    assert [one.text for one in document.sections[0].paragraphs] == expected
    read = paginate(
        [document], PagingOptions("spatial", page_tokens=64, source_tokens=7), tiny.Words()
    ).pages
    assert [page.text for page in read] == ["okapi the okapi lives in congo today"]


def test_paragraphs_of_a_cluster_are_ranked_together(tmp_path):
    texts = [
        "Wheat grew well.\n\nRain fell in May.",
        "The council met.",
        "Rain fell in May and June.",
    ]
    value = {
        "documents": [{"name": name, "text": text} for name, text in zip("abc", texts, strict=True)]
    }
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"id": "1", **value, "summary": "Rain fell in May and June."})
    )
    (record,) = read_data(DataRequest(str(tmp_path / "a.jsonl"), rank_paragraphs=True), print)
    (document,) = record.documents
    assert (document.name, document.text.split("\n\n")) == (
        "1",
        ["Rain fell in May and June.", "Rain fell in May.", "Wheat grew well.", "The council met."],
    )


def test_documents_of_a_cluster_have_an_outlet_and_a_date(tmp_path):
    known = [{"outlet": "The Herald", "date": "2024-01-03"}, {"outlet": ["x"], "date": 7}, {}]
    value = {"id": "1", "documents": [{"text": "It rained.", **one} for one in known]}
    (tmp_path / "a.jsonl").write_text(json.dumps(value))
    (record,) = read_data(DataRequest(str(tmp_path / "a.jsonl")), print)
    assert [one.origin for one in record.documents] == ["The Herald, 3 January 2024", "'x'", ""]


@pytest.mark.parametrize("part", ["train", "val", "test"])
def test_multi_news_as_its_authors_prepared_it(tmp_path, part):
    ending = "tokenized.fixed.cleaned.final.truncated.txt"
    (tmp_path / f"{part}.txt.src.{ending}").write_text(
        "a storm hit . story_separator_special_tag schools closed .\n"
    )
    (tmp_path / f"{part}.txt.tgt.{ending}").write_text("– a storm . it hit .\n")
    split = "validation" if part == "val" else part
    (record,) = read_data(DataRequest("multinews", tmp_path, split=split), print, "document")
    assert record.texts == ("a storm hit .", "schools closed .")
    assert record.summary == "– a storm . it hit ."


def test_multi_news_in_the_original_programs_folder_by_sentences(tmp_path):
    (tmp_path / "test").mkdir()
    sentences = [[f"Town {count} is {word}." for count in range(6)] for word in ("wet", "dry")]
    value = {"article": [" ".join(one) for one in sentences], "abstract": ["A sum."]}
    (tmp_path / "test" / "0.json").write_text(json.dumps(value))
    (record,) = read_data(DataRequest("multinews", tmp_path), print, "spatial")
    assert cut(record.documents, "spatial", 7) == spatial([*sentences[0], *sentences[1]], 7)


@pytest.mark.parametrize("value", [
    {"text": ["A b. C", "", "D\nE", " F "]},
    {"article": ["A b. C", "", "D\nE", " F "], "abstract": []},
    {"sections": [{"heading": "H", "text": ["A b. C", ""]},
                  {"heading": "", "text": ["D\nE", " F "]}]},
    {"documents": [{"name": "x", "text": ["A b. C", ""]}, ["D\nE", " F "]]},
    {"report": ["A b. C", "", "D\nE", " F "]},
])  # fmt: skip
def test_lists_of_sentences_are_units_in_every_form(tmp_path, value):
    (tmp_path / "a.jsonl").write_text(json.dumps({**value, "summary": ["S t. U", "V"]}))
    (record,) = read_path(tmp_path / "a.jsonl")
    assert cut(record.documents, "spatial", 4) == ["A b. C", "", "D\nE", " F "]
    assert cut(record.documents, "spatial", 2) == ["A b. C ", "D\nE  F "]
    if "abstract" not in value:
        assert record.summary_sentences == ("S t. U", "V")


def test_a_document_without_words_is_a_page_of_the_paper_alone(tmp_path):
    documents = [
        {"name": "a", "text": "One is."},
        {"name": "b", "text": []},
        {"name": "c", "text": ["Two are."]},
    ]
    (tmp_path / "a.jsonl").write_text(json.dumps({"documents": documents}))
    (record,) = read_path(tmp_path / "a.jsonl")
    assert cut(record.documents, "document", 4) == ["One is.", "", "Two are.", "."]
    pages = paginate(
        record.documents, PagingOptions("document", page_tokens=64), tiny.Words()
    ).pages
    assert [page.label for page in pages] == ["a", "c"]


def test_a_page_too_long_begins_with_the_tokens_that_the_original_reads(tmp_path):
    units = ["It\nrained  all day .", "", "Nobody\t\tknew  why ,", "not even  he . "] * 29
    tokenizer = tiny.byte_level([*units, "Rome ."])
    (tmp_path / "a.jsonl").write_text(json.dumps({"article": units, "abstract": ["x"]}))
    (record,) = read_path(tmp_path / "a.jsonl")
    pages = paginate(record.documents, PagingOptions("spatial", 64, None, 2), tokenizer)
    encoded = tokenizer.encode_pages(pages, 64, spaced=False)
    for page, text, ids in zip(pages.pages, spatial(units, 2), encoded, strict=True):
        assert text.startswith(page.text)
        assert len(page.text) < len(text)
        whole = tokenizer.encode(text)
        assert ids.ids == [*whole[:63], whole[-1]]


def test_rows_of_the_hub_with_one_sentence_a_line_or_in_lists():
    source = HubSource("a/b", "", "article", "abstract", lines_are_sentences=True)
    row = {
        "id": "1",
        "document": "fig . 3 shows it .\n\nend .",
        "summary": "we follow smith et al .\nit works .",
    }
    record = record_of(_value(row, source))
    assert cut(record.documents, "spatial", 3) == ["fig . 3 shows it .", "", "end ."]
    assert record.summary_sentences == ("we follow smith et al .", "it works .")
    lists = {
        "id": "1",
        "document": ["fig . 3", "shows it ."],
        "summary": ["we follow smith et al .", "it works ."],
    }
    for other in (HubSource("a/b", "", "x", "y", has_clusters=True), source):
        record = record_of(_value(lists, other))
        assert cut(record.documents, "spatial", 2) == ["fig . 3", "shows it ."]
        assert record.summary_sentences == ("we follow smith et al .", "it works .")
