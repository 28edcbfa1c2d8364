"""The body text of a PDF, against which headings stand out."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .asides import is_monospaced
from .hyphens import Words
from .lines import Line

_SIZE = re.compile(r"(?<=[^\W\d]{2})\d+\Z")

CODE_SHARE = 0.25
"""Share of a document's letters that is enough for running text beside code."""


@dataclass(frozen=True)
class Body:
    """Size and font of the running text.

    Attributes:
        size, font: Size and font of the majority of its letters.
        leading: The most common distance of its baselines, in points; 0 if it has only single lines.
        words: The document's words.
    """

    size: float
    font: str
    leading: float = 0.0
    words: Words = field(default_factory=Words)

    @classmethod
    def of(cls, lines: Sequence[Line]) -> "Body":
        """The body text of a document; code is none, unless there is hardly anything else."""
        text = [line for line in lines if not is_monospaced(line.font)]
        if sum(line.letters for line in text) > CODE_SHARE * sum(line.letters for line in lines):
            lines = text
        weights: Counter[tuple[float, str]] = Counter()
        sizes: Counter[float] = Counter()
        for line in lines:
            weights[(line.size, line.font)] += len(line.text)
            sizes[line.size] += len(line.text)
        size = sizes.most_common(1)[0][0]
        font = max((key for key in weights if key[0] == size), key=lambda key: weights[key])[1]
        gaps = Counter(round(2 * line.gap) / 2 for line in lines if line.size == size and line.gap > 0)
        return cls(size, font, gaps.most_common(1)[0][0] if gaps else 0.0)

    def is_exceeded_by(self, line: Line) -> bool:
        """Whether a line stands out by its size or its font."""
        if line.size > self.size * 1.05:
            return True
        if line.bold:
            return line.size >= 0.7 * self.size
        is_small = line.size < 0.97 * self.size and _family(line.font) == _family(self.font)
        return line.size >= 0.9 * self.size and line.font != self.font and not is_small

    def goes_on_in(self, line: Line) -> bool:
        """Whether a line begins in another font and goes on in that of the running text."""
        return line.lead > 0 and not line.all_bold and self.font in (line.font, line.last_font)


def _family(font: str) -> str:
    """A font's name without its size: TeX's CMR9 is a smaller CMR10."""
    return _SIZE.sub("", font)
