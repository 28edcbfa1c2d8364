"""Lines of a PDF in reading order → title and sections."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import replace

from ..article.back_matter import without_back_matter
from ..article.divisions import is_contents
from ..model import Paragraph, Section
from .body import Body
from .contents_page import contents_lines
from .dropped import Dropped
from .headings import Heading, first_page_of_text, headings_of, line_groups
from .hyphens import Words
from .levels import set_levels
from .lines import Line
from .numbering import by_numbers
from .outline import OutlineEntry, by_outline, page_of_title
from .paragraphs import is_list_item, paragraphs_of
from .patterns import ABSTRACT, FRONT, TERMINAL, bare, is_label, is_prose, is_references, number_of, plain
from .run_in import by_run_in, split_labels
from .style import by_style
from .tables import mark_rows
from .title import title_of

PAGES_PER_SECTION = 3
"""Pages of a section where there are no headings."""

TOP = 0.88
"""Share of a page's height above which running heads stand."""

FRONT_WORDS = 40
"""Words of a paragraph before the first heading that may be the abstract."""


def read_sections(
    lines: Sequence[Line], outline: Sequence[OutlineEntry], metadata_title: str, dropped: Dropped
) -> tuple[str, list[Section]]:
    """Title and sections of a document.

    A heading is recognized by the file's outline, else by its number, else by its style, else by its name; without any
    of these, a section is a few pages.

    Args:
        lines: The lines of all pages; one or more.
        outline: The file's bookmarks.
        metadata_title: The title in the file's properties.
        dropped: Collects what is left out.
    """
    body = Body.of(_before_references(lines))
    page = page_of_title(outline)  # pages before it are about the document
    start = next((place for place, line in enumerate(lines) if line.page >= page), 0)
    title, title_lines = title_of(lines[start:], body.size, metadata_title)
    lines = [line for place, line in enumerate(lines) if place - start not in title_lines]
    lines = _without_section_heads(lines, body, title, dropped)
    body = replace(body, words=Words(lines))
    lines = split_labels(lines)
    contents = contents_lines(lines)
    mark_rows(lines, body)
    groups = [group for group in line_groups(lines, body) if contents.isdisjoint(range(group[0], group[1] + 1))]
    finders = (
        by_outline(lines, groups, outline, title),
        by_numbers(lines, groups, body),
        by_style(lines, groups, body),
        by_run_in(lines, body),
    )
    headings = headings_of(lines, body, finders)
    set_levels(headings, lines)
    if headings:
        sections = _by_headings(lines, headings, body, dropped, contents)
    else:
        sections = _by_pages(_without(lines, contents, dropped), body, dropped)
    sections, back_matter = without_back_matter(sections)
    dropped.extend(back_matter)
    return title, sections


def _without_section_heads(lines: Sequence[Line], body: Body, title: str, dropped: Dropped) -> list[Line]:
    """The lines without running heads that name the title or the page's section: some stand on too few pages to repeat.

    Such a head stands at the top of a page, in the size of the text, without the number that the heading has, or above
    the heading on the same page, which is in another style.
    """
    names = {plain(bare(line.text)) for line in lines if number_of(line.text)} | {plain(title)}
    styles = defaultdict(set)
    for line in lines:
        styles[line.page, plain(bare(line.text))].add(line.style)
    kept: list[Line] = []
    page = 0
    for line in lines:
        is_top = line.page != page and line.y > TOP * line.height and line.size <= 1.05 * body.size
        page = line.page
        name = plain(line.text)
        if is_top and len(name) > 3 and (name in names or len(styles[line.page, name]) > 1):
            dropped.add("running head", line.text, line.page, "")
        else:
            kept.append(line)
    return kept


def plain_section(lines: Sequence[Line]) -> Section:
    """All lines as they are: what is read where nothing is left of a file without its tables, links and labels."""
    return Section("", tuple(Paragraph(line.text, ((0, line.page),)) for line in lines))


def _without(lines: Sequence[Line], contents: Collection[int], dropped: Dropped, start: int = 0) -> list[Line]:
    """Lines without those of a contents page; ``start`` is the place of the first one."""
    kept = []
    for place, line in enumerate(lines, start):
        if place in contents:
            dropped.add("contents", line.text, line.page, "")
        else:
            kept.append(line)
    return kept


