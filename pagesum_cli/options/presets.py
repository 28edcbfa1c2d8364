"""The training presets: TOML files, of which one may change another, and combinations of the parts
of a file.
"""

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "training" / "presets"

NAMES = (
    "arxiv", "arxiv-star", "arxiv-discourse", "pubmed", "pubmed-star", "govreport",
    "govreport-star", "govreport-7168", "multinews", "multinews-spatial", "finetune", "mini",
    "quotes", "labels", "causal-lora",
)  # fmt: skip
"""Presets with a file of their own."""

_FILES = {
    file: tomllib.loads((FOLDER / file).read_text(encoding="utf-8"))
    for file in ("dpp.toml", "topdown.toml")
}
# of the top-down transformer, topdown-DATA-VARIANT
TOPDOWN = tuple(_FILES["topdown.toml"]["names"].split())
COMBINED = (*_FILES["dpp.toml"]["names"].split(), *TOPDOWN)
"""Presets made of the parts that their name has: those, and DATA-MODEL-VARIANT of the DPP attention
paper.
"""


def preset_source(name: str) -> str | None:
    """The TOML file of a preset, as it is; None where its settings come from several places."""
    if name in COMBINED:
        return None
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return None if "base" in tomllib.loads(text) else text


def preset_comments(name: str) -> str:
    """The comments at the head of a preset's file."""
    file = _parts_file(name) if name in COMBINED else f"{name}.toml"
    lines = (FOLDER / file).read_text(encoding="utf-8").splitlines()
    head = lines[: next(number for number, line in enumerate(lines) if not line.startswith("#"))]
    return "".join(f"{line}\n" for line in head)


def preset_values(name: str) -> dict[str, Any]:
    """The settings of a preset: its own, and those of its ``base`` or its parts."""
    if name in COMBINED:
        values: dict[str, Any] = {"model": {}}
        for part in _FILES[_parts_file(name)]["parts"]:
            if set(part["name"]).issubset(name.split("-")):
                own = {key: value for key, value in part.items() if key != "name"}
                values |= {**own, "model": {**values["model"], **part.get("model", {})}}
        return values
    values = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    base = values.pop("base", None)
    return {**preset_values(base), **values} if base else values


def has_preset(name: str) -> bool:
    """Whether there is a preset of that name."""
    return name in NAMES or name in COMBINED


def _parts_file(name: str) -> str:
    return "topdown.toml" if name in TOPDOWN else "dpp.toml"
