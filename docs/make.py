"""Write everything that the README and these pages show of the program, by running it; or check
that it is up to date.

    python docs/make.py --write    # pictures, the example page, outputs of commands, the
                                   # command line's reference
    python docs/make.py --check    # the files that differ from the program, one a line

In a ``console`` block, the lines below ``$ COMMAND`` are its output on a terminal. A command
without any shows none. Needs ``script`` (util-linux). The picture of the reading page needs
Chromium and Pillow, and has a digest of its text.
"""

import hashlib
import os
import re
import runpy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import unescape
from io import StringIO
from pathlib import Path

from PIL import Image, PngImagePlugin
from rich.console import Console
from rich.text import Text

ROOT, WIDTH = Path(__file__).parents[1], 96
DOCS, EXAMPLES = ROOT / "docs", "docs/examples"
PAGE, PICTURE = DOCS / "examples" / "summary.html", DOCS / "images" / "reading_page.png"
SUMMARIZE = "pagesum summarize paper.pdf --locality discourse"
SESSIONS = {
    "summarize.svg": (SUMMARIZE, f"{SUMMARIZE} --output {PAGE.name}"),
    "inspect.svg": (f"{SUMMARIZE} --fast > summary.txt", "pagesum inspect"),
    "check.svg": ("pagesum check check/summary.md check/report.txt || true",),
    "transcript.svg": ("pagesum summarize meeting.vtt --sentences 5",),
}
"""What is typed in each recorded terminal session, in the folder of the examples."""


class Terminal:
    """Runs commands as typed in a clone, in an empty folder that gets the examples; figures are
    those of float32. The programs of some folders go before others of their name.
    """

    def __init__(self, folder: Path, *programs: Path) -> None:
        self.folder = folder
        shutil.copytree(
            DOCS / "examples", folder / EXAMPLES, ignore=shutil.ignore_patterns(PAGE.name)
        )
        # or the first run explains what is kept
        (folder / "state/pagesum/history").mkdir(parents=True)
        (folder / "config.toml").write_text('dtype = "float32"\n', encoding="utf-8")
        self.variables = {
            name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "LINES")
        } | {
            "PATH": os.pathsep.join(
                [*map(str, programs), str(Path(sys.executable).parent), os.environ["PATH"]]
            ),
            **{
                "SHELL": "/bin/bash",
                "COLUMNS": str(WIDTH),
                "TERM": "xterm-256color",
                "COLORTERM": "truecolor",
            },
            **{
                "PAGESUM_CONFIG": str(folder / "config.toml"),
                "XDG_STATE_HOME": str(folder / "state"),
            },
            "HF_HUB_OFFLINE": "1",
        }

    def run(self, command: str, place: str = ".") -> str:
        """What a command shows, with its colors; notes come first, and lines about progress are
        left out.
        """
        notes = self.folder / "notes"
        typed = ["script", "-qec", f"( {command} ) 2> {notes}", "/dev/null"]
        shown = subprocess.run(
            typed,
            cwd=self.folder / place,
            env=self.variables,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )
        progress = r"^.*: [\d,]+ of [\d,]+(?:, about .* left)?\n"
        noted = re.sub(progress, "", notes.read_text(encoding="utf-8"), flags=re.M)
        if shown.returncode:
            raise SystemExit(f"{command}: exit code {shown.returncode}\n{noted}")
        return noted + shown.stdout.decode().replace("\r\n", "\n")


