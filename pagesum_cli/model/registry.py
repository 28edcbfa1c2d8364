"""Which checkpoints there are, and where: known without torch."""

import difflib
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import PagesumError

PACKAGE = Path(__file__).parents[1]
BUNDLED = PACKAGE / "assets"
DEFAULT = "mini"


@dataclass(frozen=True)
class KnownModel:
    """A checkpoint that has a name here.

    Attributes:
        name: what to call it.
        what: one line about it.
        good: what it is good at.
        bad: what it is bad at.
        locality: the locality that it was trained with.
        num_pages: the fixed number of pages that it was trained with; None where any number goes.
        url: where to get it; empty for a bundled one.
        folder: where it lies on this disk; None where it does not.
        bytes: its size on disk, or that of the download as far as known; 0 where unknown.
    """

    name: str
    what: str
    good: str
    bad: str
    locality: str
    num_pages: int | None
    url: str
    folder: Path | None
    bytes: int


def known_models() -> list[KnownModel]:
    """The bundled checkpoints, and those that others publish, from ``presets/models.toml``."""
    with open(PACKAGE / "presets" / "models.toml", "rb") as file:
        entries = tomllib.load(file)
    return [_known(name, entry) for name, entry in entries.items()]


def settings_of(folder: Path, file: str = "config.json") -> dict[str, Any]:
    """What a checkpoint's ``config.json``, or another such file, says.

    Raises:
        PagesumError: it is missing or is no JSON object.
    """
    path = folder / file
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PagesumError(
            f"{folder}: expected a checkpoint, found no {file} in it",
            "an official PageSum file needs the config.json of facebook/bart-large-cnn beside it",
        ) from None
    except (OSError, ValueError) as error:
        raise PagesumError(f"{path}: cannot be read: {error}", "copy or download the checkpoint again") from error
    if not isinstance(settings, dict):
        raise PagesumError(f"{path}: expected a JSON object", "copy or download the checkpoint again")
    return settings


def folder_on_disk(name: str) -> Path | None:
    """The folder of a bundled checkpoint, or of one named by its path; None for any other name."""
    bundled = BUNDLED / name
    if Path(name).name == name and (bundled / "config.json").is_file():
        return bundled
    return Path(name) if Path(name).is_dir() else None


def is_hub_id(name: str) -> bool:
    """Whether the name looks like ``owner/name``."""
    return name.count("/") == 1 and not name.startswith((".", "/", "~"))


def fingerprint(name: str) -> list[Any]:
    """What tells a checkpoint from another of the same name: its files' names, sizes and times."""
    folder = folder_on_disk(name)
    if folder is None:
        return [name]
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return [name, *((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files)]


def checkpoint_folder(name: str, *, weights: bool) -> Path:
    """The folder of a checkpoint; one on the Hugging Face hub is fetched.

    Args:
        name: a bundled name, a folder, or a Hugging Face id.
        weights: whether the weights are needed too, or only ``config.json`` and the tokenizer.

    Raises:
        PagesumError: there is no such checkpoint, or it cannot be fetched.
    """
    folder = folder_on_disk(name)
    if folder:
        return folder
    if Path(name).is_file():
        raise PagesumError(
            f"{name}: expected a checkpoint's folder, found a file", "name the folder that holds it and config.json"
        )
    if is_hub_id(name):
        return _fetch(name, ["*.json", "*.txt", *(["*.safetensors", "*.bin"] if weights else [])])
    raise unknown_model(name)


def unknown_model(name: str) -> PagesumError:
    """The error that says that there is no such checkpoint, and which one was meant."""
    models = {model.name: model for model in known_models()}
    if name in models:
        return PagesumError(
            f"{name} is not on this disk, expected the folder that holds it",
            f"get it from {models[name].url}, then --model FOLDER; pagesum models tells how",
        )
    near = difflib.get_close_matches(name, models, n=1)
    return PagesumError(
        f"no model {name!r}: neither a name ({', '.join(models)}) nor a folder nor a Hugging Face id (owner/name)",
        f"did you mean {near[0]}?" if near else "pagesum models tells what can be used",
    )


def _fetch(name: str, patterns: list[str]) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, allow_patterns=patterns))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise PagesumError(
            f"{name}: not a folder, and it cannot be fetched from the Hugging Face hub: {reason}",
            "check the name and the network; mini needs neither",
        ) from error


def _known(name: str, entry: dict[str, Any]) -> KnownModel:
    folder = folder_on_disk(name) if not entry.get("url") else None
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder else entry.get("bytes", 0)
    return KnownModel(
        name=name,
        what=entry["what"],
        good=entry["good"],
        bad=entry["bad"],
        locality=entry["locality"],
        num_pages=entry.get("num_pages"),
        url=entry.get("url", ""),
        folder=folder,
        bytes=size,
    )
