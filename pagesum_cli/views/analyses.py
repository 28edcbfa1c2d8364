"""The paper's other analyses on the terminal, and as files."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.text import Text

from ..errors import PagesumError
from .tables import Bar, as_csv, columns, counted, grid, literal

if TYPE_CHECKING:
    from ..lab.attention import AttentionAnalysis
    from ..lab.data_sizes import DataSizes
    from ..lab.long_distance import Distances, LongDistance
    from ..lab.spatial_locality import SpatialLocality

_DISTANCE = "distance between two sentences"
_SIMILARITY = "mean cosine similarity"
_POSITION = "position in the source, tokens"
_ACCUMULATED = "accumulated attention"
_COVERAGE = {
    "both": "both sources",
    "first": "the first only",
    "second": "the second only",
    "none": "neither",
}


def spatial_view(result: "SpatialLocality") -> RenderableType:
    """The curve of similarity by distance, the dashed average, and both in words."""
    near, average = result.similarities[0], result.average
    read = f"{counted(result.documents, 'document')}, {counted(result.sentences, 'sentence')}"
    times = (
        f"{result.relative[0]:.2f} times the average"
        if average > 0
        else "the average is not above 0"
    )
    if result.normalized:
        times += f" ({result.normalized[0]:.2f} times that of the same document)"
    return Group(
        CurvePlot(result.similarities, average, _DISTANCE, f"{_SIMILARITY}, {result.embedding}"),
        Text(),
        Text(f"Neighbors {near:.3f}, all pairs {average:.3f} (dashed): {times}. {read}."),
    )


def spatial_file(result: "SpatialLocality", suffix: str) -> bytes:
    relative = [None if math.isnan(one) else one for one in result.relative]
    if suffix == ".json":
        return _json({**vars(result), "relative": relative})
    if suffix == ".csv":
        curves = (result.similarities, relative, result.normalized, result.pairs, result.reach)
        rows = [
            [place, *map(_digits, row)] for place, row in enumerate(zip_longest(*curves), start=1)
        ]
        rows.append(
            ["all", *map(_digits, (result.average, 1.0, 1.0, result.all_pairs, result.documents))]
        )
        return _csv(
            ("distance", "similarity", "relative", "normalized", "pairs", "documents"), rows
        )
    from .figure import similarity_figure

    return similarity_figure(result, _DISTANCE, _SIMILARITY, suffix[1:])


def _digits(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}" if isinstance(value, float) else str(value)


def distance_view(result: "Distances") -> RenderableType:
    """For each data set, the number of fusion sentences and the distances of their sources; then
    the coverage.
    """
    parts: list[RenderableType] = []
    for one in result.data_sets:
        if len(result.data_sets) > 1:
            parts.append(literal(one.name, "bold"))
        parts += [*_distances(one), Text()]
    kind = result.fusion.rouge.replace("rouge", "ROUGE-")
    parts.append(
        Text(
            f"Fusion: {kind} recall of each of two source sentences is "
            f"above {result.fusion.min_recall:g}, that of "
            f"both together more than {result.fusion.min_gain:g} higher."
        )
    )
    if result.covered:
        parts.append(Text(_coverage(result.covered)))
        parts += _case(result)
    return Group(*parts)


def _case(result: "Distances") -> list[RenderableType]:
    """The summary sentence with the most distant sources of which the system has one alone."""
    pair = result.case
    if pair is None:
        return []
    covered = dict(
        zip((one for own in result.data_sets for one in own.pairs), result.covered, strict=True)
    )
    has_first = covered[pair] == "first"
    sources = (
        (pair.first, pair.first_text, has_first),
        (pair.second, pair.second_text, not has_first),
    )
    lines = [
        f"Sentence {number + 1:,}, {'covered' if is_covered else 'missed'}: {text}"
        for number, text, is_covered in sources
    ]
    title = f"The largest distance with only one sentence covered: {pair.document}"
    return [
        Text(),
        literal(title, "bold"),
        literal(f"Summary: {pair.summary_text}"),
        *map(literal, lines),
    ]


def _distances(one: "LongDistance") -> list[RenderableType]:
    from ..lab.long_distance import EDGES, random_shares

    read = (
        f"{counted(one.documents, 'document')}, "
        f"{counted(one.summary_sentences, 'summary sentence')}; "
    )
    text = Text(f"{read}{_part(len(one.pairs), one.summary_sentences)} fuse two source sentences.")
    if not one.pairs:
        return [text]
    middle = sorted(pair.distance for pair in one.pairs)[len(one.pairs) // 2]
    across = sum(pair.across for pair in one.pairs)
    more = (
        f" {_part(across, len(one.pairs))} of the pairs span two documents of a cluster."
        if across
        else ""
    )
    bars = histogram(
        EDGES, one.counts(), random_shares(), one.counts(across=True) if across else None
    )
    half = f"half below {middle:.2f} (at random: 0.29).{more}"
    return [
        bars,
        Text(),
        text,
        Text(f"Distance: difference of their numbers / sentences of the document, {half}"),
    ]


def _coverage(covered: Sequence[str | None]) -> str:
    from ..lab.long_distance import COVERED

    counts = Counter(covered)
    known = len(covered) - counts[None]
    parts = (f"{label} {_part(counts[key], known)}" for key, label in _COVERAGE.items())
    missing = (
        f" {counted(counts[None], 'pair')} of documents without output left out."
        if counts[None]
        else ""
    )
    return (
        f"The output covers of {counted(known, 'pair')}: {', '.join(parts)}.{missing} Covered: "
        f"one output sentence has "
        f"at least {100 * COVERED:.0f}% of the words that the fusion sentence has from the "
        f"source, stop words left out."
    )


def _part(number: int, whole: int) -> str:
    return f"{number:,} ({100 * number / max(whole, 1):.1f}%)"


def distance_file(result: "Distances", suffix: str) -> bytes:
    from ..lab.long_distance import EDGES

    pairs = [vars(pair) for one in result.data_sets for pair in one.pairs]
    if result.covered:
        pairs = [
            {**pair, "covered": covered}
            for pair, covered in zip(pairs, result.covered, strict=True)
        ]
    if suffix == ".json":
        rest = iter(pairs)
        data_sets = [
            {
                **{name: value for name, value in vars(one).items() if name != "pairs"},
                "counts": one.counts(),
                "counts_across": one.counts(across=True),
                "shares": one.shares(),
                "pairs": [next(rest) for _ in one.pairs],
            }
            for one in result.data_sets
        ]
        counts = Counter(result.covered)
        covered = {"coverage": {key: counts[key] for key in _COVERAGE}} if result.covered else {}
        return _json({**vars(result.fusion), **covered, "edges": EDGES, "data_sets": data_sets})
    if suffix == ".csv":
        names = [one.name for one in result.data_sets for _ in one.pairs]
        header = list(pairs[0]) if pairs else []
        return _csv(
            ["data", *header],
            [[name, *pair.values()] for name, pair in zip(names, pairs, strict=True)],
        )
    if not pairs:
        raise PagesumError(
            "there are no interdependent pairs, so there is no figure", "--export numbers.json"
        )
    from .figure import distance_figure

    return distance_figure(result, EDGES, suffix[1:])


def sizes_view(result: "DataSizes") -> RenderableType:
    """A row of tokens for each split, with PageSum's figures below; then one of words."""
    notes = [f"Means; tokens by the tokenizer of {result.tokenizer}."]
    if result.published:
        notes.append("Published tokens are those of the validation split (Table 10).")
    if paper := result.published_words:
        counts = " + ".join(f"{count:,}" for count in paper["documents"])
        notes.append(
            f"Published for DPP attention (Table 1): {counts} "
            f"documents; {paper['summary_words']} words and "
            f"{paper['summary_sentences']} sentences per summary; lemma–token "
            f"ratio {paper['lemma_token_ratio']}."
        )
    if paper := result.published_inputs:
        notes.append(
            f"Published for the top-down transformer (Table 7): {paper['documents']} documents "
            f"of all splits; "
            f"{paper['document']:,} words per document and {paper['summary']:,} per summary."
        )
    return Group(
        _token_table(result), Text(), _word_table(result), Text(), literal(" ".join(notes))
    )


