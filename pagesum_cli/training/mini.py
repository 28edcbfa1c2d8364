"""How the bundled checkpoint is trained, on a GPU, or on a CPU in hours (``presets/mini.toml``).

Three tasks, all from the documents' own sentences:

- *marked*: copy the sentences that are marked as wanted, in order. It teaches the new cross-attention to find and copy.
- *extract*: from the pages of a document, write the sentences of its own that cover the author's summary best, in the
  document's order.
- *salience*, beside *extract* or alone: tell from the encoder's states which sentences these are, and how long the
  author's summary is.

The page that each token comes from is known, and the confidences are led towards it. When the model summarizes, what
it finds salient is marked as wanted first (``generate``).
"""

import json
import lzma
import math
import os
import pickle
import random
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn
from transformers import PreTrainedTokenizerFast

from ..decoding.plan import can_be_said
from ..documents.records import Record
from ..errors import PagesumError
from ..evaluation.readers import read_path
from ..marks import MARKS, WANTED
from ..model.checkpoints import pick_device, pick_dtype
from ..model.modeling import PageRows, PageSumForConditionalGeneration, shift_right
from ..tokenization import PageTokenizer, load_tokenizer
from .extracts import Extract, Piece, extract, salience_of
from .settings import preset_text
from .warm_start import warm_start

START, END, PAD, FIRST_MARK = 101, 102, 0, 1
"""Of BERT's vocabulary; the marks are among its unused tokens."""
SENTENCE_ENDS = (999, 1012, 1029)
"""``!``, ``.`` and ``?``."""
POINTING = {
    "words": "he she they it his her their its these those such",
    "this": "this that",
    "verbs": "is are was were be can could will would may might must shall should has have had does do did also not "
    "way means meant allows allow made makes includes include leads led suggests suggest indicates indicate ensures "
    "enables requires avoids prevents provides gives causes implies shows showed results resulted",
    "before": "- – — * • ·",
    "shown": "fig figs figure figures table tables section",
    "numbers": " ".join(map(str, range(1, 31))),
}
"""Words that point back or away; see ``decoding.plan.Pointing``."""
USUAL_TOKENS = 200
"""Of a summary, before anything is known about its document."""
NO_LABEL = -100
SAVE_EVERY = 240
"""Seconds."""


@dataclass(frozen=True)
class Example:
    """Pages and target as token ids, and the page that each target token stands on; empty where nothing is written.

    Attributes:
        salience: for sentences to be judged: page, place of its mark, whether it was chosen, its worth.
        summary_tokens: of the author's summary, where sentences are to be judged.
    """

    pages: list[list[int]]
    target: list[int] = field(default_factory=list)
    target_pages: list[int] = field(default_factory=list)
    salience: list[tuple[int, int, float, float]] = field(default_factory=list)
    summary_tokens: int = 0


@dataclass(frozen=True)
class Task:
    """How documents become examples: how many at a time, of how many pages at most, how long a target.

    Attributes:
        sentences: cut each page down to so many in a row, by chance; None: whole pages.
        untitled: the part of titled documents whose title is taken away, because not every document has one.
    """

    make: Callable[[Extract, "Task", random.Random], Example | None]
    documents: int
    pages: int
    target_tokens: int = 0
    sentences: int | None = None
    untitled: float = 0.0


def marked_example(document: Extract, task: Task, chance: random.Random) -> Example | None:
    """Some pages of a document; some sentences that stand on them, by chance, are marked and to be written."""
    taken = sorted(chance.sample(range(len(document.pages)), min(task.pages, len(document.pages))))
    if task.sentences:
        document = replace(document, pages=[_run(pieces, task.sentences, chance) for pieces in document.pages])
    places = [(page, number) for page in taken for number, one in enumerate(document.pages[page]) if _is_fit(one)]
    chance.shuffle(places)
    wanted = sorted(_filling(document, places, task.target_tokens, chance.randint(1, 20)))
    if not wanted:
        return None
    order = {place: number for number, place in enumerate(wanted)}
    marked = [
        [
            replace(one, mark=WANTED + order[page, number]) if (page, number) in order else one
            for number, one in enumerate(pieces)
        ]
        for page, pieces in enumerate(document.pages)
    ]
    return _example(replace(document, pages=marked), taken, list(order), numbered=True)


