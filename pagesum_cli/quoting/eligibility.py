"""Which sentences make sense outside of their document, by their words (English)."""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path

from ..documents.article.names import core_name, is_abstract, is_label
from ..documents.model import Sentence
from ..locality.flow import Page
from ..text.words import STOP_WORDS
from .context import ALONE, Surroundings, needs_context
from .roles import roles_of


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split()).replace('_', ' ')})"


def _patterns() -> dict[str, re.Pattern[str]]:
    """The patterns of ``eligibility.toml``."""
    data = tomllib.loads(Path(__file__).with_name("eligibility.toml").read_text(encoding="utf-8"))
    parts = {name: _any(words) for name, words in data["words"].items()} | data["parts"]

    def filled(text: str) -> str:
        return re.sub(r"<([A-Z_]+)>", lambda match: filled(parts[match[1]]), text)

    return {
        name: re.compile("|".join(map(filled, texts)), re.IGNORECASE)
        for name, texts in data["patterns"].items()
    }


# In the order of the file.
_ALL = _patterns().values()
CAPTION, ABOUT_DOCUMENT, BACK_MATTER, BYLINE, WITHOUT_SUBJECT, BACK_SECTION, AIM, OTHERS, OWN = _ALL
NOT_CONTENT = (CAPTION, ABOUT_DOCUMENT, BACK_MATTER, BYLINE, WITHOUT_SUBJECT)

CLOSED = re.compile(r"[.!?…。！？؟।]['\"”’»)\]]{0,3}$")
CUT = re.compile(
    r"(?:\b"
    + _any(r"et_al e\.g i\.e cf vs figs? eqs? refs? approx resp dr mrs? prof")
    + r"|[(,;:])\.$",
    re.IGNORECASE,
)
"""The end of a sentence that was split in its middle."""
BEGINS_INSIDE = re.compile(
    r"[),;:%\]}]|[*†‡](?=[A-Z])|-(?=[^\W\d_])|[$#] (?=[a-z])|⁻|[¹²³⁰⁴-⁹]{1,2}(?=[A-Z][A-Za-z]{2})|"
    + _any("and or but of to in by with for which that as than respectively was were is are")
    + r"\b(?![.(_:])"
)
"""The beginning of one; or of a run-in label with a dash, a command after its prompt, an
affiliation, or a footnote.
"""

BEGINS_WITH_NUMBER = re.compile(
    r"[\"'“‘(\[]{0,2}[<>=≤≥±~]? ?\d[\d.,%–-]{0,20}(?:[µμu][lLgmM]|m[lLgm]|[kn]g|[cn]m)?(?=\s)"
)
"""A number as the first word, also with its unit: the end of a sentence, a list's or a heading's
number; not ``3D printing``."""
LIST_ITEM = re.compile(
    r"\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})\)\s"
    r"|(?:\d{1,3}(?:\.\d{1,3}){0,4}|[IVX]{2,5}|[IV]|[ivx]{2,5}|[a-z])\.\s"
)
"""The beginning of a numbered item; not a species, ``E. coli grows``, or an author, ``A. Smith
asks``.
"""
SMALL_BEGINNING = re.compile(
    r"(?:[-–—*•·▪■●○◦‣►▸➢✓+]\s+)?[\"'“‘(\[]{0,2}(?![\w’']*[A-Z0-9])(?![^\W\d_]{1,2}-)(?=[^\W\d_])"
)
"""Where a word begins that must have a capital in a sentence: not ``mRNA``, ``p53``, ``α-pinene``.
"""
NAMES = re.compile(
    r"(?:(?:[A-Z][\w.’'-]*|del?|d[aiou]|v[ao]n|al|el|for|and|\d+)[\s(),;]+){8,}[A-Z][\w’'-]*\)?\.$"
)
"""A list of names: a team."""
TERM_TWICE = re.compile(r"(\w[\w()/ -]{2,40}) (?:(?:An?|The) )?\1\b")
"""A term, and then the sentence that explains it: ``Balance Sheet A Balance Sheet is …``."""
LOST = re.compile(r": (?:where|and)\b")  # a formula or a list is gone: "is given by: where …"
SUBJECTLESS = re.compile(
    r"(?:Might|Will|Would|Could|Should|Can|Must|Shall|Was|Were|Has|Have|Had|Is|Are|Does|Did) "
    r"(?!(?:the|a|an|it|he|she|they|we|you|there|any|all)\b)[a-z]"
)
"""A sentence of notes that leaves out who; not a question, or a condition: "Should the mill fail,
…".
"""
QUESTION = re.compile(r"\?['\"”’»)\]]{0,3}$")  # its answer is what a summary tells
SPACED_STOP = re.compile(r"\s[.!?]$")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


DEMONSTRATIVES = _words("this that")
SHOWN_ELSEWHERE = _words("fig figs figure figures table tables section")
_FIGURE_NUMBER = re.compile(r"(?!(?:1[ab]|2[ad]|3[ad]|4a)$)(?:[1-9]|[12]\d|30)[a-z]?")
"""``3`` and ``4b``; not the most frequent panels, which are words of the bundled vocabulary: a
sentence about them was selected before, and is selected now."""

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")

