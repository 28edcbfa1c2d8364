"""Flags made from option dataclasses, and the ones that several verbs share."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import wraps
from types import NoneType
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

import typer

from ..batch.books import BookWorker
from ..batch.worker import Worker
from ..documents.addresses import allowed
from ..documents.selection import Selection
from ..errors import UsageError
from ..models.catalog import folder_on_disk, is_hub_id, settings_of, unknown_model
from ..options import (
    EndingOptions,
    GenerationOptions,
    ModelOptions,
    Options,
    PagingOptions,
    RecursionOptions,
    flags_of,
    option,
    unfinished_quotes,
)
from .config import config_files, options_with
from .console import Talk, error

OUTPUT = "Output"
FORCE = "Replace exported files that exist. Documents that are read are never replaced."
_CONTEXT = "_context"

Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES",
        show_default=False,
        help="PDF, EPUB, Word (.docx), LaTeX, text, Markdown, HTML, e-mail (.eml) or JSON Lines files; folders; "
        "patterns; - for standard input; web addresses with --allow-network.",
    ),
]


def with_flags(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb a flag for each field of its parameters that are option dataclasses.

    With ``@app.command()`` and below it ``@with_flags``, ``def pages(files: Files, paging: PagingOptions) -> None`` has
    ``--locality``, ``--page-tokens`` and so on, and receives the dataclass made from them. Other parameters stay as
    they are. Typer checks choices and ranges, and completes choices in the shell.

    If a parameter is :class:`ConfigOptions`, configuration files give the values of flags that are not given.
    """
    hints = get_type_hints(verb, include_extras=True)
    options: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(verb).parameters.values():
        if parameter.name in options:
            parameters += _flags(options[parameter.name])
        else:
            # Keyword-only parameters may stand in any order, with and without defaults.
            parameters.append(parameter.replace(annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY))
    contexts = [parameter.name for parameter in parameters if parameter.annotation is typer.Context]
    if not contexts:
        parameters.append(inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context))

    @wraps(verb)
    def call(**values: Any) -> None:
        context = values[contexts[0]] if contexts else values.pop(_CONTEXT)
        flags = {one.name: values.pop(one.name) for kind in options.values() for one in fields(kind)}
        given = {name: _frozen(value) for name, value in flags.items() if _is_given(context, name)}
        files = config_files(Talk(quiet=flags["quiet"]).note) if flags.get("no_config") is False else []
        verb(**values, **options_with(files, options, given))

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    del call.__wrapped__
    return call


