"""The checkpoints by name, and where they are. Independent of torch."""

import contextlib
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from platformdirs import user_data_path

from ..errors import PagesumError
from ..options import nearest
from .ranges import GENERATION, RANGES, check_ranges

PACKAGE = Path(__file__).parents[1]
BUNDLED = PACKAGE / "assets"
DEFAULT = "mini"
BART = BUNDLED / "bart"
"""Configuration and tokenizer of the official checkpoints, without weights."""

SETTINGS_LIMIT = 16 << 20
"""Bytes of a file of settings."""


@dataclass(frozen=True)
class KnownModel:
    """A checkpoint with a name.

    Attributes:
        name: Its name.
        what: One-line description.
        good: What it is good at.
        bad: What it is bad at.
        locality: The locality that it was trained with.
        num_pages: The fixed number of pages that it was trained with; None if any number works.
        url: Where to download it; empty for one that is on this disk anyway.
        file: The name of its file there.
        folder: Its folder on this disk; None if there is none.
        bytes: Its size on disk or as a download; 0 if unknown.
    """

    name: str
    what: str
    good: str
    bad: str
    locality: str
    num_pages: int | None
    url: str
    file: str
    folder: Path | None
    bytes: int


def known_models() -> list[KnownModel]:
    """The bundled checkpoints and those that others publish, from ``models.toml``, then those added by other names."""
    with open(Path(__file__).with_name("models.toml"), "rb") as file:
        entries = tomllib.load(file)
    own = {"what": "added on this machine", "good": "", "bad": ""}
    added = {folder.name: own for folder in added_folders() if folder.name not in entries}
    return [_known(name, entry) for name, entry in {**entries, **added}.items()]


def models_folder() -> Path:
    """The folder of the checkpoints that ``pagesum models add`` added, which may not exist yet."""
    return user_data_path("pagesum", appauthor=False) / "models"


def added_folders() -> list[Path]:
    """The folders of the added checkpoints, by name."""
    with contextlib.suppress(OSError):
        folders = (path for path in models_folder().iterdir() if not path.name.startswith("."))
        return sorted(path for path in folders if (path / "config.json").is_file())
    return []


def settings_of(folder: Path, file: str = "config.json") -> dict[str, Any]:
    """Read a checkpoint's ``config.json``, or another JSON file of its folder.

    Raises:
        PagesumError: It is missing, not a JSON object, or a value is of another type or out of range.
    """
    path = folder / file
    try:
        with open(path, "rb") as stream:
            data = stream.read(SETTINGS_LIMIT + 1)
        if len(data) > SETTINGS_LIMIT:
            raise PagesumError(
                f"{path}: larger than {SETTINGS_LIMIT >> 20} MB", "copy or download the checkpoint again"
            )
        settings = json.loads(data.decode("utf-8"))
    except FileNotFoundError:
        raise PagesumError(
            f"{folder}: expected a checkpoint, found no {file} in it",
            "pagesum models add NAME FILE adds an official PageSum file, which has none",
        ) from None
    except (OSError, ValueError, RecursionError) as error:
        raise PagesumError(f"{path}: cannot be read: {error}", "copy or download the checkpoint again") from error
    if not isinstance(settings, dict):
        raise PagesumError(f"{path}: expected a JSON object", "copy or download the checkpoint again")
    try:
        check_ranges(settings, {**RANGES, **GENERATION})
        generation = settings.get("generation")
        if isinstance(generation, dict):
            check_ranges(generation, GENERATION)
    except ValueError as error:
        raise PagesumError(f"{path}: {error}", "copy or download the checkpoint again") from error
    return settings


def folder_on_disk(name: str) -> Path | None:
    """The folder of a bundled checkpoint, of an added one, or of one named by its path; None for any other name."""
    if name == DEFAULT:
        return BUNDLED / name
    added = models_folder() / name
    if Path(name).name == name and not name.startswith(".") and (added / "config.json").is_file():
        return added
    return Path(name) if Path(name).is_dir() else None


