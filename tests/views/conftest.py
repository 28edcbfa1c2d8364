"""Summaries to draw."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from pagesum_cli.summary.summary import (
    PageShare,
    Source,
    Summary,
    SummaryPage,
    SummarySentence,
    SummaryToken,
)

LABELS = (
    "Abstract",
    "1 Introduction",
    "2 Methods (1/2)",
    "2 Methods (2/2)",
    "3 Results",
    "4 Discussion",
)
SENTENCES = (
    "Farms by the river lost nearly half of their wheat in the floods of April.",
    "The council lent seed to forty farms and asked the mills to hold "
    "their prices until the winter.",
    "Two hundred farmers were asked what they sowed, when they sowed it, "
    "and what they sold it for.",
)


def make_summary(
    labels: Sequence[str] = LABELS,
    sentences: Sequence[str] = SENTENCES,
    title: str = "Wheat, water and the price of bread",
    sources: Sequence[str] = ("harvest.pdf",),
    strongest: Sequence[int] = (4, 1, 2),
) -> Summary:
    """A summary of so many pages in which sentence i comes from page ``strongest[i]``."""
    count = len(labels)

    def shares(top: int) -> list[float]:
        raw = [8.0 if page == top else 1.0 / (1 + abs(page - top)) for page in range(count)]
        return [value / sum(raw) for value in raw]

    weights = [shares(strongest[i % len(strongest)] % count) for i in range(len(sentences))]
    mean = [sum(column) / len(weights) for column in zip(*weights, strict=True)]
    return Summary(
        model="mini",
        locality="discourse",
        title=title,
        text=" ".join(sentences),
        sentences=tuple(
            SummarySentence(
                text,
                tuple(
                    PageShare(page, share)
                    for page, share in sorted(enumerate(row), key=lambda pair: -pair[1])
                ),
            )
            for text, row in zip(sentences, weights, strict=True)
        ),
        tokens=tuple(
            SummaryToken(text, tuple(row)) for text, row in zip(sentences, weights, strict=True)
        ),
        pages=tuple(
            SummaryPage(
                i, label, sources[i % len(sources)], (i + 1, i + 2), 700 + i, i == 3, mean[i]
            )
            for i, label in enumerate(labels)
        ),
        settings={"sources": list(sources), "model": "mini", "locality": "auto"},
        seconds={"read": 0.41, "encode": 1.2, "decode": 3.4567891},
    )


@pytest.fixture
def summary() -> Summary:
    """Three sentences from a paper of six pages."""
    return make_summary()


@pytest.fixture
def quoted(summary: Summary) -> Summary:
    """The same sentences as quotes: the second stands in another part than its strongest one."""
    sources = (
        Source(
            4,
            2,
            "harvest.pdf",
            "3 Results",
            (5,),
            900,
            975,
            "Rain fell for eleven days.",
            "The hills lost a tenth.",
        ),
        Source(3, 0, "harvest.pdf", "2 Methods", (4,), 600, 695, "", ""),
        Source(2, 7, "harvest.pdf", "2 Methods", (3, 4), 500, 592, "", ""),
    )
    sentences = zip(summary.sentences, sources, strict=True)
    return replace(
        summary,
        tokens=(),
        sentences=tuple(replace(one, source=source) for one, source in sentences),
    )


@pytest.fixture
def a_summary() -> Callable[..., Summary]:
    """Makes summaries: see :func:`make_summary`."""
    return make_summary
