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
from ..models.catalog import folder_on_disk, unknown_model
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

    def find(self, kind: str, name: str) -> Path | None:
        """The file or folder that a command needs; None if it is not on disk."""
        if kind == "model":
            own = self.checkpoints / name if self.checkpoints else None
            return own if own and (own / "config.json").is_file() else folder_on_disk(name)
        folders = {"data": (self.data,), "run": (self.output,)}
        inside = [self.data / "outputs", self.data / "output"] if self.data else []
        places = (folder / name for folder in folders.get(kind, (self.data, *inside)) if folder)
        return next((place for place in places if place.exists()), None)

    def filled(self, need: re.Match[str]) -> str:
        """The path, or the name, of what a command needs or makes."""
        kind, name = need.groups()
        return str(self.find(kind, name) or (self.output / name if kind == "run" else name))

    def advice(self, kind: str, name: str) -> str:
        """What is missing, and where it is published."""
        if kind == "model":
            error = unknown_model(name)
            return f"{error.message}; {error.hint}"
        if kind == "run":
            return (
                f"{self.output / name}: made by training (--train), by another command, or by "
                f"another table"
            )
        where = _RECIPES["data"][name]["what"] if kind == "data" else f"from {_RECIPES['outputs']}"
        return f"{self.data or 'DATA'}/{name}: {where}"


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
    made: set[str] = set()
    steps = []
    for line in item.commands:
        words = shlex.split(line)
        needed = NEED.findall(re.sub(r"--(output|annotate) \S+", "", line))
        lacking = [
            places.advice(kind, name)
            for kind, name in dict.fromkeys(needed)
            if not (places.find(kind, name) or (kind == "run" and name in made))
        ]
        if words[0] == "train" and not train:
            lacking.append("--train, and days on a GPU")
        if not lacking:
            made |= {name for kind, name in NEED.findall(line) if kind == "run"}
        steps.append(Step(tuple(NEED.sub(places.filled, word) for word in words), tuple(lacking)))
    return steps


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
