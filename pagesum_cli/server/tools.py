"""The tools of ``pagesum mcp``: each quote in their answers has its citation and its place."""

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from ..documents.addressed import addressed
from ..documents.model import Sentence
from ..documents.readers.text import lined_document
from ..errors import PagesumError
from ..locality import Pages
from ..options import GenerationOptions, ModelOptions
from ..retrieval.find import Answer as Found
from ..retrieval.find import add_documents, check_question, find
from ..retrieval.store import Store
from ..summary.check.checker import Checker
from ..summary.check.claims import Claim, NotChecked, parts_of_text
from ..summary.check.report import hidden_text, to_json
from ..summary.check.results import Checked
from ..views.citation import Citation, citation_of
from ..views.pages import pages_json
from .folders import Folders, Text

if TYPE_CHECKING:
    from ..summarizer import PageSummarizer

# characters of JSON of an answer, about 2,000 tokens, and of a passage
LIMIT, PASSAGE = 8_000, 2_000

Answer = dict[str, Any]
Name = Annotated[str, Field(description="As map lists it.", max_length=1000)]
Names = Annotated[
    list[str], Field(description="As map lists them; by default all.", max_length=1000)
]
Some = Annotated[list[str], Field(description="As map lists them.", min_length=1, max_length=100)]
Question = Annotated[str, Field(description="A question or topic.", max_length=1000)]
PdfPages = Annotated[
    list[int], Field(description="Numbers of PDF pages; by default all.", max_length=1000)
]
Words = Annotated[
    int | None, Field(description="Length; by default as suits the text.", ge=1, le=2000)
]
Statements = Annotated[
    str, Field(description="Sentences, each with its citation.", max_length=100_000)
]
Offset = Annotated[int, Field(description='"next" of the previous answer, to continue.', ge=0)]


class Tools:
    """The tools; their docstrings describe them to assistants. ``on_step`` is called now and then,
    and may raise.
    """

    def __init__(
        self,
        folders: Folders,
        model: ModelOptions,
        on_step: Callable[[], None],
        generation: GenerationOptions | None = None,
    ) -> None:
        self._folders, self._model, self._on_step = folders, model, on_step
        self._generation = generation or GenerationOptions()
        # the passages of the files that were searched, by name, and the digests of their content
        self._passages, self._indexed = Store(), dict[str, str]()
        self._checker: tuple[list[Text], Checker] = ([], Checker([]))

    @cached_property
    def _summarizer(self) -> "PageSummarizer":
        from ..summarizer import PageSummarizer

        options = self._model
        summarizer = PageSummarizer.from_pretrained(
            options.model, device=options.device, dtype=options.dtype or "auto", light=True
        )
        summarizer.proves = True
        return summarizer

    def map(self, file: Name = "", offset: Offset = 0) -> Answer:
        """List the files; or of one file, its sections, pages and words."""
        if not file:
            return _paged("files", [{"file": name} for name in self._folders.files()], offset)
        (text,), _ = self._folders.read([file], self._on_step)
        document = text.document
        listed = pages_json([document], Pages("", ()))["sections"]
        sections = [{"section": number, **fields} for number, fields in enumerate(listed)]
        pages = max((page for one in text.sentences for page in one.pdf_pages), default=0)
        about = {"title": document.title, "pdf_pages": pages, "words": len(document.text.split())}
        return _paged("sections", sections, offset, **about)

    def read(
        self,
        file: Name,
        section: int | None = None,
        pdf_pages: PdfPages = [],  # noqa: B006
        offset: Offset = 0,
    ) -> Answer:
        """Read a document, one section (its number in map), or some pages."""
        (text,), _ = self._folders.read([file], self._on_step)
        starts = [*text.document.starts, len(text.document.text)]
        if section is not None and not 0 <= section < len(starts) - 1:
            raise PagesumError(
                f"{file}: no section {section}, expected 0 to {len(starts) - 2}", "map lists them"
            )
        start, end = (0, starts[-1]) if section is None else starts[section : section + 2]
        within = (one for one in text.sentences if start <= one.start < end)
        chosen = (
            one for one in within if not (pdf_pages and set(pdf_pages).isdisjoint(one.pdf_pages))
        )
        return _paged("passages", list(_passages(text, chosen)), offset)

    def summarize(
        self, files: Some, words: Words = None, focus: Question = "", offset: Offset = 0
    ) -> Answer:
        """Summarize documents together, by quotes. opening: who says it, or what it completes.
        needs_context: read the text around it.
        """
        texts, _ = self._folders.read(files, self._on_step)
        is_quoted = not self._summarizer.model.generates
        summary = self._summarizer.summarize(
            [text.document for text in texts],
            generation=self._generation.changed(
                words=words, focus=focus or None, verbatim=is_quoted or None
            ),
            on_progress=lambda *progress: self._on_step(),
        )
        places = [(text, place) for text in texts for place in text.sentences]
        quotes: list[Answer] = []
        for one in summary.sentences:
            if source := one.source:  # its sentence, of which it may be a part
                known = (pair for pair in places if pair[0].document.name == source.file)
                text, place = next(
                    (text, place) for text, place in known if source.start < place.end
                )
                quote = _quote(text, place, place.start, max(place.end, source.end), one.opening)
                quotes.append(quote | {"needs_context": one.needs_context})
            else:
                quotes.append({"text": one.text, "citation": f"[{citation_of(summary, one).text}]"})
        return _paged(
            "sentences",
            quotes,
            offset,
            model=summary.model,
            is_quoted=is_quoted,
            notes=[*summary.notes, *addressed(text.document for text in texts)],
        )

    def find(self, question: Question, files: Names = [], offset: Offset = 0) -> Answer:  # noqa: B006
        """Find the sentences and table rows that answer a question, best first, with their
        neighbors and numbers.
        """
        check_question(question)
        texts, problems = self._folders.read(files, self._on_step)
        for text in texts:
            self._on_step()
            name = text.document.name
            if self._indexed.get(name) != text.digest:
                add_documents(self._passages, name, [text.document])
                self._indexed[name] = text.digest
        known = {text.document.name: text for text in texts}
        found = find(question, self._passages, list(known), None)
        quotes = [_found(known[one.content], one) for one in found.answers]
        return _paged("quotes", quotes, offset, is_doubtful=found.is_doubtful, not_read=problems)

    def check(self, text: Statements, files: Names = [], offset: Offset = 0) -> Answer:  # noqa: B006
        """Check whether each statement stands in the documents, where it is cited; a paraphrase is
        not proven.
        """
        texts, problems = self._folders.read(files, self._on_step)
        documents = [one.document for one in texts]
        if list(map(id, texts)) != list(map(id, self._checker[0])):
            self._checker = texts, Checker.of(documents)
        parts = list(parts_of_text(lined_document(text, "text"), documents))
        claims = [one for one in parts if isinstance(one, Claim)]
        rest = [one for one in parts if isinstance(one, NotChecked)]
        checked = list(self._checked(claims))
        digests = {one.document.source: one.digest for one in texts}
        report = to_json(checked, documents, digests, rest)
        holds = bool(checked) and not any(one.fails() for one in checked)
        not_checked = report["not_checked"][:20]
        notes = [*hidden_text(documents), *addressed(documents)]
        about = {"holds": holds, "not_read": problems, "not_checked": not_checked, "notes": notes}
        return _paged("claims", report["claims"], offset, **about)

    def _checked(self, claims: Sequence[Claim]) -> Iterator[Checked]:
        for claim in claims:
            self._on_step()
            yield from self._checker[1].checked([claim])


