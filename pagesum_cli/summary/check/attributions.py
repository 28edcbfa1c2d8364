"""Attributions: who, as a text says, has said something, and what."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ...text.tables import table
from .tokens import LISTS

Span = tuple[int, int]

_WORDS = {name: words.split() for name, words in table(__file__, "attributions.toml").items()}
NEUTRAL = frozenset(_WORDS["neutral"])
VERBS = NEUTRAL | {*_WORDS["other"]}
MIN_SAID = 4  # words of indirect speech that is looked at by itself
MIN_QUOTED = 3  # words of a quotation
_LONGEST_TITLE = 8  # words between a quotation and the name of who has said it

_NOBODY = frozenset(_WORDS["nobody"]) | LISTS["dates"]


def _one_of(name: str) -> str:
    return f"(?:{'|'.join(_WORDS[name])})"


_UPPER = "".join(filter(str.isupper, map(chr, range(0x530))))
_VERB = rf"\b(?P<verb>{'|'.join(sorted(VERBS))})\b"
_CAPITAL = rf"(?:[{_UPPER}]\.|(?:Mrs?|Ms|Dr|Prof|Sen|Rep|Gov|Cllr|Supt)\.|\b[{_UPPER}][\w’'-]*)"
_INSIDE = rf"(?:\s(?:{'|'.join(sorted(LISTS['in_names']))})){{0,2}}"
_NAME = rf"(?P<name>{_CAPITAL}(?:{_INSIDE}\s{_CAPITAL}){{0,8}})"
_HELPERS = rf"(?:(?:{_one_of('helpers')}|\w{{2,20}}ly)\s){{0,3}}"
_SMALL = rf"(?:(?!{_one_of('apart')}\b)[a-z][\w’'-]*,?\s){{0,8}}"
_ASIDE = r"(?:,[^\"“”.;]{1,150}?)?,?"
# "Ministry of Trade spokesman" in front of a name
_OFFICE = (
    rf"(?:{_CAPITAL}(?:{_INSIDE}\s{_CAPITAL}){{0,8}}(?:['’]s?)?\s"
    rf"(?:[a-z]{{2,12}}\s)?{_one_of('offices')}\s)?"
)
# "Anna Lee, who left, added"; "said its director, Anna Lee"; "according to Anna Lee"
_BEFORE_VERB = rf"{_OFFICE}{_NAME}{_ASIDE}\s{_HELPERS}{_VERB}"
_BEHIND_VERB = rf"{_VERB}\s(?:{_SMALL}|the\s[^,\"“”]{{1,100}},\s){_OFFICE}{_NAME}"
_ACCORDING = rf"\b(?P<verb>[Aa]ccording to)\s{_SMALL}{_OFFICE}{_NAME}"
_OF_OTHERS = re.compile(r"\b(?:for|of|with|from|at) (?:the )?\Z")
"""In front of a name of whom others say something: "Lawyers for Smith said"."""
_FORMS = [re.compile(one) for one in (_BEFORE_VERB, _BEHIND_VERB, _ACCORDING)]
_VERBS_ALONE = re.compile(rf"{_VERB}|\b[Aa]ccording to\b")
_PRONOUN = re.compile(
    rf"[\s,]*(?:{_one_of('pronouns')}\s{_HELPERS}{_VERB}|{_VERB.replace('verb', 'also')}\s"
    rf"{_one_of('pronouns')}\b)",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(
    rf"(?<!\b[{_UPPER}])(?<!\b[{_UPPER}]\w)(?<!\b[{_UPPER}]\w\w)[.!?][”\"’')]?(?=\s|$)"
)
_QUOTED = re.compile(
    r'"(?P<a>[^"\n]{2,3000})(?:"|$)|“(?P<b>[^“”\n]{2,3000})(?:”|$)|«(?P<c>[^«»\n]{2,3000})(?:»|$)'
    r"|„(?P<d>[^„“”\n]{2,3000})(?:[“”]|$)"
    r"|(?<!\w)['‘](?P<e>(?:[^'‘’\n]|(?<=\w)['’](?=\w)){8,3000})['’](?!\w)"
)
_UNOPENED = re.compile(r'(?P<a>[^"“”«»„\n]{2,3000}[,.!?…])["”»]')
_THAT = re.compile(r"(?:\s(?!that\b)[^\s,:]+){0,6}?,?\sthat\s|:\s")
_OUTER = re.compile(r"[\s,.;:\"“”]+")


@dataclass(frozen=True)
class Attribution:
    """Who says something."""

    name: str
    span: Span  # the place of the name
    verb: str
    clause: Span  # the place of the name and the verb


@dataclass(frozen=True)
class Statement:
    """A statement that a sentence attributes to somebody."""

    by: Attribution
    span: Span  # the place of the statement
    text: str
    is_quotation: bool = False


def attributions_in(text: str, start: int = 0, end: int | None = None) -> list[Attribution]:
    """The attributions to a name within a part of a text, one for each verb."""
    end = len(text) if end is None else end
    found: dict[int, Attribution] = {}
    for form in _FORMS:
        for match in form.finditer(text, start, end):
            one = _made(match)
            if (
                one
                and not _OF_OTHERS.search(text, start, one.span[0])
                and match.start("verb") not in found
            ):
                found[match.start("verb")] = one
    return [one for _, one in sorted(found.items())]


def _made(match: re.Match[str]) -> Attribution | None:
    """A name and a verb as an attribution; None if the name is that of nobody."""
    first, last = match.span("name")
    words = match["name"].split(" ")
    while words and words[0].lower() in _NOBODY:
        first += len(words[0]) + 1
        words = words[1:]
    if not words or words[-1].lower() in _NOBODY:
        return None
    name = " ".join(words).removesuffix("’s").removesuffix("'s")
    return Attribution(name, (first, last), match["verb"], match.span())


def quotations_of(text: str) -> list[Span]:
    """The places of what stands in quotation marks, also of what begins before a text or ends
    behind it.
    """
    is_open = text.count('"') % 2 == 1 or "”" in text.partition("“")[0]
    first = _UNOPENED.match(text) if is_open else None
    found = _QUOTED.finditer(text, first.end() if first else 0)
    spans = [one.span(str(one.lastgroup)) for one in found]
    return [first.span("a"), *spans] if first else spans


def beside(text: str, quotation: Span, quotations: Sequence[Span]) -> Attribution | None:
    """Who a text says has said a quotation: behind it, or else in front of it."""
    after = _after(text, quotation, quotations)
    behind = attributions_in(text, *after)
    closing = _closing(text, quotation)
    if closing != "." and behind and _begins(text, after[0], behind[0]):
        return behind[0]
    if closing != "." and is_reported(text[slice(*after)]):
        return None
    before = attributions_in(text, *_before(text, quotation, quotations))
    return before[-1] if before else None


def _closing(text: str, quotation: Span) -> str:
    """The mark at the end of a quotation: a full stop ends its sentence."""
    end = quotation[1]
    marks = text[end - 1 : end] + text[end + 1 : end + 2]
    return "." if "." in marks else marks[:1]


def _begins(text: str, start: int, one: Attribution) -> bool:
    """Whether an attribution is the first thing behind a quotation, but for words written small."""
    between = text[start : one.clause[0]].strip(' ,"”»’')
    return not any(map(str.isupper, between)) and len(between.split()) <= _LONGEST_TITLE


def is_reported(text: str) -> bool:
    """Whether a text says that somebody, named or not, says something."""
    return _VERBS_ALONE.search(text) is not None


def has_pronoun(text: str, quotation: Span, quotations: Sequence[Span]) -> bool:
    """Whether a quotation is followed or introduced by "she said"."""
    after = text[slice(*_after(text, quotation, quotations))].lstrip('"”»’')
    before = text[slice(*_before(text, quotation, quotations))]
    return bool(_PRONOUN.match(after) or (not is_reported(after) and _PRONOUN.match(before)))


def _after(text: str, quotation: Span, quotations: Sequence[Span]) -> Span:
    """The rest of the sentence behind a quotation, up to the next one."""
    start = quotation[1] + 1
    nexts = [one[0] - 1 for one in quotations if one[0] >= start]
    end = min([*nexts, len(text)])
    stop = _SENTENCE_END.search(text, start, end)
    return start, stop.start() + 1 if stop else end


def _before(text: str, quotation: Span, quotations: Sequence[Span]) -> Span:
    """What stands in front of a quotation, from the one before it or the beginning of its
    sentence.
    """
    end = max(quotation[0] - 1, 0)
    start = max([one[1] + 1 for one in quotations if one[1] < end], default=0)
    stops = [one.end() for one in _SENTENCE_END.finditer(text, start, end)]
    return max([start, *stops]), end


def statements_in(text: str) -> Iterator[Statement]:
    """What a sentence says that somebody with a name has said: its quotations, or else the whole of
    it.
    """
    quotations = quotations_of(text)
    long = [one for one in quotations if len(text[slice(*one)].split()) >= MIN_QUOTED]
    for span in long:
        if by := beside(text, span, quotations):
            yield Statement(by, span, text[slice(*span)], is_quotation=True)
    if not long and (said := _indirect(text)):
        yield said


def _indirect(text: str) -> Statement | None:
    """Indirect speech: "Anna Lee said that …", "According to Anna Lee, …", "…, Anna Lee said"."""
    found = attributions_in(text)
    if not found:
        return None
    first, last = found[0], found[-1]
    start, end = 0, len(text)
    lead, rest = text[: first.clause[0]].rstrip(), text[last.clause[1] :]
    if text[: last.clause[0]].rstrip().endswith(",") and len(rest.split()) < MIN_SAID:
        by, end = last, last.clause[0]
    elif not lead or lead.endswith(","):
        by, start = first, _behind(text, first)
    else:
        return None
    inner = _OUTER.match(text, start, end)
    start = inner.end() if inner else start
    said = text[start:end].rstrip(" ,")
    if len(said.split()) < MIN_SAID:
        return None
    return Statement(by, (start, start + len(said)), said)


def _behind(text: str, one: Attribution) -> int:
    """Where what somebody says begins behind a name and a verb."""
    end = one.clause[1]
    if one.verb.lower() == "according to":
        comma = text.find(",", end)
        return comma + 1 if comma >= 0 else end
    that = _THAT.match(text, end)
    return that.end() if that else end


def frame_of(text: str, said: Statement) -> Iterator[Span]:
    """The parts of a sentence around a statement, without the name and the verb."""
    by = said.by
    taken = sorted([said.span, by.span])
    places = [0, *(edge for span in taken for edge in span), len(text)]
    for number, (start, end) in enumerate(pairwise(places)):
        if number % 2 == 0:
            yield start, end
