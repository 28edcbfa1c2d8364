"""Headings in front of the text of a paragraph, and paragraphs that are only a caption."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from ..model import Paragraph
from .labels import FORMS, Label

SHARE = 0.6  # of the paragraphs of one kind, that have a heading, from which on these are headings
LABELLED, PLAIN = 2, 3  # number of such paragraphs, with labels and without
SMALL = 4  # letters from which on a word of a heading is written with a capital
MAX_CAPTION = 30  # words of a caption

Sections = Sequence[Sequence[Paragraph]]
_WIDE = ("decimal", "section")  # labels that stand in sections of their own


def with_headings(sections: Sections, labels: Sequence[Sequence[Label | None]]) -> list[list[Paragraph]]:
    """The paragraphs of each section; those with a heading in front, or that are a caption, begin after it."""
    ends = [[_end_of_head(one) for one in section] for section in sections]
    kinds = [[_kind(*both) for both in zip(*one, strict=True)] for one in zip(sections, labels, strict=True)]
    everywhere = _regular(
        (kind, end) for own, row in zip(kinds, ends, strict=True) for kind, end in zip(own, row, strict=True)
    )
    done = []
    for section, own, row in zip(sections, kinds, ends, strict=True):
        regular = _regular(zip(own, row, strict=True)) | everywhere.intersection(_WIDE)
        done.append([
            replace(one, body=_body(one, kind, end, regular))
            for one, kind, end in zip(section, own, row, strict=True)
        ])
    return done


def _kind(paragraph: Paragraph, label: Label | None) -> str:
    """The kind of a paragraph: that of its label, "plain" without one; empty where a reader knows what it is."""
    if label is not None:
        return label.kind
    known = paragraph.speaker or paragraph.label or paragraph.body or paragraph.depth or paragraph.block
    return "" if known or paragraph.is_sentence else "plain"


def _regular(heads: Iterable[tuple[str, int]]) -> set[str]:
    """The kinds of paragraphs most of which have a heading."""
    counts: Counter[str] = Counter()
    headed: Counter[str] = Counter()
    for kind, end in heads:
        counts[kind] += 1
        headed[kind] += end > 0
    return {
        kind
        for kind, count in headed.items()
        if kind and count >= (PLAIN if kind == "plain" else LABELLED) and count >= SHARE * counts[kind]
    }


def _end_of_head(paragraph: Paragraph) -> int:
    """The offset after what looks like a heading in front of the text; 0 if there is none."""
    match = FORMS["run_in"].match(paragraph.text, paragraph.body)
    if match is None or (paragraph.body == 0 and match.end() == len(paragraph.text)):
        return 0
    words = [word for word in match["head"].replace("-", " ").split() if len(word) >= SMALL]
    is_title = all(word[:1].isupper() or not word[:1].isalpha() for word in words)
    starts = match.end() == len(paragraph.text) or FORMS["capital"].match(paragraph.text, match.end())
    return match.end() if is_title and starts else 0


def _body(paragraph: Paragraph, kind: str, end: int, regular: set[str]) -> int:
    text = paragraph.text
    if kind == "plain" and _is_caption(text):
        return len(text)
    is_marked = kind and end and text[paragraph.body : end].rstrip().endswith((".—", ".–"))
    return end if is_marked or (end and kind in regular) else paragraph.body


def _is_caption(text: str) -> bool:
    """Whether a paragraph is only a caption, or has no word at all."""
    if not any(map(str.isalpha, text)):
        return FORMS["numbers"].fullmatch(text) is None and "§" not in text
    if FORMS["caption"].match(text) is None or len(text.split()) > MAX_CAPTION:
        return False
    return FORMS["terminal"].search(text) is None and FORMS["goes_on"].search(text) is None