def _token_table(result: "DataSizes") -> RenderableType:
    rows = []
    for one in result.splits:
        tokens = [
            f"{one.document_tokens:,.1f}",
            f"{one.summary_tokens:,.1f}" if one.summaries else "",
        ]
        rows.append([one.split, f"{one.documents:,}", *tokens])
        if number := result.published.get(one.split):
            keys = ("document", "summary") if one.split == "validation" else ()
            means = [f"{result.published[key]:,.1f}" for key in keys] or ["", ""]
            rows.append([f"{one.split}, published", str(number), *means])
    return grid(["split", "documents", "tokens of a document", "tokens of a summary"], rows)


def _word_table(result: "DataSizes") -> RenderableType:
    rows = []
    for one in result.splits:
        means = (one.summary_words, one.summary_sentences)
        of_summary = [f"{mean:,.2f}" if one.summaries else "" for mean in means]
        rows.append(
            [one.split, f"{one.document_words:,.1f}", *of_summary, f"{one.stem_token_ratio:.2f}"]
        )
    return grid(
        [
            "split",
            "words of a document",
            "of a summary",
            "sentences of a summary",
            "stems / tokens, %",
        ],
        rows,
    )


def sizes_file(result: "DataSizes", suffix: str) -> bytes:
    splits = [vars(one) for one in result.splits]
    if suffix == ".csv":
        return _csv(splits[0], [one.values() for one in splits])
    return _json({**vars(result), "splits": splits})


