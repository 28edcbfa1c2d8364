"""What pagesum does where a system lacks something, in one process: a line of JSON for each case.

The environment says what is lacking, see ``sitecustomize``; the arguments are a folder for results,
a document, a checkpoint, and a folder of hostile files.
"""

import json
import sys
from functools import partial
from pathlib import Path

from pagesum_cli import system
from pagesum_cli.cli.app import run
from pagesum_cli.documents.guard import protocol
from pagesum_cli.documents.guard.reading import read_data, read_file, stream
from pagesum_cli.documents.model import Document
from pagesum_cli.errors import PagesumError
from pagesum_cli.files import locked


def report(case: str, result: object) -> None:
    print(json.dumps([case, result]), flush=True)


def read(name: str, kind: type = Document) -> list[object] | str:
    """What a function of ``functions`` yields, or the error's message."""
    try:
        return list(stream(f"functions:{name}", kind, "a.txt", {}))
    except PagesumError as error:
        return error.message


def guard(hostile: Path) -> None:
    """The limits of reading, and what a hostile file does."""
    report("one process", len({*read("number", int), *read("number", int)}))
    report("renewed", len({*read("grow", int), *read("grow", int)}))
    report("crash", read("crash"))
    of = protocol.Limits.of
    for limits, function in (
        (protocol.Limits(128, 99, 99, "split it"), "fill_slowly"),
        # what macOS limits is set by the process that reads
        (protocol.Limits(512, 0, 99, "split it"), "spin" if system.resource else "compute"),
        (protocol.Limits(512, 99, 0, "split it"), "wait"),
    ):
        protocol.Limits.of = partial(lambda limits, size: limits, limits)
        report("compute" if function == "spin" else function, read(function))
    protocol.Limits.of = of
    messages = []
    for file in sorted(hostile.iterdir()):
        try:
            read_file(str(file))
        except PagesumError as error:
            messages.append(error.message.removeprefix(f"{file}: "))
    report("hostile", messages)
    report("next", read_data(b"Owls hunt.", "a.txt")[0].text)


def commands(folder: Path, document: str, model: str) -> None:
    """The main job, and a summary of each file, made once and then not again."""
    others = [str(folder / name) for name in ("con.txt", "b.txt")]
    for path in others:
        Path(path).write_text(Path(document).read_text())
    results = folder / "results"
    flags = ["--model", model, "--no-history", "--quiet"]
    each = ["summarize", *others, "--each", "--output-dir", str(results), *flags]
    report("summarize", run(["summarize", document, "--output", str(folder / "out.md"), *flags]))
    report("each", run(each))
    written = {path: path.stat().st_mtime_ns for path in results.glob("*.txt")}
    report("names", sorted(path.name for path in results.iterdir()))
    report("again", run(each))
    report("kept", written == {path: path.stat().st_mtime_ns for path in results.glob("*.txt")})
    with locked(results):
        report("locked", run(each))
    report("removed", not (results / system.LOCK).exists())


def main() -> None:
    folder, document, model, hostile = sys.argv[1:]
    system._SET_BY_SYSTEM["memory"] = False  # neither system has it
    guard(Path(hostile))
    commands(Path(folder), document, model)


if __name__ == "__main__":
    main()
