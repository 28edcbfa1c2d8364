"""Lines of a PDF in reading order → title and sections: an ordered list of passes over the whole
document.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ..article.back_matter import without_back_matter
from ..article.divisions import is_contents, plain
from ..article.front_lists import with_text_beside_lists
from ..article.names import ABSTRACT, bare, core_name, is_label, is_references
from ..model import Paragraph, Section
from .annexes import with_annexes, without_repeated
from .by_laws import by_law_title
from .clauses import clause_number, numbered_headings
from .codes import chapter_title, history_note, section_list
from .first_page import split_abstract, without_badges
from .front_matter import ABSTRACT_WORDS, contents_entries, split_front, title_of
from .halves import join_halves
from .headings import Body, Heading, line_groups, merge_headings
from .hyphens import Words
from .levels import set_levels
from .lines import Line
from .outline import OutlineEntry, by_outline, page_of_title
from .paragraphs import paragraphs_of
from .parties import parties_beside
from .patterns import joined
from .pull_quotes import mark_pull_quotes
from .run_in import by_abstract_label, by_run_in
from .runs import Dropped
from .style import by_style
from .tables import mark_rows

EDGE = 0.12  # share of a page's height, at its top and its bottom, in which running heads stand
PAGES_PER_SECTION = 3  # pages of a section where there are no headings
FRONT_PAGES = 3  # the last page on which lines before the first heading may be no text
PAPER_ASIDES = "affiliation", "notice"  # what is left out of papers, hardly of memos
REFERENCES_FROM = 0.3  # share of the lines after which the list of references begins


@dataclass
class DocumentLayout:
    """A document on its way from lines to sections."""

    lines: list[Line]  # in reading order; they stay the same once headings are searched for
    body: Body
    outline: Sequence[OutlineEntry]  # the file's bookmarks
    dropped: Dropped  # collects what is left out
    title: str  # the title in the file's properties, then that of the document
    contents: set[int] = field(default_factory=set)  # indexes of the entries of contents pages
    # the first and the last of lines that may be one heading
    groups: list[tuple[int, int]] = field(default_factory=list)
    # the headings that each method finds, in order of reliability
    found: list[list[Heading]] = field(default_factory=list)
    headings: list[Heading] = field(default_factory=list)
    # the sections; without headings, an abstract or front matter has none
    sections: list[Section] = field(default_factory=list)


def find_title(layout: DocumentLayout) -> None:
    """Take the title's lines out; pages before that which the only bookmark at the top names are
    about the document.
    """
    lines, page = layout.lines, page_of_title(layout.outline)
    start = next((index for index, line in enumerate(lines) if line.page >= page), 0)
    for own in (chapter_title, by_law_title):
        name, title = own(lines[start:])
        if name:
            break
    else:
        name, title = title_of(lines[start:], layout.body.size, layout.title)
    first = [line.text.strip() for line in lines[start:] if line.page == lines[start].page]
    layout.title = parties_beside(name, first)
    layout.lines = [line for index, line in enumerate(lines) if index - start not in title]


def drop_section_list(layout: DocumentLayout) -> None:
    """Drop the list of sections at the beginning of a chapter of a code, and the note on the
    adoption of the chapter below it.
    """
    lines = layout.lines
    listed = section_list(lines)
    note = history_note(lines, listed.stop)
    for reason, indexes in (("contents", listed), ("front matter", note)):
        for line in (lines[index] for index in indexes):
            layout.dropped.add(reason, line.text, line.page, "")
    gone = {*listed, *note}
    layout.lines = [line for index, line in enumerate(lines) if index not in gone]


def join_tables(layout: DocumentLayout) -> None:
    """Make the rows of tables whole that the columns of a page cut in two."""
    layout.lines = join_halves(layout.lines)


def drop_section_heads(layout: DocumentLayout) -> None:
    """Drop the first and last lines of pages that repeat a heading in smaller type: running heads
    of one section.
    """
    lines = layout.lines
    edges: dict[int, str] = {}
    for _, group in groupby(range(len(lines)), key=lambda index: lines[index].page):
        by_height = sorted(group, key=lambda index: lines[index].y)
        for index in (by_height[0], by_height[-1]):
            line = lines[index]
            is_at_edge = not EDGE * line.height <= line.y <= (1 - EDGE) * line.height
            if is_at_edge and line.size <= 1.05 * layout.body.size:
                edges[index] = plain(bare(line.text))
    # the size of each text, and of those that stand out, which alone are above a bold line
    sizes = {(plain(layout.title), is_bold): float("inf") for is_bold in (False, True)}
    longest = 2 * max(map(len, edges.values()), default=0)
    for first, last in line_groups(lines, layout.body) if edges else ():
        if len(lines[first].text) > longest:
            continue
        name = plain(bare(joined(line.text for line in lines[first : last + 1])))
        for is_bold in {False, layout.body.is_exceeded_by(lines[first])}:
            sizes[name, is_bold] = max(sizes.get((name, is_bold), 0), lines[first].size)
    gone = {
        index
        for index, name in edges.items()
        if len(name) > 3 and lines[index].size < sizes.get((name, lines[index].bold), 0)
    }
    for index in sorted(gone):
        layout.dropped.add("running head", lines[index].text, lines[index].page, "")
    layout.lines = [line for index, line in enumerate(lines) if index not in gone]


def drop_repeated_schedules(layout: DocumentLayout) -> None:
    """Drop the lines at the top of pages that only say which schedule goes on there."""
    layout.lines = without_repeated(layout.lines, layout.dropped)


def add_schedules(layout: DocumentLayout) -> None:
    """Add the headings of schedules and appendices that are not yet among the headings."""
    layout.headings = with_annexes(layout.headings, layout.lines, layout.groups, layout.body)


def group_lines(layout: DocumentLayout) -> None:
    """Group the lines that may be one heading."""
    groups = line_groups(layout.lines, layout.body)
    layout.groups = [
        group for group in groups if layout.contents.isdisjoint(range(group[0], group[1] + 1))
    ]


def build_sections(layout: DocumentLayout) -> None:
    """Join the lines between headings to paragraphs; without headings, a section is a few pages."""
    lines, body, dropped = layout.lines, layout.body, layout.dropped
    if not layout.headings:
        layout.sections = _by_pages(layout)
        return
    front = _without_contents(layout, 0, layout.headings[0].first)
    layout.sections = (
        [Section("", tuple(paragraphs_of(front, body, dropped, heading=None)))] if front else []
    )
    ends = [*(heading.first for heading in layout.headings), len(lines)]
    for heading, end in zip(layout.headings, ends[1:], strict=True):
        start = heading.last + 1
        text = (
            lines[start:end] if is_contents(heading.text) else _without_contents(layout, start, end)
        )
        if heading.rest:
            text = [replace(lines[heading.last], text=heading.rest, lead=0), *text]
        following = lines[end] if end < len(lines) else None
        paragraphs = paragraphs_of(text, body, dropped, following, heading=heading.text)
        layout.sections.append(
            Section(heading.text, tuple(paragraphs), heading.level, heading.found_by)
        )


def _without_contents(layout: DocumentLayout, start: int, end: int) -> list[Line]:
    """The lines of a range; the entries of a contents page without a heading are dropped."""
    for index in sorted(layout.contents.intersection(range(start, end))):
        layout.dropped.add("contents", layout.lines[index].text, layout.lines[index].page, "")
    return [layout.lines[index] for index in range(start, end) if index not in layout.contents]


def _by_pages(layout: DocumentLayout) -> list[Section]:
    sections = []
    lines = _without_contents(layout, 0, len(layout.lines))
    pages = sorted({line.page for line in lines})
    for start in range(0, len(pages), PAGES_PER_SECTION):
        group = pages[start : start + PAGES_PER_SECTION]
        paragraphs = paragraphs_of(
            [line for line in lines if line.page in group], layout.body, layout.dropped
        )
        label = f"p. {group[0]}" if len(group) == 1 else f"p. {group[0]}–{group[-1]}"
        sections.append(Section(label, tuple(paragraphs), 1, "fallback"))
    return sections


def separate_front(layout: DocumentLayout) -> None:
    """Reduce what stands before the first heading to prose: that of a paper without an abstract of
    this name is the abstract, that of another document the beginning of its text. What stands after
    the first pages, or from the first numbered clause on, is kept.
    """
    if not layout.headings or not layout.sections:
        return
    has_abstract = any(ABSTRACT.match(heading.text) for heading in layout.headings[:3])
    has_parts = not has_abstract and _has_parts_of_abstract(layout.headings)
    front = list(layout.sections.pop(0).paragraphs) if not layout.sections[0].heading else []
    is_unnamed = has_parts or (not has_abstract and _is_paper(layout))
    late = _after_front(front)
    front = [one for one in front if one not in late]
    prose: list[Paragraph] = []
    if not has_abstract:
        prose, front = split_front(front, ABSTRACT_WORDS if is_unnamed else 0)
    for paragraph in front:
        layout.dropped.add("front matter", paragraph.text, paragraph.pdf_pages()[0], "")
    if late:
        layout.sections.insert(0, Section("", tuple(late), 1))
    is_before_text = core_name(layout.headings[0].text) == "introduction"
    if is_unnamed and not (has_parts or is_before_text):
        front_lines = layout.lines[: layout.headings[0].first]
        abstract, text = split_abstract(prose, front_lines, layout.body)
    else:
        abstract, text = (prose, []) if is_unnamed else ([], prose)
    if text:
        layout.sections.insert(0, Section("", tuple(text), 1))
    if abstract or has_parts:
        layout.sections.insert(0, Section("Abstract", tuple(abstract), 1))


def _after_front(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs after the first pages, and those from the first numbered clause on."""
    clauses = (n for n, one in enumerate(paragraphs) if clause_number(one.text))
    start = next(clauses, len(paragraphs))
    return [
        one for n, one in enumerate(paragraphs) if n >= start or one.pdf_pages()[0] > FRONT_PAGES
    ]