def extract_example(document: Extract, task: Task, chance: random.Random) -> Example | None:
    """Some pages of a document; the chosen sentences that stand on them are to be written."""
    taken = _some_pages(document, task.pages, chance)
    ranked = sorted(
        (one.rank, page, number)
        for page in taken
        for number, one in enumerate(document.pages[page])
        if one.rank is not None and _is_fit(one)
    )
    wanted = _filling(document, [place for _, *place in ranked], task.target_tokens, len(ranked))
    if not wanted:
        return None
    example = _example(document, taken, sorted(wanted))
    return replace(example, salience=_salience(document, taken), summary_tokens=document.summary_tokens)


def salience_example(document: Extract, task: Task, chance: random.Random) -> Example | None:
    """Some pages of a document, all of their sentences to be judged; now and then without its title."""
    if document.is_titled and chance.random() < task.untitled:
        places = [place for place, pieces in zip(document.places, document.pages, strict=True) if pieces[1:]]
        document = replace(document, places=places, pages=[pieces[1:] for pieces in document.pages if pieces[1:]])
    taken = sorted(chance.sample(range(len(document.pages)), min(task.pages, len(document.pages))))
    judged = _salience(document, taken)
    if not judged:
        return None
    return Example(_ids(document, taken), salience=judged, summary_tokens=document.summary_tokens)


def _run(pieces: list[Piece], length: int, chance: random.Random) -> list[Piece]:
    start = chance.randrange(max(len(pieces) - length, 0) + 1)
    return pieces[start : start + length]


def _is_fit(piece: Piece) -> bool:
    return not piece.is_heading and can_be_said(piece.ids.tolist(), SENTENCE_ENDS)


