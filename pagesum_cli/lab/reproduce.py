"""The papers' tables and figures: what each needs, and the commands that make it; ``reproduce.toml`` has them."""

import re
import shlex
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha1
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Any

from ..datasets.folders import byte_lines
from ..datasets.named import DataRequest, check_data
from ..errors import PagesumError, UsageError
from ..models.catalog import folder_on_disk, known_models
from ..options import nearest

NEED = re.compile(r"\{(data|file|model|run):([^}]+)\}")


@dataclass(frozen=True)
class Places:
    """Folders of data sets, of checkpoints, and of what the commands make; None for one that is not given."""

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

    def advice(self, kind: str, name: str) -> str:
        """What is missing, and where it is published."""
        data, recipes = self.data or "DATA", _recipes()
        if kind == "data":
            return f"{data}/{name}: {recipes['data'][name]['what']}"
        if kind == "file":
            return f"{data}/{name}: from {recipes['outputs']}"
        if kind == "run":
            return f"{self.output / name}: made by training (--train), by another command, or by another table"
        model = next(one for one in known_models() if one.name == name)
        files = self.checkpoints.rglob(model.file) if self.checkpoints else ()
        file = next((one for one in files if model.file != "model.bin" or name in one.parts), None)
        where = f"the checkpoint {name}, " + (f"{file}" if file else f"{model.file} linked at {model.url}")
        return f"{where}: pagesum models add {name} {file or model.file}"


@dataclass(frozen=True)
class Item:
    """A table or figure."""

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
def _recipes() -> dict[str, Any]:
    return tomllib.loads((resources.files("pagesum_cli") / "lab" / "reproduce.toml").read_text(encoding="utf-8"))


@cache
def all_items() -> dict[str, Item]:
    """The tables and figures by name, such as ``pagesum:1``."""
    return {one["name"]: _item(one) for one in _recipes()["item"]}


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


def find_item(name: str) -> Item:
    """The table or figure of a name.

    Raises:
        UsageError: There is none.
    """
    if name not in all_items():
        near = nearest(name, all_items())
        raise UsageError(
            f"no table or figure {name!r}", f"did you mean {near}?" if near else "pagesum reproduce lists them"
        )
    return all_items()[name]


def steps_of(item: Item, places: Places, *, train: bool = False) -> list[Step]:
    """The commands of an item with their files; commands that train lack something unless ``train``."""
    made: set[str] = set()
    steps = []
    for line in item.commands:
        words = shlex.split(line)
        needed = [
            need
            for before, word in zip(["", *words], words, strict=False)
            for need in NEED.findall(word)
            if before not in ("--output", "--annotate")
        ]
        lacking = [
            places.advice(kind, name)
            for kind, name in dict.fromkeys(needed)
            if not (places.find(kind, name) or (kind == "run" and name in made))
        ]
        if words[0] == "train" and not train:
            lacking.append("--train, and days on a GPU")
        if not lacking:
            made |= {name for kind, name in NEED.findall(line) if kind == "run"}
        steps.append(Step(tuple(NEED.sub(lambda need: _filled(places, need), word) for word in words), tuple(lacking)))
    return steps


def _filled(places: Places, need: re.Match[str]) -> str:
    kind, name = need.groups()
    if found := places.find(kind, name):
        return str(found)
    return str(places.output / name) if kind == "run" else name


def check_files(item: Item, steps: Sequence[Step], places: Places) -> Iterator[str]:
    """Check what the commands read: the form of data sets, their numbers of records, and published files.

    Yields a line for everything that is not as published.

    Raises:
        PagesumError: A data set has another form than the commands expect.
    """
    recipes = _recipes()
    for kind, name in dict.fromkeys(need for line in item.commands for need in NEED.findall(line)):
        found = places.find(kind, name)
        if kind == "file" and found and _git_sha1(found) != recipes["files"][name]:
            yield f"{found} is not the file that the authors published"
        expected = recipes["data"][name].get("test") if kind == "data" else None
        number = _number_of_records(found) if found and expected else None
        if number and number != expected:
            yield f"{found}: {number:,} test documents, expected {expected:,}"
    for step in steps:
        given = dict(zip(step.words, step.words[1:], strict=False))
        if "--data-dir" in given and not step.missing and step.words[0] == "eval":
            request = DataRequest(given["--data"], Path(given["--data-dir"]), given.get("--split", "test"))
            try:
                check_data(request, summaries=True)
            except PagesumError as error:
                raise PagesumError(f"{item.name}: {error.message}", error.hint) from error


def _git_sha1(path: Path) -> str:
    content = path.read_bytes()
    return sha1(b"blob %d\0%s" % (len(content), content), usedforsecurity=False).hexdigest()


def _number_of_records(folder: Path) -> int | None:
    """Test documents of a folder, without reading them; None in forms that only reading tells."""
    for place in (folder / "base", folder):
        if number := sum(1 for _ in (place / "test").glob("*.json")):
            return number
    files = (folder / name for name in ("test.txt", "test.src", "test.jsonl"))
    file = next((file for file in files if file.is_file()), None)
    return sum(1 for _ in byte_lines(file)) if file else None
