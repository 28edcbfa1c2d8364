"""``pagesum analyze``: the paper's analyses of documents and summaries."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, ClassVar

import typer

from ..batch.jobs import inputs_of
from ..datasets.named import DATA_SETS, DataRequest, check_data, read_data
from ..datasets.readers import SPLIT_NAMES
from ..documents.selection import EVERYTHING
from ..errors import PagesumError, UsageError
from ..evaluation.results import read_results
from ..lab.long_distance import (
    MIN_GAIN,
    MIN_RECALL,
    ROUGES,
    Distances,
    Fusion,
    coverage,
    long_distance,
)
from ..models.catalog import is_hub_id
from ..options import DEVICES, Options, option
from ..views.export import FIGURES, check_export, write
from . import console, options
from .help import ShortGroup, ShortHelp

NUMBERS = (".json", ".csv")
EXPORTS = (*FIGURES, *NUMBERS)

app = typer.Typer(
    cls=ShortGroup,
    rich_markup_mode="rich",
    add_completion=False,
    subcommand_metavar="VERB ...",
    epilog="pagesum analyze spatial-locality paper.pdf\n\npagesum analyze long-distance --data "
    "papers.jsonl",
)

_FILES = (
    "Documents, data sets (files of records, folders that pagesum eval reads), folders, "
    "patterns; or --data."
)
Files = Annotated[list[str] | None, options.argument("FILES", _FILES)]


@dataclass(frozen=True)
class AnalysisOptions(Options, panel="Analysis"):
    """What is analyzed, and the files that are written."""

    limit: int | None = option(
        None, "Maximum number of documents (of each split or data set).", min=1
    )
    exports: tuple[str, ...] = option(
        (),
        f"Also write a file, in the format of its extension ({', '.join(EXPORTS)}). "
        f"Can be repeated.",
        metavar="FILE",
        flags=("--export",),
        panel=options.OUTPUT,
    )
    force: bool = option(False, options.FORCE, panel=options.OUTPUT)

    def __post_init__(self) -> None:
        super().__post_init__()
        for path in self.exports:
            check_export(path, EXPORTS)


@dataclass(frozen=True)
class EmbeddingOptions(Options, panel="Analysis"):
    """How sentences are turned into vectors."""

    embeddings: str | None = option(
        None,
        "Sentence encoder such as SimCSE: a folder, or owner/name on the Hugging Face hub. "
        "Default: TF-IDF.",
        metavar="NAME",
    )
    pooling: str | None = option(
        None,
        "How the encoder's states become a vector. cls: unsupervised SimCSE; pooler: supervised "
        "SimCSE. Default: as its folder specifies, otherwise mean.",
        choices=("cls", "pooler", "mean"),
        requires="embeddings",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if (
            self.embeddings
            and not Path(self.embeddings).is_dir()
            and not is_hub_id(self.embeddings)
        ):
            message = (
                f"--embeddings {self.embeddings}: no sentence encoder can be loaded (no "
                f"such folder)"
            )
            hint = "name a folder or owner/name on the Hugging Face hub, or leave it out for TF-IDF"
            raise PagesumError(message, hint)


@dataclass(frozen=True)
class FusionOptions(Options, panel="Analysis"):
    """What counts as fusion, and the summaries that are compared."""

    rouge: str = option("rouge1", "Kind of ROUGE recall: of words or of bigrams.", choices=ROUGES)
    min_recall: float = option(
        MIN_RECALL,
        "Both source sentences have a recall above this, in points of 100 (the paper's t1).",
        min=0,
        max=100,
    )
    min_gain: float = option(
        MIN_GAIN,
        "Their joint recall exceeds each of the two by more than this many points (t2).",
        min=0,
        max=100,
    )
    summary: str | None = option(
        None,
        "File with the summary of a single document. Default: the summaries in the data set.",
        metavar="FILE",
    )
    results: Path | None = option(
        None,
        "results.jsonl of pagesum eval: count which of the two source sentences its summaries "
        "cover.",
        metavar="FILE",
    )


@dataclass(frozen=True)
class DataSetOptions(Options, panel="Analysis"):
    """The data set that is analyzed."""

    is_required: ClassVar[bool] = True

    data: str | None = option(
        None, "As for pagesum eval: a name, a file or folder, owner/name.", metavar="NAME|PATH"
    )
    data_dir: Path | None = option(
        None,
        "Folder that holds the named data set. Default: the hub's cache.",
        metavar="DIR",
        requires="data",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.data and self.is_required:
            raise UsageError("no data set to analyze", "add --data NAME")
        if self.data_dir and self.data not in DATA_SETS:
            raise UsageError(
                f"--data-dir does nothing for --data {self.data}",
                f"it is for {', '.join(DATA_SETS)}",
            )

    @property
    def files(self) -> list[str]:
        """The data set, if it is a file."""
        return [self.data] if self.data and Path(self.data).is_file() else []

    def of_data(self, **others: Any) -> DataRequest:
        """What is read of the data set."""
        return DataRequest(self.data, self.data_dir, **others)


@dataclass(frozen=True)
class SourceOptions(DataSetOptions):
    """A data set in place of files."""

    is_required: ClassVar[bool] = False

    split: str = option(
        "test", "Split of the data set.", choices=tuple(SPLIT_NAMES), requires="data"
    )

    def request(
        self, files: Sequence[str], limit: int | None, *, summaries: bool
    ) -> DataRequest | None:
        """The data set that is asked for, whose first records are as expected; None where there are
        files.
        """
        if bool(self.data) == bool(files):
            raise UsageError(
                "both FILES and --data" if files else "nothing to analyze",
                "use FILES, or --data NAME",
            )
        if not self.data:
            return None
        request = self.of_data(limit=limit, split=self.split)
        check_data(request, summaries=summaries)
        return request


@dataclass(frozen=True)
class CountingOptions(DataSetOptions):
    """The data set that is counted, and in which tokens."""

    model: str | None = option(
        None, "Checkpoint whose tokenizer counts, by name or folder. Default: BART.", metavar="NAME"
    )
    source_tokens: int | None = option(
        None,
        "Count only the first N tokens of each record, as summarize --source-tokens reads them.",
        min=1,
    )
    rank_paragraphs: bool = option(False, "Rank paragraphs first, as eval --rank-paragraphs does.")


@dataclass(frozen=True)
class AttentionOptions(DataSetOptions):
    """The models whose attention is analyzed, and the data set that they summarize."""

    models: tuple[str, ...] = option(
        (),
        "Copying model, by name, folder or Hugging Face id. Can be repeated to compare models.",
        metavar="NAME",
        flags=("--model", "-m"),
    )
    split: str = option("validation", "Split of the data set.", choices=tuple(SPLIT_NAMES))
    max_length: int | None = option(
        None, "Maximum number of tokens in a summary. Default: the model's own.", min=1
    )
    device: str = option(
        "auto", "Device to compute on. auto: a GPU if there is one.", choices=DEVICES
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.models:
            raise UsageError("no model to analyze", "add --model NAME")


@app.callback()
def analyze() -> None:
    """Run the paper's analyses on documents or data sets."""


