"""The extractive family on NumPy arrays, in float32: what :mod:`.model` computes with PyTorch,
whose import takes longer than a summary.

Rows of different lengths (pages, or runs of sentences) lie one after another in one array ``(T,
D)``, so nothing is padded: products are computed of all rows, attention of each row and head by
itself.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ...locality.flow import Pages
from ...system import available_cores
from ...tokenization import CONTROL_TOKENS, HEADING, PageTokenizer
from ..arrays import Rows, Shape, read_arrays
from ..family import OnEncode
from .configuration import POSITIONS, RUN, ExtractiveConfig
from .focus import WordVectors
from .quotes import DocumentsToQuote, Quoting, ScoredSentences, with_surroundings

Array = NDArray[np.float32]
Weights = Mapping[str, Array]

Numbers = NDArray[np.int64]

SHARED = "shared.weight"
POSITION_OFFSET = 2  # position embeddings begin at 2, as BART's
TOGETHER = (
    512  # tokens of pages that are encoded together, if they are several: more leave the cache
)

EPSILON = np.float32(1e-5)  # added to variances, as in PyTorch's layers
IN_CACHE = 1 << 16  # values that functions of single values are computed of at a time

GELU = (0.79782814, 0.036468787, -0.00012485886, -3.0581582e-5, 1.1191166e-6)
"""Coefficients of u = x², by which gelu(x) = x / (1 + exp(-2 x p(u))) within 4e-6. They were fitted
to the error function, which NumPy lacks, for u up to 25; above it, p grows, and the function is 0
or x.
"""

LARGEST_POWER = 80.0  # of an exponential that does not overflow

# sums of the exponentials of a row's logits, between which these need no maximum subtracted
LEAST_SUM, LARGEST_SUM = 1e-30, 1e37


def gelu(values: Array) -> Array:
    """The function of each value, in place."""
    flat = values.reshape(-1)
    with np.errstate(over="ignore"):  # x / infinity is 0, as it should be
        for start in range(0, flat.size, IN_CACHE):
            _gelu(flat[start : start + IN_CACHE])
    return values


def _gelu(values: Array) -> None:
    squares = values * values
    power = squares * np.float32(-2 * GELU[-1])
    for coefficient in GELU[-2:0:-1]:
        power -= 2 * coefficient
        power *= squares
    power -= 2 * GELU[0]
    power *= values
    np.exp(power, out=power)
    power += 1
    values /= power


def relu(values: Array) -> Array:
    """The same for max(x, 0)."""
    return np.maximum(values, 0, out=values)


def silu(values: Array) -> Array:
    """The same for x / (1 + exp(-x))."""
    values /= 1 + np.exp(np.minimum(-values, LARGEST_POWER))
    return values


ACTIVATIONS: dict[str, Callable[[Array], Array]] = {
    "gelu": gelu,
    "relu": relu,
    "silu": silu,
    "swish": silu,
}


def normed(states: Array, weights: Weights, name: str) -> Array:
    """Layer normalization of states ``(T, D)``, in place."""
    states -= states.mean(-1, keepdims=True)
    variance = np.einsum("td,td->t", states, states)[:, None] / states.shape[-1]
    states /= np.sqrt(variance + EPSILON)
    states *= weights[f"{name}.weight"]
    states += weights[f"{name}.bias"]
    return states


def linear(states: Array, weights: Weights, name: str) -> Array:
    """A linear layer: ``(T, I)`` → ``(T, O)``."""
    result = states @ weights[f"{name}.weight"].T
    result += weights[f"{name}.bias"]
    return result


def attention(queries: Array, keys: Array, values: Array) -> Array:
    """One row's attention: queries ``(H, Q, d)``, keys and values ``(H, S, d)`` → ``(Q, H, d)``."""
    heads, count, width = queries.shape
    mixed = np.empty((count, heads, width), np.float32)
    ones = np.ones(keys.shape[1], np.float32)
    for head in range(heads if count else 0):
        logits = queries[head] @ keys[head].T
        with np.errstate(over="ignore", invalid="ignore"):
            np.exp(logits, out=logits)
            sums = logits @ ones  # faster than a sum along an axis
        if not LEAST_SUM < sums.min() <= sums.max() < LARGEST_SUM:
            logits = queries[head] @ keys[head].T
            logits -= logits.max(-1, keepdims=True)
            np.exp(logits, out=logits)
            sums = logits @ ones
        np.divide(logits @ values[head], sums[:, None], out=mixed[:, head])
    return mixed


