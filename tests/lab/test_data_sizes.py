"""Documents and tokens by split."""

import json

import pytest
import tiny
from tiny import TEXTS

from pagesum_cli.datasets.named import DataRequest
from pagesum_cli.errors import PagesumError
from pagesum_cli.lab.data_sizes import (
    counting_tokenizer,
    data_sizes,
    stem_token_ratio,
)
from pagesum_cli.lab.published import published_sizes


def line(documents, summary):
    named = [{"name": str(number), "text": text} for number, text in enumerate(documents)]
    return json.dumps({"documents": named, "summary": summary})


@pytest.fixture
def folder(tmp_path):
    """A data set with two of three splits; one record is a cluster, one has no summary."""
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "test.jsonl").write_text(
        "\n".join([line(TEXTS[:2], "Prices rose."), line(TEXTS[2:3], "")])
    )
    (folder / "val.jsonl").write_text(line([f"{TEXTS[3]}\n\n{TEXTS[4]}"], TEXTS[0]))
    return folder


def test_tokens_of_each_split_are_those_of_its_texts(folder):
    tokenizer = tiny.word_piece(TEXTS)

    def length(text):
        return len(tokenizer.backend.encode(text, add_special_tokens=False).ids)

    result = data_sizes(DataRequest(data=str(folder)), tokenizer, "tiny")
    validation, test = result.splits
    assert (validation.split, test.split) == ("validation", "test")
    assert (test.documents, test.summaries) == (2, 1)
    # of a cluster, the sum
    assert test.document_tokens == pytest.approx(sum(map(length, TEXTS[:3])) / 2)
    assert test.summary_tokens == length("Prices rose.")
    assert validation.document_tokens == length(f"{TEXTS[3]} {TEXTS[4]}")
    assert validation.summary_tokens == length(TEXTS[0])
    assert (validation.summary_words, validation.summary_sentences) == (len(TEXTS[0].split()), 2)
    assert validation.document_words == len(f"{TEXTS[3]} {TEXTS[4]}".split())
    assert result.published == {}
    limited = data_sizes(DataRequest(data=str(folder), limit=1), tokenizer, "tiny")
    assert [one.documents for one in limited.splits] == [1, 1]


def test_words_that_repeat_lower_the_stem_token_ratio(folder):
    # farm, farm, farm, mill
    assert stem_token_ratio(["Farms and farming: the farm, the mill."]) == 2 / 4
    assert stem_token_ratio(["Wheat grew.", "Rain fell."]) == 1
    assert stem_token_ratio(["of the 12"]) == 0
    tokenizer = tiny.word_piece(TEXTS)
    (folder / "test.jsonl").write_text(line(["Wheat grew.", "Wheat grew."], "Rain."))
    assert (
        data_sizes(DataRequest(data=str(folder)), tokenizer, "tiny").splits[1].stem_token_ratio
        == 50
    )
    unique = data_sizes(
        DataRequest(data=str(folder), limit=1), tokenizer, "tiny", source_tokens=2
    ).splits[1]
    assert unique.document_tokens < 5


def test_lists_of_sentences_count_as_sentences(tmp_path):
    value = {"text": "Wheat grew.", "summary": ["Rain fell. It ended.", "Wheat grew."]}
    (tmp_path / "a.jsonl").write_text(json.dumps(value))
    (one,) = data_sizes(
        DataRequest(data=str(tmp_path / "a.jsonl")), tiny.word_piece(TEXTS), "tiny"
    ).splits
    assert (one.summary_sentences, one.summary_words) == (2, 6)


def test_data_without_splits(folder):
    tokenizer = tiny.word_piece(TEXTS)
    (one,) = data_sizes(DataRequest(data=str(folder / "test.jsonl")), tokenizer, "tiny").splits
    assert (one.split, one.documents) == ("all", 2)
    (folder / "test.jsonl").unlink()
    (folder / "val.jsonl").unlink()
    with pytest.raises(PagesumError, match="no test split"):
        data_sizes(DataRequest(data=str(folder)), tokenizer, "tiny")


