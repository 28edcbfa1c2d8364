"""The pages of a document as a language model reads them: in windows, each after some of the text
before it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from ...tokenization import CONTROL_TOKENS, HEADING


@dataclass(frozen=True)
class ControlTokens:
    """The control tokens of pages, see :mod:`pagesum_cli.tokenization`."""

    first: int  # the id of the first one
    line_break: int  # the token that stands before a heading and the text below it instead

    @property
    def heading(self) -> int:
        """The one before a heading."""
        return self.first + HEADING

    def headings_and_sentences(self, ids: Tensor) -> Tensor:
        """Which of the tokens stand before one."""
        return (ids >= self.heading) & (ids < self.first + CONTROL_TOKENS)


@dataclass(frozen=True)
class Text:
    """Tokens, and the places of headings and sentences among them."""

    ids: Tensor  # ``(S,)``
    starts: Tensor  # ``(m,)``: where each heading and sentence begins
    ends: Tensor  # ``(m,)``: and ends

    @classmethod
    def of_page(cls, ids: Tensor, controls: ControlTokens) -> "Text":
        """A page without its control tokens, with line breaks around its headings."""
        is_control = (ids >= controls.first) & (ids < controls.first + CONTROL_TOKENS)
        places = controls.headings_and_sentences(ids).nonzero()[:, 0]
        is_heading = ids[places] == controls.heading
        is_break = torch.zeros_like(is_control)
        is_break[places] = is_heading | F.pad(is_heading[:-1], (1, 0))  # and what is below it
        kept = ~is_control | is_break
        counts = kept.cumsum(0)
        starts = counts[places]
        page_end = counts[-1:] - 1  # its end token belongs to no sentence
        ends = torch.cat([(counts - kept.long())[places[1:]], page_end])
        kept_ids = torch.where(is_break, controls.line_break, ids)[kept]
        return cls(kept_ids, starts, torch.maximum(ends, starts))

    def without_first(self) -> tuple[Tensor, "Text"]:
        """The tokens before the second heading or sentence, and the text from there on."""
        if len(self.starts) == 1:
            return self.ids, Text(self.ids[:0], self.starts[:0], self.ends[:0])
        length = int(self.starts[1]) - 1  # a line break stands before it
        rest = Text(self.ids[length:], self.starts[1:] - length, self.ends[1:] - length)
        return self.ids[:length], rest

    def states(self, layers: Tensor) -> Tensor:
        """Mean and last state ``(m, 2 K width)`` of each piece, of layers ``(K, S, width)``."""
        sums = F.pad(layers.float().cumsum(1), (0, 0, 1, 0))
        count = (self.ends - self.starts).clamp(min=1)[None, :, None]
        means = (sums[:, self.ends] - sums[:, self.starts]) / count
        last = layers[:, (self.ends - 1).clamp(min=0)].float()
        both = torch.stack([means, last], dim=1)  # (K, 2, m, width)
        return both.permute(2, 0, 1, 3).flatten(1)


def joined(texts: Sequence[Text]) -> Text:
    """Texts one after another."""
    offset, starts, ends = 0, [], []
    for text in texts:
        starts.append(text.starts + offset)
        ends.append(text.ends + offset)
        offset += len(text.ids)
    return Text(torch.cat([text.ids for text in texts]), torch.cat(starts), torch.cat(ends))


def windows_of(title: Tensor, text: Text, length: int, context: int) -> list[Text]:
    """A document's text in windows: its title, ``context`` tokens of what stands before, and new
    tokens.

    A heading or sentence is in one window as a whole, together with as many others as ``length``
    new tokens allow; one that is longer is cut to twice that.
    """
    windows = []
    number, count = 0, len(text.starts)
    while number < count:
        first = int(text.starts[number]) if number else 0
        following = int(torch.searchsorted(text.ends, first + length, right=True))
        following = min(max(following, number + 1), count)
        last = min(int(text.ends[following - 1]), first + 2 * length)
        before = max(first - context, 0)
        shift = len(title) - before
        ids = torch.cat([title, text.ids[before:last]])
        starts = (text.starts[number:following] + shift).clamp(max=len(ids) - 1)
        ends = (text.ends[number:following] + shift).clamp(max=len(ids))
        windows.append(Text(ids, starts, torch.maximum(ends, starts + 1)))
        number = following
    return windows