@app.command("spatial-locality", cls=ShortHelp)
@options.with_flags
def spatial(
    source: SourceOptions,
    analysis: AnalysisOptions,
    embedding: EmbeddingOptions,
    reading: options.PasswordOptions,
    messages: options.MessageOptions,
    files: Files = None,
) -> None:
    """Show how the similarity of two sentences falls with their distance (the paper's Figure 1)."""
    files = files or []
    _check_exports(analysis, [*files, *source.files])
    talk = messages.talk
    from ..lab.texts import check_texts, texts_of

    request = source.request(files, analysis.limit, summaries=False)
    check_texts(files)  # before PyTorch is imported
    with talk.loading("loading the analysis"):
        from ..lab.spatial_locality import embedding_of, spatial_locality
        from ..views.analyses import spatial_file, spatial_view

        name, embed = embedding_of(embedding.embeddings, embedding.pooling or "auto")
    texts = texts_of(
        request or files, limit=analysis.limit, password=reading.password, on_problem=talk.warn
    )
    with talk.progress("reading documents"):
        result = spatial_locality((text.sentences for text in texts), embed, name)
    if not embedding.embeddings:
        talk.note("similarity by TF-IDF; --embeddings NAME uses a sentence encoder instead")
    _show(spatial_view(result), spatial_file, result, analysis, talk)