def attention_view(result: "AttentionAnalysis") -> RenderableType:
    """A row of figures for each model, and its accumulated attention by source position."""
    from ..lab.attention import BOUNDS, HIGH, SPAN

    low, high = BOUNDS
    header = ["model", "high", "unique", "entropy", f"< {low}", f"{low}–{high}", f"≥ {high}"]
    header += ["steps", "β read", "unread", "moves"]
    rows = []
    for one in result.readings:
        unique = "" if math.isnan(one.diversity) else f"{100 * one.diversity:.2f}"
        shares = (f"{100 * share:.1f}" for share in one.shares)
        figures = (
            f"{100 * one.high_spans:.2f}",
            unique,
            f"{one.entropy:.2f}",
            *shares,
            f"{one.steps:,.1f}",
        )
        betas = (one.beta_read, one.beta_unread, one.beta_moves)
        rows.append(
            [one.model, *figures, *("" if math.isnan(beta) else f"{beta:.2f}" for beta in betas)]
        )
    parts: list[RenderableType] = [grid(header, rows), Text()]
    for one in result.readings:
        parts += [literal(one.model, "bold")] if len(result.readings) > 1 else []
        average = sum(one.accumulated) / len(one.accumulated)
        parts += [
            CurvePlot(
                one.accumulated.tolist(), average, _POSITION, f"{_ACCUMULATED}, mean of sources"
            ),
            Text(),
        ]
    read = counted(result.readings[0].documents, "document")
    parts.append(
        Text(
            f"{read}, greedy search without rules. High: spans of {SPAN} tokens of which one has "
            f"an accumulated "
            f"attention of {HIGH} or more, in percent; unique: different tokens in them, in "
            f"percent; entropy: of a "
            "step, in nats. Then the percentages of source tokens by accumulated attention; of "
            "DPP attention the mean "
            f"β on tokens that were read ({high} or more) and not (below {low}), and the share "
            f"of attention moved."
        )
    )
    return Group(*parts)


