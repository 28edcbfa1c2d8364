"""The body text of a PDF, against which headings stand out."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .lines import Line

_COMPOUND = re.compile(r"(?<![^\W\d_])[^\W\d_]++(?:-[^\W\d_]++)+(?=\W)")


@dataclass(frozen=True)
class Body:
    """Size and font of the running text.

    Attributes:
        size, font: Size and font of the majority of its letters.
        compounds: See :func:`compounds_of`.
    """

    size: float
    font: str
    compounds: frozenset[str] = frozenset()

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "Body":
        """The body text of a document."""
        weights: Counter[tuple[float, str]] = Counter()
        sizes: Counter[float] = Counter()
        for line in lines:
            weights[(line.size, line.font)] += len(line.text)
            sizes[line.size] += len(line.text)
        size = sizes.most_common(1)[0][0]
        font = max((key for key in weights if key[0] == size), key=lambda key: weights[key])[1]
        return cls(size, font)

    def is_exceeded_by(self, line: Line) -> bool:
        """Whether a line stands out by its size or its font."""
        return line.size > self.size * 1.05 or (line.size >= self.size * 0.9 and (line.bold or line.font != self.font))

    def goes_on_in(self, line: Line) -> bool:
        """Whether a line begins in another font and goes on in that of the running text."""
        return line.lead > 0 and not line.all_bold and self.font in (line.font, line.last_font)


def compounds_of(lines: Sequence[Line]) -> frozenset[str]:
    """Words that are written with a hyphen in the middle of a line, in lower case."""
    return frozenset(word.lower() for line in lines for word in _COMPOUND.findall(line.text))
