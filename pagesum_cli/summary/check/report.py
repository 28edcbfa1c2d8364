"""What a check found, as one JSON object, and what has changed since an earlier one."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from typing import Any

from ...documents.coverage import coverage_of
from ...documents.model import UNSEEN, Document, LeftOut, Section
from ...errors import PagesumError
from ...files import read_bytes
from ...version import __version__
from .claims import NotChecked
from .places import NO_PROOF
from .results import Checked, Place

SCHEMA = 1


def to_json(
    claims: Iterable[Checked],
    documents: Sequence[Document],
    digests: Mapping[str, str],
    not_checked: Iterable[NotChecked] = (),
) -> dict[str, Any]:
    """The result of a check as one JSON object (``schema`` 1, see docs/check.md).

    Args:
        claims: What was checked.
        documents: What it was checked against.
        digests: SHA-256 of the files, by the documents' ``source``; those of web pages are missing.
        not_checked: What the summary has besides claims.
    """
    files = [
        {
            "file": one.name,
            "sha256": digests.get(one.source),
            "text_sha256": sha256(one.text.encode("utf-8", "replace")).hexdigest(),
            "reader": f"pagesum {__version__}",
        }
        for one in documents
    ]
    return {
        "schema": SCHEMA,
        "files": files,
        "searched": [searched(one) for one in documents],
        "claims": [_claim(one, documents) for one in claims],
        "not_checked": [{"text": one.text, "reason": one.reason} for one in not_checked],
    }


def searched(document: Document) -> dict[str, Any]:
    """How much of a document claims are compared with: PDF pages and words, and all of them; (0, 0)
    pages of a file without pages.

    Text that was left out is searched, too, unless it proves nothing.
    """
    shown = [one for one in document.left_out if one.reason not in NO_PROOF]
    whole = replace(document, skipped=frozenset(), left_out=())
    words = coverage_of([whole]).words[0] + sum(one.words for one in shown)
    every = coverage_of([replace(document, skipped=frozenset())]).words[1]
    read = _pages([*document.sections, *shown])
    pages = len(_pages([*document.sections, *document.left_out]))
    return {
        "file": document.name,
        "title": document.title,
        "pdf_pages": [len(read), max(pages, len(document.page_labels))],
        "words": [words, every],
    }


def _pages(parts: Iterable[Section | LeftOut]) -> set[int]:
    return {page for one in parts for page in one.pdf_pages}


def hidden_text(documents: Sequence[Document]) -> list[str]:
    """A line for each document that has words that its pages do not show; they prove no claim."""
    counts = [
        (one.name, sum(piece.words for piece in one.left_out if piece.reason in UNSEEN))
        for one in documents
    ]
    return [
        f"{name}: {_words(count)} not shown on its pages: no proof"
        for name, count in counts
        if count
    ]


def _words(count: int) -> str:
    return "1 word in the file is" if count == 1 else f"{count:,} words in the file are"


def _claim(checked: Checked, documents: Sequence[Document]) -> dict[str, Any]:
    data: dict[str, Any] = {
        "text": checked.claim.text,
        "verdict": checked.verdict,
        "score": checked.score,
    }
    places = [_place(place, documents) for place in checked.sources]
    data["source"] = places[0] if places else None
    if len(places) > 1:
        data["passages"] = places
    joined = [
        one
        for one, place in zip(places, checked.sources, strict=True)
        if place.sentence.role == "lead-in"
    ]
    if joined and len(places) > len(joined):
        data["lead_ins"] = joined
    data["differences"] = [
        {"kind": one.kind, "claim": one.claim, "document": one.document}
        for one in checked.differences
    ]
    return data | _details(checked, documents)


def _details(checked: Checked, documents: Sequence[Document]) -> dict[str, Any]:
    """What only some claims have: the words that a paraphrase adds, a passage that it was not
    compared with, what a model answers, and a citation.
    """
    data: dict[str, Any] = {}
    if checked.verdict == "paraphrase":
        data["missing_words"] = list(checked.missing_words)
        if checked.parted.words:
            data["words_of_passages"] = [list(words) for words in checked.parted.words]
            data["is_subject_apart"] = checked.parted.is_subject_apart
    if checked.nearest:
        data["nearest"] = _place(checked.nearest, documents)
    if judgement := checked.judgement:
        place = judgement.place and _place(judgement.place, documents)
        data["judgement"] = {"answer": judgement.answer, "model": judgement.model, "passage": place}
    if citation := checked.claim.citation:
        data["citation"] = {"text": citation.text, "holds": checked.is_cited_right}
        data["citation"] |= {"file": citation.file} if citation.is_work else {}
    return data


def _place(place: Place, documents: Sequence[Document]) -> dict[str, Any]:
    sentence, number = place
    fields = {name: getattr(sentence, name) for name in ("pdf_pages", "start", "end", "text")}
    fields |= {"paragraph": sentence.paragraph} if sentence.paragraph else {}
    return {"file": documents[number].name, "section": sentence.section, **fields}


def states_in(path: str) -> dict[tuple[str, str], str]:
    """The states of the files and claims of an earlier result; another file is refused."""
    try:
        return states(json.loads(read_bytes(path)))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise PagesumError(
            f"{path}: expected a result of pagesum check, found something else",
            "write one with --format json",
        ) from error


def states(result: Any) -> dict[tuple[str, str], str]:
    """What a result says of each file and each claim, by ``file`` or ``claim`` and its name or
    text.
    """
    files = {
        ("file", str(one["file"])): f"{one['sha256']} {one['text_sha256']}"
        for one in result["files"]
    }
    return files | {("claim", str(one["text"])): str(one["verdict"]) for one in result["claims"]}


def changes(
    before: Mapping[tuple[str, str], str], now: Mapping[tuple[str, str], str]
) -> list[dict[str, Any]]:
    """What is different from an earlier result; None stands for a file or claim that is not
    there.
    """
    return [
        {key[0]: key[1], "before": before.get(key), "now": now.get(key)}
        for key in {**now, **before}
        if before.get(key) != now.get(key)
    ]
