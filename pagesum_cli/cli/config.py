"""Configuration files: defaults for the flags of ``summarize``."""

import json
import os
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import Field, dataclass, fields
from pathlib import Path
from typing import Any, get_origin

from ..errors import PagesumError, UsageError
from ..options import DEFAULT_MODEL, fault, flags_of, hints_of, kind_of, row_of, suggestion
from ..system import folder_for

IN_FOLDER = "pagesum.toml"
VARIABLE = "PAGESUM_CONFIG"
LENGTHS = frozenset({"words", "sentences"})
"""Capabilities that nearly every model has; whether one lacks them is known when it is loaded."""
HINT = "correct the file, or leave it out with --no-config"

NOT_IN_FOLDER = {
    "model",
    "chapter_model",
    "device",
    "dtype",
    "output",
    "output_dir",
    "force",
    "quiet",
    "allow_network",
    "editor",
    "editor_network",
    "guide",
}
"""Keys that a file in the current folder cannot set: it may come with a downloaded folder."""


OF_READING = {"no_config", "verbose"}  # flags about configuration files, which no such file can set


@dataclass(frozen=True)
class ConfigFile:
    """A file of defaults."""

    path: str
    values: Mapping[str, Any]


def options_with(
    files: Sequence[ConfigFile],
    kinds: Mapping[str, Any],
    given: Mapping[str, Any],
    offered: Callable[[Sequence[str]], Collection[str]],
    on_skipped: Callable[[str], None] = lambda message: None,
) -> dict[str, Any]:
    """Make option dataclasses from flags and, for flags that are not given, from configuration
    files.

    A value that contradicts a flag, or a file that wins, or that does nothing, is skipped and
    reported.
    """
    keys = {
        key: found
        for kind in kinds.values()
        for key, found in _keys_of(kind).items()
        if key not in OF_READING
    }
    defaults = [(file, _checked(file, keys)) for file in files]
    made: dict[str, Any] = {}
    values = dict(given)
    for name, kind in kinds.items():
        own = {field.name: values[field.name] for field in fields(kind) if field.name in values}
        made[name] = kind(**own)
        for field in fields(kind):
            found = [(file, read[field.name]) for file, read in defaults if field.name in read]
            for file, value in found:
                if field.name in own:
                    continue
                if _applies(field, value, {**values, **own}, offered):
                    with suppress(UsageError):
                        made[name] = kind(**own, **{field.name: value})
                        own[field.name] = value
                        continue
                on_skipped(
                    f"{file.path}: {field.name.replace('_', '-')} is skipped: "
                    f"it does not apply here"
                )
        values |= own
    return made


def _applies(
    field: Field[Any],
    value: Any,
    values: Mapping[str, Any],
    offered: Callable[[Sequence[str]], Collection[str]],
) -> bool:
    """Whether a default for a field has an effect beside the values of others."""
    row = row_of(field)
    if (row.requires and not values.get(row.requires)) or (row.unless and values.get(row.unless)):
        return False
    if row.beams_only and values.get("beams") == 1:
        return False
    models = [values.get("model") or DEFAULT_MODEL, *filter(None, [values.get("chapter_model")])]
    return not row.needs or value == row.off or row.needs in LENGTHS or row.needs in offered(models)


def config_files(note: Callable[[str], None]) -> list[ConfigFile]:
    """The configuration files that apply: ``$PAGESUM_CONFIG``, or the one in the current folder and
    the user's own.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return [_read(chosen)] if chosen else []
    files = []
    if os.path.isfile(IN_FOLDER):
        file = _read(IN_FOLDER)
        if ignored := sorted(NOT_IN_FOLDER & file.values.keys()):
            note(
                f"{', '.join(ignored)} in {IN_FOLDER} ignored: a file in the current folder "
                f"cannot set it"
            )
        files.append(
            ConfigFile(file.path, {k: v for k, v in file.values.items() if k not in NOT_IN_FOLDER})
        )
    if user_file().is_file():
        files.append(_read(str(user_file())))
    return files


def user_file() -> Path:
    """The user's own file, which may not exist."""
    return folder_for("config") / "config.toml"


def _read(path: str) -> ConfigFile:
    try:
        with open(path, "rb") as opened:
            values = tomllib.load(opened)
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror})", HINT) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: expected TOML ({error})", HINT) from error
    return ConfigFile(path, {key.replace("-", "_"): value for key, value in values.items()})


def _keys_of(kind: Any) -> dict[str, tuple[Any, Field[Any], bool]]:
    """The keys for a dataclass: each with the type of its field, and whether its flag turns that
    off.
    """
    keys = {}
    for field in fields(kind):
        names = [name.partition("/") for name in flags_of(field) if name.startswith("--")]
        for name, is_off in [
            *((on, False) for on, _, _ in names),
            *((off, True) for _, _, off in names if off),
        ]:
            keys[name[2:].replace("-", "_")] = (hints_of(kind)[field.name], field, is_off)
    return keys


def _checked(file: ConfigFile, keys: Mapping[str, tuple[Any, Field[Any], bool]]) -> dict[str, Any]:
    """A file's values by the names of their fields."""
    found: dict[str, Any] = {}
    for key, value in file.values.items():
        if key not in keys:
            message = f"{file.path}: no key {key!r}; keys are the flags of pagesum summarize"
            raise UsageError(message, suggestion(key, keys, HINT))
        annotation, field, is_off = keys[key]
        if get_origin(kind_of(annotation)) is tuple and not isinstance(value, list):
            value = [value]
        if problem := fault(value, annotation, row_of(field)):
            shown = json.dumps(file.values[key], default=str, ensure_ascii=False)
            raise UsageError(
                f"{file.path}: {key} = {shown}: {problem.expected}", problem.hint or HINT
            )
        if kind_of(annotation) is float:
            value = float(value)
        found[field.name] = (
            not value if is_off else tuple(value) if isinstance(value, list) else value
        )
    return found
