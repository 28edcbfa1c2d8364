"""Flags that several verbs share, each with its check: a wrong value is told before any model is loaded."""

import difflib
from typing import Annotated, Any

import typer

from ..errors import UsageError
from ..locality.page import Pages
from ..model.registry import folder_on_disk, is_hub_id, settings_of, unknown_model
from .console import Talk

LOCALITIES = ("auto", "spatial", "discourse", "document")
DEVICES = ("auto", "cpu", "cuda", "mps")
DTYPES = ("auto", "float32", "bfloat16", "float16")
LENGTHS = ("short", "medium", "long")
OVERFLOWS = ("continue", "truncate")

LEAST_PAGE_TOKENS = 34

READING = "Reading"
PAGES = "Pages"
MODEL = "Model"
SUMMARY = "Summary"
OUTPUT = "Output"


def choice(*names: str, values: tuple[str, ...], help: str, panel: str) -> Any:
    """A flag that takes one of a few words."""

    def check(ctx: typer.Context, param: typer.CallbackParam, value: str | None) -> str | None:
        if value is None or value in values or ctx.resilient_parsing:
            return value
        near = difflib.get_close_matches(value.lower(), values, n=1)
        hint = f"did you mean {near[0]}?" if near else f"for example {names[-1]} {values[0]}"
        raise UsageError(f"{names[-1]} {value!r}: expected one of {', '.join(values)}", hint)

    return typer.Option(
        *names,
        callback=check,
        metavar="NAME",
        autocompletion=lambda: list(values),
        help=f"{', '.join(values[:-1])} or {values[-1]}. {help}",
        rich_help_panel=panel,
    )


def number(*names: str, least: float, help: str, panel: str, above: bool = False) -> Any:
    """A flag that takes a number: ``least`` or more; with ``above`` more than ``least``."""

    def check(ctx: typer.Context, param: typer.CallbackParam, value: float | None) -> float | None:
        fits = value is None or (value > least if above else value >= least)  # a NaN fits nowhere
        if fits or ctx.resilient_parsing:
            return value
        expected = f"more than {least:g}" if above else f"{least:g} or more"
        raise UsageError(f"{names[-1]} {value}: expected {expected}", f"for example {names[-1]} {max(least, 1):g}")

    return typer.Option(*names, callback=check, help=help, rich_help_panel=panel, metavar="N")


def _flag(*names: str, help: str, panel: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, rich_help_panel=panel, metavar=metavar, show_default=False)


Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILES",
        show_default=False,
        help="PDF, text, Markdown, HTML, JSON Lines; folders; patterns; - for standard input.",
    ),
]
Password = Annotated[str | None, _flag("--password", help="Of encrypted PDFs.", panel=READING, metavar="TEXT")]

Locality = Annotated[
    str,
    choice(
        "--locality",
        values=LOCALITIES,
        panel=PAGES,
        help="A page is a run of sentences (spatial), a section (discourse), a document. auto: document for several "
        "files, else discourse where sections are found, else spatial.",
    ),
]
PageTokens = Annotated[
    int | None,
    number("--page-tokens", least=LEAST_PAGE_TOKENS, panel=PAGES, help="Tokens on a page. Default: the model's own."),
]
MaxPages = Annotated[
    int | None, number("--max-pages", least=1, panel=PAGES, help="Read no more pages than this; say what is left out.")
]
NumPages = Annotated[
    int | None,
    number("--num-pages", least=1, panel=PAGES, help="Exactly this many pages, cut as the paper's program cuts them."),
]
Overflow = Annotated[
    str,
    choice(
        "--overflow",
        values=OVERFLOWS,
        panel=PAGES,
        help="What to do with a section that is too long for a page; the paper truncates.",
    ),
]

Model = Annotated[
    str,
    _flag("--model", "-m", panel=MODEL, metavar="NAME", help="Bundled name, folder or Hugging Face id. Default: mini."),
]
Device = Annotated[str, choice("--device", values=DEVICES, panel=MODEL, help="auto: a GPU where there is one.")]
Dtype = Annotated[
    str,
    choice("--dtype", values=DTYPES, panel=MODEL, help="auto: bfloat16 where the hardware multiplies it natively."),
]

