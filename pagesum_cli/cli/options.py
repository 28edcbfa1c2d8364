"""Flags made from option dataclasses, and the ones that several verbs share."""

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import partial, wraps
from pathlib import Path
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    BinaryIO,
    Literal,
    get_args,
    get_origin,
    get_type_hints,
)

import typer

from ..batch.books import BookWorker
from ..batch.worker import Worker
from ..documents.read import find_files
from ..documents.selection import Selection, allowed
from ..errors import UsageError
from ..models.catalog import (
    checkpoint_folder,
    folder_on_disk,
    is_hub_id,
    settings_of,
    unknown_model,
)
from ..models.gguf import check_gguf_file, is_gguf
from ..options import (
    CAPABILITIES,
    EndingOptions,
    GenerationOptions,
    ModelOptions,
    Options,
    PagingOptions,
    RecursionOptions,
    Row,
    flags_of,
    hints_of,
    kind_of,
    option,
    refuse_unused,
    row_of,
    unused,
)
from .config import LENGTHS, config_files, options_with
from .console import Talk, error
from .help import show_all, show_schema

if TYPE_CHECKING:
    from ..batch.reading import Source

OUTPUT = "Output"
FORCE = "Replace existing exported files. Input documents are never replaced."
RESEARCH = ("inspect", "evaluate", "eval", "train", "analyze", "long_distance", "pages")
"""The verbs whose help shows the options of research, which the others accept."""
WITH_JSON = ("summarize", "inspect", "check", "find", "pages", "evaluate", "models")
"""The verbs that print JSON, each with a row of ``views.schemas.OUTPUTS``."""
_CONTEXT = "_context"
_HelpAll = Annotated[
    bool,
    typer.Option(
        "--help-all",
        is_eager=True,
        metavar="",
        callback=show_all,
        help="Show all options and exit.",
    ),
]
_Schema = Annotated[
    bool,
    typer.Option(
        "--schema",
        is_eager=True,
        metavar="",
        callback=show_schema,
        help="Print the JSON schema of the verb's JSON and exit.",
        rich_help_panel=OUTPUT,
    ),
]
ABSURD = 1 << 20  # from here on, a maximum is none that the help needs to state
_METAVARS = {bool: "", int: "N", float: "X"}


def argument(metavar: str, help: str) -> Any:
    """What Typer knows of an argument."""
    return typer.Argument(metavar=metavar, show_default=False, help=help)


_FILES = argument(
    "FILES",
    "PDF, EPUB, FB2, Word (.docx), OpenDocument (.odt), LaTeX, text, Markdown, HTML, e-mail (.eml, "
    ".mbox), transcripts or "
    "JSON Lines; folders; "
    "patterns; - for standard input; web addresses with --allow-network.",
)
Files = Annotated[list[str], _FILES]


