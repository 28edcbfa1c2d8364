"""Quotes → one text by a language model, each sentence of which is proven or gives way to its
quote.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from .chat import ChatModel
from .documents.model import Document, Paragraph, Section
from .errors import PagesumError
from .locality import Pages
from .options import PagingOptions
from .proving import Prover, with_sentences
from .summary.attribution import with_places
from .summary.check.checker import MIN_SUPPORT
from .summary.drafts import CLOSED
from .summary.summary import PageShare, Summary, SummarySentence
from .text.sentences import sentence_spans
from .text.words import Units, covering

if TYPE_CHECKING:
    from .summarizer import PageSummarizer

REQUEST = (
    "Rewrite the sentences below, which are quoted from a document, as one coherent text in their "
    "language. State only what they state, and all of it: keep names, numbers, units, dates and "
    "qualifications as they are. Answer with the text alone, without headings or lists."
)
ROOM = 512  # tokens of an answer besides those of the text, for what a model thinks before it
TOKENS = 3  # for each word of the quotes: a text that is as long, in any language

_THOUGHTS = re.compile(r"\A\s*<think>.*?(?:</think>|\Z)", re.DOTALL)
_SIGNS = re.compile(r"^\s*(?:#{1,6} .*$|[-*•]\s+|\d{1,2}[.)]\s+)|\*\*|__", re.MULTILINE)
"""Headings, bullets, numbers and emphasis of Markdown."""


class Writer(Protocol):
    """A language model that rewrites quotes."""

    @property
    def name(self) -> str:
        """What to call it in the settings of a summary."""

    def write(self, quotes: Sequence[str]) -> str:
        """The quotes as one text; raises PagesumError where there is none."""


@dataclass(frozen=True)
class ChatWriter:
    """A chat model behind an address."""

    model: ChatModel

    @property
    def name(self) -> str:
        """Its address."""
        return f"{self.model.address.url}#{self.model.address.model}"

    def write(self, quotes: Sequence[str]) -> str:
        """See :class:`Writer`."""
        words = sum(len(one.split()) for one in quotes)
        listed = "\n".join(f"- {one}" for one in quotes)
        answer = self.model.ask(f"{REQUEST}\n\n{listed}", ROOM + TOKENS * words)
        return whole_sentences(answer.text, is_cut_off=answer.is_cut_off)


@dataclass(frozen=True)
class ModelWriter:
    """A language model on this machine, which is loaded when it is first needed."""

    name: str
    device: str = "auto"
    dtype: str = "auto"

    @cached_property
    def _summarizer(self) -> "PageSummarizer":
        from .summarizer import PageSummarizer

        return PageSummarizer.from_pretrained(self.name, device=self.device, dtype=self.dtype)

    def write(self, quotes: Sequence[str]) -> str:
        """See :class:`Writer`; the quotes are one part, as far as the model's positions go."""
        summarizer = self._summarizer
        words = sum(len(one.split()) for one in quotes)
        room = summarizer.model.config.max_position_embeddings // 2
        summary = summarizer.summarize(
            Document("quotes", (Section("", tuple(map(Paragraph, quotes))),), "", ""),
            paging=PagingOptions(locality="spatial", page_tokens=room),
            instruction=f"{REQUEST}\n\n{{page}}",
            max_length=min(TOKENS * words, room - 1),
            trim=True,
        )
        return summary.text


def whole_sentences(answer: str, *, is_cut_off: bool) -> str:
    """The sentences of an answer on one line, without thoughts, signs of Markdown, and a last
    sentence that was cut off.
    """
    text = " ".join(_SIGNS.sub("", _THOUGHTS.sub("", answer)).split())
    spans = sentence_spans(text)
    if is_cut_off and spans and not text.endswith(CLOSED):
        spans = spans[:-1]
    return text[: spans[-1][1]] if spans else ""


def rewritten(
    summary: Summary,
    writer: Writer,
    pages: Pages,
    documents: Sequence[Document],
    *,
    proves: bool = True,
) -> Summary:
    """A summary of quotes as one text.

    Each of its sentences has the quotes that it is made of. One that they or the documents do not
    support gives way to its quote, or is left out.

    Raises:
        PagesumError: The model fails, or none of what it wrote is about the quotes.
    """
    text = writer.write([one.shown for one in summary.sentences])
    written = [text[start:end] for start, end in sentence_spans(text)]
    aligned = list(filter(None, (_aligned(one, summary) for one in written)))
    if proves:
        aligned = _proven(aligned, summary, Prover(pages, documents))
    if all(one.source for one, _ in aligned):
        raise PagesumError(f"{writer.name}: none of its sentences is proven by the quotes")
    own = replace(
        summary,
        text=text,
        sentences=tuple(SummarySentence(one, summary.sentences[0].pages) for one in written),
        paragraphs=(),
        notes=(*summary.notes, *_missing(aligned, len(summary.sentences))),
        settings={**summary.settings, "rewrite": writer.name},
    )
    if not proves:
        return replace(own, sentences=_sentences(own, aligned, documents))
    return with_sentences(own, with_places([one for one, _ in aligned], documents))


def _sentences(
    summary: Summary, aligned: Sequence["Aligned"], documents: Sequence[Document]
) -> tuple[SummarySentence, ...]:
    """All sentences of a text as it was written, with the quotes of those that are about some."""
    placed = {one.text: one for one in with_places([one for one, _ in aligned], documents)}
    return tuple(placed.get(one.text, one) for one in summary.sentences)


def _missing(aligned: Sequence["Aligned"], quotes: int) -> Sequence[str]:
    """A line about the quotes that no sentence is made of; nothing if there are none."""
    missing = quotes - len({number for _, numbers in aligned for number in numbers})
    return [f"{missing} of {quotes} quotes are not in the rewritten text"] if missing else []


Aligned = tuple[SummarySentence, tuple[int, ...]]  # with the numbers of its quotes


def _aligned(text: str, summary: Summary) -> Aligned | None:
    """A sentence with the quotes that it is made of; None if it is about none of them."""
    numbers, value = covering(Units.of(text), [Units.of(one.shown) for one in summary.sentences])
    if not numbers or value < MIN_SUPPORT:
        return None
    own = [summary.sentences[number] for number in sorted(numbers)]
    quotes = tuple(source for one in own for source in one.sources)
    return SummarySentence(text, _mean_shares(own), quotes=quotes), tuple(numbers)


def _proven(aligned: Sequence[Aligned], summary: Summary, prover: Prover) -> list[Aligned]:
    """The sentences that hold, and the quotes of the others, each once."""
    kept: list[Aligned] = []
    for sentence, numbers in aligned:
        judgment = prover.judged(sentence)
        if judgment.is_proven:
            kept.append((replace(sentence, verdict=judgment.verdict), numbers))
            continue
        used = {number for _, some in kept for number in some}
        first = numbers[0]
        quote = summary.sentences[first]
        verdict = prover.judged(quote).verdict
        if first not in used:
            kept.append((replace(quote, verdict=verdict, replaced=sentence.text), (first,)))
    settled = prover.settled([one for one, _ in kept])
    return [pair for pair in kept if pair[0] in settled]


def _mean_shares(sentences: Sequence[SummarySentence]) -> tuple[PageShare, ...]:
    """The mean of the shares of pages, largest first."""
    sums: dict[int, float] = {}
    for share in (share for one in sentences for share in one.pages):
        sums[share.page] = sums.get(share.page, 0.0) + share.confidence / len(sentences)
    ranked = sorted(sums.items(), key=lambda pair: -pair[1])
    return tuple(PageShare(page, confidence) for page, confidence in ranked)
