"""The authors named below the title of a PDF."""

import re
from collections.abc import Iterator, Sequence

from ..article.authors import SHORT
from ..article.divisions import plain
from .lines import Line
from .patterns import FORMS, SETS, joined

MAX_LINES = 12  # lines below a title among which its authors are, and lines that name them
MAX_PARTS = 8  # words of a name
SAME_SIZE = 0.03  # by how much of its size a line may differ from the line before it


def authors_of(lines: Sequence[Line], title: str, stated: Sequence[str]) -> tuple[str, ...]:
    """The authors of a document.

    Args:
        lines: The document's.
        title: Its title, which is among them.
        stated: Those in the file's properties, which often has the first author only.

    Returns:
        The list of names below the title if it has all that are stated; otherwise these.
    """
    printed = _first_list(_below(lines, title))
    own = {word for name in printed for word in _words(name)}
    has_all = all(own.issuperset(_words(name)) for name in stated)
    return printed if has_all and len(printed) > len(stated) else tuple(stated)


def names_of(text: str) -> tuple[str, ...]:
    """The names of which a text is a list, without the marks of notes; empty if it has others
    than names, or one alone.
    """
    marked = FORMS["for_group"].sub("", text)
    pieces = FORMS["between_names"].split(FORMS["mark_of_author"].sub(" ", marked))
    names = [_name(piece) for piece in pieces if piece.strip()]
    names = [name for name in names if name not in SETS["degrees"]]
    return tuple(names) if len(names) > 1 and all(map(_is_name, names)) else ()


def _below(lines: Sequence[Line], title: str) -> list[Line]:
    """The first lines below the title, which is in larger type than where it is cited."""
    own = plain(title)
    page = [line for line in lines if line.page == lines[0].page]
    sizes = [line.size if plain(line.text) and plain(line.text) in own else 0 for line in page]
    if not any(sizes):
        return []
    first = sizes.index(max(sizes))
    after = zip(page[first:], sizes[first:], strict=True)
    return [line for line, size in after if not size][:MAX_LINES]


def _first_list(lines: Sequence[Line]) -> tuple[str, ...]:
    """The first list of names, as far as it goes; empty if the end of it is not understood."""
    for start in range(len(lines)):
        texts = list(_alike(lines[start:]))
        beginnings = (joined(texts[:end]) for end in range(len(texts), 0, -1))
        whole = next(filter(names_of, beginnings), "")
        if whole:
            return () if whole.rstrip().endswith(",") else names_of(whole)
    return ()


def _alike(lines: Sequence[Line]) -> Iterator[str]:
    """The texts of lines of one size, up to one that begins with a mark, as an affiliation does."""
    for index, line in enumerate(lines):
        is_other = abs(line.size - lines[0].size) > SAME_SIZE * line.size
        if index and (is_other or FORMS["mark_of_author"].match(line.text)):
            return
        yield line.text


def _name(piece: str) -> str:
    """A name without academic degrees; its words apart where the spaces were lost."""
    words = piece.split()
    while len(words) > 1 and words[-1] in SETS["degrees"]:
        words.pop()
    return FORMS["lost_space"].sub(" ", words[0]) if len(words) == 1 else " ".join(words)


def _is_name(text: str) -> bool:
    words = text.split()
    particles = [word for word in words if word in SETS["particles"]]
    others = [word for word in words if word not in SETS["particles"]]
    return (
        len(others) > 1
        and len(words) <= MAX_PARTS
        and words[-1] not in particles
        and len(words[-1].strip(".")) > 1
        and all(map(FORMS["word_of_name"].fullmatch, others))
        and SETS["no_names"].isdisjoint(map(str.lower, words))
    )


def _words(name: str) -> set[str]:
    words = re.findall(r"[^\W\d_]+", name.lower())
    return {word for word in words if len(word) > SHORT and word not in SETS["degrees"]}
