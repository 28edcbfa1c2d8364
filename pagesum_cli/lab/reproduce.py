"""The papers' tables and figures: what each needs, and the commands that make it;
``reproduce.toml`` has them.
"""

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
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
_HERE = re.compile(r"\{here:([^}]+)\}")
_MADE = re.compile(r"--(?:output|annotate) (\S+)")  # what a command makes
VECTORS, FACTS = _RECIPES["others"]  # files that metrics need


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
        if kind == "run":  # of an earlier version: not in the folder of its item
            places = [self.made(name), self.output / name]
        else:
            inside = [self.data / "outputs", self.data / "output"] if self.data else []
            folders = [self.data, *(inside if kind == "file" else ())] if self.data else []
            places = [folder / name for folder in folders if folder]
        return next((place for place in places if place.exists()), None)

    def item_folder(self, item: str) -> Path:
        """The folder of what the commands of an item make, such as ``pagesum-1``."""
        return self.output / item.replace(":", "-")

    def made(self, run: str) -> Path:
        """Where a run is made: in the folder of the first item that makes it."""
        return self.item_folder(makers()[run]) / run

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

    def is_trained(self, step: "Step") -> bool:
        """Whether the run of a command of training has a model."""
        run = NEED.search(_MADE.findall(step.line)[0])
        return run is not None and (self.made(run[2]) / "model.safetensors").is_file()

    def filled(self, need: re.Match[str]) -> str:
        """The path, or the name, of what a command needs or makes."""
        kind, name = need.groups()
        return str(self.find(kind, name) or (self.made(name) if kind == "run" else name))

    def advice(self, kind: str, name: str) -> str:
        """What is missing, and where it is published."""
        if kind == "model":
            found = f"{unknown_model(name).message}{self._ambiguous(name)}"
            folder = self.checkpoints or "CHECKPOINTS"
            addition = f"pagesum models add {name} {_file_of(name)}"
            return f"{found}; put it into {folder}/{name}/, or {addition}"
        if kind == "run":
            return (
                f"{self.made(name)}: made by training (--train), by another command, or by "
                f"another table ({makers()[name]})"
            )
        return f"{self.data or 'DATA'}/{name}: {source_of(kind, name)}"

    def _ambiguous(self, name: str) -> str:
        """What to say about a file in the folder of checkpoints that could be several of them."""
        file = _file_of(name)
        names = _of_file(file)
        found = self.checkpoints / file if self.checkpoints else None
        if len(names) < 2 or not (found and found.is_file()):
            return ""
        return f" ({found} may be that of {' or '.join(names)})"


def source_of(kind: str, name: str) -> str:
    """What belongs into a folder of data, or where a file is from."""
    if kind == "data":
        return str(_RECIPES["data"][name]["what"])
    return str(_RECIPES["others"].get(name, f"from {_RECIPES['outputs']}"))


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
    # beginnings of the names of runs that the paper's rows are means over
    means: tuple[str, ...] = ()
    # the paper's rows of figures that are not in published.toml: ``system`` and scores
    rows: tuple[dict[str, Any], ...] = ()

    @property
    def needs(self) -> list[tuple[str, str]]:
        """The kinds and names of everything that the commands need or make."""
        return list(dict.fromkeys(need for line in self.commands for need in NEED.findall(line)))


@dataclass(frozen=True)
class Training:
    """How the models that were not published are trained."""

    train: bool = False  # whether they are
    init: str | None = None  # where training starts; None: as the preset says
    settings: tuple[str, ...] = ()  # further settings, each ``NAME=VALUE``

    def flags(self, line: str) -> list[str]:
        """The flags that a command of training gets; a run that goes on from another one keeps its
        start.
        """
        flags = ["--init", self.init] if self.init and " --init " not in line else []
        return flags + [word for one in self.settings for word in ("--set", one)]


@dataclass(frozen=True)
class Step:
    """A command, and what it lacks."""

    words: tuple[str, ...]
    missing: tuple[str, ...] = ()  # what is not on disk, and where it is published
    line: str = ""  # the line of the recipe

    def __str__(self) -> str:
        return shlex.join(["pagesum", *self.words])


@cache
def all_items() -> dict[str, Item]:
    """The tables and figures by name, such as ``pagesum:1``."""
    return {one["name"]: _item(one) for one in _RECIPES["item"]}


@cache
def makers() -> dict[str, str]:
    """The item that makes a run, by the run's name: the first with a command that does."""
    found: dict[str, str] = {}
    for item in all_items().values():
        for line in item.commands:
            for made in _MADE.findall(line):
                for _, name in NEED.findall(made):
                    found.setdefault(name, item.name)
    return found


