"""How headings, captions and sentences are worded."""

import re

CAPTION = re.compile(
    r"(?:supplement(?:ary|al) )?(?:fig(?:ure|\.)?|table|scheme|box|chart|plate|algorithm|listing|photo|"
    r"map|video)s?\s*-?\s*"
    r"(?:S?\d+[a-z]?|[IVX]+)\b\s*(?:[.:：|—]|[–-](?!(?:[a-z]|\d{1,2})\b)|\(|(?-i:[A-Z])|$)",
    re.IGNORECASE,
)
LICENCE = re.compile(
    r"\b(?:licen[cs]ed under|creative commons|all rights reserved|copyright (?:©|\(c\)|\d{4}|by\b))|©|\bCC[- ]BY\b",
    re.I,
)
LEADER_DOTS = re.compile(r"\.{4,}|(?:\. ){4,}")
ENUMERATOR = re.compile(r"\(?(?:(?P<digits>\d{1,2})|(?P<letter>[ivx]{1,4}|[a-z]))\) (?=\W?[A-Z])")
"""The beginning of a heading "1) …" or "ii) …"."""

_NO_HEADING = re.compile(
    r"(?:keywords?|key words|index terms|ccs concepts?)\s?[:—–-]\s*\w|"
    r"(?:received|accepted|published|revised)\b:? .{0,10}\d{4}|"
    # a theorem, a line of an algorithm, and sentences of theorems, which are often slanted
    r"(?:theorem|lemma|corollary|proposition|definition|remark|example|claim|conjecture|axiom|fact|algorithm)s?"
    r" (?:\d|[A-Z]\b)|proof\b|(?:suppose|assume|let) |"
    r"\d{1,3}: |(?:require|ensure): |"
    r"(?:in addition|moreover|furthermore|however|therefore|hence|thus|then|finally), |.{1,150} (?:then|where|that)$",
    re.IGNORECASE,
)
"""The beginnings of lines that are no headings."""
_NOT_IN_HEADING = re.compile(r"[@∈∉∀∃⊂⊆∪∩∑∏∫]|[A-Za-z]{40}|\b[ACGTU]{6,}+\b")
"""The sign of an address or a formula, the sequence of a gene or a protein."""
_LETTERS = re.compile(r"[^\W\d_]+")
_NUMBERED_WORDS = re.compile(r"[^\W\d_]+\d*")  # words, with the digits that they end in
_PREFIXED = re.compile(r"(?:[^\W\d_]|cis|trans|iso|tert|sec|mi|si|sn|lnc)-[A-Z\d]")
"""The beginning of a name of chemistry, in lower case: "β-Carotene"."""
_BETWEEN_NAMES = re.compile(r"(?:,|&|\b(?:and|AND)\b)[\d\s*†‡§✉#,]*+(?:(?:&|(?:and|AND)\b)\s*+)?")
_INITIAL = re.compile(r"(?<![.\w])[A-Z]\. ")
_NAME_PART = re.compile(r"(?:[A-Z]|(?:van|von|de|der|den|dos|da|di|la|le|el|al|bin)\b|[a-z]’)")


def is_names(text: str) -> bool:
    """Whether a text is a list of people's names, three or more, or two with an initial."""
    names = [name.split() for name in _BETWEEN_NAMES.split(text)]
    least = 2 if _INITIAL.search(text) else 3
    return len(names) >= least and all(1 < len(name) < 6 and all(map(_NAME_PART.match, name)) for name in names)


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
        and not _NO_HEADING.match(text)
        and not is_names(text)
        and (
            text[0].isupper()
            or text[0].isdigit()
            or words[0][1:2].isupper()
            or bool(_PREFIXED.match(text) or ENUMERATOR.match(text))
        )
        and not _NOT_IN_HEADING.search(text)
        and words[-2:] != ["et", "al"]
        and not LEADER_DOTS.search(text)
    )


def is_prose(text: str) -> bool:
    """Whether a text is made of sentences, not of labels and numbers."""
    words = text.split()
    return (
        len(words) >= 12
        and sum(map(str.isalpha, text)) > 0.7 * len(text.replace(" ", ""))
        and sum(map(str.islower, words)) > 0.5 * len(words)
    )
