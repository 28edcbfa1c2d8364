"""Numbered sections of Word documents without styles for headings: bills, ordinances, contracts
("Sec. 25. DEPARTMENT OF CHILD SAFETY", "Section 3. Short title.", "ARTICLE IV").
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ....text.cleaning import one_line
from ....text.tables import patterns
from ...article.wording import is_prose, may_be_heading
from .paragraph import Block

_FORMS = patterns(__file__, "word.toml")
MIN_SECTIONS = 3  # of a kind, from which on their lines are headings
MAX_LEVEL = 6
MAX_WORDS = 30  # of the title of a section
SENTENCE_WORDS = 8  # of a text with a stop at its end, above which it is a sentence


def mark_sections(blocks: Sequence[Block]) -> None:
    """Make headings of the lines that begin a numbered section, where there are several: those of
    the kind that comes first one level below the headings that there are.
    """
    found = [(kind, block) for block in blocks if (kind := _kind_of(block))]
    above = max((block.style.level for block in blocks), default=0)
    levels = _levels(Counter(kind for kind, _ in found), above)
    for kind, block in found:
        if kind in levels:
            block.style, block.is_guess = replace(block.style, level=levels[kind]), True


def _levels(counts: Counter[str], above: int) -> dict[str, int]:
    """The level of each kind with several sections, below the level ``above``."""
    kinds = [kind for kind, count in counts.items() if count >= MIN_SECTIONS]
    return {kind: level for level, kind in enumerate(kinds, above + 1) if level <= MAX_LEVEL}


def _kind_of(block: Block) -> str:
    """The kind of the section whose heading a paragraph of text is; empty where it is none."""
    text = one_line(block.text)
    match = _FORMS["section"].fullmatch(text)
    if match is None or block.style.level or block.marks.block or block.marks.depth:
        return ""
    name = match["name"] or ""
    return match["kind"].lower()[:3] if not name or _is_title(name) else ""


def _is_title(name: str) -> bool:
    """Whether a text is worded like a title, and no sentence."""
    words = len(name.split())
    is_sentence = name.endswith(".") and (words > SENTENCE_WORDS or is_prose(name))
    is_open = name.endswith((":", ";", ","))
    return words <= MAX_WORDS and not is_sentence and not is_open and may_be_heading(name)
