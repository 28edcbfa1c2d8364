"""The training presets: TOML files, of which one may change another."""

import tomllib
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "training" / "presets"


def preset_source(name: str) -> str:
    """The TOML file of a preset, as it is."""
    return (FOLDER / f"{name}.toml").read_text(encoding="utf-8")


def preset_values(name: str) -> dict[str, Any]:
    """The settings of a preset: its own, and those of its ``base`` that it does not change."""
    values = tomllib.loads(preset_source(name))
    base = values.pop("base", None)
    return {**preset_values(base), **values} if base else values


def has_preset(name: str) -> bool:
    """Whether there is a preset of that name."""
    return (FOLDER / f"{name}.toml").is_file()
