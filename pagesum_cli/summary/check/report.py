"""What a check found, as one JSON object, and what has changed since an earlier one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ...documents.model import Document
from ...errors import PagesumError
from .checker import Checked

SCHEMA = 1


@dataclass(frozen=True)
class Report:
    """The result of a check.

    Attributes:
        documents: what was checked against.
        digests: SHA-256 of the files, by the documents' ``source``; those of web pages are missing.
        reader: the program that read them, with its version.
        claims: what was checked.
    """

    documents: Sequence[Document]
    digests: Mapping[str, str]
    reader: str
    claims: Sequence[Checked]

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object (``schema`` 1, see docs/check.md)."""
        files = [
            {
                "file": one.name,
                "sha256": self.digests.get(one.source),
                "text_sha256": sha256(one.text.encode("utf-8", "replace")).hexdigest(),
                "reader": self.reader,
            }
            for one in self.documents
        ]
        return {"schema": SCHEMA, "files": files, "claims": [self._claim(one) for one in self.claims]}

    def _claim(self, checked: Checked) -> dict[str, Any]:
        source, citation = checked.source, checked.claim.citation
        return {
            "text": checked.claim.text,
            "verdict": checked.verdict,
            "score": checked.score,
            "source": {
                "file": self.documents[checked.document].name,
                "section": source.heading,
                "pdf_pages": source.pdf_pages,
                "start": source.start,
                "end": source.end,
                "text": source.text,
            }
            if source
            else None,
            "differences": [
                {"kind": one.kind, "claim": one.claim, "document": one.document} for one in checked.differences
            ],
            **({"citation": {"text": citation.text, "holds": checked.is_cited_right}} if citation else {}),
        }


def changes(before: Any, now: Mapping[str, Any], path: str) -> list[dict[str, Any]]:
    """What is different from an earlier result: files, and verdicts of claims; None stands for one that is not there.

    Raises:
        PagesumError: ``before`` is no result of a check.
    """
    try:
        if before["schema"] != SCHEMA:
            raise ValueError(before["schema"])
        old, new = _states(before), _states(now)
    except (KeyError, TypeError, ValueError) as error:
        raise PagesumError(
            f"{path}: expected a result of pagesum check, found other JSON", "write one with --format json"
        ) from error
    return [
        {key[0]: key[1], "before": old.get(key), "now": new.get(key)}
        for key in (new | old)
        if old.get(key) != new.get(key)
    ]


def _states(result: Mapping[str, Any]) -> dict[tuple[str, str], str]:
    """What files and claims are, by kind and name or text."""
    files = {("file", str(one["file"])): f"{one['sha256']} {one['text_sha256']}" for one in result["files"]}
    return files | {("claim", str(one["text"])): str(one["verdict"]) for one in result["claims"]}
