"""Each rule by hand, and all together against a beam search in plain Python that scores every
hypothesis anew.
"""

import itertools
import math
from collections.abc import Callable

import pytest
import torch

from pagesum_cli.decoding.rules import (
    CoveragePenalty,
    MinLength,
    NoRepeatNgram,
    Rule,
    standard_rules,
)
from pagesum_cli.decoding.scorer import Hypotheses, SearchResult, Step
from pagesum_cli.decoding.search import LENGTH_NORMALIZATIONS, beam_search, greedy_search
from pagesum_cli.options import GenerationOptions, row_of

START, END, PAD, STOP, VOCABULARY, POSITIONS = 0, 1, 2, 3, 7, 4
SEARCH = {"eos_token_id": END, "pad_token_id": PAD}


class Copying:
    """Log probabilities and attention that depend on the last two tokens; the last position is
    padding.
    """

    def __init__(self, seed: int, beams: int) -> None:
        generator = torch.Generator().manual_seed(seed)
        self.logits = torch.randn(VOCABULARY, VOCABULARY, VOCABULARY, generator=generator) * 2
        self.attention = (
            torch.randn(VOCABULARY, VOCABULARY, POSITIONS, generator=generator) * 3
        ).softmax(-1)
        self.attention[..., -1] = 0
        self.attention /= self.attention.sum(-1, keepdim=True)
        self.before = torch.full((1, beams), START)
        self.last: torch.Tensor | None = None

    def step(self, tokens: torch.Tensor, parents: torch.Tensor | None) -> Step:
        if self.last is not None:
            self.before = self.last if parents is None else self.last.gather(1, parents)
        self.last = tokens
        return Step(
            self.logits[self.before, tokens], {"attention": self.attention[self.before, tokens]}
        )

    def score(self, tokens: tuple[int, ...], alpha: float, beta: float) -> float:
        """GNMT's normalized log probability less the coverage penalty, for tokens after the start
        token.
        """
        sequence, total, coverage = (START, START, *tokens), 0.0, [0.0] * POSITIONS
        for before, last, token in zip(sequence, sequence[1:], sequence[2:], strict=False):
            total += self.logits[before, last].log_softmax(-1)[token].item()
            coverage = [
                c + a for c, a in zip(coverage, self.attention[before, last].tolist(), strict=True)
            ]
        real = POSITIONS - 1
        total -= beta * (sum(max(covered, 1.0) for covered in coverage[:real]) - real)
        return total / ((5 + len(tokens) + 1) / 6) ** alpha


def plain_beam_search(
    score: Callable[[tuple[int, ...]], float], beams: int, max_length: int
) -> list[tuple[float, tuple[int, ...]]]:
    """Best hypotheses first. ``score`` is of a whole hypothesis; those of one length are normalized
    alike.
    """
    running: list[tuple[int, ...]] = [()]
    finished: list[tuple[float, tuple[int, ...]]] = []
    for _ in range(max_length - 1):
        extended = [(*tokens, token) for tokens in running for token in range(VOCABULARY)]
        ranked = sorted(((score(tokens), tokens) for tokens in extended), reverse=True)
        finished += [entry for entry in ranked[:beams] if entry[1][-1] == END]
        finished = sorted(finished, reverse=True)[:beams]
        running = [tokens for _, tokens in ranked if tokens[-1] != END][:beams]
        if len(finished) == beams and finished[-1][0] >= ranked[0][0]:
            return finished
    return sorted(finished + [(score(tokens), tokens) for tokens in running], reverse=True)[:beams]


def search(
    scorer: Copying, beams: int, rules: list[Rule], max_length: int, **settings: object
) -> SearchResult:
    start = torch.tensor([START])
    if beams == 1:
        return greedy_search(scorer, start, rules, max_length=max_length, **SEARCH)
    common = {"max_length": max_length, "length_penalty": 1.0, "early_stopping": False, **SEARCH}
    return beam_search(scorer, start, beams, rules, **{**common, **settings})


def tokens_of(row: list[int]) -> tuple[int, ...]:
    """The generated tokens, the end token included, without what stands after it."""
    return tuple(row[1 : row.index(END, 1) + 1] if END in row[1:] else row[1:])


def hypotheses_of(rows: list[list[int]]) -> Hypotheses:
    """Hypotheses of one document."""
    tokens = torch.tensor(rows)
    hypotheses = Hypotheses(tokens[None, :, 0], tokens.shape[1] + 1, PAD)
    for column in tokens.T[1:]:
        hypotheses.append(column[None], {})
    return hypotheses


