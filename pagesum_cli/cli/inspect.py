"""``pagesum inspect``: how strongly each part of a document contributed to each sentence of a
summary.
"""

import io
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import typer

from ..batch.reading import Source, read_files
from ..batch.worker import Worker
from ..datasets.named import DataOptions, read_record
from ..documents.guard.reading import read_file
from ..documents.model import Document
from ..errors import PagesumError, UsageError
from ..files import read_all
from ..options import Options, names_of, option, refuse_idle
from ..summary.history import forget, read_saved, recall, saved_in
from ..summary.page_confidences import UNITS
from ..summary.summary import Summary
from ..views.export import KNOWN, check_export, export
from ..views.marked import check_markable, is_pdf, write_marked
from . import console, options
from .help import ShortHelp
from .writing import ShapeOptions

REFERENCE = "reference"  # stands for the record's own summary

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

_FILES = "Documents to summarize, or a JSON file that summarize wrote. Default: the latest summary."
Files = Annotated[list[str] | None, options.argument("FILES", _FILES)]


@dataclass(frozen=True)
class PictureOptions(Options, panel="Picture"):
    """What is drawn, and how."""

    by: str = option(
        "word",
        "Columns of the heat map. Quoted summaries are always drawn by sentence.",
        choices=UNITS,
        brief="word, sentence or token.",
    )
    rows: int | None = option(
        None,
        "Maximum number of rows; sections with small confidences share the last one. Default: "
        "what fits on a screen.",
        min=3,
    )
    whole: bool = option(
        False,
        "Draw every part, every word and whole sentences, however long that gets.",
        flags=("--all",),
        brief="Draw everything.",
    )
    evidence: bool = option(
        False,
        "Show the sentences before and after each quote, or what supports each generated sentence.",
        brief="Show what supports each sentence.",
    )
    summary: str | None = option(
        None,
        "Trace the text in this file, or with --data the record's own summary (reference), back "
        "to the document "
        "instead of making a summary. A generating model also gives each token's log-probability.",
        metavar="FILE|reference",
        brief="Trace the text in this file.",
    )
    chapter: int | None = option(
        None,
        "Draw the summary of the Nth chapter of a book summarized with --recursive.",
        min=1,
    )
    forget: bool = option(
        False,
        "Delete all saved summaries and exit.",
        brief="Delete saved summaries.",
    )
    last: int = option(
        1,
        "Without FILES: draw the Nth most recent summary.",
        min=1,
        brief="Without FILES: the Nth most recent summary.",
    )
    document: str | None = option(
        None,
        "The PDF that a saved summary quotes. A .pdf --export is then a copy of it with the "
        "quotes marked.",
        metavar="FILE",
        flags=("--from",),
        brief="The PDF in which an --export marks the quotes.",
        panel=options.OUTPUT,
        requires="exports",
    )
    exports: tuple[str, ...] = option(
        (),
        f"Also write a file, in the format of its extension ({', '.join(KNOWN)}). Can be repeated.",
        metavar="FILE",
        flags=("--export", "-o"),
        brief="Also write a file: .png, .svg, .html …",
        panel=options.OUTPUT,
    )
    force: bool = option(False, options.FORCE, panel=options.OUTPUT)


@dataclass(frozen=True)
class RecordOptions(DataOptions):
    """Which record of which data set."""

    id: str | None = option(
        None, "With --data: the id of the record to inspect.", metavar="ID", requires="data"
    )

    @property
    def label(self) -> str:
        """The data set and the id."""
        return f"{self.data}#{self.id}"


