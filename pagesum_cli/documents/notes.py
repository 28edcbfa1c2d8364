"""What a reader of a summary should know about the documents: notes on input that suits few models."""

from collections.abc import Iterable, Iterator, Sequence

from ..text.languages import foreign_to, name_of
from ..text.suitability import sample_of, unsuitable
from .model import Document

NAMED = 3
"""Documents that a note names."""

UNDECODABLE = "undecodable font"
"""The reason why text of a PDF is left out whose font does not say what its glyphs mean."""

DAMAGED = "damaged file"
"""The reason why a PDF may have had more text than could be found in it."""

FEW = 0.01
"""No warning below this share of words in such fonts: they are mostly symbols in formulas, which ``pages`` lists."""

ATTACHMENT = "attachment"
"""The reason why the attachments of an e-mail are named."""

NAMES = 200
"""Characters of the names of attachments in a note."""

INCLUDED = "included file"
"""The reason why the files that LaTeX source includes are named."""

UNKNOWN = "unknown macro"
"""The reason why macros of LaTeX source are named whose text is not known."""


def unread(documents: Iterable[Document]) -> Iterator[str]:
    """A line for each document with text that was not read: in unknown fonts, or in other files."""
    for document in documents:
        words = sum(one.words for one in document.left_out if one.reason == UNDECODABLE)
        if words and words >= FEW * len(document.text.split()):
            yield (
                f"{document.name}: about {words:,} words in fonts without a character map were not read; run OCR, "
                "for example: ocrmypdf --force-ocr in.pdf out.pdf"
            )
        if any(one.reason == DAMAGED for one in document.left_out):
            yield (
                f"{document.name}: the PDF is broken or cut off; what could be found in it was read; download it "
                "again, or repair it: qpdf in.pdf out.pdf"
            )
        for one in document.left_out:
            if one.reason == INCLUDED:
                yield (
                    f"{document.name}: {_counted(one.words, 'included file was', 'included files were')} not read; "
                    f"join them, for example: latexpand {document.name} > all.tex ({one.text})"
                )
            elif one.reason == UNKNOWN:
                yield f"{document.name}: {_counted(one.words, 'macro is', 'macros are')} not known: {one.text}"
        if names := [one.text for one in document.left_out if one.reason == ATTACHMENT]:
            named = ", ".join(names)
            named = named if len(named) <= NAMES else f"{named[: NAMES - 1]}…"
            what, them = (f"{len(names)} attachments were", "them") if len(names) > 1 else ("an attachment was", "it")
            yield f"{document.name}: {what} not read ({named}): save {them}, and name {them} beside the e-mail"


def _counted(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"


def notes_on(documents: Iterable[Document], model: str, languages: Sequence[str]) -> tuple[str, ...]:
    """One line for each thing that makes documents unsuitable, with their names; none for ordinary prose.

    Args:
        documents: What will be summarized.
        model: The name of the model.
        languages: Codes of the languages that it was trained on; empty if unknown, and then no language is noted.
    """
    names: dict[tuple[str, str, str], list[str]] = {}
    trained = " and ".join(map(name_of, languages))
    for document in documents:
        text = sample_of(document.text)
        if kind := unsuitable(text):
            names.setdefault(("looks", "look", f"like {kind}"), []).append(document.name)
        elif languages and (language := foreign_to(text, languages)):
            predicate = ("is", "are", f"in {language}, but {model} was trained on {trained}: expect a poor summary")
            names.setdefault(predicate, []).append(document.name)
    return tuple(_note(*predicate, list(dict.fromkeys(files))) for predicate, files in names.items())


def _note(singular: str, plural: str, rest: str, files: Sequence[str]) -> str:
    more = [f"{len(files) - NAMED} more"] if len(files) > NAMED else []
    *first, last = [*files[:NAMED], *more]
    subject = f"{', '.join(first)} and {last}" if first else last
    return f"{subject} {plural if first else singular} {rest}"
