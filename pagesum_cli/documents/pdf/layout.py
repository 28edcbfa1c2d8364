"""The layout of pages: an ordered list of passes from the text that is drawn to lines in reading order."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from .columns import common_gutters
from .dropped import Dropped
from .furniture import remove_line_numbers, remove_running_heads, remove_watermarks
from .ligatures import replace_ligatures
from .lines import Line, Page, even_sizes, make_lines
from .ruled import mark_ruled_tables, set_boxes_apart
from .runs import PageText
from .segments import segments_of, without_overlays, without_overprints


def _drop_overprints(page: Page) -> None:
    page.runs = without_overprints(page.runs)


def _join_runs(page: Page) -> None:
    page.segments, page.runs = segments_of(page.runs, page.width, page.height), []


def _drop_overlays(page: Page) -> None:
    page.segments = without_overlays(page.segments)


def _find_gutters(pages: Sequence[Page], _: Dropped) -> None:
    gutters = common_gutters([page.segments for page in pages])
    for page in pages:
        page.gutters = gutters


class Pass(NamedTuple):
    """A step of the layout.

    Attributes:
        name: By which it can be switched off.
        apply: What it does to pages, and collects what it leaves out.
        is_required: Whether there are no lines without it.
    """

    name: str
    apply: Callable[[Sequence[Page], Dropped], None]
    is_required: bool = False


def _each(apply: Callable[[Page], None]) -> Callable[[Sequence[Page], Dropped], None]:
    """A pass that does the same to every page by itself."""

    def apply_to_all(pages: Sequence[Page], _: Dropped) -> None:
        for page in pages:
            apply(page)

    return apply_to_all


READING_PASSES = (
    Pass("overprints", _each(_drop_overprints)),
    Pass("segments", _each(_join_runs), is_required=True),
    Pass("overlays", _each(_drop_overlays)),
)
"""What is done to each page as soon as it is read, so that little of it has to be kept."""

PAGE_PASSES = (
    Pass("watermarks", remove_watermarks),
    Pass("running heads", remove_running_heads),
    Pass("line numbers", remove_line_numbers),
    Pass("gutters", _find_gutters),
    Pass("boxes", _each(set_boxes_apart)),
    Pass("lines", _each(make_lines), is_required=True),
    Pass("ruled tables", _each(mark_ruled_tables)),
    Pass("scans", _each(even_sizes)),
    Pass("ligatures", lambda pages, _: replace_ligatures(pages)),
)
"""What is done when all pages are read."""

PASSES = tuple(step.name for step in (*READING_PASSES, *PAGE_PASSES) if not step.is_required)
"""The names of the passes that can be switched off, in order."""


def read_lines(texts: Iterable[PageText], dropped: Dropped, without: Collection[str] = ()) -> list[Line]:
    """The lines of all pages in reading order.

    Args:
        texts: What is drawn on the pages.
        dropped: Collects what is left out.
        without: Passes that are switched off, by name.
    """
    pages = []
    for number, text in enumerate(texts, start=1):
        turn = max(text.runs[0].turn, 0) if text.runs else 0
        page = Page(number, text.width, max(text.height, 1.0), turn, text.shapes, text.is_scan, text.runs)
        _apply(READING_PASSES, [page], dropped, without)
        for segment in page.segments:
            segment.pack()
        pages.append(page)
    _apply(PAGE_PASSES, pages, dropped, without)
    return [line for page in pages for line in page.lines]


def _apply(passes: Iterable[Pass], pages: Sequence[Page], dropped: Dropped, without: Collection[str]) -> None:
    for step in passes:
        if step.is_required or step.name not in without:
            step.apply(pages, dropped)