@app.command(
    cls=ShortHelp,
    epilog="pagesum inspect\n\npagesum inspect paper.pdf --evidence\n\npagesum inspect paper.pdf "
    "--export paper.html",
)
@options.with_flags
def inspect(
    picture: PictureOptions,
    record: RecordOptions,
    recursion: options.RecursionOptions,
    paging: options.PagingOptions,
    model: options.ModelOptions,
    generation: options.GenerationOptions,
    ending: options.EndingOptions,
    shape: ShapeOptions,
    history: options.HistoryOptions,
    reading: options.ReadingOptions,
    messages: options.MessageOptions,
    given: options.Given,
    files: Files = None,
) -> None:
    """Show how strongly each part of a document contributed to each sentence of its summary.

    The heat map has the parts as rows, the summary's words or sentences as columns, and the
    confidence of each part as color. FILES, or a record of a data set (--data with --id), are
    summarized as by pagesum summarize; a summary saved as JSON is drawn without a model.
    """
    for path in picture.exports:
        if not (picture.document and is_pdf(path)):
            check_export(path)
    talk = messages.talk
    if picture.forget:
        refuse_idle(
            given.flags,
            given.flags.keys() - {"forget"} - names_of(options.MessageOptions),
            "with --forget",
        )
        if files:
            raise UsageError(f"--forget given together with {files[0]}", "leave one of them out")
        console.data(f"summaries deleted: {forget()}")
        return
    stdin = read_all(sys.stdin.buffer, "standard input") if files == ["-"] else None
    saved = saved_in(files[0], stdin) if files and len(files) == 1 else None
    is_saved = not record.data and (not files or saved is not None)
    _refuse_idle(given.flags, record, picture, files or [], is_saved=is_saved)
    if is_saved:
        inputs = [*(files or []), *filter(None, [picture.document])]
        console.check_outputs(picture.exports, inputs, force=picture.force)
        if picture.document:
            check_markable([picture.document], picture.exports[0])
        summaries = (
            [recall(picture.last)] if not files or saved is None else read_saved(files[0], saved)
        )
        _show_all(summaries, picture, talk)
        return
    recursion.check(paging)
    if record.data:
        # The data set's own locality and, for official checkpoints, the paper's settings: as eval
        # does.
        from ..evaluation.summaries import fill_in_from_paper

        paging, generation = fill_in_from_paper(record.data, model.model, paging, generation, talk)
        recursion = replace(recursion, recursive=bool(recursion.recursive))
    generation = reading.permitting(generation)
    worker = options.worker(model, paging, generation, ending, history, talk, recursion)
    worker.brief = shape.brief
    if record.data:
        summary = _of_record(record, picture, worker)
    else:
        data = None if stdin is None else io.BytesIO(stdin)
        summary = _of_files(
            reading.source(files or [], talk.warn, worker.paging.locality, data), picture, worker
        )
    _show_all([summary], picture, talk)
    options.check_chapters(worker)


def _refuse_idle(
    given: Mapping[str, str],
    record: RecordOptions,
    picture: PictureOptions,
    files: Sequence[str],
    *,
    is_saved: bool,
) -> None:
    """Refuse flags that do nothing for what is inspected, and files beside a record."""
    if is_saved:
        if picture.summary:
            message = (
                f"--summary with {files[0]}, which is a summary"
                if files
                else "--summary without FILES"
            )
            raise UsageError(message, "name the document that the summary is about")
        shown = names_of(PictureOptions, options.MessageOptions)
        where = f"with {files[0]}, which is a summary" if files else "without FILES"
        return refuse_idle(
            given,
            given.keys() - shown | ({"last"} if files else set()),
            where,
            "it is for documents",
        )
    if record.data:
        if files:
            raise UsageError(
                f"--data given together with {files[0]}", "use files, or --data with --id"
            )
        if not record.id:
            raise UsageError("--data without --id", "name one of its records with --id")
        record.refuse_idle(given)
        refuse_idle(
            given, names_of(options.ReadingOptions), "for --data", "it is for files and folders"
        )
    hints = {"document": "pagesum summarize paper.pdf --output marked.pdf marks the quotes"}
    refuse_idle(given, {"last", "document"}, "with documents", hints)
    if picture.summary:
        generating = names_of(
            options.GenerationOptions,
            options.EndingOptions,
            options.RecursionOptions,
            ShapeOptions,
        )
        refuse_idle(given, generating, "with --summary")


def _of_record(record: RecordOptions, picture: PictureOptions, worker: Worker) -> Summary:
    """The summary of a record, or its reference as the model reads it."""
    is_file = picture.summary not in (None, REFERENCE) or Path(picture.summary or "").is_file()
    text: str | Sequence[str] | None = _text_of(picture.summary or "") if is_file else None
    inputs = [path for path in (record.data, picture.summary) if path and Path(path).is_file()]
    console.check_outputs(picture.exports, inputs, force=picture.force)
    with worker.talk.progress(f"looking for {record.id}"):
        found = read_record(record, record.id or "", worker.talk.warn, worker.paging.locality)
    if picture.summary and not is_file:
        if not found.summary.strip():
            hint = "leave --summary out to make a summary, or name a file that has one"
            raise PagesumError(f"{record.label} has no summary", hint)
        text = found.summary_sentences or found.summary
    summary = _made(worker, list(found.documents), text)
    return replace(summary, settings={**summary.settings, "id": record.label})


