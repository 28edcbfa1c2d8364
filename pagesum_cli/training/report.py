"""A finished run: its loss curve and its model card."""

from pathlib import Path
from typing import Any

from ..version import __version__
from .run import Data, Job, Result, read_log
from .settings import toml_of

SMOOTHED = 50
"""Points of the training loss that are averaged in the drawing."""


def draw_losses(log: Path, picture: Path) -> None:
    """Draw training and validation loss over updates as a PNG."""
    from matplotlib.figure import Figure

    entries = read_log(log)
    updates = [(entry["update"], entry["loss"]) for entry in entries if "loss" in entry]
    validations = [(entry["update"], entry["validation"]["loss"]) for entry in entries if "validation" in entry]
    figure = Figure(figsize=(7, 4), layout="constrained")
    axes = figure.add_subplot()
    width = min(SMOOTHED, max(1, len(updates) // 10))
    averages = [
        (updates[end - 1][0], sum(loss for _, loss in updates[end - width : end]) / width)
        for end in range(width, len(updates) + 1)
    ]
    axes.plot(*zip(*updates, strict=True), color="0.85", linewidth=0.8)
    axes.plot(*zip(*averages, strict=True), label=f"training (mean of {width})" if width > 1 else "training")
    if validations:
        axes.plot(*zip(*validations, strict=True), marker="o", markersize=3, label="validation")
    axes.set_xlabel("update")
    axes.set_ylabel("loss")
    axes.legend()
    figure.savefig(picture, dpi=150)


def model_card(job: Job, result: Result, data: Data) -> str:
    """The run as a model card in Markdown, with the metadata that the Hugging Face hub reads."""
    settings = job.settings
    base = settings.init_encoder or settings.init
    on_hub = f"base_model: {base}\n" if base.count("/") == 1 and not Path(base).exists() else ""
    validations = [entry for entry in read_log(job.output / "log.jsonl") if "validation" in entry]
    loss = (
        "The loss is label-smoothed cross entropy a token."
        if data.train[0].salience is None
        else "Only what judges sentences was trained; the loss is binary cross entropy a sentence: is it quoted?"
    )
    rows = "\n".join(_row(entry, result.best_update) for entry in validations)
    return f"""---
license: unknown
library_name: pagesum
pipeline_tag: summarization
{on_hub}tags: [pagesum, summarization, long-documents]
---

# {job.output.resolve().name}

A PageSum model (Liu et al., "Leveraging Locality in Abstractive Text Summarization", EMNLP 2022): it reads each page
of a document alone and says which page each sentence of its summary came from.

```
pagesum summarize --model {job.output.resolve().name} FILE
```

- **Begins as:** `{_name(base)}`
- **Data:** `{_name(job.data)}`, {len(data.train)} documents for training, {len(data.validation)} for validation
  (fingerprint `{data.checks["train"].fingerprint[:16]}`)
- **Updates:** {result.updates}; these weights are from update {result.best_update}, selected by {settings.select}
- **Licence of the weights:** unknown: fill in `license` above. It depends on that of the base and on that of the data.
- **Made by:** pagesum {__version__}

## Scores on the validation data

| update | loss | ROUGE-1 | ROUGE-2 | |
|---|---|---|---|---|
{rows}

{loss} These documents chose the checkpoint: measure on others
(`pagesum eval --model {job.output.resolve().name} --data …`).

## Settings

```toml
{toml_of(settings)}```
"""


def _name(where: str) -> str:
    """What to call data or a checkpoint elsewhere: not by its path on this machine."""
    return Path(where).name if Path(where).exists() else where


def _row(entry: dict[str, Any], best: int) -> str:
    found = entry["validation"]
    rouge = [f"{found[kind]:.2f}" if kind in found else "–" for kind in ("rouge1", "rouge2")]
    mark = "chosen" if entry["update"] == best else ""
    return f"| {entry['update']} | {found['loss']:.4f} | {rouge[0]} | {rouge[1]} | {mark} |"
