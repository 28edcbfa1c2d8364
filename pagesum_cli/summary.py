"""A summary and where it came from: what the views draw and what ``--format json`` holds."""

from dataclasses import asdict, dataclass
from typing import Any

SCHEMA = 1


@dataclass(frozen=True)
class PageShare:
    """How much one page weighed: ``confidence`` in 0–1, averaged over tokens."""

    page: int
    confidence: float


@dataclass(frozen=True)
class SourceSentence:
    """A sentence of a page that says what a sentence of the summary says.

    Attributes:
        text: the sentence.
        page: the page that it stands on.
        pdf_pages: the PDF pages that it stands on.
        support: how much of the summary's sentence it covers, 0–1; see ``provenance.support``.
    """

    text: str
    page: int
    pdf_pages: tuple[int, ...]
    support: float


@dataclass(frozen=True)
class SummarySentence:
    """A sentence of the summary.

    Attributes:
        text: the sentence.
        pages: every page's weight in it, largest first, summing to 1.
        supported: whether some sentence of the document says it; None where nobody has looked.
        evidence: those that say it best, see ``provenance.with_evidence``; None where nobody has looked.
    """

    text: str
    pages: tuple[PageShare, ...]
    supported: bool | None = None
    evidence: tuple[SourceSentence, ...] | None = None


@dataclass(frozen=True)
class SummaryToken:
    """A piece of the summary's text; the pieces joined are the summary.

    Attributes:
        text: the piece.
        confidences: each page's ĉ, in page order.
        log_probability: of the piece in a given text, in nats; None where the model chose it itself.
    """

    text: str
    confidences: tuple[float, ...]
    log_probability: float | None = None


@dataclass(frozen=True)
class SummaryPage:
    """A page that was read: where it came from and its share of the whole summary (0–1, over pages summing to 1)."""

    page: int
    label: str
    source: str
    pdf_pages: tuple[int, ...]
    tokens: int
    truncated: bool
    confidence: float


@dataclass(frozen=True)
class Summary:
    """A summary, sentence by sentence, with the pages behind it.

    Attributes:
        model: name or path of the checkpoint.
        locality: how the pages were cut.
        title: of the document; empty where unknown.
        text: the whole summary.
        sentences: its sentences in order.
        tokens: its pieces in order, for a finer picture.
        pages: every page that was read, in order.
        settings: everything needed to run it again.
        seconds: ``read``, ``encode``, ``decode``.
    """

    model: str
    locality: str
    title: str
    text: str
    sentences: tuple[SummarySentence, ...]
    tokens: tuple[SummaryToken, ...]
    pages: tuple[SummaryPage, ...]
    settings: dict[str, Any]
    seconds: dict[str, float]

    def to_json(self) -> dict[str, Any]:
        """The summary as one JSON object (``schema`` 1, see docs/json.md)."""
        fields = asdict(self)
        fields["summary"] = fields.pop("text")
        for part in (*fields["sentences"], *fields["tokens"]):
            for name in _OPTIONAL & part.keys():
                if part[name] is None:
                    del part[name]
        return {"schema": SCHEMA, **fields}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Summary":
        """The summary that :meth:`to_json` wrote.

        Raises:
            ValueError: another schema, a field is missing, or numbers do not fit together.
        """
        if data.get("schema") != SCHEMA:
            raise ValueError(f"schema {data.get('schema')!r} where {SCHEMA} was expected")
        try:
            summary = cls(
                model=data["model"],
                locality=data["locality"],
                title=data.get("title", ""),
                text=data["summary"],
                sentences=tuple(map(_sentence, data["sentences"])),
                tokens=tuple(
                    SummaryToken(t["text"], tuple(t["confidences"]), t.get("log_probability"))
                    for t in data.get("tokens", ())
                ),
                pages=tuple(SummaryPage(**{**page, "pdf_pages": tuple(page["pdf_pages"])}) for page in data["pages"]),
                settings=data["settings"],
                seconds=data["seconds"],
            )
            _check(summary)
            return summary
        except KeyError as error:
            raise ValueError(f"expected a summary, found JSON without {error}") from error
        except (TypeError, AttributeError) as error:
            raise ValueError(f"expected a summary, found other JSON ({error})") from error


_OPTIONAL = {"supported", "evidence", "log_probability"}


def _sentence(data: dict[str, Any]) -> SummarySentence:
    evidence = data.get("evidence")
    if evidence is not None:
        evidence = tuple(SourceSentence(**{**one, "pdf_pages": tuple(one["pdf_pages"])}) for one in evidence)
    pages = tuple(PageShare(**share) for share in data["pages"])
    return SummarySentence(data["text"], pages, data.get("supported"), evidence)


def _check(summary: Summary) -> None:
    """Refuse numbers that do not fit together.

    Raises:
        ValueError: they do not.
        TypeError: a text is no text, or a number no number.
    """
    count = len(summary.pages)
    shares = [share for sentence in summary.sentences for share in sentence.pages]
    sources = [source for sentence in summary.sentences for source in sentence.evidence or ()]
    numbers = [one.page for one in (*shares, *sources)]
    confidences = [share.confidence for share in shares]
    confidences += [confidence for token in summary.tokens for confidence in token.confidences]
    confidences += [page.confidence for page in summary.pages] + [source.support for source in sources]
    if not count or [page.page for page in summary.pages] != list(range(count)):
        raise ValueError("expected a summary with its pages numbered from 0")
    if any(len(token.confidences) != count for token in summary.tokens):
        raise ValueError(f"expected {count} confidences a token, one for each page")
    if not all(sentence.pages for sentence in summary.sentences) or not all(0 <= page < count for page in numbers):
        raise ValueError(f"expected sentences with pages 0 to {count - 1}")
    if not all(0 <= confidence <= 1.001 for confidence in confidences):
        raise ValueError("expected confidences between 0 and 1")
    texts = [summary.title, summary.text, summary.model, summary.locality, *(page.label for page in summary.pages)]
    texts += [one.text for one in (*summary.sentences, *summary.tokens, *sources)]
    if not all(isinstance(text, str) for text in (*texts, *(page.source for page in summary.pages))):
        raise TypeError("a text is not text")
    scores = [token.log_probability for token in summary.tokens if token.log_probability is not None]
    places = [place for one in (*summary.pages, *sources) for place in one.pdf_pages]
    if not all(isinstance(number, int | float) for number in (*scores, *places)):
        raise TypeError("a number is not a number")
