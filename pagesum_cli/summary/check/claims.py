"""A summary → its claims, each with where the summary says that it stands."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from textwrap import wrap

from ...documents.model import GAP, Document
from ...documents.units import label_at
from ...documents.written import dated
from ...locality.localities import LOCALITIES, OPENING
from ...text.sentences import sentence_spans
from ...text.tables import table
from ..summary import Summary, SummarySentence
from .added import HEADINGS, Added, ends_with_label, is_heading, is_table
from .speakers import Speakers

NOBODY = Speakers()
LENGTH = 2000  # characters of a claim; longer sentences are checked in pieces
LONGEST_SHORT = 20  # characters in which an abbreviation before a point is looked for
MIN_QUOTATION = 3  # words of a quotation that is a claim of its own

_OPENED = re.compile(r"(?:.{0,2000}:|\S{1,16}(?: \S{1,8}){0,3}) …", re.DOTALL)
"""A lead-in or a label after which something is left out: it belongs to what follows."""

_ENDS = tuple(".!?…。！？)]”\"'’")  # what a line before a heading ends with
_NUMBERS = r"[\divxlc]{1,7}(?:(?:\s?[–-]\s?|, ?)[\divxlc]{1,7}){0,40}"
_PAGES = re.compile(
    rf"(?:^|, )pp?\. ?({_NUMBERS})(?: \(PDF ({_NUMBERS})\))?(?=, |$)", re.IGNORECASE
)
_PLACES = re.compile(rf"(line|sentence|para)s? ({_NUMBERS})(?:\([A-Za-z\d]{{1,5}}\))*(?:, |$)")
_TIME = re.compile(r"(?P<clock>(?:\d{1,3}:)?\d\d:\d\d)(?:, |$)")
_LABELS = re.compile(r"(?: ?(?:\([A-Za-z\d]{1,5}\)|\d[\d.]{0,8}))*(?:, |$)")
"""The letters and numbers of a paragraph, after the heading of its section: (b)(1)."""
_NUMBER_OF_PARAGRAPH = re.compile(r"\d{1,4}(?:\.\d{1,4}){0,4}\.")
_CLAUSE = re.compile(r"\d{1,4}(?:\.\d{1,4}){1,4}\.")
_WORDS_WITH_POINT = table(__file__, "claims.toml")["words_with_point"].split()
_FRAMES = {
    name: re.compile(form, re.IGNORECASE)
    for name, form in table(__file__, "frames.toml").items()
    if name in ("label", "courtesy")
}
_ATTRIBUTION = re.compile(table(__file__, "frames.toml")["attribution"], re.IGNORECASE)
"""What a sentence says beside its quotations, if that is no statement of its own."""
_STATEMENT = re.compile(
    r"(?:\S{1,200}\s+){3,500}\S{0,200}[.!?][\"”’)\]]{0,3}|(?:\S{1,200}\s+){9,500}\S+"
)
"""A heading, a caption or a note that may state something: four words and a stop, or ten words."""
_CHAPTER = re.compile(rf", pp?\. {_NUMBERS}(?: \(PDF {_NUMBERS}\))?(?:\s+|$)")
"""After the title of a chapter, in the summary of a book."""
# what pagesum writes below a summary
_MADE_OF = re.compile(
    rf"[\d,]{{1,9}} (?:parts?, (?:{'|'.join(LOCALITIES)})|chapters?); model \S{{1,200}}"
    r"|(?:Sources disagree|Numbers by date) – [^\n:]{1,200}: [^\n]{1,2000}\)"
    r"|Uncertain in the scan – [^\n]{1,2000}"
    r"|Outcomes: \d{1,4} (?:decision|vote|action|date)s?[^\n.]{0,80}"
)
_BRACKET = re.compile(r"\[([^\[\]\n]{1,300})\]|\((pp?\. ?[\divxlc][^()\n]{0,100})\)", re.IGNORECASE)
_QUOTATION = re.compile(
    r'"([^"\n]{8,2000})"|“([^“”\n]{8,2000})”|«([^«»\n]{8,2000})»|„([^„“”\n]{8,2000})[“”]'
)
_SMALL_START = re.compile(r"(?:(?<=[^\W\d_]{4}[.!?])|(?<=[\d%)\]][.!?]))\s+(?P<next>[^\W\d_]+)")
"""Where a sentence may begin with a small letter: after a long word, a number or a bracket."""
_ENDS_WITH_DECIMAL = re.compile(
    r"(?<!section)(?<!figure)(?<!table)(?<!fig\.)(?<!eq\.)(?<!version)"
    r"\s[-−<>=$€£]{0,2}\d{1,9}\.\d{1,9}\s?%?\.$",
    re.IGNORECASE,
)
"""A sentence that ends with a number that is no label."""
_NO_SENTENCE_ENDS = re.compile(rf"\b(?:{'|'.join(_WORDS_WITH_POINT)})\.$", re.IGNORECASE)
_AROUND = re.compile(r"^\s{0,40}(?:[-*•·–]|\d{1,2}[.)])\s+|\s?\(needs context\)$")
"""The bullet or number of an item, and the sign of a sentence that needs context."""
_NEEDS_CONTEXT = re.compile(r" ?↩")
_TITLE = re.compile(r"[^\W\d_][^\W\d]*(?: [^\W\d]+){0,3}")
"""One to four words without a stop: above a sentence, they are a heading."""


@dataclass(frozen=True)
class Citation:
    """Where a summary says that something stands."""

    text: str  # the citation as it is written
    # PDF pages, or numbers printed on pages; of a recording the time, ``12:04``; ``line 3``,
    # ``sentence 3``
    pages: tuple[str, ...] = ()
    is_pdf: bool = False  # whether they are PDF pages only
    file: str = ""  # name of a document; empty if none is named
    section: str = ""  # a heading; empty if none is named or pages are
    is_work: bool = False  # whether it names the file by author and year, in the claim


@dataclass(frozen=True)
class NotChecked:
    """A text in a summary that is no claim."""

    text: str
    # ``heading``, ``label``, ``courtesy``, or why the summary's reader left it out
    reason: str


@dataclass(frozen=True)
class Claim:
    """What a summary states."""

    text: str  # a sentence, or a quotation in quotation marks within one
    is_part: bool = False  # whether it need not be a whole sentence of the document
    # the place that the summary cites for it; None without a citation
    citation: Citation | None = None
    # whether it stands in quotation marks, and so must stand in the document
    is_quotation: bool = False


def claims_of(
    text: str, files: Collection[str], headings: Collection[str], speakers: Speakers = NOBODY
) -> Iterator[Claim]:
    """The sentences of a paragraph of a summary of files with these headings, each with the
    citation after it.

    A heading alone is no sentence, and neither is the name of a speaker in front of one.
    """
    titles = [(one, _CHAPTER.match(text, len(one))) for one in headings if text.startswith(one)]
    start = max((place.end() for _, place in titles if place), default=0)
    if is_heading(text, headings) or _MADE_OF.fullmatch(text):
        return
    for match in [*_BRACKET.finditer(text, start), None]:
        names = {*headings, *speakers.names}
        citation = _citation(match, files, names) if match else None
        if match and not citation and not _states(match, files):
            continue
        piece = _AROUND.sub("", text[start : match.start() if match else len(text)].lstrip(" .;,"))
        whole = [piece[a:b] for a, b in _spans(piece, speakers)]
        sentences = [_AROUND.sub("", part) for one in whole for part in _parts(one)]
        claims = [claim for one in sentences for claim in _pieces(one)]
        yield from claims[:-1]
        yield from (Claim(one.text, one.is_part, citation) for one in claims[-1:])
        if match and not citation:
            place, rest = _place_in(match[0], (match[1] or match[2]).strip(), files)
            yield from _pieces(rest, place)
        start = match.end() if match else 0


def claims_of_text(summary: Document, documents: Sequence[Document]) -> Iterator[Claim]:
    """The sentences of a summary that is a text, with what they cite of the documents; those that
    its reader left out are among them.

    The number or letter of a paragraph of the documents, or the sign of a citation, is no sentence.
    """
    yield from (one for one in parts_of_text(summary, documents) if isinstance(one, Claim))


def parts_of_text(
    summary: Document, documents: Sequence[Document]
) -> Iterator["Claim | NotChecked"]:
    """The claims of a summary that is a text, and the rest of it, which is none."""
    signs = _signs_of(documents)
    names = {name for one in documents for name in (one.name, *one.source_files)}
    sections = [section for document in documents for section in document.sections]
    headings = {name for section in sections for name in (section.heading, section.name)}
    headings = (headings | {document.title for document in documents} | {OPENING}) - {""}
    speakers = Speakers.of(
        one for document in documents for part in document.sections for one in part.paragraphs
    )
    # where and when each of several was written
    origins = [f"[{document.origin}] " for document in dated(documents)]
    summary, added = replace(summary, skipped=frozenset()), Added(documents)
    for text, is_title in _titled(_texts(summary, headings)):
        for origin in origins:
            text = text.replace(origin, "")
        text = added.without(_NEEDS_CONTEXT.sub("", text))
        claims = [] if is_title else list(claims_of(text, names, headings, speakers))
        if not claims:
            yield NotChecked(text, "heading" if is_title or text in headings else "label")
        for claim in claims:
            is_sign = claim.text in signs or _is_number(claim.text, text, documents)
            reason = "label" if is_sign else _frame(claim.text)
            yield NotChecked(claim.text, reason) if reason else claim
    for text, reason in _asides(summary):
        if _STATEMENT.fullmatch(text):
            yield from claims_of(text, names, headings, speakers)
        else:
            yield NotChecked(text, reason)


def _is_number(part: str, text: str, documents: Iterable[Document]) -> bool:
    """Whether a part of a text is the number of a paragraph of documents, of which the beginning is
    left out: "6.207. … Their second suggestion was made".
    """
    is_number = _NUMBER_OF_PARAGRAPH.fullmatch(part) is not None and f"{part} …" in text
    return is_number and any(part in document.text for document in documents)


def _titled(texts: Iterable[str]) -> Iterator[tuple[str, bool]]:
    """Paragraphs, each with whether it is a heading above one that is a statement."""
    for text, below in pairwise([*texts, ""]):
        is_title = _TITLE.fullmatch(text.strip()) is not None
        yield text, is_title and _STATEMENT.match(below) is not None


def _frame(text: str) -> str:
    """What a text is that belongs to no statement; empty if it may state something."""
    forms = _FRAMES.items()
    return next((name for name, form in forms if form.fullmatch(text.strip(" *_"))), "")


def _asides(summary: Document) -> Iterator[tuple[str, str]]:
    """The headings of a summary and what its reader left out, each with the reason."""
    for section in summary.sections:
        if section.heading:
            yield section.heading, "heading"
    for piece in (one for one in summary.left_out if not is_table(one.text)):
        for start, end in sentence_spans(piece.text):
            yield piece.text[start:end], piece.reason


def _spans(text: str, speakers: Speakers) -> list[tuple[int, int]]:
    """The places of sentences, each with the name of its speaker; an item after "…" belongs to its
    lead-in.
    """
    spans: list[tuple[int, int]] = []
    speech = 0  # offset of the words after the name of a speaker
    for start, end in sentence_spans(text):
        if spans and (start <= speech or _belong(text[slice(*spans[-1])], text[start:end])):
            spans[-1] = spans[-1][0], end
        else:
            spans.append((start, end))
            speech = speakers.end_at(text, start)
    return spans


def _parts(sentence: str) -> Iterator[str]:
    """The sentences within one that begin with a small letter, which a careful writer's do not, or
    behind a decimal number.

    Nothing is parted within quotation marks or brackets.
    """
    start = 0
    for match in _SMALL_START.finditer(sentence):
        before = sentence[start : match.start()]
        is_inside = _is_open(before) or _NO_SENTENCE_ENDS.search(before[-LONGEST_SHORT:])
        begins = match["next"][0].islower() or _ENDS_WITH_DECIMAL.search(before)
        if begins and not is_inside:
            yield before
            start = match.start("next")
    yield sentence[start:]


def _is_open(text: str) -> bool:
    """Whether a bracket or quotation mark is open at the end of a text."""
    pairs = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))
    return text.count('"') % 2 == 1 or any(text.count(a) > text.count(b) for a, b in pairs)


def _belong(before: str, text: str) -> bool:
    """Whether a text that ends in "…" and the one after it are one claim: a list, or a label and a
    sentence; also the number of a clause and its text.
    """
    if _CLAUSE.fullmatch(before):
        return not text.startswith("…")
    return ends_with_label(before) or (
        before.endswith("…")
        and (_OPENED.fullmatch(before) is not None or label_at(text) is not None)
    )


def _texts(summary: Document, headings: Collection[str]) -> Iterator[str]:
    """The paragraphs of a summary, parted by their lines that are headings, which are left out."""
    lines = summary.line_starts
    for section, start in summary.read_sections:
        for part in section.parts:
            end = start + len(part)
            inside = lines[bisect_right(lines, start) : bisect_left(lines, end)]
            if part is not section.heading:
                places = [0, *(one - start for one in inside), len(part)]
                yield from _parted([part[a:b] for a, b in pairwise(places)], headings)
            start = end + len(GAP)


def _parted(lines: Sequence[str], headings: Collection[str]) -> list[str]:
    """The text between lines that are headings: the first ones, and those after a whole
    sentence.
    """
    texts = [""]
    known = {*headings, *(HEADINGS if len(lines) > 1 else ())}
    for line in lines:
        is_apart = texts[-1].rstrip().endswith(_ENDS) or not texts[-1]
        if is_apart and is_heading(line.strip(), known):
            texts.append("")
        else:
            texts[-1] += line
    return list(filter(None, texts))


def _signs_of(documents: Sequence[Document]) -> set[str]:
    """What stands in a summary beside sentences of documents."""
    sections = [section for document in documents for section in document.sections]
    return {"[citation]", *(one.label for section in sections for one in section.paragraphs)}


def claims_in(summary: Summary) -> Iterator[Claim]:
    """The sentences of a saved summary; a quote cites the place that it was quoted from."""
    for sentence in summary.sentences:
        yield from claims_of_sentence(sentence)


def claims_of_sentence(sentence: SummarySentence) -> Iterator[Claim]:
    """A sentence of a saved summary; see :func:`claims_in`."""
    citation = None
    if source := sentence.source:
        pages = tuple(map(str, source.pdf_pages))
        named = ", ".join([source.file, *([f"p. {', '.join(pages)}"] if pages else [])])
        citation = Citation(f"[{named}]", pages, True, source.file)
    yield from _pieces(sentence.shown, citation)


def _pieces(sentence: str, citation: Citation | None = None) -> Iterator[Claim]:
    """A sentence as a claim, or as several that are cut between words where there are some."""
    for piece in wrap(sentence, LENGTH, break_on_hyphens=False):
        if any(map(str.isalnum, piece)):
            yield Claim(piece, len(sentence) > LENGTH, citation)


def quotations_in(claim: Claim) -> list[Claim]:
    """The quotations in quotation marks within a sentence."""
    texts = [next(filter(None, match.groups())) for match in _QUOTATION.finditer(claim.text)]
    return [
        Claim(text, True, claim.citation, is_quotation=True)
        for text in texts
        if len(text.split()) >= MIN_QUOTATION
    ]


def is_only_quoted(claim: Claim) -> bool:
    """Whether a sentence says of its quotations only that the document has them: “The report
    says: …”.
    """
    return _ATTRIBUTION.fullmatch(_QUOTATION.sub(" ", claim.text).strip(" .,:;…*_-–—")) is not None


def _citation(
    match: re.Match[str], files: Collection[str], names: Collection[str]
) -> Citation | None:
    """The citation in brackets, which has nothing but names of files, sections and speakers, and
    numbers; None if it has more, or names no place.
    """
    inside = _without_agreeing((match[1] or match[2]).strip(), files)
    place, rest = _place_in(match[0], inside, files)
    section, rest = _named(rest, names)
    is_place = place.pages or place.file or section
    if rest or not is_place:
        return None
    is_needed = not place.pages or _TIME.match(inside.removeprefix(f"{place.file}, "))
    return replace(place, section=section) if is_needed else place


def _without_agreeing(inside: str, files: Collection[str]) -> str:
    """A citation without the files after its place that say the same: ``a.txt, line 3; b.txt``."""
    place, *others = inside.split("; ")
    return place if others and all(one in files for one in others) else inside


def _place_in(text: str, inside: str, files: Collection[str]) -> tuple[Citation, str]:
    """The file and the pages, lines or time that a citation names, and the rest of it."""
    starts = (name for name in files if inside == name or inside.startswith(f"{name}, "))
    file = max(starts, key=len, default="")
    rest = inside.removeprefix(file).removeprefix(", ")
    if found := _PAGES.search(rest):
        pages = tuple(_numbers((found[2] or found[1]).lower()))
        rest = (rest[: found.start()] + rest[found.end() :]).removeprefix(", ")
        return Citation(text, pages, bool(found[2]), file), rest
    if time := _TIME.match(rest):
        return Citation(text, (time["clock"],), False, file), rest[time.end() :]
    if places := _PLACES.match(rest):
        pages = tuple(f"{places[1]} {one}" for one in _numbers(places[2]))
        return Citation(text, pages, False, file), rest[places.end() :]
    return Citation(text, (), False, file), rest


def _states(match: re.Match[str], files: Collection[str]) -> bool:
    """Whether brackets have a text of their own with a place after or before it."""
    place, rest = _place_in(match[0], (match[1] or match[2]).strip(), files)
    return bool(place.pages and rest)


def _named(text: str, names: Collection[str]) -> tuple[str, str]:
    """The section that a text begins with, one of some names, maybe cut; and the rest behind it and
    those below it.
    """
    found, rest = "", text
    while rest:
        cut = rest.partition("…")[0]
        name = max((one for one in names if one and rest.startswith(one)), key=len, default="")
        end = len(name)
        if "…" in rest and not name and any(one.startswith(cut) for one in names if cut):
            name, end = cut, len(cut) + 1
        labels = _LABELS.match(rest, end) if name else None
        if labels is None:
            break
        found, rest = found or name, rest[labels.end() :]
    return found, rest


def _numbers(text: str) -> Iterator[str]:
    """``3–5, 7`` → 3, 4, 5, 7."""
    for part in text.split(","):
        ends = re.split("[–-]", part.replace(" ", ""))
        if all(map(str.isdecimal, ends)) and 0 <= int(ends[-1]) - int(ends[0]) < 1000:
            yield from map(str, range(int(ends[0]), int(ends[-1]) + 1))
        else:
            yield from ends
