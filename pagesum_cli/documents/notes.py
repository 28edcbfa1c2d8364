"""What a reader of a summary should know about the documents: notes on input that suits few
models.
"""

from collections.abc import Iterable, Iterator, Sequence

from ..text.suitability import foreign_to, name_of, sample_of, unsuitable
from .model import Document

NAMED = 3  # documents that a note names
# the reason why text is left out whose font does not say what its glyphs mean
UNDECODABLE = "undecodable font"
DAMAGED = "damaged file"  # the reason why a PDF may have had more text than could be found in it
# no warning below this share of words in such fonts: they are mostly symbols in formulas
FEW = 0.01
ATTACHMENT = "attachment"  # the reason why the attachments of an e-mail are named
INCLUDED = "included file"  # the reason why the files that LaTeX source includes are named


_REASONS = (UNDECODABLE, DAMAGED, INCLUDED, ATTACHMENT)


def unread(documents: Iterable[Document]) -> Iterator[str]:
    """A line for each document with text that was not read: in unknown fonts, or in other files."""
    for document in documents:
        name = document.name
        found = {
            reason: [one for one in document.left_out if one.reason == reason]
            for reason in _REASONS
        }
        words = sum(one.words for one in found[UNDECODABLE])
        if words and words >= FEW * len(document.text.split()):
            yield (
                f"{name}: about {words:,} words in fonts without a "
                f"character map were not read; run OCR, "
                "for example: ocrmypdf --force-ocr in.pdf out.pdf"
            )
        if found[DAMAGED]:
            yield (
                f"{name}: the PDF is broken or cut off; what could be found in it was read; "
                f"download it "
                "again, or repair it: qpdf in.pdf out.pdf"
            )
        for one in found[INCLUDED]:
            files = f"{one.words:,} included file{'s were' if one.words > 1 else ' was'}"
            yield (
                f"{name}: {files} not read; join them, for example: latexpand {name} > all.tex "
                f"({one.text})"
            )
        if attached := [one.text for one in found[ATTACHMENT]]:
            yield (
                f"{name}: attachments were not read ({', '.join(attached)}): save them, and "
                f"name them too"
            )


def notes_on(
    documents: Iterable[Document], model: str, languages: Sequence[str]
) -> tuple[str, ...]:
    """One line for each thing that makes documents unsuitable, with their names; none for ordinary
    prose.
    """
    names: dict[tuple[str, str, str], list[str]] = {}
    trained = " and ".join(map(name_of, languages))
    for document in documents:
        text = sample_of(document.text)
        if document.is_recording:
            names.setdefault(
                ("is", "are", "of a recording: speech is summarized poorly"), []
            ).append(document.name)
        elif kind := unsuitable(text):
            names.setdefault(("looks", "look", f"like {kind}"), []).append(document.name)
        elif languages and (language := foreign_to(text, languages)):
            predicate = (
                "is",
                "are",
                f"in {language}, but {model} was trained on {trained}: expect a poor summary",
            )
            names.setdefault(predicate, []).append(document.name)
    return tuple(
        _note(*predicate, list(dict.fromkeys(files))) for predicate, files in names.items()
    )


def _note(singular: str, plural: str, rest: str, files: Sequence[str]) -> str:
    more = [f"{len(files) - NAMED} more"] if len(files) > NAMED else []
    *first, last = [*files[:NAMED], *more]
    subject = f"{', '.join(first)} and {last}" if first else last
    return f"{subject} {plural if first else singular} {rest}"
