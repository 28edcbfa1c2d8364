"""``pagesum inspect``: which page said what."""

import io
import sys
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..documents.document import Document
from ..documents.read import find_files, read_file
from ..errors import PagesumError, UsageError
from ..history import read_saved, recall, remember, saved_in
from ..locality.page import Pages
from ..model.registry import DEFAULT
from ..provenance import UNITS, with_evidence
from ..summary import Summary
from ..views.export import FIGURES, KNOWN, check_export, export, write
from . import console, options

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ..analysis.texts import Text
    from .summarize import Work

ANALYSES = ("spatial-locality", "long-distance")
ANALYSIS_EXPORTS = (*FIGURES, ".json", ".csv")
PICTURE = "Picture"
ANALYSIS = "The paper's analyses"

app = typer.Typer(rich_markup_mode="rich", add_completion=False)


@app.command()
def inspect(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="FILES...",
            show_default=False,
            help="What summarize takes, or a JSON file that it wrote. Nothing: the last summary made here.",
        ),
    ] = None,
    by: Annotated[
        str, options.choice("--by", values=UNITS, panel=PICTURE, help="What a step of the picture is.")
    ] = "word",
    rows: Annotated[
        int,
        options.number(
            "--rows", least=3, panel=PICTURE, help="Lines of pages at most; neighbours with small shares have one."
        ),
    ] = 24,
    evidence: Annotated[
        bool,
        typer.Option(
            "--evidence",
            help="Beside each sentence what the document says.",
            show_default=False,
            rich_help_panel=PICTURE,
        ),
    ] = False,
    given: Annotated[
        str | None,
        typer.Option(
            "--summary",
            metavar="FILE",
            show_default=False,
            rich_help_panel=PICTURE,
            help="Draw this text instead of a summary of the model's own, with each token's log-probability.",
        ),
    ] = None,
    exports: Annotated[
        list[str] | None,
        typer.Option(
            "--export",
            metavar="FILE",
            show_default=False,
            rich_help_panel=options.OUTPUT,
            help=f"Write a file too, by its extension ({', '.join(KNOWN)}). May be given several times.",
        ),
    ] = None,
    last: Annotated[
        int,
        options.number("--last", least=1, panel=PICTURE, help="Without FILES: not the last summary but the N-th last."),
    ] = 1,
    no_history: options.NoHistory = False,
    analysis: Annotated[
        str | None,
        options.choice(
            "--analysis",
            values=ANALYSES,
            panel=ANALYSIS,
            help="Of files or data sets, without a model: how alike sentences are by their distance (Figure 1), or "
            "how far apart the sentences are that a reference summary fuses (Figure 4).",
        ),
    ] = None,
    embeddings: Annotated[
        str | None,
        typer.Option(
            "--embeddings",
            metavar="FOLDER",
            show_default=False,
            rich_help_panel=ANALYSIS,
            help="For spatial-locality: a sentence encoder on this disk, such as all-MiniLM-L6-v2. Default: TF-IDF.",
        ),
    ] = None,
    limit: Annotated[int | None, options.number("--limit", least=1, panel=ANALYSIS, help="Documents at most.")] = None,
    locality: options.Locality = "auto",
    page_tokens: options.PageTokens = None,
    max_pages: options.MaxPages = None,
    num_pages: options.NumPages = None,
    overflow: options.Overflow = "continue",
    model: options.Model = DEFAULT,
    device: options.Device = "auto",
    dtype: options.Dtype = "auto",
    beams: options.Beams = None,
    length: options.Length = None,
    min_length: options.MinLength = None,
    max_length: options.MaxLength = None,
    no_repeat_ngram: options.NoRepeatNgram = None,
    length_penalty: options.LengthPenalty = None,
    password: options.Password = None,
    quiet: options.Quiet = False,
    debug: options.Debug = False,
) -> None:
    """Draw which page said what: pages down, the summary's words across, confidence as colour.

    FILES are summarized as summarize does; what it saved as JSON is drawn without a model.
    """
    talk = console.Talk(quiet=quiet)
    paths = exports or []
    for path in paths:
        check_export(path, ANALYSIS_EXPORTS if analysis else KNOWN)
    if analysis:
        if not files:
            raise UsageError(f"--analysis {analysis} without FILES", "name files, folders or a data set")
        _analyse(analysis, files, given, embeddings, limit, password, paths, talk)
        return
    if embeddings or limit:
        flag = "--embeddings" if embeddings else "--limit"
        raise UsageError(f"{flag} without --analysis", f"there are --analysis {' and --analysis '.join(ANALYSES)}")
    if not files:
        if given:
            raise UsageError("--summary without FILES", "name the document that the summary is of")
        _show_all([recall(last)], by, rows, evidence, paths, talk)
        return
    stdin = sys.stdin.buffer.read() if files == ["-"] else None
    saved = saved_in(files[0], stdin) if len(files) == 1 else None
    if saved is not None:
        if given:
            raise UsageError(f"--summary with {files[0]}, which is a summary already", "name the document itself")
        _show_all(read_saved(files[0], saved), by, rows, evidence, paths, talk)
        return
    options.check_lengths(length, min_length, max_length)
    options.check_model(model, page_tokens, max_length)
    options.check_pages(num_pages, max_pages, overflow)
    cutting = {
        "locality": locality,
        "page_tokens": page_tokens,
        "max_pages": max_pages,
        "num_pages": num_pages,
        "overflow": overflow,
    }
    writing = {
        "beams": beams,
        "length": length,
        "min_length": min_length,
        "max_length": max_length,
        "no_repeat_ngram": no_repeat_ngram,
        "length_penalty": length_penalty,
    }
    text = _text_of(given) if given else None
    documents = [
        document
        for path in find_files(files)
        for document in read_file(path, password=password, stdin=None if stdin is None else io.BytesIO(stdin))
    ]
    from .summarize import Work

    work = Work(model, device, dtype, {**cutting, **writing}, talk, history=not no_history)
    summary = work.summarize(documents, 0.0) if text is None else _explained(work, documents, given, text, cutting)
    _show_all([summary], by, rows, evidence, paths, talk)


