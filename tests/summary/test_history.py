"""Summaries that are kept, and those in files."""

import json
import stat
import sys
from dataclasses import replace

import pytest

from pagesum_cli.errors import PagesumError
from pagesum_cli.summary.history import KEPT, read_saved, recall, remember, saved_in
from pagesum_cli.summary.summary import (
    PageShare,
    Summary,
    SummaryPage,
    SummarySentence,
    SummaryToken,
)

SUMMARY = Summary(
    model="m",
    locality="spatial",
    title="t",
    text="It rained.",
    sentences=(SummarySentence("It rained.", (PageShare(1, 0.7), PageShare(0, 0.3))),),
    tokens=(SummaryToken("It rained.", (0.3, 0.7)),),
    pages=tuple(
        SummaryPage(page, f"p{page}", "a", (), 3, False, (0.3, 0.7)[page]) for page in range(2)
    ),
    settings={},
    seconds={},
)


def test_the_last_summary_comes_back():
    remember(replace(SUMMARY, title="older"))
    remember(SUMMARY)
    assert recall() == SUMMARY
    assert recall(2).title == "older"


def test_only_the_newest_are_kept(history):
    for number in range(KEPT + 3):
        remember(replace(SUMMARY, title=str(number)))
    assert len(list(history.iterdir())) == KEPT
    assert recall().title == str(KEPT + 2)
    assert recall(KEPT).title == "3"


@pytest.mark.skipif(sys.platform == "win32", reason="no such permissions")
def test_only_the_user_can_read_them(history):
    remember(SUMMARY)
    assert stat.S_IMODE(history.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in history.iterdir()] == [0o600]


def test_a_home_that_cannot_be_written_stops_nothing(history):
    history.parent.mkdir(exist_ok=True)
    history.write_text("a file where the folder should be")
    remember(SUMMARY)
    with pytest.raises(PagesumError, match="no summary is kept"):
        recall()


def test_asking_for_too_much():
    with pytest.raises(PagesumError, match="no summary is kept"):
        recall()
    remember(SUMMARY)
    with pytest.raises(PagesumError, match="one summary is kept"):
        recall(2)


def test_a_damaged_one_is_named(history):
    remember(SUMMARY)
    (file,) = history.iterdir()
    file.write_text("{")
    with pytest.raises(PagesumError, match="cannot be read"):
        recall()


def test_json_and_json_lines_are_recognized(tmp_path):
    one, many = tmp_path / "one.json", tmp_path / "many.jsonl"
    one.write_text(json.dumps(SUMMARY.to_json(), indent=2))
    many.write_text("\n".join([json.dumps(SUMMARY.to_json())] * 3))
    assert read_saved("one", saved_in(str(one))) == [SUMMARY]
    assert len(read_saved("many", saved_in(str(many)))) == 3
    assert read_saved("-", saved_in("-", one.read_bytes())) == [SUMMARY]


@pytest.mark.parametrize(
    "text",
    [
        '{"id": 1, "text": "words", "summary": "w"}',
        "[1, 2]",
        "",
        "plain words",
        "{" * 100_000,
        "\x00\xff",
    ],
)
def test_other_files_are_left_to_others(tmp_path, text):
    path = tmp_path / "a.json"
    path.write_text(text, encoding="utf-8")
    assert saved_in(str(path)) is None


def broken(**changes):
    return {**json.loads(json.dumps(SUMMARY.to_json())), **changes}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (broken(schema=7), "schema 7 where 1 was expected"),
        ({"schema": 1, "metrics": {}}, "expected a summary, found other JSON .*`model`"),
        (broken(pages=[]), "pages numbered from 0"),
        (broken(tokens=[{"text": "a", "confidences": [1.0]}]), "2 confidences per token"),
        (broken(tokens=[{"text": "a", "confidences": ["x", "y"]}]), "other JSON"),
        (broken(tokens=[{"text": "a", "confidences": [float("nan"), 0.5]}]), "between 0 and 1"),
        (
            broken(sentences=[{"text": "a", "pages": [{"page": 9, "confidence": 1}]}]),
            "pages 0 to 1",
        ),
        (broken(sentences=[{"text": 5, "pages": [{"page": 0, "confidence": 1}]}]), "other JSON"),
        (broken(sentences="x"), "other JSON"),
        (broken(title=None), "other JSON"),
        (
            broken(tokens=[{"text": "a", "confidences": [1, 0], "log_probability": "low"}]),
            "other JSON",
        ),
        (broken(pages=[{**page, "pdf_pages": ["i"]} for page in broken()["pages"]]), "other JSON"),
    ],
)
def test_other_json_is_refused_in_one_line(data, reason):
    with pytest.raises(PagesumError, match=reason) as caught:
        read_saved("result.json", [data])
    assert caught.value.message.startswith("result.json: ")
    assert "\n" not in caught.value.message


def test_halves_of_surrogate_pairs_can_be_exported(tmp_path, pagesum):
    saved = tmp_path / "s.json"
    saved.write_text(json.dumps({**SUMMARY.to_json(), "title": "A \ud800 b"}))
    result = pagesum(
        "inspect", saved, "--export", tmp_path / "o.json", "--export", tmp_path / "o.html"
    )
    assert result.code == 0
    assert json.loads((tmp_path / "o.json").read_bytes())["title"] == "A ? b"


def test_deeply_nested_json_is_refused_in_one_line(history):
    history.mkdir(parents=True)
    (history / "1.json").write_text("[" * 100_000)
    with pytest.raises(PagesumError, match="cannot be read"):
        recall()


@pytest.mark.parametrize(
    "change",
    [
        {"settings": "s"},
        {"settings": []},
        {"seconds": None},
        {"seconds": {"read": "long"}},
        {
            "pages": [
                {**SUMMARY.to_json()["pages"][0], "tokens": 1.5},
                SUMMARY.to_json()["pages"][1],
            ]
        },
        {
            "pages": [
                {**SUMMARY.to_json()["pages"][0], "page": 10**400},
                SUMMARY.to_json()["pages"][1],
            ]
        },
        {"tokens": [{"text": "a", "confidences": [0.3, 0.7], "log_probability": 10**400}]},
    ],
)
def test_values_of_another_type_are_refused_in_one_line(change):
    with pytest.raises(PagesumError, match="expected a summary") as caught:
        read_saved("x.json", [{**SUMMARY.to_json(), **change}])
    assert "\n" not in caught.value.message
