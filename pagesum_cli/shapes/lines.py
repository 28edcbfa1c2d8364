"""Sentences as lines of a summary: what the words and the place of each say."""

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from ..documents.model import Sentence
from ..quoting.eligibility import Eligibility, completed
from ..text.tfidf import PREFIX
from ..text.words import STOP_WORDS, words_of
from .rules import (
    announces,
    defined,
    has_verb,
    instructs,
    is_about_book,
    is_detail,
    needs_context,
    opens,
    specific,
)

NEEDED = 0.5  # probability above which a sentence needs the one before it
CLEAR = 0.5  # probability above which a sentence has a role
LENGTHS = (9, 40)  # words of a line
SHORTER = 2  # words that a definition may have less


def content_of(text: str) -> frozenset[str]:
    """The beginnings of a text's content words, plurals as singulars."""
    return frozenset(word[:PREFIX].rstrip("s") for word in words_of(text) if word not in STOP_WORDS)


def terms_of(title: str) -> frozenset[str]:
    """The beginnings of the words of a title that say what is under it."""
    return frozenset(word for word in content_of(specific(title)) if not word.isdigit())


def defines(text: str, terms: Collection[str]) -> bool:
    """Whether a sentence says what something is that only these words name."""
    names = (terms_of(name) for name in defined(text))
    return any(name and name <= frozenset(terms) for name in names)


@dataclass(frozen=True)
class Subject:
    """The words that name what a chapter or file is about."""

    title: frozenset[str]  # of its title
    own: frozenset[str]  # those that say what is under it; of one that introduces a book, its
    names: frozenset[str]  # its own, and those of its book

    @classmethod
    def of(cls, title: str, book: str) -> "Subject":
        """The subject of a chapter with a title, of a book with one."""
        whole = terms_of(book)
        own = terms_of(title) or (whole if opens(title) else frozenset())
        return cls(content_of(title), own, own | whole)


@dataclass(frozen=True)
class Line:
    """A sentence, as far as its words and its place say whether it can be a line."""

    item: Sentence
    rules: Eligibility
    subject: Subject
    number: int  # among the sentences of its chapter or file that may be lines
    is_first: bool  # under its heading

    @cached_property
    def text(self) -> str:
        """The sentence; of an item of a list, with its lead-in."""
        return completed(self.item)

    @cached_property
    def content(self) -> frozenset[str]:
        """The beginnings of its content words."""
        return content_of(self.text)

    @cached_property
    def heading(self) -> frozenset[str]:
        """Those of its heading's."""
        return content_of(self.item.heading)

    @cached_property
    def is_whole(self) -> bool:
        """Whether it is a whole sentence, also one that begins with a name: "git is a …"."""
        text = self.text
        if text[:1].islower() and content_of(text.split()[0]) & self.subject.names:
            return Eligibility.of(text[0].upper() + text[1:]).is_whole
        return self.rules.is_whole

    @cached_property
    def needs_context(self) -> bool:
        """Whether it points at a sentence before it."""
        points_back = self.rules.needs_context > NEEDED or needs_context(self.text)
        return points_back and not is_about_book(self.text)

    @cached_property
    def is_empty(self) -> bool:
        """Whether it only says what will be told, or is not about the document's subject."""
        return announces(self.text) or not self.rules.is_content

    @property
    def lengths(self) -> tuple[int, int]:
        """The words that a line like this has."""
        shortest, longest = LENGTHS
        return shortest - SHORTER * bool(defined(self.text)), longest

    @cached_property
    def is_statement(self) -> bool:
        """Whether it states something, in few words."""
        says_little = self.is_empty or instructs(self.text) or is_detail(self.text)
        shortest, longest = self.lengths
        has_length = shortest <= self.rules.words <= longest
        is_clear = self.is_whole and has_verb(self.text) and not self.rules.refers_away
        return is_clear and has_length and not says_little

    @property
    def stands(self) -> bool:
        """Whether it is a whole statement that needs no other."""
        return self.is_statement and not self.needs_context

    @property
    def role(self) -> str:
        """What it does in a paper, if that is clear."""
        roles = self.rules.roles
        role = max(roles, key=lambda name: roles[name], default="")
        return role if roles.get(role, 0.0) > CLEAR else ""
