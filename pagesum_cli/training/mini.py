"""How the bundled checkpoint is trained, on a GPU, or on a CPU in hours.

Three tasks:

- *marked*, at first: reproduce the sentence between two marks in a passage. It teaches the new cross-attention to find
  and copy.
- *extract*: from the pages of a document, write the sentences of its own that cover the author's summary best, in the
  document's order.
- *any*, in between: write some sentences of one or two pages: more to copy for each page read.

The page that each token comes from is known, and the confidences are led towards it.

Run as ``python -m pagesum_cli.training.mini --help``. Stopped and started again, it continues.
"""

import argparse
import json
import lzma
import os
import pickle
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch import Tensor
from transformers import PreTrainedTokenizerFast

from ..model.checkpoints import pick_device, pick_dtype
from ..model.modeling import PageRows, PageSumForConditionalGeneration
from .extracts import Extract, read_extracts
from .warm_start import warm_start

START, END, PAD, OPEN, CLOSE = 101, 102, 0, 2, 3
NO_LABEL = -100
LEFT_OUT = frozenset({"xep"})
"""Sources whose licence does not plainly permit shipping what is learnt from them."""
PAGE_TOKENS = 192
GENERATION = {
    "num_beams": 2,
    "max_length": 256,
    "min_length": 150,
    "no_repeat_ngram_size": 3,
    "length_penalty": 1.0,
    "early_stopping": True,
}


@dataclass(frozen=True)
class Example:
    """Pages and target as token ids, and the page that each target token stands on."""

    pages: list[list[int]]
    target: list[int]
    target_pages: list[int]


@dataclass(frozen=True)
class Task:
    """How documents become examples: what is to be written, and the greatest numbers of everything."""

    make: Callable[[Extract, "Task", random.Random], Example | None]
    documents: int
    pages: int
    page_tokens: int
    target_tokens: int


def marked_example(document: Extract, task: Task, chance: random.Random) -> Example | None:
    """Five sentences in a row, one of them between marks; the target is that one."""
    lengths = [len(sentence) for sentence in document.sentences]
    fit = [i for i, length in enumerate(lengths) if 8 <= length < task.target_tokens]
    if not fit:
        return None
    marked = chance.choice(fit)
    page: list[int] = []
    first = max(0, marked - chance.randrange(5))
    for number in range(first, min(first + 5, len(lengths))):
        ids = document.sentences[number].tolist()
        page += [OPEN, *ids, CLOSE] if number == marked else ids
    if len(page) > task.page_tokens - 2:
        return None
    target = [*document.sentences[marked].tolist(), END]
    return Example([[START, *page, END]], target, [0] * len(target))


def pages_of(document: Extract, page_tokens: int) -> list[list[int]]:
    """Sentence numbers of each page: a section on pages of its own, unless the page before it has much room."""
    pages: list[list[int]] = []
    room, section = 0, -1
    for number, sentence in enumerate(document.sentences):
        size = len(sentence)
        new_section = document.sections[number] != section
        if new_section:
            section = document.sections[number]
            size += len(document.headings[section])
        if not pages or size > room or (new_section and room < 0.7 * page_tokens):
            pages.append([])
            room = page_tokens - 2
        pages[-1].append(number)
        room -= size
    return pages


def page_ids(document: Extract, numbers: list[int], page_tokens: int) -> list[int]:
    """A page's token ids: each section's heading before its first sentence on the page."""
    ids: list[int] = []
    section = -1
    for number in numbers:
        if document.sections[number] != section:
            section = document.sections[number]
            ids += document.headings[section].tolist()
        ids += document.sentences[number].tolist()
    return [START, *ids[: page_tokens - 2], END]


def any_example(document: Extract, task: Task, chance: random.Random) -> Example | None:
    """Some pages of a document and some sentences that stand on them, by chance."""
    pages = pages_of(document, task.page_tokens)
    taken = sorted(chance.sample(range(len(pages)), min(task.pages, len(pages))))
    return _example(
        document, task, [pages[page] for page in taken], lambda numbers: chance.sample(numbers, len(numbers))
    )


