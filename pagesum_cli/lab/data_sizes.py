"""Documents, tokens and words of a data set's splits, as in a table of each of the three papers."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ..datasets.named import DATA_SETS, SAMPLE, DataRequest, stream_data
from ..datasets.readers import SPLIT_NAMES, NoSplit
from ..datasets.record import Record
from ..errors import PagesumError
from ..locality.paginate import beginnings
from ..models.catalog import BART, checkpoint_folder
from ..options import PagingOptions
from ..text.sentences import sentence_spans
from ..text.words import STOP_WORDS, stem, words_of
from ..tokenization import PageTokenizer
from .published import published_sizes

SPLITS = ("train", "validation", "test")
# of the three papers, in ``published.toml``
TABLES = ("statistics", "word_statistics", "input_statistics")


@dataclass(frozen=True)
class SplitSize:
    """Means over the records of a split (``all`` for data without splits); a cluster is one record.

    Special tokens are not counted. ``stem_token_ratio`` is in percent, see
    :func:`stem_token_ratio`.
    """

    split: str
    documents: int
    summaries: int
    document_tokens: float
    summary_tokens: float
    summary_words: float
    summary_sentences: float
    stem_token_ratio: float
    document_words: float = 0.0


@dataclass(frozen=True)
class DataSizes:
    """Figures of the splits of a data set, and those of three papers, which are empty for other
    data.
    """

    data: str
    tokenizer: str
    splits: tuple[SplitSize, ...]
    published: dict[str, Any]
    published_words: dict[str, Any]
    published_inputs: dict[str, Any] = field(default_factory=dict)


def counting_tokenizer(model: str | None) -> tuple[str, PageTokenizer]:
    return model or "BART", PageTokenizer.load(
        BART if model is None else checkpoint_folder(model, weights=False)
    )


def data_sizes(
    request: DataRequest,
    tokenizer: PageTokenizer,
    name: str,
    on_problem: Callable[[str], None] = lambda message: None,
    *,
    source_tokens: int | None = None,
) -> DataSizes:
    """Count the records of each split, their tokens and words; one record is in memory at a
    time.
    """
    data = request.data or ""
    found = []
    missing: NoSplit | None = None
    for split in ("all",) if data == SAMPLE or Path(data).is_file() else SPLITS:
        asked = replace(request, split=split if split in SPLIT_NAMES else "test")
        locality = DATA_SETS[data].locality if data in DATA_SETS else "auto"
        try:
            records = islice(stream_data(asked, on_problem, locality), request.limit)
            found.append(
                _size(split, records, tokenizer, PagingOptions(source_tokens=source_tokens))
            )
        except NoSplit as error:
            missing = error
    if missing and not found:
        raise missing
    if not any(one.documents for one in found):
        raise PagesumError(
            f"{data}: no record that can be used", "see docs/eval.md for the formats"
        )
    return DataSizes(data, name, tuple(found), *(published_sizes(table, data) for table in TABLES))


def _size(
    split: str, records: Iterator[Record], tokenizer: PageTokenizer, paging: PagingOptions
) -> SplitSize:
    documents: list[tuple[int, float, int]] = []  # tokens, stem-token ratio, words
    summaries: list[tuple[int, int, int]] = []  # tokens, words, sentences
    for record in records:
        read, _ = beginnings(record.documents, paging, tokenizer, "document")
        texts = [
            " ".join(part for section, _ in one.read_sections for part in section.parts)
            for one in read
        ]
        summary, *own = tokenizer.count(
            [" ".join(text.split()) for text in (record.summary, *texts)]
        )
        documents.append(
            (sum(own), 100 * stem_token_ratio(texts), sum(len(text.split()) for text in texts))
        )
        if record.summary.strip():
            sentences = len(record.summary_sentences or sentence_spans(record.summary))
            summaries.append((summary, len(record.summary.split()), sentences))
    tokens, ratio, words = (
        map(_mean, zip(*documents, strict=True)) if documents else (0.0, 0.0, 0.0)
    )
    of_summary = map(_mean, zip(*summaries, strict=True)) if summaries else (0.0, 0.0, 0.0)
    summary_tokens, summary_words, summary_sentences = of_summary
    counts = len(documents), len(summaries)
    return SplitSize(
        split, *counts, tokens, summary_tokens, summary_words, summary_sentences, ratio, words
    )


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def stem_token_ratio(texts: Iterable[str]) -> float:
    """Different Porter stems by number of content words, 0–1: low where texts repeat each other.

    Stands in for the lemma–token ratio of the DPP attention paper (Table 1): stems need no
    dictionary. Content words are those of letters that are not among the stop words. 0 for a text
    without any.
    """
    counts = Counter(
        word
        for text in texts
        for word in words_of(text)
        if word.isalpha() and word not in STOP_WORDS
    )
    return len({stem(word) for word in counts}) / max(counts.total(), 1)
