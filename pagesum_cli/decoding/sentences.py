"""Greedy search sentence by sentence: candidates from several sources until one is accepted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import torch
from torch import Tensor

from .rules import Rule
from .scorer import Hypotheses, OnStep, Scorer, SearchResult, Step

CANDIDATES = 4  # for each sentence, the first included


class SourceScorer(Scorer, Protocol):
    """A scorer of one document and one hypothesis that can write a sentence in several ways."""

    def resumed(self) -> "SourceScorer":
        """A scorer that continues from the tokens that this one has read so far.

        What was read after them is lost: no other scorer that was resumed before may go on.
        """
        ...

    def source_logits(self, source: int) -> Tensor:
        """The scores ``(1, 1, V')`` of the next token by one of the sources alone."""
        ...

    def sources(self, rows: Tensor) -> Sequence[int]:
        """The sources that a sentence may come from, the most probable one first.

        ``rows`` ``(T, P)`` are the page confidences of its tokens.
        """
        ...


@dataclass(frozen=True)
class SentenceRules:
    """What a search by sentences asks about their token ids."""

    ends: Callable[[Sequence[int]], bool]
    """Whether these hold a whole sentence, and the last one of them belongs to the next."""
    accepts: Callable[[Sequence[int]], bool]
    """Whether a sentence may stay; of the candidates, the first one that may is taken."""


@dataclass(frozen=True)
class Beginning:
    """A summary that ends with a sentence, and what its scorer says of the next token."""

    hypotheses: Hypotheses
    scorer: SourceScorer
    step: Step
    has_ended: bool = False

    def ids_after(self, before: "Beginning") -> list[int]:
        """The tokens that it has more than another one."""
        return self.hypotheses.prefixes[0, 0, before.hypotheses.length :].tolist()

    def rows_after(self, before: "Beginning") -> Tensor:
        """The page confidences ``(T, P)`` of the steps after these tokens."""
        rows = self.hypotheses.traces["page"][0, 0]
        later = rows[before.hypotheses.length : self.hypotheses.length - 1]
        return torch.cat([later, self.step.trace["page"][0]])


@dataclass(frozen=True)
class SentenceSearch:
    """Greedy search that offers each sentence to :class:`SentenceRules`.

    The first candidate of a sentence is written as in greedy search; the others, up to
    :data:`CANDIDATES`, by one source each, those from which the first one most probably came. If
    none is accepted, the first one stays.
    """

    scorer: SourceScorer
    rules: Sequence[Rule]
    sentences: SentenceRules
    max_length: int
    eos_token_id: int
    pad_token_id: int
    on_step: OnStep | None = None

    def result(self, start: Tensor) -> SearchResult:
        """The summary that begins with start tokens ``(1,)``; it has no score."""
        hypotheses = Hypotheses(start[:, None], self.max_length, self.pad_token_id)
        written = Beginning(hypotheses, self.scorer, self.scorer.step(start[:, None], None))
        while not written.has_ended and written.hypotheses.length < self.max_length:
            written = self._longer(written)
        found = written.hypotheses
        traces = {name: rows[:, 0, : found.length - 1] for name, rows in found.traces.items()}
        return SearchResult(found.prefixes[:, 0], torch.zeros(len(start)), traces)

    def _longer(self, beginning: Beginning) -> Beginning:
        """The beginning with one more sentence."""
        first = self._with_sentence(beginning, None)
        is_empty = first.has_ended and first.hypotheses.length == beginning.hypotheses.length + 1
        is_cut_off = first.hypotheses.length == self.max_length
        if is_empty or is_cut_off or self._accepts(first, beginning):
            return first
        for source in self.scorer.sources(first.rows_after(beginning))[: CANDIDATES - 1]:
            candidate = self._with_sentence(beginning, source)
            if self._accepts(candidate, beginning):
                return candidate
        return self._with_sentence(beginning, None)  # the others took the place of the first one

    def _accepts(self, candidate: Beginning, beginning: Beginning) -> bool:
        return self.sentences.accepts(candidate.ids_after(beginning))

    def _with_sentence(self, beginning: Beginning, source: int | None) -> Beginning:
        """The beginning with a sentence by all sources, or by one alone."""
        scorer, step, written = beginning.scorer.resumed(), beginning.step, beginning.hypotheses
        ids: list[int] = []
        while written.length < self.max_length:
            logits = step.logits if source is None else scorer.source_logits(source)
            token = self._best(written, logits, step)
            ids.append(int(token))
            if self.sentences.ends(ids):
                break
            written = written.extended(torch.zeros_like(token), token, step.trace)
            if ids[-1] == self.eos_token_id:
                return Beginning(written, scorer, step, has_ended=True)
            if self.on_step is not None:
                self.on_step(written.length, self.max_length, None)
            step = scorer.step(token, None)
        return Beginning(written, scorer, step)

    def _best(self, written: Hypotheses, logits: Tensor, step: Step) -> Tensor:
        """The best next token ``(1, 1)`` under the rules."""
        scores = logits.float().clone()
        for rule in self.rules:
            rule(written, scores, step.trace)
        return scores.argmax(dim=-1)
