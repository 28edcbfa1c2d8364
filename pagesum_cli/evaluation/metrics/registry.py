"""The metrics by name, in one table that is read without importing them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import Literal

from ...errors import UsageError, require_package
from ...options import suggestion
from .base import Metric, Tokenization

DEFAULT_METRICS = ("rouge1", "rouge2", "rougeLsum")


@dataclass(frozen=True)
class Entry:
    """A metric that can be computed."""

    # ``module:class`` in this package. Metrics with the same maker are computed together.
    maker: str
    columns: tuple[str, ...]  # the names of its scores
    has_model: bool = False  # whether it needs a model or file, which the user names
    file: str = ""  # what that is, if it is a file
    # the imported module and the name of a library of the extra ``metrics`` that it needs
    package: tuple[str, str] | None = None
    needs: Literal["", "sources", "sentences"] = ""  # see :class:`~.base.Metric`


_OF_ATTRIBUTION = ("attribution", "attribution-chance", "attribution-first", "attribution-top2")

METRICS = {
    "rouge1": Entry("rouge:Rouge", ("rouge1",)),
    "rouge2": Entry("rouge:Rouge", ("rouge2",)),
    "rougeL": Entry("rouge:Rouge", ("rougeL",)),
    "rougeLsum": Entry("rouge:Rouge", ("rougeLsum",)),
    "rouge-su4": Entry("rouge:RougeSU4", ("rougeSU4",), package=("rouge_metric", "rouge-metric")),
    "rouge-su": Entry("rouge:RougeSU", ("rougeSU",), package=("rouge_metric", "rouge-metric")),
    "bertscore": Entry(
        "similarity:BertScore", ("bertscore",), True, package=("torchmetrics", "torchmetrics")
    ),
    "coherence": Entry("classifiers:Coherence", ("coherence", "coherence-accepted"), True),
    "repetition": Entry("words:Repetition", ("rep-1", "rep-2", "tokens")),
    "novelty": Entry(
        "words:Novelty", ("novel-1", "novel-2", "novel-3", "novel-4"), needs="sources"
    ),
    "movers": Entry("similarity:SentenceMovers", ("movers",), True, package=("ot", "POT")),
    "sms": Entry(
        "similarity:SentenceMoversByWords", ("sms",), True, "word vectors", package=("ot", "POT")
    ),
    "faithfulness": Entry("classifiers:Faithfulness", ("faithfulness",), True, needs="sources"),
    "factcc": Entry("classifiers:FactCC", ("factcc",), True, needs="sources"),
    "fact-accuracy": Entry("facts:FactAccuracy", ("fact-accuracy",), True, "triples"),
    "attribution": Entry(
        "words:Attribution", (*_OF_ATTRIBUTION, "attribution-top2-chance"), needs="sentences"
    ),
}


@dataclass(frozen=True)
class MetricRequest:
    """Which metrics are computed, and how; the model or file of each metric that needs one by its
    name.
    """

    names: tuple[str, ...] = DEFAULT_METRICS
    tokenize: Tokenization = "none"
    models: Mapping[str, str] = field(default_factory=dict)
    device: str = "auto"

    def __post_init__(self) -> None:
        for name in (*self.names, *self.models):
            if name not in METRICS:
                hint = suggestion(
                    name, METRICS, f"for example --metrics {','.join(DEFAULT_METRICS)}"
                )
                raise UsageError(f"no metric {name!r}, expected one of {', '.join(METRICS)}", hint)
        if not self.names:
            raise UsageError("--metrics is empty", f"choose from {', '.join(METRICS)}")
        for name in self.names:
            entry = METRICS[name]
            if entry.has_model and name not in self.models:
                what = (
                    (f"a file of {entry.file}", "FILE")
                    if entry.file
                    else ("a model", "NAME_OR_FOLDER")
                )
                raise UsageError(
                    f"--metrics {name} needs {what[0]}", f"--metric-model {name}={what[1]}"
                )
            if entry.package:
                require_package(*entry.package, "metrics")

    def make(self, *, heavy: bool = True) -> list[Metric]:
        """The metrics, their models loaded."""
        groups: dict[str, list[str]] = {}
        for name in dict.fromkeys(self.names):
            if heavy or not METRICS[name].has_model:
                groups.setdefault(METRICS[name].maker, []).append(name)
        return [self._made(maker, names) for maker, names in groups.items()]

    def _made(self, maker: str, names: list[str]) -> Metric:
        columns = [
            column for name, entry in METRICS.items() if name in names for column in entry.columns
        ]
        kind: type[Metric] = resolve_name(f"{__package__}.{maker}")
        metric = kind(columns, self.tokenize, self.models.get(names[0], ""), self.device)
        metric.name = metric.name or names[0]
        metric.needs, metric.heavy = METRICS[names[0]].needs, METRICS[names[0]].has_model
        return metric
