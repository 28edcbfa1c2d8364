"""Which sentences make sense outside of their document, by their words (English)."""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from ...locality.page import Page


def _any(words: str) -> str:
    return f"(?:{'|'.join(words.split()).replace('_', ' ')})"


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE)


SHOWN = "(?:supplementary |additional |appendix )?" + _any(
    r"fig(?:ure|\.)?s? tables? box scheme appendix listing algorithm section chapter panel"
)
NUMBER = r"\.? ?[A-Z]?\d{1,3}(?:\.\d{1,3}){0,4}[A-Za-z]?"
SHOW = _any("""
    show present give list illustrate depict display summari[sz]e describe report contain compare provide plot outline
    detail represent introduce discuss conclude review
""")
SHOWN_IN = _any("""
    shown seen presented given listed illustrated depicted summari[sz]ed described reported displayed plotted provided
    detailed discussed found available
""")
STUDY = _any("study paper work research article review trial investigation analysis")
DOCUMENT = _any("study paper work research article review trial investigation analysis project proposal document")
PROPOSAL = _any("pep proposal enhancement document rfc specification kep eip xep")

CAPTION = _pattern(
    rf"^\W?{SHOWN}{NUMBER}(?: ?[.:|–—]| (?-i:[A-Z]))", r"^\((?-i:[A-Z])\) (?!and\b)", r"^additional files? \d"
)
"""``Figure 2: …``, ``(B) …``; not ``Figure 2 shows …``, which is :data:`ABOUT_DOCUMENT`."""

ABOUT_DOCUMENT = _pattern(
    r"\bthis (?:sub)?section\b",
    r"\bthis (?:chapter|appendix)\b",
    r"\b(?:organi[sz]ed|structured|arranged) as follows",
    rf"^(?:the )?(?:remainder|rest) of (?:this|the|our) (?:{DOCUMENT}|report|chapter|section)\b",
    r"^(?:in )?(?:the )?(?:following|next|previous|preceding) (?:sub)?"
    + _any("section chapter table figure example diagram")
    + r"s?\b",
    rf"\b{SHOWN}{NUMBER}(?: and {NUMBER})? (?:also )?{SHOW}e?s?\b",
    rf"\b(?:is|are|was|were) (?:\w+ )?{SHOWN_IN} (?:\w+ )?in (?:the )?{SHOWN}{NUMBER}",
    rf"^(?:as )?{SHOWN_IN} in {SHOWN}\b",
    rf"^\W?(?:supplementary |additional )?(?:fig(?:ure|\.)?s?|tables?|scheme){NUMBER}(?=[\s,–-])",
    rf"^(?:first, |then, |finally, )?in {SHOWN}{NUMBER}\b",
    r"^(?:first|second|third|then|next|finally|lastly),? we (?:then )?(?:discuss|review|explain|conclude|outline)\b",
    rf"\bas (?:{SHOWN_IN}|mentioned|noted|explained) (?:above|below|earlier|previously|before)\b",
    rf"^(?:see|refer to|cf\.) (?:also )?(?:the )?(?:{SHOWN}|above|below)\b",
    r"(?<![(\[])\b(?:supplementary|supporting) (?:material|information|data)\b",
)

