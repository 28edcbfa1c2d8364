"""The whole path as one Python object: files → documents → pages → tokens → summary, sentence by sentence."""

import os
import re
import time
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

import torch
from tokenizers.decoders import DecodeStream
from tokenizers.models import WordPiece
from torch import Tensor
from transformers import PreTrainedTokenizerBase

from .documents.document import Document
from .documents.read import find_files, read_file
from .documents.sentences import sentence_spans
from .errors import PagesumError, UsageError
from .locality import Page, Pages, cut
from .marks import MARKS
from .model.checkpoints import load_model
from .model.modeling import PageSumForConditionalGeneration
from .summary import PageShare, Summary, SummaryPage, SummarySentence, SummaryToken
from .surface import Surface
from .tokenization import PageTokenizer
from .version import __version__

Source = str | Path | Document
OnText = Callable[[str], None]
OnProgress = Callable[[str, int, int], None]
LENGTHS = ("short", "medium", "long")

CLOSED = (".", "!", "?", "…", "。", "！", "？")
SURFACE_CHARACTERS = 2_000_000
"""Of the documents, to learn from how words are written; a second or so each million."""

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
LOOKAHEAD = 8
"""Tokens behind the end of a sentence that show that it was one (and not "Fig. 2", "e.g. this")."""


@dataclass(frozen=True)
class GenerationSettings:
    """How a summary is written.

    Attributes:
        beams: ``K``; 1 for greedy search.
        min_length: tokens of the summary at least, special tokens not counted.
        max_length: tokens of the summary at most, special tokens not counted.
        no_repeat_ngram: no so many tokens in a row twice; 0 for no such rule.
        length_penalty: above 1 favours longer summaries (beams only).
        early_stopping: stop at the first ``beams`` finished summaries (beams only).
        length_scale: how much longer than usual a summary is to be, of a checkpoint that knows what is usual; None of
            others.
    """

    beams: int = 4
    min_length: int = 0
    max_length: int = 256
    no_repeat_ngram: int = 3
    length_penalty: float = 2.0
    early_stopping: bool = False
    length_scale: float | None = None

    @classmethod
    def of(cls, model: PageSumForConditionalGeneration) -> "GenerationSettings":
        """The checkpoint's own settings; the paper's, and 256 tokens at most, where it has none.

        A checkpoint counts the start token in its least length, and the end token too in its greatest.
        """
        own = model.generation_config
        found = {
            "beams": own.num_beams,
            "min_length": None if own.min_length is None else max(own.min_length - 1, 0),
            "max_length": None if own.max_length is None else max(own.max_length - 2, 1),
            "no_repeat_ngram": own.no_repeat_ngram_size,
            "length_penalty": own.length_penalty,
            "early_stopping": None if own.early_stopping is None else bool(own.early_stopping),
            "length_scale": 1.0 if model.config.plans else None,
        }
        found["max_length"] = min(found["max_length"] or cls.max_length, longest(model))
        return cls(**{name: value for name, value in found.items() if value is not None})

    def of_length(self, length: str, most: int) -> "GenerationSettings":
        """Shorter or longer than these settings.

        Args:
            length: ``medium``: as it is. ``short``: half the least and half the greatest length. ``long``: at least
                midway between the two, at most twice the greatest. Of a checkpoint that knows what is usual: half of
                that, or twice that.
            most: the greatest length that is possible.

        Raises:
            UsageError: another word.
        """
        if length not in LENGTHS:
            raise UsageError(f"length {length!r}, expected one of {', '.join(LENGTHS)}")
        least, greatest, scale = self.min_length, self.max_length, self.length_scale
        if length == "short":
            least, greatest = least // 2, -(-greatest // 2)
            scale = scale and scale / 2
        elif length == "long":
            least, greatest = (least + greatest) // 2 if scale is None else least, min(2 * greatest, most)
            scale = scale and 2 * scale
        return replace(self, min_length=least, max_length=greatest, length_scale=scale)

    def changed(self, most: int, **changes: Any) -> "GenerationSettings":
        """With these values instead, where they are not None.

        Args:
            most: the greatest length that is possible.

        Raises:
            UsageError: a value out of range, or a least length above the greatest.
        """
        given = {name: value for name, value in changes.items() if value is not None}
        values = {**asdict(self), **given}
        if "max_length" in given and "min_length" not in given:
            values["min_length"] = min(values["min_length"], values["max_length"])
        if "min_length" in given and "max_length" not in given:
            values["max_length"] = min(max(values["min_length"], values["max_length"]), most)
        settings = GenerationSettings(**values)
        for name, least in (("beams", 1), ("min_length", 0), ("max_length", 1), ("no_repeat_ngram", 0)):
            if values[name] < least:
                raise UsageError(f"{name.replace('_', '-')} {values[name]}, expected at least {least}")
        if settings.length_scale is not None and not settings.length_scale > 0:
            raise UsageError(f"length-scale {settings.length_scale}, expected more than 0")
        if settings.max_length > most:
            raise UsageError(f"max-length {settings.max_length}, but the model has positions for {most} tokens only")
        if settings.min_length > settings.max_length:
            raise UsageError(f"min-length {settings.min_length} is above max-length {settings.max_length}")
        return settings


