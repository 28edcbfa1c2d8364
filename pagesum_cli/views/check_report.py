"""What a check found → one page of HTML that can be sent: what needs a look first, a claim a row,
its source beside it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from string import Template
from typing import Any

from ..summary.check.differences import Difference
from ..summary.check.results import UNCERTAIN
from .check_words import (
    NEAREST,
    answer_line,
    counts_of,
    main_differences,
    shared_words,
    shortened,
    word_lines,
    wrong_citation_line,
)
from .plain import one_line, safe_html
from .tables import counted, pdf_range

CITED_WRONGLY = "cited wrongly"
GROUPS = ("differs", "not found", CITED_WRONGLY, "paraphrase", "edited", "verbatim")
"""Of claims, in the order in which a reader wants to see them."""
BAD = frozenset(GROUPS[:3])
QUOTES = '"“«„'  # in front of a quotation within a claim
_DIGITS = 12  # of a file's hash that are shown


def check_page(data: Mapping[str, Any], title: str, date: str = "") -> str:
    """The result of a check (``to_json``) as a page that loads and runs nothing; all text is
    escaped.

    ``date`` is the day of the check, as it is shown.
    """
    page = Template(Path(__file__).with_name("check.html").read_text(encoding="utf-8"))
    groups = defaultdict[str, list[tuple[str, Mapping[str, Any]]]](list)
    for number, claim in _numbered(data["claims"]):
        groups[_group(claim)].append((number, claim))
    found = [name for name in GROUPS if groups[name]]
    counts = counts_of({name: len(groups[name]) for name in found}, found)
    links = [f'<a href="#{_anchor(name)}">{name} ({len(groups[name]):,})</a>' for name in found]
    rest = [f"{one['text']} ({one['reason']})" for one in data["not_checked"]]
    return page.substitute(
        title=safe_html(title),
        counts=safe_html(f"{counted(len(data['claims']), 'claim')}: {counts}"),
        links="\n".join(links),
        made=safe_html(_made(data.get("files", ()), date)),
        files="\n".join(map(_file, data.get("files", ()), data.get("searched", ()))),
        claims="\n".join(_section(name, groups[name]) for name in found),
        rest=safe_html(f"Not checked: {'; '.join(rest)}") if rest else "",
    )


def _numbered(
    claims: Iterable[Mapping[str, Any]],
) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Claims with their numbers; a quotation has that of the sentence in front of it that has
    it.
    """
    number, sentence = 0, ""
    for claim in claims:
        text = str(claim["text"])
        if any(f"{mark}{text}" in sentence for mark in QUOTES):
            yield f"{number:,}, quotation", claim
        else:
            number, sentence = number + 1, text
            yield f"{number:,}", claim


def _group(claim: Mapping[str, Any]) -> str:
    is_wrong = claim.get("citation", {}).get("holds") is False
    verdict = str(claim["verdict"])
    return CITED_WRONGLY if is_wrong and verdict not in BAD else verdict


def _anchor(group: str) -> str:
    return group.replace(" ", "-")


def _made(files: Sequence[Mapping[str, Any]], date: str) -> str:
    """When and by what the check was made."""
    readers = list(dict.fromkeys(str(one["reader"]) for one in files))
    parts = [f"on {date}" if date else "", f"by {', '.join(readers)}" if readers else ""]
    made = " ".join(filter(None, parts))
    return f"Checked {made}" if made else ""


def _file(file: Mapping[str, Any], searched: Mapping[str, Any]) -> str:
    """A document that was searched, and how much of it."""
    words, pages = (searched[name] for name in ("words", "pdf_pages"))
    shares = [f"{words[0]:,} of {words[1]:,} words"]
    shares += [f"{pages[0]:,} of {pages[1]:,} PDF pages"] if pages[1] else []
    digest = file["sha256"]
    notes = [searched["title"], f"searched {', '.join(shares)}"]
    notes += [f"SHA-256 {digest[:_DIGITS]}…"] if digest else []
    shown = "; ".join(filter(None, map(one_line, notes)))
    return f"<li>{safe_html(one_line(file['file']))}<cite>{safe_html(shown)}</cite></li>"