BACK_MATTER = _pattern(
    r"\b(?:competing|conflicts? of|conflicting|financial) interests?\b",
    r"\bthe authors? (?:declares?|confirms?|states?) that\b",
    r"\b(?:was|were|is|are|been) (?:\w+ )?(?:supported|funded|sponsored|financed) (?:\w+ )?(?:by|through) .{0,80}\b"
    + _any(r"grants? fund(?:ing|s)? foundation council ministry institutes? program(?:me)? fellowship award")
    + r"\b",
    r"\bgrants? (?:no|nos|number|agreement)\b",
    r"\b(?:we|authors?|would like to) (?:\w+ ){0,3}(?:thank|acknowledge the|are grateful|wish to thank)\b",
    r"\bhad no role in\b",
    r"\bconceived (?:and designed|of) the\b",
    r"\ball authors\b",
    r"\b(?:drafted|wrote|revised) the (?:paper|manuscript)\b",
    r"^(?:copyright|©|\(c\) ?\d{4})",
    r"\b(?:all rights reserved|creative commons|open access article|licensed under|publisher['’]s note)\b",
    "^"
    + _any("""
        correspondence e-?mail received accepted published editor academic_editor citation key_?words? abbreviations?
        doi funding trial_registration pacs_numbers? jel_classification
    """)
    + r"\b ?:",
    r"\b(?:data|code|datasets?) (?:\w+ ){0,6}(?:is|are) (?:\w+ )?available (?:from|at|upon|on|online|via)\b",
    r"\bavailable (?:from|at) (?:the corresponding author|https?:)",
    r"\b(?:informed consent|institutional review board|ethics committee|ethic(?:s|al) approval)\b",
    r"\bdeclaration of helsinki\b",
)

BACK_SECTION = _pattern(
    r"^\W{0,3}(?:\d{1,2}\.? |[A-Z]\. )?"
    + _any("""
        acknowledge?ments? references bibliography literature_cited works_cited footnotes endnotes funding
        financial_(?:support|disclosure) authors?['’]?_contributions? contributors competing_interests?
        conflicts?_of_interests? declarations? data_availability availability_of_data supplementary
        supporting_information supplemental additional_(?:files?|information) ethics consent abbreviations disclosures?
        copyright licen[cs]e change_?log revision_history table_of_contents contents see_also external_links
        further_reading about_the_authors? author_information publisher['’]s_note corrections?
    """)
    + r"\b"
)
"""Headings of sections that nobody summarizes."""

BYLINE = _pattern(
    r"^by (?-i:[A-Z][\w.'-]{1,30}(?: [A-Z][\w.'-]{0,30}){1,3})(?:,| and (?-i:[A-Z])|\.?$)",
    r"^(?:additional )?(?:reporting|editing|writing) by\b",
    r"^(?:photo|image|picture)(?: credit)? ?:",
    r"^(?:follow|contact) (?:\w+ ){1,3}(?:on|at) (?:twitter|facebook|@)",
    r"^(?:read more|click here|sign up|subscribe|share this|advertisement|related:)",
    r"\b(?:the associated press|reuters|afp) contributed to this\b",
)
NOT_CONTENT = (CAPTION, ABOUT_DOCUMENT, BACK_MATTER, BYLINE)

AIM = _pattern(
    rf"\b(?:aims?|objectives?|purpose|goals?|motivation) (?:of|for) (?:this|the (?:present|current)|our) "
    rf"(?:\w+ ){{0,4}}(?:{DOCUMENT}|{PROPOSAL})\b",
    rf"\b(?:this|our|the present|the current) (?:\w+ )?{STUDY} (?:therefore |thus )?"
    r"(?:aims?|aimed|sought|seeks|was (?:designed|conducted|undertaken|performed|carried out) to)\b",
    r"\b(?:we|authors) (?:therefore |thus |also |here )?"
    r"(?:aim|aimed|sought|set out|wanted|wished|intended) (?:to|at)\b",
    r"\bwe (?:are|were) interested (?:to|in)\b",
    r"\bour (?:aim|objective|goal|purpose)s? (?:is|was|were|are)\b",
    rf"\bthis {PROPOSAL} (?:proposes|aims|describes|specifies|defines)\b",
    r"\bthe (?:aim|objective|purpose|goal)s? (?:is|was|were|are) (?:also )?to\b",
    rf"^(?:here|in (?:this|the present|our) {STUDY}), (?:we|the)\b.{{0,80}}\b"
    + _any("discuss review describe present investigat examin explor report summari[sz] propos introduc stud(?:y|ied)"),
)