@pytest.mark.parametrize(("alpha", "beta"), [(0.0, 5.0), (0.9, 0.0), (0.9, 0.5), (0.9, 5.0)])
def test_beams_with_both_penalties_are_those_of_a_plain_beam_search(
    alpha: float, beta: float
) -> None:
    plain_changes = 0
    for seed in range(12):
        beams, max_length = 3, 9
        scorer = Copying(seed, beams)
        rules = standard_rules(max_length, 0, 0, END, coverage_penalty=beta)
        settings = {
            "length_penalty": alpha,
            "length_normalization": "gnmt",
            "num_return_sequences": beams,
        }
        result = search(scorer, beams, rules, max_length, **settings)
        expected = plain_beam_search(
            lambda tokens: scorer.score(tokens, alpha, beta),  # noqa: B023
            beams,
            max_length,
        )
        assert [tokens_of(row) for row in result.tokens.tolist()] == [
            tokens for _, tokens in expected
        ]
        assert result.scores.tolist() == pytest.approx([score for score, _ in expected], abs=1e-4)
        plain_changes += expected != plain_beam_search(
            lambda tokens: scorer.score(tokens, 0, 0),  # noqa: B023
            beams,
            max_length,
        )
    assert plain_changes > 6


def test_a_wide_beam_finds_the_best_of_all_summaries_by_both_penalties() -> None:
    length, alpha, beta = 4, 0.9, 5.0
    others = [token for token in range(VOCABULARY) if token != END]
    finished = [
        (*body, END) for n in range(length - 1) for body in itertools.product(others, repeat=n)
    ]
    for seed in range(5):
        scorer = Copying(seed, 400)
        rules = standard_rules(length, 0, 0, END, coverage_penalty=beta)
        result = search(
            scorer, 400, rules, length, length_penalty=alpha, length_normalization="gnmt"
        )
        every = [*finished, *itertools.product(others, repeat=length - 1)]
        best = max((scorer.score(tokens, alpha, beta), tokens) for tokens in every)
        assert tokens_of(result.tokens[0].tolist()) == best[1]
        assert result.scores[0].item() == pytest.approx(best[0], abs=1e-4)


def test_lengths_are_counted_as_each_program_counts_them() -> None:
    """Start, three words and the end: the original program counts 4, OpenNMT 5; cut before the end,
    both count 4.
    """
    power, gnmt = LENGTH_NORMALIZATIONS["power"], LENGTH_NORMALIZATIONS["gnmt"]
    assert power(4, True, 0.9) == power(4, False, 0.9) == pytest.approx(math.exp(0.9 * math.log(4)))
    assert gnmt(4, True, 0.9) == pytest.approx((10 / 6) ** 0.9)
    assert gnmt(4, False, 0.9) == pytest.approx(1.5**0.9)
    option = GenerationOptions.__dataclass_fields__["length_normalization"]
    assert tuple(LENGTH_NORMALIZATIONS) == row_of(option).choices


def test_the_coverage_penalty_grows_by_what_is_read_again() -> None:
    steps = torch.tensor(
        [
            [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0]],
            [[0.5, 0.5, 0.0], [0.75, 0.25, 0.0]],
            [[0.0, 1.0, 0.0]] * 2,
        ]
    )
    expected = [[0.0, 0.0], [2.5, 1.25], [2.5, 3.75]]  # 5 times what exceeds 1, newly
    hypotheses = Hypotheses(torch.full((1, 2), START), 4, PAD)
    for attention, penalties in zip(steps, expected, strict=True):
        scores = torch.zeros(1, 2, VOCABULARY)
        scores[..., PAD] = float("-inf")
        CoveragePenalty(5.0)(hypotheses, scores, {"attention": attention[None]})
        assert scores[0, :, END].tolist() == [-one for one in penalties]
        assert torch.equal(scores[..., START], scores[..., END])
        assert scores[..., PAD].eq(float("-inf")).all()
        hypotheses.append(torch.full((1, 2), STOP), {"attention": attention[None]})


def test_the_coverage_penalty_changes_nothing_in_greedy_search() -> None:
    plain = search(Copying(1, 1), 1, standard_rules(9, 8, 0, END), 9)
    penalized = search(Copying(1, 1), 1, standard_rules(9, 8, 0, END, coverage_penalty=5.0), 9)
    assert torch.equal(plain.tokens, penalized.tokens)
    torch.testing.assert_close(plain.scores, penalized.scores)


def ngrams(tokens: list[int], size: int) -> set[tuple[int, ...]]:
    return {tuple(tokens[i : i + size]) for i in range(len(tokens) - size + 1)}