def _some_pages(document: Extract, most: int, chance: random.Random) -> list[int]:
    """All pages, or most of those with a chosen sentence and some others."""
    numbers = range(len(document.pages))
    if len(numbers) <= most:
        return list(numbers)
    wanted = [page for page in numbers if any(one.rank is not None for one in document.pages[page])]
    chance.shuffle(wanted)
    wanted = wanted[: 2 * most // 3]
    others = [page for page in numbers if page not in wanted]
    return sorted(wanted + chance.sample(others, most - len(wanted)))


def _filling(document: Extract, places: Sequence[Sequence[int]], room: int, most: int) -> list[tuple[int, int]]:
    """The first places that fit into so many tokens, at most so many."""
    kept: list[tuple[int, int]] = []
    room -= 1
    for page, number in places:
        size = 1 + len(document.pages[page][number].ids)
        if size <= room and len(kept) < most:
            kept.append((page, number))
            room -= size
    return kept


def _ids(document: Extract, taken: Sequence[int]) -> list[list[int]]:
    return [
        [
            START,
            FIRST_MARK + document.places[page],
            *(token for one in document.pages[page] for token in (FIRST_MARK + one.mark, *one.ids.tolist())),
            END,
        ]
        for page in taken
    ]


def _example(document: Extract, taken: list[int], wanted: list[tuple[int, int]], *, numbered: bool = False) -> Example:
    """The target is the wanted sentences, in order; numbered: each behind its mark."""
    target: list[int] = []
    origin: list[int] = []
    for page, number in wanted:
        one = document.pages[page][number]
        ids = [*([FIRST_MARK + one.mark] if numbered else []), *one.ids.tolist()]
        target += ids
        origin += [taken.index(page)] * len(ids)
    return Example(_ids(document, taken), [*target, END], [*origin, NO_LABEL])


def _salience(document: Extract, taken: Sequence[int]) -> list[tuple[int, int, float, float]]:
    return salience_of([document.pages[page] for page in taken])


TASKS = {"marked": marked_example, "extract": extract_example, "salience": salience_example}


@dataclass(frozen=True)
class Stage:
    """A part of the training.

    Attributes:
        until: which part of all steps are done when it ends.
        tasks: each step takes one of them.
        anew: at which part of the learning rates it begins anew, to fall until it ends; None: see :meth:`Recipe.rate`.
        rarer: of some collections, how likely each document comes in a round.
    """

    until: float
    tasks: tuple[Task, ...]
    anew: float | None = None
    rarer: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Recipe:
    """``presets/mini.toml``.

    Attributes:
        data, left_out: names of files, and of collections in them that are left out.
        locality, page_tokens: how documents are cut; see ``locality.cut``.
        decoder_layers: the encoder layer that each decoder layer starts from.
        judge_layers: of the judge; they start from the encoder's last ones.
        steps, warmup, keep, encoder_rate, decoder_rate, clip, seed: of the optimizer; see :meth:`rate`.
        stages: one after the other.
        generation: how the trained model writes.
    """

    data: tuple[str, ...]
    left_out: frozenset[str]
    locality: str
    page_tokens: int
    decoder_layers: tuple[int, ...]
    judge_layers: int
    steps: int
    warmup: int
    keep: float
    encoder_rate: float
    decoder_rate: float
    clip: float
    seed: int
    stages: tuple[Stage, ...]
    generation: dict[str, Any]

    @classmethod
    def read(cls, **changes: Any) -> "Recipe":
        """The recipe of the package, with other values of some attributes."""
        values = {**tomllib.loads(preset_text("mini")), **changes}
        stages = tuple(
            Stage(**{**stage, "tasks": tuple(Task(TASKS[one.pop("task")], **one) for one in stage["tasks"])})
            for stage in values.pop("stages")
        )
        lists = {name: tuple(values.pop(name)) for name in ("data", "decoder_layers")}
        return cls(**lists, left_out=frozenset(values.pop("left_out")), stages=stages, **values)

    def stage(self, step: int) -> Stage:
        """The one that a step, counted from 0, belongs to."""
        return next(stage for stage in self.stages if step < stage.until * self.steps)

    def rate(self, step: int) -> float:
        """The part of the learning rates that a step, counted from 0, has."""
        stage, done = self.stage(step), step / self.steps
        if stage.anew is not None:
            number = self.stages.index(stage)
            began = self.stages[number - 1].until if number else 0.0
            return stage.anew * max(0.02, (stage.until - done) / (stage.until - began))
        ends = max(stage.until for stage in self.stages if stage.anew is None)
        return min(1.0, (step + 1) / self.warmup) * max(0.02, min(1.0, (ends - done) / (ends - self.keep)))


def collate(examples: list[Example]) -> dict[str, Tensor]:
    """Examples → ``input_ids``, ``attention_mask`` (B, P, S), ``labels``, ``page_labels`` (B, T), ``salience``: rows
    of document, page, place, chosen, worth, and ``summary_tokens`` (B,)."""
    pages = max(len(example.pages) for example in examples)
    tokens = max(len(page) for example in examples for page in example.pages)
    length = max(len(example.target) for example in examples)
    ids = torch.full((len(examples), pages, tokens), PAD)
    labels = torch.full((len(examples), length), NO_LABEL)
    page_labels = torch.full((len(examples), length), NO_LABEL)
    mask = torch.zeros(len(examples), pages, tokens, dtype=torch.bool)
    for b, example in enumerate(examples):
        for p, page in enumerate(example.pages):
            ids[b, p, : len(page)] = torch.tensor(page)
            mask[b, p, : len(page)] = True
        labels[b, : len(example.target)] = torch.tensor(example.target, dtype=torch.long)
        page_labels[b, : len(example.target)] = torch.tensor(example.target_pages, dtype=torch.long)
    salience = torch.tensor([(b, *one) for b, example in enumerate(examples) for one in example.salience])
    return {
        "input_ids": ids,
        "attention_mask": mask,
        "labels": labels,
        "page_labels": page_labels,
        "salience": salience.reshape(-1, 5),
        "summary_tokens": torch.tensor([example.summary_tokens for example in examples]),
    }


def losses(model: PageSumForConditionalGeneration, batch: dict[str, Tensor]) -> dict[str, Tensor]:
    """Cross entropy of the next token, of the page that it stands on, and of the sentences' salience; the error of the
    summary's length."""
    labels = batch["labels"]
    rows = PageRows.of(batch["input_ids"], batch["attention_mask"])
    encoded = model.model.encode(rows.input_ids, rows.mask)
    found = {}
    if labels.shape[1]:
        states = model.model.decode(shift_right(labels, model.config), None, encoded, rows)
        mixed, _, scores = model.mix(states, rows)
        known = labels != NO_LABEL
        found["words"] = F.cross_entropy(model.project(mixed[known]).float(), labels[known])
        if rows.pages > 1:
            found["pages"] = F.cross_entropy(scores.transpose(1, 2).flatten(0, 1), batch["page_labels"].flatten())
    if len(judged := batch["salience"]):
        found |= model.judge_losses(encoded, rows, judged, batch["summary_tokens"])
        found["salience"] = 2 * found["salience"]
    return found


def batches(documents: list[Extract], stage: Stage, chance: random.Random) -> Iterator[dict[str, Tensor]]:
    """Batches without end, every document at most once in a round.

    Raises:
        PagesumError: no document gives an example.
    """
    examples: list[Example] = []
    task = chance.choice(stage.tasks)
    useful = True
    while useful:
        taken = [one for one in documents if chance.random() < stage.rarer.get(one.source, 1.0)]
        useful = not taken
        for document in chance.sample(taken, len(taken)):
            example = task.make(document, task, chance)
            if example is not None:
                useful = True
                examples.append(example)
            if len(examples) == task.documents:
                yield collate(examples)
                examples, task = [], chance.choice(stage.tasks)
    raise PagesumError("no document has a sentence to learn from", "sentences end with a full stop and have 8 tokens")


def pointing(encoder: Path) -> dict[str, list[int]]:
    """The tokens of :data:`POINTING`, as far as they are one each."""
    known = load_tokenizer(encoder).get_vocab()
    return {name: [known[word] for word in listed.split() if word in known] for name, listed in POINTING.items()}


def new_model(encoder: Path, recipe: Recipe) -> PageSumForConditionalGeneration:
    """The model before training. Without dropout: no document comes often enough to be learnt by heart."""
    model = warm_start(
        encoder,
        recipe.decoder_layers,
        bos_token_id=START,
        eos_token_id=END,
        decoder_start_token_id=START,
        forced_eos_token_id=None,
        page_tokens=recipe.page_tokens,
        first_mark=FIRST_MARK,
        judge_layers=recipe.judge_layers,
        sentence_ends=SENTENCE_ENDS,
        pointing=pointing(encoder),
        dropout=0.0,
    )
    for layer, start in zip(model.judge.layers, model.model.encoder.layers[-recipe.judge_layers :], strict=True):
        layer.load_state_dict(start.state_dict())
    for parameter in (model.judge.places.weight, model.judge.length.weight):
        nn.init.zeros_(parameter)
    nn.init.constant_(model.judge.length.bias, math.log(USUAL_TOKENS))
    # BERT's unused tokens are all nearly the same; marks must differ as words do.
    vectors = model.model.shared.weight.data
    words = vectors[END + 1 :]
    noise = torch.randn(MARKS, words.shape[1], generator=torch.Generator().manual_seed(recipe.seed))
    vectors[FIRST_MARK : FIRST_MARK + MARKS] = words.mean(0) + noise * words.std(0)
    return model


def parameter_groups(model: PageSumForConditionalGeneration) -> list[dict[str, Any]]:
    """For an optimizer: what came from the encoder, and what learns at the decoder's rate."""
    fresh = ("model.decoder", "lin", "judge.out", "judge.places", "judge.length")
    return [
        {"params": [p for name, p in model.named_parameters() if name.startswith(fresh) == is_new]}
        for is_new in (False, True)
    ]


def train(
    recipe: Recipe,
    data: Path,
    encoder: Path,
    run: Path,
    *,
    device: str = "auto",
    on_step: Callable[[dict[str, float]], None] | None = None,
) -> None:
    """Train, or continue where an earlier call stopped; the run's folder then holds the checkpoint.

    Args:
        recipe: what is done.
        data: the folder with the recipe's files.
        encoder: the folder of all-MiniLM-L6-v2.
        run: a folder; what an earlier call left there is continued.
        device: see ``load_model``.
        on_step: called after each step with the line that goes into ``log.jsonl``: step, seconds, losses.

    Raises:
        PagesumError: a file is missing, or the loss is no longer finite.
    """
    torch.manual_seed(recipe.seed)
    run.mkdir(parents=True, exist_ok=True)
    documents = load_extracts(recipe, data, encoder, run)
    place = pick_device(device)
    half = pick_dtype("auto", place) == torch.bfloat16
    model = new_model(encoder, recipe).to(place)
    rates = (recipe.encoder_rate, recipe.decoder_rate)
    optimizer = torch.optim.AdamW(
        parameter_groups(model), lr=recipe.decoder_rate, betas=(0.9, 0.98), weight_decay=0.01, fused=True
    )
    step = 0
    if (run / "state.pt").exists():
        loaded = torch.load(run / "state.pt", map_location=place, weights_only=True)
        model.load_state_dict(loaded["model"])
        optimizer.load_state_dict(loaded["optimizer"])
        step = loaded["step"]
    model.train()
    began = last_save = time.monotonic()
    stage, stream = None, iter(())
    with open(run / "log.jsonl", "a", encoding="utf-8") as log:
        while step < recipe.steps:
            if recipe.stage(step) is not stage:
                stage = recipe.stage(step)
                stream = batches(documents, stage, random.Random(recipe.seed + step))
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * recipe.rate(step)
            batch = {name: value.to(place) for name, value in next(stream).items()}
            with torch.autocast(place.type, torch.bfloat16, enabled=half):
                found = losses(model, batch)
            torch.stack(list(found.values())).sum().backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), recipe.clip)
            if not torch.isfinite(norm):
                raise PagesumError(
                    f"step {step}: the losses are {found}, the gradient {norm.item()}", "lower the rates"
                )
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step += 1
            line = {"step": step, "seconds": round(time.monotonic() - began, 1)}
            line |= {name: round(value.item(), 4) for name, value in found.items()}
            print(json.dumps(line), file=log, flush=True)
            if on_step:
                on_step(line)
            if time.monotonic() - last_save > SAVE_EVERY or step == recipe.steps:
                save(run, model, optimizer, step)
                last_save = time.monotonic()
    export(model, recipe, data, encoder, run)