def _has_parts_of_abstract(headings: Sequence[Heading]) -> bool:
    """Whether the first headings, several of them, are labels of a structured abstract, and the
    first one over them is of a paper.
    """
    top = next((n for n, heading in enumerate(headings) if heading.level < 2), 0)
    labels = [heading for heading in headings[:top] if is_label(heading.text)]
    return bool(labels) and len(labels) == top and core_name(headings[top].text) != ""


def _is_paper(layout: DocumentLayout) -> bool:
    """Whether a document has what a scholarly paper has: references, parts like its methods, and
    its authors' addresses or a notice.
    """
    names = [heading.text for heading in layout.headings]
    parts = set(map(core_name, names)) - {"", "references"}
    return bool(parts) and any(map(is_references, names)) and layout.dropped.has(*PAPER_ASIDES)


def drop_back_matter(layout: DocumentLayout) -> None:
    """Drop acknowledgements, funding, notices and the like."""
    sections = with_text_beside_lists(layout.sections)
    layout.sections, back_matter = without_back_matter(sections)
    layout.dropped.extend(back_matter)


def drop_badges(layout: DocumentLayout) -> None:
    """Drop the badge and the dates beside the title of a paper."""
    layout.lines = without_badges(layout.lines, layout.dropped)


DOCUMENT_PASSES: tuple[tuple[str, Callable[[DocumentLayout], None]], ...] = (
    ("list of sections", drop_section_list),
    ("badges", drop_badges),
    ("title", find_title),
    ("running heads of sections", drop_section_heads),
    ("repeated names of schedules", drop_repeated_schedules),
    ("contents pages", lambda it: it.contents.update(contents_entries(it.lines))),
    ("rows of tables", lambda it: mark_rows(it.lines, it.body)),
    ("halves of tables", join_tables),
    ("pull quotes", lambda it: mark_pull_quotes(it.lines, it.body)),
    ("groups of lines", group_lines),
    (
        "headings by outline",
        lambda it: it.found.append(by_outline(it.lines, it.groups, it.outline, it.title)),
    ),
    (
        "headings by numbers",
        lambda it: it.found.append(numbered_headings(it.lines, it.groups, it.body)),
    ),
    ("headings by style", lambda it: it.found.append(by_style(it.lines, it.groups, it.body))),
    ("run-in headings", lambda it: it.found.append(by_run_in(it.lines, it.body))),
    ("label of the abstract", lambda it: it.found.append(by_abstract_label(it.lines))),
    ("merged headings", lambda it: it.headings.extend(merge_headings(it.found, it.lines, it.body))),
    ("levels", lambda it: set_levels(it.headings, it.lines)),
    ("schedules", add_schedules),
    ("sections", build_sections),
    ("front matter", separate_front),
    ("back matter", drop_back_matter),
)
"""The passes over the lines of a document, in order, each with its name."""


def read_sections(
    lines: Sequence[Line],
    outline: Sequence[OutlineEntry],
    metadata_title: str,
    dropped: Dropped,
    without: frozenset[str] = frozenset(),
) -> tuple[str, list[Section]]:
    """Title and sections of a document with one or more lines, without some of
    :data:`DOCUMENT_PASSES`.

    A heading is recognized by the file's outline, else by its number, else by its style, else by
    its name; without any of these, a section is a few pages.
    """
    body = replace(Body.of(_before_references(lines)), words=Words(lines))
    layout = DocumentLayout(list(lines), body, outline, dropped, metadata_title)
    for name, run in DOCUMENT_PASSES:
        if name not in without:
            run(layout)
    return layout.title, layout.sections


def _before_references(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines before the list of references, whose size may have more letters than the text."""
    start = next(
        (index for index in range(len(lines) - 1, -1, -1) if is_references(lines[index].text)), 0
    )
    return lines[:start] if start > REFERENCES_FROM * len(lines) else lines


def plain_section(lines: Sequence[Line]) -> Section:
    """All lines as they are: what is read where nothing is left of a file without its tables, links
    and labels.
    """
    return Section("", tuple(Paragraph(line.text, ((0, line.page),)) for line in lines))