Beams = Annotated[
    int | None, number("--beams", least=1, panel=SUMMARY, help="1 is greedy and streams. Default: the model's own.")
]
MinLength = Annotated[
    int | None, number("--min-length", least=0, panel=SUMMARY, help="Tokens that the summary has at least.")
]
MaxLength = Annotated[
    int | None, number("--max-length", least=1, panel=SUMMARY, help="Tokens that the summary has at most.")
]
Length = Annotated[
    str | None,
    choice("--length", values=LENGTHS, panel=SUMMARY, help="Instead of --min-length and --max-length."),
]
NoRepeatNgram = Annotated[
    int | None,
    number("--no-repeat-ngram", least=0, panel=SUMMARY, help="Never repeat so many tokens in a row; 0: no such rule."),
]
LengthPenalty = Annotated[
    float | None,
    number("--length-penalty", least=float("-inf"), panel=SUMMARY, help="Above 1 favours longer summaries."),
]

TextOrJson = Annotated[
    str, choice("--format", values=("text", "json"), panel=OUTPUT, help="text for people, json for programs.")
]
OutputFile = Annotated[
    str | None, _flag("--output", "-o", panel=OUTPUT, metavar="FILE", help="Write to a file instead of stdout.")
]
NoHistory = Annotated[
    bool, _flag("--no-history", panel=OUTPUT, help="Do not keep the summary for pagesum inspect to draw.")
]
Quiet = Annotated[bool, _flag("--quiet", "-q", panel=OUTPUT, help="Say nothing but errors.")]
Debug = Annotated[bool, _flag("--debug", panel=OUTPUT, help="Show where in the program an error arose.")]


def check_lengths(length: str | None, min_length: int | None, max_length: int | None) -> None:
    """Refuse lengths that contradict each other.

    Raises:
        UsageError: they do.
    """
    if length and (min_length is not None or max_length is not None):
        raise UsageError(
            "--length given together with --min-length or --max-length", "give the one, or the others, not both"
        )
    if min_length is not None and max_length is not None and min_length > max_length:
        raise UsageError(
            f"--min-length {min_length} is above --max-length {max_length}", "give a minimum below the maximum"
        )


def check_pages(num_pages: int | None, max_pages: int | None, overflow: str) -> None:
    """Refuse flags about pages that contradict each other.

    Raises:
        UsageError: they do.
    """
    if num_pages is not None and (max_pages is not None or overflow != "continue"):
        raise UsageError(
            "--num-pages given together with --max-pages or --overflow",
            "--num-pages cuts as the paper's program does, and truncates what is too long",
        )


def check_model(name: str, page_tokens: int | None, max_length: int | None = None) -> None:
    """Refuse a model that is not there, or lengths beyond its positions, without loading it.

    Nothing is checked of a model on the Hugging Face hub, which may not be on this disk yet.

    Raises:
        PagesumError: there is no such model.
        UsageError: the model has fewer positions.
    """
    folder = folder_on_disk(name)
    if folder is None:
        if not is_hub_id(name):
            raise unknown_model(name)
        return
    positions = settings_of(folder).get("max_position_embeddings", 1024)
    for flag, value, most in (("--page-tokens", page_tokens, positions), ("--max-length", max_length, positions - 1)):
        if value is not None and value > most:
            raise UsageError(f"{flag} {value}, but {name} has positions for {most}", f"give at most {most}")


def say_what_is_left_out(talk: Talk, pages: Pages) -> None:
    """Warn about words that no page holds, and how to have them read."""
    truncated = [page for page in pages.pages if page.truncated_words]
    if truncated:
        words = sum(page.truncated_words for page in truncated)
        many = f"{len(truncated)} pages are" if len(truncated) > 1 else f"page {truncated[0].label!r} is"
        talk.warn(f"{many} truncated: {words:,} words are left out")
    if pages.dropped_words:
        talk.warn(f"{pages.dropped_words:,} words stand beyond the last page that is read and are left out")
