"""Candidates whose scores follow what an editor chose; see :mod:`~pagesum_cli.editing`."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...editing.editor import Decision, editor_of
from ...editing.prompts import Brief, Line, guide_of
from ...locality.flow import Pages
from ...options import GenerationOptions
from ...quoting.candidates import STUB, WHOLE, Candidate
from ...quoting.choice import Choice
from ...quoting.length import Target
from ...summary.summary import Draft

# Standard deviations of the built-in scores: a chosen sentence goes before any other finalist, and
# that before any other sentence, whatever their own scores
CHOSEN, FINALIST = 40.0, 12.0


def edited(
    candidates: Sequence[Candidate],
    pages: Pages,
    options: GenerationOptions,
    target: Target,
    on_page: Callable[[int, int], None] | None = None,
) -> tuple[list[Candidate], Decision]:
    """Candidates scored by an editor's choice, and the choice."""
    editor = editor_of(options.editor or "", allow_network=bool(options.editor_network))
    titles = dict.fromkeys(page.title or page.source for page in pages.pages)
    brief = Brief(guide_of(options.guide), options.focus, ", ".join(titles))
    lines = [_line(item, pages) for item in candidates]
    more = {"on_page": on_page} if on_page else {}
    decision = editor.decide(lines, brief, _words(candidates, target), **more)
    return rescored(candidates, decision), decision


def rescored(candidates: Sequence[Candidate], decision: Decision) -> list[Candidate]:
    """Candidates with a score that puts chosen ones first, then finalists."""
    own = np.array([item.score for item in candidates], float)
    scores = (own - own.mean()) / (float(own.std()) or 1.0)
    scores[list(decision.finalists)] += FINALIST
    scores[list(decision.chosen)] += CHOSEN
    finalists, chosen = set(decision.finalists), set(decision.chosen)
    return [
        replace(
            item,
            score=float(score),
            level=_level(item, number in finalists, number in chosen),
        )
        for number, (item, score) in enumerate(zip(candidates, scores, strict=True))
    ]


def _level(item: Candidate, is_finalist: bool, is_chosen: bool) -> int:
    """The level of a candidate: what is no finalist is quoted only where nothing else is."""
    if is_chosen:
        return WHOLE
    return item.level if is_finalist else STUB


def marked(
    draft: Draft, choices: Sequence[Choice], candidates: Sequence[Candidate], decision: Decision
) -> Draft:
    """A draft that says which sentences the editor chose; a page's confidence is its share of the
    finalists.
    """
    pages = len(draft.page_confidences[0]) if choices else 0
    numbers = [candidates[number].page for number in decision.finalists]
    counts = np.bincount(numbers, minlength=pages).astype(float)
    # without a finalist, all pages competed by the built-in score
    rows = [(counts / counts.sum()).tolist()] * len(choices) if numbers else draft.page_confidences
    chosen = set(decision.chosen)
    labels = tuple("editor" if choice.candidate in chosen else "" for choice in choices)
    return replace(draft, page_confidences=rows, chosen_by=labels)


def _line(item: Candidate, pages: Pages) -> Line:
    page = pages.pages[item.page]
    sentence = page.sentences[item.sentence]
    heading = sentence.heading or page.heading or page.label
    return Line(item.page, sentence.printed, heading, item.words, item.score)


def _words(candidates: Sequence[Candidate], target: Target) -> float:
    """The target's length in words."""
    words = sum(item.words for item in candidates)
    return target.length * words / max(target.size_of(candidates), 1)
