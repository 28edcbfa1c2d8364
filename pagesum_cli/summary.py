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
class SummarySentence:
    """A sentence of the summary and every page's weight in it, largest first, summing to 1."""

    text: str
    pages: tuple[PageShare, ...]


@dataclass(frozen=True)
class SummaryToken:
    """A piece of the summary's text (the pieces joined are the summary) and each page's confidence ĉ, in page order."""

    text: str
    confidences: tuple[float, ...]


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
        return {"schema": SCHEMA, **fields}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Summary":
        """The summary that :meth:`to_json` wrote.

        Raises:
            ValueError: another schema, or a field is missing.
        """
        if data.get("schema") != SCHEMA:
            raise ValueError(f"schema {data.get('schema')!r} where {SCHEMA} was expected")
        try:
            return cls(
                model=data["model"],
                locality=data["locality"],
                title=data.get("title", ""),
                text=data["summary"],
                sentences=tuple(
                    SummarySentence(s["text"], tuple(PageShare(**share) for share in s["pages"]))
                    for s in data["sentences"]
                ),
                tokens=tuple(SummaryToken(t["text"], tuple(t["confidences"])) for t in data.get("tokens", ())),
                pages=tuple(SummaryPage(**{**page, "pdf_pages": tuple(page["pdf_pages"])}) for page in data["pages"]),
                settings=data["settings"],
                seconds=data["seconds"],
            )
        except (KeyError, TypeError) as error:
            raise ValueError(f"not a summary: {error}") from error
