"""The whole path as one Python object: files → documents → pages → tokens → draft → summary."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any, cast

from .documents.coverage import coverage_of
from .documents.guard.sources import Input, OnProgress, read_documents
from .documents.model import Document
from .documents.notes import notes_on
from .documents.readers.text import plain_document
from .errors import PagesumError, UsageError, shown
from .locality import Cut, Pages, cut
from .models.engine import load
from .models.family import Extractor, Model
from .options import (
    DEFAULT_MODEL,
    EndingOptions,
    GenerationOptions,
    PagingOptions,
    refuse_unused,
    with_options,
)
from .summary.attribution import best_source, with_places
from .summary.drafts import LengthLimit, Streamer, SummaryText, TextOfDraft, quoted, summary_of
from .summary.summary import Draft, Summary, SummaryPage
from .summary.turns import with_whole_answers
from .text.sentences import with_spans
from .tokenization import PageTokenizer
from .version import __version__

if TYPE_CHECKING:
    from .decoding.sentences import SentenceRules
    from .models.base import PageModel
    from .models.generation import GeneratingModel

Source = Input | Sequence[Input] | Cut
Spans = Sequence[tuple[int, int]]


class PageSummarizer:
    """Summarizes documents of any length, page by page, and reports where each sentence comes from.

    Args:
        model: A model of any family.
        tokenizer: Its tokenizer.
        name: What to call the model in summaries.
        proves: Whether generated sentences that the documents do not support give way to quotes;
            see :mod:`.proving`.
    """

    def __init__(
        self, model: Model, tokenizer: PageTokenizer, *, name: str, proves: bool = False
    ) -> None:
        self.model: Any = model
        self.proves = proves
        self.tokenizer = tokenizer
        self.name = name

    @classmethod
    def from_pretrained(
        cls,
        name: str = DEFAULT_MODEL,
        *,
        device: str = "auto",
        dtype: str = "auto",
        light: bool = False,
    ) -> "PageSummarizer":
        """Load a checkpoint by bundled or added name, folder or Hugging Face id; see
        ``load_model``.

        Args:
            name, device, dtype: See ``load_model``.
            light: For one document: without PyTorch where the model can do without it, in float32
                (see :mod:`.models.engine`). Its ``model`` then is no module of PyTorch.

        Raises:
            PagesumError: There is no such checkpoint, it is damaged, or it has no tokenizer.
        """
        model, tokenizer = load(name, device=device, dtype=dtype, light=light)
        if tokenizer is None:
            message = (
                f"{name} has no tokenizer, expected tokenizer.json, or vocab.json with merges.txt"
            )
            raise PagesumError(
                message,
                "copy the tokenizer of the checkpoint that it was made from into its folder",
            )
        return cls(model, tokenizer, name=name)

    def paging(self, options: PagingOptions | None = None) -> PagingOptions:
        """Paging options with the checkpoint's own values filled in.

        Raises:
            UsageError: Pages are longer than the model's positions.
        """
        config = self.model.config
        return (options or PagingOptions()).filled(
            config.page_tokens,
            config.num_pages,
            config.max_position_embeddings,
            config.locality,
            config.source_tokens,
        )

    def generation(self, options: GenerationOptions | None = None) -> GenerationOptions:
        """Generation options with the checkpoint's own values filled in.

        Raises:
            UsageError: A value is out of range.
        """
        return self.model.generation_options(options or GenerationOptions())

    def notes(self, documents: Sequence[Document]) -> tuple[str, ...]:
        """What makes documents unsuitable for the model, one line each; ``Summary.notes`` has it
        too.
        """
        return notes_on(documents, self.name, self.model.config.languages)

    def summarize(
        self,
        source: Source,
        *,
        paging: PagingOptions | None = None,
        generation: GenerationOptions | None = None,
        password: str | None = None,
        trim: bool = False,
        on_pages: Callable[[Pages], None] | None = None,
        on_text: Callable[[str], None] | None = None,
        on_progress: OnProgress | None = None,
        **options: Any,
    ) -> Summary:
        """Summarize a document, or a cluster of documents into one summary.

        Args:
            source: A path (or pattern, folder, ``-``), a document, or several of them; or what is
                already cut.
            paging: How pages are cut.
            generation: How long the summary is and how it is searched for.
            password: Of encrypted PDFs.
            trim: Leave out a generated last sentence that breaks off. By default the text is what
                the model generated, as in the original program.
            on_pages: Called with the pages before they are encoded.
            on_text: Called with the summary's text as it is settled: sentence by sentence in greedy
                search, otherwise all at once. The pieces joined are the summary.
            on_progress: Called with ``read``, ``encode`` or ``decode``, how much is done, and how
                much there is (files, pages, tokens).
            options: Single options of ``paging`` and ``generation`` by name:
                ``locality="discourse"``, ``beams=1`` …

        Raises:
            PagesumError: A file cannot be read, or memory does not suffice.
            UsageError: Options that contradict each other, or do nothing for this model.
        """
        paging, generation = with_options(paging, generation, options)
        filled, resolved = self.paging(paging), self.generation(generation)
        limit = self._length_limit(generation, trim)
        read = self._read(source, filled, password, on_progress, on_pages)
        text = TextOfDraft(self.tokenizer, read.pages)
        # only the beginning of the text may be kept, and what is not proven is not shown
        waits = self.proves or (limit.words or limit.sentences) is not None
        streamer = Streamer(text, len(read.pages.pages), on_text, on_progress, waits)
        (summary,) = self._summaries([read], filled, resolved, limit, streamer)
        streamer.finish(summary.text)
        return summary

    def summarize_text(self, text: str, *, name: str = "text", **options: Any) -> Summary:
        """Summarize a text; ``name`` is what citations call it, and options are those of
        :meth:`summarize`.
        """
        if not isinstance(text, str):
            raise UsageError(
                f"expected a text, found {shown(text)}", "summarize takes a path or a Document"
            )
        return self.summarize(plain_document(text, name), **options)

    def summarize_batch(
        self,
        sources: Sequence[Source],
        *,
        paging: PagingOptions | None = None,
        generation: GenerationOptions | None = None,
        trim: bool = False,
        on_pages: Callable[[Pages], None] | None = None,
        references: Sequence[str] = (),
        **options: Any,
    ) -> list[Summary]:
        """Summarize several documents (or clusters) at a time, one summary each, in order; see
        :meth:`summarize`.

        Faster than one by one on a GPU, and best with documents of about the same length.

        Args:
            sources: What :meth:`summarize` takes, for each summary.
            paging, generation, trim, options: See :meth:`summarize`.
            on_pages: Called with the pages of each, in order.
            references: The reference summary of each, for a model that ``needs_reference``.
        """
        paging, generation = with_options(paging, generation, options)
        filled, resolved = self.paging(paging), self.generation(generation)
        limit = self._length_limit(generation, trim)
        read = [self._read(source, filled, on_pages=on_pages) for source in sources]
        if references:
            read = [
                replace(one, reference=text) for one, text in zip(read, references, strict=True)
            ]
        return self._summaries(read, filled, resolved, limit)

    def explain(
        self,
        source: Input | Sequence[Input],
        text: str | Sequence[str],
        *,
        paging: PagingOptions | None = None,
        password: str | None = None,
        on_pages: Callable[[Pages], None] | None = None,
        **options: Any,
    ) -> Summary:
        """Trace a given summary back to the pages.

        A generating model reads it (teacher forcing): the tokens have a ``log_probability`` and the
        page confidences that the model would have had. An extractive model aligns each sentence to
        the source sentence that supports it best, and shows which pages compete for that choice.

        Args:
            source, paging, password, on_pages, options: See :meth:`summarize`.
            text: The summary, or its sentences, which are not split again.

        Raises:
            PagesumError: A file cannot be read, memory does not suffice, the text has no word, or
                more tokens than the model has positions.
            UsageError: Options that contradict each other.
        """
        filled = self.paging(with_options(paging, None, options)[0])
        text, spans = with_spans(text)
        tokens = len(self.tokenizer.pieces(text)[1])
        if not tokens:
            raise PagesumError("the given summary has no words", "pass a text")
        if self.model.generates and tokens > self.model.max_summary_tokens:
            limit = self.model.max_summary_tokens
            message = (
                f"the given summary has {tokens:,} tokens, but the model has positions "
                f"for {limit:,}"
            )
            raise PagesumError(message, "use a shorter summary, or part of it")
        read = self._read(source, filled, password, on_pages=on_pages)
        began = time.perf_counter()
        trace = self._teacher_forced if self.model.generates else self._aligned
        written = trace(read, filled, text, spans)
        settings = {**asdict(filled), "given_summary": True}
        return self._summary(read, written, settings, decode=time.perf_counter() - began)

    def quote_all(
        self,
        source: Input | Sequence[Input],
        *,
        paging: PagingOptions,
        on_pages: Callable[[Pages], None] = lambda pages: None,
        verbatim: bool = False,
        choose: Callable[[Pages], Sequence[tuple[int, int]]] | None = None,
    ) -> Summary:
        """All sentences of a document, or those chosen by page and index, quoted without a
        model.
        """
        filled = self.paging(paging)
        read = self._read(source, filled, on_pages=on_pages)
        pages = read.pages.pages
        places = [
            (n, place) for n, page in enumerate(pages) for place in range(len(page.sentences))
        ]
        kept = tuple(one for one in places if pages[one[0]].sentences[one[1]].is_quotable) or tuple(
            places
        )
        kept = tuple(choose(read.pages)) if choose else kept
        own = [[float(number == page) for number in range(len(pages))] for page, _ in kept]
        written = quoted(
            read.pages, Draft(own, sentences=kept), documents=read.documents, verbatim=verbatim
        )
        return self._summary(read, written, asdict(filled))

    def quote(
        self,
        source: Source,
        choose: Callable[[Pages, Mapping[tuple[int, int], float]], Sequence[tuple[int, int]]],
        *,
        paging: PagingOptions,
        generation: GenerationOptions | None = None,
        on_pages: Callable[[Pages], None] | None = None,
        on_progress: OnProgress | None = None,
    ) -> Summary:
        """A summary of an extractive model whose sentences are chosen by the caller.

        Args:
            source, paging, on_pages, on_progress: See :meth:`summarize`.
            choose: Gets the pages and the score of each sentence (page, index); returns those to
                quote, in order.
            generation: What ``choose`` goes by, for the summary's settings.
        """
        filled = self.paging(paging)
        read = self._read(source, filled, None, on_progress, on_pages)
        began = time.perf_counter()
        model = cast(Extractor, self.model)
        draft = model.quote(self._batch([read], filled), lambda scores: choose(read.pages, scores))
        seconds = time.perf_counter() - began
        options = generation or GenerationOptions()
        written = quoted(
            read.pages, draft, documents=read.documents, verbatim=bool(options.verbatim)
        )
        return self._summary(read, written, asdict(filled) | options.given(), encode=seconds)

    def _read(
        self,
        source: Source,
        paging: PagingOptions,
        password: str | None = None,
        on_progress: OnProgress | None = None,
        on_pages: Callable[[Pages], None] | None = None,
    ) -> Cut:
        if not isinstance(source, Cut):
            began = time.perf_counter()
            documents = read_documents(source, password, on_progress, paging.locality)
            source = replace(
                cut(documents, paging, self.tokenizer), seconds=time.perf_counter() - began
            )
        if on_pages:
            on_pages(source.pages)
        return source

    def _batch(self, read: Sequence[Cut], paging: PagingOptions) -> Any:
        spaced = paging.num_pages is None  # the original program's pages have no space before them
        pages = [one.pages for one in read]
        batch = self.model.prepare(self.tokenizer, pages, paging.page_tokens or 0, spaced)
        references = [one.reference for one in read]
        if not any(references):
            return batch
        model = cast("PageModel", self.model)
        return model.with_references(batch, self.tokenizer, pages, references, spaced)

    def _length_limit(self, options: GenerationOptions, trim: bool) -> LengthLimit:
        refuse_unused(EndingOptions(trim), self.model.offers, self.name)
        return LengthLimit(trim, options.words, options.sentences)

    def _summaries(
        self,
        read: Sequence[Cut],
        paging: PagingOptions,
        options: GenerationOptions,
        limit: LengthLimit,
        streamer: Streamer | None = None,
    ) -> list[Summary]:
        """One summary of each; the seconds of a batch are shared out evenly."""
        on_encode = streamer.encoded if streamer else None
        began = time.perf_counter()
        if self.model.generates:
            drafts, encode, decode = self._generated(read, paging, options, streamer)
        else:
            batch = self._batch(read, paging)
            drafts = cast(Extractor, self.model).select(batch, options, on_encode)
            encode, decode = time.perf_counter() - began, 0.0
        settings = asdict(paging) | options.given()
        settings |= {
            name: one for name, one in asdict(limit).items() if one is not None and one is not False
        }
        # half a sentence may mean something else than the whole one
        kept = replace(limit, trim=limit.trim or self.proves)
        summaries = []
        for one, draft in zip(read, drafts, strict=True):
            if draft.sentences:
                may_add = options.words is options.sentences is None
                draft = with_whole_answers(one.pages, draft, may_add=may_add)
                written = quoted(
                    one.pages, draft, documents=one.documents, verbatim=bool(options.verbatim)
                )
            else:
                written = TextOfDraft(self.tokenizer, one.pages).written(draft, kept)
            shares = encode / len(read), decode / len(read)
            summaries.append(self._proven(self._summary(one, written, settings, *shares), one))
        return summaries

    def _generated(
        self,
        read: Sequence[Cut],
        paging: PagingOptions,
        options: GenerationOptions,
        streamer: Streamer | None,
    ) -> tuple[list[Draft], float, float]:
        """A draft of each, and the seconds for reading and for writing them.

        What is to be proven is written sentence by sentence, if the model can do that.
        """
        model = cast("GeneratingModel", self.model)
        on_encode = streamer.encoded if streamer else None
        by_sentence = self.proves and model.writes_by_sentence and options.beams == 1
        groups = [[one] for one in read] if by_sentence else [read]
        drafts, encode, decode = [], 0.0, 0.0
        for group in groups:
            rules = self._sentence_rules(group[0]) if by_sentence else None
            batch = self._batch(group, paging)
            some, result = model.draft(batch, options, on_encode, streamer, sentences=rules)
            drafts += some
            encode += result.encode_seconds
            decode += result.decode_seconds
        return drafts, encode, decode

    def _sentence_rules(self, read: Cut) -> "SentenceRules":
        from .proving import sentence_rules  # as above

        text = TextOfDraft(self.tokenizer, read.pages)
        return sentence_rules(text, read.pages, read.documents)

    def _proven(self, summary: Summary, read: Cut) -> Summary:
        """The summary, proven if it is generated and that is asked for."""
        if not (self.proves and self.model.generates and summary.sentences):
            return summary
        from .proving import proven  # quotes need no check

        return proven(summary, read.pages, read.documents)

    def _summary(
        self,
        read: Cut,
        written: SummaryText,
        settings: dict[str, Any],
        encode: float = 0.0,
        decode: float = 0.0,
    ) -> Summary:
        return Summary(
            model=self.name,
            locality=read.pages.locality,
            title=read.documents[0].title if len(read.documents) == 1 else "",
            text=written.text,
            sentences=with_places(written.sentences, read.documents),
            tokens=written.tokens,
            pages=_summary_pages(read, written.shares),
            settings={
                "sources": [document.source or document.name for document in read.documents],
                "model": self.name,
                **({"revision": self.model.revision} if self.model.revision else {}),
                "device": str(self.model.device),
                "dtype": self.model.number_format,
                **settings,
                "version": __version__,
            },
            seconds={"read": read.seconds, "encode": encode, "decode": decode},
            notes=(*self.notes(read.documents), *written.notes),
            unread_words=read.pages.unread_words,
            hidden_words=sum(document.hidden_words for document in read.documents),
            coverage=coverage_of(read.documents, read.pages.unread_words),
        )

    def _teacher_forced(
        self, read: Cut, paging: PagingOptions, text: str, spans: Spans
    ) -> SummaryText:
        import torch

        model = cast("GeneratingModel", self.model)
        written = TextOfDraft(self.tokenizer, read.pages)
        pieces, ids = self.tokenizer.pieces(text, written.words)
        first = model.config.generation.get("forced_bos_token_id")
        prefix = [model.config.decoder_start_token_id, *([] if first is None else [first])]
        inputs = torch.tensor([[*prefix, *ids[:-1]]], device=model.device)  # (1, T)
        batch = self._batch([read], paging)
        try:
            with torch.inference_mode():
                output = model(batch.input_ids, batch.attention_mask, decoder_input_ids=inputs)
        except torch.OutOfMemoryError as error:
            raise PagesumError(
                f"the device's memory does not hold {len(read.pages.pages)} parts",
                "use --max-pages, or --device cpu",
            ) from error
        scores = output.logits[0, len(prefix) - 1 :].double().log_softmax(-1)  # (T, V)
        chosen = scores[range(len(ids)), ids].tolist()
        confidences = output.page_confidences[0, len(prefix) - 1 :].double().tolist()  # (T, P)
        return summary_of(pieces, spans, confidences, chosen)

    def _aligned(self, read: Cut, paging: PagingOptions, text: str, spans: Spans) -> SummaryText:
        sentences = [text[start:end] for start, end in spans]
        batch = self._batch([read], paging)
        chosen = [best_source(sentence, read.pages) for sentence in sentences]
        draft = cast(Extractor, self.model).quote(batch, lambda scores: chosen)
        return quoted(read.pages, draft, texts=sentences)


def _summary_pages(read: Cut, shares: Sequence[float]) -> tuple[SummaryPage, ...]:
    documents = {document.name: document for document in read.documents}
    is_known = len(documents) == len(read.documents)  # a name says which document it is
    pages = []
    for number, (page, share) in enumerate(zip(read.pages.pages, shares, strict=False)):
        document = documents.get(page.source) if is_known else None
        labels = document.labels_of(page.pdf_pages) if document else ()
        span = (
            (page.sentences[0].front_start, page.sentences[-1].end) if page.sentences else (-1, -1)
        )
        known = (number, page.label, page.source, page.pdf_pages, page.tokens)
        pages.append(SummaryPage(*known, page.truncated_words > 0, share, *span, labels))
    return tuple(pages)