def _before_references(lines: Sequence[Line]) -> Sequence[Line]:
    """The lines before the list of references, whose size may have more letters than the text."""
    place = next((place for place in range(len(lines) - 1, -1, -1) if is_references(lines[place].text)), 0)
    return lines[:place] if place > 0.3 * len(lines) else lines


def _by_pages(lines: Sequence[Line], body: Body, dropped: Dropped) -> list[Section]:
    sections = []
    pages = sorted({line.page for line in lines})
    for start in range(0, len(pages), PAGES_PER_SECTION):
        group = pages[start : start + PAGES_PER_SECTION]
        paragraphs = paragraphs_of([line for line in lines if line.page in group], body, dropped)
        label = f"p. {group[0]}" if len(group) == 1 else f"p. {group[0]}–{group[-1]}"
        sections.append(Section(label, tuple(paragraphs), 1, "fallback"))
    return sections


def _by_headings(
    lines: Sequence[Line], headings: Sequence[Heading], body: Body, dropped: Dropped, contents: Collection[int]
) -> list[Section]:
    """Sections between headings: the front matter is reduced to the abstract, the list of references is left out.

    A contents page without a heading of its own is left out; one with a heading is when the headings are known.
    """
    has_abstract = any(ABSTRACT.match(heading.text) for heading in headings[:3])
    sections = _front(_without(lines[: headings[0].first], contents, dropped), body, has_abstract, dropped)
    if not sections and not has_abstract and is_label(headings[0].text) and headings[0].level > 1:
        sections = [Section("Abstract", (), 1)]  # it begins with the first of its labels
    skipped: Heading | None = None  # the heading of the references
    for heading, after in zip(headings, [*headings[1:], None], strict=True):
        end = after.first if after is not None else len(lines)
        if is_references(heading.text):
            skipped = heading
        elif skipped is not None and not _is_part_of(heading, skipped, lines):
            skipped = None
        if skipped is not None:
            for line in lines[heading.first : end]:
                dropped.add("references", line.text, line.page, "")
            continue
        text = list(lines[heading.last + 1 : end])
        if contents and not is_contents(heading.text):
            text = _without(text, contents, dropped, heading.last + 1)
        if heading.rest:
            text = [replace(lines[heading.last], text=heading.rest, lead=0), *text]
        paragraphs = paragraphs_of(text, body, dropped, lines[end] if end < len(lines) else None, heading=heading.text)
        sections.append(Section(heading.text, tuple(paragraphs), heading.level, heading.found_by))
    return sections


def _is_part_of(heading: Heading, skipped: Heading, lines: Sequence[Line]) -> bool:
    """Whether a heading is below that of the references."""
    same = lines[heading.first].style[:2] == lines[skipped.first].style[:2]
    return heading.level > skipped.level and not same and heading.found_by != "outline"


def _front(front: Sequence[Line], body: Body, has_abstract: bool, dropped: Dropped) -> list[Section]:
    """The abstract before the first heading, unless it has a heading of its own; authors and addresses are dropped."""
    kept: list[Paragraph] = []
    found_by, start = "fallback", 0
    lines = list(front)
    for place, line in enumerate(front):
        match = ABSTRACT.match(line.text)
        if match and match[0].rstrip()[-1:] in ":.—–-" and (line.text[match.end() :] or place + 1 < len(front)):
            rest = line.text[match.end() :]
            lines = [*([replace(line, text=rest)] if rest else []), *front[place + 1 :]]
            found_by, start = "name", place
            break
    paragraphs = paragraphs_of(lines, body, dropped, heading=None)
    first = first_page_of_text(front)
    for paragraph in paragraphs:
        is_front = bool(FRONT.match(paragraph.text))
        if found_by == "fallback":
            is_later = 0 < first < paragraph.pdf_pages()[0]  # a report without headings on its first pages
            is_long = len(paragraph.text.split()) >= FRONT_WORDS or (kept and TERMINAL.search(paragraph.text))
            is_item = kept and is_list_item(paragraph.text)
            is_text = is_later or is_item or (is_long and is_prose(paragraph.text))
            is_front = is_front or has_abstract or not is_text
        if is_front:
            dropped.add("front matter", paragraph.text, paragraph.pdf_pages()[0], "")
        else:
            kept.append(paragraph)
    for line in front[:start]:
        dropped.add("front matter", line.text, line.page, "")
    return [Section("Abstract", tuple(kept), 1, found_by)] if kept else []
