"""The original program's pages, formed on the path that data sets take: folder → records →
pages.
"""

import json
from pathlib import Path

import pytest
import tiny

from pagesum_cli.datasets.formats import units_of
from pagesum_cli.datasets.readers import read_path
from pagesum_cli.locality import paginate
from pagesum_cli.options import PagingOptions

REFERENCE = json.loads(
    (Path(__file__).parents[1] / "data" / "pages.json").read_text(encoding="utf-8")
)
"""What the original program forms of each document for 7, 8 and 20 pages (a part of its reference
output).
"""

BROKEN = ("nested_lists", "one_number")
"""Units that are not text: the original fills all pages with a full stop; here the record is
reported.
"""
EMPTY = ("n0", "empty_strings")
"""Documents without a word, which are reported too."""


def summary_of(name):
    return [f"Summary one of {name} .", " two  ."]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("original")
    (folder / "test").mkdir()
    for number, (name, units) in enumerate(REFERENCE["documents"].items()):
        value = {"article": units, "abstract": summary_of(name)}
        (folder / "test" / f"{number}.json").write_text(json.dumps(value))
    return folder


def records_of(folder, locality):
    problems = []
    names = list(REFERENCE["documents"])
    records = {
        names[int(one.id)]: one
        for one in read_path(folder, "test", units_of(locality), problems.append)
    }
    return records, problems


@pytest.mark.parametrize(
    ("locality", "page_type"),
    [("spatial", None), ("document", "multi_doc"), ("discourse", "multi_doc")],
)
def test_pages_of_a_data_set_are_the_original_programs(folder, locality, page_type):
    records, problems = records_of(folder, locality)
    compared = 0
    for case in REFERENCE["results"]:
        if case["page_type"] != page_type or case["doc"] in (*BROKEN, *EMPTY):
            continue
        options = PagingOptions(locality, page_tokens=4096, num_pages=case["num_pages"])
        record = records[case["doc"]]
        pages = paginate(record.documents, options, tiny.Words())
        assert [page.text for page in pages.pages] == case["pages"], (
            case["doc"],
            case["num_pages"],
        )
        assert not any(page.truncated_words for page in pages.pages)
        assert record.summary == case["target"]
        assert record.summary_sentences == (f"Summary one of {case['doc']} .", "two .")
        compared += 1
    assert compared == 3 * (len(REFERENCE["documents"]) - len(BROKEN) - len(EMPTY))
    assert len(problems) == len(BROKEN) + len(EMPTY)


@pytest.mark.parametrize("locality", ["spatial", "document", "discourse"])
def test_without_a_number_of_pages_units_without_words_are_left_out_and_no_word_is_lost(
    folder, locality
):
    records, _ = records_of(folder, locality)
    units = REFERENCE["documents"]["spaces"]
    pages = paginate(
        records["spaces"].documents, PagingOptions(locality, page_tokens=512), tiny.Words()
    ).pages
    assert " ".join(page.text for page in pages).split() == " ".join(units).split()
    assert all(sentence.text.strip() for page in pages for sentence in page.sentences)
