"""The units of a text beside its sentences: labels, lists with their lead-ins, citations, speakers, quotations."""

from collections.abc import Sequence
from dataclasses import replace

from ..model import Paragraph, Section
from .citations import is_citation
from .headings import with_headings
from .inside import Unit, units_in
from .labels import FORMS, Label, labels_of
from .lists import continues, introduces, is_open, with_depths
from .speakers import with_speakers

__all__ = ["Unit", "continues", "introduces", "is_citation", "is_open", "units_in", "with_units"]


def with_units(sections: Sequence[Section]) -> list[Section]:
    """Sections whose paragraphs say what their text shows: labels, depths of lists, and speakers.

    What a reader knows from the structure of the file stays as it is, and so do units that come split.
    """
    spoken = with_speakers([section.paragraphs for section in sections])
    marked, labels, bullets = _with_labels(spoken)
    headed = with_headings(marked, labels)
    return [
        replace(section, paragraphs=tuple(with_depths(paragraphs, own, bulleted)))
        for section, paragraphs, own, bulleted in zip(sections, headed, labels, bullets, strict=True)
    ]


def _with_labels(
    sections: Sequence[Sequence[Paragraph]],
) -> tuple[list[list[Paragraph]], list[list[Label | None]], list[list[bool]]]:
    """The paragraphs of each section with their labels, these labels, and whether each begins with a bullet."""
    texts = [["" if _is_known(one) else one.text for one in section] for section in sections]
    found = labels_of(texts)
    bullets = [_bullets(section, own) for section, own in zip(texts, found, strict=True)]
    rows = [_of_section(*row) for row in zip(sections, found, bullets, strict=True)]
    return (
        [[paragraph for paragraph, _ in row] for row in rows],
        [[label for _, label in row] for row in rows],
        [[end > 0 for end in row] for row in bullets],
    )


def _is_known(paragraph: Paragraph) -> bool:
    known = paragraph.label or paragraph.body or paragraph.depth or paragraph.block
    return bool(known) or paragraph.is_sentence


def _bullets(texts: Sequence[str], labels: Sequence[Label | None]) -> list[int]:
    """The offset after the bullet of each text; 0 where it has none. Dashes are some only beside others."""
    matches = [None if label else FORMS["bullet"].match(text) for text, label in zip(texts, labels, strict=True)]
    ends = []
    for n, match in enumerate(matches):
        if match is None:
            ends.append(0)
            continue
        beside = [one[0][0] for one in (*matches[max(n - 1, 0) : n], *matches[n + 1 : n + 2]) if one]
        is_clear = match[0][0] not in "-–—−*·→○" or bool(beside) or (n > 0 and is_open(texts[n - 1]))
        ends.append(match.end() if is_clear else 0)
    return ends


def _of_section(
    paragraphs: Sequence[Paragraph], labels: Sequence[Label | None], bullets: Sequence[int]
) -> list[tuple[Paragraph, Label | None]]:
    """Paragraphs with their labels; one that is only a label gives it to the next one."""
    done: list[tuple[Paragraph, Label | None]] = []
    pending: Label | None = None
    for paragraph, label, bullet in zip(paragraphs, labels, bullets, strict=True):
        if label is not None:
            whole = _after(pending, label)
            paragraph = replace(paragraph, label=whole.text, body=label.end)
            pending = whole if label.end == len(paragraph.text) else None
            label = whole
        elif bullet:
            paragraph, pending = replace(paragraph, body=bullet), None
        elif pending and not _is_known(paragraph):
            paragraph, label, pending = replace(paragraph, label=pending.text), pending, None
        else:
            pending = None
        done.append((paragraph, label))
    return done


def _after(pending: Label | None, label: Label) -> Label:
    """A label after one on a line of its own: both."""
    if pending is None:
        return label
    text, parts = f"{pending.text} {label.text}", pending.parts + label.parts
    return label._replace(text=text, kind=pending.kind, parts=parts)
