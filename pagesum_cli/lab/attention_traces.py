"""Attention traces of copying models on the records of a data set, for :mod:`.attention`."""

from collections.abc import Callable, Sequence

from ..datasets.record import Record
from ..errors import UsageError
from ..locality import documents_to_read, paginate
from ..models.generation import GeneratingModel
from ..summarizer import PageSummarizer
from .attention import ModelReading, mean_reading, reading_of


def read_by(
    summarizer: PageSummarizer,
    records: Sequence[Record],
    *,
    max_length: int | None = None,
    on_progress: Callable[[int], None] = lambda done: None,
) -> ModelReading:
    """Generate a summary of each record greedily, without any rule, and see how the source was read."""
    model = _copying(summarizer)
    tokenizer, paging = summarizer.tokenizer, summarizer.paging()
    length = summarizer.generation().changed(min_length=0, max_length=max_length).max_length or 1
    special = {model.config.bos_token_id, model.config.eos_token_id, model.config.pad_token_id}
    readings = []
    for number, record in enumerate(records, start=1):
        pages = paginate(documents_to_read(record.documents, paging), paging, tokenizer)
        batch = model.prepare(tokenizer, [pages], paging.page_tokens or 0, paging.num_pages is None)
        result = model.generate(
            batch.input_ids,
            batch.attention_mask,
            num_beams=1,
            min_length=0,
            no_repeat_ngram_size=0,
            max_length=length + 2,
        )
        attention = result.traces["attention"][0].double().cpu().numpy()  # (T, J)
        tokens = [token for page in batch.encoded[0] for token in page.ids]  # (J,)
        readings.append(reading_of(attention, tokens, special))
        on_progress(number)
    return mean_reading(summarizer.name, readings)


def load_copying(name: str, device: str) -> PageSummarizer:
    """Load a model that traces its attention, in float32."""
    summarizer = PageSummarizer.from_pretrained(name, device=device, dtype="float32")
    _copying(summarizer)
    return summarizer


def _copying(summarizer: PageSummarizer) -> GeneratingModel:
    model = summarizer.model
    if isinstance(model, GeneratingModel) and "attention" in model.traces:
        return model
    raise UsageError(
        f"{summarizer.name} is a model of type {model.config.model_type}, which traces no attention over the source",
        "name a pointer-generator, copy-transformer or conv-seq2seq model",
    )
