"""Metrics and baselines by name, told without importing what computes them."""

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..errors import UsageError
from .pair import DEFAULT_TYPES, ROUGE_TYPES, Metric
from .protocol import Tokenization

NAMES = (
    *ROUGE_TYPES,
    "rouge-su4",
    "bertscore",
    "coherence",
    "repetition",
    "novelty",
    "movers",
    "faithfulness",
    "attribution",
)
BASELINES = ("lead", "random", "oracle", "lexrank", "textrank")
NEEDS_MODEL = ("bertscore", "coherence", "movers", "faithfulness")


@dataclass(frozen=True)
class MetricRequest:
    """Which metrics, and how.

    Attributes:
        names: of :data:`NAMES`.
        tokenize: see :func:`~.protocol.scored_sentences`.
        models: the model of each metric that needs one, by the metric's name.
        device: where such models run: ``auto``, ``cpu``, ``cuda`` …
    """

    names: Sequence[str] = DEFAULT_TYPES
    tokenize: Tokenization = "none"
    models: dict[str, str] = field(default_factory=dict)
    device: str = "auto"


def make_metrics(request: MetricRequest) -> list[Metric]:
    """The metrics asked for; models are loaded.

    Raises:
        UsageError: no metric of that name, or one that needs a model has none.
        PagesumError: an extra is not installed, or a model cannot be loaded.
    """
    for name in (*request.names, *request.models):
        if name not in NAMES:
            near = difflib.get_close_matches(name, NAMES, n=1)
            hint = f"did you mean {near[0]}?" if near else f"for example --metrics {','.join(DEFAULT_TYPES)}"
            raise UsageError(f"no metric {name!r}; there are {', '.join(NAMES)}", hint)
    metrics: list[Metric] = []
    if kinds := [kind for kind in ROUGE_TYPES if kind in request.names]:
        from .rouge import Rouge

        metrics.append(Rouge(kinds, request.tokenize))
    for name in dict.fromkeys(request.names):
        if name in ROUGE_TYPES:
            continue
        if name in NEEDS_MODEL and name not in request.models:
            raise UsageError(f"--metrics {name} needs a model", f"--metric-model {name}=NAME_OR_FOLDER")
        metrics.append(_MAKERS[name](request))
    return metrics


def _rouge_su4(request: MetricRequest) -> Metric:
    from .rouge_su import RougeSU4

    return RougeSU4(request.tokenize)


def _bertscore(request: MetricRequest) -> Metric:
    from .bertscore import BertScore

    return BertScore(request.models["bertscore"], request.device)


def _coherence(request: MetricRequest) -> Metric:
    from .coherence import Coherence

    return Coherence(request.models["coherence"], request.device)


def _repetition(request: MetricRequest) -> Metric:
    from .repetition import Repetition

    return Repetition()


def _novelty(request: MetricRequest) -> Metric:
    from .repetition import Novelty

    return Novelty()


def _movers(request: MetricRequest) -> Metric:
    from .movers import SentenceMovers

    return SentenceMovers(request.models["movers"], request.device)


def _faithfulness(request: MetricRequest) -> Metric:
    from .faithfulness import Faithfulness

    return Faithfulness(request.models["faithfulness"], request.device)


def _attribution(request: MetricRequest) -> Metric:
    from .attribution import Attribution

    return Attribution()


_MAKERS: dict[str, Callable[[MetricRequest], Metric]] = {
    "rouge-su4": _rouge_su4,
    "bertscore": _bertscore,
    "coherence": _coherence,
    "repetition": _repetition,
    "novelty": _novelty,
    "movers": _movers,
    "faithfulness": _faithfulness,
    "attribution": _attribution,
}