def _paged(name: str, items: Sequence[Answer], offset: int, **about: object) -> Answer:
    """As many items from an offset on as an answer holds, at least one, and where to go on."""
    end, size = offset, 0
    while (
        end < len(items)
        and (size := size + len(json.dumps(items[end], ensure_ascii=False))) <= LIMIT
    ):
        end += 1
    end += end == offset < len(items)
    return {**about, name: items[offset:end], "next": end if end < len(items) else None}


def _passages(text: Text, sentences: Iterator[Sentence]) -> Iterator[Answer]:
    """The sentences, those joined that have one place and begin near each other."""
    for _, group in groupby(
        sentences, lambda one: (one.section, one.pdf_pages, one.speaker, one.start // PASSAGE)
    ):
        first, *rest = group
        begin, end = first.start, (rest or [first])[-1].end
        if first.front:  # its label, say
            begin = max(text.document.text.rfind(first.front, 0, begin), 0)
        yield from (_quote(text, first, start, end) for start in range(begin, end, LIMIT))


def _found(text: Text, answer: Found) -> Answer:
    """An answer with its place, its numbers and its neighbors."""
    passage = answer.passage
    citation = Citation(
        text.document.name,
        passage.pdf_pages,
        passage.section or passage.table,
        page_labels=passage.page_labels,
        time=passage.time,
        paragraph=passage.paragraph,
    )
    quote: Answer = {"opening": passage.opening[:PASSAGE]} if passage.opening else {}
    quote |= {"text": passage.shown[:LIMIT], "citation": f"[{citation.text}]"}
    if passage.start >= 0:
        quote |= {"start": passage.start, "end": min(passage.end, passage.start + LIMIT)}
    numbers = [f"{one.text} {one.noun}".strip() for one in answer.numbers]
    around = [one[:PASSAGE] for one in answer.around if one]
    return quote | {"score": answer.score, "numbers": numbers, "around": around}


def _quote(text: Text, place: Sentence, start: int, end: int, opening: str = "") -> Answer:
    """The text from ``start`` to ``end`` at a place, as far as an answer goes, and what is shown
    before it.
    """
    document, end = text.document, min(end, start + LIMIT)
    section = place.section if place.time is None else place.speaker
    labels = document.labels_of(place.pdf_pages)
    citation = Citation(
        document.name,
        place.pdf_pages,
        section,
        page_labels=labels,
        time=place.time,
        paragraph=place.paragraph,
    )
    own = {
        "text": document.text[start:end],
        "citation": f"[{citation.text}]",
        "start": start,
        "end": end,
    }
    return ({"opening": opening[:PASSAGE]} if opening else {}) | own
