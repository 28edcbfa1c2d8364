"""Runs of a PDF page → lines in reading order, without what is printed on every page."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from .pdf_content import Run, tidy


@dataclass(slots=True)
class Segment:
    """Runs that follow one another on a baseline without a wide gap."""

    runs: list[Run]
    x0: float
    x1: float
    y: float
    size: float

    @property
    def letters(self) -> int:
        return sum(len(run.text) for run in self.runs)

    @property
    def text(self) -> str:
        return _join(self.runs)


@dataclass(slots=True)
class Line:
    """A line of a column.

    Attributes:
        text: as it reads.
        page: counted from 1.
        column: number of the column on its page, in reading order; lines over the whole width have their own.
        left, right: the ends of that column's text.
        x0, x1, y: the ends and the baseline of the line, in points.
        size, font, bold, italic: of most of its letters.
        lead: how many characters at its start are set in another, heavier or slanted font than the rest.
        cells: how many parts wide gaps cut it into.
    """

    text: str
    page: int
    column: int
    left: float
    right: float
    x0: float
    x1: float
    y: float
    size: float
    font: str
    bold: bool
    italic: bool
    lead: int = 0
    cells: int = 1
    gap: float = 0.0  # distance to the baseline above in the same column; 0 at its top
    height: float = field(default=0.0)  # of the page


def segments_of(runs: Sequence[Run], width: float, height: float) -> list[Segment]:
    """Runs of a page, in drawing order → segments. What lies outside of the page and overprints are left out."""
    found: list[Segment] = []
    current: Segment | None = None
    drawn: set[tuple[str, int, int]] = set()
    for run in runs:
        if not (-2 <= run.x0 <= width + 2 and -2 <= run.y <= height + 2):
            continue
        if not run.text.strip():
            if current is not None and _same_line(run, current) and 0 <= run.x0 - current.x1 + run.size < 2 * run.size:
                current.runs.append(run)
            continue
        if _overprints(run, drawn):
            continue
        if (
            current is not None
            and _same_line(run, current)
            and -0.6 * current.size < run.x0 - current.x1 < 0.75 * max(current.size, run.size)
        ):
            current.runs.append(run)
            current.x1 = max(current.x1, run.x1)
            if run.size > current.size * 1.15:
                current.y, current.size = run.y, run.size
        else:
            current = Segment([run], run.x0, run.x1, run.y, run.size)
            found.append(current)
    for segment in found:
        sizes: Counter[tuple[float, float]] = Counter()
        for run in segment.runs:
            sizes[(run.size, run.y)] += len(run.text.strip())
        (segment.size, segment.y), _ = max(sizes.items(), key=lambda one: (one[1], one[0]))
    return _without_overlays(found)


def _without_overlays(segments: list[Segment]) -> list[Segment]:
    """Drops text that is drawn over other text: the second layer of a corrected or of a scanned page."""
    shelves: dict[int, list[Segment]] = defaultdict(list)
    kept = []
    for segment in segments:
        shelf = int(segment.y // 12)
        covered = segment.letters >= 4 and any(
            abs(other.y - segment.y) < 0.35 * min(segment.size, other.size)
            and min(other.x1, segment.x1) - max(other.x0, segment.x0)
            > 0.6 * min(other.x1 - other.x0, segment.x1 - segment.x0)
            for place in (shelf - 1, shelf, shelf + 1)
            for other in shelves[place]
        )
        if not covered:
            kept.append(segment)
            if segment.letters >= 4:
                shelves[shelf].append(segment)
    return kept


def _overprints(run: Run, drawn: set[tuple[str, int, int]]) -> bool:
    """Whether the same text was drawn at the same place before (bold by printing twice, layers); notes it."""
    x, y = round(run.x0), round(run.y)
    known = any((run.text, x + right, y + up) in drawn for right in (0, -1, 1) for up in (0, -1, 1))
    drawn.add((run.text, x, y))
    return known and run.size > 4


def _same_line(one: Run | Segment, other: Run | Segment) -> bool:
    large, small = max(one.size, other.size), min(one.size, other.size)
    reach = 0.55 * large if small < 0.88 * large else 0.25 * large
    return abs(one.y - other.y) <= reach


_SUPERSCRIPTS = str.maketrans("0123456789+-−–=()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿ")
_CITATION = re.compile(r"[\[(]?\d{1,3}(?: ?[,;–−-] ?\d{1,3})*[\])]?[,;]?|[*†‡§¶#✉]+")


def _join(runs: Sequence[Run]) -> str:
    """The text of runs on one line: spaces where the gaps are, exponents raised, citation marks left out."""
    if any(" " in run.text for run in runs):
        return _joined_at(runs, 0.15)
    # Files that draw no spaces leave gaps instead, and in a tight line narrow ones.
    text = _joined_at(runs, 0.105)
    if max(map(len, text.split()), default=0) > 24 and len(runs) > 4:
        gaps = sorted((b.x0 - a.x1) / min(a.size, b.size) for a, b in pairwise(runs))
        low = [gap for gap in gaps if 0.0 < gap < 0.2]
        jump, place = max(((after - before, (after + before) / 2) for before, after in pairwise(low)), default=(0, 0))
        if jump > 0.015 and place > 0.025:
            return _joined_at(runs, place)
    return text


def _joined_at(runs: Sequence[Run], word_gap: float) -> str:
    sizes: Counter[float] = Counter()
    for run in runs:
        sizes[run.size] += len(run.text)
    main = max(sizes, key=lambda size: (sizes[size], size))
    level = median(run.y for run in runs if run.size == main)
    text = ""
    previous: Run | None = None
    raised = ""
    for run in runs:
        piece = run.text
        up = run.size < 0.85 * main and run.y > level + 0.15 * main and bool(piece.strip())
        if previous is not None and run.x0 - previous.x1 > word_gap * min(run.size, previous.size):
            if raised:
                text, raised = _with_raised(text, raised), ""
            if not text.endswith(" "):
                text += " "
        if up:
            raised += piece
        else:
            if raised and piece.strip():
                text, raised = _with_raised(text, raised), ""
            text += piece
        previous = run
    if raised:
        text = _with_raised(text, raised)
    return " ".join(tidy(text).split())


def _with_raised(text: str, raised: str) -> str:
    mark = raised.strip()
    word = re.search(r"(\S*)\s*$", text)
    before = word.group(1) if word else ""
    if _CITATION.fullmatch(mark) and (
        (before[-1:] in ".,;:)]”’\"'" and before) or re.search(r"[^\W\d_]{4,}$", before) or not mark[0].isdigit()
    ):
        return text + (" " if raised.endswith(" ") else "")
    if re.fullmatch(r"[0-9+\-−–=()n]+", mark) and before:
        return text + mark.translate(_SUPERSCRIPTS)
    return text + raised


def without_furniture(pages: list[list[Segment]], heights: list[float]) -> list[list[Segment]]:
    """Removes running headers and footers, page numbers and line numbers."""
    edges: list[list[tuple[str, float, Segment]]] = []
    for segments, height in zip(pages, heights, strict=True):
        rows = sorted({round(segment.y) for segment in segments})
        outer = set(rows[:4] + rows[-4:])
        edges.append(
            [
                (_shape(segment.text), segment.y / height, segment)
                for segment in segments
                if round(segment.y) in outer and (segment.y > 0.85 * height or segment.y < 0.13 * height)
            ]
        )
    seen: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for number, edge in enumerate(edges):
        for shape, place, _ in edge:
            seen[shape].append((number, place))
    kept = []
    least = 2 if len(pages) < 8 else 3
    for number, (segments, edge) in enumerate(zip(pages, edges, strict=True)):
        gone: set[int] = set()
        for shape, place, segment in edge:
            elsewhere = {other for other, at in seen[shape] if other != number and abs(at - place) < 0.012}
            lone_number = _PAGE_NUMBER.fullmatch(segment.text.strip()) and (place > 0.9 or place < 0.1)
            if len(elsewhere) + 1 >= least or lone_number:
                gone.add(id(segment))
        rest = [segment for segment in segments if id(segment) not in gone]
        kept.append(_without_line_numbers(rest))
    return kept


_PAGE_NUMBER = re.compile(
    r"(?:page|p\.)?\s*[-–—|]?\s*(?:[A-Z]?\d{1,4}|[ivxl]{1,6})\s*[-–—|]?(?:\s*(?:of|/)\s*\d{1,4})?", re.IGNORECASE
)


def _shape(text: str) -> str:
    return re.sub(r"\d+", "#", re.sub(r"\s+", "", text.lower()))


def _without_line_numbers(segments: list[Segment]) -> list[Segment]:
    """Drops a column of rising numbers left (or right) of all text."""
    numbers = [segment for segment in segments if segment.text.isdigit() and len(segment.text) <= 4]
    others = len({round(segment.y) for segment in segments})
    if len(numbers) < 8 or len(numbers) < 0.15 * others:
        return segments
    places = Counter(round(segment.x1 / 4) for segment in numbers)
    place, count = places.most_common(1)[0]
    column = sorted((one for one in numbers if abs(round(one.x1 / 4) - place) <= 1), key=lambda one: -one.y)
    values = [int(one.text) for one in column]
    steps = Counter(after - before for before, after in pairwise(values))
    if (
        count < 8
        or steps.most_common(1)[0][0] not in (1, 2, 5, 10)
        or steps.most_common(1)[0][1] < 0.8 * (len(values) - 1)
    ):
        return segments
    left = min(one.x0 for one in column)
    text_left = [one.x0 for one in segments if not one.text.isdigit()]
    beside = sum(1 for x in text_left if x < left - 2)
    if beside > 0.1 * len(text_left):
        return segments
    gone = {id(one) for one in column}
    return [one for one in segments if id(one) not in gone]


def common_gutters(pages: Sequence[list[Segment]]) -> list[float]:
    """Gutters that at least a quarter of the pages have: they are looked for on the other pages too."""
    found = Counter(round(gutter / 6) for segments in pages if (gutter := _gutter(segments)) is not None)
    least = max(2, 0.25 * len(pages)) if len(pages) > 3 else 1
    return [6.0 * place for place, count in found.most_common(2) if count >= least]


def lines_of(segments: list[Segment], page: int, height: float, gutters: Sequence[float] = ()) -> list[Line]:
    """Segments of a page → lines in reading order, column after column.

    Args:
        gutters: see :func:`common_gutters`.
    """
    lines: list[Line] = []
    for number, column in enumerate(_columns(segments, 0, gutters)):
        rows = _rows(column)
        lefts = sorted(row[0].x0 for row in rows)
        left = lefts[len(lefts) // 10] if len(lefts) < 20 else lefts[len(lefts) // 20]
        right = max(row[-1].x1 for row in rows)
        above: Line | None = None
        for row in rows:
            line = _line(row, page, number, left, right, height)
            if line is None:
                continue
            line.gap = above.y - line.y if above is not None else 0.0
            above = line
            lines.append(line)
    return lines


def _rows(segments: list[Segment]) -> list[list[Segment]]:
    """Segments of a column → rows from top to bottom, each from left to right."""
    rows: list[tuple[Segment, list[Segment]]] = []
    for segment in sorted(segments, key=lambda one: (-one.y, one.x0)):
        for place in range(len(rows) - 1, max(len(rows) - 4, -1), -1):
            anchor, row = rows[place]
            if _same_line(segment, anchor):
                row.append(segment)
                if segment.size > anchor.size * 1.1 or (
                    segment.size > anchor.size * 0.9 and segment.letters > anchor.letters
                ):
                    rows[place] = (segment, row)
                break
        else:
            rows.append((segment, [segment]))
    rows.sort(key=lambda one: -one[0].y)
    return [sorted(row, key=lambda one: one.x0) for _, row in rows]


def _line(row: Sequence[Segment], page: int, column: int, left: float, right: float, height: float) -> Line | None:
    runs = [run for segment in row for run in segment.runs]
    text = _join(runs)
    if not text:
        return None
    if re.fullmatch(r"(?:[A-Z0-9&] ){3,}[A-Z0-9.:]?", text + " "):
        text = text.replace(" ", "")
    weights: Counter[tuple[str, float]] = Counter()
    bold = italic = total = 0
    lead = 0
    for run in runs:
        count = len("".join(run.text.split()))
        weights[(run.font, round(run.size * 2) / 2)] += count
        bold += count * run.bold
        italic += count * run.italic
        total += count
    (font, size), _ = weights.most_common(1)[0]
    first = next(run for run in runs if run.text.strip())
    for run in runs:
        if run.text.strip() and run.font != first.font and (run.bold, run.italic) != (first.bold, first.italic):
            break
        lead += len("".join(run.text.split()))
    cells = 1 + sum(after.x0 - before.x1 > 1.5 * size for before, after in pairwise(row))
    return Line(
        text=text,
        page=page,
        column=column,
        left=left,
        right=right,
        x0=row[0].x0,
        x1=max(one.x1 for one in row),
        y=max(row, key=lambda one: one.letters).y,
        size=size,
        font=font,
        bold=bold > 0.75 * total,
        italic=italic > 0.75 * total,
        lead=lead if lead < total else 0,
        cells=cells,
        height=height,
    )


def _columns(segments: list[Segment], depth: int, gutters: Sequence[float] = ()) -> list[list[Segment]]:
    """Segments → columns in reading order.

    Where a gutter runs down the page, what crosses it cuts the page into bands; in each band the left column is read
    before the right one. A page without a gutter of its own is searched for those of the other pages.
    """
    if not segments:
        return []
    gutter = _gutter(segments) if depth < 2 else None
    for place in (*([gutter] if gutter is not None else []), *(gutters if depth < 2 else ())):
        if place is not gutter and gutter is not None and abs(gutter - place) < 20:
            break
        usual = any(abs(place - common) < 20 for common in gutters)
        bands = _bands(segments, place, own=place is gutter, usual=usual)
        if any(kept for kept, _ in bands):
            return [
                column
                for kept, band in bands
                for column in (
                    _halves(band, place, depth)
                    if kept
                    else _columns(band, depth + 1, gutters if place is gutter else ())
                )
            ]
    if depth == 0 and (parts := _halved(segments)) is not None:
        return [column for part in parts for column in _columns(part, 1, gutters)]
    return [segments]


def _halves(segments: Iterable[Segment], gutter: float, depth: int) -> list[list[Segment]]:
    left, right = [], []
    for segment in segments:
        (left if (segment.x0 + segment.x1) / 2 < gutter else right).append(segment)
    return [*_columns(left, depth + 1), *_columns(right, depth + 1)]


def _halved(segments: list[Segment]) -> tuple[list[Segment], list[Segment]] | None:
    """The parts above and below a wide white stripe, where columns begin below it."""
    rows = sorted(segments, key=lambda one: -one.y)
    stripes = sorted(
        ((above.y - below.y) / max(above.size, below.size), place)
        for place, (above, below) in enumerate(pairwise(rows), start=1)
    )
    for wide, place in reversed(stripes[-5:]):
        if wide > 1.6 and len(rows) - place > 12 and _gutter(rows[place:]) is not None:
            return rows[:place], rows[place:]
    return None


def _bands(segments: list[Segment], gutter: float, own: bool, usual: bool) -> list[tuple[bool, list[Segment]]]:
    """A page cut across where it begins or ceases to keep to the columns of the other pages; whether each part does."""
    bands: list[tuple[bool, list[Segment]]] = []
    body = 1.1 * median(one.size for one in segments)
    for segment in sorted(segments, key=lambda one: -one.y):
        narrow = own and usual and segment.x1 - segment.x0 < 75 and segment.size <= body  # a label in a figure
        clear = narrow or segment.x1 <= gutter + 3 or segment.x0 >= gutter - 3
        if bands and (bands[-1][0] == clear or _same_line(segment, bands[-1][1][-1])):
            bands[-1] = (bands[-1][0] and clear, [*bands[-1][1], segment])
        else:
            bands.append((clear, [segment]))
    merged: list[tuple[bool, list[Segment]]] = []
    for clear, band in bands:
        if own:
            sides = [one.x0 > gutter - 4 for one in band]
            least = 1 if usual else 4
            tall = band[0].y - band[-1].y > 10  # more than one row
            kept = clear and tall and sum(sides) >= least and len(sides) - sum(sides) >= least
        else:  # the edges of the columns must be where they are on the other pages
            right = sum(gutter - 3 <= one.x0 <= gutter + 20 and one.x1 > gutter + 80 for one in band)
            left = sum(gutter - 20 <= one.x1 <= gutter + 3 and one.x0 < gutter - 80 for one in band)
            kept = clear and right >= 3 and left >= 3
        if merged and not kept and not merged[-1][0]:
            merged[-1][1].extend(band)
        else:
            merged.append((kept, band))
    return merged


def _gutter(segments: Sequence[Segment]) -> float | None:
    """Where a white stripe parts two columns of running text; None where none does."""
    if not segments:
        return None
    low, high = min(one.x0 for one in segments), max(one.x1 for one in segments)
    if high - low < 150:
        return None
    boxes = [(one.x0, one.x1, one.y, one.size, one.letters) for one in segments]
    total = sum(box[4] for box in boxes)
    best: tuple[float, float] | None = None
    steps = int((high - low) / 3)
    crossings = [0] * (steps + 1)
    for x0, x1, _, _, letters in boxes:
        for place in range(max(0, int((x0 + 3 - low) / 3) + 1), min(steps, int((x1 - 3 - low) / 3)) + 1):
            crossings[place] += letters
    places = range(int(0.15 * steps), int(0.85 * steps) + 1)
    if not places:
        return None
    least = min(crossings[place] for place in places)
    # Of stripes crossed by about the least text, the widest.
    start: int | None = None
    for place in [*places, -1]:
        free = place >= 0 and crossings[place] <= least + 0.01 * total
        if free and start is None:
            start = place
        elif not free and start is not None:
            end = place if place >= 0 else places[-1] + 1
            wide = end - start
            if best is None or wide > best[0]:
                best = (wide, low + 3 * (start + end - 1) / 2)
            start = None
    if best is None:
        return None
    x = best[1]
    left = [box for box in boxes if box[1] <= x + 3]
    right = [box for box in boxes if box[0] >= x - 3 and box[1] > x + 3]
    if sum(box[4] for box in left) + sum(box[4] for box in right) < 0.35 * total:
        return None
    fills = []
    for side in (left, right):
        rows: dict[int, list[float]] = defaultdict(list)
        for x0, x1, y, size, _ in side:
            rows[round(y / max(size * 0.5, 1))] += [x0, x1]
        if len(rows) < 6:
            return None
        span = max(box[1] for box in side) - min(box[0] for box in side)
        fills.append(
            median(sum(b - a for a, b in zip(row[::2], row[1::2], strict=True)) for row in rows.values()) / max(span, 1)
        )
    tops = min(max(box[2] for box in side) for side in (left, right))
    lows = max(min(box[2] for box in side) for side in (left, right))
    if tops - lows < 60 or min(fills) < 0.55:
        return None
    return x
