"""The paper's other analyses on the terminal, and as files."""

import csv
import io
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rich.console import Group, RenderableType
from rich.text import Text

from ..errors import PagesumError
from .plots import CurvePlot, histogram
from .tables import counted

if TYPE_CHECKING:
    from ..analysis.long_distance import LongDistance
    from ..analysis.spatial_locality import SpatialLocality

_DISTANCE = "distance between two sentences"
_SIMILARITY = "mean cosine similarity"
_NORMALIZED = "distance / sentences of the document"


def spatial_view(result: "SpatialLocality") -> RenderableType:
    """The curve of similarity by distance, the dashed average, and both in words."""
    near, average = result.similarities[0], result.average
    read = f"{counted(result.documents, 'document')}, {counted(result.sentences, 'sentence')}"
    return Group(
        CurvePlot(result.similarities, average, _DISTANCE, f"{_SIMILARITY}, {result.embedding}"),
        Text(),
        Text(f"Neighbors {near:.3f}, all pairs {average:.3f} (dashed): {_times(near, average)}. {read}."),
    )


def _times(near: float, average: float) -> str:
    return f"{near / average:.2f} times the average" if average > 0 else "the average is not above 0"


def spatial_file(result: "SpatialLocality", suffix: str) -> bytes:
    """The figure, or the numbers."""
    if suffix == ".json":
        return _json(vars(result))
    if suffix == ".csv":
        places = enumerate(zip(result.similarities, result.reach, strict=True), start=1)
        rows: list[Any] = [(distance, f"{value:.6f}", reach) for distance, (value, reach) in places]
        return _csv(
            ("distance", "similarity", "documents"), [*rows, ("all", f"{result.average:.6f}", result.documents)]
        )
    from .figure import curve_figure

    return curve_figure(
        result.similarities,
        result.average,
        x=_DISTANCE,
        y=_SIMILARITY,
        label="pairs at this distance",
        average_label="all pairs",
        form=suffix[1:],
    )


def distance_view(result: "LongDistance") -> RenderableType:
    """The number of fusion sentences, and the distances of their sources."""
    from ..analysis.long_distance import ADDED, FIRST, random_shares

    text = Text(
        f"{counted(result.documents, 'document')}, {counted(result.summary_sentences, 'summary sentence')}; "
        f"{_part(len(result.pairs), result.summary_sentences)} fuse two source sentences: one covers at least "
        f"{FIRST:.0f} points of ROUGE-2 recall, another adds at least {ADDED:.0f}."
    )
    if not result.pairs:
        return text
    edges, shares = result.histogram()
    middle = sorted(pair.distance for pair in result.pairs)[len(result.pairs) // 2]
    return Group(
        histogram(edges, shares, random_shares(edges), _NORMALIZED),
        Text(),
        text,
        Text(f"Half of the pairs are nearer than {middle:.2f} of the document (at random: 0.29)."),
    )


def _part(number: int, whole: int) -> str:
    return f"{number:,} ({100 * number / max(whole, 1):.1f}%)"


def distance_file(result: "LongDistance", suffix: str) -> bytes:
    """The figure, or the pairs."""
    pairs = [vars(pair) for pair in result.pairs]
    if suffix == ".json":
        edges, shares = result.histogram() if pairs else ([], [])
        return _json({**vars(result), "pairs": pairs, "histogram": {"edges": edges, "shares": shares}})
    if suffix == ".csv":
        names = ("document", "sentence", "first", "second", "recall", "distance")
        return _csv(names, [[pair[name] for name in names] for pair in pairs])
    if not pairs:
        raise PagesumError("there is no interdependent pair, and so no figure", "--export numbers.json")
    from .figure import histogram_figure

    edges, shares = result.histogram()
    return histogram_figure(edges, shares, x=_NORMALIZED, y="share of interdependent pairs", form=suffix[1:])


def _json(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode()


def _csv(header: Iterable[str], rows: Iterable[Iterable[Any]]) -> bytes:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return out.getvalue().encode()
