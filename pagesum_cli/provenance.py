"""Which page said what: a summary's steps, the figures behind the paper's two observations, and the evidence for it.

Pure functions over :class:`~pagesum_cli.summary.Summary`; no model is needed. ``T`` steps, ``P`` pages.
"""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby, pairwise
from operator import mul

from .documents.document import Sentence
from .locality.page import Pages
from .summary import SourceSentence, Summary, SummarySentence, SummaryToken

UNITS = ("token", "word", "sentence")
"""What a step of a picture is."""

SUPPORTED = 0.25
"""Below this support no sentence of the document says what the summary's sentence says; docs/inspect.md tells why."""

EVIDENCE_OF_PAGE = 2
"""Sentences of the strongest page that are shown as evidence, at most."""

GAIN = 0.1
"""What a further sentence must add to the support to be evidence too."""


@dataclass(frozen=True)
class Step:
    """A token, word or sentence of the summary.

    Attributes:
        text: without the space around it.
        space: whether a space follows.
        sentence: the place of its sentence in the summary.
        confidences: each page's ĉ, averaged over the step's tokens, ``P``.
        tokens: how many tokens it has.
        log_probability: of the step in a given text, summed over its tokens, in nats; None where there is none.
    """

    text: str
    space: bool
    sentence: int
    confidences: tuple[float, ...]
    tokens: int = 1
    log_probability: float | None = None


def steps_of(summary: Summary, by: str) -> list[Step]:
    """The steps of a summary.

    Args:
        by: ``token``, ``word`` or ``sentence``. A summary that was saved without its tokens has sentences only.
    """
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


def _token_steps(summary: Summary) -> list[Step]:
    owners = _sentence_of_tokens(summary)
    steps: list[Step] = []
    following = [token.text for token in summary.tokens[1:]] + [""]
    for token, after, owner in zip(summary.tokens, following, owners, strict=True):
        text = " ".join(token.text.split())
        space = token.text[-1:].isspace() or after[:1].isspace()
        if text or not steps:
            steps.append(Step(text, space, owner, token.confidences, 1, token.log_probability))
        else:  # a piece that is nothing but a space belongs to the one before
            steps[-1] = _joined([steps[-1], Step("", space, owner, token.confidences, 1, token.log_probability)])
    return steps


def _sentence_of_tokens(summary: Summary) -> list[int]:
    """The sentence of each token, told by counting the characters that are no spaces."""
    ends: list[int] = []
    for sentence in summary.sentences:
        ends.append((ends[-1] if ends else 0) + _letters(sentence.text))
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
        text = " ".join(sentence.text.split())
        steps.append(Step(text, True, number, confidences, max(len(own), 1), _summed(own)))
    return steps


def _joined(steps: Sequence[Step]) -> Step:
    count = sum(step.tokens for step in steps)
    columns = zip(*(step.confidences for step in steps), strict=True)
    weights = [step.tokens for step in steps]
    return Step(
        "".join(step.text for step in steps),
        steps[-1].space,
        steps[0].sentence,
        tuple(math.fsum(map(mul, weights, column)) / count for column in columns),
        count,
        _summed(steps),
    )


def _summed(scored: Sequence[Step | SummaryToken]) -> float | None:
    scores = [one.log_probability for one in scored if one.log_probability is not None]
    return math.fsum(scores) if scores else None


@dataclass(frozen=True)
class LocalityFigures:
    """The figures behind the paper's two observations on page confidences.

    Attributes:
        steps, pages: ``T`` and ``P``.
        pages_for_80: space locality: the number of pages, strongest first, that hold 80 % of the weight; mean of steps.
        entropy: space locality: of ĉ at a step, in bits; mean of steps. At most ``log2 P``.
        stays: time locality: the share of steps at which the strongest page is that of the step before.
        run: time locality: mean number of steps in a row with the same strongest page.
        stays_shuffled, run_shuffled: the same of the steps in random order: the exact expectation of ``stays``, and the
            number of steps divided by the expected number of runs.
    """

    steps: int
    pages: int
    pages_for_80: float
    entropy: float
    stays: float
    run: float
    stays_shuffled: float
    run_shuffled: float


