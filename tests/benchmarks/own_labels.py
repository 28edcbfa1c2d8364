"""What a head learned from twenty labelled documents of one kind gains on ten others of that kind.

    python tests/benchmarks/own_labels.py LABELS --work FOLDER [--groups law] [--seen] [--split 2]

``LABELS`` is as in ``editors.py``. The bundled heads have learned from these documents. Therefore
new heads are fitted to sixty documents of the other kinds first; these, and the same after twenty
documents of the kind, quote from the ten others. Of each kind, the shortest documents are taken.
The reader below the heads stays the bundled one, which has seen all of them: both sides have the
same advantage. With ``--seen``, the bundled heads take the place of the new ones, which takes a
tenth of the time and favours them. Each ``--split`` is another choice of the ten documents.

States and heads are kept in the folder: an interrupted run goes on. By estimate, on one core of its
own, the states of 180 documents take ten minutes, and the heads five minutes a group.
"""

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from editors import rows_of

from pagesum_cli.batch.talk import Silent
from pagesum_cli.evaluation.labelled import ALL, label_report
from pagesum_cli.models.base import load_model
from pagesum_cli.models.extractive.language_model import LanguageModelExtractor
from pagesum_cli.training.job import Job
from pagesum_cli.training.run import train
from pagesum_cli.training.settings import load_settings

GROUPS = {
    "law": ("contract", "statute", "court opinion"),
    "reports": ("report", "news", "policy report"),
    "reference": ("standard", "reference", "patent"),
    "instruction": ("manual", "technical book", "lesson"),
    "textbook": ("textbook section",),
    "papers": ("paper or proposal",),
}
"""Kinds with about thirty documents, some of several alike."""

LEARNED, COMPARED = 20, 10  # documents of a group
OTHERS = 12  # documents of each other group that new heads learn from
NEW_HEADS = {
    "task": "quotes",
    "trainable": "head",
    "learning_rate": 2e-4,
    "warmup": 5,
    "clip": 1.0,
    "epochs": 4,
}
"""How new heads are trained."""


def new_heads(folder: Path) -> None:
    """A checkpoint of the bundled reader with heads that have learned nothing."""
    model, tokenizer = load_model("editor", device="cpu", dtype="float32")
    assert isinstance(model, LanguageModelExtractor)
    assert tokenizer is not None
    other = LanguageModelExtractor(model.config)
    other.reset_head()
    other.scoring.norm.load_state_dict(model.scoring.norm.state_dict())
    other.scoring.length.load_state_dict(model.scoring.length.state_dict())
    model.scoring = other.scoring
    model.save_pretrained(folder)
    tokenizer.save(folder)


def documents_of(name: str, rows: Sequence[dict[str, Any]], split: int = 1) -> list[dict[str, Any]]:
    """The shortest documents of a group, in any order, another one for each split."""
    own = [row for row in rows if row["kind"] in GROUPS[name]]
    own.sort(key=lambda row: sum(len(text) for _, text in row["sentences"]))
    own = own[: LEARNED + COMPARED]
    random.Random(split).shuffle(own)
    return own


def learn(work: Path, rows: Sequence[dict[str, Any]], name: str, init: str, **changes: Any) -> Path:
    """A checkpoint that has learned from documents, beginning with another one."""
    output, data = work / name, work / f"{name}.jsonl"
    if not (output / "model.safetensors").exists():
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        settings = load_settings("labels", flags={"init": init, **changes})
        resume = (output / "settings.toml").exists()
        train(
            Job((str(data),), output, settings, device="cpu", cache=work / "cache", resume=resume)
        )
    return output


def compare(
    work: Path, rows: Sequence[dict[str, Any]], name: str, split: int, *, is_seen: bool
) -> None:
    """Print the shares of one group of kinds, before and after learning from it."""
    own = documents_of(name, rows, split)
    learned, others = own[:LEARNED], own[LEARNED : LEARNED + COMPARED]
    before = "editor"
    if not is_seen:
        groups = [one for one in GROUPS if one != name]
        rest = [row for one in groups for row in documents_of(one, rows)[:OTHERS]]
        start = work / "new"
        if not (start / "model.safetensors").exists():
            new_heads(start)
        before = str(learn(work, rest, f"{name}-without", str(start), **NEW_HEADS))
    suffix = f"-{split}" * (split > 1)
    after = str(learn(work, learned, f"{name}-own{'-seen' * is_seen}{suffix}", before))
    data = work / f"{name}-others{suffix}.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in others), encoding="utf-8")
    report = label_report(data, [before, after], Silent(), device="cpu")
    for model, shares in report.models.items():
        one = shares[ALL]
        print(f"{name:12} {model}: accepted {one.accepted:.1f}, rejected {one.rejected:.1f}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("labels", type=Path)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--groups", default=",".join(GROUPS), help="With commas between.")
    parser.add_argument("--split", type=int, default=1, help="Number of the choice of documents.")
    parser.add_argument("--seen", action="store_true", help="Begin with the bundled heads.")
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    rows = rows_of(arguments.labels)
    for name in arguments.groups.split(","):
        compare(arguments.work, rows, name, arguments.split, is_seen=arguments.seen)


if __name__ == "__main__":
    main()