def with_flags(verb: Callable[..., None]) -> Callable[..., None]:
    """Give a verb a flag for each field of its parameters that are option dataclasses.

    With ``@app.command()`` and below it ``@with_flags``, ``def pages(files: Files, paging:
    PagingOptions) -> None`` has ``--locality``, ``--page-tokens`` and so on, and receives the
    dataclass made from them. Other parameters stay as they are. Typer checks choices and ranges,
    and completes choices in the shell.

    A parameter of type :class:`Given` receives the flags on the command line. If a parameter is
    :class:`ConfigOptions`, configuration files give the values of flags that are not there.
    """
    hints = get_type_hints(verb, include_extras=True)
    options: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    receivers = [name for name, hint in hints.items() if hint is Given]
    parameters: list[inspect.Parameter] = []
    for parameter in inspect.signature(verb).parameters.values():
        if parameter.name in options:
            parameters += _flags(options[parameter.name], is_research=verb.__name__ in RESEARCH)
        elif parameter.name not in receivers:
            # Keyword-only parameters may stand in any order, with and without defaults.
            parameters.append(
                parameter.replace(
                    annotation=hints[parameter.name], kind=inspect.Parameter.KEYWORD_ONLY
                )
            )
    parameters.append(_eager("help_all", _HelpAll))
    if verb.__name__ in WITH_JSON:
        parameters.append(_eager("schema", _Schema))
    parameters.append(
        inspect.Parameter(_CONTEXT, inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)
    )

    @wraps(verb)
    def call(**values: Any) -> None:
        context = values.pop(_CONTEXT)
        for name in ("help_all", "schema"):
            values.pop(name, None)
        names = [field.name for kind in options.values() for field in fields(kind)]
        flags = {name: values.pop(name) for name in names}
        sources = {name: context.get_parameter_source(name) for name in names}
        named = [
            name
            for name in names
            if sources[name] is not None and sources[name].name == "COMMANDLINE"
        ]
        frozen = {
            name: tuple(flags[name]) if isinstance(flags[name], list) else flags[name]
            for name in named
        }
        given = Given(frozen, context)
        talk = Talk(quiet=flags["quiet"])
        files = config_files(talk.note) if flags.get("no_config") is False else []
        skipped = talk.note if flags.get("verbose") else lambda message: None
        made = options_with(files, options, given.values, partial(offered, talk=talk), skipped)
        _refuse_incomplete(given, list(made.values()))
        verb(**values, **made, **dict.fromkeys(receivers, given))

    call.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    call.briefs = {  # type: ignore[attr-defined]
        field.name: row_of(field).brief
        for kind in options.values()
        for field in fields(kind)
        if row_of(field).brief
    }
    del call.__wrapped__
    return call


def _eager(name: str, annotation: Any) -> inspect.Parameter:
    """The parameter of a flag that shows something and exits."""
    return inspect.Parameter(
        name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation
    )


class Given:
    """The flags on the command line."""

    def __init__(self, values: dict[str, Any], context: Any) -> None:
        flags = {parameter.name: parameter.opts[0] for parameter in context.command.params}
        self.values = values  # by the name of their option
        self.flags = {name: flags[name] for name in values}
        # the name of the verb below this one, if one is called
        self.verb: str | None = context.invoked_subcommand


def _refuse_incomplete(given: Given, options: Sequence[Options]) -> None:
    """Refuse flags that need another one that is not given."""
    known = {
        field.name: (field, getattr(kind, field.name)) for kind in options for field in fields(kind)
    }
    for name, flag in given.flags.items():
        needed = row_of(known[name][0]).requires
        if needed and not known[needed][1]:
            other = flags_of(known[needed][0])[0]
            raise UsageError(f"{flag} without {other}", f"add {other}, or leave {flag} out")


def _flags(kind: Any, *, is_research: bool) -> Iterator[inspect.Parameter]:
    """The parameters that Typer makes the flags of a dataclass from."""
    hints = hints_of(kind)
    for field in fields(kind):
        row = row_of(field)
        # Typer shows the choices instead of a metavar, which a column of the help has no room for
        # if they are many.
        is_long = len("|".join(row.choices)) > 20
        metavar = "NAME" if is_long else row.metavar or _METAVARS.get(kind_of(hints[field.name]))
        info = typer.Option(
            *flags_of(field),
            help=f"{row.help} Choices: {', '.join(row.choices)}." if is_long else row.help,
            metavar=metavar,
            min=row.min,
            # the dataclass checks it
            max=row.max if row.max is not None and row.max < ABSURD else None,
            parser=_number_or_word if row.words else None,
            rich_help_panel=row.panel or getattr(kind, "panel", None),
            show_default=bool(field.default),
            hidden=row.hidden or (row.research and not is_research),
        )
        yield inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None if field.default == () else field.default,
            annotation=Annotated[_typer_type(hints[field.name], row), info],
        )


