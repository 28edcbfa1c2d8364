"""The training presets: TOML files, of which one may change another, and combinations of the parts of a file."""

import tomllib
from itertools import product
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "training" / "presets"

NAMES = (
    "arxiv", "arxiv-star", "arxiv-discourse", "pubmed", "pubmed-star", "govreport", "govreport-star", "govreport-7168",
    "multinews", "multinews-spatial", "finetune", "mini",
)  # fmt: skip
"""Presets with a file of their own."""

_VARIANTS = {
    "pg": ("", "-covloss", "-covvec", "-dpp", "-dpp-paper", "-paper", "-covloss-dpp"),
    "ctf": ("", "-covloss", "-dpp", "-dpp-paper", "-paper"),
    "cvs2s": ("", "-covloss", "-dpp", "-dpp-paper", "-paper"),
}
_TOPDOWN = ("pubmed", "arxiv", "cnndm", "summscreen-fd", "summscreen-tms", "booksum-chapter")
_ABLATIONS = ("concat", "none", *(f"window-{size}" for size in (32, 64, 128, 256, 512)))
TOPDOWN = (
    *(f"topdown-{data}{kind}" for data, kind in product(_TOPDOWN, ("", "-tagger", "-adapool", "-oracle-adapool"))),
    "topdown-booksum-book",
    "topdown-booksum-book-adapool",
    *(f"topdown-pubmed-{ablation}" for ablation in _ABLATIONS),
)
"""Presets of the top-down transformer, topdown-DATA-VARIANT."""

COMBINED = (
    *(
        f"{data}-{model}{variant}"
        for data, model in product(("film", "company", "animal", "multinews"), _VARIANTS)
        for variant in _VARIANTS[model]
        if variant != "-covloss-dpp" or data == "multinews"
    ),
    *TOPDOWN,
)
"""Presets made of the parts that their name has: those, and DATA-MODEL-VARIANT of the DPP attention paper."""


def preset_source(name: str) -> str | None:
    """The TOML file of a preset, as it is; None where its settings come from several places."""
    if name in COMBINED:
        return None
    text = (FOLDER / f"{name}.toml").read_text(encoding="utf-8")
    return None if "base" in tomllib.loads(text) else text


def preset_comments(name: str) -> str:
    """The comments at the head of a preset's file."""
    file = _parts_file(name) if name in COMBINED else FOLDER / f"{name}.toml"
    lines = file.read_text(encoding="utf-8").splitlines()
    head = lines[: next(number for number, line in enumerate(lines) if not line.startswith("#"))]
    return "".join(f"{line}\n" for line in head)


def preset_values(name: str) -> dict[str, Any]:
    """The settings of a preset: its own, and those of its ``base`` or its parts."""
    if name in COMBINED:
        return _combined(_parts_file(name), set(name.split("-")))
    values = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))
    base = values.pop("base", None)
    return {**preset_values(base), **values} if base else values


def has_preset(name: str) -> bool:
    """Whether there is a preset of that name."""
    return name in NAMES or name in COMBINED


def _parts_file(name: str) -> Path:
    return FOLDER / ("topdown.toml" if name in TOPDOWN else "dpp.toml")


def _combined(file: Path, name: set[str]) -> dict[str, Any]:
    values: dict[str, Any] = {"model": {}}
    for part in tomllib.loads(file.read_text(encoding="utf-8"))["parts"]:
        if name.issuperset(part.pop("name")):
            values |= {**part, "model": {**values["model"], **part.get("model", {})}}
    return values