OTHERS = _pattern(
    r"\b(?:previous|prior|earlier|recent|other|another|several|many|some|numerous) (?:\w+ ){0,2}"
    + _any(
        "study studies works? research reports? authors investigators researchers literature analyses trials? "
        "experiments? findings"
    )
    + r"\b",
    r"\b(?:has|have) (?:also |previously |recently )?been (?:\w+ )?"
    + _any("shown reported suggested demonstrated proposed described found observed")
    + r"\b",
    r"\bet al\b",
    r"\([^()]{0,80}\b(?:19|20)\d\d[a-z]?\)",
    r"\[\d{1,3}(?:[,;–-] ?\d{1,3}){0,20}\]",
    r"\b(?:is|was|are) (?:well )?(?:known|reported|believed|thought) (?:to|that)\b",
)
OWN = _pattern(
    r"\b(?:we|our|us|ours)\b",
    r"\b(?:these|the present|present|the) (?:results|findings|data) (?:\w+ ){0,4}"
    + _any("confirm concur agree consistent support extend contrast"),
    rf"\b(?:this|the present|the current|present) (?:\w+ )?(?:{DOCUMENT}|pep)\b",
)

CLOSED = re.compile(r"[.!?…。！？؟।]['\"”’»)\]]{0,3}$")
CUT = re.compile(
    r"(?:\b" + _any(r"et_al e\.g i\.e cf vs figs? eqs? refs? approx resp dr mrs? prof") + r"|[(,;:])\.$",
    re.IGNORECASE,
)
"""The end of a sentence that was split in its middle."""
BEGINS_INSIDE = re.compile(
    r"[),;:%\]}]|-(?=[^\W\d_])|[$#] (?=[a-z])|⁻|[¹²³⁰⁴-⁹]{1,2}(?=[A-Z][A-Za-z]{2})|"
    + _any("and or but of to in by with for which that as than respectively was were is are")
    + r"\b(?![.(_:])"
)
"""The beginning of one; or of a run-in label with a dash, a command after its prompt, or an affiliation."""

BEGINS_WITH_NUMBER = re.compile(
    r"[\"'“‘(\[]{0,2}[<>=≤≥±~]? ?\d[\d.,%–-]{0,20}(?:[µμu][lLgmM]|m[lLgm]|[kn]g|[cn]m)?(?=\s)"
)
"""A number as the first word, also with its unit: the end of a sentence, a list's or a heading's number; not
``3D printing``."""
LIST_ITEM = re.compile(
    r"\(?(?:\d{1,3}|[A-Za-z]|[ivx]{1,5})\)\s"
    r"|(?:\d{1,3}(?:\.\d{1,3}){0,4}|[IVX]{2,5}|[IV]|[ivx]{2,5}|[a-z])\.\s"
)
"""The beginning of a numbered item; not a species, ``E. coli grows``, or an author, ``A. Smith asks``."""
SMALL_BEGINNING = re.compile(
    r"(?:[-–—*•·▪■●○◦‣►▸➢✓+]\s+)?[\"'“‘(\[]{0,2}(?![\w’']*[A-Z0-9])(?![^\W\d_]{1,2}-)(?=[^\W\d_])"
)
"""Where a word begins that must have a capital in a sentence: not ``mRNA``, ``p53``, ``α-pinene``."""
SPACED_STOP = re.compile(r"\s[.!?]$")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BACK_REFERENCES = _words("he she they it his her their its these those such")
DEMONSTRATIVES = _words("this that")
AFTER_DEMONSTRATIVE = _words("""
    is are was were be can could will would may might must shall should has have had does do did also not way means
    meant allows allow made makes includes include leads led suggests suggest indicates indicate ensures enables
    requires avoids prevents provides gives causes implies shows showed results resulted
""")
"""After "this" or "that", these make it a pronoun: "This is …", but not "This paper …"."""
BULLETS = frozenset("-–—*•·")
SHOWN_ELSEWHERE = _words("fig figs figure figures table tables section")
_FIGURE_NUMBER = re.compile(r"(?!(?:1[ab]|2[ad]|3[ad]|4a)$)(?:[1-9]|[12]\d|30)[a-z]?")
"""``3`` and ``4b``; not the most frequent panels, which are words of the bundled vocabulary: a sentence about them was
selected before, and is selected now."""

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class Eligibility:
    """What a sentence's words say about quoting it."""

    # It is a whole sentence: begins with a capital, is closed by a sentence mark, has every bracket and quotation mark
    # twice, and has no number in front.
    is_whole: bool = True
    # It is about the document's subject: not a caption, back matter, or about the document's own parts
    is_content: bool = True
    refers_back: bool = False  # it begins with a reference to the sentence before: "They …", "This shows …"
    refers_away: bool = False  # it refers to a figure, table or section: "(Fig. 1)"
    is_others: bool = False  # it tells what others found or wrote
    is_aim: bool = False  # it tells the document's aim
    words: int = 1  # number of its words

    @classmethod
    def of(cls, text: str, heading: str = "") -> "Eligibility":
        """Examine a sentence under a heading."""
        tokens = _TOKEN.findall(text.lower())
        return cls(
            is_whole=CLOSED.search(text) is not None and not _is_fragment(text),
            is_content=not any(pattern.search(text) for pattern in NOT_CONTENT) and not BACK_SECTION.match(heading),
            refers_back=_refers_back(tokens),
            refers_away=_refers_away(tokens),
            is_others=OTHERS.search(text) is not None and OWN.search(text) is None,
            is_aim=AIM.search(text) is not None,
            words=len(text.split()),
        )


