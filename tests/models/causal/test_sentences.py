"""Language models that write sentence by sentence, with candidates from single pages."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
import torch

from pagesum_cli import PageSummarizer, load_model
from pagesum_cli.decoding.sentences import CANDIDATES, SentenceRules
from pagesum_cli.models.causal.mixing import PageRule
from pagesum_cli.models.causal.model import CausalModel

from . import tiny_language_models as tiny_models

LENGTH = 4  # tokens of a sentence
PAGES = 6
LIMIT = 1 + 5 * LENGTH  # of the summary, its start token included
Offered = list[tuple[int, ...]]

TEXTS = (
    "The harvest of rye was late in the valley, because rain fell for eleven days in April.",
    "The new library opened on Monday with forty thousand books for children.",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_models.save(tmp_path_factory.mktemp("language-model"))


@pytest.fixture(scope="module")
def model(folder: Path) -> CausalModel:
    return cast(CausalModel, load_model(str(folder), device="cpu", dtype="float32")[0])


@pytest.fixture(scope="module")
def pages() -> torch.Tensor:
    generator = torch.Generator().manual_seed(0)
    return torch.randint(10, 300, (1, PAGES, 9), generator=generator)


def generate(model: CausalModel, pages: torch.Tensor, **options: Any) -> Any:
    options = {"max_length": LIMIT, "min_length": LIMIT, "num_beams": 1, **options}
    return model.generate(pages, no_repeat_ngram_size=0, **options)


def by_sentence(
    model: CausalModel, pages: torch.Tensor, accepts: Callable[[Offered], bool], **options: Any
) -> tuple[Any, Offered]:
    """A summary in sentences of four tokens, and the sentences that were offered."""
    offered: Offered = []

    def judge(ids: Sequence[int]) -> bool:
        offered.append(tuple(ids))
        return accepts(offered)

    rules = SentenceRules(lambda ids: len(ids) > LENGTH, judge)
    return generate(model, pages, sentences=rules, **options), offered


@pytest.mark.parametrize("contrast", [0.0, 0.2])
@pytest.mark.parametrize("accepts", [True, False])
def test_what_is_accepted_at_once_or_never_is_that_of_greedy_search(
    model: CausalModel, pages: torch.Tensor, accepts: bool, contrast: float
) -> None:
    reading = replace(model.reading(), rule=PageRule(contrast=contrast))
    found, offered = by_sentence(model, pages, lambda _: accepts, reading=reading)
    greedy = generate(model, pages, reading=reading)
    assert found.sequences.tolist() == greedy.sequences.tolist()
    torch.testing.assert_close(found.page_confidences, greedy.page_confidences)
    assert len(offered) == 4 * (1 if accepts else CANDIDATES)  # the last one ends at the limit


def test_a_refused_sentence_is_written_again_from_the_most_probable_pages(
    model: CausalModel, pages: torch.Tensor
) -> None:
    found, offered = by_sentence(model, pages, lambda offered: len(offered) == 3)
    first = generate(model, pages, max_length=1 + LENGTH, min_length=0).page_confidences[0]
    best = first.mean(0).argsort(descending=True)[:2].tolist()
    for page, sentence in zip(best, offered[1:3], strict=True):
        alone = generate(model, pages[:, [page]], max_length=1 + LENGTH)
        assert tuple(alone.sequences[0, 1:].tolist()) == sentence
    assert tuple(found.sequences[0, 1 : 1 + LENGTH].tolist()) == offered[2] != offered[0]


def test_the_summary_goes_on_after_any_candidate(model: CausalModel, pages: torch.Tensor) -> None:
    """What follows is what the mixture predicts, and pages have the confidences of a summary that
    was given.
    """
    found, _ = by_sentence(model, pages, lambda offered: len(offered) % 3 == 0)
    tokens = found.sequences
    with torch.no_grad():
        labels = tokens[:, 1:].clone()
        labels[:, -1] = -100  # not read
        given = model(pages, None, tokens[:, :-1], labels=labels)
    own = given.page_confidences
    torch.testing.assert_close(found.page_confidences, own, atol=1e-3, rtol=1e-3)
    last = slice(-LENGTH, None)  # ends at the limit, and is not offered
    assert tokens[0, last].tolist() == given.logits[0, last].argmax(-1).tolist()


def test_an_end_is_not_offered(model: CausalModel, pages: torch.Tensor) -> None:
    first = int(generate(model, pages).sequences[0, 1])
    before = model.config.eos_token_id
    model.config.eos_token_id = first
    try:
        found, offered = by_sentence(model, pages, lambda _: False, min_length=0)
    finally:
        model.config.eos_token_id = before
    assert (found.sequences[0, 1:].tolist(), offered) == ([first], [])


def test_several_documents_are_proven_one_by_one(folder: Path) -> None:
    summarizer = PageSummarizer.from_pretrained(str(folder), device="cpu", dtype="float32")
    summarizer.proves = True
    files = [folder.parent / f"{number}.txt" for number in range(2)]
    for file, text in zip(files, TEXTS, strict=True):
        file.write_text(text)
    both = summarizer.summarize_batch([[file] for file in files], max_length=12)
    alone = [summarizer.summarize(file, max_length=12) for file in files]
    assert [one.text for one in both] == [one.text for one in alone]
    assert all(one.settings["proven"] for one in both)