def locality_figures(steps: Sequence[Step]) -> LocalityFigures:
    """The figures of at least one step."""
    count = len(steps)
    leaders = [leader(step.confidences) for step in steps]
    pairs = max(count - 1, 1)
    same = sum(first == second for first, second in pairwise(leaders))
    alike = sum(number * (number - 1) for number in Counter(leaders).values()) / max(count * (count - 1), 1)
    return LocalityFigures(
        steps=count,
        pages=len(steps[0].confidences),
        pages_for_80=sum(_pages_for(step.confidences, 0.8) for step in steps) / count,
        entropy=sum(_entropy(step.confidences) for step in steps) / count,
        stays=same / pairs,
        run=count / (count - same),
        stays_shuffled=alike,
        run_shuffled=count / (1 + (count - 1) * (1 - alike)),
    )


def leader(confidences: Sequence[float]) -> int:
    """The strongest page, the first of equals."""
    return max(range(len(confidences)), key=confidences.__getitem__)


def _pages_for(confidences: Sequence[float], share: float) -> int:
    wanted = share * sum(confidences) - 1e-9
    held = accumulate(sorted(confidences, reverse=True))
    return next(number for number, weight in enumerate(held, start=1) if weight >= wanted)


def _entropy(confidences: Sequence[float]) -> float:
    return -sum(share * math.log2(share) for share in confidences if share > 0)


@dataclass(frozen=True)
class PageFigures:
    """What one page did in a summary.

    Attributes:
        page: its number.
        share: mean confidence over the summary's steps, 0–1.
        peak: its greatest confidence, and ``peak_word`` the word at which it had it.
        sentences: the sentences (by place) in which it was the strongest page.
        words: how many words it was the strongest page of.
    """

    page: int
    share: float
    peak: float
    peak_word: str
    sentences: tuple[int, ...]
    words: int


def page_figures(summary: Summary) -> list[PageFigures]:
    """What each page did, in page order. Without saved tokens, peaks and words are those of whole sentences."""
    words, sentences = steps_of(summary, "word"), steps_of(summary, "sentence")
    led = [leader(sentence.confidences) for sentence in sentences]
    spoken: Counter[int] = Counter()
    for word in words:
        spoken[leader(word.confidences)] += len(word.text.split())
    figures = []
    for place, page in enumerate(summary.pages):
        peak = max(words, key=lambda word, place=place: word.confidences[place], default=None)
        figures.append(
            PageFigures(
                page=page.page,
                share=page.confidence,
                peak=peak.confidences[place] if peak else 0.0,
                peak_word=" ".join(_TRIMMED.findall(peak.text)) if peak and summary.tokens else "",
                sentences=tuple(number for number, one in enumerate(led) if one == place),
                words=spoken[place],
            )
        )
    return figures


def with_evidence(summary: Summary, pages: Pages) -> Summary:
    """The summary with the source sentences behind each of its sentences.

    The evidence for a sentence is, inside its strongest page, the sentence that supports it best and one more that adds
    at least :data:`GAIN`; then the best sentence of any other page where that supports it better by :data:`GAIN`. A
    sentence that no evidence supports by :data:`SUPPORTED` is marked as not supported.

    Args:
        summary: of these pages.
        pages: the pages in the order of ``summary.pages``.
    """
    sources = [[(sentence, Units.of(sentence.text)) for sentence in page.sentences] for page in pages.pages]
    return replace(summary, sentences=tuple(_explained(sentence, sources) for sentence in summary.sentences))