@dataclass(frozen=True)
class Layers:
    """Encoder layers under one name, see ``layers.transformer.EncoderLayer``."""

    weights: Weights
    name: str
    count: int
    heads: int
    activation: Callable[[Array], Array]

    def __call__(
        self, states: Array, lengths: Sequence[int], places: Sequence[Numbers] | None = None
    ) -> Array:
        """States ``(T, D)`` of rows of these lengths → the same, or at some places of each row
        alone.
        """
        for number in range(self.count):
            is_last = number == self.count - 1
            states = self._layer(number, states, lengths, places if is_last else None)
        return states

    def _layer(
        self,
        number: int,
        states: Array,
        lengths: Sequence[int],
        places: Sequence[Numbers] | None,
    ) -> Array:
        weights, name = self.weights, f"{self.name}.{number}"
        starts = [0, *accumulate(lengths)]
        asking, counts = states, starts
        if places is not None:
            chosen = [start + row for start, row in zip(starts, places, strict=False)]
            asking, counts = states[np.concatenate(chosen)], [0, *accumulate(map(len, places))]
        queries = linear(asking, weights, f"{name}.self_attn.q_proj")
        keys, values = (
            linear(states, weights, f"{name}.self_attn.{part}_proj") for part in ("k", "v")
        )
        queries /= np.float32((queries.shape[-1] / self.heads) ** 0.5)
        mixed = np.empty_like(queries)
        for own, all_of_row in zip(pairwise(counts), pairwise(starts), strict=True):
            query = self._split(queries[slice(*own)])
            row = slice(*all_of_row)
            attended = attention(query, self._split(keys[row]), self._split(values[row]))
            mixed[slice(*own)] = attended.reshape(len(attended), -1)
        mixed = linear(mixed, weights, f"{name}.self_attn.out_proj")
        mixed += asking
        states = normed(mixed, weights, f"{name}.self_attn_layer_norm")
        inner = self.activation(linear(states, weights, f"{name}.fc1"))
        inner = linear(inner, weights, f"{name}.fc2")
        inner += states
        return normed(inner, weights, f"{name}.final_layer_norm")

    def _split(self, states: Array) -> Array:
        """``(tokens, D)`` → ``(H, tokens, d)``."""
        return states.reshape(len(states), self.heads, -1).transpose(1, 0, 2)


def shapes_of(config: ExtractiveConfig) -> dict[str, Shape]:
    """The weights by name, with their shapes."""
    width, inner = config.d_model, config.encoder_ffn_dim
    linear_layers = {
        **{f"self_attn.{part}_proj": (width, width) for part in "kvq"},
        "self_attn.out_proj": (width, width),
        "fc1": (inner, width),
        "fc2": (width, inner),
    }
    norms = ("self_attn_layer_norm", "final_layer_norm")
    shapes: dict[str, Shape] = {
        SHARED: (config.vocab_size, width),
        "encoder.embed_positions.weight": (config.max_position_embeddings + POSITION_OFFSET, width),
        "scoring.places.weight": (2 * POSITIONS, width),
    }
    stacks = {"encoder": config.encoder_layers, "scoring": config.scoring_layers}
    names = [f"{stack}.layers.{n}" for stack, count in stacks.items() for n in range(count)]
    for name in names:
        for layer, shape in linear_layers.items():
            shapes |= {f"{name}.{layer}.weight": shape, f"{name}.{layer}.bias": shape[:1]}
    for name in ["encoder.layernorm_embedding", *(f"{n}.{norm}" for n in names for norm in norms)]:
        shapes |= {f"{name}.weight": (width,), f"{name}.bias": (width,)}
    for name, count in (("scoring.out", 2), ("scoring.length", 1)):
        shapes |= {f"{name}.weight": (count, width), f"{name}.bias": (count,)}
    return shapes


