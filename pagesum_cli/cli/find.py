"""``pagesum find``: every sentence, number and table row that answers a question."""

import io
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ..documents.guard.reading import read_file
from ..documents.model import Document
from ..documents.read import STANDARD_INPUT
from ..errors import together
from ..files import read_all
from ..options import Options, option
from ..text.words import words_of
from . import console, options
from .help import ShortHelp

if TYPE_CHECKING:
    from ..batch.reading import Source
    from ..retrieval.find import Answers
    from ..retrieval.index import Indexed
    from ..retrieval.store import Store

app = typer.Typer(rich_markup_mode="rich", add_completion=False)

SHOWN_PROBLEMS = 20  # files that cannot be read, each reported in one line

Question = Annotated[str, options.argument("QUESTION", "A question or topic, in quotation marks.")]


@dataclass(frozen=True)
class FindOptions(Options, panel="Find"):
    """How much is found, and whether the files' text is kept."""

    limit: int = option(20, "Maximum number of answers.", min=1)
    no_index: bool = option(
        False,
        "Neither use nor keep an index of the files that were read.",
    )


@dataclass(frozen=True)
class AnswerOptions(Options, panel=options.OUTPUT):
    """How answers are written."""

    output_format: str = option(
        "table",
        "Output format.",
        choices=("table", "text", "csv", "md", "json", "html"),
        flags=("--format",),
        brief="table, text, csv, md, json or html.",
    )


@app.command(
    cls=ShortHelp,
    epilog='pagesum find "How is a candidate disqualified?" by-laws.pdf\n\n'
    'pagesum find "How many requests were granted?" minutes/ --format csv',
)
@options.with_flags
def find(
    question: Question,
    files: options.Files,
    finding: FindOptions,
    reading: options.ReadingOptions,
    output: AnswerOptions,
    messages: options.MessageOptions,
) -> None:
    """Find every sentence, number and table row that answers a question, best first, each with its
    citation; needs no model.

    Files are kept in an index that only you can read, so that the next question takes a second.
    Exits with 1 if nothing is found.
    """
    from ..retrieval.find import check_question
    from ..retrieval.find import find as answers_to
    from ..retrieval.index import opened
    from ..views.find import Found, written

    check_question(question)
    talk = messages.talk
    stdin = read_all(sys.stdin.buffer, "standard input") if STANDARD_INPUT in files else b""
    source = reading.source(files, talk.warn, stdin=io.BytesIO(stdin))
    # an index could be read without the password
    is_kept = not finding.no_index and reading.password is None
    with opened(is_kept, talk.warn) as store:
        indexed = _indexed(store, source, talk)
        found = answers_to(question, store, list(indexed.contents), finding.limit)
    shown = Found(found, indexed.contents, indexed.errors)
    if not found.answers and output.output_format != "json":
        where = source.paths[0] if len(source.paths) == 1 else f"{len(source.paths):,} files"
        console.error(f"{where}: nothing was found about {question!r}", _hint(question))
        raise typer.Exit(1)
    if output.output_format == "table":
        from ..views.find import find_view

        console.show(find_view(shown))
    else:
        console.data(written(shown, output.output_format))
    if doubt := _doubt(found):
        talk.warn(doubt)
    if not found.answers:
        raise typer.Exit(1)


def _doubt(found: "Answers") -> str:
    """Why the answers may be none; empty if most words of the question are in one of them."""
    if found.lacking:
        words = ", ".join(f"“{word}”" for word in found.lacking)
        return f"no passage has what is asked for near {words}: it may not be answered"
    if found.is_doubtful:
        return "few words of the question occur: the answers may be about something else"
    if found.is_partial:
        return "no passage has most words of the question: the answers have some of them"
    return ""


def _indexed(store: "Store", source: "Source", talk: console.Talk) -> "Indexed":
    """The passages of the files, of which each is read once."""
    from ..retrieval.index import index

    problems: list[str] = []

    def read(path: str) -> list[Document]:
        if source.stdin:
            source.stdin.seek(0)
        return read_file(
            path, password=source.password, stdin=source.stdin, on_problem=problems.append
        )

    total = len(source.paths)
    with talk.progress("reading files") as bar:
        indexed = index(
            store,
            source.paths,
            read,
            lambda number: bar.update(
                f"reading {os.path.basename(source.paths[number - 1])}", number - 1, total
            ),
        )
    if not indexed.contents:
        raise together(list(indexed.errors.values()))
    problems += [f"not read: {error.message}" for error in indexed.errors.values()]
    problems += [f"{path} is the same as {other}" for path, other in indexed.same.items()]
    for problem in problems[:SHOWN_PROBLEMS]:
        talk.warn(problem)
    if len(problems) > SHOWN_PROBLEMS:
        talk.warn(f"{len(problems) - SHOWN_PROBLEMS:,} more such files or records")
    return indexed


def _hint(question: str) -> str:
    if len(words_of(question)) > 1:
        return "try other words, or fewer"
    return "try another word"