def _is_given(context: Any, name: str) -> bool:
    """Whether a flag is on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _flags(kind: Any) -> Iterator[inspect.Parameter]:
    """The parameters that Typer makes the flags of a dataclass from."""
    hints = get_type_hints(kind)
    for one in fields(kind):
        limits = one.metadata
        choices = limits.get("choices", ())
        # Typer shows the choices instead of a metavar, which a column of the help has no room for if they are many.
        is_long = len("|".join(choices)) > 20
        metavar = "NAME" if is_long else "" if hints[one.name] in (bool, bool | None) else limits.get("metavar")
        low = limits.get("min")
        info = typer.Option(
            *flags_of(one),
            help=f"{limits['help']} Choices: {', '.join(choices)}." if is_long else limits["help"],
            metavar=metavar,
            min=None if low == float("-inf") else low,
            max=limits.get("max"),
            rich_help_panel=limits.get("panel", getattr(kind, "panel", None)),
            show_default=bool(one.default),
            hidden=limits.get("hidden", False),
        )
        yield inspect.Parameter(
            one.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None if one.default == () else one.default,
            annotation=Annotated[_typer_type(hints[one.name], choices), info],
        )


def _typer_type(annotation: Any, choices: Sequence[str]) -> Any:
    """The type by which Typer checks a value: a Literal for choices, a list for ``tuple[…, ...]``."""
    if choices:
        optional = NoneType in get_args(annotation)
        return Literal[tuple(choices)] | None if optional else Literal[tuple(choices)]
    if get_origin(annotation) is tuple and get_args(annotation)[-1] is Ellipsis:
        return list[get_args(annotation)[0]] | None  # type: ignore[misc]
    return annotation


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class ReadingOptions(Options):
    """How files are read."""

    panel: ClassVar[str] = "Reading"

    password: str | None = option(None, "Password of encrypted PDFs.", metavar="TEXT")


@dataclass(frozen=True)
class NetworkOptions(Options):
    """Whether documents are fetched from the web."""

    panel: ClassVar[str] = "Reading"

    allow_network: bool = option(False, "Fetch documents whose web address (https://…) is given.")

    def arguments(self, files: Sequence[str]) -> list[str]:
        """FILES, with addresses that may be fetched if the flag is given."""
        return allowed(files) if self.allow_network else list(files)


@dataclass(frozen=True)
class FolderOptions(Options):
    """Which files of folders are read."""

    panel: ClassVar[str] = "Reading"

    include: tuple[str, ...] = option(
        (),
        "Read only those files of a folder whose name, path or folder matches this pattern. Can be repeated.",
        metavar="PATTERN",
    )
    exclude: tuple[str, ...] = option(
        (), "Leave out the files of a folder that match this pattern. Can be repeated.", metavar="PATTERN"
    )

    @property
    def selection(self) -> Selection:
        """The files to read."""
        return Selection(self.include, self.exclude)


@dataclass(frozen=True)
class ConfigOptions(Options):
    """Whether configuration files are read; see :mod:`~pagesum_cli.cli.config`."""

    no_config: bool = option(False, "Read no configuration file.")


@dataclass(frozen=True)
class HistoryOptions(Options):
    """Whether a summary is kept."""

    panel: ClassVar[str] = OUTPUT

    no_history: bool = option(False, "Do not keep the summary for a later pagesum inspect.")


@dataclass(frozen=True)
class FormatOptions(Options):
    """Text for people or JSON for programs."""

    panel: ClassVar[str] = OUTPUT

    output_format: str = option("text", "Output format.", choices=("text", "json"), flags=("--format",))


@dataclass(frozen=True)
class MessageOptions(Options):
    """What is reported besides the output itself."""

    panel: ClassVar[str] = OUTPUT

    quiet: bool = option(False, "Print nothing but the output and errors.", flags=("-q",))
    debug: bool = option(False, "Show a traceback when an error occurs.")

    @property
    def talk(self) -> Talk:
        """Where notes, warnings and progress go."""
        return Talk(quiet=self.quiet)


def check_model(name: str, page_tokens: int | None, max_length: int | None = None) -> None:
    """Check that a model exists and that lengths fit its positions, without loading it.

    A model on the Hugging Face hub is not checked: it may not be on this disk yet.

    Raises:
        PagesumError: There is no such model.
        UsageError: The model has fewer positions.
    """
    folder = folder_on_disk(name)
    if folder is None:
        if not is_hub_id(name):
            raise unknown_model(name)
        return
    positions = settings_of(folder).get("max_position_embeddings", 1024)
    for flag, value, limit in (("--page-tokens", page_tokens, positions), ("--max-length", max_length, positions - 1)):
        if value is not None and value > limit:
            raise UsageError(f"{flag} {value}, but {name} has positions for {limit}", f"give at most {limit}")


def check_ending(name: str, ending: EndingOptions) -> None:
    """Refuse --trim for an extractive model on this disk, without loading it.

    Raises:
        UsageError: It is one; ``PageSummarizer.summarize`` raises the same for the other models that quote.
    """
    folder = folder_on_disk(name) if ending.trim else None
    if folder and settings_of(folder).get("model_type") == "extractive":
        raise unfinished_quotes(name)


def worker(
    model: ModelOptions,
    paging: PagingOptions,
    generation: GenerationOptions,
    ending: EndingOptions,
    history: HistoryOptions,
    talk: Talk,
    recursion: RecursionOptions,
) -> Worker:
    """What summarizes documents, or books.

    Raises:
        PagesumError: There is no such model for the chapters.
        UsageError: It has fewer positions, or quotes whole sentences, which cannot be trimmed.
    """
    kept = not history.no_history
    if not recursion.recursive:
        return Worker(model, paging, generation, talk, kept, ending)
    if recursion.chapter_model:
        check_model(recursion.chapter_model, paging.page_tokens)
        check_ending(recursion.chapter_model, ending)
    return BookWorker(model, paging, generation, talk, kept, ending, chapter_model=recursion.chapter_model)


def check_chapters(worker: Worker) -> None:
    """Report the chapters that are missing in what was written.

    Raises:
        typer.Exit: There are some.
    """
    missing = worker.failed if isinstance(worker, BookWorker) else []
    for message in missing:
        error(message)
    if missing:
        raise typer.Exit(1)