def eligibility_of(page: Page) -> tuple[Eligibility, ...]:
    """Examine each sentence of a page.

    One whose paragraph goes on in lower case is not whole: a comma was read as a stop, or two columns as one.
    """
    rules = [Eligibility.of(item.text, item.heading) for item in page.sentences]
    for number, (item, following) in enumerate(pairwise(page.sentences)):
        is_same_paragraph = item.end >= 0 and 0 <= following.start - item.end <= 1
        if is_same_paragraph and not SPACED_STOP.search(item.text) and _begins_small(following.text):
            rules[number] = replace(rules[number], is_whole=False)
    return tuple(rules)


_BRACKET = re.compile(r"[(\[\])]")
_ENUMERATION = re.compile(r"(?:^|\s)\w{1,3}\)$")  # ``a)`` and ``2)``, which need no opening bracket


def _is_fragment(text: str) -> bool:
    if CUT.search(text) or BEGINS_INSIDE.match(text) or BEGINS_WITH_NUMBER.match(text) or LIST_ITEM.match(text):
        return True
    if _begins_small(text) or not _is_balanced(text) or text.count("“") != text.count("”") or text.count('"') % 2:
        return True
    if text.isascii() and " " not in text:  # a label; in Chinese, a sentence has no spaces
        return True
    letters = sum(map(str.isalpha, text))
    return letters < 0.6 * len(text.replace(" ", ""))


def _begins_small(text: str) -> bool:
    beginning = SMALL_BEGINNING.match(text)
    if not beginning or not text[beginning.end()].islower():
        return False
    return not (text.islower() and SPACED_STOP.search(text))  # data sets in lower case are tokenized too


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


def _refers_back(tokens: list[str]) -> bool:
    first, second, third = (*tokens[:3], "", "", "")[:3]
    if first in BULLETS:
        first, second = second, third
    return first in BACK_REFERENCES or (first in DEMONSTRATIVES and second in AFTER_DEMONSTRATIVE)


def _refers_away(tokens: list[str]) -> bool:
    padded = ("", *tokens, "", "")
    return any(
        token in SHOWN_ELSEWHERE and (before in DEMONSTRATIVES or _is_number(after) or _is_number(second))
        for before, token, after, second in zip(padded, padded[1:], padded[2:], padded[3:], strict=False)
    )


def _is_number(token: str) -> bool:
    return _FIGURE_NUMBER.fullmatch(token) is not None