def _text_of(path: str) -> str:
    """A summary in a file of plain text.

    Raises:
        PagesumError: there is none.
    """
    return "\n".join(section.text for document in read_file(path) for section in document.sections)


def _explained(work: "Work", documents: list[Document], path: str, text: str, cutting: dict[str, Any]) -> Summary:
    """The given text as a summary of the documents."""
    summarizer = work.load()
    cuts: list[Pages] = []
    with work.talk.progress("reading pages"):
        try:
            summary = summarizer.explain(documents, text, **cutting, on_pages=cuts.append)
        except PagesumError as error:
            error.message = error.message.replace("the given summary", path)
            raise
    options.say_what_is_left_out(work.talk, cuts[0])
    summary = with_evidence(summary, cuts[0])
    if work.history:
        remember(summary)
    return summary


def _show_all(
    summaries: list[Summary], by: str, rows: int, evidence: bool, paths: list[str], talk: console.Talk
) -> None:
    if paths and len(summaries) > 1:
        raise UsageError(f"--export with {len(summaries)} summaries in one file", "keep one line of the file")
    try:
        for number, summary in enumerate(summaries):
            if number:
                console.data("")
            _show(summary, by, rows, evidence, talk)
    finally:  # a reader that has seen enough and closes the pipe wants the files all the same
        _write_all(paths, lambda path: _export(summaries[0], path, by), talk)


def _write_all(paths: list[str], write_one: Callable[[str], None], talk: console.Talk) -> None:
    """Write each file, also where another one cannot be written.

    Raises:
        PagesumError: of the last one that cannot.
    """
    failed: list[PagesumError] = []
    for path in paths:
        try:
            write_one(path)
        except PagesumError as error:
            failed.append(error)
        else:
            talk.note(f"wrote {path}")
    for error in failed[:-1]:
        talk.warn(error.message)
    if failed:
        raise failed[-1]


def _export(summary: Summary, path: str, by: str) -> None:
    if not summary.sentences:
        raise PagesumError(f"{path}: the summary has no words, so there is nothing to draw")
    export(summary, path, by)


