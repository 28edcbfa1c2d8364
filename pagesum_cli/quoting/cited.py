"""Sentences on a work of others that they call this study: "Lee et al. (2011) grew rye. This study
revealed that …" (English).
"""

import re

OWN_PARTS = {"abstract", "results", "discussion", "conclusion"}  # where this study is the paper's

_NAME = r"[A-Z][\w’'-]+(?:(?:,? et al\.?| and colleagues|,? (?:and|&) [A-Z][\w’'-]+),?)?"
_YEAR = r"(?:19|20)\d\d[a-z]?"
# a work as what a sentence is about: "Lee et al. (2011) found", "a study by Lee"
_SUBJECT = re.compile(
    rf"{_NAME} [(\[]{_YEAR}[)\],;]|\bet al\.?,? \[\d|^\[[A-Z][^\[\]]{{1,80}}{_YEAR}\]|"
    r"\b(?:study|work|paper|report|experiment)s? (?:by|of) [A-Z]\w+ (?:et al\b|and [A-Z])"
)
_CITATION = re.compile(
    rf"[(\[][A-Z][^()\[\]]{{1,200}}{_YEAR}[)\]]|\[\d{{1,3}}(?:[,–-] ?\d{{1,3}})*\]"
)
_WORK = r"(?:study|work|paper|research|experiment|review|survey|trial|report|analysis)"
_OTHERS = re.compile(
    rf"(?:The|These|Those) authors\b|That {_WORK}\b|Th(?:ese|ose) (?:studies|works)\b"
)
_THIS = re.compile(
    rf"(?:This|The) {_WORK} (?:also )?(?:found|showed|revealed|demonstrated|reported|suggested|"
    r"concluded|observed|indicated|identified|confirmed|proposed|used|tested|examined|"
    r"investigated|compared|provided|highlighted|established|was|did|had)\b"
)


def is_of_cited(text: str, before: str, part: str) -> bool:
    """Whether a sentence of a part of a paper says of a work of others what the sentence before it
    names.
    """
    if part == "abstract" or not _SUBJECT.search(before):
        return False
    if _OTHERS.match(text):
        return True
    is_others = part not in OWN_PARTS or _CITATION.search(text) is not None
    return is_others and _THIS.match(text) is not None
