"""What a document says of itself: that it is a draft, illustrative, or no official text."""

from ..text.tables import patterns
from .model import Document
from .sentences import all_sentences

_FORMS = patterns(__file__, "disclaimers.toml")

NEAR = 8  # sentences at the beginning and at the end that are looked at
MAX_WORDS = 40  # of such a sentence


def disclaimer_of(document: Document) -> str:
    """The sentences in which a document says so; empty where there are none."""
    sentences = all_sentences(document)
    is_short = len(sentences) <= 2 * NEAR
    near = sentences if is_short else [*sentences[:NEAR], *sentences[-NEAR:]]
    found = (one.text for one in near if len(one.text.split()) <= MAX_WORDS)
    return " ".join(dict.fromkeys(filter(_FORMS["disclaims"].search, found)))
