"""The papers' tables and figures: what each needs, and the commands that make it;
``reproduce.toml`` has them.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from itertools import product
from pathlib import Path
from typing import Any

from ..datasets.folders import byte_lines
from ..models.catalog import folder_on_disk, known_models, unknown_model
from ..text.tables import table

_RECIPES = table(__file__, "reproduce.toml")
NEED = re.compile(r"\{(data|file|model|run):([^}]+)\}")


@dataclass(frozen=True)
class Places:
    """Folders of data sets, of checkpoints, and of what the commands make; None for one that is not
    given.
    """

    data: Path | None
    checkpoints: Path | None
    output: Path
    record: str = "17"  # the id of the record that a figure of a single one shows

    def find(self, kind: str, name: str) -> Path | None:
        """The file or folder that a command needs; None if it is not on disk."""
        if kind == "model":
            own = self.checkpoints / name if self.checkpoints else None
            is_whole = own and (own / "config.json").is_file()
            return own if is_whole else folder_on_disk(name)
        folders = {"data": (self.data,), "run": (self.output,)}
        inside = [self.data / "outputs", self.data / "output"] if self.data else []
        places = (folder / name for folder in folders.get(kind, (self.data, *inside)) if folder)
        return next((place for place in places if place.exists()), None)

    def published_file(self, name: str) -> Path | None:
        """The file of a published checkpoint as it was downloaded: NAME/FILE, NAME.bin, or FILE
        where no other checkpoint's file is named so; None if there is none.
        """
        file = _file_of(name)
        if not (file and self.checkpoints and self.checkpoints.is_dir()):
            return None
        inside = sorted(self.checkpoints.iterdir())
        places = [folder / file for folder in inside if folder.name.casefold() == name]
        places.append(self.checkpoints / f"{name}.bin")
        if len(_of_file(file)) == 1:
            places.append(self.checkpoints / file)
        return next((place for place in places if place.is_file()), None)

    def filled(self, need: re.Match[str]) -> str:
        """The path, or the name, of what a command needs or makes."""
        kind, name = need.groups()
        return str(self.find(kind, name) or (self.output / name if kind == "run" else name))

    def advice(self, kind: str, name: str) -> str:
        """What is missing, and where it is published."""
        if kind == "model":
            found = f"{unknown_model(name).message}{self._ambiguous(name)}"
            folder = self.checkpoints or "CHECKPOINTS"
            addition = f"pagesum models add {name} {_file_of(name)}"
            return f"{found}; put it into {folder}/{name}/, or {addition}"
        if kind == "run":
            return (
                f"{self.output / name}: made by training (--train), by another command, or by "
                f"another table"
            )
        where = _RECIPES["data"][name]["what"] if kind == "data" else f"from {_RECIPES['outputs']}"
        return f"{self.data or 'DATA'}/{name}: {where}"

    def _ambiguous(self, name: str) -> str:
        """What to say about a file in the folder of checkpoints that could be several of them."""
        file = _file_of(name)
        names = _of_file(file)
        found = self.checkpoints / file if self.checkpoints else None
        if len(names) < 2 or not (found and found.is_file()):
            return ""
        return f" ({found} may be that of {' or '.join(names)})"


def _file_of(name: str) -> str:
    """The name of a checkpoint's file where it is published; empty if it is not published."""
    return next((model.file for model in known_models() if model.name == name), "")


def _of_file(file: str) -> list[str]:
    """The checkpoints whose published file has a name."""
    return [model.name for model in known_models() if model.file and model.file == file]


@dataclass(frozen=True)
class Item:
    """A table or figure, such as ``pagesum:1``."""

    name: str
    title: str
    note: str
    commands: tuple[str, ...]


@dataclass(frozen=True)
class Step:
    """A command, and what it lacks."""

    words: tuple[str, ...]
    missing: tuple[str, ...] = ()  # what is not on disk, and where it is published

    def __str__(self) -> str:
        return shlex.join(["pagesum", *self.words])


@cache
def all_items() -> dict[str, Item]:
    """The tables and figures by name, such as ``pagesum:1``."""
    return {one["name"]: _item(one) for one in _RECIPES["item"]}


def _item(entry: dict[str, Any]) -> Item:
    each = entry.get("each", {})
    lines: list[str] = []
    for chosen in product(*each.values()):
        text = entry.get("commands", "")
        for name, value in zip(each, chosen, strict=True):
            text = text.replace(f"<{name}>", value)
        lines += text.strip().splitlines()
    lines += entry.get("last", "").strip().splitlines()
    return Item(entry["name"], entry["title"], entry.get("note", ""), tuple(lines))


def steps_of(item: Item, places: Places, *, train: bool = False) -> list[Step]:
    """The commands of an item with their files; commands that train lack something unless
    ``train``.
    """
    steps = list(_additions(item, places))
    made = {("model", step.words[2]) for step in steps}
    for line in item.commands:
        words = [places.record if word == "<id>" else word for word in shlex.split(line)]
        needed = NEED.findall(re.sub(r"--(output|annotate) \S+", "", line))
        lacking = [
            places.advice(*need)
            for need in dict.fromkeys(needed)
            if not (places.find(*need) or need in made)
        ]
        if words[0] == "train" and not train:
            lacking.append("--train, and days on a GPU")
        if not lacking:
            made |= {need for need in NEED.findall(line) if need[0] == "run"}
        filled = tuple(NEED.sub(places.filled, word) for word in words)
        steps.append(Step(filled, tuple(lacking)))
    return steps


def _additions(item: Item, places: Places) -> Iterator[Step]:
    """The commands that add the published checkpoints of an item, which are there as files."""
    for kind, name in dict.fromkeys(need for line in item.commands for need in NEED.findall(line)):
        file = None
        if kind == "model" and not places.find(kind, name):
            file = places.published_file(name)
        if file:
            yield Step(("models", "add", name, str(file)))


def check_files(item: Item, places: Places) -> Iterator[str]:
    """Compare published files, and numbers of test documents, with what is known of them; yields a
    line for each difference. The form of records is checked by the commands, before they compute
    anything."""
    for kind, name in dict.fromkeys(need for line in item.commands for need in NEED.findall(line)):
        found = places.find(kind, name)
        if kind == "file" and found and _git_sha1(found) != _RECIPES["files"][name]:
            yield f"{found} is not the file that the authors published"
        expected = _RECIPES["data"][name].get("test") if kind == "data" else None
        number = _number_of_records(found) if found and expected else None
        if number and number != expected:
            yield f"{found}: {number:,} test documents, expected {expected:,}"


def _git_sha1(path: Path) -> str:
    content = path.read_bytes()
    return sha1(b"blob %d\0%s" % (len(content), content), usedforsecurity=False).hexdigest()


def _number_of_records(folder: Path) -> int:
    """Test documents of a folder, without reading them; 0 in forms that only reading tells."""
    lines = (
        sum(1 for _ in byte_lines(file))
        for name in ("test.txt", "test.src")
        for file in folder.glob(name)
    )
    return sum(
        1 for place in ("base", "") for _ in folder.joinpath(place, "test").glob("*.json")
    ) or next(lines, 0)