def _of_files(source: Source, picture: PictureOptions, worker: Worker) -> Summary:
    """The summary of files, or a given summary of them."""
    if picture.summary == REFERENCE and not Path(REFERENCE).exists():
        raise UsageError(
            f"--summary {REFERENCE} without --data",
            "it is the summary of a record: add --data and --id",
        )
    text = _text_of(picture.summary) if picture.summary else None
    inputs = [*source.paths, *filter(None, [picture.summary])]
    console.check_outputs(picture.exports, inputs, force=picture.force)
    return _made(worker, read_files(source, worker.talk).documents, text)


def _made(worker: Worker, documents: list[Document], text: str | Sequence[str] | None) -> Summary:
    """A new summary, or the given one."""
    worker.is_light = True
    worker.suit(documents)
    return worker.summarize(documents, 0.0) if text is None else worker.explain(documents, text)


def _text_of(path: str) -> str:
    """The text of a summary in a file."""
    return "\n".join(section.text for document in read_file(path) for section in document.sections)


def _show_all(summaries: Sequence[Summary], picture: PictureOptions, talk: console.Talk) -> None:
    if picture.exports and len(summaries) > 1:
        raise UsageError(
            f"--export with {len(summaries)} summaries in one file", "keep one line of the file"
        )
    if picture.chapter:
        summaries = [_chapter(summary, picture.chapter) for summary in summaries]

    def write(path: str) -> None:
        if not summaries[0].sentences:
            raise PagesumError(f"{path}: the summary has no words, so there is nothing to draw")
        if picture.document and is_pdf(path):
            return write_marked(summaries[0], picture.document, path, talk.warn)
        export(summaries[0], path, picture.by)

    try:
        for number, summary in enumerate(summaries):
            if number:
                console.data("")
            _show(summary, picture, talk)
    finally:  # also if the reader of stdout closes it early
        console.write_each(picture.exports, write, talk, force=picture.force)


def _chapter(summary: Summary, number: int) -> Summary:
    if not summary.chapters:
        raise UsageError(
            f"--chapter {number}: the summary has no chapters", "add --recursive if it is a book"
        )
    if number > len(summary.chapters):
        raise UsageError(
            f"--chapter {number}: expected 1 to {len(summary.chapters)}",
            "pagesum inspect lists them",
        )
    return summary.chapters[number - 1]


def _show(summary: Summary, picture: PictureOptions, talk: console.Talk) -> None:
    from ..views.evidence import evidence_view, has_evidence
    from ..views.heatmap import TABLE_ROWS, HeatMap, figures_view, head_view, parts_table

    by_sentence = picture.by == "sentence" or not summary.tokens
    is_drawn = len(summary.pages) > 1 and bool(summary.sentences)
    console.show(head_view(summary, text=not is_drawn))
    if not summary.sentences:
        talk.warn("the summary has no words: there is nothing to draw")
        return
    if not is_drawn:
        talk.note(f"the document has only one {summary.made_of}: there is nothing to compare")
    else:
        has_sources = any(sentence.source for sentence in summary.sentences)
        if by_sentence and picture.by != "sentence" and not has_sources:
            talk.note(f"saved without its tokens: drawn by sentence, not by {picture.by}")
        console.show(HeatMap(summary, picture.by, picture.rows, picture.whole))
        console.show(figures_view(summary))
        console.data("")
        console.show(parts_table(summary, None if picture.whole else picture.rows or TABLE_ROWS))
    given = picture.summary is not None  # then sentences that nothing supports matter most
    if (picture.evidence or given) and has_evidence(summary):
        console.data("")
        console.show(evidence_view(summary, whole=picture.whole))
    elif picture.evidence:
        talk.warn("saved without its evidence: --evidence needs the document itself")