def test_the_tokenizer_is_barts_unless_another_is_named(tiny_checkpoint):
    name, tokenizer = counting_tokenizer(str(tiny_checkpoint))
    assert (name, tokenizer.count([TEXTS[0]])) == (
        str(tiny_checkpoint),
        tiny.word_piece(TEXTS).count([TEXTS[0]]),
    )
    assert counting_tokenizer(None)[0] == "BART"


def test_the_papers_figures_are_found_by_name():
    for name in ("arxiv", "arxiv-discourse"):
        found = published_sizes("statistics", name)
        assert (found["train"], found["document"], found["summary"]) == ("203K", 8154.3, 197.8)
    assert published_sizes("word_statistics", "wikicatsum-film")["lemma_token_ratio"] == 59.46
    assert published_sizes("input_statistics", "summscreen-tms")["document"] == 6420
    assert published_sizes("input_statistics", "booksum-book") == {
        "dataset": "booksum_book", "documents": "436", "document": 112885, "summary": 1167
    }  # fmt: skip
    for table, other in (
        ("statistics", "cnndm"),
        ("word_statistics", "arxiv"),
        ("input_statistics", "govreport"),
    ):
        assert published_sizes(table, "my.jsonl") == published_sizes(table, other) == {}


def test_the_command(pagesum, folder, tiny_checkpoint, tmp_path):
    command = ["analyze", "data", "--data", folder, "--model", tiny_checkpoint]
    done = pagesum(*command, "--export", tmp_path / "a.json", "--export", tmp_path / "a.csv")
    assert done.code == 0, done.err
    numbers = json.loads((tmp_path / "a.json").read_text())
    assert [one["documents"] for one in numbers["splits"]] == [1, 2]
    assert f"{numbers['splits'][1]['document_tokens']:,.1f}" in done.out
    assert (
        (tmp_path / "a.csv")
        .read_text()
        .startswith("split,documents,summaries,document_tokens,summary_tokens,")
    )
    for flags, reason in (
        (["--export", "a.png"], "unknown extension .png"),
        (["--data-dir", tmp_path], "--data-dir does nothing"),
    ):
        refused = pagesum(*command, *flags)
        assert (refused.code, refused.out) == (2, "")
        assert reason in refused.err
    assert pagesum("analyze", "data").code == 2


def test_published_figures_stand_below_their_split():
    from rich.console import Console

    from pagesum_cli.lab.data_sizes import DataSizes, SplitSize
    from pagesum_cli.views.analyses import sizes_view

    paper = {
        "train": "203K",
        "validation": "6.4K",
        "test": "6.5K",
        "document": 8154.3,
        "summary": 197.8,
    }
    of_summary = {
        "summary_words": 150.0,
        "summary_sentences": 5.5,
        "stem_token_ratio": 40.25,
        "document_words": 6000.0,
    }
    splits = (
        SplitSize("validation", 6436, 6436, 8000.04, 200, **of_summary),
        SplitSize("test", 6440, 6440, 7000, 199, **of_summary),
    )
    words = {
        "documents": [5, 3, 2],
        "summary_words": 99.5,
        "summary_sentences": 4.5,
        "lemma_token_ratio": 50.5,
    }
    console = Console(width=100, record=True, file=open("/dev/null", "w"))  # noqa: SIM115
    inputs = {"documents": "215K", "document": 6913, "summary": 292}
    console.print(sizes_view(DataSizes("arxiv", "BART", splits, paper, words, inputs)))
    lines = [" ".join(text.split()) for text in console.export_text().splitlines()]
    assert lines[1:5] == [
        "validation 6,436 8,000.0 200.0",
        "validation, published 6.4K 8,154.3 197.8",
        "test 6,440 7,000.0 199.0",
        "test, published 6.5K",
    ]
    assert lines[7:9] == ["validation 6,000.0 150.00 5.50 40.25", "test 6,000.0 150.00 5.50 40.25"]
    assert "215K documents of all splits; 6,913 words per document and 292 per summary" in " ".join(
        lines
    )
    assert (
        "5 + 3 + 2 documents; 99.5 words and 4.5 sentences per summary; lemma–token ratio 50.5"
        in " ".join(lines)
    )
