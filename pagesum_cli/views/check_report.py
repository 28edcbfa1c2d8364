"""What a check found → one page of HTML that can be sent: a claim a row, its source beside it."""

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from string import Template
from typing import Any

from .plain import one_line, safe_html
from .tables import counted, pdf_range

BAD = ("differs", "not found")


def check_page(data: Mapping[str, Any], title: str) -> str:
    """The result of a check (``to_json``) as a page that loads and runs nothing; all text is
    escaped.
    """
    page = Template(Path(__file__).with_name("check.html").read_text(encoding="utf-8"))
    verdicts = Counter(one["verdict"] for one in data["claims"])
    counts = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.items())
    rest = [f"{one['text']} ({one['reason']})" for one in data["not_checked"]]
    return page.substitute(
        title=safe_html(title),
        counts=safe_html(f"{counted(len(data['claims']), 'claim')}: {counts}"),
        rows="\n".join(map(_row, data["claims"])),
        rest=safe_html(f"Not checked: {'; '.join(rest)}") if rest else "",
    )


def _row(claim: Mapping[str, Any]) -> str:
    verdict = claim["verdict"]
    notes = [_difference(one) for one in claim["differences"]]
    if claim.get("citation", {}).get("holds") is False:
        notes.append("cited wrongly: it is not there")
    kind = " class=bad" if verdict in BAD else ""
    shown = "".join(f"<cite>{safe_html(one)}</cite>" for one in notes)
    text = safe_html(claim["text"])
    return f"<tr><td{kind}>{verdict}</td><td>{text}{shown}</td><td>{_source(claim)}</td></tr>"


def _difference(one: Mapping[str, str]) -> str:
    ours, theirs = one["claim"] or "nothing", one["document"] or "nothing"
    return f"{one['kind']}: here “{ours}”, in the document “{theirs}”"


def _source(claim: Mapping[str, Any]) -> str:
    source = claim["source"]
    if source is None:
        return "nothing in the documents"
    places = (source["file"], pdf_range(source["pdf_pages"]), source["section"])
    place = ", ".join(filter(None, map(one_line, places)))
    return f"{safe_html(source['text'])}<cite>{safe_html(place)}</cite>"