def extract_example(document: Extract, task: Task, chance: random.Random) -> Example | None:
    """Some pages of a document and the chosen sentences that stand on them."""
    pages = pages_of(document, task.page_tokens)
    home = {number: page for page, numbers in enumerate(pages) for number in numbers}
    wanted = list(dict.fromkeys(home[number] for number in document.chosen))
    others = [page for page in range(len(pages)) if page not in wanted]
    chance.shuffle(others)
    spare = min(len(others), task.pages // 3)
    taken = sorted((wanted[: task.pages - spare] + others)[: task.pages])
    return _example(document, task, [pages[page] for page in taken], lambda _: document.chosen)


def _example(
    document: Extract, task: Task, pages: list[list[int]], best_first: Callable[[list[int]], list[int]]
) -> Example | None:
    """The target is the first of the sentences ``best_first`` that stand on the pages and have room, in order."""
    home = {number: page for page, numbers in enumerate(pages) for number in numbers}
    room = task.target_tokens - 1
    kept = []
    for number in best_first(list(home)):
        size = len(document.sentences[number])
        if number in home and size <= room and size <= task.page_tokens // 2:
            kept.append(number)
            room -= size
    if not kept:
        return None
    target: list[int] = []
    origin: list[int] = []
    for number in sorted(kept):
        ids = document.sentences[number].tolist()
        target += ids
        origin += [home[number]] * len(ids)
    ids = [page_ids(document, numbers, task.page_tokens) for numbers in pages]
    return Example(ids, [*target, END], [*origin, NO_LABEL])


# What is trained until which fraction of the time; each step takes one of a stage's tasks by chance.
FIRST = (Task(marked_example, documents=16, pages=1, page_tokens=200, target_tokens=56),)
FIRST_UNTIL, FIRST_IS_LEARNT = 0.3, 0.9
STAGES = (
    (0.4, (Task(extract_example, 6, 3, 192, 96), Task(extract_example, 6, 4, 128, 96))),
    (
        0.65,
        (
            Task(extract_example, 4, 7, 192, 144),
            Task(extract_example, 4, 5, 256, 144),
            Task(extract_example, 4, 3, 384, 144),
        ),
    ),
    (
        1.0,
        (
            Task(any_example, 8, 1, 256, 144),
            Task(any_example, 5, 2, 256, 144),
            Task(extract_example, 3, 8, 192, 160),
            Task(extract_example, 3, 4, 384, 160),
        ),
    ),
)


def collate(examples: list[Example]) -> dict[str, Tensor]:
    """Examples → ``input_ids``, ``attention_mask`` (B, P, S), ``labels``, ``page_labels`` (B, T)."""
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
        labels[b, : len(example.target)] = torch.tensor(example.target)
        page_labels[b, : len(example.target)] = torch.tensor(example.target_pages)
    return {"input_ids": ids, "attention_mask": mask, "labels": labels, "page_labels": page_labels}


def losses(model: PageSumForConditionalGeneration, batch: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    """Cross entropy of the next token, and of the page that it stands on."""
    rows = PageRows.of(batch["input_ids"], batch["attention_mask"])
    labels = batch["labels"]
    inputs = torch.cat([torch.full_like(labels[:, :1], START), labels[:, :-1].clamp(min=PAD)], dim=1)
    encoded = model.model.encode(rows.input_ids, rows.mask)
    mixed, _, scores = model.mix(model.model.decode(inputs, None, encoded, rows), rows)
    known = labels != NO_LABEL
    words = F.cross_entropy(model.project(mixed[known]), labels[known])
    if rows.pages == 1:
        return words, words.new_zeros(())
    return words, F.cross_entropy(scores.transpose(1, 2).flatten(0, 1), batch["page_labels"].flatten())


def batches(documents: list[Extract], tasks: Sequence[Task], chance: random.Random) -> Iterator[dict[str, Tensor]]:
    """Batches without end, every document once before any comes twice."""
    examples: list[Example] = []
    task = chance.choice(tasks)
    while True:
        for document in chance.sample(documents, len(documents)):
            example = task.make(document, task, chance)
            if example is not None:
                examples.append(example)
            if len(examples) == task.documents:
                yield collate(examples)
                examples, task = [], chance.choice(tasks)


def new_model(encoder: Path) -> PageSumForConditionalGeneration:
    """The model before training. Without dropout: no document comes often enough to be learnt by heart."""
    return warm_start(
        encoder,
        (0, 3, 5),
        bos_token_id=START,
        eos_token_id=END,
        decoder_start_token_id=START,
        forced_eos_token_id=None,
        page_tokens=PAGE_TOKENS,
        dropout=0.0,
    )


def train(arguments: argparse.Namespace) -> None:
    torch.set_num_threads(arguments.threads)
    run = arguments.output
    run.mkdir(parents=True, exist_ok=True)
    documents = load_extracts(arguments.data, arguments.encoder, run)
    device = pick_device(arguments.device)
    half = pick_dtype("auto", device) == torch.bfloat16
    model = new_model(arguments.encoder).to(device)
    old = [p for name, p in model.named_parameters() if not name.startswith(("model.decoder", "lin"))]
    new = [p for name, p in model.named_parameters() if name.startswith(("model.decoder", "lin"))]
    rates = (4e-4, 1e-3)
    optimizer = torch.optim.AdamW(
        [{"params": old}, {"params": new}], lr=1e-3, betas=(0.9, 0.98), weight_decay=0.01, fused=True
    )
    state = {"step": 0, "seconds": 0.0, "copied_until": None}
    saved = run / "state.pt"
    if saved.exists():
        loaded = torch.load(saved, map_location=device, weights_only=True)
        model.load_state_dict(loaded["model"])
        optimizer.load_state_dict(loaded["optimizer"])
        state = loaded["state"]
    total = arguments.minutes * 60
    model.train()
    began = time.monotonic() - state["seconds"]
    last_save = time.monotonic()
    average = None
    tasks_now, stream = None, None
    with open(run / "log.jsonl", "a", encoding="utf-8") as log:
        while (elapsed := time.monotonic() - began) < total:
            progress = elapsed / total
            if state["copied_until"] is None and (progress > FIRST_UNTIL or (average or 9.0) < FIRST_IS_LEARNT):
                state["copied_until"] = progress
            wanted = (
                FIRST if state["copied_until"] is None else next(tasks for until, tasks in STAGES if progress < until)
            )
            if wanted is not tasks_now:
                tasks_now, average = wanted, None
                chance = random.Random(arguments.seed + state["step"])
                stream = batches(documents, tasks_now, chance)
            warm = min(1.0, (state["step"] + 1) / 100)
            decay = 1.0 if progress < 0.5 else max(0.02, 2 * (1 - progress))
            for group, rate in zip(optimizer.param_groups, rates, strict=True):
                group["lr"] = rate * warm * decay
            batch = {name: value.to(device) for name, value in next(stream).items()}
            with torch.autocast(device.type, torch.bfloat16, enabled=half):
                words, pages = losses(model, batch)
            (words + arguments.page_weight * pages).backward()
            norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            if not torch.isfinite(norm):
                raise SystemExit(f"step {state['step']}: the loss is {words.item()}, the gradient {norm.item()}")
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            state["step"] += 1
            average = words.item() if average is None else 0.95 * average + 0.05 * words.item()
            if state["step"] % 10 == 0:
                line = {
                    "step": state["step"],
                    "minutes": round((time.monotonic() - began) / 60, 2),
                    "shape": list(batch["input_ids"].shape),
                    "loss": round(average, 4),
                    "page_loss": round(pages.item(), 4),
                    "lr": optimizer.param_groups[1]["lr"],
                }
                print(json.dumps(line), file=log, flush=True)
            if time.monotonic() - last_save > 300:
                state["seconds"] = time.monotonic() - began
                save(run, model, optimizer, state)
                last_save = time.monotonic()
    state["seconds"] = total
    save(run, model, optimizer, state)


def save(run: Path, model: PageSumForConditionalGeneration, optimizer: torch.optim.Optimizer, state: dict) -> None:
    """Write the run's state aside, then rename it."""
    aside = run / "state.tmp"
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "state": state}, aside)
    os.replace(aside, run / "state.pt")


