"""What a check found → the terminal."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..documents.model import Document
from ..summary.check.claims import NotChecked
from ..summary.check.differences import Difference
from ..summary.check.results import (
    CONTRADICTED,
    SUPPORTED,
    UNCERTAIN,
    UNSETTLED,
    VERDICTS,
    Checked,
    Place,
)
from .check_words import (
    NEAREST,
    NOT_PROVEN,
    answer_counts,
    answer_line,
    counts_of,
    main_differences,
    shared_words,
    shortened,
    word_lines,
    wrong_citation_line,
)
from .plain import one_line, printable
from .tables import counted, pdf_range

SIGNS = dict(zip(VERDICTS, "✓✓✗~✗", strict=True))
STYLES = dict(zip(VERDICTS, ("green", "green", "bold red", "yellow", "bold red"), strict=True))
PLAIN = ("omission", "insertion")  # kinds of differences that are shown without their names
ANSWER_STYLES = {SUPPORTED: "green", CONTRADICTED: "bold red", UNSETTLED: "yellow"}
SHOWN = 200  # claims of one verdict that are shown; --format json has all


def check_view(
    claims: Sequence[Checked],
    documents: Sequence[Document],
    changes: Sequence[Mapping[str, Any]] | None = None,
    not_checked: Sequence[NotChecked] = (),
) -> RenderableType:
    """Each claim with its verdict, what differs, and the sentence of the document; then the number
    of each verdict.

    ``changes`` are those since an earlier check; None without one.
    """
    table = Table.grid(padding=(0, 1, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    counts = Counter[str]()
    for checked in claims:
        verdict = checked.verdict
        counts[verdict] += 1
        if counts[verdict] <= SHOWN:
            shown = "differs" if checked.is_cited_right is False else verdict
            table.add_row(
                Text(f"{SIGNS[shown]} {verdict}", STYLES[shown]),
                Group(*_lines(checked, documents)),
            )
    hidden = sum(max(0, count - SHOWN) for count in counts.values())
    more = [Text(f"… {hidden:,} more: --format json lists them all", "dim")] if hidden else []
    found = counts_of(counts, VERDICTS)
    lines = ["nothing has changed since the earlier check"] if changes == [] else []
    for one in changes or ():
        before, now = (one[name] or "not there" for name in ("before", "now"))
        lines.append(
            f"changed: {one['file']}" if "file" in one else f"{before} → {now}: {one['claim']}"
        )
    if not_checked:
        texts = ", ".join(f"“{one.text[:80]}” ({one.reason})" for one in not_checked[:20])
        rest = f", {len(not_checked) - 20:,} more" if len(not_checked) > 20 else ""
        lines.append(f"not checked: {texts}{rest}")
    judgements = [one.judgement for one in claims if one.judgement]
    if judgements:
        answers = (one.answer for one in judgements)
        lines.insert(0, answer_counts(answers, judgements[0].model))
    elif counts["paraphrase"]:
        lines.insert(0, NOT_PROVEN)
    total = Text(f"{counted(len(claims), 'claim')}: {found}", "bold")
    return Group(table, *more, total, *(Text(one_line(line)) for line in lines))


def _lines(checked: Checked, documents: Sequence[Document]) -> Iterator[Text]:
    """The claim with what differs marked; what differs; and the passages."""
    yield _claim(checked)
    citation = checked.claim.citation
    if citation and checked.is_cited_right is False:
        file = citation.file if citation.is_work else ""
        found = [documents[place.document].name for place in checked.sources]
        yield Text(wrong_citation_line(citation.text, file, found), "bold red")
    shown_first, more = main_differences(checked.verdict, checked.differences)
    yield from (Text(_difference(one)) for one in shown_first)
    if more:
        yield Text(f"{more:,} more: --format json lists them all", "dim")
    if checked.verdict == "paraphrase":
        words, is_apart = checked.parted
        shown_words = word_lines(
            checked.missing_words, words, checked.differences, is_subject_apart=is_apart
        )
        yield from (Text(line, "yellow") for line in shown_words)
    yield from _passages(checked, documents)


def _claim(checked: Checked) -> Text:
    """The claim, with what differs marked, and its citation."""
    claim = Text(printable(checked.claim.text))
    if len(claim) == len(checked.claim.text):  # nothing was removed, so that places are the same
        style = STYLES["differs" if checked.verdict == "differs" else "paraphrase"]
        for one in checked.differences:
            claim.stylize(style, *one.span)
    citation = checked.claim.citation
    if citation and not citation.is_work:
        claim.append(f" {one_line(citation.text)}", "dim")
    return claim


def _difference(one: Difference) -> str:
    ours, theirs = (f"“{shortened(text)}”" if text else "" for text in (one.claim, one.document))
    if one.kind == UNCERTAIN:
        return f"uncertain: {theirs}, which was recognized in a scan"
    if ours and theirs:
        return f"{'' if one.kind in PLAIN else f'{one.kind}: '}{ours}, the document has {theirs}"
    shown = f"left out: {theirs}" if theirs else f"added: {ours}"
    return shown if one.kind in PLAIN else f"{one.kind} {shown}"


def _passages(checked: Checked, documents: Sequence[Document]) -> Iterator[Text]:
    """What a model answers, and the passages; at last the one that was not compared."""
    judgement = checked.judgement
    if judgement:
        line = answer_line(judgement.answer, judgement.model)
        yield Text(line, ANSWER_STYLES[judgement.answer])
    judged = [judgement.place] if judgement and judgement.place else []
    # parts of a list have one place
    shown = dict.fromkeys(_shown(checked, [*judged, *checked.sources], documents))
    yield from (_passage(line, checked) for line in shown)
    if checked.nearest:
        yield Text(NEAREST, "dim")
        for line in _shown(checked, [checked.nearest], documents):
            yield _passage(line, checked)


def _passage(line: str, checked: Checked) -> Text:
    """A passage; that of a claim in other words with the claim's words in bold."""
    passage = Text(line, "dim")
    if checked.verdict in ("paraphrase", "not found"):
        end = line.rindex(" [")
        for place in shared_words(checked.claim.text, line[:end]):
            passage.stylize("not dim bold", *place)
    return passage


def _shown(
    checked: Checked, places: Sequence[Place], documents: Sequence[Document]
) -> Iterator[str]:
    """The passages, each with its place; only this where the claim is the same."""
    for source, number in places:
        document = documents[number]
        file = "" if len(documents) == 1 and (source.pdf_pages or source.heading) else document.name
        pages = pdf_range(source.pdf_pages, document.labels)
        counted = f"para {source.paragraph}" if source.paragraph else ""
        parts = map(one_line, (file, pages, counted, source.section))
        place = f"[{', '.join(filter(None, parts))}]"
        yield place if checked.verdict == "verbatim" else f"→ {one_line(source.text)} {place}"
