"""The bundled checkpoint's training, in miniature and for real."""

import itertools
import json
import lzma
import random
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from pagesum_cli import PageSummarizer, load_model
from pagesum_cli.documents.document import Document, Paragraph, Section
from pagesum_cli.errors import PagesumError
from pagesum_cli.marks import FIRST_RANK, HEADING, MARKS, WANTED
from pagesum_cli.training import mini
from pagesum_cli.training.extracts import Extract, Piece

WORDS = [f"w{number}" for number in range(12)]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    chance = random.Random(0)
    path = tmp_path / "records.jsonl.xz"
    with lzma.open(path, "wt") as file:
        for number in range(20):
            sentences = [" ".join(chance.choices(WORDS, k=12)).capitalize() + "." for _ in range(60)]
            sections = [{"heading": f"w{n}", "text": " ".join(sentences[n * 20 : n * 20 + 20])} for n in range(3)]
            record = {"id": str(number), "source": "toy", "licence": "CC0-1.0", "sections": sections}
            record["summary"] = " ".join(sentences[::15])
            file.write(json.dumps(record) + "\n")
    return path


def document() -> Extract:
    """Six sentences of ten tokens on two pages, each under a heading; the second and the fifth were chosen."""
    sentences = [Piece(FIRST_RANK, np.array(ids(n), dtype=np.uint16), {4: 0, 1: 1}.get(n), n / 10) for n in range(6)]
    headings = [Piece(HEADING, np.array([150 + n], dtype=np.uint16)) for n in range(2)]
    return Extract("x", [0, 1], [[headings[0], *sentences[:3]], [headings[1], *sentences[3:]]], 40)


def ids(number: int) -> list[int]:
    return [*range(200 + 10 * number, 209 + 10 * number), mini.SENTENCE_ENDS[0]]


def test_the_marked_sentences_are_the_target() -> None:
    task = mini.Task(mini.marked_example, documents=1, pages=2, target_tokens=34)
    lengths = set()
    for seed in range(30):
        example = mini.marked_example(document(), task, random.Random(seed))
        wanted = [
            page[place + 1 : place + 11]
            for page in example.pages
            for place, token in enumerate(page)
            if token >= mini.FIRST_MARK + WANTED and token < mini.FIRST_MARK + MARKS
        ]
        marks = [mini.FIRST_MARK + WANTED + number for number in range(len(wanted))]
        said = [token for mark, sentence in zip(marks, wanted, strict=True) for token in (mark, *sentence)]
        assert example.target == [*said, mini.END]
        assert all(
            token in example.pages[page] for token, page in zip(example.target, example.target_pages[:-1], strict=False)
        )
        assert example.target_pages[-1] == mini.NO_LABEL
        assert not example.salience
        lengths.add(len(wanted))
    assert lengths == {1, 2, 3}


def test_the_chosen_sentences_are_the_target_and_every_sentence_is_judged() -> None:
    task = mini.Task(mini.extract_example, documents=1, pages=2, target_tokens=100)
    example = mini.extract_example(document(), task, random.Random(0))
    assert example.target == [*ids(1), *ids(4), mini.END]
    assert example.target_pages == [0] * 10 + [1] * 10 + [mini.NO_LABEL]
    assert [page[:4] for page in example.pages] == [
        [mini.START, mini.FIRST_MARK + place, mini.FIRST_MARK + HEADING, 150 + place] for place in range(2)
    ]
    for number, (page, place, chosen, worth) in enumerate(example.salience):
        assert example.pages[page][place : place + 2] == [mini.FIRST_MARK + FIRST_RANK, ids(number)[0]]
        assert (chosen, worth) == (float(number in (1, 4)), number / 10)


def test_what_was_chosen_first_goes_first_where_room_is_short() -> None:
    task = mini.Task(mini.extract_example, documents=1, pages=2, target_tokens=15)
    assert mini.extract_example(document(), task, random.Random(0)).target == [*ids(4), mini.END]


def test_examples_of_several_lengths_become_a_batch() -> None:
    judged = mini.salience_example(document(), mini.Task(mini.salience_example, 1, 1), random.Random(0))
    assert not judged.target
    task = mini.Task(mini.extract_example, documents=1, pages=2, target_tokens=100)
    batch = mini.collate([judged, mini.extract_example(document(), task, random.Random(0))])
    assert batch["input_ids"].shape == batch["attention_mask"].shape == (2, 2, 38)
    assert batch["labels"].shape == batch["page_labels"].shape == (2, 21)
    assert batch["salience"].shape == (3 + 6, 5)
    assert batch["summary_tokens"].tolist() == [40, 40]
    for document_number, page, place, *_ in batch["salience"].tolist():
        assert batch["input_ids"][int(document_number), int(page), int(place)] == mini.FIRST_MARK + FIRST_RANK


