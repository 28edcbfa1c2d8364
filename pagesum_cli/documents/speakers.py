"""Speakers whose names stand in bold before what they say, as in an interview."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from ..text.tables import patterns
from .model import Paragraph, Section

_FORMS = patterns(__file__, "speakers.toml")

SENTENCES = 0.6  # share of the paragraphs with names that end like sentences
MIN_CHANGES = 2  # changes of the speaker between paragraphs that follow each other


def with_speakers(sections: Sequence[Section]) -> list[Section]:
    """Sections whose paragraphs have speakers where names before a colon alternate."""
    return [replace(one, paragraphs=_with_speakers(one.paragraphs)) for one in sections]


def _with_speakers(paragraphs: tuple[Paragraph, ...]) -> tuple[Paragraph, ...]:
    names = [_name(one) for one in paragraphs]
    turns = [one.text for one, name in zip(paragraphs, names, strict=True) if name]
    if not (_alternate(names) and _are_sentences(turns)):
        return paragraphs
    speakers = [*names]
    last = max(place for place, name in enumerate(names) if name)
    for place in range(1, last):
        speakers[place] = names[place] or speakers[place - 1]  # who goes on
    both = zip(paragraphs, speakers, strict=True)
    return tuple(replace(one, speaker=one.speaker or speaker) for one, speaker in both)


def _are_sentences(texts: Sequence[str]) -> bool:
    """Whether most texts end like sentences, unlike the fields of a form."""
    ended = sum(_FORMS["end"].search(text) is not None for text in texts)
    return ended >= SENTENCES * len(texts)


def _alternate(names: Sequence[str]) -> bool:
    """Whether two or more names come again and again, one after another."""
    known = {name for name, count in Counter(names).items() if name and count > 1}
    changes = sum(known >= {a, b} and a != b for a, b in pairwise(names))
    return changes >= MIN_CHANGES


def _name(paragraph: Paragraph) -> str:
    """The name in front of the sentences of a paragraph."""
    head = paragraph.text[: paragraph.body].rstrip()
    match = None if paragraph.label else _FORMS["speaker"].fullmatch(head)
    return "" if match is None or _FORMS["no_speaker"].fullmatch(match["name"]) else match["name"]
