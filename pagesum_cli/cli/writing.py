"""The options of ``pagesum summarize`` about what is written: its shape, who writes it, in which
format and where.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..chat import Address, ChatModel
from ..errors import UsageError
from ..options import GenerationOptions, Options, option
from ..views.formats import FORMATS, format_of
from . import console, options

if TYPE_CHECKING:
    from ..rewriting import Writer

ATTEMPTS = 2  # that a server is asked to rewrite before the quotes are shown as they are


@dataclass(frozen=True)
class EachOptions(Options):
    """One summary of all documents, or one of each."""

    each: bool = option(
        False,
        "Write one summary per file, or per record of a data set.",
        brief="One summary per file.",
    )


@dataclass(frozen=True)
class ShapeOptions(Options, panel=GenerationOptions.panel):
    """The shape of a summary."""

    brief: bool = option(
        False,
        "Main points under headings that fit the kind of document: paper, protocol, court opinion, "
        "contract, by-law, auditors' report or press release; otherwise under its own headings "
        "(extractive models only).",
        brief="Main points under headings.",
    )


@dataclass(frozen=True)
class WritingOptions(Options, panel=GenerationOptions.panel):
    """What a language model writes, and whether it is proven."""

    rewrite: str | None = option(
        None,
        "Rewrite the quotes of an extractive model as one text: with a language model (a name, "
        "folder or GGUF file), or an OpenAI-compatible server on this machine, such as "
        "http://localhost:11434/v1#NAME. Text that the quotes do not prove is replaced by them.",
        metavar="MODEL",
        brief="Rewrite the quotes with a language model.",
    )
    as_generated: bool = option(
        False,
        "Show the text of a generating model, or of --rewrite, as generated. By default, a "
        "sentence that the documents do not support is replaced by a quote or left out.",
    )

    def check(self, model: str, talk: console.Talk) -> None:
        """Refuse what does nothing with the model that summarizes."""
        if not (self.rewrite or self.as_generated):
            return
        generates = "text" in options.offered([model], talk)
        if self.rewrite and generates:
            raise UsageError(
                f"--rewrite with {model}, which generates text itself",
                "leave it out, or choose an extractive --model: editor or mini",
            )
        if self.as_generated and not (self.rewrite or generates):
            raise UsageError(
                f"--as-generated does nothing with {model}, which only quotes", "leave it out"
            )

    def writer(self, device: str, talk: console.Talk, *, allow_network: bool) -> "Writer | None":
        """What rewrites, checked before anything is read; says what leaves this machine."""
        from ..rewriting import ChatWriter, ModelWriter

        name = self.rewrite
        if not name:
            return None
        if "://" in name:
            address = Address.of(name, "--rewrite")
            address.check(allow_network=allow_network)
            model = ChatModel(address, f"is {address.model} served there?", attempts=ATTEMPTS)
            model.reach()
            if not address.is_internal:
                talk.note(f"the quotes of each summary are sent to {address.url}, and nothing else")
            return ChatWriter(model)
        options.check_model(name, None)
        if "prompt" not in options.offered([name], talk):
            raise UsageError(
                f"--rewrite {name}: expected a language model, or URL#MODEL",
                "for example smollm2, or http://localhost:11434/v1#MODEL",
            )
        return ModelWriter(name, device)


@dataclass(frozen=True)
class OutputOptions(Options, panel=options.OUTPUT):
    """In which format and where summaries are written."""

    output_format: str | None = option(
        None,
        "Output format. Default: the one that fits the extension of --output, otherwise text.",
        choices=tuple(FORMATS),
        brief="text, markdown, json, jsonl, parquet, html …",
        flags=("--format",),
        unless="output",
    )
    cite: bool | None = option(
        None,
        "Add the page and section that sentences come from. Default: on a terminal, in Markdown "
        "and in HTML.",
        flags=("--cite/--no-cite",),
        brief="Add where each sentence comes from.",
    )
    bullets: bool = option(
        False,
        "A list with one sentence per line, in text and Markdown. HTML is always a list.",
        brief="A list of sentences.",
    )
    chapters: bool = option(
        False,
        "With --recursive: add the chapters' summaries, in text and Markdown. JSON and HTML "
        "always have them.",
        requires="recursive",
    )
    output: str | None = option(
        None,
        "Write to a file instead of stdout. A .pdf is a copy of the summarized PDF with the "
        "quotes marked.",
        metavar="FILE",
        flags=("-o",),
        brief="Write to a file.",
    )
    output_dir: str | None = option(
        None,
        "With --each: write NAME.txt (or .md, .json …) for each file into this folder; with "
        "--format jsonl or parquet, "
        "files of 1,000 summaries. Summaries that are up to date are skipped.",
        metavar="DIR",
        requires="each",
        brief="With --each: write one file each to a folder.",
    )
    in_order: bool = option(
        False, "Write the summaries in input order, not as they become ready.", requires="engine"
    )
    force: bool = option(
        False,
        "Replace an existing --output; in --output-dir, also files that were edited or that "
        "another program wrote. Input documents are never replaced.",
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.output and self.output_dir:
            raise UsageError("--output given together with --output-dir", "use one of the two")

    @property
    def format_name(self) -> str:
        """The format to write."""
        return self.output_format or format_of(self.output)

    @property
    def files(self) -> list[str]:
        """The file that is written, if it is one."""
        return [self.output] if self.output else []

    @property
    def style(self) -> dict[str, Any]:
        """How a summary is written in its format, see
        :func:`~pagesum_cli.views.formats.written`.
        """
        return {"cite": self.cite, "bullets": self.bullets, "chapters": self.chapters}