def longest(model: PageSumForConditionalGeneration) -> int:
    """The longest summary that the model has positions for, in tokens, special tokens not counted."""
    return model.config.max_position_embeddings - 1


class PageSummarizer:
    """Summarizes documents of any length, page by page, and says which pages each sentence came from.

    Args:
        model: a PageSum model.
        tokenizer: its tokenizer.
        name: what to call the model in summaries.
    """

    def __init__(
        self, model: PageSumForConditionalGeneration, tokenizer: PreTrainedTokenizerBase, *, name: str
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.name = name

    @classmethod
    def from_pretrained(cls, name: str = "mini", *, device: str = "auto", dtype: str = "auto") -> "PageSummarizer":
        """Load a checkpoint by bundled name, folder or Hugging Face id; see ``load_model``.

        Raises:
            PagesumError: there is no such checkpoint, it is damaged, or it has no tokenizer.
        """
        model, tokenizer = load_model(name, device=device, dtype=dtype)
        if tokenizer is None:
            raise PagesumError(
                f"{name} has no tokenizer, expected tokenizer.json, or vocab.json with merges.txt",
                "Copy the tokenizer of the checkpoint that it was made from into its folder.",
            )
        return cls(model, tokenizer, name=name)

    def settings(self, length: str | None = None, **changes: Any) -> GenerationSettings:
        """The checkpoint's generation settings, for a ``length``, with what is given (not None) instead.

        Raises:
            UsageError: a value out of range.
        """
        most = longest(self.model)
        settings = GenerationSettings.of(self.model)
        return (settings.of_length(length, most) if length else settings).changed(most, **changes)

    def summarize(
        self,
        source: Source | Sequence[Source],
        *,
        locality: str = "auto",
        page_tokens: int | None = None,
        max_pages: int | None = None,
        overflow: str = "continue",
        num_pages: int | None = None,
        length: str | None = None,
        beams: int | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        no_repeat_ngram: int | None = None,
        length_penalty: float | None = None,
        early_stopping: bool | None = None,
        length_scale: float | None = None,
        password: str | None = None,
        on_pages: Callable[[Pages], None] | None = None,
        on_text: OnText | None = None,
        on_progress: OnProgress | None = None,
    ) -> Summary:
        """Summarize a document, or a cluster of documents into one summary.

        Args:
            source: a path (or pattern, folder, ``-``), a document, or several of them.
            locality, max_pages, overflow: how to cut pages, see ``locality.cut``.
            page_tokens: ``S``; the checkpoint's own by default.
            num_pages: ``P``, fixed, formed as in the paper; the checkpoint's own by default.
            length: ``short``, ``medium`` or ``long``, see ``GenerationSettings.of_length``.
            beams, min_length, max_length, no_repeat_ngram, length_penalty, early_stopping, length_scale: see
                ``GenerationSettings``; the checkpoint's own by default.
            password: of encrypted PDFs.
            on_pages: called with the pages before they are read.
            on_text: called with the summary's text as it is settled: sentence by sentence in greedy search, all at
                once with beams. The pieces joined are the summary.
            on_progress: called with ``read``, ``encode`` or ``decode``, how much is done, and how much there is (files,
                pages, tokens at most).

        Raises:
            PagesumError: a file cannot be read, or memory does not suffice.
            UsageError: settings that make no sense.
        """
        generation = self.settings(
            length,
            beams=beams,
            min_length=min_length,
            max_length=max_length,
            no_repeat_ngram=no_repeat_ngram,
            length_penalty=length_penalty,
            early_stopping=early_stopping,
            length_scale=length_scale,
        )
        cutting = self._cutting(locality, page_tokens, max_pages, overflow, num_pages)
        read = self._read(source, cutting, password, on_progress)
        if on_pages:
            on_pages(read.pages)
        stream = _Stream(read.decoder, len(read.ids), on_text, on_progress)
        summary = self._write([read], generation, cutting, on_step=stream)[0]
        stream.finish(summary.text)
        return summary

    def summarize_batch(
        self,
        sources: Sequence[Source | Sequence[Source]],
        *,
        locality: str = "auto",
        page_tokens: int | None = None,
        max_pages: int | None = None,
        overflow: str = "continue",
        num_pages: int | None = None,
        length: str | None = None,
        on_pages: Callable[[Pages], None] | None = None,
        **generation: Any,
    ) -> list[Summary]:
        """Summarize several documents (or clusters) at a time, one summary each, in order; see :meth:`summarize`.

        Faster than one by one on a GPU, and best with documents of about the same length.

        Args:
            sources: what :meth:`summarize` takes, for each summary.
            on_pages: called with the pages of each, in order.
            generation: changes of the ``GenerationSettings``.
        """
        cutting = self._cutting(locality, page_tokens, max_pages, overflow, num_pages)
        read = [self._read(source, cutting) for source in sources]
        if on_pages:
            for one in read:
                on_pages(one.pages)
        return self._write(read, self.settings(length, **generation), cutting)

    def _cutting(
        self, locality: str, page_tokens: int | None, max_pages: int | None, overflow: str, num_pages: int | None
    ) -> dict[str, Any]:
        """How documents are cut, the checkpoint's own settings filled in."""
        config = self.model.config
        page_tokens = page_tokens or config.page_tokens
        if page_tokens > config.max_position_embeddings:
            raise UsageError(
                f"pages of {page_tokens} tokens, but the model has positions for {config.max_position_embeddings} only"
            )
        return {
            "locality": locality,
            "page_tokens": page_tokens,
            "max_pages": max_pages,
            "overflow": overflow,
            "num_pages": num_pages or config.num_pages,
        }

    def _read(
        self,
        source: Source | Sequence[Source],
        cutting: dict[str, Any],
        password: str | None = None,
        on_progress: OnProgress | None = None,
    ) -> "_Read":
        began = time.perf_counter()
        documents = read_sources(source, password, on_progress)
        tokenizer = PageTokenizer(self.tokenizer.backend_tokenizer, self.model.config.first_mark)
        pages = cut(
            documents,
            **cutting,
            count_tokens=tokenizer.count,
            special_tokens=tokenizer.special_tokens,
            title_tokens=tokenizer.title_tokens,
        )
        ids = tokenizer.ids(pages, cutting["page_tokens"], spaced=cutting["num_pages"] is None)
        decoder = _Decoder(self.tokenizer, self.model.config.first_mark, documents, pages)
        return _Read(documents, pages, ids, decoder, time.perf_counter() - began)

    def _write(
        self,
        read: Sequence["_Read"],
        generation: GenerationSettings,
        cutting: dict[str, Any],
        on_step: "_Stream | None" = None,
    ) -> list[Summary]:
        """One summary of each; the seconds of a batch are shared out evenly."""
        found = self.model.generate(
            *self._batch([one.ids for one in read]),
            num_beams=generation.beams,
            max_length=generation.max_length + 2,
            min_length=generation.min_length + 1,
            no_repeat_ngram_size=generation.no_repeat_ngram,
            length_penalty=generation.length_penalty,
            early_stopping=generation.early_stopping,
            length_scale=generation.length_scale or 1.0,
            on_encode=on_step.encoded if on_step else None,
            on_step=on_step,
        )
        end = self.model.config.eos_token_id
        encode, decode = found.encode_seconds / len(read), found.decode_seconds / len(read)
        summaries = []
        for place, one in enumerate(read):
            ids = found.sequences[place, 1:].tolist()
            confidences = found.page_confidences[place, :, : len(one.ids)].double().cpu()  # (T, P)
            length = ids.index(end) if end in ids else len(ids)
            is_cut_off = length >= generation.max_length
            kept = ids[: min(length + 1, generation.max_length)]
            written = _Written.of(one.decoder, kept, confidences, is_cut_off)
            seconds = {"read": one.seconds, "encode": encode, "decode": decode}
            summaries.append(self._summary(one, written, {**cutting, **asdict(generation)}, seconds))
        return summaries

    def _summary(
        self, read: "_Read", written: "_Written", settings: dict[str, Any], seconds: dict[str, float]
    ) -> Summary:
        return Summary(
            model=self.name,
            locality=read.pages.locality,
            title=read.documents[0].title if len(read.documents) == 1 else "",
            text=written.text,
            sentences=written.sentences(),
            tokens=written.tokens(),
            pages=tuple(map(_summary_page, range(len(read.ids)), read.pages.pages, written.shares())),
            settings={
                "sources": [document.source or document.name for document in read.documents],
                "model": self.name,
                "device": str(self.model.device),
                "dtype": str(self.model.dtype).removeprefix("torch."),
                **settings,
                "version": __version__,
            },
            seconds=seconds,
        )

    @torch.inference_mode()
    def explain(
        self,
        source: Source | Sequence[Source],
        text: str,
        *,
        locality: str = "auto",
        page_tokens: int | None = None,
        max_pages: int | None = None,
        overflow: str = "continue",
        num_pages: int | None = None,
        password: str | None = None,
        on_pages: Callable[[Pages], None] | None = None,
    ) -> Summary:
        """Which pages the model turns to when it reads a given summary (teacher forcing), and how likely each token is.

        Args:
            source, locality, page_tokens, max_pages, overflow, num_pages, password, on_pages: see :meth:`summarize`.
            text: the summary.

        Returns:
            The text as a summary; its tokens have a ``log_probability``. The same text has the same confidences as
            when :meth:`summarize` wrote it, unless the checkpoint plans what to say: nothing is planned here.

        Raises:
            PagesumError: a file cannot be read, memory does not suffice, the text has no word, or more tokens than the
                model has positions.
            UsageError: settings that make no sense.
        """
        pieces, ids = self._pieces(" ".join(text.split()))
        if not ids:
            raise PagesumError("the given summary has no word", "Give a text.")
        most = longest(self.model)
        if len(ids) > most:
            raise PagesumError(
                f"the given summary has {len(ids):,} tokens, but the model has positions for {most:,} only",
                "Give a shorter one, or a part of it.",
            )
        cutting = self._cutting(locality, page_tokens, max_pages, overflow, num_pages)
        read = self._read(source, cutting, password)
        if on_pages:
            on_pages(read.pages)
        began = time.perf_counter()
        first = self.model.generation_config.forced_bos_token_id
        prefix = [self.model.config.decoder_start_token_id, *([] if first is None else [first])]
        inputs = torch.tensor([[*prefix, *ids[:-1]]], device=self.model.device)  # (1, T)
        try:
            output = self.model(*self._batch([read.ids]), decoder_input_ids=inputs)
        except torch.OutOfMemoryError as error:
            raise PagesumError(
                f"the device's memory does not hold {len(read.ids)} pages", "use --max-pages, or --device cpu"
            ) from error
        scores = output.logits[0, len(prefix) - 1 :].double().log_softmax(-1)  # (T, V)
        chosen = scores[range(len(ids)), ids].tolist()
        confidences = output.page_confidences[0, len(prefix) - 1 :].double().cpu()  # (T, P)
        average = confidences.mean(0)
        spans = sentence_spans("".join(pieces))
        written = _Written(pieces, spans, confidences, average / average.sum())
        seconds = {"read": read.seconds, "encode": 0.0, "decode": time.perf_counter() - began}
        summary = self._summary(read, written, {**cutting, "given_summary": True}, seconds)
        tokens = zip(summary.tokens, chosen, strict=True)
        return replace(
            summary, tokens=tuple(replace(token, log_probability=round(score, 5)) for token, score in tokens)
        )

    def _pieces(self, text: str) -> tuple[list[str], list[int]]:
        """A text's pieces, which joined are the text, and their token ids; without special tokens."""
        backend = self.tokenizer.backend_tokenizer
        backend.no_truncation()
        backend.no_padding()
        backend.encode_special_tokens = True
        encoding = backend.encode(text, add_special_tokens=False)
        # Byte-level tokens of one character share its place: all but the first are empty.
        bounds = [0, *(end for _, end in encoding.offsets[:-1]), len(text)]
        return [text[start:end] for start, end in pairwise(bounds)] if encoding.ids else [], encoding.ids

    def _batch(self, documents: Sequence[Sequence[Sequence[int]]]) -> tuple[Tensor, Tensor]:
        """Documents' pages as ``input_ids`` and ``attention_mask``, ``(B, P, S)``; a missing page has no token."""
        pages = max(map(len, documents))
        width = max(len(page) for document in documents for page in document)
        rows = torch.full((len(documents), pages, width), self.model.config.pad_token_id)  # (B, P, S)
        mask = torch.zeros(len(documents), pages, width, dtype=torch.long)  # (B, P, S)
        for place, document in enumerate(documents):
            for number, page in enumerate(document):
                rows[place, number, : len(page)] = torch.tensor(page)
                mask[place, number, : len(page)] = 1
        return rows.to(self.model.device), mask.to(self.model.device)


@dataclass(frozen=True)
class _Read:
    """A document (or cluster) that is cut into pages.

    Attributes:
        documents: what was read.
        pages: what they were cut into.
        ids: the tokens of each page.
        decoder: writes a summary of them.
        seconds: that it took.
    """

    documents: list[Document]
    pages: Pages
    ids: list[list[int]]
    decoder: "_Decoder"
    seconds: float


def read_sources(
    source: Source | Sequence[Source], password: str | None = None, on_progress: OnProgress | None = None
) -> list[Document]:
    """The documents that paths, patterns and documents stand for, in order.

    Raises:
        PagesumError: a file cannot be read, or none was named.
    """
    given = [source] if isinstance(source, (str, Path, Document)) else list(source)
    wanted: list[str | Document] = []
    for one in given:
        wanted += [one] if isinstance(one, Document) else find_files([os.fspath(one)])
    if not wanted:
        raise PagesumError("nothing to summarize: no document was given", "Name a file, or give a Document.")
    documents: list[Document] = []
    for number, one in enumerate(wanted, 1):
        documents += [one] if isinstance(one, Document) else read_file(one, password=password)
        if on_progress:
            on_progress("read", number, len(wanted))
    return documents


def _summary_page(number: int, page: Page, share: float) -> SummaryPage:
    truncated = page.truncated_words > 0
    return SummaryPage(number, page.label, page.source, page.pdf_pages, page.tokens, truncated, share)


class _Decoder:
    """Token ids of a summary → one piece of text a token; the pieces joined are the text.

    A lower-case WordPiece vocabulary gets the surface that the words have on the pages.
    """

    def __init__(
        self,
        tokenizer: PreTrainedTokenizerBase,
        first_mark: int | None,
        documents: Sequence[Document],
        pages: Pages,
    ) -> None:
        self._tokenizer = tokenizer
        self._special = frozenset(tokenizer.all_special_ids)
        if first_mark is not None:
            self._special |= set(range(first_mark, first_mark + MARKS))
        self._surface: Surface | None = None
        if isinstance(tokenizer.backend_tokenizer.model, WordPiece):
            self._special -= {tokenizer.unk_token_id}
            headings = {section.heading for document in documents for section in document.sections}
            sentences = [sentence.text for page in pages.pages for sentence in page.sentences]
            texts = [text for text in sentences if text not in headings]
            # A book says often enough how its words are written.
            thin = -(-sum(map(len, texts)) // SURFACE_CHARACTERS)
            titles = [document.title for document in documents]
            self._surface = Surface(texts[:: max(thin, 1)], headings=[*titles, *sorted(headings)])

    def is_text(self, token: int) -> bool:
        return token not in self._special

    def may_close(self, token: int) -> bool:
        """Whether a sentence can end with the token."""
        return self._tokenizer.convert_ids_to_tokens(token).endswith(CLOSED)

    def pieces(self, ids: Sequence[int]) -> list[str]:
        if self._surface is not None:
            return self._surface.restore(self._tokenizer.convert_ids_to_tokens(list(ids)))
        stream = DecodeStream(skip_special_tokens=False)
        backend = self._tokenizer.backend_tokenizer
        # A token that ends within a character gives nothing; the one that completes it gives the character.
        pieces = [CONTROL.sub(" ", stream.step(backend, token) or "") for token in ids]
        return [*map(str.lstrip, pieces[:1]), *pieces[1:]]


class _Stream:
    """Passes on progress, and the text of greedy search as soon as a sentence is settled."""

    def __init__(self, decoder: _Decoder, pages: int, on_text: OnText | None, on_progress: OnProgress | None) -> None:
        self._decoder = decoder
        self._on_text = on_text
        self._on_progress = on_progress
        self._ids: list[int] = []
        self._said = 0
        if on_progress:
            on_progress("encode", 0, pages)

    def encoded(self, done: int, pages: int) -> None:
        if self._on_progress:
            self._on_progress("encode", done, pages)

    def __call__(self, step: int, most: int, tokens: Tensor | None) -> None:
        if self._on_progress:
            self._on_progress("decode", step, most)
        if self._on_text and tokens is not None and self._decoder.is_text(token := int(tokens[0])):
            self._ids.append(token)
            if len(self._ids) > LOOKAHEAD and self._decoder.may_close(self._ids[-1 - LOOKAHEAD]):
                text = "".join(self._decoder.pieces(self._ids))
                settled = [end for _, end in sentence_spans(text)][:-1]
                if settled and settled[-1] > self._said:
                    self._say(text[self._said : settled[-1]])

    def _say(self, text: str) -> None:
        self._said += len(text)
        self._on_text(text)

    def finish(self, text: str) -> None:
        """Say what is left of the whole text."""
        if self._on_text and len(text) > self._said:
            self._say(text[self._said :])


@dataclass(frozen=True)
class _Written:
    """A finished summary: pieces of text, their places, and each one's page confidences ``(T, P)``."""

    pieces: list[str]
    spans: list[tuple[int, int]]
    confidences: Tensor
    average: Tensor  # (P,)

    @classmethod
    def of(cls, decoder: _Decoder, ids: Sequence[int], confidences: Tensor, cut_off: bool) -> "_Written":
        """From the ids ``(T,)`` behind the start token; an unfinished last sentence is left out behind a whole one."""
        places = [place for place, token in enumerate(ids) if decoder.is_text(token)]
        pieces = decoder.pieces([ids[place] for place in places])
        if pieces:
            pieces[-1] = pieces[-1].rstrip()
        text = "".join(pieces)
        spans = sentence_spans(text)
        if len(spans) > 1 and _is_unfinished(text[slice(*spans[-1])], cut_off):
            end = spans[-2][1]
            kept = bisect_right(list(accumulate(map(len, pieces))), end)
            pieces, places, spans = pieces[:kept], places[:kept], spans[:-1]
        rows = confidences[places]  # (T, P)
        # A summary without a word still has the confidences of the token that ended it.
        average = rows.mean(0) if places else confidences[0]
        return cls(pieces, spans, rows, average / average.sum())

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def shares(self) -> list[float]:
        """Each page's share of the whole summary."""
        return self.average.tolist()

    def tokens(self) -> tuple[SummaryToken, ...]:
        rows = self.confidences.tolist()
        return tuple(
            SummaryToken(piece, tuple(round(share, 5) for share in row))
            for piece, row in zip(self.pieces, rows, strict=True)
        )

    def sentences(self) -> tuple[SummarySentence, ...]:
        text = self.text
        starts = list(accumulate(map(len, self.pieces[:-1]), initial=0))
        # A sentence has the tokens that begin behind the sentence before it, the space between them included.
        bounds = [0, *(bisect_left(starts, end) for _, end in self.spans)]
        return tuple(
            # One token can hold two sentences: the second one then shares it.
            SummarySentence(text[start:end], _ranked(self.confidences[min(first, last - 1) : last].mean(0)))
            for (start, end), first, last in zip(self.spans, bounds, bounds[1:], strict=False)
        )


def _is_unfinished(sentence: str, cut_off: bool) -> bool:
    """Whether a last sentence stops midway: within brackets, or without a full stop where the length ran out."""
    return sentence.count("(") > sentence.count(")") or (cut_off and not sentence.rstrip("\"'”’)]").endswith(CLOSED))


def _ranked(shares: Tensor) -> tuple[PageShare, ...]:
    pairs = sorted(enumerate((shares / shares.sum()).tolist()), key=lambda pair: -pair[1])
    return tuple(PageShare(page, share) for page, share in pairs)