def _explained(sentence: SummarySentence, sources: Sequence[Sequence[tuple[Sentence, "Units"]]]) -> SummarySentence:
    wanted = Units.of(sentence.text)
    strongest = sentence.pages[0].page
    best_of_pages = [_best(wanted, page) for page in sources]
    evidence: list[SourceSentence] = []
    covered = Units.of("")
    for _ in range(EVIDENCE_OF_PAGE):
        found = _best(wanted, sources[strongest], covered)
        if found is None or found[1] - support(wanted, covered) < (GAIN if evidence else 1e-9):
            break
        source, _, units = found
        evidence.append(SourceSentence(source.text, strongest, source.pdf_pages, support(wanted, units)))
        covered = covered | units
    here = support(wanted, covered)
    others = [(found[1], page) for page, found in enumerate(best_of_pages) if found and page != strongest]
    elsewhere, other = max(others, key=lambda pair: (pair[0], -pair[1]), default=(0.0, strongest))
    if elsewhere >= here + GAIN:
        source, _, units = best_of_pages[other]
        evidence.append(SourceSentence(source.text, other, source.pdf_pages, support(wanted, units)))
    return replace(sentence, supported=max(here, elsewhere) >= SUPPORTED, evidence=tuple(evidence))


def _best(
    wanted: "Units", sources: Sequence[tuple[Sentence, "Units"]], covered: "Units | None" = None
) -> tuple[Sentence, float, "Units"] | None:
    """The source sentence with the most support, together with what is covered already; the first of equals."""
    best = None
    for sentence, units in sources:
        found = support(wanted, units if covered is None else covered | units)
        if best is None or found > best[1]:
            best = (sentence, found, units)
    return best


@dataclass(frozen=True)
class Units:
    """What of a sentence is compared: its words that carry meaning, and its pairs of neighbouring words."""

    words: frozenset[str]
    pairs: frozenset[tuple[str, str]]

    @classmethod
    def of(cls, text: str) -> "Units":
        found = words_of(text)
        telling = frozenset(found) - STOP_WORDS
        return cls(telling or frozenset(found), frozenset(pairwise(found)))

    def __or__(self, other: "Units") -> "Units":
        return Units(self.words | other.words, self.pairs | other.pairs)


def support(wanted: Units, source: Units) -> float:
    """How much of a summary's sentence is in a source: recall of its words and of its pairs of words, averaged; 0–1.

    This is the recall side of ROUGE-1 (without stop words) and ROUGE-2, each unit counted once, nothing stemmed.
    """
    if not wanted.words:
        return 0.0
    words = len(wanted.words & source.words) / len(wanted.words)
    if not wanted.pairs:
        return words
    return (words + len(wanted.pairs & source.pairs) / len(wanted.pairs)) / 2


def words_of(text: str) -> list[str]:
    """Runs of letters and digits of any script, case folded."""
    return _WORD.findall(text.casefold())


_WORD = re.compile(r"[^\W_]+")
_TRIMMED = re.compile(r"\w.*\w|\w")
STOP_WORDS = frozenset(
    """
    a about after all also an and any are as at be been between both but by can could did do does during each
    for from had has have he her his how i if in into is it its many may more most no not of on one only or
    other our over she should so some such than that the their them then there these they this those through to
    under up was we were what when where which while who will with within would you your
    """.split()  # noqa: SIM905
)


def page_name(summary: Summary, place: int, pdf_pages: bool = True) -> str:
    """A page's label, behind its source's name where there are several documents, and its PDF pages."""
    page = summary.pages[place]
    several = len({one.source for one in summary.pages}) > 1
    label = f"{page.source}: {page.label}" if several and page.source and page.source not in page.label else page.label
    return f"{label}, p. {page_range(page.pdf_pages)}" if pdf_pages and page.pdf_pages else label


def page_range(numbers: Sequence[int]) -> str:
    """``(1, 2, 3, 7)`` → ``1–3, 7``."""
    runs = []
    for _, group in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in group]
        runs.append(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]))
    return ", ".join(runs)