def save(run: Path, model: PageSumForConditionalGeneration, optimizer: torch.optim.Optimizer, step: int) -> None:
    """Write the run's state aside, then rename it."""
    aside = run / "state.tmp"
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "step": step}, aside)
    os.replace(aside, run / "state.pt")


def export(model: PageSumForConditionalGeneration, recipe: Recipe, data: Path, encoder: Path, folder: Path) -> None:
    """Write what ships: the weights in float16, the settings, the tokenizer, and whose texts were learnt from."""
    model.config.dropout = 0.1
    model.config.plans = True
    model.generation_config.update(**recipe.generation)
    model.half().save_pretrained(folder)
    tokenizer = load_tokenizer(encoder)
    tokenizer.no_truncation()
    tokenizer.no_padding()
    PreTrainedTokenizerFast(
        tokenizer_object=tokenizer,
        bos_token="[CLS]",
        eos_token="[SEP]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
    ).save_pretrained(folder)
    rows = []
    for name in recipe.data:
        with lzma.open(data / name, "rt", encoding="utf-8") as lines:
            records = [record for record in map(json.loads, lines) if record["source"] not in recipe.left_out]
        rows += [f"{record['source']}\t{record['id']}\t{record['licence']}" for record in records]
    (folder / "ATTRIBUTION.tsv").write_text("\n".join(["source\tid\tlicence", *rows]) + "\n", encoding="utf-8")


