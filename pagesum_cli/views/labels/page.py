"""Labelled sentences as one HTML page, in which people correct the labels."""

import hashlib
import json
from collections.abc import Sequence
from html import escape
from string import Template

from ...datasets.labels import REASONS, LabelledDocument
from ..reading_page.page import allowed, resource

ESCAPED = {ord(one): f"\\u{ord(one):04x}" for one in "<>&\u2028\u2029"}
"""What could end or change a script element, as JSON writes it otherwise."""


def labels_page(documents: Sequence[LabelledDocument]) -> str:
    """Write the page. Documents are data in it, which its script shows as text; a policy lets the
    browser run only that script and load nothing.

    Corrections are kept in the browser under the digest of the labels, and downloaded as JSON
    Lines.
    """
    data = json.dumps([one.to_json() for one in documents], ensure_ascii=False)
    reasons = (
        f'<option value="{name}" title="{escape(meaning)}">{name}</option>'
        for name, meaning in REASONS.items()
    )
    meanings = (f"<dt>{name}</dt><dd>{escape(meaning)}</dd>" for name, meaning in REASONS.items())
    return Template(resource(__package__, "page.html")).substitute(
        **allowed(
            style=resource(__package__, "style.css"), script=resource(__package__, "script.js")
        ),
        digest=hashlib.sha256(data.encode("utf-8", "replace")).hexdigest()[:16],
        count=str(len(documents)),
        reasons="".join(reasons),
        meanings="".join(meanings),
        data=data.translate(ESCAPED),
    )