def _show(summary: Summary, by: str, rows: int, evidence: bool, talk: console.Talk) -> None:
    from ..views.evidence import evidence_view, has_evidence
    from ..views.heatmap import HeatMap
    from ..views.inspection import figures_view, head_view, page_table

    by_sentence = by == "sentence" or not summary.tokens
    is_drawn = len(summary.pages) > 1 and bool(summary.sentences)
    console.show(head_view(summary, text=not (is_drawn and by_sentence)))
    if not summary.sentences:
        talk.warn("the summary has no words: there is nothing to draw")
        return
    if len(summary.pages) == 1:
        talk.note("the document has one page: there is nothing to compare")
    else:
        if by_sentence and by != "sentence":
            talk.note(f"saved without its tokens: drawn by sentence, not by {by}")
        console.show(HeatMap(summary, by, rows))
        console.show(figures_view(summary))
        console.data("")
        console.show(page_table(summary, rows))
    if evidence and has_evidence(summary):
        console.data("")
        console.show(evidence_view(summary))
    elif evidence:
        talk.warn("saved without its evidence: --evidence needs the document itself")


def _analyse(
    analysis: str,
    files: list[str],
    given: str | None,
    embeddings: str | None,
    limit: int | None,
    password: str | None,
    exports: list[str],
    talk: console.Talk,
) -> None:
    if embeddings and analysis != "spatial-locality":
        raise UsageError("--embeddings with --analysis long-distance", "it compares words, and needs none")
    if given and analysis != "long-distance":
        raise UsageError("--summary with --analysis spatial-locality", "it compares the document's own sentences")
    from ..analysis.texts import texts_of
    from ..documents.sentences import split_sentences

    texts = texts_of(files, limit=limit, password=password, on_problem=talk.warn)
    if given:
        found = list(texts)
        if len(found) != 1:
            raise UsageError(f"--summary with {len(found)} documents", "name the one document that it is of")
        texts = iter([replace(found[0], summary=tuple(split_sentences(_text_of(given))))])
    view, file = _spatial(texts, embeddings, talk) if analysis == "spatial-locality" else _distant(texts, talk)
    console.show(view)
    _write_all(exports, lambda path: write(path, file(Path(path).suffix.lower())), talk)


Report = tuple["RenderableType", Callable[[str], bytes]]


def _spatial(texts: "Iterable[Text]", embeddings: str | None, talk: console.Talk) -> Report:
    """What to show of spatial locality, and what to write into a file by its extension."""
    from ..analysis.spatial_locality import dense, spatial_locality, tf_idf
    from ..views.analyses import spatial_file, spatial_view

    name, embed = "TF-IDF", tf_idf
    if embeddings:
        with talk.loading(f"loading {embeddings}"):
            from ..analysis.embeddings import SentenceEmbedder

            embedder = SentenceEmbedder(embeddings)
        name, embed = f"embeddings of {embeddings}", lambda sentences: dense(embedder(sentences))
    with talk.progress("reading documents"):
        result = spatial_locality((text.sentences for text in texts), embed, name)
    if result is None:
        raise PagesumError("no document has two sentences, so there is nothing to compare", "name longer documents")
    if not embeddings:
        talk.note("similarity by TF-IDF; --embeddings FOLDER takes a sentence encoder instead")
    return spatial_view(result), lambda suffix: spatial_file(result, suffix)


def _distant(texts: "Iterable[Text]", talk: console.Talk) -> Report:
    """What to show of long distances, and what to write into a file by its extension."""
    from ..analysis.long_distance import long_distance
    from ..views.analyses import distance_file, distance_view

    with talk.progress("reading documents"):
        result = long_distance(texts)
    if not result.documents:
        raise PagesumError(
            "no document here has a summary, which long-distance compares it with",
            "name a data set with summaries, or one document and its --summary FILE",
        )

    def file(suffix: str) -> bytes:
        if not result.pairs and suffix not in (".json", ".csv"):
            raise PagesumError("no interdependent pair was found, so there is no figure", "--export numbers.json")
        return distance_file(result, suffix)

    return distance_view(result), file