@app.command("long-distance", cls=ShortHelp)
@options.with_flags
def distant(
    source: SourceOptions,
    analysis: AnalysisOptions,
    fusion: FusionOptions,
    reading: options.PasswordOptions,
    messages: options.MessageOptions,
    files: Files = None,
) -> None:
    """Show how far apart the two source sentences of a fused summary sentence are (the paper's
    Figure 4).

    Each of FILES is a separate data set, with its own bars in the figure.
    """
    files = files or []
    others = [str(path) for path in (fusion.summary, fusion.results) if path]
    _check_exports(analysis, [*files, *source.files, *others])
    talk = messages.talk
    from ..lab.texts import check_texts, texts_of, with_summary
    from ..views.analyses import distance_file, distance_view

    request = source.request(files, analysis.limit, summaries=not fusion.summary)
    check_texts([*files, *filter(None, [fusion.summary])], summaries=not fusion.summary)
    if fusion.summary and len(files) > 1:
        raise UsageError(
            f"--summary with {len(files)} documents", "name the document that it summarizes"
        )
    if fusion.results and len(files) > 1:
        raise UsageError(
            f"--results with {len(files)} data sets", "name the data set that they belong to"
        )
    results = read_results(fusion.results, talk.warn) if fusion.results else []
    outputs = {result.id: (result.prediction, result.reference) for result in results}
    kind = Fusion(fusion.rouge, fusion.min_recall, fusion.min_gain)
    sets = files or [source.data or ""]
    names = [Path(file).name.split(".")[0] for file in sets]
    found = []
    for file, name in zip(sets, names, strict=True):
        texts = texts_of(
            request or [file], limit=analysis.limit, password=reading.password, on_problem=talk.warn
        )
        with talk.progress(f"reading {file}"):
            pairs = with_summary(texts, fusion.summary) if fusion.summary else texts
            found.append(long_distance(pairs, kind, name if names.count(name) == 1 else file))
    covered = coverage(found[0].pairs, outputs) if fusion.results else []
    result = Distances(kind, tuple(found), tuple(covered))
    _show(distance_view(result), distance_file, result, analysis, talk)


@app.command("data", cls=ShortHelp)
@options.with_flags
def data(
    source: CountingOptions, analysis: AnalysisOptions, messages: options.MessageOptions
) -> None:
    """Count the documents of each split of a data set, their tokens, words and sentences (PageSum's
    Table 10).
    """
    for path in analysis.exports:
        check_export(path, NUMBERS)
    _check_exports(analysis, source.files)
    talk = messages.talk
    from ..lab.data_sizes import counting_tokenizer, data_sizes
    from ..views.analyses import sizes_file, sizes_view

    name, tokenizer = counting_tokenizer(source.model)
    request = source.of_data(limit=analysis.limit, rank_paragraphs=source.rank_paragraphs)
    with talk.progress("counting"):
        result = data_sizes(request, tokenizer, name, talk.warn, source_tokens=source.source_tokens)
    _show(sizes_view(result), sizes_file, result, analysis, talk)


@app.command("attention", cls=ShortHelp)
@options.with_flags
def attention(
    source: AttentionOptions, analysis: AnalysisOptions, messages: options.MessageOptions
) -> None:
    """Show which tokens of the source copying models attend to (DPP attention, Table 7 and Figures
    2 and 3).
    """
    _check_exports(analysis, source.files)
    for name in source.models:
        options.check_model(name, None, source.max_length)
    talk = messages.talk
    request = source.of_data(limit=analysis.limit, split=source.split)
    check_data(request, summaries=False)
    with talk.loading("loading the analysis"):
        from ..lab.attention import AttentionAnalysis, PageSummarizer, read_by
        from ..views.analyses import attention_file, attention_view

    readings = []
    for name in source.models:
        with talk.loading(f"loading {name}"):
            summarizer = PageSummarizer.from_pretrained(name, device=source.device, dtype="float32")
        records = read_data(request, talk.warn, summarizer.paging().locality)
        with talk.progress("summarizing") as bar:
            show = partial(bar.update, f"summarizing with {name}", total=len(records))
            readings.append(
                read_by(summarizer, records, max_length=source.max_length, on_progress=show)
            )
    result = AttentionAnalysis(source.data or "", tuple(readings))
    _show(attention_view(result), attention_file, result, analysis, talk)


def _check_exports(analysis: AnalysisOptions, files: Sequence[str]) -> None:
    """Refuse to replace a document that is read, or without --force any file."""
    if analysis.exports:
        # reading reports what is missing
        inputs = inputs_of(files, EVERYTHING, lambda path, reason: None)
        console.check_outputs(analysis.exports, inputs, force=analysis.force)


def _show(
    view: Any,
    file: Callable[[Any, str], bytes],
    result: Any,
    analysis: AnalysisOptions,
    talk: console.Talk,
) -> None:
    console.show(view)

    def export(path: str) -> None:
        write(path, file(result, Path(path).suffix.lower()))

    console.write_each(analysis.exports, export, talk, force=analysis.force)
