"""The options of an evaluation. Flags and Python alike fill them, and they are checked before
anything is computed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from ..batch.cluster import ClusterOptions
from ..datasets.named import DATA_SETS, DataRequest
from ..errors import PagesumError, UsageError
from ..options import (
    GenerationOptions,
    ModelOptions,
    Options,
    PagingOptions,
    RecursionOptions,
    names_of,
    option,
)
from .baselines import BASELINES, LENGTHS, check_baselines, check_length
from .metrics.base import Tokenization, check_needs
from .metrics.registry import DEFAULT_METRICS, METRICS, MetricRequest

FORMATS = ("table", "markdown", "latex", "json", "csv")
_MODELS = ", ".join(name for name, entry in METRICS.items() if entry.has_model)


@dataclass(frozen=True)
class SystemOptions(Options, panel="Data"):
    """Whose summaries are scored: those of a model, unless a file is given."""

    check: bool = option(
        False,
        "Report statistics of the data and what would not be read, and exit.",
        requires="data",
    )
    predictions: Path | None = option(None, "Score these summaries, one per line.", metavar="FILE")
    references: Path | None = option(
        None, "References for --predictions, one per line.", metavar="FILE", requires="predictions"
    )
    from_results: Path | None = option(
        None, "Score a results.jsonl again, without a model.", metavar="FILE", flags=("--from",)
    )
    labels: Path | None = option(
        None,
        "Compare the model with the bundled ones by labelled sentences (a file written by pagesum "
        "label): what share of the quoted words the labels accept and reject.",
        metavar="FILE",
        brief="Compare models by labelled sentences.",
    )
    systems: tuple[str, ...] = option(
        (),
        "Run this sequence-to-sequence model of Transformers (LED, PRIMERA, BART, Pegasus, T5 …) "
        "on the same documents "
        "too: a folder or Hugging Face id; or a chat model, openai:URL#MODEL. Can be given "
        "several times.",
        metavar="NAME",
        flags=("--system",),
        requires="data",
    )
    context_tokens: int | None = option(
        None,
        "Context length of an openai: system. Default: as reported by its server.",
        min=512,
        requires="systems",
    )
    allow_network: bool = option(
        False, "Send the documents to an openai: system on another machine.", requires="systems"
    )
    compare: tuple[Path, Path] | None = option(
        None,
        "Compare two results.jsonl files, or two folders with one for each run "
        "(A/*/results.jsonl: several seeds): "
        "differences and p-values.",
        metavar="A B",
        brief="Compare two results.jsonl files.",
    )


@dataclass(frozen=True)
class ScoreOptions(Options, panel="Scores"):
    """How summaries are scored."""

    metrics: str = option(
        ",".join(DEFAULT_METRICS),
        f"Comma-separated: {', '.join(METRICS)}.",
        metavar="LIST",
        brief="Comma-separated names of metrics.",
    )
    metric_model: tuple[str, ...] = option(
        (),
        f"Model, by name or folder, or file for {_MODELS}; can be given several times.",
        metavar="METRIC=NAME",
    )
    tokenize: str = option(
        "none", "ptb: score Penn Treebank tokens, as the paper does.", choices=("none", "ptb")
    )
    baseline: str = option(
        "",
        f"Score baselines too. Comma-separated: {', '.join(BASELINES)}.",
        metavar="LIST",
        requires="data",
        brief="Score baselines too.",
    )
    baseline_length: str = option(
        LENGTHS[0],
        "Number of words in a baseline's summary: that of the scored system's summary (system) "
        "or the reference (reference) of the same document, that of the average reference "
        "(average), or N.",
        metavar=f"{'|'.join(LENGTHS)}|N",
        requires="baseline",
    )
    table: str | None = option(
        None,
        "Also show the published scores of the paper on PageSum, DPP attention or the top-down "
        "transformer: those of Table N, or of the table that matches the data.",
        metavar="paper[:N]|dpp-attention[:N]|top-down[:N]",
    )
    efficiency: bool = option(
        False,
        "Also show tokens per second, seconds per document and peak memory, by the length of the "
        "source.",
    )
    resamples: int = option(
        1000, "Number of resamples of the tests: p-values are 1 / (N + 1) or more.", min=100
    )
    processes: int | None = option(
        None, "Number of scoring processes. Default: one per core.", min=1
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_baselines(self.baselines)
        check_length(self.baseline_length)

    @property
    def baselines(self) -> list[str]:
        return _names(self.baseline)

    @property
    def metric_names(self) -> list[str]:
        return _names(self.metrics)

    def request(self, device: str = "auto") -> MetricRequest:
        models = {}
        for pair in self.metric_model:
            name, _, value = pair.partition("=")
            if not value:
                message = f"--metric-model {pair!r}: expected METRIC=NAME"
                raise UsageError(message, "for example bertscore=roberta-large")
            models[name] = value
        return MetricRequest(
            tuple(self.metric_names), cast(Tokenization, self.tokenize), models, device
        )


@dataclass(frozen=True)
class BatchOptions(Options, panel="Model"):
    """How many documents are summarized together."""

    batch_size: int | None = option(
        None, "Number of documents summarized at a time. Default: 1 on a CPU, otherwise 8.", min=1
    )


@dataclass(frozen=True)
class OutputOptions(Options, panel="Output"):
    output_format: str = option(
        "table",
        "Format of the scores.",
        choices=FORMATS,
        flags=("--format",),
        brief=f"{', '.join(FORMATS)}.",
    )
    output: Path | None = option(
        None,
        "Keep the result of every document in this folder; a stopped run continues from it.",
        metavar="DIR",
        flags=("-o",),
        brief="Keep the result of every document here.",
    )


@dataclass(frozen=True)
class EvaluationOptions:
    """All options of ``pagesum eval``, by topic. A model computes in float32, unless a number
    format is given.
    """

    data: DataRequest = field(default_factory=DataRequest)
    system: SystemOptions = field(default_factory=SystemOptions)
    scores: ScoreOptions = field(default_factory=ScoreOptions)
    paging: PagingOptions = field(default_factory=PagingOptions)
    model: ModelOptions = field(default_factory=ModelOptions)
    batch: BatchOptions = field(default_factory=BatchOptions)
    generation: GenerationOptions = field(default_factory=GenerationOptions)
    output: OutputOptions = field(default_factory=OutputOptions)
    recursion: RecursionOptions = field(default_factory=RecursionOptions)
    cluster: ClusterOptions = field(default_factory=ClusterOptions)
    # the flags on the command line, by the name of their field; those without effect are refused
    given: Mapping[str, str] = field(default_factory=dict)
    command: str = ""  # the command line that gives the same scores

    def __post_init__(self) -> None:
        request, system = self.scores.request(self.model.device), self.system
        if not system.compare:
            self._check_sources()
            self._check_recursion()
        paths = (system.predictions, system.references, system.from_results)
        for path in (*paths, *(system.compare or ())):
            if path and not path.exists():
                raise PagesumError(f"{path}: no such file", "check the path")
        if not system.compare and not system.check:
            for name in request.names:
                check_needs(name, METRICS[name].needs, bool(self.data.data), not system.predictions)

    def _check_sources(self) -> None:
        """Whether there are summaries and references, and each system once."""
        system = self.system
        if not (self.data.data or system.predictions or system.from_results):
            raise UsageError(
                "nothing to score",
                "use --data NAME, or --predictions FILE --references FILE, or --from FILE",
            )
        if system.predictions and not (system.references or self.data.data):
            raise UsageError(
                "--predictions without references", "add --references FILE or --data NAME"
            )
        if len(set(system.systems)) < len(system.systems):
            raise UsageError("--system names the same system twice", "leave one out")
        self.data.refuse_idle(self.given if self.data.data else {})

    def _check_recursion(self) -> None:
        self.recursion.check(self.paging)
        if self.recursion.recursive and self.data.chapter_summaries:
            raise UsageError(
                "--recursive given together with --chapter-summaries",
                "the first generates the chapters' summaries, the second reads the "
                "references: use one of them",
            )

    @property
    def runs_model(self) -> bool:
        """Whether a model writes the summaries."""
        return not (self.system.predictions or self.system.from_results)

    @property
    def reads_documents(self) -> bool:
        """Whether the data set is read; with ``--table``, it may only name what given summaries are
        of.
        """
        scores, system = self.scores, self.system
        has_references = system.references or system.from_results
        only_named = (
            scores.table
            and has_references
            and self.data.data in DATA_SETS
            and not self.given.keys() & _OF_READING
        )
        compared = any(METRICS[name].needs == "sources" for name in scores.metric_names)
        return bool(self.data.data) and bool(
            scores.baselines or system.systems or compared or not only_named
        )


_OF_READING = names_of(DataRequest) - {"data"} | {"locality"}


def _names(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
