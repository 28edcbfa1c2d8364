"""Summaries of statutes, contracts, standards and policies: what each quoted clause does."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import groupby

from ..documents.model import Document
from ..summary.summary import Outcome, Summary, SummaryParagraph, SummarySentence
from ..text.tables import table

BINDING, BINDING_TITLED = 0.25, 0.1
"""Share of the paragraphs that oblige somebody in a document of clauses; in one whose title says
what it is."""
MIN_PARAGRAPHS = 8  # of a document of clauses
PATH = " › "  # separates the headings above a clause


@dataclass(frozen=True)
class Rule:
    """A thing that a clause can do; see ``clauses.toml``."""

    kind: str
    pattern: re.Pattern[str]
    ignored: re.Pattern[str]  # what looks like it and is something else
    example: str  # a sentence that does it
    counter: str  # one that does not

    def fits(self, text: str) -> bool:
        """Whether a sentence does it."""
        return self.pattern.search(self.ignored.sub("…", text)) is not None


@cache
def rules() -> tuple[Rule, ...]:
    """The rows of ``clauses.toml``, in order."""
    return tuple(map(_rule, table(__file__, "clauses.toml")["rule"]))


def _rule(row: dict[str, str]) -> Rule:
    pattern = re.compile(row["pattern"])
    ignored = re.compile(row.get("ignored", "(?!)"))
    return Rule(row["kind"], pattern, ignored, row["example"], row["counter"])


@cache
def _form(name: str) -> re.Pattern[str]:
    return re.compile(table(__file__, "clauses.toml")[name])


def kinds_of(text: str) -> tuple[str, ...]:
    """What a sentence of a clause does: ``obligation``, ``deadline`` …; empty for nothing. What
    defines a term does nothing else.
    """
    if _form("recital").search(text):
        return ()
    kinds = [rule.kind for rule in rules() if rule.fits(text)]
    if _form("defines").search(text):
        return tuple(kind for kind in kinds if kind == "definition")
    if _form("denied").search(text):
        kinds = [kind for kind in kinds if kind not in ("obligation", "permission")]
    return tuple(kinds)


def has_clauses(document: Document) -> bool:
    """Whether a document consists of clauses that bind somebody."""
    sections = [section for section, _ in document.read_sections]
    texts = [one.text for section in sections for one in section.paragraphs]
    if len(texts) < MIN_PARAGRAPHS:
        return False
    share = sum(bool(_form("binding").search(one)) for one in texts) / len(texts)
    is_titled = _form("title").search(document.title) is not None
    return share >= (BINDING_TITLED if is_titled else BINDING)


def by_clause(summary: Summary, documents: Sequence[Document]) -> Summary:
    """A summary of a document of clauses with the headings above each of them, in the order of
    their numbers, and what they do; another summary as it is.
    """
    if len(documents) != 1 or summary.paragraphs or not has_clauses(documents[0]):
        return summary
    return under_clauses(summary, documents[0])


def under_clauses(summary: Summary, document: Document) -> Summary:
    """A summary with the headings above each clause, and what they do; as it is if they do
    nothing.
    """
    paths = dict(_paths(document))
    starts = sorted(paths)
    sentences = tuple(_with_kinds(one) for one in summary.sentences)
    if not any(one.outcome for one in sentences):
        return summary
    titles = [paths[_section(starts, one)] for one in sentences]
    groups = groupby(range(len(sentences)), titles.__getitem__)
    paragraphs = [SummaryParagraph(title, tuple(numbers)) for title, numbers in groups]
    return replace(summary, sentences=sentences).in_paragraphs(paragraphs)


def with_kinds(summary: Summary, documents: Sequence[Document]) -> Summary:
    """A summary of a book of clauses with what each does; of another book as it is."""
    if len(documents) != 1 or not has_clauses(documents[0]):
        return summary
    return replace(summary, sentences=tuple(map(_with_kinds, summary.sentences)))


def _section(starts: Sequence[int], sentence: SummarySentence) -> int:
    """The offset of the section that a quote is in."""
    offset = sentence.source.start if sentence.source else 0
    return max((start for start in starts if start <= offset), default=starts[0])


def _paths(document: Document) -> Iterator[tuple[int, str]]:
    """The offset of each section, and the headings above it and its own, the outermost first."""
    above: list[tuple[int, str]] = []
    for start, section in zip(document.starts, document.sections, strict=True):
        while above and above[-1][0] >= section.level:
            above.pop()
        above += [(section.level, section.heading)] if section.heading else []
        yield start, PATH.join(heading for _, heading in above)


def _with_kinds(sentence: SummarySentence) -> SummarySentence:
    """A quote with what its clause does, also because of the sentence that it completes."""
    lead_ins = [one.text for one in sentence.lead_ins]
    text = " ".join([*lead_ins, sentence.text])
    kinds = kinds_of(text)
    return replace(sentence, outcome=Outcome(", ".join(kinds))) if kinds else sentence
