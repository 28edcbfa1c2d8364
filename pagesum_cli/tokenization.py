"""Text → tokens, without torch: how many there are, and which.

Text from documents is data: a document that says ``[SEP]`` or ``</s>`` gets the tokens of those characters, never the
special token.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tokenizers import Encoding, Tokenizer, decoders, models, normalizers, pre_tokenizers

from .errors import PagesumError
from .locality.page import Pages, TokenCounter
from .marks import HEADING, place_marks, rank_marks

BATCH_CHARACTERS = 1_000_000
"""Characters that are tokenized at a time: enough to keep every core busy, little enough to need little memory."""


def load_counter(folder: Path | str) -> TokenCounter:
    """The token counter of a checkpoint folder.

    Args:
        folder: holds ``tokenizer.json``, else ``vocab.json`` and ``merges.txt`` (byte-level BPE, as BART has it), else
            ``vocab.txt`` (WordPiece, as BERT has it).

    Raises:
        PagesumError: the folder holds none of them, or one that cannot be read.
    """
    return token_counter(load_tokenizer(folder))


def load_tokenizer(folder: Path | str) -> Tokenizer:
    """The bare tokenizer of a checkpoint folder; see :func:`load_counter`."""
    folder = Path(folder)
    try:
        if (folder / "tokenizer.json").is_file():
            return Tokenizer.from_file(str(folder / "tokenizer.json"))
        if (folder / "vocab.json").is_file() and (folder / "merges.txt").is_file():
            return _byte_level_bpe(folder)
        if (folder / "vocab.txt").is_file():
            return _word_piece(folder)
    except Exception as error:  # the tokenizers library raises bare Exceptions
        raise PagesumError(
            f"{folder}: the tokenizer cannot be read: {error}", "Download the checkpoint again."
        ) from error
    raise PagesumError(
        f"{folder}: no tokenizer found, expected tokenizer.json, vocab.json with merges.txt, or vocab.txt",
        "Copy the tokenizer's files into the checkpoint's folder.",
    )


def token_counter(tokenizer: Tokenizer) -> TokenCounter:
    """Counts tokens with a tokenizer (``backend_tokenizer`` of a Transformers one).

    Counts add up over texts joined by one space, because every text is counted as it stands after one.
    """

    def count(texts: Sequence[str]) -> list[int]:
        return [len(encoding) for encoding in _encodings(tokenizer, _spaced(texts), special=False)]

    return count


TITLE_TOKENS = 24


class PageTokenizer:
    """Pages → token ids, as a checkpoint wants them.

    Args:
        tokenizer: ``backend_tokenizer`` of a Transformers one.
        first_mark: the token of the first mark (see ``pagesum_cli.marks``); None for a checkpoint without marks.
    """

    def __init__(self, tokenizer: Tokenizer, first_mark: int | None = None) -> None:
        self._tokenizer = tokenizer
        self._first_mark = first_mark

    @property
    def title_tokens(self) -> int:
        """How much of its document's title each page begins with at most, the mark included."""
        return 0 if self._first_mark is None else TITLE_TOKENS

    @property
    def special_tokens(self) -> int:
        """How many tokens of a page are not text, the marks of its sentences not counted."""
        return self._tokenizer.num_special_tokens_to_add(False) + (self._first_mark is not None)

    def count(self, texts: Sequence[str]) -> list[int]:
        """How many tokens each heading or sentence takes on a page, its mark included; a ``TokenCounter``."""
        marks = int(self._first_mark is not None)
        return [tokens and tokens + marks for tokens in token_counter(self._tokenizer)(texts)]

    def ids(self, pages: Pages, page_tokens: int, *, spaced: bool = True) -> list[list[int]]:
        """The token ids of pages, special tokens added, truncated at ``page_tokens``.

        Args:
            pages: of everything that is summarized.
            page_tokens: ``S``, special tokens included.
            spaced: tokenize each text as if it stood after a space, as :func:`token_counter` counts. The original
                program does not; byte-level tokenizers can then need more tokens for the first word.
        """
        if self._first_mark is None:
            return page_ids(self._tokenizer, [page.text for page in pages.pages], page_tokens, spaced=spaced)
        start, end = self._tokenizer.encode("", add_special_tokens=True).ids
        places = place_marks([page.source for page in pages.pages])
        return [
            [
                *(start, self._first_mark + place),
                *[token for mark, ids in pieces for token in (self._first_mark + mark, *ids)][: page_tokens - 3],
                end,
            ]
            for place, pieces in zip(places, self.pieces(pages), strict=True)
        ]

    def pieces(self, pages: Pages) -> list[list[tuple[int, list[int]]]]:
        """The title, headings and sentences of each page: mark and token ids."""
        spoken = [sentence for page in pages.pages for sentence in page.sentences]
        marks = iter(rank_marks([sentence.text for sentence in spoken if not sentence.is_heading]))
        texts = [
            text
            for page in pages.pages
            for text in (*filter(None, (page.title, page.heading)), *(one.text for one in page.sentences))
        ]
        ids = (encoding.ids for encoding in _encodings(self._tokenizer, _spaced(texts), special=False))
        return [
            [
                *((HEADING, next(ids)) for _ in filter(None, (page.title, page.heading))),
                *((HEADING if one.is_heading else next(marks), next(ids)) for one in page.sentences),
            ]
            for page in pages.pages
        ]


def page_ids(tokenizer: Tokenizer, texts: Sequence[str], page_tokens: int, *, spaced: bool = True) -> list[list[int]]:
    """The token ids of texts, special tokens added, truncated at ``page_tokens``; see :meth:`PageTokenizer.ids`."""
    encodings = _encodings(tokenizer, _spaced(texts) if spaced else texts, special=True, most=page_tokens)
    return [encoding.ids for encoding in encodings]


def _spaced(texts: Sequence[str]) -> list[str]:
    return [f" {text}" if text else "" for text in texts]


def _encodings(
    tokenizer: Tokenizer, texts: Sequence[str], *, special: bool, most: int | None = None
) -> Iterator[Encoding]:
    # Set anew each time: Transformers changes these on every call of the tokenizer around this one.
    tokenizer.no_padding()
    tokenizer.no_truncation()
    if most is not None:
        tokenizer.enable_truncation(most)
    tokenizer.encode_special_tokens = True
    for batch in _batches(texts):
        yield from tokenizer.encode_batch_fast(batch, add_special_tokens=special)


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(text)
        size += len(text)
        if size >= BATCH_CHARACTERS:
            yield batch
            batch, size = [], 0
    yield batch


def _byte_level_bpe(folder: Path) -> Tokenizer:
    tokenizer = Tokenizer(models.BPE.from_file(str(folder / "vocab.json"), str(folder / "merges.txt")))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _word_piece(folder: Path) -> Tokenizer:
    tokenizer = Tokenizer(models.WordPiece.from_file(str(folder / "vocab.txt"), unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=_is_lower_case(folder))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    return tokenizer


def _is_lower_case(folder: Path) -> bool:
    settings = folder / "tokenizer_config.json"
    return not settings.is_file() or json.loads(settings.read_text(encoding="utf-8")).get("do_lower_case", True)
