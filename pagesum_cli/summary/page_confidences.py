"""Page confidences by step of a summary, and the figures for the paper's two observations on them.

No model is needed. ``T`` steps, ``P`` pages. The steps of a quoted summary are its sentences.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from operator import mul

from .summary import Summary, SummarySentence, SummaryToken

UNITS = ("token", "word", "sentence")  # kinds of steps

_TRIMMED = re.compile(r"\w.*\w|\w")


@dataclass(frozen=True)
class Step:
    """A token, word or sentence of the summary."""

    text: str  # without the space around it
    space: bool  # whether a space follows
    sentence: int  # index of its sentence in the summary
    confidences: tuple[float, ...]  # each page's ĉ, averaged over the step's tokens, ``P``
    tokens: int = 1  # number of tokens, 1 for a quoted sentence
    # of the step in a given text, summed over its tokens, in nats; None if not computed
    log_probability: float | None = None


def steps_of(summary: Summary, by: str) -> list[Step]:
    """Split a summary into tokens, words or sentences; into sentences if it has no tokens."""
    if not summary.tokens or by == "sentence":
        return _sentence_steps(summary)
    tokens = _token_steps(summary)
    if by == "token":
        return tokens
    words: list[list[Step]] = [[]]
    for token in tokens:
        words[-1].append(token)
        if token.space:
            words.append([])
    return [_joined(word) for word in words if word]


def page_of(sentence: SummarySentence) -> int:
    """Page that a quoted sentence stands on, or the strongest page of a generated one."""
    return sentence.source.page if sentence.source else sentence.pages[0].page


def _token_steps(summary: Summary) -> list[Step]:
    owners = _sentence_of_tokens(summary)
    steps: list[Step] = []
    following = [token.text for token in summary.tokens[1:]] + [""]
    for token, after, owner in zip(summary.tokens, following, owners, strict=True):
        text = " ".join(token.text.split())
        space = token.text[-1:].isspace() or after[:1].isspace()
        step = Step(text, space, owner, token.confidences, 1, token.log_probability)
        if text or not steps:
            steps.append(step)
        else:  # a token of white space alone belongs to the step before
            steps[-1] = _joined([steps[-1], step])
    return steps


def _sentence_of_tokens(summary: Summary) -> list[int]:
    """Index of the sentence of each token, by counting the characters other than spaces."""
    ends = list(accumulate(_letters(sentence.text) for sentence in summary.sentences))
    owners, seen, owner = [], 0, 0
    for token in summary.tokens:
        while owner < len(ends) - 1 and seen >= ends[owner]:
            owner += 1
        owners.append(owner)
        seen += _letters(token.text)
    return owners


def _letters(text: str) -> int:
    return sum(map(len, text.split()))


def _sentence_steps(summary: Summary) -> list[Step]:
    tokens: list[list[SummaryToken]] = [[] for _ in summary.sentences]
    for token, owner in zip(summary.tokens, _sentence_of_tokens(summary), strict=True):
        tokens[owner].append(token)
    steps = []
    for number, (sentence, own) in enumerate(zip(summary.sentences, tokens, strict=True)):
        shares = {share.page: share.confidence for share in sentence.pages}
        confidences = tuple(shares.get(page.page, 0.0) for page in summary.pages)
        steps.append(
            Step(
                " ".join(sentence.shown.split()),
                True,
                number,
                confidences,
                max(len(own), 1),
                _summed(own),
            )
        )
    return steps


def _joined(steps: Sequence[Step]) -> Step:
    weights = [step.tokens for step in steps]
    columns = zip(*(step.confidences for step in steps), strict=True)
    return Step(
        "".join(step.text for step in steps),
        steps[-1].space,
        steps[0].sentence,
        tuple(math.fsum(map(mul, weights, column)) / sum(weights) for column in columns),
        sum(weights),
        _summed(steps),
    )


def _summed(scored: Sequence[Step | SummaryToken]) -> float | None:
    scores = [one.log_probability for one in scored if one.log_probability is not None]
    return math.fsum(scores) if scores else None


@dataclass(frozen=True)
class LocalityFigures:
    """Figures for the two observations that the paper makes on its Figure 3, for which it gives no
    numbers.
    """

    # steps, pages: ``T`` and ``P``
    steps: int
    pages: int
    # space locality: entropy of ĉ at a step, divided by ``ln P``; mean over steps. 0: one page has
    # all the weight; 1: all pages have the same. 0 for a single page
    entropy: float
    largest: float  # space locality: the largest ĉ of a step; mean over steps
    # time locality: total-variation distance ``½ Σ_j |ĉ_(i,j) − ĉ_(i+1,j)|`` of a step and the
    # next, the weight that moves to other pages; mean over the ``T − 1`` pairs. None for a single
    # step
    change: float | None
    # its expectation for the steps in random order: the mean over all pairs of steps, exact
    change_shuffled: float | None


def locality_figures(steps: Sequence[Step]) -> LocalityFigures:
    """Compute the figures of at least one step."""
    count, pages = len(steps), len(steps[0].confidences)
    change = change_shuffled = None
    if count > 1:
        change = math.fsum(_moved(first, second) for first, second in pairwise(steps)) / (count - 1)
        # Sums of |a − b| over all pairs of a page's values: in order, the k-th is above k others
        # and below the rest.
        columns = map(sorted, zip(*(step.confidences for step in steps), strict=True))
        between = (
            (2 * place - count + 1) * value
            for values in columns
            for place, value in enumerate(values)
        )
        change_shuffled = math.fsum(between) / (count * (count - 1))
    shares = [share for step in steps for share in step.confidences]
    return LocalityFigures(
        steps=count,
        pages=pages,
        entropy=math.fsum(-share * math.log(share) for share in shares if share > 0)
        / count
        / math.log(max(pages, 2)),
        largest=math.fsum(max(step.confidences) for step in steps) / count,
        change=change,
        change_shuffled=change_shuffled,
    )


def _moved(first: Step, second: Step) -> float:
    """Total-variation distance of the confidences of two steps."""
    return (
        math.fsum(abs(a - b) for a, b in zip(first.confidences, second.confidences, strict=True))
        / 2
    )


def leader(confidences: Sequence[float]) -> int:
    """Index of the strongest page, the first of equals."""
    return max(range(len(confidences)), key=confidences.__getitem__)


@dataclass(frozen=True)
class PageFigures:
    """One page's part in a summary."""

    page: int  # its number
    share: float  # mean confidence over the summary's steps, 0–1
    # its highest confidence, and ``peak_word``, the word at which it occurs (empty without tokens)
    peak: float
    peak_word: str
    # indices of the sentences quoted from it or, if generated, of which it is the strongest page
    sentences: tuple[int, ...]
    words: int  # number of words of which it is the strongest page, or that are quoted from it


def page_figures(summary: Summary) -> list[PageFigures]:
    """Compute each page's figures, in page order; without tokens, those of whole sentences."""
    words = steps_of(summary, "word")
    origins = [page_of(sentence) for sentence in summary.sentences]
    counts: Counter[int] = Counter()
    for word in words:
        owner = leader(word.confidences) if summary.tokens else origins[word.sentence]
        counts[owner] += len(word.text.split())
    figures = []
    for page in summary.pages:
        shares = [word.confidences[page.page] for word in words]
        peak = words[shares.index(max(shares))] if shares else None
        figures.append(
            PageFigures(
                page=page.page,
                share=page.confidence,
                peak=max(shares, default=0.0),
                peak_word=trimmed(peak.text) if peak and summary.tokens else "",
                sentences=tuple(
                    number for number, origin in enumerate(origins) if origin == page.page
                ),
                words=counts[page.page],
            )
        )
    return figures


def trimmed(text: str) -> str:
    """A word without the punctuation around it."""
    return " ".join(_TRIMMED.findall(text))
