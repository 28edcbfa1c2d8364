"""Whether DPP attention helps where it should: copying from sources that repeat themselves.

    python tests/benchmarks/dpp_copying.py --output RUN
    python tests/benchmarks/dpp_copying.py --output RUN --report

A source is 12 sentences of 3 words, of which 3 to 5 are different, each word in one of them only;
the target is the different sentences in the order of their first occurrence. Whoever remembers what
has been read can copy the next sentence that has not. Sources are drawn anew for each update; all
runs are measured on the same 512 others.

Models: the convolutional one as in eq. 15 and the same with attention that is renormalized after β,
and the copying Transformer as in eq. 20-22 with one projection of keys for all decoder layers, so
that β tells what has been read from what has not. Float32. Each is trained with and without DPP
attention from the same seeds (weights and sources alike), and measured with β on and off in the
same weights. A stopped comparison continues with the run where it was; results are kept in RUN, one
JSON file a run.
"""

import argparse
import json
import statistics
import time
from pathlib import Path
from typing import Any

import torch
from scipy.stats import ttest_rel
from torch import Tensor

from pagesum_cli.lab.attention import mean_reading, reading_of
from pagesum_cli.models.dpp.convolutional import ConvolutionalModel
from pagesum_cli.models.dpp.model import ConvolutionalConfig, SequenceModel, TransformerConfig
from pagesum_cli.models.dpp.transformer import CopyTransformer
from pagesum_cli.models.tasks import NO_LABEL

VOCABULARY, PAD, START, END, FIRST_WORD = 200, 1, 0, 2, 4
SENTENCES, WORDS, DIFFERENT = 12, 3, (3, 4, 5)
TARGET = WORDS * max(DIFFERENT) + 2
BATCH, WARMUP, RATE = 8, 100, 1e-3
TESTED, TEST_SEED = 512, 12345

SHARED: dict[str, Any] = {"vocab_size": VOCABULARY, "d_model": 64, "max_position_embeddings": 128}
WIDTHS: dict[str, Any] = {"embedding_width": 64, "output_width": 64}
STACKS: dict[str, Any] = {
    "encoder_layers": 2,
    "decoder_layers": 3,
    "encoder_attention_heads": 4,
    "decoder_attention_heads": 4,
    "encoder_ffn_dim": 128,
    "decoder_ffn_dim": 128,
    "dropout": 0.0,
    "attention_dropout": 0.0,
    "activation_dropout": 0.0,
    "shared_keys": True,
    "dpp_past": "none",
    "dpp_square": False,
}
RENORMALIZED = "convolutional, renormalized"
"""The convolutional model with ``dpp_rescale``: without DPP it is the other one, which is not
trained again.
"""

MODELS = ("convolutional", RENORMALIZED, "transformer")
FIGURES = (
    "exact",
    "words",
    "repeats",
    "loss",
    "entropy",
    "high_spans",
    "diversity",
    "beta_read",
    "beta_unread",
    "beta_moves",
)


def build(kind: str, seed: int, dpp: bool) -> SequenceModel:
    """A model of random weights, which are the same with and without DPP."""
    torch.manual_seed(seed)
    if kind == "transformer":
        return CopyTransformer(TransformerConfig(dpp=dpp, **SHARED, **STACKS))
    renormalizes = kind == RENORMALIZED
    return ConvolutionalModel(
        ConvolutionalConfig(dpp=dpp, dpp_rescale=renormalizes, dropout=0.0, **SHARED, **WIDTHS)
    )


def sources(number: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
    """Token ids ``(number, 1, 36)``, and targets ``(number, 17)`` from start to end, then
    padding.
    """
    ids, targets = [], torch.full((number, TARGET), PAD)
    for row in range(number):
        different = DIFFERENT[int(torch.randint(len(DIFFERENT), (), generator=generator))]
        words = (
            torch.randperm(VOCABULARY - FIRST_WORD, generator=generator)[: different * WORDS]
            + FIRST_WORD
        )
        sentences = words.view(different, WORDS)
        # each occurs at least once
        extra = torch.randint(different, (SENTENCES - different,), generator=generator)
        drawn = torch.cat([torch.arange(different), extra])
        order = drawn[torch.randperm(SENTENCES, generator=generator)]
        firsts = list(dict.fromkeys(order.tolist()))
        ids.append(sentences[order].flatten())
        target = torch.cat(
            [torch.tensor([START]), sentences[firsts].flatten(), torch.tensor([END])]
        )
        targets[row, : len(target)] = target
    return torch.stack(ids)[:, None], targets


def inputs(ids: Tensor, targets: Tensor) -> dict[str, Tensor]:
    labels = targets[:, 1:].masked_fill(targets[:, 1:] == PAD, NO_LABEL)
    mask = torch.ones_like(ids, dtype=torch.bool)
    return {
        "input_ids": ids,
        "attention_mask": mask,
        "decoder_input_ids": targets[:, :-1],
        "labels": labels,
    }


def train(model: SequenceModel, seed: int, updates: int) -> float:
    """Train a model; returns seconds an update."""
    generator = torch.Generator().manual_seed(seed)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01, fused=True)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer,
        lambda step: min((step + 1) / WARMUP, (updates - step) / max(updates - WARMUP, 1)),
    )
    model.train()
    began, recent = time.perf_counter(), []
    for update in range(1, updates + 1):
        loss = model(**inputs(*sources(BATCH, generator)), return_logits=False).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        schedule.step()
        recent.append(loss.item())
        if update % 250 == 0:
            print(
                f"  {update}: {statistics.mean(recent):.3f}, {time.perf_counter() - began:.0f} s",
                flush=True,
            )
            recent = []
    return (time.perf_counter() - began) / updates