PARTS_OF_PAPER = _words("abstract introduction methods results discussion conclusion")
MIN_PARTS = 2  # different parts of a paper, by the headings, which make a document one

MAX_LABELLED = 200  # words of a part of a structured abstract

OPENS = re.compile("introduction", re.IGNORECASE)

OFTEN = 4  # sentences that a name in lower case begins
SENTENCES_BEFORE = 3  # sentences before another one that are looked at


@dataclass(frozen=True, slots=True)
class Eligibility:
    """What a sentence's words say about quoting it."""

    # It is a whole sentence: begins with a capital, is closed by a sentence mark, has every bracket
    # and quotation mark twice, and has no number in front.
    is_whole: bool = True
    # It is about the document's subject: not a caption, back matter, or about the document's own
    # parts
    is_content: bool = True
    refers_away: bool = False  # it refers to a figure, table or section: "(Fig. 1)"
    is_others: bool = False  # it tells what others found or wrote
    is_abstract: bool = False  # it is in the abstract
    # the sentence before it on the page is the one before it in its paragraph
    follows: bool = False
    # it is no heading, label, citation or lead-in, which are never quoted by themselves
    is_quotable: bool = True
    words: int = 1  # number of its words, with those of the lead-in that it completes
    citation_words: int = 0  # number of words of the citations that belong to it
    # the probability that it points at something that it does not hold itself
    needs_context: float = 0.0
    # the probability of each role, in a paper
    roles: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(
        cls, text: str, around: Surroundings = ALONE, *, may_count: bool = False
    ) -> "Eligibility":
        """Examine a sentence; if it ``may_count``, its first word can be a number."""
        tokens = _TOKEN.findall(text.lower())
        aim = AIM.search(text)
        names_itself = aim is not None and aim.start() == 0 and text.startswith("This ")
        return cls(
            is_whole=CLOSED.search(text) is not None and not _is_fragment(text, may_count),
            is_content=not any(pattern.search(text) for pattern in NOT_CONTENT)
            and not BACK_SECTION.match(around.heading),
            refers_away=_refers_away(tokens),
            is_others=OTHERS.search(text) is not None and OWN.search(text) is None,
            words=len(text.split()),
            needs_context=0.0 if names_itself else needs_context(text, around),
        )


def eligibility_of(pages: Sequence[Page]) -> tuple[tuple[Eligibility, ...], ...]:
    """Examine each sentence of the pages of a document.

    One whose paragraph goes on in lower case is not whole: a comma was read as a stop, or two
    columns as one.
    """
    examined = []
    before: list[Sentence] = []
    parts = dict(_parts(pages))
    roles = _roles(pages, parts)
    names = _names(pages)
    for place, page in enumerate(pages):
        if place and page.source != pages[place - 1].source:
            before = []
        rules: list[Eligibility] = []
        cited = _citation_words(page.sentences)
        for number, item in enumerate(page.sentences):
            near = [
                other for other in before if other.heading == item.heading and not other.is_heading
            ]
            last = before[-1] if before else item
            goes_on = last.end >= 0 and 0 <= item.start - last.end <= 1
            around = Surroundings(
                [other.text for other in near], not goes_on, page.title, item.heading
            )
            key = (place, number)
            in_abstract = parts[key] == "abstract"
            text = completed(item)
            if text.partition(" ")[0] in names:
                text = text[0].upper() + text[1:]
            own = Eligibility.of(text, around, may_count=in_abstract and goes_on)
            if item.lead_in and len(item.text.split()) < MIN_ITEM:
                own = replace(own, is_whole=False)
            is_content = own.is_content and (in_abstract or not QUESTION.search(item.text))
            follows = goes_on and number > 0
            own = replace(own, is_content=is_content, is_abstract=in_abstract)
            own = replace(own, is_quotable=item.is_quotable, citation_words=cited[number])
            rules.append(replace(own, follows=follows, roles=roles.get(key, {})))
            if goes_on and number and not SPACED_STOP.search(last.text) and _begins_small(text):
                rules[number - 1] = replace(rules[number - 1], is_whole=False)
            before = [*before[1 - SENTENCES_BEFORE :], item]
        examined.append(tuple(rules))
    return tuple(examined)


def _citation_words(sentences: Sequence[Sentence]) -> list[int]:
    """How many words the citations directly after each sentence have."""
    words = [0] * (len(sentences) + 1)
    for number in range(len(sentences) - 1, -1, -1):
        if sentences[number].role == "citation":
            words[number] = words[number + 1] + len(sentences[number].text.split())
    return words[1:]


MIN_ITEM = 3  # words of an item of a list that is quoted

_OPEN_ITEM = re.compile(r"[;,](?: (?:and|or))?$")


def completed(item: Sentence) -> str:
    """A sentence; of an item of a list, what it makes with its lead-in: "A person may not: drive a
    bus.".
    """
    if item.lead_in is None:
        return item.text
    text = " ".join([*(one.text for one in item.lead_ins), _OPEN_ITEM.sub("", item.text)])
    return text if CLOSED.search(text) else f"{text}."


