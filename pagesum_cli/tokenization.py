"""Pages → token ids with the place of each sentence, and back. Independent of torch.

A vocabulary of whole words is extended, for each document, by those of its words that it lacks:
their ids begin after its own, in the order in which the words occur. Models can copy such words.

Text from documents is data: a document that contains ``[SEP]`` or ``</s>`` gets the tokens of those
characters, never the special token.

A page is encoded alone; control tokens give it what it cannot know of the whole document. A
checkpoint uses them if its configuration has ``first_control_token``:

- after the start token, the position of the page in its document (:data:`PLACES` tokens);
- before a heading, that it is one (:data:`HEADING`); each page begins with its document's title, as
  a heading;
- before every other sentence, how central it is to everything that is summarized: its rank by
  cosine with the centroid of all sentences' TF-IDF vectors (Radev et al., 2004), in steps that
  double (:data:`RANKS` tokens).
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from pathlib import Path
from threading import Lock
from typing import Any

from tokenizers import AddedToken, Encoding, Tokenizer, models, processors
from tokenizers.implementations import BertWordPieceTokenizer, ByteLevelBPETokenizer

from .errors import PagesumError
from .locality.flow import Page, Pages
from .text.tfidf import centrality
from .text.words import places_of_words

PLACES, RANKS = 8, 7
HEADING = PLACES
FIRST_RANK = HEADING + 1
CONTROL_TOKENS = FIRST_RANK + RANKS  # number of control tokens

# ``model_type`` of language models, which read pages in a prompt
LANGUAGE_MODELS = ("causal", "causal-lora")

TITLE_TOKENS = 24
TEXTS_AT_ONCE = 1000  # enough to keep every core busy, few enough to need little memory
# a token may take 500 bytes while texts are encoded: characters of the texts that are encoded
# together, and of a piece of a text of which only the tokens are counted
CHARACTERS_AT_ONCE, PIECE = 200_000, 20_000


@dataclass(frozen=True, slots=True)
class SentenceSpan:
    """The place of a sentence among a page's tokens."""

    sentence: int  # its index in ``page.sentences``; -1 for the page's title and repeated heading
    start: int  # position of its control token
    end: int  # position after its last token


@dataclass(frozen=True)
class EncodedPage:
    """A page as token ids, special tokens included."""

    ids: list[int]  # at most ``page_tokens`` of them
    # sentences and headings in order; empty without control tokens
    spans: tuple[SentenceSpan, ...] = ()


