"""How headings, captions and the other parts of a paper are worded."""

import re
from collections.abc import Iterable
from difflib import SequenceMatcher

from ..article.back_matter import is_back_matter

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
_CORE = re.compile(
    r"(?P<introduction>introduction|backgrounds?)|"
    r"(?P<methods>(?:(?:materials?|patients?|subjects?|participants)(?: and | & |, ))?methods?"
    r"(?:(?: and | & |/)(?:materials?|design|analysis|patients|participants))?|methodology|"
    r"experimental(?: section| procedures?)?|materials)|"
    r"(?P<results>results?(?: (?:and|&) discussions?)?|findings)|"
    r"(?P<discussion>(?:general )?discussions?(?: (?:and|&) conclusions?)?)|"
    r"(?P<conclusion>conclusions?(?:(?: and |, | & ).{1,40})?|concluding remarks)|"
    r"(?P<references>references|bibliography|literature cited)",
    re.IGNORECASE,
)
LABELS = (
    r"(?:study )?(?:backgrounds?|objectives?|aims?|purposes?|goals?|hypothesis|introduction|context|rationale|"
    r"design|settings?|participants|patients|subjects|populations?|samples?|interventions?|exposures?|measurements?|"
    r"(?:(?:main|primary|secondary) )?outcomes?(?: measures?)?|data sources?|selection|data (?:extraction|synthesis)|"
    r"(?:materials?|patients?|participants|subjects|design)?(?:,? (?:and|&) |/)?methods?(?: and materials?|/design)?|"
    r"methodology|"
    r"(?:main |key )?results?|(?:principal |main |key )?findings?|discussions?|limitations?|conclusions?|"
    r"interpretation|significance|implications?|importance|relevance|recommendations?|observations?|"
    r"(?:(?:clinical )?trial )?registration(?: number| details)?|summary|funding|case (?:presentation|reports?)|"
    r"ethics and dissemination|methods and analysis|results and discussion|"
    r"(?:background|introduction|context|rationale)(?: and |/)(?:objectives?|aims?|purposes?)|"
    r"(?:aims?|objectives?)(?: and |/)(?:objectives?|background|methods?)|conclusions?(?: and |/)(?:significance|"
    r"relevance|implications?|interpretation|recommendations?))"
)
"""What the parts of a structured abstract are called, as a regular expression."""
_LABELS = re.compile(LABELS, re.IGNORECASE)
_REFERENCES = re.compile(
    r"(?:\W|\d|[ivx]{1,6}+\.){0,20}+"
    r"(?:references?(?: (?:and|&) notes?| cited)?|bibliography|literature(?: cited)?|works cited|"
    r"list of references|cited literature|notes and references|literature references)\W*+",
    re.IGNORECASE,
)
ABSTRACT = re.compile(r"(?:abstract|summary|synopsis|executive summary)\b\s*[:.—–-]*\s*", re.IGNORECASE)
IN_APPENDIX = re.compile(r"appendix (?:[A-Z]|[IVX]{1,5}|\d{1,2})\b", re.IGNORECASE)
DIVISION = re.compile(r"(?:chapter|part|appendix) (?:\d{1,3}|[IVXL]{1,6}|[A-Z])[.:]?", re.IGNORECASE)
"""The heading of a chapter whose title is below it."""
NUMBER = re.compile(
    r"(?P<label>(?:§ ?)?(?:\d{1,2}(?:\.\d{1,2}){0,4}\.?|[A-Z](?:\.\d{1,2}){1,3}\.?|(?:[IVX]{1,5}|[A-Z])\.|"
    r"(?:chapter|section|part|appendix) (?:\d{1,2}|[A-Z]|[IVX]{1,5})[.:]?))\s+(?:[|–—]\s*)?(?P<name>\S.*)",
    re.IGNORECASE,
)
CAPTION = re.compile(
    r"(?:supplement(?:ary|al) )?(?:fig(?:ure|\.)?|table|scheme|box|chart|plate|algorithm|listing|photo|"
    r"map|video)s?\s*-?\s*"
    r"(?:S?\d+[a-z]?|[IVX]+)\b\s*(?:[.:：|—]|[–-](?!(?:[a-z]|\d{1,2})\b)|\(|(?-i:[A-Z])|$)",
    re.IGNORECASE,
)
FRONT = re.compile(
    r"keywords?\b|key words|index terms|ccs concepts?\b|acm reference format|"
    r"correspond(?:ence|ing author)|e-?mails?\b|received\b.{0,60}\d{4}|"
    r"accepted\b.{0,40}\d{4}|"
    r"published\b|copyright|©|\(c\) |doi\b|https?://|www\.|issn|citation:|how to cite|cite this|"
    r"academic editor|edited by|"
    r"reviewed by|licen[cs]e|open access|this is an open|article (?:info|history)|\*|†|specialty section|"
    r"downloaded from|"
    r"department of|university|institute|faculty|hospital|laboratory|school of|submitted:|editors?:|"
    r"reviewers?:|software\b",
    re.IGNORECASE,
)
_KEYWORDS = re.compile(r"(?:keywords?|key words|index terms|ccs concepts?)\s?[:—–-]\s*\w", re.IGNORECASE)
_STATEMENT = re.compile(
    r"(?:theorem|lemma|corollary|proposition|definition|remark|example|claim|conjecture|axiom|fact|algorithm)s?"
    r" (?:\d|[A-Z]\b)|proof\b|(?:suppose|assume|let) |"
    r"\d{1,3}: |(?:require|ensure): |"
    r"(?:in addition|moreover|furthermore|however|therefore|hence|thus|then|finally), |.{1,150} (?:then|where|that)$",
    re.IGNORECASE,
)
"""The beginning of a theorem or of a line of an algorithm, and sentences of theorems, which are often slanted."""
LICENCE = re.compile(
    r"\b(?:licen[cs]ed under|creative commons|all rights reserved|copyright (?:©|\(c\)|\d{4}|by\b))|©|\bCC[- ]BY\b",
    re.I,
)
_KIND_WORD = re.compile(
    r"original|research|review|short|brief|full|length|case|articles?|papers?|reports?|communications?|study|studies|"
    r"protocol|letter|editorial|perspective|commentary|opinion|open|access|clinical|trial|systematic|investigation|"
    r"technical|note|methodology|special|issue|feature|mini|rapid|data|descriptor|in|the|of|and|invited|regular|"
    r"scientific|contribution|section|theme|author|manuscript|accepted|public|hhs|nih|preprint|free|available|online|"
    r"peer|reviewed|meta-analysis|science|journal",
    re.IGNORECASE,
)
"""Words of which the kind of an article is made ("Original Research Article", "Open Access")."""
APPENDIX = 101
"""The number that stands for an appendix's letter A: what no chapter has."""

