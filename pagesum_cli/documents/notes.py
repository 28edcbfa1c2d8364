"""What a reader of a summary should know about the documents: notes on input that suits few
models.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from .model import HIDDEN, Document, LeftOut

NAMED = 3  # documents that a note names
# the reason why text is left out whose font does not say what its glyphs mean
UNDECODABLE = "undecodable font"
DAMAGED = "damaged file"  # the reason why a PDF may have had more text than could be found in it
# no warning below this share of words in such fonts: they are mostly symbols in formulas
FEW = 0.01
STYLES = "style sheets"  # the reason why text may have been read that they hide
ATTACHMENT = "attachment"  # the reason why the attachments of an e-mail are named
INCLUDED = "included file"  # the reason why the files that LaTeX source includes are named
# the warning about captions in capitals
CAPITALS = ("is", "are", "in capitals: quotes are in sentence case, and names are guessed")
# the warning about speech without marks between its sentences
UNPUNCTUATED = ("is", "are", "without punctuation: quotes are pieces of what somebody says")
# the reason why formulas are left out that cannot be read; each is ``FORMULA_MARK`` in the text
FORMULA, FORMULA_MARK = "formula", "[formula]"


def unread(documents: Iterable[Document]) -> Iterator[str]:
    """A line for each document with text that was not read: in unknown fonts, in other files, or
    hidden.
    """
    for document in documents:
        found: dict[str, list[LeftOut]] = {}
        for one in document.left_out:
            found.setdefault(one.reason, []).append(one)
        if document.recognized:
            yield f"{document.name}: {_recognized(document)}"
        for reason, line_of in _LINES.items():
            if reason in found and (line := line_of(document, found[reason])):
                yield f"{document.name}: {line}"


def _recognized(document: Document) -> str:
    pages, words = len(document.recognized), len(document.uncertain)
    are = "page is scanned; its" if pages == 1 else "pages are scanned; their"
    may = "word" if words == 1 else "words"
    return (
        f"{pages:,} {are} text was recognized by Tesseract, and {words:,} {may} may be wrong; to "
        "keep that text: ocrmypdf in.pdf out.pdf"
    )


def _undecodable(document: Document, found: Sequence[LeftOut]) -> str:
    words = sum(one.words for one in found)
    if not words or words < FEW * len(document.text.split()):
        return ""
    return (
        f"about {words:,} words in fonts without a character map were not read; run OCR, for "
        "example: ocrmypdf --force-ocr in.pdf out.pdf"
    )


def _damaged(document: Document, found: Sequence[LeftOut]) -> str:
    return (
        "the PDF is broken or cut off; what could be found in it was read; download it again, or "
        "repair it: qpdf in.pdf out.pdf"
    )


def _included(document: Document, found: Sequence[LeftOut]) -> str:
    words = sum(one.words for one in found)
    files = f"{words:,} included file{'s were' if words > 1 else ' was'}"
    names = ", ".join(one.text for one in found)
    latexpand = f"latexpand {document.name} > all.tex"
    return f"{files} not read; join them, for example: {latexpand} ({names})"


def _attached(document: Document, found: Sequence[LeftOut]) -> str:
    names = ", ".join(one.text for one in found)
    return f"attachments were not read ({names}): save them and pass them as files"


def _hidden(document: Document, found: Sequence[LeftOut]) -> str:
    words = document.hidden_words
    if not words:
        return ""
    are = "word in the file is" if words == 1 else "words in the file are"
    were = "was" if words == 1 else "were"
    return f"{words:,} {are} not shown on the page, and {were} not read"


def _unstyled(document: Document, found: Sequence[LeftOut]) -> str:
    return (
        "its style sheets are too large to follow all of their rules; text that they hide may "
        "have been read: compare quotes with what a browser shows"
    )


def _formulas(document: Document, found: Sequence[LeftOut]) -> str:
    count = max(1, document.text.count(FORMULA_MARK))
    formulas = "formula" if count == 1 else "formulas"
    return f"{count:,} {formulas} could not be read: the text has {FORMULA_MARK} instead"


_LINES: dict[str, Callable[[Document, Sequence[LeftOut]], str]] = {
    UNDECODABLE: _undecodable,
    DAMAGED: _damaged,
    INCLUDED: _included,
    ATTACHMENT: _attached,
    HIDDEN: _hidden,
    STYLES: _unstyled,
    FORMULA: _formulas,
}
"""Messages about omitted text, by reason; an empty message is not shown."""


def notes_on(
    documents: Iterable[Document], model: str, languages: Sequence[str]
) -> tuple[str, ...]:
    """One line for each thing that makes documents unsuitable, with their names; none for ordinary
    prose.
    """
    # readers need no more than the reasons above
    from ..text.suitability import foreign_to, name_of, sample_of, unsuitable
    from .disclaimers import disclaimer_of
    from .unpunctuated import is_unpunctuated

    names: dict[tuple[str, str, str], list[str]] = {}
    trained = " and ".join(map(name_of, languages))
    for document in documents:
        text = sample_of(document.text)
        if said := disclaimer_of(document):
            words = f"by its own words no official text: “{said}”"
            names.setdefault(("is", "are", words), []).append(document.name)
        if document.is_recording:
            names.setdefault(
                ("is", "are", "of a recording: speech is summarized poorly"), []
            ).append(document.name)
            if document.was_capitals:
                names.setdefault(CAPITALS, []).append(document.name)
        elif is_unpunctuated([document.text]):
            names.setdefault(UNPUNCTUATED, []).append(document.name)
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
