"""The abstract of an article, with the parts of a structured one."""

from collections.abc import Sequence
from dataclasses import replace

from ..model import Document, Section
from .names import bare_name, core_name, is_abstract, is_label, pattern

FIRST_SECTIONS = 8  # an abstract is one of the first sections
ABSTRACT_WORDS = 600  # a longer section under such a heading holds more than the abstract
LABELLED_WORDS = 400  # maximum number of words of a part with a label: "Methods" of a trial
PART_WORDS = 250  # maximum number of words of a part below another heading
_IN_ABSTRACT = pattern("sections.in_abstract", before=r"\W{0,8}", after=r"\W{0,8}")


def with_abstract(document: Document) -> Document:
    """The document with the parts of its structured abstract below the abstract: each is within it,
    and is not taken for the section of the same name in the body.
    """
    sections, heading, level = list(document.sections), "", 0
    for number in abstract_of(document.sections):
        section = sections[number]
        if is_abstract(section.heading):
            heading, level = section.heading, section.level
        elif _is_known(section):
            below = max(section.level, level + 1)
            sections[number] = replace(section, level=below, within=heading)
    return replace(document, sections=tuple(sections)) if heading else document


def without_abstract(document: Document) -> Document:
    """The document with its abstract skipped; the document itself if it has none, or nothing
    else.
    """
    skipped = frozenset(abstract_of(document.sections))
    rest = [section for number, section in enumerate(document.sections) if number not in skipped]
    if not skipped or not any(section.text.strip() for section in rest):
        return document
    return replace(document, skipped=skipped)


def skipped_text(document: Document) -> str:
    """The text of the skipped sections."""
    return " ".join(document.sections[number].text for number in sorted(document.skipped))


def abstract_of(sections: Sequence[Section]) -> range:
    """The indexes of the sections that are the abstract; none if there is none."""
    first = next(
        (n for n, one in enumerate(sections[:FIRST_SECTIONS]) if is_abstract(one.heading)), None
    )
    if first is None or _words(sections[first]) > ABSTRACT_WORDS:
        return range(0)
    end = first + 1
    while end < len(sections) and _is_part(sections, first, end):
        end += 1
    return range(first, end)


def _is_part(sections: Sequence[Section], first: int, number: int) -> bool:
    """Whether a section belongs to the abstract before it: below it, or a short part such as
    "Methods" of one whose heading has no text of its own.
    """
    abstract, section = sections[first], sections[number]
    is_known = _is_known(section)
    if _words(section) > (LABELLED_WORDS if is_known else PART_WORDS):
        return False
    if is_abstract(section.heading):
        return True
    if _begins_body(sections, first, number):
        return False
    return section.level > abstract.level or (is_known and not abstract.text.strip())


def _begins_body(sections: Sequence[Section], first: int, number: int) -> bool:
    """Whether a section is of the kind of a part of the abstract before it ("Background" and
    "Introduction"), or is the only introduction.
    """
    kinds = [core_name(one.heading) or _name(one) for one in sections[first : number + 1]]
    if kinds[-1] in kinds[:-1]:
        return True
    name = _name(sections[number])
    return "introduction" in name and all(_name(one) != name for one in sections[number + 1 :])


def _is_known(section: Section) -> bool:
    """Whether a heading is a label that structured abstracts have."""
    return is_label(section.heading) or _IN_ABSTRACT.fullmatch(section.heading) is not None


def _name(section: Section) -> str:
    return bare_name(section.heading).lower()


def _words(section: Section) -> int:
    return len(section.text.split())
