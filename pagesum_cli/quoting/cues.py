"""Why a sentence is not quoted, by its words (English)."""

import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class View:
    """A sentence, as far as its words and its place say whether it can be quoted."""

    text: str  # the sentence; of an item of a list, what it makes with its lead-in
    heading: str = ""  # the heading above it
    may_count: bool = False  # whether its first word can be a number: inside of an abstract


@dataclass(frozen=True)
class Cue:
    """A reason for which a sentence is quoted only where there is nothing else."""

    name: str
    reason: str  # in a sentence
    holds: Callable[[View], object]
    example: str  # a sentence that has it
    other: str  # a similar one that does not


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split()).replace('_', ' ')})"


def _patterns() -> dict[str, re.Pattern[str]]:
    """The patterns of ``cues.toml``."""
    data = tomllib.loads(Path(__file__).with_name("cues.toml").read_text(encoding="utf-8"))
    parts = {name: _any(words) for name, words in data["words"].items()} | data["parts"]

    def filled(text: str) -> str:
        return re.sub(r"<([A-Z_]+)>", lambda match: filled(parts[match[1]]), text)

    return {
        name: re.compile("|".join(map(filled, texts)), re.IGNORECASE)
        for name, texts in data["patterns"].items()
    }


# In the order of the file.
_ALL = _patterns().values()
CAPTION, ABOUT_DOCUMENT, BACK_MATTER, BYLINE, WITHOUT_SUBJECT, BACK_SECTION, *_OF_OWN = _ALL
AIM, OTHERS, OWN, PROCEDURE, FILLER, ANNOUNCING = _OF_OWN

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


_BRACKET = re.compile(r"[(\[\])]")
_ENUMERATION = re.compile(r"(?:^|\s)\w{1,3}\)$")  # ``a)`` and ``2)``, which need no opening bracket


MIN_LETTERS = 0.6  # share of letters among a sentence's characters
MANY_COMMAS = 3  # commas, more of which a list of names has
LONG_SHOUT = 40  # letters of a text, half of which are capitals where it is shouted


def begins_small(text: str) -> bool:
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


def _has_pairs(text: str) -> bool:
    """Whether every quotation mark has its other one."""
    return text.count("“") == text.count("”") and not text.count('"') % 2


