"""The model card of a run."""

from pathlib import Path
from typing import Any

from ..models.tasks import Task
from ..version import __version__
from .checkpoints import read_log
from .data import Data
from .job import Job, Result
from .settings import toml_of


def model_card(job: Job, result: Result, data: Data, task: Task) -> str:
    """The run as a model card in Markdown, with the metadata that the Hugging Face hub reads."""
    settings = job.settings
    name = job.output.resolve().name
    base = settings.init_encoder or settings.init
    on_hub = f"base_model: {base}\n" if base.count("/") == 1 and not Path(base).exists() else ""
    rows = "\n".join(_row(entry, result.best_update) for entry in read_log(job.output) if "validation" in entry)
    sources = ", ".join(f"`{_name(source)}`" for source in job.data)
    return f"""---
license: unknown
library_name: pagesum
pipeline_tag: summarization
{on_hub}tags: [pagesum, summarization, long-documents]
---

# {name}

{task.card.format(name=name)}

- **Starting point:** `{_name(base)}`
- **Task:** {task.name}
- **Data:** {sources}, {len(data.train)} documents for training, {len(data.validation)} for validation
  (fingerprint `{data.checks["train"].fingerprint[:16]}`)
- **Updates:** {result.updates}; these weights are from update {result.best_update}, selected by {settings.select}
- **License of the weights:** unknown: fill in `license` above. It depends on that of the base and on that of the data.
- **Made by:** pagesum {__version__}

## Scores on the validation data

| update | loss | ROUGE-1 | ROUGE-2 | |
|---|---|---|---|---|
{rows}

The loss is {task.loss_name}. These documents selected the checkpoint: measure on others
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
