"""Search over a scorer that is a table: every expectation is computed by hand or by brute force."""

import itertools
from collections.abc import Mapping

import pytest
import torch

from pagesum_cli.decoding.rules import Rule, standard_rules
from pagesum_cli.decoding.scorer import Hypotheses, SearchResult, Step
from pagesum_cli.decoding.search import beam_search, greedy_search

START, END, PAD, VOCABULARY, PAGES = 0, 1, 2, 6, 3


class Table:
    """Next-token logits that depend on the last two tokens alone."""

    def __init__(self, seed: int, batch: int, beams: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.logits = (
            torch.randn(batch, VOCABULARY, VOCABULARY, VOCABULARY, generator=generator) * 2
        )
        self.before = torch.full((batch, beams), START)
        self.last: torch.Tensor | None = None

    def step(self, tokens: torch.Tensor, parents: torch.Tensor | None) -> Step:
        rows = torch.arange(tokens.shape[0])[:, None]
        if self.last is not None:
            self.before = self.last if parents is None else self.last[rows, parents]
        self.last = tokens
        shares = torch.zeros(*tokens.shape, PAGES)
        shares[..., 0] = tokens  # so that one can tell later which token a row came from
        return Step(self.logits[rows, self.before, tokens], {"page": shares})


def rules(max_length: int = 6, **settings: int) -> list[Rule]:
    return standard_rules(
        max_length, **{"min_length": 0, "no_repeat_ngram_size": 0, "eos_token_id": END, **settings}
    )


def search(
    scorer: Table, beams: int, max_length: int = 6, given: list[Rule] | None = None, **settings
) -> SearchResult:
    start = torch.full((len(scorer.logits),), START)
    chosen = rules(max_length) if given is None else given
    common = {"max_length": max_length, "eos_token_id": END, "pad_token_id": PAD}
    if beams == 1:
        return greedy_search(scorer, start, chosen, **common, **settings)
    defaults = {"length_penalty": 1.0, "early_stopping": False}
    return beam_search(scorer, start, beams, chosen, **common, **{**defaults, **settings})


def score(table: torch.Tensor, sequence: tuple[int, ...]) -> float:
    total, before, last = 0.0, START, START
    for token in sequence:
        total += table[before, last].log_softmax(-1)[token].item()
        before, last = last, token
    return total


def test_a_wide_beam_finds_the_best_of_all_summaries() -> None:
    length = 4
    for seed in range(5):
        scorer = Table(seed, batch=1, beams=200)
        result = search(scorer, 200, length)
        tokens, scores = result.tokens, result.scores
        others = [token for token in range(VOCABULARY) if token != END]
        finished = [
            (*body, END) for n in range(length - 1) for body in itertools.product(others, repeat=n)
        ]
        running = list(itertools.product(others, repeat=length - 1))
        best = max(
            (score(scorer.logits[0], s) / (len(s) if s[-1] == END else len(s) + 1), s)
            for s in finished + running
        )
        assert tuple(t for t in tokens[0, 1:].tolist() if t != PAD or t in best[1]) == best[1]
        assert scores[0].item() == pytest.approx(best[0], abs=1e-4)


def test_greedy_takes_the_best_token_and_pads_what_has_ended() -> None:
    scorer = Table(3, batch=4, beams=1)
    result = search(scorer, 1, 8)
    tokens, sums, confidences = result.tokens, result.scores, result.traces["page"]
    for document in range(4):
        before, last, expected = START, START, [START]
        while len(expected) < 8 and last != END:
            before, last = last, int(scorer.logits[document, before, last].argmax())
            expected.append(last)
        found = tokens[document].tolist()
        assert found == expected + [PAD] * (tokens.shape[1] - len(expected))
        assert sums[document].item() == pytest.approx(
            score(scorer.logits[document], tuple(expected[1:])), abs=1e-4
        )
        assert confidences[document, : len(expected) - 1, 0].tolist() == expected[:-1]
        assert confidences[document, len(expected) - 1 :].eq(0).all()


def test_confidences_follow_their_beam() -> None:
    scorer = Table(11, batch=3, beams=4)
    result = search(scorer, 4, 12, rules(12, min_length=6), num_return_sequences=4)
    tokens, confidences = result.tokens, result.traces["page"]
    assert tokens.shape[0] == 12
    for sequence, shares in zip(tokens.tolist(), confidences, strict=True):
        length = sequence.index(END) if END in sequence else len(sequence) - 1
        assert shares[:length, 0].tolist() == sequence[:length]


def test_rules_hold_in_what_is_generated() -> None:
    given = rules(
        14, min_length=9, no_repeat_ngram_size=2, forced_bos_token_id=4, forced_eos_token_id=END
    )
    for beams in (1, 3):
        result = search(
            Table(5, batch=4, beams=beams),
            beams,
            14,
            given,
            **({"early_stopping": True} if beams > 1 else {}),
        )
        for sequence in result.tokens.tolist():
            end = sequence.index(END)
            assert sequence[1] == 4
            assert 9 <= end < 14
            pairs = list(itertools.pairwise(sequence[:end]))
            assert len(pairs) == len(set(pairs))


@pytest.mark.parametrize("beams", [1, 3])
def test_a_rule_may_read_a_trace(beams: int) -> None:
    """The search carries traces that it does not know, and a rule handed to it uses one by its
    name.
    """
    seen = []

    def rule(
        hypotheses: Hypotheses, scores: torch.Tensor, trace: Mapping[str, torch.Tensor]
    ) -> None:
        if hypotheses.length > 1:
            # the token before the newest
            last = hypotheses.traces["page"][:, :, hypotheses.length - 2, 0]
            assert last.tolist() == hypotheses.tokens[:, :, hypotheses.length - 2].tolist()
            seen.append(hypotheses.length)

    search(Table(3, 2, beams), beams, 6, [*rules(min_length=6), rule])
    assert seen[:2] == [2, 3]


def test_progress_is_reported_at_every_step() -> None:
    for beams in (1, 2):
        steps: list[tuple[int, int, bool]] = []
        search(
            Table(3, 1, beams),
            beams,
            on_step=lambda n, of, new: steps.append((n, of, new is None)),  # noqa: B023
        )
        assert steps == [(n, 6, beams > 1) for n in range(2, 2 + len(steps))]