@dataclass(frozen=True)
class PlainModel(Quoting):
    """An encoder and layers that score sentences, on a CPU."""

    config: ExtractiveConfig
    weights: Weights
    words: Rows  # the embeddings of tokens
    generates = False
    revision: str = ""
    device = "cpu"
    number_format = "float32"
    needs_reference = False

    @classmethod
    def load(cls, folder: Path, settings: dict[str, Any], revision: str) -> Self:
        """Read a checkpoint.

        Raises:
            ValueError, TypeError: Its configuration does not describe a model.
            CannotRead: Its weights are stored in another way, or not as they should be.
        """
        config = ExtractiveConfig.from_dict(settings)
        if config.activation_function not in ACTIVATIONS:
            raise ValueError(config.activation_function)
        weights, rows = read_arrays(folder, shapes_of(config), kept=(SHARED,))
        return cls(config, weights, rows[SHARED], revision)

    def prepare(
        self, tokenizer: PageTokenizer, documents: Sequence[Pages], page_tokens: int, spaced: bool
    ) -> DocumentsToQuote:
        """Turn the pages of each document (or cluster) into input."""
        encoded = tuple(
            tuple(tokenizer.encode_pages(pages, page_tokens, spaced=spaced)) for pages in documents
        )
        ids = (max(page.ids) for document in encoded for page in document)
        self.config.check_ids(max(ids, default=0))
        return DocumentsToQuote(encoded, **with_surroundings(tokenizer, documents))

    def pack_weights(self) -> None:
        """Keep the weights as they are."""

    def word_vectors(self, tokenizer: PageTokenizer) -> WordVectors:
        return WordVectors(lambda tokens: self.words[list(tokens)], self.words.mean(), tokenizer)

    def scored_sentences(
        self, batch: DocumentsToQuote, on_encode: OnEncode | None = None
    ) -> ScoredSentences:
        pages = [np.array(page.ids) for document in batch.encoded for page in document]
        documents = np.repeat(np.arange(len(batch.encoded)), list(map(len, batch.encoded)))
        places = [self._places(ids) for ids in pages]
        states = self._encoded(pages, places, on_encode or (lambda done, all_pages: None))
        row = np.repeat(np.arange(len(pages)), list(map(len, places)))
        parts = self._parts(pages, documents)
        scores = self.score(states, documents[row], parts[row])
        return ScoredSentences(scores, row, np.concatenate(places), parts)

    def _places(self, ids: Numbers) -> Numbers:
        """Positions of the control tokens of headings and sentences."""
        first = self.config.first_control_token or 0
        return ((ids >= first + HEADING) & (ids < first + CONTROL_TOKENS)).nonzero()[0]

    def _parts(self, pages: Sequence[Numbers], documents: Numbers) -> Numbers:
        """The document of each page, numbered within clusters too."""
        first = self.config.first_control_token or 0
        is_first = np.array([ids[1] == first for ids in pages])
        is_first[1:] |= documents[1:] != documents[:-1]
        return is_first.cumsum()

    def _encoded(
        self, pages: Sequence[Numbers], places: Sequence[Numbers], on_encode: OnEncode
    ) -> Array:
        """The states of the places on pages, in order ``(M, D)``."""
        groups = list(_groups([len(ids) for ids in pages]))
        states, done = [], 0

        def encoded_of(rows: slice) -> Array:
            return self.encode(list(pages)[rows], list(places)[rows])

        with ThreadPoolExecutor(threads()) as pool:
            for rows, encoded in zip(groups, pool.map(encoded_of, groups), strict=True):
                states.append(encoded)
                done += rows.stop - rows.start
                on_encode(done, len(pages))
        return np.concatenate(states)

    def encode(self, pages: Sequence[Numbers], places: Sequence[Numbers]) -> Array:
        """Encode pages, each alone, and return the states of places on them ``(M, D)``."""
        config, lengths = self.config, [len(ids) for ids in pages]
        states = self.words[np.concatenate(pages)]
        positions = [np.arange(length) + POSITION_OFFSET for length in lengths]
        states += self.weights["encoder.embed_positions.weight"][np.concatenate(positions)]
        states = normed(states, self.weights, "encoder.layernorm_embedding")
        return self._layers("encoder", config.encoder_layers)(states, lengths, places)

    def score(self, states: Array, document: Numbers, part: Numbers) -> Array:
        """Score the states of headings and sentences, see ``model.SentenceScorer`` → ``(M, 3)``."""
        if not len(states):
            return np.zeros((0, 3), np.float32)
        number, count = _numbered(part)
        share = POSITIONS + POSITIONS * number // count
        places = self.weights["scoring.places.weight"]
        states = states + places[number.clip(max=POSITIONS - 1)] + places[share]
        number, _ = _numbered(document)
        starts = (number % RUN == 0).nonzero()[0].tolist()
        lengths = [end - start for start, end in pairwise([*starts, len(states)])]
        states = self._layers("scoring", self.config.scoring_layers)(states, lengths)
        parts = [linear(states, self.weights, f"scoring.{name}") for name in ("out", "length")]
        return np.concatenate(parts, axis=1)

    def _layers(self, stack: str, count: int) -> Layers:
        heads = self.config.encoder_attention_heads
        activation = ACTIVATIONS[self.config.activation_function]
        return Layers(self.weights, f"{stack}.layers", count, heads, activation)


def _groups(lengths: Sequence[int]) -> Iterator[slice]:
    """Slices of pages that are encoded together."""
    start = total = 0
    for number, length in enumerate(lengths):
        if total and total + length > TOGETHER:
            yield slice(start, number)
            start, total = number, 0
        total += length
    yield slice(start, len(lengths))


def _numbered(groups: Numbers) -> tuple[Numbers, Numbers]:
    """The place of each in its group, from 0, and the size of its group, by ascending groups
    ``(M,)``.
    """
    counts = np.bincount(groups)
    starts = counts.cumsum() - counts
    return np.arange(len(groups)) - starts[groups], counts[groups]


def threads() -> int:
    """Number of threads that each encode pages: of OpenMP, if that is set, or one a core.

    One where the library of products has threads of its own.
    """
    if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
        return 1
    given = os.environ.get("OMP_NUM_THREADS", "")
    return int(given) if given.isdecimal() and int(given) else available_cores()
