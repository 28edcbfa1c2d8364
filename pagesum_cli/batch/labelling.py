"""Documents whose sentences a language model labels, so that a model of this program can learn from
its choice.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from ..datasets.labels import BUDGET, LabelledDocument, labelled_document
from ..datasets.readers import read_path
from ..datasets.record import EditorLabels, Record
from ..documents.guard.reading import read_file
from ..documents.model import Document
from ..editing.choosers import announced
from ..editing.editor import Decision, Editor
from ..editing.prompts import Brief, Line
from ..errors import PagesumError, together
from ..locality import Pages
from ..options import DEFAULT_MODEL, PagingOptions
from ..text.cleaning import one_line
from .cutting import cut_for
from .reading import Source
from .talk import Talk

SURPLUS = 1.05  # times its budget that the quotes of a document may have
RECORDS = (".jsonl", ".json", ".jsonl.gz", ".jsonl.xz", ".json.gz", ".json.xz")

NO_CHOICE = "the editor chose nothing, so it is left out"


@dataclass(frozen=True)
class Unlabelled:
    """A document that nobody has labelled."""

    document: LabelledDocument  # without labels
    lines: tuple[Line, ...]  # its sentences as an editor reads them


@dataclass(frozen=True)
class ToLabel:
    """The documents of some files, in order."""

    documents: tuple[LabelledDocument | Unlabelled, ...]

    @property
    def unlabelled(self) -> list[Unlabelled]:
        """Those that nobody has labelled."""
        return [one for one in self.documents if isinstance(one, Unlabelled)]

    def without_labels(self) -> list[LabelledDocument]:
        """All of them, the unlabelled ones as they are."""
        return [one.document if isinstance(one, Unlabelled) else one for one in self.documents]


def read_documents(source: Source, talk: Talk, budget: int | None = None) -> ToLabel:
    """Read files; labelled documents in files of records keep their labels.

    Args:
        source: The files.
        talk: Receives warnings and progress.
        budget: The words of the quotes of documents that nobody has labelled.

    Raises:
        PagesumError: None of the files can be read, or one that is named by itself.
    """
    found: list[LabelledDocument | Unlabelled] = []
    errors: list[PagesumError] = []
    with talk.progress("reading files") as bar:
        for number, path in enumerate(source.paths):
            bar.update(f"reading {path}", number, len(source.paths))
            try:
                found += _documents_of(path, source, budget or BUDGET, talk)
            except PagesumError as error:
                if path in source.named:
                    raise
                errors.append(error)
    if errors and not found:
        raise together(errors)
    for failure in errors:
        talk.warn(f"not read: {failure.message}")
    return ToLabel(tuple(found))


def _documents_of(
    path: str, source: Source, budget: int, talk: Talk
) -> Iterator[LabelledDocument | Unlabelled]:
    problems: list[str] = []
    records = _records_of(path, problems.append)
    if any(record.editor_labels for record in records):
        for record in records:
            yield from _of_record(record, budget)
        for problem in problems:
            talk.warn(problem)
        return
    documents = read_file(path, password=source.password, stdin=source.stdin, on_problem=talk.warn)
    for document in documents:
        yield unlabelled(document, budget)


def _records_of(path: str, on_problem: Callable[[str], None]) -> list[Record]:
    """The records of a file of them; none of another one, such as a transcript in JSON."""
    if not path.lower().endswith(RECORDS):
        return []
    with suppress(PagesumError):
        return list(read_path(path, on_problem=on_problem))
    return []


def _of_record(record: Record, budget: int) -> Iterator[LabelledDocument | Unlabelled]:
    if record.editor_labels is not None:
        yield labelled_document(record)
        return
    for document in record.documents:
        yield unlabelled(document, budget)


def unlabelled(document: Document, budget: int) -> Unlabelled:
    """A document as numbered sentences, those that can be quoted."""
    cut = cut_for(DEFAULT_MODEL, [document], PagingOptions())
    lines = tuple(_lines(cut))
    sentences = tuple((line.heading, line.text) for line in lines)
    return Unlabelled(LabelledDocument(document.name, sentences, document.title, budget), lines)


def _lines(cut: Pages) -> Iterator[Line]:
    for number, page in enumerate(cut.pages):
        for sentence in page.sentences:
            text = one_line(sentence.printed)
            if sentence.is_quotable and text:
                heading = one_line(sentence.heading or page.heading)
                yield Line(number, text, heading, len(text.split()), 0.0)


def cost(name: str, documents: Sequence[Unlabelled]) -> Iterator[str]:
    """What is to be known before an editor is asked about documents, one line each."""
    pages = {(number, line.page) for number, one in enumerate(documents) for line in one.lines}
    words = sum(line.words for one in documents for line in one.lines)
    # each document has a last round
    yield from announced(name, len(pages) + len(documents), words)


def labelled_by(
    editor: Editor,
    name: str,
    guide: str,
    found: ToLabel,
    talk: Talk,
    on_problem: Callable[[str], None],
) -> list[LabelledDocument]:
    """Documents with their labels, and those of an editor where they have none.

    ``name`` is the editor's, which the labels keep. ``on_problem`` is called with a line for each
    document that is left out, because the editor did not choose. Answers are kept, so that the
    same call continues after an interruption.
    """
    labelled: list[LabelledDocument] = []
    total = len(found.documents)
    with talk.progress("labelling") as bar:
        for number, one in enumerate(found.documents):
            if isinstance(one, LabelledDocument):
                labelled.append(one)
                continue
            document = one.document.id

            def on_page(done: int, pages: int, name: str = document, number: int = number) -> None:
                bar.update(f"labelling {name}", number + done / pages, total)

            brief = Brief(guide, title=one.document.title or document)
            decision = editor.decide(one.lines, brief, one.document.budget, on_page)
            for note in decision.notes:
                talk.warn(f"{document}: {note}")
            if not decision.chosen:
                on_problem(f"{document}: {NO_CHOICE}")
                continue
            labels = labels_of(decision, one.lines, one.document.budget)
            extra = {**one.document.extra, "labelled_by": name}
            labelled.append(replace(one.document, labels=labels, extra=extra))
    return labelled


def labels_of(decision: Decision, lines: Sequence[Line], budget: int) -> EditorLabels:
    """An editor's decision as labels: its choice is quoted as far as the budget goes; what else it
    offered could have been quoted as well. It names nothing that must never be quoted.
    """
    quoted: list[int] = []
    words = 0
    for number in decision.chosen:
        if not quoted or words + lines[number].words <= SURPLUS * budget:
            quoted.append(number)
            words += lines[number].words
    offered = {
        number for number in decision.finalists if lines[number].page not in decision.by_score
    }
    alternates = {*offered, *decision.chosen} - {*quoted}
    return EditorLabels(tuple(sorted(quoted)), tuple(sorted(alternates)))