def has_tokenizer(folder: Path) -> bool:
    """Whether a folder has a file of a tokenizer."""
    return any((folder / name).is_file() for name in ("tokenizer.json", "vocab.json", "vocab.txt"))


def trained_locality(name: str) -> str:
    """The locality that a checkpoint was trained with; ``auto`` where it does not say so, or is not on this disk."""
    folder = folder_on_disk(name)
    return str(settings_of(folder).get("locality") or "auto") if folder else "auto"


def is_hub_id(name: str) -> bool:
    """Whether the name looks like ``owner/name``, or ``owner/name@revision``."""
    return name.partition("@")[0].count("/") == 1 and not name.startswith((".", "/", "~"))


def commit_of(folder: Path) -> str:
    """The commit of a folder that was downloaded from the hub; empty for any other folder."""
    return folder.name if folder.parent.name == "snapshots" else ""


def fingerprint(name: str) -> list[Any]:
    """Values that change when a checkpoint does: the names, sizes and times of its files, or its commit on the hub."""
    folder = folder_on_disk(name)
    if folder is None:
        return [name, commit_of(checkpoint_folder(name, weights=True))] if is_hub_id(name) else [name]
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return [name, *((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files)]


def checkpoint_folder(name: str, *, weights: bool) -> Path:
    """The folder of a checkpoint; one on the Hugging Face hub is downloaded.

    Args:
        name: A bundled or added name, a folder, or a Hugging Face id, to which ``@`` and a branch, tag or commit may be
            added.
        weights: Whether the weights are needed too, or only ``config.json`` and the tokenizer.

    Raises:
        PagesumError: There is no such checkpoint, or it cannot be downloaded.
    """
    folder = folder_on_disk(name)
    if folder:
        return folder
    if Path(name).is_file():
        raise PagesumError(
            f"{name}: expected a checkpoint's folder, found a file",
            f"pagesum models add NAME {name}, then --model NAME",
        )
    if is_hub_id(name):
        return _fetch(name, ["*.json", "*.txt", "*.model", *(["*.safetensors", "*.bin"] if weights else [])])
    raise unknown_model(name)


def unknown_model(name: str) -> PagesumError:
    """The error for a checkpoint that does not exist, with the most similar name."""
    models = {model.name: model for model in known_models()}
    if name in models:
        url, file = models[name].url, models[name].file
        return PagesumError(
            f"the model {name} is not on this disk; its file {file} is linked at {url}",
            f"download the file, then: pagesum models add {name} {file}",
        )
    near = nearest(name, models)
    return PagesumError(
        f"no model {name!r}: neither a known model ({', '.join(models)}), a folder, nor a Hugging Face id (owner/name)",
        f"did you mean {near}?" if near else "pagesum models lists the known models",
    )


def _fetch(name: str, patterns: list[str]) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    repository, _, revision = name.partition("@")
    try:
        return Path(snapshot_download(repository, revision=revision or None, allow_patterns=patterns))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise PagesumError(
            f"{name}: not a folder, and it cannot be fetched from the Hugging Face hub: {reason}",
            "check the name and the network; mini needs neither",
        ) from error


def _known(name: str, entry: dict[str, Any]) -> KnownModel:
    folder = folder_on_disk(name) if name == DEFAULT or (models_folder() / name).is_dir() else None
    settings: dict[str, Any] = {}
    if folder and "locality" not in entry:
        with contextlib.suppress(PagesumError):  # using it reports what is wrong
            settings = settings_of(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder else entry.get("bytes", 0)
    return KnownModel(
        name=name,
        what=entry["what"],
        good=entry["good"],
        bad=entry["bad"],
        locality=entry.get("locality") or settings.get("locality") or "auto",
        num_pages=entry.get("num_pages", settings.get("num_pages")),
        url=entry.get("url", ""),
        file=entry.get("file", ""),
        folder=folder,
        bytes=size,
    )
