"""A finished run: its loss curve and its model card."""

from pathlib import Path
from typing import Any

from ..version import __version__
from .checkpoints import read_log
from .data import Data
from .job import Job, Result
from .settings import toml_of
from .tasks import TASKS

SMOOTHED = 50
"""Points of the training loss that are averaged in the plot."""

SUMMARIZER = """\
A PageSum model (Liu et al., "Leveraging Locality in Abstractive Text Summarization", EMNLP 2022): it reads each page
of a document alone and reports which page each sentence of its summary came from.

```
pagesum summarize --model {name} FILE
```"""
TAGGER = """\
An importance tagger (Pang et al., "Long Document Summarization with Top-down and Bottom-up Inference", 2022): it
predicts which words of a document are in its summary. A top-down transformer is trained with it (`--set tagger=…`)."""


def write_report(job: Job, result: Result, data: Data, task: str) -> None:
    """Draw the loss curve and write the model card."""
    draw_losses(job.output, job.output / "loss.png")
    (job.output / "README.md").write_text(model_card(job, result, data, task), encoding="utf-8")


def draw_losses(run: Path, picture: Path) -> None:
    """Draw training and validation loss over updates as a PNG."""
    from matplotlib.figure import Figure

    entries = read_log(run)
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


def model_card(job: Job, result: Result, data: Data, task: str) -> str:
    """The run as a model card in Markdown, with the metadata that the Hugging Face hub reads."""
    settings = job.settings
    name = job.output.resolve().name
    base = settings.init_encoder or settings.init
    on_hub = f"base_model: {base}\n" if base.count("/") == 1 and not Path(base).exists() else ""
    rows = "\n".join(_row(entry, result.best_update) for entry in read_log(job.output) if "validation" in entry)
    sources = ", ".join(f"`{_name(one)}`" for one in job.data)
    return f"""---
license: unknown
library_name: pagesum
pipeline_tag: summarization
{on_hub}tags: [pagesum, summarization, long-documents]
---

# {name}

{TAGGER if task == "importance" else SUMMARIZER.format(name=name)}

- **Starting point:** `{_name(base)}`
- **Task:** {task}
- **Data:** {sources}, {len(data.train)} documents for training, {len(data.validation)} for validation
  (fingerprint `{data.checks["train"].fingerprint[:16]}`)
- **Updates:** {result.updates}; these weights are from update {result.best_update}, selected by {settings.select}
- **License of the weights:** unknown: fill in `license` above. It depends on that of the base and on that of the data.
- **Made by:** pagesum {__version__}

## Scores on the validation data

| update | loss | ROUGE-1 | ROUGE-2 | |
|---|---|---|---|---|
{rows}

The loss is {TASKS[task].loss_name}. These documents selected the checkpoint: measure on others
(`pagesum eval --model {name} --data …`).

## Settings

```toml
{toml_of(settings)}```
"""


def _name(where: str) -> str:
    """A name for data or a checkpoint elsewhere: not its path on this machine."""
    return Path(where).name if Path(where).exists() else where


def _row(entry: dict[str, Any], best: int) -> str:
    scores = entry["validation"]
    rouge = [f"{scores[kind]:.2f}" if kind in scores else "–" for kind in ("rouge1", "rouge2")]
    selected = "selected" if entry["update"] == best else ""
    return f"| {entry['update']} | {scores['loss']:.4f} | {rouge[0]} | {rouge[1]} | {selected} |"
