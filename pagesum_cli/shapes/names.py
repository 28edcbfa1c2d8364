"""The names that several files are about, as their titles and beginnings tell."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import islice

from ..documents.model import Document
from ..text.suitability import frequent_shares
from ..text.words import is_usually_capital, ngrams, ranks

BEGINNING = 150  # words of a file that say what it is about
KNOWN = 3000  # most frequent words, whose names (months, countries) are in files about anything
NAMES = 2  # names that files about the same have in common
REPEATED = 4  # words in a row that are a publisher's note if most files have them
CAPITAL_NOUNS = "de"  # the language that writes every noun like a name

# Words with a capital in a row, less what begins a sentence or a quotation
_NAMES = re.compile(r"(?<![.!?:…\"“”'’(\[] )(?<!\A)(?<![\w’'-])[A-Z]\w*(?: [A-Z]\w*)*")
_NAME = re.compile(r"\b[A-Z]\w*")
_NAMES_OF_TITLE = re.compile(r"\b[A-Z]\w*(?: [A-Z]\w*)*")
_ANSWERED = re.compile(r"(?i)(?:(?:re|aw|antw|sv|rif|res|fwd?|wg|tr)\s?(?:\[\d+\])?:\s*)+")


def main_names(documents: Sequence[Document]) -> frozenset[str]:
    """The names that most of several files begin with, if most files begin with :data:`NAMES` of
    them; the outlet of most of them is none.
    """
    texts = _own_words([beginning_of(document) for document in documents])
    names = [_names_of(one.title, text) for one, text in zip(documents, texts, strict=True)]
    main = _in_most(names) - _in_most([set(_NAME.findall(one.origin)) for one in documents])
    has_several = 2 * sum(len(own & main) >= NAMES for own in names) > len(documents)
    return frozenset(main) if has_several else frozenset()


def are_thread(documents: Sequence[Document]) -> bool:
    """Whether several files are messages with the same subject, of which some are answers."""
    titles = [document.title for document in documents]
    subjects = {subject_of(title).lower() for title in titles}
    is_answered = any(subject_of(title) != title for title in titles)
    return len(documents) > 1 and len(subjects) == 1 and is_answered


def subject_of(title: str) -> str:
    """The subject of a message, without the mark of an answer."""
    return _ANSWERED.sub("", title, count=1) if _ANSWERED.match(title) else title


def _in_most(sets: Sequence[set[str]]) -> set[str]:
    """What is in more than half of several sets."""
    counts = Counter(one for each in sets for one in each)
    return {one for one, count in counts.items() if 2 * count > len(sets)}


def _own_words(texts: Sequence[str]) -> list[str]:
    """The texts without what most of them say in the same words: a publisher's note."""
    runs = [{" ".join(run) for run in ngrams(text.split(), REPEATED)} for text in texts]
    repeated = sorted(_in_most(runs))
    return [reduce(lambda text, run: text.replace(run, "…"), repeated, text) for text in texts]


def _names_of(title: str, text: str) -> set[str]:
    """The first rare word of each name in a title and a beginning."""
    shares = frequent_shares(text)
    if shares and max(shares, key=lambda code: shares[code]) == CAPITAL_NOUNS:
        return set()
    plain = {word for word in re.findall(r"\w+", f"{text} {title}") if word.islower()}
    runs = [*_NAMES.findall(text), *_NAMES_OF_TITLE.findall(title)]
    rare = (next(filter(_is_rare, run.split()), "") for run in runs)
    return {word for word in rare if word and word.lower() not in plain}


def beginning_of(document: Document) -> str:
    """The first words that are read of a file."""
    paragraphs = (one.text for section, _ in document.read_sections for one in section.paragraphs)
    words = (word for text in paragraphs for word in text.split())
    return " ".join(islice(words, BEGINNING))


def _is_rare(word: str) -> bool:
    """Whether a word with a capital is a name that few texts have; no abbreviation."""
    is_word = len(word) > 2 and not word.isupper()
    return is_word and ranks().get(word.lower(), KNOWN) >= KNOWN and is_usually_capital(word)