class PageTokenizer:
    """The tokenizer of a checkpoint, without control tokens if ``first_control_token`` is None."""

    def __init__(self, backend: Tokenizer, first_control_token: int | None = None) -> None:
        backend.no_padding()
        backend.no_truncation()
        backend.encode_special_tokens = True
        self.backend = backend
        self.first_control_token = first_control_token
        self.special_ids = frozenset(
            number for number, token in backend.get_added_tokens_decoder().items() if token.special
        )
        is_of_words = isinstance(backend.model, models.WordLevel) and backend.normalizer is not None
        self._stored = ""  # what :meth:`save` writes; empty for the backend as it is
        # In a vocabulary of whole, normalized words, the id of those that it lacks; None in all
        # others.
        self.unknown_id: int | None = (
            backend.token_to_id(backend.model.unk_token) if is_of_words else None
        )

    @classmethod
    def load(cls, folder: Path | str, first_control_token: int | None = None) -> "PageTokenizer":
        """Read the tokenizer of a checkpoint's folder.

        It has ``tokenizer.json``, or ``vocab.json`` and ``merges.txt`` (byte-level BPE, as BART),
        or ``vocab.txt`` (WordPiece, as BERT).
        """
        folder = Path(folder)
        with _guarded(f"{folder}: the tokenizer cannot be read"), _without_stderr():
            tokenizer = cls(_load_backend(folder), first_control_token)
            tokenizer.backend.encode("A test.", add_special_tokens=True)
        return tokenizer

    @classmethod
    def of(cls, folder: Path | str, settings: Mapping[str, Any]) -> "PageTokenizer":
        """Read the tokenizer of a checkpoint with these settings.

        A language model's has no special tokens around a text: its prompt has them.
        """
        tokenizer = cls.load(folder, settings.get("first_control_token"))
        return tokenizer.plain() if settings.get("model_type") in LANGUAGE_MODELS else tokenizer

    def plain(self) -> "PageTokenizer":
        """The same for text alone: none of the added tokens is ever found in a text, special or
        not, and none is put around it.
        """
        stored = self.backend.to_str()
        values = json.loads(stored)
        values["post_processor"] = None
        for token in values["added_tokens"]:
            token["special"] = True  # the backend reads these as text, and no others
        with _guarded("the tokenizer cannot be read"):
            tokenizer = PageTokenizer(Tokenizer.from_str(json.dumps(values)))
        tokenizer.special_ids = self.special_ids
        tokenizer._stored = stored
        return tokenizer

    def save(self, folder: Path | str) -> None:
        """Write ``tokenizer.json`` into a folder."""
        text = self._stored or self.backend.to_str(pretty=True)
        (Path(folder) / "tokenizer.json").write_text(text, encoding="utf-8")

    @property
    def vocab_size(self) -> int:
        """Number of tokens, added ones included."""
        return self.backend.get_vocab_size()

    @property
    def is_lower_case(self) -> bool:
        """Whether the vocabulary has lost case and spacing (words, WordPiece): generated text needs
        a truecaser.
        """
        return isinstance(self.backend.model, models.WordPiece) or self.unknown_id is not None

    @property
    def title_tokens(self) -> int:
        """Maximum number of tokens of its document's title at the beginning of each page, control
        token included.
        """
        return 0 if self.first_control_token is None else TITLE_TOKENS

    @property
    def special_tokens(self) -> int:
        """Number of tokens of a page that are not text, the control tokens of its sentences not
        counted.
        """
        return self.backend.num_special_tokens_to_add(False) + (
            self.first_control_token is not None
        )

    def count(self, texts: Sequence[str]) -> list[int]:
        """Count the tokens that each heading or sentence takes on a page, control token included; a
        ``TokenCounter``.

        Counts add up over texts joined by one space, because every text is counted as it is after
        one.
        """
        control = int(self.first_control_token is not None)
        pieces = [_pieces_of(text) for text in _spaced(texts)]
        tokens = map(len, self._encodings(list(chain.from_iterable(pieces))))
        lengths = [sum(islice(tokens, len(own))) for own in pieces]
        return [length and length + control for length in lengths]

    def unknown_words(self, pages: Pages) -> tuple[str, ...]:
        """The words of pages that a vocabulary of words lacks, in order; empty for all other
        vocabularies.
        """
        if self.unknown_id is None:
            return ()
        texts = _texts(pages)
        encodings = zip(texts, self._encodings(texts), strict=True)
        return tuple(
            dict.fromkeys(
                word for text, item in encodings for word in self._unknown(text, item) if word
            )
        )

    def _unknown(self, text: str, encoding: Encoding) -> Iterator[str]:
        normalizer = self.backend.normalizer
        for token, (start, end) in zip(encoding.ids, encoding.offsets, strict=True):
            word = text[start:end] if token == self.unknown_id else ""
            yield normalizer.normalize_str(word) if word and normalizer else word

    def _extended(self, text: str, encoding: Encoding, words: Sequence[str]) -> list[int]:
        """Token ids; those of ``words`` are ids after the vocabulary's."""
        if self.unknown_id is None or not words:
            return encoding.ids
        ids = {word: self.vocab_size + number for number, word in enumerate(words)}
        found = zip(encoding.ids, self._unknown(text, encoding), strict=True)
        return [ids.get(word, token) if word else token for token, word in found]

    def encode(self, text: str, words: Sequence[str] = ()) -> list[int]:
        """Token ids of a text, special tokens included; ``words`` are those of
        :meth:`unknown_words`.
        """
        with _guarded("the tokenizer fails"):
            return self._extended(text, self.backend.encode(text, add_special_tokens=True), words)

    def pieces(self, text: str, words: Sequence[str] = ()) -> tuple[list[str], list[int]]:
        """Split a text into one piece a token, which joined are the text, and their ids; without
        special tokens.
        """
        with _guarded("the tokenizer fails"):
            encoding = self.backend.encode(text, add_special_tokens=False)
        # Byte-level tokens of one character share its place: all but the first are empty.
        bounds = [0, *(end for _, end in encoding.offsets[:-1]), len(text)]
        pieces = [text[start:end] for start, end in pairwise(bounds)] if encoding.ids else []
        return pieces, self._extended(text, encoding, words)

    def decode(self, ids: Sequence[int], words: Sequence[str] = ()) -> str:
        """Text of token ids; special tokens and control tokens are skipped."""
        kept = [token for token in ids if self.is_text(token)]
        if self.unknown_id is not None:
            return " ".join(self.token(token, words) for token in kept)
        with _guarded("the tokenizer fails"):
            return self.backend.decode(kept, skip_special_tokens=False)

    def token(self, token_id: int, words: Sequence[str] = ()) -> str:
        """A token as the vocabulary writes it, or a word that it lacks: ``<copy0>`` where ``words``
        are not given.
        """
        if self.unknown_id is not None and token_id >= self.vocab_size:
            number = token_id - self.vocab_size
            return words[number] if number < len(words) else f"<copy{number}>"
        return self.backend.id_to_token(token_id) or ""

    def is_text(self, token_id: int) -> bool:
        """Whether a token is text, not a special or control token."""
        first = self.first_control_token
        is_control = first is not None and first <= token_id < first + CONTROL_TOKENS
        return token_id not in self.special_ids and not is_control

    def encode_pages(
        self, pages: Pages, page_tokens: int, *, spaced: bool = True
    ) -> list[EncodedPage]:
        """Token ids of everything that is summarized together, special tokens included, truncated
        at ``page_tokens``.

        ``spaced``: each text is tokenized as after a space, as :meth:`count` does. The original
        program does not; byte-level tokenizers can then need more tokens for the first word.
        """
        if self.first_control_token is None:
            words = self.unknown_words(pages)
            texts = _spaced(_texts(pages)) if spaced else _texts(pages)
            encodings = self._encodings(texts, page_tokens)
            extended = [self._extended(*pair, words) for pair in zip(texts, encodings, strict=True)]
            both = zip(pages.pages, extended, strict=True)
            return [
                EncodedPage(ids if page.ids is None else self._cut_ids(page, words))
                for page, ids in both
            ]
        start, end = self.backend.encode("", add_special_tokens=True).ids
        first = self.first_control_token
        encoded = []
        for place, pieces in zip(_places(pages.pages), self._pieces_of_pages(pages), strict=True):
            ids, spans = [start, first + place], []
            for sentence, control, tokens in pieces:
                room = page_tokens - 1 - len(ids)
                if room < 2:
                    break
                spans.append(
                    SentenceSpan(sentence, len(ids), len(ids) + min(1 + len(tokens), room))
                )
                ids += [first + control, *tokens][:room]
            encoded.append(EncodedPage([*ids, end], tuple(spans)))
        return encoded

    def _cut_ids(self, page: Page, words: Sequence[str]) -> list[int]:
        """Token ids of a page that was cut between tokens; whole words may be ones that the
        vocabulary lacks.
        """
        return list(page.ids or ()) if self.unknown_id is None else self.pieces(page.text, words)[1]

    def words_of_pages(
        self, pages: Pages, encoded: Sequence[EncodedPage], *, spaced: bool = True
    ) -> list[list[str | None]]:
        """The word in lower case of each token by page: empty for punctuation, None for special and
        control tokens.
        """
        if self.first_control_token is None:
            texts = [[text] for text in _texts(pages)]
        else:
            texts = [
                [*_headings(page), *(item.printed for item in page.sentences)]
                for page in pages.pages
            ]
        unknown = self.backend.token_to_id(getattr(self.backend.model, "unk_token", None) or "")
        is_spaced = spaced or self.first_control_token is not None
        rows: list[list[str | None]] = []
        for own, page in zip(texts, encoded, strict=True):
            words = (
                word
                for text in (_spaced(own) if is_spaced else own)
                for word in self._token_words(text)
            )
            # The text of a page may have been cut, but nothing within it is left out.
            is_text = (self.is_text(token) or token == unknown for token in page.ids)
            rows.append([next(words, "") if item else None for item in is_text])
        return rows

    def _token_words(self, text: str) -> Iterator[str]:
        with _guarded("the tokenizer fails"):
            offsets = self.backend.encode(text, add_special_tokens=False).offsets
        words = iter([*places_of_words(text), (len(text) + 1, len(text) + 1)])
        start, end = next(words)
        for first, last in offsets:
            while end <= first:
                start, end = next(words)
            yield text[start:end].lower() if start < max(last, first + 1) else ""

    def _pieces_of_pages(self, pages: Pages) -> Iterator[list[tuple[int, int, list[int]]]]:
        """Title, heading and sentences of each page: index of the sentence, control token, token
        ids.
        """
        ranks = iter(
            centrality_ranks(
                [
                    item.text
                    for page in pages.pages
                    for item in page.sentences
                    if not item.is_heading
                ]
            )
        )
        texts = [
            text
            for page in pages.pages
            for text in (*_headings(page), *(item.printed for item in page.sentences))
        ]
        ids = (encoding.ids for encoding in self._encodings(_spaced(texts)))
        for page in pages.pages:
            pieces = [(-1, HEADING, next(ids)) for _ in _headings(page)]
            for number, item in enumerate(page.sentences):
                pieces.append(
                    (number, HEADING if item.is_heading else FIRST_RANK + next(ranks), next(ids))
                )
            yield pieces

    def _encodings(self, texts: Sequence[str], limit: int | None = None) -> Iterator[Encoding]:
        """Encode texts; with a limit, special tokens are added and the whole is truncated to it.

        The backend could truncate by itself, but that is a setting, which would change what another
        thread encodes.
        """
        room = None if limit is None else limit - self.backend.num_special_tokens_to_add(False)
        needs_places = self.unknown_id is not None
        encode = self.backend.encode_batch if needs_places else self.backend.encode_batch_fast
        for some in _together(texts):
            with _guarded("the tokenizer fails"):
                encodings = encode(some, add_special_tokens=False)
            for encoding in encodings:
                if room is not None:
                    encoding.truncate(room)
                    encoding = self.backend.post_process(encoding, add_special_tokens=True)
                yield encoding


