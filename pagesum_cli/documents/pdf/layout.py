"""The layout of pages: an ordered list of passes from the text that is drawn to lines in reading order."""

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import NamedTuple

from .columns import common_gutters
from .dropped import Dropped
from .furniture import remove_line_numbers, remove_running_heads, remove_watermarks
from .ligatures import replace_ligatures
from .lines import Line, Page, make_lines
from .ruled import mark_ruled_tables, set_boxes_apart
from .runs import PageText
from .segments import segments_of


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


PAGE_PASSES = (
    Pass("watermarks", remove_watermarks),
    Pass("running heads", remove_running_heads),
    Pass("line numbers", remove_line_numbers),
    Pass("gutters", _find_gutters),
    Pass("boxes", _each(set_boxes_apart)),
    Pass("lines", _each(make_lines), is_required=True),
    Pass("ruled tables", _each(mark_ruled_tables)),
    Pass("ligatures", lambda pages, _: replace_ligatures(pages)),
)
"""What is done when all pages are read and their runs are joined to segments."""

PASSES = tuple(step.name for step in PAGE_PASSES if not step.is_required)
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
        page = Page(number, text.width, max(text.height, 1.0), turn, text.shapes)
        page.segments = segments_of(text.runs, page.width, page.height)
        for segment in page.segments:
            segment.pack()
        pages.append(page)
    for step in PAGE_PASSES:
        if step.is_required or step.name not in without:
            step.apply(pages, dropped)
    return [line for page in pages for line in page.lines]
