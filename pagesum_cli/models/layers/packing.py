"""Pages of a batch as rows of one tensor, without the empty ones."""

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

# tokens of padding that must be saved before pages of different lengths are computed separately
PADDING_LIMIT = 512

# lengths are rounded up to a multiple of it: oneDNN keeps about 1 MB for each shape of tensors, for
# ever
STEP = 32


def rounded_up(length: int) -> int:
    """The next multiple of :data:`STEP`."""
    return -(-length // STEP) * STEP


@dataclass(frozen=True)
class PackedPages:
    """The pages of a batch that hold any token, one a row.

    Pages never meet in the encoder, so empty pages cost nothing and pages of similar length can be
    computed together.
    """

    input_ids: Tensor  # ``(N, S)``, cut to the longest page
    mask: Tensor  # ``(N, S)``, True where a token is
    document: Tensor  # ``(N,)``, the document of each row
    page: Tensor  # ``(N,)``, the row's page number in its document
    # batch, pages: ``B`` and ``P``
    batch: int
    pages: int

    @classmethod
    def pack(cls, input_ids: Tensor, attention_mask: Tensor | None) -> "PackedPages":
        """Pack a batch ``(B, P, S)``."""
        if input_ids.dim() != 3:
            raise ValueError(
                f"input_ids {tuple(input_ids.shape)}, expected (documents, pages, tokens)"
            )
        if attention_mask is None:
            attention_mask = torch.ones_like(input_ids)
        if attention_mask.shape != input_ids.shape:
            raise ValueError(
                f"attention_mask {tuple(attention_mask.shape)} for "
                f"input_ids {tuple(input_ids.shape)}"
            )
        mask = attention_mask.bool()
        used = mask.any(-1)  # (B, P)
        if not bool(used.any(-1).all()):
            raise ValueError("a document without any token")
        document, page = used.nonzero(as_tuple=True)
        rows = mask[used]
        length = int(rows.any(0).nonzero().max()) + 1
        return cls(input_ids[used][:, :length], rows[:, :length], document, page, *used.shape)

    def __len__(self) -> int:
        """``N``."""
        return len(self.document)

    @property
    def keys_mask(self) -> Tensor | None:
        """``(N, 1, 1, S)`` for attention to the pages' tokens; None where no page is padded."""
        return None if bool(self.mask.all()) else self.mask[:, None, None]

    def take(self, rows: Tensor | slice) -> "PackedPages":
        """Select pages; the result is cut to the longest of them."""
        mask = self.mask[rows]
        length = int(mask.any(0).nonzero().max()) + 1
        ids = self.input_ids[rows, :length]
        return PackedPages(
            ids, mask[:, :length], self.document[rows], self.page[rows], self.batch, self.pages
        )

    def rounded(self, max_length: int) -> "PackedPages":
        """The same with padding up to a multiple of :data:`STEP`, or to ``max_length``."""
        length = self.mask.shape[1]
        padding = (0, max(min(rounded_up(length), max_length) - length, 0))
        return replace(
            self, input_ids=F.pad(self.input_ids, padding), mask=F.pad(self.mask, padding)
        )

    def by_length(self, max_tokens: int | None = None) -> list[Tensor]:
        """Row numbers of groups of similar length, longest first; ``max_tokens`` limits several
        pages, padded.
        """
        lengths = self.mask.sum(-1)
        order = lengths.argsort(descending=True, stable=True)
        sizes = lengths[order].tolist()
        starts = [0]
        for row, size in enumerate(sizes[1:], start=1):
            longest = sizes[starts[-1]]
            is_full = max_tokens is not None and (row - starts[-1] + 1) * longest > max_tokens
            if is_full or (longest - size) * (len(sizes) - row) >= PADDING_LIMIT:
                starts.append(row)
        return [
            order[start:end] for start, end in zip(starts, [*starts[1:], len(sizes)], strict=True)
        ]

    def unpack(self, values: Tensor, fill: float) -> Tensor:
        """Spread ``(N, ...)`` to ``(B, P, ...)``, with ``fill`` where there is no page."""
        spread = values.new_full((self.batch, self.pages, *values.shape[1:]), fill)
        spread[self.document, self.page] = values
        return spread

    def join(self, states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """The tokens ``(N, S, D)`` of a document in a row ``(B, L, D)``; the mask and the page of
        each ``(B, L)``.
        """
        document = self.document[:, None].expand_as(self.mask)[self.mask]
        counts = document.bincount(minlength=self.batch)
        flat = states[self.mask], self.page[:, None].expand_as(self.mask)[self.mask]
        joined, page = (pad_sequence(one.split(counts.tolist()), batch_first=True) for one in flat)
        return joined, torch.arange(joined.shape[1], device=states.device) < counts[:, None], page

    def part(self, joined: Tensor, mask: Tensor) -> Tensor:
        """Undo :meth:`join`: ``(B, L, D)`` with mask ``(B, L)`` → ``(N, S, D)``, 0 where no token
        is.
        """
        states = joined.new_zeros(*self.mask.shape, joined.shape[-1])
        states[self.mask] = joined[mask]
        return states