def made(terminal: Terminal) -> Iterator[tuple[Path, str]]:
    """Each file that shows something of the program, with what it ought to be; of the PNG, the
    digest.
    """
    for name, commands in SESSIONS.items():
        screen = Console(
            record=True, file=StringIO(), width=WIDTH, force_terminal=True, color_system="truecolor"
        )
        for command in commands:
            screen.print(Text.assemble(("$ ", "dim"), (command, "bold")))
            screen.print(Text.from_ansi(terminal.run(command, EXAMPLES)))
        screen.print(Text("$ ", "dim"), end="")
        yield DOCS / "images" / name, screen.export_svg(title="pagesum", unique_id="pagesum")
    page = (terminal.folder / EXAMPLES / PAGE.name).read_text(encoding="utf-8")
    yield PAGE, page
    yield PICTURE, digest_of(page)
    yield DOCS / "cli.md", runpy.run_path(str(DOCS / "make_cli.py"))["reference"]()
    for path in (ROOT / "README.md", *sorted({*DOCS.glob("*.md")} - {DOCS / "cli.md"})):
        yield path, with_outputs(path.read_text(encoding="utf-8"), terminal)


def with_outputs(page: str, terminal: Terminal) -> str:
    """A page with the present outputs of its commands below those that show one."""

    def output(match: re.Match[str]) -> str:
        lines = Text.from_ansi(terminal.run(match[1])).plain.rstrip().splitlines()
        gap = "\n" * (len(match[2]) - len(match[2].rstrip("\n")))
        return "\n".join([f"$ {match[1]}", *map(str.rstrip, lines)]) + gap

    shown = re.compile(r"^\$ (.*)\n((?!\$ |\n).*\n(?:(?!\$ ).*\n)*)", re.M)
    return re.sub(
        r"(?<=^```console\n).*?(?=^```$)",
        lambda block: shown.sub(output, block[0]),
        page,
        flags=re.M | re.S,
    )


def text_of(content: str) -> str:
    """What a file says: without tags, and with bars of any length, which differ by a pixel between
    processors.
    """
    if content.startswith("<"):
        content = unescape(
            re.sub(r"<style>.*?</style>|<[^>]*>", "\n", content, flags=re.S)
        ).replace("\xa0", " ")
    return re.sub("[█▉▊▋▌▍▎▏]+ *", "█", content)


def digest_of(page: str) -> str:
    """The digest of the text of a page."""
    return hashlib.sha256(text_of(page).encode()).hexdigest()


def text_in(path: Path) -> str:
    """What a file says now; of the PNG, the digest of the page that it shows; nothing where there
    is no file.
    """
    if path.exists() and path == PICTURE:
        with Image.open(path) as image:
            return str(image.info.get("page"))
    return text_of(path.read_text(encoding="utf-8")) if path.exists() else ""


def differing(*programs: Path) -> list[tuple[Path, str]]:
    """The files that do not show what the program does, each with what it ought to be; see
    :class:`Terminal`.
    """
    with tempfile.TemporaryDirectory() as folder:
        return [
            (path, new)
            for path, new in made(Terminal(Path(folder), *programs))
            if text_in(path) != text_of(new)
        ]


def take_picture(digest: str) -> None:
    """A screenshot of the reading page at its second quote, with the digest of its text."""
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))),
        "chromium",
    )
    with tempfile.TemporaryDirectory() as profile:
        flags = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            f"--user-data-dir={profile}",
        ]
        flags += ["--window-size=1360,800", "--virtual-time-budget=3000", f"--screenshot={PICTURE}"]
        subprocess.run(
            [chromium, *flags, f"{PAGE.as_uri()}#q2"], check=True, stderr=subprocess.DEVNULL
        )
    with Image.open(PICTURE) as image:
        small = image.convert("RGB").quantize(256)
    info = PngImagePlugin.PngInfo()
    info.add_text("page", digest)
    small.save(PICTURE, optimize=True, pnginfo=info)


if __name__ == "__main__":
    if sys.argv[1:] not in (["--check"], ["--write"]):
        raise SystemExit(__doc__)
    found = differing()
    sys.stdout.writelines(f"{path.relative_to(ROOT)}\n" for path, _ in found)
    if sys.argv[1] == "--check":
        raise SystemExit(bool(found))
    for path, new in found:
        take_picture(new) if path == PICTURE else path.write_text(new, encoding="utf-8")
