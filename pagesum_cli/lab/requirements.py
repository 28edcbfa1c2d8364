"""What the commands of an item need, and what of it is there; nothing is computed or downloaded."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain

from ..evaluation.metrics.registry import METRICS
from ..models.catalog import folder_on_disk, is_hub_id, known_models
from ..options.presets import preset_values
from .reproduce import Item, Places, Training, file_problems, makers, source_of

_METRICS = re.compile(r"--metrics (\S+)")
_METRIC_MODEL = re.compile(r"--metric-model \S+?=([^\s{]+)")
_OTHER_MODEL = re.compile(r"--(?:system|embeddings) (\S+)")
_PRESET = re.compile(r"^train --preset (\S+)")


@dataclass(frozen=True)
class Requirement:
    """Something that is needed."""

    kind: str
    place: str  # where it lies, or where it is looked for; a name for what is none of a folder
    is_there: bool
    what: str = ""  # what it is, and where it is from
    problems: tuple[str, ...] = ()  # how it differs from what was published


def requirements_of(item: Item, places: Places, training: Training) -> list[Requirement]:
    """Everything that an item needs: files, checkpoints, what other items make, models on the hub
    and packages.
    """
    lines = [line for line in item.commands if training.train or not line.startswith("train")]
    text = "\n".join(lines)
    needed = [need for need in item.needs if _need(need) in text]
    files = [_of_files(kind, name, item, places) for kind, name in needed]
    models = dict.fromkeys((*_METRIC_MODEL.findall(text), *_OTHER_MODEL.findall(text)))
    if not training.init:
        models |= dict.fromkeys(chain.from_iterable(map(_starts, lines)))
    return [*filter(None, files), *map(_on_hub, models), *_packages(text)]


def _need(need: tuple[str, str]) -> str:
    kind, name = need
    return f"{{{kind}:{name}}}"


def _of_files(kind: str, name: str, item: Item, places: Places) -> Requirement | None:
    """A file or folder; None for what the item makes itself."""
    if kind == "run":
        return None if makers()[name] == item.name else _run(name, places)
    if kind == "model":
        return _checkpoint(name, places)
    place = places.find(kind, name)
    folder = places.data or "DATA"
    problems = tuple(file_problems(kind, name, places))
    return Requirement(
        kind, str(place or f"{folder}/{name}"), bool(place), source_of(kind, name), problems
    )


def _run(name: str, places: Places) -> Requirement:
    place = places.find("run", name)
    what = f"made by pagesum reproduce {makers()[name]}"
    return Requirement("result", str(place or places.made(name)), bool(place), what)


def _checkpoint(name: str, places: Places) -> Requirement:
    place = places.find("model", name) or places.published_file(name)
    model = next(one for one in known_models() if one.name == name)
    what = f"{model.file}, linked at {model.url}"
    folder = places.checkpoints or "CHECKPOINTS"
    return Requirement("model", str(place or f"{folder}/{name}/{model.file}"), bool(place), what)


def _starts(line: str) -> Iterator[str]:
    """What training starts from, where that is on the hub."""
    preset = _PRESET.match(line)
    if preset and " --init " not in line:
        start = str(preset_values(preset[1]).get("init", ""))
        if is_hub_id(start):
            yield start


def _on_hub(name: str) -> Requirement:
    """A model of the Hugging Face hub: whether it is in the cache."""
    from huggingface_hub import try_to_load_from_cache

    is_there = bool(folder_on_disk(name)) or isinstance(
        try_to_load_from_cache(name, "config.json"), str
    )
    what = "downloaded from the Hugging Face hub when it is used"
    return Requirement("hub", name, is_there, what)


def _packages(text: str) -> Iterator[Requirement]:
    """The libraries of metrics."""
    metrics = dict.fromkeys(name for one in _METRICS.findall(text) for name in one.split(","))
    packages = dict.fromkeys(package for name in metrics if (package := METRICS[name].package))
    for module, name in packages:
        what = "pip install 'pagesum[metrics]'"
        yield Requirement("package", name, find_spec(module) is not None, what)
