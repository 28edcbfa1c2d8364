"""Documents in passages, and claims, as models that classify a pair of texts read them."""

from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from .encoders import ModelMetric, framed, reach, token_ids
from .protocol import scored_sentences


def claims(metric: ModelMetric, text: str) -> list[list[list[int]]]:
    """The tokens of each sentence, in parts of at most half of what the model reads at once."""
    half = _room(metric) // 2
    sentences = (token_ids(metric.tokenizer, sentence) for sentence in scored_sentences(text))
    return [[ids[start : start + half] for start in range(0, len(ids), half)] for ids in sentences if ids]


def passages(metric: ModelMetric, sources: Sequence[str], claim: int) -> Iterator[list[int]]:
    """The tokens of each document, in passages of as many whole sentences as the model reads beside a claim.

    Args:
        metric: Holds the model.
        sources: The documents.
        claim: Number of tokens of the claim.
    """
    room = _room(metric) - claim
    for source in sources:
        passage: list[int] = []
        for sentence in scored_sentences(source):
            ids = token_ids(metric.tokenizer, sentence)
            if passage and len(passage) + len(ids) > room:
                yield passage
                passage = []
            for start in range(0, len(ids), room):
                part = ids[start : start + room]
                if len(passage) + len(part) > room:
                    yield passage
                    passage = []
                passage = [*passage, *part]
        if passage:
            yield passage


def probabilities(metric: ModelMetric, passage: list[int], claim: list[int]) -> Tensor:
    """The probabilities of the model's classes for a passage and a claim."""
    inputs, _ = framed(metric.tokenizer, passage, claim)
    with torch.inference_mode():
        logits: Tensor = metric.model(**inputs.to(metric.model.device)).logits[0]
    return logits.float().softmax(-1)


def _room(metric: ModelMetric) -> int:
    return reach(metric.model, metric.tokenizer) - metric.tokenizer.num_special_tokens_to_add(True)
