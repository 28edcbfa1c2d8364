"""Candidates whose scores follow what an editor chose; see :mod:`~pagesum_cli.editing`."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ...editing.answered import Answers
from ...editing.choosers import OPTION
from ...editing.editor import Decision, Editor
from ...editing.prompts import Brief, Line, guide_of
from ...locality.flow import Pages
from ...options import GenerationOptions
from ...quoting.candidates import STUB, UNUSUAL, WHOLE, Candidate
from ...quoting.choice import Choice
from ...quoting.length import Target
from ...summary.summary import Draft
from ..choosers import chooser_of


def editor_of(options: GenerationOptions, device: str) -> Editor:
    """The editor that the options name: a server, or a language model that is loaded here."""
    model = chooser_of(
        options.editor or "", OPTION, device, allow_network=bool(options.editor_network)
    )
    return Editor(model, Answers(model.name))


def edited(
    editor: Editor,
    candidates: Sequence[Candidate],
    pages: Pages,
    options: GenerationOptions,
    target: Target,
    on_page: Callable[[int, int], None] | None = None,
) -> Decision:
    """What an editor chooses among candidates."""
    titles = dict.fromkeys(page.title or page.source for page in pages.pages)
    brief = Brief(guide_of(options.guide), options.focus, ", ".join(titles))
    lines = [_line(item, pages) for item in candidates]
    more = {"on_page": on_page} if on_page else {}
    return editor.decide(lines, brief, _words(candidates, target), **more)


def rescored(candidates: Sequence[Candidate], decision: Decision) -> list[Candidate]:
    """Candidates in the order in which they are quoted: what was chosen, the best first; where a
    length that was asked for has room, other finalists; and else only where there is no other.

    What was chosen is quoted as it is, since the editor has read what stands before it, unless it
    repeats what is quoted.
    """
    if not decision.finalists:
        return list(candidates)
    found = [replace(item, level=STUB) for item in candidates]
    below = UNUSUAL if decision.chosen else WHOLE
    for number in decision.finalists:
        found[number] = replace(candidates[number], level=max(below, candidates[number].level))
    best = max(item.score for item in candidates) + 1
    for rank, number in enumerate(decision.chosen):
        score = best - rank / len(decision.chosen)
        found[number] = replace(
            candidates[number], level=WHOLE, score=score, is_central=True, is_chosen=True
        )
    return found


def fitted(target: Target, candidates: Sequence[Candidate], decision: Decision) -> Target:
    """The target; where no length was asked for, that of what was chosen, within limits."""
    if target.is_exact or not decision.chosen:
        return target
    size = target.size_of([candidates[number] for number in decision.chosen])
    return replace(target, length=min(size, target.limit_of_beginning))


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