def attention_file(result: "AttentionAnalysis", suffix: str) -> bytes:
    from ..lab.attention import BETAS, BOUNDS

    values = [{**vars(one), "accumulated": one.accumulated.tolist()} for one in result.readings]
    readings: list[dict[str, Any]] = [
        # NaN stands for none
        {name: None if value != value else value for name, value in own.items()}
        for own in values
    ]
    if suffix == ".json":
        return _json({"data": result.data, "readings": readings})
    if suffix == ".csv":
        names = ("model", "documents", "steps", "entropy", "high_spans", "diversity")
        header = (*names, "low", "middle", "high", *BETAS)
        rows = [
            [*(one[name] for name in names), *one["shares"], *(one[name] for name in BETAS)]
            for one in readings
        ]
        return _csv(header, [["" if cell is None else cell for cell in row] for row in rows])
    from .figure import attention_figure, words_figure

    if result.readings[0].tokens:
        return words_figure(result, _ACCUMULATED, suffix[1:])
    return attention_figure(result, _POSITION, _ACCUMULATED, BOUNDS, suffix[1:])


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


def _csv(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> bytes:
    return as_csv([header, *rows]).encode()


HEIGHT = 14
WIDTH = 72  # maximum width of a curve
# the bits of a Braille character by row and column
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))


@dataclass(frozen=True)
class CurvePlot:
    """A curve over 1, 2, … and a dashed line at its average, in Braille dots."""

    values: Sequence[float]
    average: float
    x: str
    y: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if options.ascii_only:  # numbers instead of Braille
            rows = [
                (str(distance), f"{value:.4f}")
                for distance, value in enumerate(self.values, start=1)
            ]
            yield grid(("distance", "mean"), [*rows, ("all", f"{self.average:.4f}")])
            return
        low, high = min(*self.values, self.average), max(*self.values, self.average)
        margin = (high - low) * 0.05 or 0.01
        low, high = max(low - margin, 0.0) if low >= 0 else low - margin, high + margin

        def row(value: float) -> int:
            return round((high - value) / (high - low) * (HEIGHT * 4 - 1))

        marks = {
            0: f"{high:.3f}",
            HEIGHT - 1: f"{low:.3f}",
            row(self.average) // 4: f"{self.average:.3f}",
        }
        left = max(map(len, marks.values()))
        width = min(options.max_width - left - 2, WIDTH)
        curve, line = ([[0] * width for _ in range(HEIGHT)] for _ in range(2))
        places = np.linspace(0, len(self.values) - 1, width * 2)
        heights = [
            row(value) for value in np.interp(places, range(len(self.values)), self.values).tolist()
        ]
        for column, (previous, here) in enumerate(
            zip([heights[0], *heights], heights, strict=False)
        ):
            for dot in range(min(previous, here), max(previous, here) + 1):
                curve[dot // 4][column // 2] |= _DOTS[dot % 4][column % 2]
            if column % 6 < 3:
                dot = row(self.average)
                line[dot // 4][column // 2] |= _DOTS[dot % 4][column % 2]
        yield Text(self.y, "dim")
        for number, (above, below) in enumerate(zip(curve, line, strict=True)):
            drawn = Text(
                f"{marks.get(number, ''):>{left}} ", "dim", no_wrap=True, overflow="ignore"
            )
            for dots, dashes in zip(above, below, strict=True):
                drawn.append(chr(0x2800 + (dots | dashes)), "cyan" if dots else "yellow")
            yield drawn
        ends = f"1{self.x.center(width - 1 - len(str(len(self.values))))}{len(self.values)}"
        yield Text(" " * (left + 1) + ends, "dim", no_wrap=True, overflow="ignore")


def histogram(
    edges: Sequence[float],
    counts: Sequence[int],
    expected: Sequence[float],
    across: Sequence[int] | None = None,
) -> RenderableType:
    """Pairs and shares between edges, with bars; those over two documents; the expected shares of
    random pairs.
    """
    table = columns(header=True)
    for heading in ("distance", "pairs", "share", *(["two documents"] if across else [])):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    table.add_column("at random", justify="right", style="dim", no_wrap=True)
    for place, (count, one) in enumerate(zip(counts, expected, strict=True)):
        cells = [
            f"{count:,}",
            f"{100 * count / sum(counts):.1f}%",
            *([f"{across[place]:,}"] if across else []),
        ]
        bar = Bar(count / max(counts), 24, "cyan")
        table.add_row(
            f"{edges[place]:.1f}–{edges[place + 1]:.1f}", *cells, bar, f"{100 * one:.1f}%"
        )
    return table