@torch.no_grad()
def measure(model: SequenceModel, on: bool) -> dict[str, float]:
    """The figures of a model, with β on or off."""
    model.eval()
    model.config.dpp = on
    rows: list[dict[str, float]] = []
    ids, targets = sources(TESTED, torch.Generator().manual_seed(TEST_SEED))
    for some, target in zip(ids.split(64), targets.split(64), strict=True):
        batch = inputs(some, target)
        row = {"loss": model(**batch, return_logits=False).loss.item(), **model.figures(batch)}
        search: Any = {
            "num_beams": 1,
            "min_length": 0,
            "no_repeat_ngram_size": 0,
            "max_length": 2 * TARGET,
        }
        result = model.generate(some, batch["attention_mask"], **search)
        generated = result.sequences.tolist()
        row |= reading(result.traces["attention"], some)
        pairs = [
            (content(one), content(other))
            for one, other in zip(generated, target.tolist(), strict=True)
        ]
        row["exact"] = statistics.mean(one == other for one, other in pairs)
        right = [
            sum(a == b for a, b in zip(one, other, strict=False)) / len(other)
            for one, other in pairs
        ]
        row["words"] = statistics.mean(right)
        row["repeats"] = statistics.mean(
            1 - len(set(one)) / len(one) if one else 0.0 for one, _ in pairs
        )
        rows.append(row)
    return {name: statistics.mean(row[name] for row in rows) for name in rows[0]}


def reading(attention: Tensor, ids: Tensor) -> dict[str, float]:
    """How the sources were read (Table 7 of the paper), without a temperature: entropy of a step in
    nats, share of high spans, and of different words in them.
    """
    mean = mean_reading(
        [
            reading_of(own.double().numpy(), source.flatten().tolist())
            for own, source in zip(attention, ids, strict=True)
        ]
    )
    return {name: getattr(mean, name) for name in ("entropy", "high_spans", "diversity")}


def content(ids: list[int]) -> list[int]:
    """The words of a summary."""
    after = ids[1:]
    return [one for one in (after[: after.index(END)] if END in after else after) if one != PAD]


def report(folder: Path) -> None:
    """Print means and standard deviations over seeds, and paired tests."""
    runs = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    print(
        f"| model | trained | measured | seeds | {' | '.join(FIGURES)} "
        f"|\n{'|---' * (len(FIGURES) + 4)}|"
    )
    for kind in MODELS:
        found = {}
        for trained in (True,) if kind == RENORMALIZED else (False, True):
            for on in (False, True):
                some = [one for one in runs if one["model"] == kind and one["dpp"] == trained]
                values = {one["seed"]: one["on" if on else "off"] for one in some}
                found[trained, on] = values
                cells = [
                    cell([one[name] for one in values.values() if name in one]) for name in FIGURES
                ]
                names = ["with DPP" if trained else "plain", "β on" if on else "β off"]
                print(f"| {' | '.join([kind, *names, str(len(values)), *cells])} |")
        plain = found.get((False, False)) or {
            one["seed"]: one["off"]
            for one in runs
            if one["model"] == "convolutional" and not one["dpp"]
        }
        compare(f"{kind}: trained with DPP, β on, less plain", found[True, True], plain)
        compare(f"{kind}: trained with DPP, β on less off", found[True, True], found[True, False])
        if (False, True) in found:
            compare(f"{kind}: plain, β on less off", found[False, True], plain)


def cell(values: list[float]) -> str:
    if not values:
        return ""
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"{statistics.mean(values):.3f} ± {spread:.3f}"


def compare(title: str, first: dict[int, Any], second: dict[int, Any]) -> None:
    """Print the paired t-test over seeds."""
    seeds = sorted(first.keys() & second.keys())
    if not seeds:
        return
    texts = []
    for name in FIGURES[:4]:
        pairs = [[one[seed][name] for seed in seeds] for one in (first, second)]
        difference = statistics.mean(a - b for a, b in zip(*pairs, strict=True))
        texts.append(f"{name} {difference:+.3f} (p = {ttest_rel(*pairs).pvalue:.3g})")
    print(f"\n{title}, {len(seeds)} pairs: {', '.join(texts)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--models", nargs="+", choices=MODELS, default=MODELS)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--updates", type=int, default=3000)
    parser.add_argument("--report", action="store_true", help="print what has been measured")
    arguments = parser.parse_args()
    if arguments.report:
        report(arguments.output)
        return
    arguments.output.mkdir(parents=True, exist_ok=True)
    for seed in range(1, arguments.seeds + 1):
        for kind in arguments.models:
            for dpp in (True,) if kind == RENORMALIZED else (False, True):
                path = arguments.output / f"{kind} {'dpp' if dpp else 'plain'} {seed}.json"
                if path.exists():
                    continue
                print(path.stem, flush=True)
                model = build(kind, seed, dpp)
                seconds = train(model, seed, arguments.updates)
                run = {
                    "model": kind,
                    "seed": seed,
                    "dpp": dpp,
                    "updates": arguments.updates,
                    "seconds": seconds,
                }
                run |= {"on": measure(model, True), "off": measure(model, False)}
                path.write_text(json.dumps(run), encoding="utf-8")
                print(f"  {run}", flush=True)


if __name__ == "__main__":
    main()