def test_the_recipe_of_the_package_is_whole() -> None:
    recipe = mini.Recipe.read(steps=1000)
    assert recipe.stage(0).tasks[0].make is mini.marked_example
    assert {task.make for task in recipe.stage(559).tasks} == set(mini.TASKS.values())
    last = recipe.stage(560)
    assert {task.untitled for task in last.tasks if task.make is mini.salience_example} == {0.15}
    assert recipe.rate(0) == pytest.approx(1 / recipe.warmup)
    assert recipe.rate(recipe.warmup) == recipe.rate(int(recipe.keep * 1000)) == 1
    assert recipe.rate(500) == pytest.approx((0.56 - 0.5) / (0.56 - recipe.keep))
    assert recipe.rate(559) == 0.02
    assert recipe.rate(560) == last.anew
    assert recipe.rate(780) == pytest.approx(last.anew / 2)
    assert recipe.rate(999) == last.anew * 0.02


def test_a_title_is_taken_away_from_every_page() -> None:
    task = mini.Task(mini.salience_example, documents=1, pages=2, untitled=0.5)
    titled = replace(document(), is_titled=True)
    whole, bare = (
        mini.salience_example(one, replace(task, untitled=0.0), random.Random(0))
        for one in (
            titled,
            replace(titled, pages=[page[1:] for page in titled.pages]),
        )
    )
    found = [mini.salience_example(titled, task, random.Random(seed)) for seed in range(30)]
    assert [one for one in found if one == whole]
    assert [one for one in found if one == bare]
    assert all(one in (whole, bare) for one in found)
    untitled = [mini.salience_example(document(), task, random.Random(seed)) for seed in range(30)]
    assert all(one == whole for one in untitled)


def test_documents_of_some_collections_come_less_often() -> None:
    documents = [replace(document(), source=source) for source in ("often", "seldom")]
    documents[1].pages[0] = documents[1].pages[0][:1]  # told apart by its length
    stage = mini.Stage(1.0, (mini.Task(mini.salience_example, 1, 2),), rarer={"seldom": 0.2})
    made = itertools.islice(mini.batches(documents, stage, random.Random(0)), 600)
    seldom = sum(int(batch["attention_mask"][0, 0].sum()) < 10 for batch in made)
    assert 60 < seldom < 140


@pytest.mark.slow
def test_a_run_stops_and_continues_and_becomes_a_checkpoint(encoder: Path, data: Path, tmp_path: Path) -> None:
    recipe = replace(mini.Recipe.read(steps=100), data=(data.name,), left_out=frozenset({"other"}))
    run = tmp_path / "run"

    def stop(line: dict[str, float]) -> None:
        if line["step"] == 3:
            raise KeyboardInterrupt

    where = (data.parent, encoder, run)
    with pytest.raises(KeyboardInterrupt):
        mini.train(recipe, *where, device="cpu", on_step=stop)
    (run / "log.jsonl").unlink()
    mini.train(recipe, *where, device="cpu")
    lines = [json.loads(line) for line in (run / "log.jsonl").read_text().splitlines()]
    assert [line["step"] for line in lines] == list(range(1, 101))
    words = [line["words"] for line in lines if "words" in line and "salience" not in line]
    assert sum(words[-5:]) / 5 < sum(words[:5]) / 5 - 0.1
    mini.train(recipe, *where, device="cpu")  # done already: nothing is added
    assert torch.load(run / "state.pt", weights_only=True)["step"] == 100
    assert len((run / "log.jsonl").read_text().splitlines()) == 100

    assert (run / "ATTRIBUTION.tsv").read_text().splitlines()[1] == "toy\t0\tCC0-1.0"
    model, tokenizer = load_model(str(run), device="cpu")
    assert (model.config.page_tokens, model.config.plans) == (recipe.page_tokens, True)
    summary = PageSummarizer(model, tokenizer, name="run").summarize(
        Document("a", (Section("w1", (Paragraph("W1 w2 w3 w4 w5 w6 w7 w8 w9. " * 30),)),))
    )
    assert len(summary.pages) == 1


def test_documents_without_a_sentence_to_say_end_the_run() -> None:
    stub = Extract("x", [0], [[Piece(FIRST_RANK, np.array([5, 6], dtype=np.uint16))]], 3)
    with pytest.raises(PagesumError, match="no document"):
        next(mini.batches([stub], mini.Stage(1.0, (mini.Task(mini.marked_example, 1, 1, 30),)), random.Random(0)))


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(PagesumError, match=r"papers_and_proposals.train.jsonl.xz: no such file"):
        mini.train(mini.Recipe.read(), tmp_path, tmp_path, tmp_path / "run", device="cpu")