def _section(name: str, claims: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    rows = "\n".join(_row(number, claim) for number, claim in claims)
    head = "<thead><tr><th>Verdict</th><th>Claim</th><th>Source</th></tr></thead>"
    title = f'<h2 id="{_anchor(name)}">{name.capitalize()} ({len(claims):,})</h2>'
    return f"{title}\n<table>\n{head}\n<tbody>\n{rows}\n</tbody>\n</table>"


def _row(number: str, claim: Mapping[str, Any]) -> str:
    verdict = claim["verdict"]
    differences = [Difference(**one) for one in claim["differences"]]
    shown_first, more = main_differences(verdict, differences)
    notes = [_difference(one) for one in shown_first]
    notes += [f"{more:,} more"] if more else []
    if verdict == "paraphrase":
        notes += word_lines(
            claim.get("missing_words", ()),
            claim.get("words_of_passages", ()),
            differences,
            is_subject_apart=claim.get("is_subject_apart", False),
        )
    judgement = claim.get("judgement", {})
    notes += filter(None, [answer_line(judgement.get("answer", ""), judgement.get("model", ""))])
    citation = claim.get("citation", {})
    if citation.get("holds") is False:
        found = [one["file"] for one in _passages_of(claim)]
        notes.append(wrong_citation_line(citation["text"], citation.get("file", ""), found))
    kind = " class=bad" if _group(claim) in BAD else ""
    shown = "".join(f"<cite>{safe_html(one)}</cite>" for one in notes)
    text = safe_html(claim["text"])
    label = f"{verdict}<cite>claim {number}</cite>"
    return f"<tr><td{kind}>{label}</td><td>{text}{shown}</td><td>{_source(claim)}</td></tr>"


def _difference(one: Difference) -> str:
    kind, ours, theirs = one.kind, shortened(one.claim), shortened(one.document)
    if kind == UNCERTAIN:
        return f"{UNCERTAIN}: “{theirs}”, which was recognized in a scan"
    if ours and theirs:
        return f"{kind}: here “{ours}”, in the document “{theirs}”"
    shown = f"left out: “{theirs}”" if theirs else f"added: “{ours}”"
    return shown if kind in ("omission", "insertion") else f"{kind} {shown}"


def _source(claim: Mapping[str, Any]) -> str:
    """The passages, each with its place."""
    shown = "".join(_passages(claim, _passages_of(claim))) or "nothing in the documents"
    nearest = [claim["nearest"]] if "nearest" in claim else []
    found = "".join(_passages(claim, nearest))
    return f"{shown}<p><cite>{NEAREST}</cite></p><p>{found}</p>" if found else shown


def _passages_of(claim: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """What a claim was compared with, after what it is judged by."""
    source, judged = claim["source"], claim.get("judgement", {}).get("passage")
    found = claim.get("passages", [source]) if source else []
    return [judged, *(one for one in found if one != judged)] if judged else found


def _passages(claim: Mapping[str, Any], passages: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for one in passages:
        number = f"para {one['paragraph']}" if "paragraph" in one else ""
        places = (one["file"], pdf_range(one["pdf_pages"]), number, one["section"])
        place = ", ".join(filter(None, map(one_line, places)))
        text = f"{_passage(claim, one['text'])}<cite>{safe_html(place)}</cite>"
        yield f"<p>{text}</p>" if len(passages) > 1 else text


def _passage(claim: Mapping[str, Any], text: str) -> str:
    """A passage; that of a claim in other words with the claim's words in bold."""
    is_open = claim["verdict"] in ("paraphrase", "not found")
    words = shared_words(claim["text"], text) if is_open else []
    parts, end = [], 0
    for start, stop in words:
        parts += [safe_html(text[end:start]), f"<b>{safe_html(text[start:stop])}</b>"]
        end = stop
    return "".join([*parts, safe_html(text[end:])])