def load_extracts(recipe: Recipe, data: Path, encoder: Path, run: Path) -> list[Extract]:
    """The training documents, prepared once.

    Raises:
        PagesumError: a file is missing.
    """
    cached = run / "extracts.pickle"
    if cached.exists():
        return pickle.loads(cached.read_bytes())
    for path in (*(data / name for name in recipe.data), encoder / "tokenizer.json", encoder / "model.safetensors"):
        if not path.exists():
            raise PagesumError(f"{path}: no such file", "see docs/train.md for what the recipe needs")
    records = [
        record
        for name in recipe.data
        for record in read_path(data / name, "train", "sections", print)
        if record.extra.get("source") not in recipe.left_out and record.summary.strip()
    ]
    with ProcessPoolExecutor() as pool:
        documents = list(
            pool.map(partial(_extract, str(encoder), recipe.locality, recipe.page_tokens), records, chunksize=16)
        )
    aside = run / "extracts.tmp"
    aside.write_bytes(pickle.dumps(documents))
    os.replace(aside, cached)
    return documents


def _extract(encoder: str, locality: str, page_tokens: int, record: Record) -> Extract:
    return extract(record, _page_tokenizer(encoder), locality, page_tokens, SENTENCE_ENDS)


@cache
def _page_tokenizer(encoder: str) -> PageTokenizer:
    return PageTokenizer(load_tokenizer(encoder), FIRST_MARK)
