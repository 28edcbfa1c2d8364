"""Sentences chosen for a summary."""

import json
import lzma
from pathlib import Path

from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from pagesum_cli.training.extracts import choose, read_extracts

BODY = [
    "The weather was fine on the day of the visit.",
    "We propose a new method that reads every page of a report.",
    "It rained in the evening and nobody went out again.",
    "The method is faster than all others on three data sets.",
    "A method.",
]
SUMMARY = "We propose a method that reads every page. It is faster than all others on three data sets."


def test_the_sentences_that_say_what_the_summary_says() -> None:
    assert sorted(choose(BODY, SUMMARY)) == [1, 3]
    assert choose(BODY, "") == []
    assert choose([], SUMMARY) == []


def test_records_become_token_ids(tmp_path: Path) -> None:
    text = "\n".join(" ".join(BODY[i : i + 2]) for i in (0, 2))
    records = [
        {"id": "a", "source": "x", "sections": [{"heading": "Intro", "text": text}], "summary": SUMMARY},
        {"id": "b", "source": "left out", "sections": [{"heading": "", "text": text}], "summary": SUMMARY},
        {"id": "c", "source": "x", "sections": [{"heading": "", "text": text}], "summary": " "},
    ]
    path = tmp_path / "records.jsonl.xz"
    with lzma.open(path, "wt") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    tokenizer = Tokenizer(models.WordLevel(unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer.train_from_iterator([text, SUMMARY], trainers.WordLevelTrainer(special_tokens=["?"]))
    (found,) = read_extracts(path, tokenizer, frozenset({"left out"}))
    assert found.id == "a"
    assert [tokenizer.decode(ids.tolist()) for ids in found.sentences] == BODY[:4]
    assert found.sections.tolist() == [0, 0, 0, 0]
    assert sorted(found.chosen) == [1, 3]
    assert tokenizer.decode(found.summary.tolist()) == SUMMARY
