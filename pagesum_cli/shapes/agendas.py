"""Agendas under a heading that lists of tasks may have, too: "Action items"."""

from collections import Counter
from collections.abc import Mapping, Sequence

from ..documents.article.names import bare_name
from ..documents.model import Sentence
from ..summary.summary import Outcome
from .motions import has_result
from .outcomes import outcome_of
from .rules import has_tasks

VOTES = 2  # decisions with the result of a vote, from which on a section is an agenda


def without_items(
    sentences: Sequence[Sentence], found: Mapping[int, Outcome]
) -> dict[int, Outcome]:
    """Outcomes without the tasks that only their heading shows, where it is that of an agenda."""
    votes = Counter(
        sentences[number].heading
        for number, one in found.items()
        if one.kind != "action" and has_result(sentences[number].text)
    )
    agendas = {name for name, count in votes.items() if count >= VOTES}
    agendas = {name for name in agendas if has_tasks(bare_name(name))}

    def is_item(number: int, one: Outcome) -> bool:
        sentence = sentences[number]
        is_placed = one.kind == "action" and sentence.heading in agendas
        return is_placed and outcome_of(sentence.text) is None

    return {number: one for number, one in found.items() if not is_item(number, one)}
