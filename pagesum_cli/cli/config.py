"""Configuration files: defaults for the flags of ``summarize``."""

import json
import os
import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

from platformdirs import user_config_path

from ..errors import PagesumError, UsageError
from ..options import flags_of, nearest

IN_FOLDER = "pagesum.toml"
VARIABLE = "PAGESUM_CONFIG"
SIZE_LIMIT = 1 << 16
HINT = "correct the file, or leave it out with --no-config"

NOT_IN_FOLDER = {"model", "chapter_model", "device", "dtype", "output", "output_dir", "force", "quiet", "allow_network"}
"""Keys that a file in the current folder cannot set: it may come with a downloaded folder."""

NEEDS = {"output_dir": "each", "chapter_model": "recursive", "chapters": "recursive"}
"""Fields that have an effect only together with another one."""

UNLESS = {"output_format": "output"}
"""Fields that have no effect if another one is given: the extension of --output says the format."""


@dataclass(frozen=True)
class ConfigFile:
    """A file of defaults.

    Attributes:
        path: The file.
        values: Its values by key, with ``_`` instead of ``-``.
    """

    path: str
    values: Mapping[str, Any]


def options_with(files: Sequence[ConfigFile], kinds: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """Make option dataclasses from flags and, for flags that are not given, from configuration files.

    A value that contradicts a flag, or a file that wins, is left out.

    Args:
        files: The files, the one that wins first.
        kinds: The dataclasses by name.
        given: The values of the flags that are given, by the name of their field.

    Returns:
        The options by the names of ``kinds``.

    Raises:
        UsageError: A flag, or a key or value of a file, is wrong.
    """
    keys = {key for kind in kinds.values() for key, _, _ in _keys_of(kind)} - {"no_config"}
    for file in files:
        _refuse_unknown(file, keys)
    made: dict[str, Any] = {}
    values = dict(given)
    for name, kind in kinds.items():
        own = {one.name: values[one.name] for one in fields(kind) if one.name in values}
        made[name] = kind(**own)
        for file in files:
            for one, value in _checked(file, kind).items():
                if one not in own and _applies(one, {**values, **own}):
                    with suppress(UsageError):
                        made[name] = kind(**own, **{one: value})
                        own[one] = value
        values |= own
    return made


def _applies(name: str, values: Mapping[str, Any]) -> bool:
    """Whether a default for a field has an effect beside the values of others."""
    return not (name in NEEDS and not values.get(NEEDS[name])) and not (name in UNLESS and values.get(UNLESS[name]))


def config_files(note: Callable[[str], None]) -> list[ConfigFile]:
    """The configuration files that apply: ``$PAGESUM_CONFIG``, or the one in the current folder and the user's own.

    Args:
        note: Called with one line about keys that are ignored.

    Returns:
        The one that wins first.

    Raises:
        PagesumError: A file cannot be read.
    """
    chosen = os.environ.get(VARIABLE)
    if chosen is not None:
        return [_read(chosen)] if chosen else []
    files = []
    if os.path.isfile(IN_FOLDER):
        file = _read(IN_FOLDER)
        if ignored := sorted(NOT_IN_FOLDER & file.values.keys()):
            note(f"{', '.join(ignored)} in {IN_FOLDER} ignored: a file in the current folder cannot set it")
        files.append(ConfigFile(file.path, {k: v for k, v in file.values.items() if k not in NOT_IN_FOLDER}))
    if user_file().is_file():
        files.append(_read(str(user_file())))
    return files


def user_file() -> Path:
    """The user's own file, which may not exist."""
    base = os.environ.get("XDG_CONFIG_HOME")
    return (Path(base) / "pagesum" if base else user_config_path("pagesum", appauthor=False)) / "config.toml"


def _read(path: str) -> ConfigFile:
    try:
        with open(path, "rb") as opened:
            data = opened.read(SIZE_LIMIT + 1)
    except OSError as error:
        raise PagesumError(f"{path}: cannot be read ({error.strerror})", HINT) from error
    if len(data) > SIZE_LIMIT:
        raise UsageError(f"{path}: larger than {SIZE_LIMIT >> 10} kB", HINT)
    try:
        values = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: expected TOML ({error})", HINT) from error
    return ConfigFile(path, {key.replace("-", "_"): value for key, value in values.items()})


def _keys_of(kind: Any) -> Iterator[tuple[str, Any, bool]]:
    """The keys for a dataclass: each with its field, and whether it is the flag that turns the field off."""
    for one in fields(kind):
        for flag in flags_of(one):
            on, _, off = flag.partition("/")
            for name, is_off in ((on, False), (off, True)):
                if name.startswith("--"):
                    yield name[2:].replace("-", "_"), one, is_off


def _refuse_unknown(file: ConfigFile, keys: Collection[str]) -> None:
    for key in file.values:
        if key not in keys:
            near = nearest(key, keys)
            raise UsageError(
                f"{file.path}: no key {key!r}; keys are the flags of pagesum summarize",
                f"did you mean {near}?" if near else HINT,
            )


def _checked(file: ConfigFile, kind: Any) -> dict[str, Any]:
    """A file's values for the fields of a dataclass.

    Raises:
        UsageError: One has another type, is not allowed, or contradicts another one.
    """
    values: dict[str, Any] = {}
    hints = get_type_hints(kind)
    for key, one, is_off in _keys_of(kind):
        if key not in file.values:
            continue
        value = _typed(file, key, hints[one.name])
        values[one.name] = not value if is_off else value
        try:
            kind(**values)
        except UsageError as error:
            reason = error.message.rpartition(": ")[2]  # without the name of the flag
            raise UsageError(f"{file.path}: {key} = {_shown(value)}: {reason}", error.hint or HINT) from error
    return values


_NAMES = {bool: "true or false", int: "a whole number", float: "a number", str: "a string", tuple: "a list of strings"}


def _typed(file: ConfigFile, key: str, annotation: Any) -> Any:
    value = file.values[key]
    if get_origin(annotation) is not tuple:
        (annotation,) = [one for one in get_args(annotation) or [annotation] if one is not NoneType]
    expected = get_origin(annotation) or annotation
    if expected is tuple and isinstance(value, str):
        value = [value]
    found = tuple(value) if isinstance(value, list) else value
    if expected is float and type(found) is int:
        found = float(found)
    texts = found if isinstance(found, tuple) else (found,)
    if type(found) is not expected or (expected in (str, tuple) and not all(map(_is_text, texts))):
        raise UsageError(f"{file.path}: {key} = {_shown(value)}: expected {_NAMES[expected]}", HINT)
    return found


def _shown(value: object) -> str:
    """A value as TOML writes it."""
    return json.dumps(value, default=str, ensure_ascii=False)


def _is_text(value: object) -> bool:
    return isinstance(value, str) and "\0" not in value
