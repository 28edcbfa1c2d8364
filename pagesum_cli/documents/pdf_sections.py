"""Lines of a PDF in reading order → title and sections.

A heading is told by the file's outline, else by its number, else by its style, else by its name; where there is none
of these, a section is a few pages.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise

from .document import Paragraph, Section
from .pdf_layout import Line

PAGES_PER_SECTION = 3
"""Pages of a section where no heading was found."""


@dataclass(frozen=True)
class OutlineEntry:
    """A bookmark: title, depth from 1, PDF page from 1 (0 where it points nowhere)."""

    title: str
    depth: int
    page: int


@dataclass(slots=True)
class Heading:
    """A heading that stands on lines ``first`` to ``last`` (inclusive); ``rest`` is body text on its line."""

    first: int
    last: int
    text: str
    level: int
    found_by: str
    rest: str = ""


Style = tuple[str, float, bool]

_NAMES = re.compile(
    r"(?:abstract|summary|introduction|background|related works?|literature review|theory|"
    r"(?:materials?|patients?|subjects?|participants)? ?(?:and|&)? ?methods?(?: and materials?)?|"
    r"materials?|methodology|"
    r"experiments?(?:al)?(?: (?:section|procedures?|setup|results))?|study (?:design|area)|statistical analysis|"
    r"results?(?: (?:and|&) discussions?)?|findings|evaluation|discussions?(?: (?:and|&) conclusions?)?|limitations?|"
    r"conclusions?(?: (?:and|&) (?:future work|discussion|perspectives?|recommendations|outlook))?|"
    r"concluding remarks|"
    r"future (?:work|directions|perspectives)|implications|recommendations|case (?:report|presentation)|"
    r"acknowled?ge?ments?|funding(?: (?:information|sources?|statement))?|(?:conflicts?|"
    r"declarations?) of (?:competing )?interests?|"
    r"competing (?:financial )?interests?|authors?[’']?s? contributions?|"
    r"data availability(?: statement)?|ethic(?:s|al)(?: .{3,30})?|"
    r"supplementary (?:materials?|data|information)|supporting information|abbreviations|disclosures?|"
    r"statement of need|executive summary|appendix|appendices|additional (?:information|files?))",
    re.IGNORECASE,
)
_REFERENCES = re.compile(
    r"(?:\W|\d|[ivx]+\.)*(?:references?(?: (?:and|&) notes?| cited)?|bibliography|literature(?: cited)?|works cited|"
    r"list of references|cited literature|notes and references|literature references)\W*",
    re.IGNORECASE,
)
_ABSTRACT = re.compile(r"(?:abstract|summary|synopsis|executive summary)\b\s*[:.—–-]*\s*", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?P<label>(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[A-Z](?:\.\d{1,2}){1,3}\.?|(?:[IVX]{1,5}|[A-Z])\.|"
    r"(?:chapter|section|part|appendix) (?:\d{1,2}|[A-Z]|[IVX]{1,5})[.:]?))\s+(?:[|–—]\s*)?(?P<name>\S.*)",
    re.IGNORECASE,
)
_CAPTION = re.compile(
    r"(?:supplement(?:ary|al) )?(?:fig(?:ure|\.)?|table|scheme|box|chart|plate|algorithm|listing|photo|"
    r"map|video)s?\s*"
    r"(?:S?\d+[a-z]?|[IVX]+)\b\s*(?:[.:|–—-]|\(|[A-Z]|$)",
    re.IGNORECASE,
)
_FRONT = re.compile(
    r"keywords?\b|key words|index terms|correspond(?:ence|ing author)|e-?mails?\b|received\b.{0,60}\d{4}|"
    r"accepted\b.{0,40}\d{4}|"
    r"published\b|copyright|©|\(c\) |doi\b|https?://|www\.|issn|citation:|how to cite|cite this|"
    r"academic editor|edited by|"
    r"reviewed by|licen[cs]e|open access|this is an open|article (?:info|history)|\*|†|specialty section|"
    r"downloaded from|"
    r"department of|university|institute|faculty|hospital|laboratory|school of|submitted:|editors?:|"
    r"reviewers?:|software\b",
    re.IGNORECASE,
)
_IN_BRACKETS = re.compile(r"\([^)]{5}")
"""Words in brackets, where ``(1)`` or ``(viii)`` numbers an item of a list."""
_BOILERPLATE = re.compile(
    r"(?:©|\(c\) ?(?:the )?(?:author|\d{4})|copyright\b.{0,40}\d{4}|this (?:is an )?open[- ]access|"
    r"this article is (?:licensed|distributed|published)|"
    r"\W*correspond(?:ence|ing author)|(?:key ?words?|index terms)\b\s*[:—–]|received:?\s+\d|"
    r"full list of author information|"
    r"e-?mail(?: address)?:|downloaded from|how to cite|to cite(?: this article)?:|citation:|academic editor)",
    re.IGNORECASE,
)
_TERMINAL = re.compile(r"[.!?:;]['\")\]”’]*$")
_BODY_SKIP = re.compile(r"^(?:https?://\S+|doi:\S+|\W+|page \d+ of \d+)$", re.IGNORECASE)


def read_sections(
    lines: Sequence[Line], outline: Sequence[OutlineEntry], metadata_title: str
) -> tuple[str, list[Section]]:
    """Title and sections of the lines of a PDF, see :func:`pagesum_cli.documents.pdf.pdf_document`."""
    body_size, body_font = _body(lines)
    title, title_lines = _title(lines, body_size, metadata_title)
    lines = [line for place, line in enumerate(lines) if place not in title_lines]
    headings = _headings(lines, outline, body_size, body_font, title)
    compounds = _compounds(lines)
    if not any(heading.found_by for heading in headings):
        return title, _by_pages(lines, body_size, compounds)
    return title, _cut(lines, headings, body_size, body_font, compounds)


def _body(lines: Sequence[Line]) -> tuple[float, str]:
    """Size and font of most letters."""
    weights: Counter[tuple[float, str]] = Counter()
    sizes: Counter[float] = Counter()
    for line in lines:
        weights[(line.size, line.font)] += len(line.text)
        sizes[line.size] += len(line.text)
    size = sizes.most_common(1)[0][0]
    font = max((key for key in weights if key[0] == size), key=lambda key: weights[key])[1]
    return size, font


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def _similar(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio() if one and other else 0.0


def _title(lines: Sequence[Line], body_size: float, metadata_title: str) -> tuple[str, set[int]]:
    """The title and the lines that it stands on: the largest text of the first page that has any."""
    first = [
        place
        for place, line in enumerate(lines)
        if line.page == lines[0].page and not _KIND.fullmatch(line.text.rstrip(" .:") + ":")
    ]
    sane = metadata_title if _is_sane_title(metadata_title) else ""
    groups: list[list[int]] = []
    for place in first:
        line = lines[place]
        last = lines[groups[-1][-1]] if groups else None
        if (
            last is not None
            and abs(last.size - line.size) <= 0.6
            and (last.bold == line.bold or last.size > 1.3 * body_size)
            and 0 < last.y - line.y < 2.2 * line.size
        ):
            groups[-1].append(place)
        else:
            groups.append([place])
    best: tuple[float, list[int]] | None = None
    for group in groups:
        text = _joined(lines[place].text for place in group)
        letters = sum(character.isalpha() for character in text)
        if letters < 8 or len(text) > 400 or len(text.split()) < 2 or lines[group[0]].size < body_size:
            continue
        if sane and _similar(_plain(text), _plain(sane)) > 0.8:
            return text, set(group)
        size = lines[group[0]].size + (0.5 if lines[group[0]].bold else 0)
        if lines[group[0]].y < 0.35 * lines[group[0]].height or _ABSTRACT.match(text) or _REFERENCES.fullmatch(text):
            continue
        if best is None or size > best[0] + 0.3:
            best = (size, group)
    if best is not None and best[0] > body_size * 1.12:
        return _KIND.sub("", _joined(lines[place].text for place in best[1]), count=1), set(best[1])
    return sane, set()


_KIND = re.compile(
    r"(?:original|research|review|short|brief|full|case)?\s*(?:article|paper|report|communication)\s*[:—–]\s*", re.I
)


def _is_sane_title(title: str) -> bool:
    return (
        len(title.split()) >= 3
        and len(title) < 350
        and not re.search(
            r"\.(?:docx?|tex|dvi|pdf|indd|qxd|rtf|p65|ai)\b|^(?:untitled|microsoft word|doi:|slide)|\d{5}",
            title,
            re.IGNORECASE,
        )
    )


def _joined(texts: Iterable[str]) -> str:
    joined = ""
    for text in texts:
        if joined.endswith("-") and text[:1].islower():
            joined = joined[:-1] + text
        else:
            joined = f"{joined} {text}" if joined else text
    return joined.strip()


# --- headings ---------------------------------------------------------------------------------------------------------


def _headings(
    lines: Sequence[Line], outline: Sequence[OutlineEntry], body_size: float, body_font: str, title: str
) -> list[Heading]:
    """Headings in order; outline first, then numbers, style and names, each adding where the earlier are silent."""
    groups = _groups(lines, body_size, body_font)
    by_outline = _from_outline(lines, groups, outline, title)
    styled = _from_style(lines, groups, body_size, body_font)
    numbered = _from_numbers(lines, groups, body_size, body_font)
    found: dict[int, Heading] = {}
    start = _front_matter_end([*by_outline, *numbered, *styled], lines)
    for source in (by_outline, numbered, styled):
        taken = {place for heading in found.values() for place in range(heading.first, heading.last + 1)}
        looks = {_style(lines[place])[:2] for place in found}
        for heading in source:
            if heading.first < start or taken.intersection(range(heading.first, heading.last + 1)):
                continue
            # Where there is an outline or numbers, what adds to it must look like it or have a heading's name.
            alike = source is not styled or not looks or _style(lines[heading.first])[:2] in looks
            if alike or _is_name(heading.text) or lines[heading.first].size > 1.12 * body_size:
                found[heading.first] = heading
    return _levelled([found[place] for place in sorted(found)], lines, body_size)


def _is_name(text: str) -> bool:
    return bool(_NAMES.fullmatch(_bare(text).strip(" .:")) or _REFERENCES.fullmatch(text))


def _front_matter_end(headings: Iterable[Heading], lines: Sequence[Line]) -> int:
    """The line of the abstract's (or the introduction's) heading: above it only kinds of article, names, addresses."""
    places = [
        heading.first
        for heading in headings
        if lines[heading.first].page <= lines[0].page + 1 and _BEGINNING.fullmatch(_bare(heading.text).strip(" .:"))
    ]
    return min(places, default=0)


_BEGINNING = re.compile(r"abstract|(?:executive )?summary|introduction|background|synopsis", re.IGNORECASE)


def _looks_like_heading(text: str) -> bool:
    words = text.split()
    letters = sum(character.isalpha() for character in text)
    return (
        letters > 2
        and letters >= 0.55 * len(text.replace(" ", ""))
        and len(words) <= 22
        and len(text) <= 180
        and not text.rstrip().endswith((",", ";", "-", "="))
        and not _CAPTION.match(text)
        and (text[0].isupper() or text[0].isdigit() or (words[0][1:2].isupper()))
        and "@" not in text
        and not re.search(r"\.{4,}|(?:\. ){4,}", text)
    )


def _style(line: Line) -> Style:
    letters = [character for character in line.text if character.isalpha()]
    capitals = sum(character.isupper() for character in letters)
    return (line.font, line.size, len(letters) > 3 and capitals >= 0.8 * len(letters))


def _groups(lines: Sequence[Line], body_size: float, body_font: str) -> list[tuple[int, int]]:
    """Runs of up to four lines that may be one heading: same style, one under the other, set apart from the body."""
    groups: list[tuple[int, int]] = []
    place = 0
    while place < len(lines):
        last = place
        while (
            last + 1 < len(lines)
            and last - place < 4
            and lines[last + 1].page == lines[place].page
            and lines[last + 1].column == lines[place].column
            and (lines[last + 1].font == lines[place].font or (lines[last + 1].bold and lines[place].bold))
            and abs(lines[last + 1].size - lines[place].size) <= 0.5
            and not lines[last + 1].lead
            and (_style(lines[last + 1])[2] == _style(lines[place])[2] or len(lines[last + 1].text) < 25)
            and 0 < lines[last + 1].gap < 1.45 * lines[place].size
            and not _NUMBER.match(lines[last + 1].text)
            and lines[last].x1 > lines[last].left + 0.5 * (lines[last].right - lines[last].left)
            and _stands_out(lines[place], body_size, body_font)
        ):
            last += 1
        groups.append((place, last))
        place = last + 1
    return groups


def _stands_out(line: Line, body_size: float, body_font: str) -> bool:
    return line.size > body_size * 1.05 or (line.size >= body_size * 0.9 and (line.bold or line.font != body_font))


def _from_outline(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], outline: Sequence[OutlineEntry], title: str
) -> list[Heading]:
    """The bookmarks that are found on their pages; none where fewer than three are."""
    by_page: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for first, last in groups:
        by_page[lines[first].page].append((first, last))
    found: list[Heading] = []
    after = -1
    entries = [entry for entry in outline if _plain(entry.title) != _plain(title)]
    for entry in entries:
        wanted = _plain(entry.title)
        bare = _plain(_bare(entry.title))
        if len(bare) < 3 or _CAPTION.match(entry.title) or entry.page < 1:
            continue
        best: tuple[float, int, int, str] | None = None
        for first, last in [*by_page[entry.page], *by_page[entry.page + 1][:8]]:
            if first <= after:
                continue
            text = _joined(line.text for line in lines[first : last + 1])
            if len(text) > 2.5 * len(entry.title) + 20:
                continue
            score = max(_similar(_plain(text), wanted), _similar(_plain(_bare(text)), bare))
            if score > 0.85 and (best is None or score > best[0]):
                best = (score, first, last, text)
        if best is not None:
            found.append(Heading(best[1], best[2], best[3], entry.depth, "outline"))
            after = best[2]
    if len(found) < 3 or len(found) < 0.4 * len(entries):
        return []
    top = min(heading.level for heading in found)
    for heading in found:
        heading.level -= top - 1
    return found


def _bare(text: str) -> str:
    match = _NUMBER.match(text)
    return match["name"] if match else text


def _numbers(label: str) -> tuple[int, ...] | None:
    label = label.rstrip(".:")
    if re.fullmatch(r"\d+(?:\.\d+)*", label):
        return tuple(int(part) for part in label.split("."))
    return None


def _from_numbers(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body_size: float, body_font: str
) -> list[Heading]:
    """Lines numbered 1, 1.1, 1.2, 2 … that run on over the document, and all look alike."""
    candidates: list[tuple[int, int, str, tuple[int, ...], bool]] = []
    rests: dict[int, str] = {}
    for first, last in groups:
        text = _joined(line.text for line in lines[first : last + 1])
        if run_in := _run_in(lines, first):
            last, text, rests[first] = run_in
            match = _NUMBER.match(text)
            numbers = _numbers(match["label"]) if match else None
            if numbers and 0 not in numbers and len(numbers) > 1 and _looks_like_heading(match["name"]):
                candidates.append((first, last, text, numbers, True))
            continue
        match = _NUMBER.match(text)
        numbers = _numbers(match["label"]) if match else None
        if not match or not numbers or 0 in numbers or numbers[0] > 40:
            continue
        if not match["name"][0].isupper() and len(numbers) == 1:
            continue
        if (
            not _looks_like_heading(match["name"])
            or (text.endswith(".") and len(text.split()) > 6)
            or lines[first].cells > 2
        ):
            continue
        line = lines[first]
        alone = line.x1 < line.right - 0.04 * (line.right - line.left) or last > first
        if line.size < 0.88 * body_size or not alone:
            continue
        candidates.append((first, last, text, numbers, _stands_out(line, body_size, body_font)))
    if sum(one[4] for one in candidates) >= 2:
        candidates = [one for one in candidates if one[4]]
    elif any(after[0] - before[1] < 3 for before, after in pairwise(candidates)):
        return []  # a list
    # The longest chain in which each number may follow the one before it.
    length, previous = [1] * len(candidates), [-1] * len(candidates)
    for place, (*_, numbers, _) in enumerate(candidates):
        for before in range(max(0, place - 60), place):
            if _may_follow(candidates[before][3], numbers) and length[before] + 1 > length[place]:
                length[place], previous[place] = length[before] + 1, before
    if not length or max(length) < 2:
        return []
    chain, place = [], max(range(len(length)), key=length.__getitem__)
    while place >= 0:
        chain.append(candidates[place])
        place = previous[place]
    chain.reverse()
    if len([one for one in chain if len(one[3]) == 1]) < 2 and len(chain) < 3:
        return []
    return [
        Heading(first, last, text, len(numbers), "numbering", rests.get(first, ""))
        for first, last, text, numbers, _ in chain
    ]


_TYPED_RUN_IN = re.compile(r"(?P<head>\d{1,2}(?:\.\d{1,2}){1,3}\.? [A-Z][^.:]{3,70})[.:] (?P<rest>[A-Z].*)")


def _run_in(lines: Sequence[Line], place: int) -> tuple[int, str, str] | None:
    """A numbered heading that the text follows on the same line: its last line, its text, and what follows it."""
    line = lines[place]
    if not _NUMBER.match(line.text):
        return None
    typed = _TYPED_RUN_IN.match(line.text)
    if typed and not line.bold and (line.gap == 0 or line.gap > 1.4 * line.size):
        return place, typed["head"], typed["rest"]
    if line.lead:
        head, rest = _split_lead(line)
        return (place, head.rstrip("."), rest) if rest and head.endswith((".", ":")) else None
    after = lines[place + 1] if place + 1 < len(lines) else None
    if after is None or not after.lead or after.column != line.column or not (line.italic or line.bold):
        return None
    if after.gap > 1.4 * line.size or line.x1 < line.right - 0.1 * (line.right - line.left):
        return None
    head, rest = _split_lead(after)
    if not head.endswith((".", ":")) or len(head) > 80:
        return None
    return place + 1, _joined([line.text, head]).rstrip("."), rest


def _split_lead(line: Line) -> tuple[str, str]:
    count = 0
    for offset, character in enumerate(line.text):
        count += not character.isspace()
        if count == line.lead:
            return line.text[: offset + 1].strip(), line.text[offset + 1 :].strip()
    return line.text, ""


def _may_follow(before: tuple[int, ...], after: tuple[int, ...]) -> bool:
    """Whether ``after`` is the next number of the same, a deeper or a higher level; one may be missing."""
    if len(after) > len(before):
        return after[: len(before)] == before and after[len(before)] <= 2
    if len(after) >= 1 and after[:-1] == before[: len(after) - 1]:
        return 1 <= after[-1] - before[len(after) - 1] <= 2
    return len(after) == 2 and after[0] - before[0] == 1 and after[1] == 1  # the line "3" itself was not found


def _from_style(
    lines: Sequence[Line], groups: Sequence[tuple[int, int]], body_size: float, body_font: str
) -> list[Heading]:
    """Lines set apart in a style that is used for headings, and lines that say so by their name."""
    usage: Counter[Style] = Counter()
    shaped: Counter[Style] = Counter()
    named: Counter[Style] = Counter()
    candidates: list[tuple[int, int, str, bool, Style]] = []
    for first, last in groups:
        line = lines[first]
        style = _style(line)
        usage[style] += 1
        text = _joined(one.text for one in lines[first : last + 1])
        if line.lead or line.cells > 1 or not _looks_like_heading(_bare(text)):
            continue
        if text.endswith(":") and len(text.split()) > 8:
            continue
        name = _is_name(text)
        if not _stands_out(line, body_size, body_font) and not (style[2] or name):
            continue
        if not name and not _set_apart(lines, first, last, body_size):
            continue
        shaped[style] += 1
        named[style] += name
        candidates.append((first, last, text, name, style))
    found = []
    for first, last, text, name, style in candidates:
        line = lines[first]
        heading_style = shaped[style] >= 0.5 * usage[style] and (
            named[style] or line.size > 1.12 * body_size or line.bold or style[2] or line.italic or shaped[style] >= 3
        )
        apart = _set_apart(lines, first, last, body_size)
        if name and (heading_style or apart or _stands_out(line, body_size, body_font)):
            found.append(
                Heading(
                    first,
                    last,
                    text,
                    0,
                    "style" if heading_style and _stands_out(line, body_size, body_font) else "name",
                )
            )
        elif heading_style and (
            line.size > 1.12 * body_size
            or (any(named.values()) and line.size >= 0.9 * body_size and not text.endswith("."))
        ):
            found.append(Heading(first, last, text, 0, "style"))
    return found


def _set_apart(lines: Sequence[Line], first: int, last: int, body_size: float) -> bool:
    """Whether lines stand alone: white above or below, body text after them, and no full line."""
    line, after = lines[first], lines[last + 1] if last + 1 < len(lines) else None
    if after is None:
        return False
    wide = line.right - line.left
    short = (
        lines[last].x1 < line.right - 0.12 * wide or abs((line.x0 - line.left) - (line.right - line.x1)) < 0.05 * wide
    )
    above = line.gap == 0 or line.gap > 1.35 * max(line.size, body_size)
    below = after.column != line.column or after.gap > 1.35 * max(line.size, body_size)
    weighty = (
        line.bold
        and not after.bold
        and (line.gap == 0 or bool(_TERMINAL.search(lines[first - 1].text)) if first else True)
    )
    return short and (above or below or weighty)


def _levelled(headings: list[Heading], lines: Sequence[Line], body_size: float) -> list[Heading]:
    """Levels from numbers, else from styles: that of the introduction and its like is level 1, lesser ones follow."""
    votes: Counter[Style] = Counter()
    given: dict[Style, Counter[int]] = defaultdict(Counter)
    for heading in headings:
        style = _style(lines[heading.first])
        if heading.level:
            given[style][heading.level] += 1
        elif _TOP.fullmatch(_bare(heading.text).strip(" .:")):
            votes[style] += 1

    def weight(style: Style) -> tuple[float, bool, bool, bool]:
        sample = next(lines[one.first] for one in headings if _style(lines[one.first]) == style)
        return (round(style[1]), sample.bold, style[2], not sample.italic)

    known = {style: counts.most_common(1)[0][0] for style, counts in given.items()}
    styles = list(dict.fromkeys(_style(lines[heading.first]) for heading in headings if not heading.level))
    top = votes.most_common(1)[0][0] if votes else max(styles, key=weight, default=None)
    level = 1
    for style in sorted((style for style in styles if style not in known), key=weight, reverse=True):
        if style != top and weight(style) < weight(top):
            level += 1
        known[style] = level
    for heading in headings:
        if not heading.level:
            heading.level = min(known[_style(lines[heading.first])], 6)
    return headings


_TOP = re.compile(
    r"introduction|background|(?:materials?|patients?)? ?(?:and|&)? ?methods?|methodology|"
    r"results?(?: (?:and|&) discussions?)?|"
    r"discussions?|conclusions?(?: .{0,30})?|references|abstract|acknowled?ge?ments?|experimental(?: section)?",
    re.IGNORECASE,
)


# --- text -------------------------------------------------------------------------------------------------------------


def _compounds(lines: Sequence[Line]) -> set[str]:
    """Words that are written with a hyphen in the middle of a line, in lower case."""
    return {match.lower() for line in lines for match in re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)+(?=\W)", line.text)}


@dataclass
class _Flow:
    """Builds paragraphs line by line; captions and notes wait until the paragraph they interrupt is complete."""

    compounds: set[str]
    paragraphs: list[Paragraph]
    text: str = ""
    starts: tuple[tuple[int, int], ...] = ()
    waiting: list[Paragraph] | None = None

    def add(self, text: str, page: int) -> None:
        if self.text.endswith("-") and text[:1].islower() and len(self.text) > 1 and self.text[-2].isalpha():
            head = re.search(r"[^\W\d_]+(?:-[^\W\d_]+)*-$", self.text)
            tail = re.match(r"[^\W\d_]+", text)
            whole = (head.group() + tail.group()).lower() if head and tail else ""
            if whole not in self.compounds:
                self.text = self.text[:-1]
        elif (
            self.text
            and not self.text.endswith(("/", "–", "—"))
            and not (self.text.endswith("-") and text[:1].isupper())
        ):
            self.text += " "
        if not self.starts or self.starts[-1][1] != page:
            self.starts = (*self.starts, (len(self.text), page))
        self.text += text

    def end(self) -> None:
        if self.text.strip():
            self.paragraphs.append(Paragraph(self.text, self.starts))
        self.text, self.starts = "", ()
        self.paragraphs += self.waiting or []
        self.waiting = []


def _is_prose(text: str) -> bool:
    words = text.split()
    letters = sum(character.isalpha() for character in text)
    return (
        len(words) >= 12
        and letters > 0.7 * len(text.replace(" ", ""))
        and sum(word.islower() for word in words) > 0.5 * len(words)
    )


def _by_pages(lines: Sequence[Line], body_size: float, compounds: set[str]) -> list[Section]:
    sections = []
    pages = sorted({line.page for line in lines})
    for start in range(0, len(pages), PAGES_PER_SECTION):
        group = pages[start : start + PAGES_PER_SECTION]
        paragraphs = _paragraphs([line for line in lines if line.page in group], body_size, compounds)
        label = f"p. {group[0]}" if len(group) == 1 else f"p. {group[0]}–{group[-1]}"
        sections.append(Section(label, tuple(paragraphs), 1, "fallback"))
    return sections


def _cut(
    lines: Sequence[Line], headings: Sequence[Heading], body_size: float, body_font: str, compounds: set[str]
) -> list[Section]:
    """Sections between headings: the front matter is reduced to the abstract, the reference list left out."""
    sections: list[Section] = []
    first = headings[0]
    front = lines[: first.first]
    sections += _front(front, body_size, compounds, has_abstract=any(_ABSTRACT.match(one.text) for one in headings[:3]))
    skipping: Heading | None = None
    for heading, after in zip(headings, [*headings[1:], None], strict=True):
        end = after.first if after is not None else len(lines)
        if _REFERENCES.fullmatch(heading.text):
            skipping = heading
            continue
        if skipping is not None:
            same = _style(lines[heading.first])[:2] == _style(lines[skipping.first])[:2]
            if heading.level > skipping.level and not same and heading.found_by != "outline":
                continue
            skipping = None
        text = list(lines[heading.last + 1 : end])
        if heading.rest:
            text = [replace(lines[heading.last], text=heading.rest, lead=0), *text]
        paragraphs = _paragraphs(text, body_size, compounds)
        sections.append(Section(heading.text, tuple(paragraphs), heading.level, heading.found_by))
    return sections


def _front(front: Sequence[Line], body_size: float, compounds: set[str], has_abstract: bool) -> list[Section]:
    """What stands before the first heading: the abstract, if it is there without a heading of its own."""
    for place, line in enumerate(front):
        match = _ABSTRACT.match(line.text)
        if match and (line.text[match.end() :] or place + 1 < len(front)) and match.group().rstrip()[-1:] in ":.—–-":
            rest = [replace(line, text=line.text[match.end() :])] if line.text[match.end() :] else []
            paragraphs = _paragraphs([*rest, *front[place + 1 :]], body_size, compounds)
            kept = [one for one in paragraphs if not _FRONT.match(one.text)]
            return [Section("Abstract", tuple(kept), 1, "name")] if kept else []
    paragraphs = [one for one in _paragraphs(front, body_size, compounds) if _is_prose(one.text)]
    paragraphs = [one for one in paragraphs if not _FRONT.match(one.text) and len(one.text.split()) >= 40]
    if not paragraphs:
        return []
    if has_abstract:
        return []
    return [Section("Abstract", tuple(paragraphs), 1, "fallback")]


def _paragraphs(lines: Sequence[Line], body_size: float, compounds: set[str]) -> list[Paragraph]:
    """Lines → paragraphs; captions and notes after the paragraph they interrupt, the insides of tables left out."""
    flow = _Flow(compounds, [])
    flow.waiting = []
    aside: _Flow | None = None
    last: Line | None = None  # of the running text
    last_aside: Line | None = None

    def end_aside() -> None:
        nonlocal aside
        if aside is not None:
            aside.end()
            for paragraph in aside.paragraphs:
                if _is_prose(paragraph.text) or _CAPTION.match(paragraph.text):
                    flow.waiting.append(paragraph)
        aside = None

    for line in lines:
        if _BODY_SKIP.match(line.text):
            continue
        caption = bool(_CAPTION.match(line.text)) and (
            line.lead > 0 or line.size < 0.97 * body_size or line.bold or line.gap == 0 or line.gap > 1.5 * line.size
        )
        small = line.size < 0.93 * body_size
        goes_on = (
            aside is not None
            and last_aside is not None
            and line.column == last_aside.column
            and line.page == last_aside.page
            and abs(line.size - last_aside.size) < 0.6
            and 0 < line.gap < 1.6 * line.size
        )
        if caption or small or (goes_on and line.size < 0.97 * body_size):
            if not goes_on or caption:
                end_aside()
                aside = _Flow(compounds, [])
            if line.cells <= 2:
                aside.add(line.text, line.page)
            last_aside = line
            continue
        if (
            goes_on
            and aside is not None
            and _CAPTION.match(aside.text)
            and last_aside.gap
            and line.gap < 1.25 * last_aside.gap
        ):
            aside.add(line.text, line.page)
            last_aside = line
            continue
        end_aside()
        if line.cells >= 3 or _is_debris(line):
            continue
        if last is not None and _begins_paragraph(line, last):
            flow.end()
        flow.add(line.text, line.page)
        last = line
    end_aside()
    flow.end()
    return [paragraph for paragraph in flow.paragraphs if not _BOILERPLATE.match(paragraph.text)]


def _is_debris(line: Line) -> bool:
    """Numbers and labels of tables and figures."""
    letters = sum(character.isalpha() for character in line.text)
    return letters < 0.4 * len(line.text.replace(" ", "")) and line.x1 - line.x0 < 0.5 * (line.right - line.left)


def _begins_paragraph(line: Line, last: Line) -> bool:
    wide = line.right - line.left
    indented = line.x0 > line.left + 0.7 * line.size and line.x0 < line.left + 0.25 * wide
    ended = bool(_TERMINAL.search(last.text))
    short = last.x1 < last.right - 0.1 * (last.right - last.left)
    if (line.page, line.column) != (last.page, last.column):
        return ended and (indented or short) and not line.text[0].islower()
    if not ended and (line.text[0].islower() or _IN_BRACKETS.match(line.text)):
        return False
    was_indented = last.x0 > last.left + 0.7 * last.size
    return (indented and not was_indented) or (ended and short) or line.gap > 1.75 * line.size or (indented and ended)
