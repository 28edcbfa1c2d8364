"""Word vectors in the text format of GloVe: a word and its numbers, separated by spaces, on each line."""

import math
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import PagesumError
from ...files import open_packed

HINT = "expected GloVe's text format: a word and its numbers, separated by spaces, on each line"

Vector = NDArray[np.float32]


class WordVectors:
    """The vectors of some words in a file, which is read line by line, so that it may be larger than the memory.

    Args:
        path: The file; also packed, as ``.gz`` or ``.xz``.

    Attributes:
        width: Numbers of a vector.

    Raises:
        PagesumError: There is no such file, or its first line is no vector.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        with open_packed(path) as file:
            fields = file.readline().split()
        self.width = len(fields) - 1
        if self.width < 2 or not _is_number(fields[-1]):
            raise PagesumError(f"{path}, line 1: no word vector, found {len(fields)} fields", HINT)
        self._known: dict[str, Vector | None] = {}

    def look_up(self, words: Iterable[str]) -> None:
        """Read the vectors of words that are not known yet, in one pass over the file.

        Raises:
            PagesumError: A line is shorter or longer than the first, holds something else than numbers, or the file has
                none of these words.
        """
        missing = {word.encode(): word for word in words if word not in self._known}
        if not missing:
            return
        found: dict[str, Vector | None] = dict.fromkeys(missing.values())
        with open_packed(self.path) as file:
            for number, line in enumerate(file, start=1):
                line = line.rstrip()
                spaces = line.count(b" ")
                # A few words of GloVe's largest file hold spaces themselves; no word of a text does.
                if spaces < self.width or (spaces > self.width and _is_number(line.split(b" ")[-self.width - 1])):
                    raise PagesumError(
                        f"{self.path}, line {number}: expected {self.width} numbers as in line 1, found {spaces}", HINT
                    )
                first, _, numbers = line.partition(b" ")
                word = missing.get(first) if spaces == self.width else None
                if word is not None and found[word] is None:
                    found[word] = self._vector(numbers, number)
        if all(vector is None for vector in found.values()) and not any(
            vector is not None for vector in self._known.values()
        ):
            raise PagesumError(
                f"{self.path} has none of the {len(found)} words of the texts, such as {next(iter(found))!r}",
                "give vectors of lower-case words in the language of the texts",
            )
        self._known.update(found)

    def of(self, words: Iterable[str]) -> list[Vector]:
        """The vectors of words that were looked up, in order; words without one are left out."""
        return [vector for word in words if (vector := self._known.get(word)) is not None]

    def _vector(self, numbers: bytes, number: int) -> Vector:
        try:
            values = [float(field) for field in numbers.split(b" ")]
        except ValueError as error:
            raise PagesumError(f"{self.path}, line {number}: {error}", HINT) from error
        if not all(map(math.isfinite, values)):
            raise PagesumError(f"{self.path}, line {number}: a number is not finite", HINT)
        return np.array(values, np.float32)


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True