def _item(entry: dict[str, Any]) -> Item:
    each = entry.get("each", {})
    lines: list[str] = []
    for chosen in product(*each.values()):
        text = entry.get("commands", "")
        for name, value in zip(each, chosen, strict=True):
            text = text.replace(f"<{name}>", value)
        lines += text.strip().splitlines()
    lines += entry.get("last", "").strip().splitlines()
    means, rows = tuple(entry.get("means", ())), tuple(entry.get("rows", ()))
    return Item(entry["name"], entry["title"], entry.get("note", ""), tuple(lines), means, rows)


def steps_of(item: Item, places: Places, training: Training = Training()) -> list[Step]:
    """The commands of an item with their files; commands that train lack something unless they are
    to be run.
    """
    steps = list(_additions(item, places))
    made = {("model", step.words[2]) for step in steps}
    for line in item.commands:
        needed = NEED.findall(_MADE.sub("", line))
        lacking = [
            places.advice(*need)
            for need in dict.fromkeys(needed)
            if not (places.find(*need) or need in made)
        ]
        if line.startswith("train") and not training.train:
            lacking.append("--train, and days on a GPU")
        if not lacking:
            made |= {need for need in NEED.findall(line) if need[0] == "run"}
        words = _words(line, item, places)
        if words[0] == "train":
            words += training.flags(line)
        steps.append(Step(tuple(words), tuple(lacking), line))
    return steps


def _words(line: str, item: Item, places: Places) -> list[str]:
    """The words of a command, with its files."""
    here = places.item_folder(item.name)
    words = [places.record if word == "<id>" else word for word in shlex.split(line)]
    filled = (NEED.sub(places.filled, word) for word in words)
    return [_HERE.sub(lambda name: str(here / name[1]), word) for word in filled]


def with_prerequisites(item: Item) -> Item:
    """The item, with the commands of other items that make what its own commands need before
    them.
    """
    lines: dict[str, None] = {}
    for line in item.commands:
        _add(line, lines, {*item.commands})
    return replace(item, commands=tuple(lines))


def _add(line: str, lines: dict[str, None], own: set[str]) -> None:
    """Add a command after those that make what it needs."""
    for word in _MADE.sub("", line).split():
        need = word.partition("=")[2] if "=" in word else word
        if need.startswith("{run:"):
            for other in _making(need):
                if other not in lines and other not in own:
                    _add(other, lines, own)
    lines[line] = None


def _making(need: str) -> list[str]:
    """The commands that make a run, or a file of it."""
    run = NEED.match(need)
    if not run:
        return []
    made = ((one, _MADE.findall(one)) for one in all_items()[makers()[run[2]]].commands)
    return [one for one, names in made if any(f"{need}/".startswith(f"{name}/") for name in names)]


def runnable(words: Sequence[str]) -> tuple[str, ...]:
    """The words of a command as they are when it is run: a ``*`` in a path stands for what is
    there, and training that was stopped continues.
    """
    found = tuple(_there(word) for word in words)
    if words[0] != "train":
        return found
    output = words[words.index("--output") + 1]
    is_begun = (Path(output) / "settings.toml").exists()
    return ("train", "--resume", "--output", output) if is_begun else found


def _there(word: str) -> str:
    """A word, with the first path that a ``*`` in it stands for."""
    name, equals, pattern = word.rpartition("=")
    if "*" not in pattern:
        return word
    folder, _, rest = pattern.partition("*")
    found = sorted(Path(folder).glob(f"*{rest}")) if Path(folder).is_dir() else []
    return f"{name}{equals}{found[0]}" if found else word


def _additions(item: Item, places: Places) -> Iterator[Step]:
    """The commands that add the published checkpoints of an item, which are there as files."""
    for kind, name in item.needs:
        file = None
        if kind == "model" and not places.find(kind, name):
            file = places.published_file(name)
        if file:
            yield Step(("models", "add", name, str(file)))


def check_files(item: Item, places: Places) -> Iterator[str]:
    """Compare published files, and numbers of test documents, with what is known of them; yields a
    line for each difference. The form of records is checked by the commands, before they compute
    anything."""
    for kind, name in item.needs:
        yield from file_problems(kind, name, places)


def file_problems(kind: str, name: str, places: Places) -> Iterator[str]:
    """How a file or a folder of data differs from what was published; see :func:`check_files`."""
    published, found = _RECIPES["files"], places.find(kind, name)
    if kind == "file" and name in published and found and _git_sha1(found) != published[name]:
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