def _together(texts: Sequence[str]) -> Iterator[list[str]]:
    """Texts in groups that are encoded together: bounded in number and in characters."""
    some: list[str] = []
    size = 0
    for text in texts:
        if some and (len(some) == TEXTS_AT_ONCE or size + len(text) > CHARACTERS_AT_ONCE):
            yield some
            some, size = [], 0
        some.append(text)
        size += len(text)
    if some:
        yield some


def _pieces_of(text: str) -> list[str]:
    """A long text in pieces, each cut before a space where there is one, so that tokens add up."""
    if len(text) <= PIECE:
        return [text]
    pieces, start = [], 0
    while len(text) - start > PIECE:
        end = text.rfind(" ", start + 1, start + PIECE)
        end = end if end > 0 else start + PIECE
        pieces.append(text[start:end])
        start = end
    return [*pieces, text[start:]]


def centrality_ranks(sentences: Sequence[str]) -> list[int]:
    """Rank sentences by centrality: 0 for the two most central ones, 1 for the next four, 2 for the
    next eight …
    """
    order = sorted(range(len(sentences)), key=(-centrality(sentences)).__getitem__)  # stable
    ranks = [0] * len(sentences)
    for rank, number in enumerate(order):
        ranks[number] = min((rank // 2 + 1).bit_length(), RANKS) - 1
    return ranks


def _places(pages: Sequence[Page]) -> list[int]:
    """Control token of each page: 0 for a document's first page, then 1 to ``PLACES - 1`` up to its
    last page.
    """
    starts = [n for n, page in enumerate(pages) if n == 0 or pages[n - 1].source != page.source]
    places: list[int] = []
    for start, end in pairwise([*starts, len(pages)]):
        rest = end - start - 1
        places += [0, *(1 + (PLACES - 1) * number // rest for number in range(rest))]
    return places


def _texts(pages: Pages) -> list[str]:
    return [page.text if page.text.strip() else "" for page in pages.pages]


def _headings(page: Page) -> list[str]:
    return [text for text in (page.title, page.heading) if text]


def _spaced(texts: Sequence[str]) -> list[str]:
    return [f" {text}" if text else "" for text in texts]


@contextmanager
def _guarded(what: str) -> Iterator[None]:
    """Report what the tokenizers library raises: bare Exceptions, and panics, which are no
    Exceptions.
    """
    try:
        yield
    except PagesumError:
        raise
    except BaseException as error:
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise
        reason = " ".join(str(error).split())[:200]
        raise PagesumError(f"{what}: {reason}", "download the checkpoint again") from error


_STDERR = Lock()


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Discard what Rust writes to standard error where it panics; the panic is raised, too."""
    with _STDERR, open(os.devnull, "wb") as nowhere:
        kept = os.dup(2)
        os.dup2(nowhere.fileno(), 2)
        try:
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _load_backend(folder: Path) -> Tokenizer:
    if (folder / "tokenizer.json").is_file():
        return Tokenizer.from_file(str(folder / "tokenizer.json"))
    if (folder / "vocab.json").is_file() and (folder / "merges.txt").is_file():
        return _byte_level_bpe(folder)
    if (folder / "vocab.txt").is_file():
        settings = folder / "tokenizer_config.json"
        lower = not settings.is_file() or json.loads(settings.read_text(encoding="utf-8")).get(
            "do_lower_case", True
        )
        return BertWordPieceTokenizer.from_file(
            str(folder / "vocab.txt"), lowercase=lower
        )._tokenizer
    message = (
        f"{folder}: no tokenizer found, expected tokenizer.json, vocab.json with "
        f"merges.txt, or vocab.txt"
    )
    raise PagesumError(
        message, "copy the tokenizer of the checkpoint that it was made from into its folder"
    )


def _byte_level_bpe(folder: Path) -> Tokenizer:
    files = (str(folder / name) for name in ("vocab.json", "merges.txt"))
    tokenizer = ByteLevelBPETokenizer.from_file(*files)._tokenizer
    ids = {token: tokenizer.token_to_id(token) for token in ("<s>", "</s>")}
    if None not in ids.values():
        special = ("<s>", "<pad>", "</s>", "<unk>", "<mask>")
        known = [token for token in special if tokenizer.token_to_id(token) is not None]
        tokenizer.add_special_tokens([AddedToken(token, special=True) for token in known])
        tokenizer.post_processor = processors.TemplateProcessing(
            single="<s> $A </s>", special_tokens=list(ids.items())
        )
    return tokenizer
