"""A language model that chooses among numbers, compared with the probabilities that Transformers
computes for each answer on its own.
"""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import pytest
import torch

from pagesum_cli import load_model
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.models.causal.choosing import BEGINNING, CausalChooser
from pagesum_cli.models.causal.model import CausalModel
from pagesum_cli.models.extractive.edited import editor_of
from pagesum_cli.options import GenerationOptions

from . import tiny_language_models as tiny_models

ALLOWED = (3, 7, 12, 13, 130, 131, 205)
MESSAGE = "Choose. [3] One. <|end|> [7] Two."


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.save(tmp_path_factory.mktemp("models") / "llama")


@pytest.fixture(scope="module")
def chooser(folder: Path) -> CausalChooser:
    model, tokenizer = load_model(str(folder), device="cpu", dtype="float32")
    assert tokenizer
    return CausalChooser(cast(CausalModel, model), tokenizer, "tiny")


def expected(chooser: CausalChooser, allowed: tuple[int, ...]) -> dict[int, float]:
    """By reading each answer from its beginning on: the product of the probabilities of its tokens
    among those that an allowed answer can have there.
    """
    language_model: Any = chooser._model.language_model
    prompt = chooser._prompt
    encode = chooser._tokenizer.encode
    before = [*prompt.before, *encode(MESSAGE), *prompt.after, *encode(BEGINNING)]
    ends = {encode("1,")[-1], encode("1]")[-1]}
    answers = {number: encode(str(number)) for number in allowed}
    found = {}
    for number, ids in answers.items():
        logits = language_model(torch.tensor([[*before, *ids]])).logits[0].double()
        total = torch.tensor(0.0).double()
        for place in range(len(ids) + 1):
            beside = [own for own in answers.values() if own[:place] == ids[:place]]
            following = {own[place] for own in beside if len(own) > place}
            following |= ends if any(len(own) == place for own in beside) else set()
            scores = logits[len(before) - 1 + place].softmax(0)
            own = {ids[place]} if place < len(ids) else ends
            total += (scores[list(own)].sum() / scores[list(following)].sum()).log()
        found[number] = float(total)
    return found


def test_numbers_have_the_probabilities_of_the_model(chooser: CausalChooser) -> None:
    with torch.inference_mode():
        found = chooser.log_probabilities(MESSAGE, ALLOWED)
        assert found == pytest.approx(expected(chooser, ALLOWED), abs=1e-4)
    assert sum(torch.tensor(list(found.values())).exp()) == pytest.approx(1, abs=1e-5)


def test_an_answer_ranks_the_numbers(chooser: CausalChooser) -> None:
    with torch.inference_mode():
        scores = chooser.log_probabilities(MESSAGE, ALLOWED)
    numbers = json.loads(chooser.answer(MESSAGE, ALLOWED, 4))["numbers"]
    assert len(numbers) == 4
    assert all(scores[first] >= scores[second] for first, second in pairwise(numbers))
    assert json.loads(chooser.answer(MESSAGE, {8}, 4)) == {"numbers": [8]}


def test_what_is_too_long_to_read_is_an_error(chooser: CausalChooser) -> None:
    with pytest.raises(PagesumError, match="expected at most 512"):
        chooser.answer("word " * 600, ALLOWED, 4)


def test_a_folder_is_an_editor(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    options = GenerationOptions(editor=str(folder))
    model = editor_of(options, "cpu").model
    assert model.is_ranking
    assert editor_of(options, "cpu").model is model
    with pytest.raises(UsageError, match="expected a language model"):
        editor_of(GenerationOptions(editor="mini"), "cpu")
