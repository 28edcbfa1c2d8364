"""What a copying model's attention reads of its source: Table 7 and Figures 2 and 3 of the DPP
attention paper.

Summaries are generated greedily and without any rule (no minimum length, nothing blocked, a
temperature of 1), as in the paper: how a checkpoint decodes is no part of how it reads. A step's
attention is renormalized, because DPP attention need not sum to 1. What is *accumulated* at a
source position is the sum over all steps.

The paper takes 100 spans of 5 tokens, and its sources are cut to 500 tokens: the spans are the
whole source, one after another. Here too they are, whatever its length.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..datasets.record import Record
from ..errors import UsageError
from ..locality import documents_to_read, paginate
from ..models.generation import GeneratingModel
from ..options import UNCONSTRAINED, stored_form
from ..summarizer import PageSummarizer

Array = NDArray[np.float64]

SPAN = 5  # tokens of a span
HIGH = 0.6  # accumulated attention of a position from which on its span is high
BOUNDS = (0.2, HIGH)  # between low, middle and high accumulated attention (Figure 3)

# see :meth:`~pagesum_cli.models.dpp.model.SequenceModel.figures`
BETAS = ("beta_read", "beta_unread", "beta_moves")

FIGURES = ("steps", "entropy", "high_spans", "diversity", *BETAS)


@dataclass(frozen=True)
class Reading:
    """How a model read one source, or the mean over several, each of the same weight; NaN values
    are left out.
    """

    model: str  # its name
    documents: int  # number of sources; a cluster is one
    steps: float  # steps, the end token's included
    entropy: float  # mean entropy of a step's attention, in nats
    high_spans: float  # share of the spans that are high, 0–1
    # different tokens by all tokens of the high spans, 0–1; NaN where none is high.
    diversity: float
    shares: tuple[float, ...]  # shares of the positions below, between and above :data:`BOUNDS`
    # by source position, NaN at special tokens; of several sources, at text only.
    accumulated: Array
    tokens: tuple[str, ...] = ()  # those of the text, of a single source
    # beta_read, beta_unread, beta_moves: what β of DPP attention does, see :data:`BETAS`; NaN
    # without it.
    beta_read: float = float("nan")
    beta_unread: float = float("nan")
    beta_moves: float = float("nan")


@dataclass(frozen=True)
class AttentionAnalysis:
    data: str
    readings: tuple[Reading, ...]


def normalized(attention: Array) -> Array:
    """Attention ``(T, J)`` of which each step sums to 1; steps after the end, which are 0, are left
    out.
    """
    sums = attention.sum(1, keepdims=True)
    return attention[sums[:, 0] > 0] / sums[sums[:, 0] > 0]


def entropies(attention: Array) -> Array:
    """The entropy of each step, in nats ``(T,)``, of normalized attention ``(T, J)``."""
    return -(attention * np.log(np.where(attention > 0, attention, 1.0))).sum(1)


def reading_of(
    attention: Array, tokens: Sequence[int], special: Iterable[int] = (), model: str = ""
) -> Reading:
    """How a source was read.

    Args:
        attention: ``(T, J)``, of each step over the source; at least one step.
        tokens: The source's token ids ``(J,)``.
        model: Its name.
        special: Ids that are not text: they may have attention, but are not counted and belong to
            no span.
    """
    weights = normalized(attention)
    ids = np.array(tokens)
    is_text = ~np.isin(ids, list(special))
    if not is_text.any():
        raise ValueError("no token of the source is text")
    accumulated = np.where(is_text, weights.sum(0), np.nan)
    text, words = accumulated[is_text], ids[is_text]
    # the last span may be shorter
    is_high = np.maximum.reduceat(text, np.arange(0, len(text), SPAN)) >= HIGH
    inside = words[np.repeat(is_high, SPAN)[: len(text)]]
    low, high = (text < bound for bound in BOUNDS)
    return Reading(
        model,
        1,
        len(weights),
        float(entropies(weights).mean()),
        float(is_high.mean()),
        len(np.unique(inside)) / len(inside) if len(inside) else float("nan"),
        (float(low.mean()), float((high & ~low).mean()), float((~high).mean())),
        accumulated,
    )


def mean_reading(readings: Sequence[Reading]) -> Reading:
    """The means over sources; at least one."""
    longest = max(len(one.accumulated) for one in readings)
    padded = [
        np.pad(one.accumulated, (0, longest - len(one.accumulated)), constant_values=np.nan)
        for one in readings
    ]
    accumulated = _mean(padded)
    figures = {name: float(_mean([getattr(one, name) for one in readings])) for name in FIGURES}
    shares = tuple(_mean([one.shares for one in readings]).tolist())
    text = accumulated[~np.isnan(accumulated)]  # special tokens are nowhere text
    tokens = readings[0].tokens if len(readings) == 1 else ()
    return Reading(
        readings[0].model, len(readings), **figures, shares=shares, accumulated=text, tokens=tokens
    )


def _mean(rows: Sequence[Any]) -> Array:
    """The means of columns over the rows where they are defined; NaN where they never are."""
    values = np.array(rows, float)
    counts = (~np.isnan(values)).sum(0)
    return np.where(counts > 0, np.nansum(values, 0) / np.maximum(counts, 1), np.nan)


def read_by(
    summarizer: PageSummarizer,
    records: Sequence[Record],
    *,
    max_length: int | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
) -> Reading:
    """Generate a summary of each record greedily, without any rule, and see how the source was
    read.
    """
    model = summarizer.model
    if not isinstance(model, GeneratingModel) or "attention" not in model.traces:
        message = (
            f"{summarizer.name} is a {model.config.model_type} model, which does not trace "
            "attention over the source"
        )
        raise UsageError(
            message, "name a pointer-generator, copy-transformer or conv-seq2seq model"
        )
    tokenizer, paging = summarizer.tokenizer, summarizer.paging()
    length = summarizer.generation().changed(min_length=0, max_length=max_length).max_length or 1
    special = {model.config.bos_token_id, model.config.eos_token_id, model.config.pad_token_id}
    readings = []
    for number, record in enumerate(records, start=1):
        pages = paginate(documents_to_read(record.documents, paging), paging, tokenizer)
        batch = model.prepare(tokenizer, [pages], paging.page_tokens or 0, paging.num_pages is None)
        search = stored_form(UNCONSTRAINED.changed(max_length=length))
        result = model.generate(batch.input_ids, batch.attention_mask, **search)
        attention = result.traces["attention"][0].double().cpu().numpy()  # (T, J)
        tokens = [token for page in batch.encoded[0] for token in page.ids]  # (J,)
        steps = int((attention.sum(1) > 0).sum())
        generated = result.sequences[:, : steps + 1]
        inputs = {"input_ids": batch.input_ids, "attention_mask": batch.attention_mask}
        figures: Any = model.figures(
            {**inputs, "decoder_input_ids": generated[:, :-1], "labels": generated[:, 1:]}
        )
        unknown = tokenizer.unknown_words(pages)
        words = tuple(tokenizer.token(one, unknown) for one in tokens if one not in special)
        readings.append(
            replace(
                reading_of(attention, tokens, special, summarizer.name), **figures, tokens=words
            )
        )
        on_progress(number)
    return mean_reading(readings)