TERMINAL = re.compile(r"[.!?:;]['\")\]”’]*$")
LEADER_DOTS = re.compile(r"\.{4,}|(?:\. ){4,}")
_SYMBOL = re.compile(r"[@∈∉∀∃⊂⊆∪∩∑∏∫]")
"""What no heading has: the sign of an address or a formula."""
_SEQUENCE = re.compile(r"[A-Za-z]{40}|\b[ACGTU]{6,}+\b")
"""The sequence of a gene or a protein: no word looks like this."""
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBERED_WORDS = re.compile(r"[^\W\d_]+\d*")
"""Words, with the digits that they end in."""
_LETTER_OR_DIGIT = re.compile(r"[\W_]+")


ENUMERATOR = re.compile(r"\(?(?:(?P<digits>\d{1,2})|(?P<letter>[ivx]{1,4}|[a-z]))\) (?=\W?[A-Z])")
"""The beginning of a heading "1) …" or "ii) …"."""
_PREFIXED = re.compile(r"(?:[^\W\d_]|cis|trans|iso|tert|sec|mi|si|sn|lnc)-[A-Z\d]")
"""The beginning of a name of chemistry, in lower case: "β-Carotene"."""
_BETWEEN_NAMES = re.compile(r"(?:,|&|\b(?:and|AND)\b)[\d\s*†‡§✉#,]*+(?:(?:&|(?:and|AND)\b)\s*+)?")
_INITIAL = re.compile(r"(?<![.\w])[A-Z]\. ")
_NAME_PART = re.compile(r"(?:[A-Z]|(?:van|von|de|der|den|dos|da|di|la|le|el|al|bin)\b|[a-z]’)")
_DATED = re.compile(r"(?:received|accepted|published|revised)\b:? .{0,10}\d{4}", re.IGNORECASE)


def plain(text: str) -> str:
    """The letters and digits of a text, in lower case."""
    return _LETTER_OR_DIGIT.sub("", text).lower()


COMPARED = 50_000_000
"""Products of the lengths of two strings that are compared in a file: some seconds; papers need a hundredth."""


class Similarity:
    """Compares strings until a budget is spent."""

    def __init__(self, budget: int = COMPARED) -> None:
        self._left = budget

    def __call__(self, one: str, other: str, minimum: float) -> float:
        """How similar two strings are, 0 to 1; 0 below a minimum, for an empty string, and without a budget."""
        if not one or not other or self._left <= 0:
            return 0.0
        matcher = SequenceMatcher(None, one, other, autojunk=False)
        self._left -= len(one) + len(other)
        if matcher.real_quick_ratio() < minimum or matcher.quick_ratio() < minimum:
            return 0.0
        self._left -= len(one) * len(other)
        return matcher.ratio() if self._left > 0 else 0.0