def _is_shouted(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return 2 * sum(map(str.isupper, text)) > max(letters, LONG_SHOUT)


def _is_mostly_signs(text: str) -> bool:
    return sum(map(str.isalpha, text)) < MIN_LETTERS * len(text.replace(" ", ""))


def _matches(pattern: re.Pattern[str]) -> Callable[[View], object]:
    return lambda view: pattern.search(view.text)


def _begins_with(pattern: re.Pattern[str]) -> Callable[[View], object]:
    return lambda view: pattern.match(view.text)


FORM = (
    Cue(
        "open end",
        "It has no final punctuation: a heading, or the beginning of something.",
        lambda view: not CLOSED.search(view.text),
        "The harvest of the year",
        "The harvest was late.",
    ),
    Cue(
        "cut",
        "It was split in the middle.",
        _matches(CUT),
        "It was reported by Lee et al.",
        "It was reported by Lee.",
    ),
    Cue(
        "lost formula",
        "A formula or a list is missing from it.",
        _matches(LOST),
        "The yield is given by: where a is the area.",
        "The yield is given where the area is known.",
    ),
    Cue(
        "term twice",
        "It begins with a term that the sentence then explains.",
        _begins_with(TERM_TWICE),
        "Balance Sheet A Balance Sheet is a list of what is owned.",
        "A balance sheet is a list of what is owned.",
    ),
    Cue(
        "no subject",
        "It is a note without a subject.",
        lambda view: SUBJECTLESS.match(view.text) and not QUESTION.search(view.text),
        "Will send the minutes to all members.",
        "He will send the minutes to all members.",
    ),
    Cue(
        "names",
        "It is a list of names: a team.",
        lambda view: view.text.count(",") > MANY_COMMAS and NAMES.match(view.text),
        "Ann Lee, Tom Ray, Eva Moss, Ben Hill, Ida Wood and Max Stone.",
        "Ann Lee, Tom Ray, Eva Moss, Ben Hill, Ida Wood and Max Stone sow rye.",
    ),
    Cue(
        "begins inside",
        "It begins in the middle of a sentence.",
        _begins_with(BEGINS_INSIDE),
        "and the mills were closed in May.",
        "The mills were closed in May.",
    ),
    Cue(
        "number first",
        "It begins with a number, which often belongs to a list or a heading.",
        lambda view: not view.may_count and BEGINS_WITH_NUMBER.match(view.text),
        "12 The mills were closed in May.",
        "Twelve mills were closed in May.",
    ),
    Cue(
        "item's mark",
        "It begins with a list marker.",
        _begins_with(LIST_ITEM),
        "(b) The mills were closed in May.",
        "B vitamins are lost in the mill.",
    ),
    Cue(
        "small beginning",
        "It begins with a lower-case letter.",
        lambda view: begins_small(view.text),
        "rains fell for eleven days in April.",
        "mRNA was found in all the leaves.",
    ),
    Cue(
        "brackets",
        "A bracket is unmatched.",
        lambda view: not _is_balanced(view.text),
        "The mills (of the river were closed.",
        "The mills (of the river) were closed.",
    ),
    Cue(
        "quotation marks",
        "A quotation mark is unmatched.",
        lambda view: not _has_pairs(view.text),
        "The miller said: “We were closed.",
        "The miller said: “We were closed.”",
    ),
    Cue(
        "one word",
        "It is a label.",
        lambda view: view.text.isascii() and " " not in view.text,
        "Introduction.",
        "It rained.",
    ),
    Cue(
        "shouted",
        "Most of it is in capitals: a heading, or a warning.",
        lambda view: _is_shouted(view.text),
        "THE MILLS OF THE RIVER WERE CLOSED IN MAY.",
        "The mills of the RIVER were closed in May.",
    ),
    Cue(
        "signs",
        "Most of it is not text: a formula, numbers, code.",
        lambda view: _is_mostly_signs(view.text),
        "Y = 3.4 * 10 - 5.6 / 7.8 (9.1).",
        "The yield was 3.4 tons.",
    ),
)
"""Of sentences that are not whole."""

CONTENT = (
    Cue(
        "caption",
        "It belongs to a figure or table.",
        _matches(CAPTION),
        "Figure 2: The mills of the river.",
        "The mills of the river have two wheels.",
    ),
    Cue(
        "about the document",
        "It describes how the document is organized.",
        _matches(ABOUT_DOCUMENT),
        "The rest of this paper is organized as follows.",
        "The rest of the harvest is sold in May.",
    ),
    Cue(
        "back matter",
        "It thanks, licenses, declares or cites.",
        _matches(BACK_MATTER),
        "The authors declare no competing interests.",
        "The farmers declare their harvest in May.",
    ),
    Cue(
        "byline",
        "It credits a writer or photographer, or asks readers to share it.",
        _matches(BYLINE),
        "Photo: the mill of the river.",
        "The photo shows the mill of the river.",
    ),
    Cue(
        "without its subject",
        "It is a line of a manual without its subject.",
        _matches(WITHOUT_SUBJECT),
        "Returns the number of mills in a county.",
        "The function returns the number of mills.",
    ),
    Cue(
        "procedure",
        "It serves to run a meeting or a broadcast.",
        _matches(PROCEDURE),
        "We'll reconvene at 2:00 when we have a quorum.",
        "The council reconvened the hearing on the mill.",
    ),
    Cue(
        "filler",
        "It has the sounds and first words of speech that say nothing.",
        _matches(FILLER),
        "Yeah, um, the mill is old.",
        "The mill is okay, and the um is a letter of it.",
    ),
    Cue(
        "announcement",
        "It announces what comes after it.",
        _matches(ANNOUNCING),
        "The mill has the following advantages over others.",
        "The mill had the following year off.",
    ),
    Cue(
        "back section",
        "It is in a section that is never summarized.",
        lambda view: BACK_SECTION.match(view.heading),
        "",
        "The mills were closed in May.",
    ),
)
"""Of sentences that are not about the document's subject."""

CUES = FORM + CONTENT


def cues_of(view: View) -> Iterator[Cue]:
    """The cues that a sentence has."""
    return (cue for cue in CUES if cue.holds(view))


def is_whole(view: View) -> bool:
    """Whether a sentence is a whole one."""
    return not any(cue.holds(view) for cue in FORM)


def is_content(view: View) -> bool:
    """Whether a sentence is about the document's subject."""
    return not any(cue.holds(view) for cue in CONTENT)