def _number_or_word(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def _typer_type(annotation: Any, row: Row) -> Any:
    """The type by which Typer checks a value: a Literal for choices, a list for ``tuple[…,
    ...]``.
    """
    if row.choices:
        choices: Any = Literal[tuple(row.choices)]
        return choices | None if NoneType in get_args(annotation) else choices
    if row.words:
        return kind_of(annotation) | None  # Typer knows no unions; what it gets has a parser
    if get_origin(annotation) is tuple and get_args(annotation)[-1] is Ellipsis:
        return list[get_args(annotation)[0]] | None  # type: ignore[misc]
    return annotation


@dataclass(frozen=True)
class PasswordOptions(Options, panel="Reading"):
    """How encrypted files are read."""

    password: str | None = option(
        None,
        "Password of encrypted PDFs.",
        metavar="TEXT",
        brief="Password of encrypted PDFs.",
    )


@dataclass(frozen=True)
class ReadingOptions(PasswordOptions):
    """Which files are read, and how."""

    allow_network: bool = option(
        False,
        "Fetch documents from web addresses (https://…), and allow sending text to a server on "
        "another machine.",
        brief="Fetch documents from web addresses.",
    )
    include: tuple[str, ...] = option(
        (),
        "Read only the files in a folder whose name, path or folder matches this pattern. Can "
        "be repeated.",
        metavar="PATTERN",
        brief="In folders, read only matching files.",
    )
    exclude: tuple[str, ...] = option(
        (),
        "Leave out the files in a folder that match this pattern. Can be repeated.",
        metavar="PATTERN",
        brief="In folders, leave out matching files.",
    )

    def permitting(self, generation: GenerationOptions) -> GenerationOptions:
        """Options of generation; the editor may be on another machine if the flag is given, and
        what is wrong with its address is reported here, before anything is read.
        """
        if generation.editor is None:
            return generation
        is_allowed = self.allow_network or bool(generation.editor_network)
        generation = generation.changed(editor_network=is_allowed or None)
        check_editor(generation)
        return generation

    @property
    def selection(self) -> Selection:
        """The files of folders to read."""
        return Selection(self.include, self.exclude)

    def source(
        self,
        files: Sequence[str],
        warn: Callable[[str], None],
        locality: str = "auto",
        stdin: BinaryIO | None = None,
    ) -> "Source":
        """The files that FILES stand for, to be read; warns of those that there is no reader
        for.
        """
        from ..batch.reading import Source

        named = self.arguments(files)
        paths = find_files(named, self.selection, on_skipped=warn)
        return Source(paths, named, self.password, locality, stdin)

    def arguments(self, files: Sequence[str]) -> list[str]:
        """FILES, with addresses that may be fetched if the flag is given."""
        return allowed(files) if self.allow_network else list(files)


@dataclass(frozen=True)
class ConfigOptions(Options):
    """Whether configuration files are read; see :mod:`~pagesum_cli.cli.config`."""

    no_config: bool = option(False, "Do not read configuration files.")
    verbose: bool = option(
        False, "Report values in configuration files that are skipped because they do not apply."
    )


@dataclass(frozen=True)
class HistoryOptions(Options, panel=OUTPUT):
    """Whether a summary is kept."""

    history: bool | None = option(
        None,
        "Keep the last ten summaries for pagesum inspect, or none. Default: only the latest.",
        flags=("--history/--no-history",),
    )


@dataclass(frozen=True)
class FormatOptions(Options, panel=OUTPUT):
    """Text for people or JSON for programs."""

    output_format: str = option(
        "text",
        "Output format.",
        choices=("text", "json"),
        flags=("--format",),
        brief="text or json.",
    )


@dataclass(frozen=True)
class MessageOptions(Options, panel=OUTPUT):
    """What is reported besides the output itself."""

    quiet: bool = option(
        False,
        "Print nothing but the output and errors.",
        flags=("-q",),
        brief="No notes, warnings or progress.",
    )
    debug: bool = option(False, "Show a traceback when an error occurs.")

    @property
    def talk(self) -> Talk:
        """Where notes, warnings and progress go."""
        return Talk(quiet=self.quiet)


def check_model(name: str, page_tokens: int | None, max_length: int | None = None) -> None:
    """Check that a model exists and that lengths fit its positions, without loading it.

    A model on the Hugging Face hub is not checked: it may not be on this disk yet.
    """
    folder = folder_on_disk(name)
    if folder is None:
        if is_gguf(name):
            check_gguf_file(Path(name))
        elif not is_hub_id(name):
            raise unknown_model(name)
        return
    positions = settings_of(folder).get("max_position_embeddings", 1024)
    for flag, value, limit in (
        ("--page-tokens", page_tokens, positions),
        ("--max-length", max_length, positions - 1),
    ):
        if value is not None and value > limit:
            raise UsageError(
                f"{flag} {value}, but {name} has positions for {limit}", f"use at most {limit}"
            )


def check_editor(generation: GenerationOptions) -> None:
    """Check that an editor is an address that may be used, or a language model; and its guide."""
    from ..editing.choosers import OPTION
    from ..editing.prompts import guide_of

    guide_of(generation.guide)
    is_allowed = bool(generation.editor_network)
    check_language_model(generation.editor or "", OPTION, allow_network=is_allowed)


def check_language_model(name: str, flag: str, *, allow_network: bool) -> None:
    """Check that an option names an address that may be used, or a language model."""
    from ..editing.choosers import Server, is_address
    from ..models.causal_settings import MODEL_TYPE
    from ..models.choosers import no_language_model

    if is_address(name):
        Server.of(name, allow_network=allow_network, option=flag)
        return
    check_model(name, None)
    folder = folder_on_disk(name)
    if folder and settings_of(folder).get("model_type") != MODEL_TYPE:
        raise no_language_model(name, flag)


def check_models(
    talk: Talk,
    model: ModelOptions,
    recursion: RecursionOptions,
    paging: PagingOptions,
    generation: GenerationOptions,
    ending: EndingOptions | None = None,
) -> None:
    """Check that the models exist, that lengths fit their positions, and that they can use the
    given options.
    """
    names = list(dict.fromkeys([model.model, recursion.chapter_model or model.model]))
    check_model(model.model, paging.page_tokens, generation.max_length)
    for name in names[1:]:
        check_model(name, paging.page_tokens)
    for options in (generation, ending or EndingOptions()):
        # Whether lengths do nothing is known when the model is loaded, which need not be awaited
        # while files are read.
        if any(row_of(field).needs not in LENGTHS for field in unused(options, LENGTHS)):
            refuse_unused(options, offered(names, talk), " and ".join(names))


def offered(names: Sequence[str], talk: Talk) -> frozenset[str]:
    """What any of some models offers; everything, where one is not known before it is loaded."""
    found: frozenset[str] = frozenset()
    for name in names:
        settings = settings_of(checkpoint_folder(name, weights=False))
        with talk.loading("loading PyTorch"):
            from ..models.catalog import MODEL_TYPES, lightest_class
        kind = settings.get("model_type")
        found |= (
            lightest_class(kind).capabilities_of(settings)
            if kind in MODEL_TYPES
            else frozenset(CAPABILITIES)
        )
    return found


def worker(
    model: ModelOptions,
    paging: PagingOptions,
    generation: GenerationOptions,
    ending: EndingOptions,
    history: HistoryOptions,
    talk: Talk,
    recursion: RecursionOptions,
) -> Worker:
    """What summarizes documents, or books, checked before anything is loaded; see
    :func:`check_models`.
    """
    check_models(talk, model, recursion, paging, generation, ending)
    common = (model, paging, generation, talk, history.history, ending)
    if recursion.recursive is False:
        return Worker(*common)
    return BookWorker(*common, chapter_model=recursion.chapter_model, is_book=recursion.recursive)


def check_chapters(worker: Worker) -> None:
    """Report the chapters that are missing in what was written, and exit if there are some."""
    for message in worker.failed:
        error(message)
    if worker.failed:
        raise typer.Exit(1)