def joined(texts: Iterable[str]) -> str:
    """The text of several lines; a word broken at a line's end is mended."""
    whole = ""
    for text in texts:
        if whole.endswith("-") and text[:1].islower():
            whole = whole[:-1] + text
        elif whole[-1:] == "-" and whole[-2:-1].isalnum() and text[:1].isalpha():
            whole += text
        else:
            whole = f"{whole} {text}" if whole else text
    return whole.strip()


def bare(text: str) -> str:
    """A heading without its number."""
    match = NUMBER.match(text)
    return match["name"] if match else text


def bare_name(text: str) -> str:
    """A heading without its number and the punctuation around it."""
    return bare(text).strip(" .:")


def number_of(text: str) -> tuple[int, ...]:
    """The numbers of a label like ``2.1.`` or ``A.1`` (an appendix's letter counts on from :data:`APPENDIX`).

    Empty where it has none, or a letter alone, or a zero.
    """
    match = NUMBER.match(text)
    label = match["label"].lstrip("§ ").rstrip(".:") if match else ""
    if not re.fullmatch(r"[0-9]+(?:\.[0-9]+)*|[A-Z](?:\.[0-9]+)+", label):
        return ()
    numbers = tuple(int(part) if part.isdecimal() else APPENDIX + ord(part) - ord("A") for part in label.split("."))
    return () if 0 in numbers else numbers


def core_name(text: str) -> str:
    """Which part of a paper a heading begins (introduction, methods, results …); empty for another heading."""
    match = _CORE.fullmatch(bare_name(text))
    return match.lastgroup or "" if match else ""


def is_part_name(text: str) -> bool:
    """Whether a heading is the abstract's, the references' or one of those after the body, which outlines may lack."""
    return is_back_matter(text) or bool(ABSTRACT.fullmatch(text))


def is_label(text: str) -> bool:
    """Whether a heading is one that structured abstracts have."""
    return bool(_LABELS.fullmatch(text.strip(" .:—–-")))


def is_references(text: str) -> bool:
    """Whether a heading is that of the list of references."""
    return bool(_REFERENCES.fullmatch(text))


def is_name(text: str) -> bool:
    """Whether a heading has one of the names that sections of papers usually have."""
    return bool(_NAMES.fullmatch(bare_name(text))) or is_references(text)


def is_names(text: str) -> bool:
    """Whether a text is a list of people's names, three or more, or two with an initial."""
    names = [name.split() for name in _BETWEEN_NAMES.split(text)]
    least = 2 if _INITIAL.search(text) else 3
    return len(names) >= least and all(1 < len(name) < 6 and all(map(_NAME_PART.match, name)) for name in names)


def is_person(text: str) -> bool:
    """Whether a text is worded like one person's name."""
    words = text.split()
    return 1 < len(words) < 5 and all(map(_NAME_PART.match, words))


def is_kind(text: str) -> bool:
    """Whether a line is the kind of an article."""
    words = [word.strip(".:,|&-–") for word in text.split()]
    return all(_KIND_WORD.fullmatch(word) for word in words if word)


def may_be_heading(text: str) -> bool:
    """Whether a text is worded like a heading."""
    words = text.split()
    letters = sum(len(name) if len(name) > 3 else sum(map(str.isalpha, name)) for name in _NUMBERED_WORDS.findall(text))
    return (
        letters > 1
        and letters >= (0.75 if "=" in text else 0.55) * len(text.replace(" ", ""))
        and ("=" not in text or max(map(len, _LETTERS.findall(text))) > 3)
        and len(words) <= 28
        and len(text) <= 200
        and not text.rstrip().endswith((",", ";", "-", "=", "×", "−"))
        and not CAPTION.match(text)
        and not LICENCE.search(text)
        and not _KEYWORDS.match(text)
        and not _DATED.match(text)
        and not _STATEMENT.match(text)
        and not is_names(text)
        and (
            text[0].isupper()
            or text[0].isdigit()
            or words[0][1:2].isupper()
            or bool(_PREFIXED.match(text) or ENUMERATOR.match(text))
        )
        and not _SYMBOL.search(text)
        and words[-2:] != ["et", "al"]
        and not LEADER_DOTS.search(text)
        and not _SEQUENCE.search(text)
    )


def is_prose(text: str) -> bool:
    """Whether a text is made of sentences, not of labels and numbers."""
    words = text.split()
    return (
        len(words) >= 12
        and sum(map(str.isalpha, text)) > 0.7 * len(text.replace(" ", ""))
        and sum(map(str.islower, words)) > 0.5 * len(words)
    )