def sentences_of(tokens: list[int], ends: set[int]) -> list[list[int]]:
    """The sentences without the tokens that end them; the last may not have ended."""
    found: list[list[int]] = [[]]
    for token in tokens:
        if token in ends:
            found.append([])
        else:
            found[-1].append(token)
    return found


def banned_tokens(rule: Rule, prefixes: torch.Tensor, vocabulary: int) -> torch.Tensor:
    """Which tokens ``(R, V)`` a rule excludes after each prefix ``(R, length)``; one more token is
    never excluded.
    """
    hypotheses = Hypotheses(prefixes[:, :1], prefixes.shape[1], PAD)
    hypotheses.tokens, hypotheses.length = prefixes[:, None], prefixes.shape[1]
    scores = torch.zeros(len(prefixes), 1, vocabulary + 1)
    rule(hypotheses, scores, {})
    assert not scores[..., vocabulary].any()
    return scores[:, 0, :vocabulary].isneginf()


@pytest.mark.parametrize("size", [1, 2, 3])
def test_repeated_ngrams_by_counting(size: int) -> None:
    torch.manual_seed(0)
    prefixes = torch.randint(0, 4, (50, 12))
    banned = banned_tokens(NoRepeatNgram(size), prefixes, 4)
    for row, prefix in zip(banned.tolist(), prefixes.tolist(), strict=True):
        tail = tuple(prefix[len(prefix) - size + 1 :])
        assert row == [(*tail, token) in ngrams(prefix, size) for token in range(4)]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_ngrams_with_an_unblocked_token_may_repeat(size: int) -> None:
    torch.manual_seed(0)
    prefixes, unblocked = torch.randint(0, 5, (60, 14)), {0, 3}
    banned = banned_tokens(NoRepeatNgram(size, tuple(unblocked)), prefixes, 5)
    for row, prefix in zip(banned.tolist(), prefixes.tolist(), strict=True):
        tail = prefix[len(prefix) - size + 1 :]
        candidates = [(*tail, token) for token in range(5)]
        assert row == [
            one in ngrams(prefix, size) and not unblocked & set(one) for one in candidates
        ]


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_sentence_may_repeat_itself_but_no_earlier_sentence(size: int) -> None:
    torch.manual_seed(0)
    prefixes, ends = torch.randint(0, 5, (60, 14)), {0, 3}
    banned = banned_tokens(NoRepeatNgram(size, tuple(ends), between_sentences=True), prefixes, 5)
    for row, prefix in zip(banned.tolist(), prefixes.tolist(), strict=True):
        *earlier, current = sentences_of(prefix, ends)
        seen = set().union(*(ngrams(sentence, size) for sentence in earlier))
        whole = len(current) >= size - 1
        tail = current[len(current) - size + 1 :] if whole else []
        assert row == [whole and token not in ends and (*tail, token) in seen for token in range(5)]
    assert banned.any()


@pytest.mark.parametrize("beams", [1, 4])
def test_no_sentence_of_a_summary_shares_an_ngram_with_another(beams: int) -> None:
    repeated_inside = 0
    for seed in range(8):
        rules = standard_rules(24, 20, 2, END, unblocked_token_ids=[STOP], between_sentences=True)
        for row in search(Copying(seed, beams), beams, rules, 24).tokens.tolist():
            sentences = sentences_of([token for token in tokens_of(row) if token != END], {STOP})
            for one, other in itertools.combinations(sentences, 2):
                assert not ngrams(one, 2) & ngrams(other, 2)
            repeated_inside += any(len(ngrams(one, 2)) < len(one) - 1 for one in sentences)
    assert repeated_inside


def test_a_hypothesis_without_any_other_token_may_repeat() -> None:
    hypotheses = hypotheses_of([[START, 3, 4, 5, 6, 2], [START, 3, 3, 3, 3, 3]])
    scores = torch.zeros(1, 2, VOCABULARY)
    for rule in standard_rules(20, 10, 1, END):
        rule(hypotheses, scores, {})
    everything = {START, 2, 3, 4, 5, 6}  # the first hypothesis has had all, and may not end
    allowed = [
        {token for token, score in enumerate(row) if score == 0} for row in scores[0].tolist()
    ]
    assert allowed == [everything, everything - {START, 3}]


@pytest.mark.parametrize("beams", [1, 3])
def test_a_search_survives_when_everything_is_blocked(beams: int) -> None:
    rules: list[Rule] = [MinLength(11, END), NoRepeatNgram(1)]
    result = search(Copying(2, beams), beams, rules, 12)
    tokens = tokens_of(result.tokens[0].tolist())
    assert len(tokens) >= 10
    assert len(set(tokens[:5])) == 5  # until nothing is left, nothing repeats
    assert result.scores.isfinite().all()
    assert result.scores.item() > -1e3