def export(run: Path, encoder: Path, data: Path, folder: Path) -> None:
    """Write what ships: the weights in float16, the settings, the tokenizer, and whose texts were learnt from."""
    model = new_model(encoder)
    model.load_state_dict(torch.load(run / "state.pt", map_location="cpu", weights_only=True)["model"])
    model.config.dropout = 0.1
    model.generation_config.update(**GENERATION)
    model.half().save_pretrained(folder)
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
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
    with lzma.open(data, "rt", encoding="utf-8") as lines:
        records = [record for record in map(json.loads, lines) if record["source"] not in LEFT_OUT]
    rows = [f"{record['source']}\t{record['id']}\t{record['licence']}" for record in records]
    (folder / "ATTRIBUTION.tsv").write_text("\n".join(["source\tid\tlicence", *rows]) + "\n", encoding="utf-8")


def load_extracts(data: Path, encoder: Path, run: Path) -> list[Extract]:
    """The training documents, prepared once."""
    cache = run / "extracts.pickle"
    if cache.exists():
        return pickle.loads(cache.read_bytes())
    tokenizer = Tokenizer.from_file(str(encoder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    documents = list(read_extracts(data, tokenizer, LEFT_OUT))
    cache.write_bytes(pickle.dumps(documents))
    return documents


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="records, JSON Lines compressed by xz")
    parser.add_argument("--encoder", type=Path, required=True, help="folder of a BERT-like encoder")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=100)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--page-weight", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--export", type=Path, help="write the finished run here as a checkpoint, and do nothing else")
    arguments = parser.parse_args()
    if arguments.export:
        export(arguments.output, arguments.encoder, arguments.data, arguments.export)
    else:
        train(arguments)


if __name__ == "__main__":
    main()