def _names(pages: Sequence[Page]) -> set[str]:
    """Names in lower case, such as that of a program: words that begin several sentences."""
    sentences = (item.text for page in pages for item in page.sentences if not item.is_heading)
    first = Counter(
        text.partition(" ")[0] for text in sentences if text[:1].islower() and CLOSED.search(text)
    )
    return {
        word
        for word, count in first.items()
        if count >= OFTEN and word.isalpha() and word not in STOP_WORDS
    }


def _parts(pages: Sequence[Page]) -> Iterator[tuple[tuple[int, int], str]]:
    """The part of a paper that each sentence is in, by page and number: ``abstract`` …; empty if
    unknown.
    """
    for _, group in groupby(enumerate(pages), key=lambda one: one[1].source):
        items = [
            (place, number, item)
            for place, page in group
            for number, item in enumerate(page.sentences)
        ]
        sections = [list(section) for _, section in groupby(items, key=lambda one: one[2].heading)]
        words = [sum(len(item.text.split()) for *_, item in section) for section in sections]
        headings = [section[0][2].heading for section in sections]
        for section, part in zip(sections, _parts_of(headings, words), strict=True):
            yield from (((place, number), part) for place, number, _ in section)


def _parts_of(headings: Sequence[str], words: Sequence[int]) -> Iterator[str]:
    """The part that each section of a document is, by its heading and number of words.

    Only the first abstract counts, and only in the first half: a summary for other readers, or at
    the end, says the same again. The labels of a structured abstract, each once, belong to it, if
    what is under them is short: a paper may begin with its background, too.
    """
    part, labels, before = "", list[str](), 0
    for heading, count in zip(headings, words, strict=True):
        is_next = heading not in labels and is_label(heading) and not OPENS.match(heading)
        if is_abstract(heading) and not labels and 2 * before < sum(words):
            part, labels = "abstract", [heading]
        elif part == "abstract" and count <= MAX_LABELLED and is_next:
            labels.append(heading)
        elif part != "abstract" or heading != labels[-1]:
            limits = "discussion" if "limitation" in heading.lower() else ""
            part = core_name(heading) or limits or (part if part != "abstract" else "")
        before += count
        yield part


def _roles(
    pages: Sequence[Page], parts: Mapping[tuple[int, int], str]
) -> dict[tuple[int, int], dict[str, float]]:
    """The roles of the sentences of a paper, by page and number; empty for another document."""
    if len(PARTS_OF_PAPER.intersection(parts.values())) < MIN_PARTS:
        return {}
    return {
        (place, number): roles_of(pages[place].sentences[number].text, part, index / len(parts))
        for index, ((place, number), part) in enumerate(parts.items())
    }


_BRACKET = re.compile(r"[(\[\])]")
_ENUMERATION = re.compile(r"(?:^|\s)\w{1,3}\)$")  # ``a)`` and ``2)``, which need no opening bracket


def _is_fragment(text: str, may_count: bool) -> bool:
    if (
        LOST.search(text)
        or TERM_TWICE.match(text)
        or (SUBJECTLESS.match(text) and not QUESTION.search(text))
        or (text.count(",") > 3 and NAMES.match(text))
        or CUT.search(text)
        or BEGINS_INSIDE.match(text)
        or (not may_count and BEGINS_WITH_NUMBER.match(text))
        or LIST_ITEM.match(text)
    ):
        return True
    if (
        _begins_small(text)
        or not _is_balanced(text)
        or text.count("“") != text.count("”")
        or text.count('"') % 2
    ):
        return True
    if text.isascii() and " " not in text:  # a label; in Chinese, a sentence has no spaces
        return True
    letters = sum(map(str.isalpha, text))
    is_shouted = 2 * sum(map(str.isupper, text)) > max(letters, 40)
    return is_shouted or letters < 0.6 * len(text.replace(" ", ""))


def _begins_small(text: str) -> bool:
    beginning = SMALL_BEGINNING.match(text)
    if not beginning or not text[beginning.end()].islower():
        return False
    # data sets in lower case are tokenized too
    return not (text.islower() and SPACED_STOP.search(text))


def _is_balanced(text: str) -> bool:
    depth = 0
    for match in _BRACKET.finditer(text):
        if match.group() in "([":
            depth += 1
        elif depth:
            depth -= 1
        elif not _ENUMERATION.search(text, max(match.start() - 4, 0), match.end()):
            return False
    return depth == 0


def _refers_away(tokens: list[str]) -> bool:
    padded = ("", *tokens, "", "")
    return any(
        token in SHOWN_ELSEWHERE
        and (before in DEMONSTRATIVES or _is_number(after) or _is_number(second))
        for before, token, after, second in zip(
            padded, padded[1:], padded[2:], padded[3:], strict=False
        )
    )


def _is_number(token: str) -> bool:
    return _FIGURE_NUMBER.fullmatch(token) is not None
