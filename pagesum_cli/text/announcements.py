"""Sentences that announce what the next ones say."""

from collections.abc import Iterable, Iterator

from .tables import patterns

NEAR = 4  # sentences after an item of a list, in which the next one may begin

_FORMS = patterns(__file__, "announcements.toml")
_ANNOUNCEMENT, _ITEM = _FORMS["announcement"], _FORMS["item"]


def is_announcement(text: str) -> bool:
    """Whether a sentence only says that others follow: "This study has some limitations."."""
    return _ANNOUNCEMENT.fullmatch(text) is not None


def announced(texts: Iterable[str]) -> Iterator[str]:
    """For each of some sentences in order, the sentence that announces it; empty for others.

    The next sentence is announced, and after it those that begin like another item of the same
    list ("Second, …"), if few others are between them.
    """
    announcement, distance = "", 0
    for text in texts:
        distance += 1
        is_next = distance == 1 or (distance <= NEAR and _ITEM.match(text) is not None)
        if is_announcement(text):
            announcement, distance = text, 0
        elif announcement and is_next:
            distance = 1
            yield announcement
            continue
        yield ""
