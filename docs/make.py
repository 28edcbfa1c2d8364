"""Write everything that the README and these pages show of the program, by running it; or check that it is up to date.

    python docs/make.py --write    # pictures, the example page, outputs of commands, the command line's reference
    python docs/make.py --check    # the files that differ from the program, one a line

In a ``console`` block, the lines below ``$ COMMAND`` are its output on a terminal. A command without any shows none.
The picture of the reading page needs Chromium and Pillow; it holds the digest of that page's text.
"""

import fcntl
import hashlib
import os
import pty
import re
import runpy
import shutil
import struct
import subprocess
import sys
import tempfile
import termios
from collections.abc import Iterator
from html import unescape
from io import StringIO
from pathlib import Path

from PIL import Image, PngImagePlugin
from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).parents[1]
DOCS, PAGE, PICTURE = ROOT / "docs", Path("docs/examples/summary.html"), Path("docs/images/reading_page.png")
WIDTH = 96

SESSIONS = {
    "summarize.svg": ("pagesum summarize paper.pdf", f"pagesum summarize paper.pdf --output {PAGE.name}"),
    "inspect.svg": ("pagesum summarize paper.pdf > summary.txt", "pagesum inspect"),
}
"""What is typed in each recorded terminal session, in the folder of the examples."""


class Terminal:
    """Runs commands as typed in a clone, on a terminal of :data:`WIDTH` columns; figures are those of float32.

    Args:
        folder: An empty folder, which gets the examples and the user's own files.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copytree(DOCS / "examples", folder / "docs" / "examples", ignore=shutil.ignore_patterns(PAGE.name))
        (folder / "state" / "pagesum" / "history").mkdir(parents=True)  # or the first run explains what is kept
        (folder / "config.toml").write_text('dtype = "float32"\n', encoding="utf-8")
        self.variables = {
            **{name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            **{"TERM": "xterm-256color", "COLORTERM": "truecolor", "HF_HUB_OFFLINE": "1"},
            **{"PAGESUM_CONFIG": str(folder / "config.toml"), "XDG_STATE_HOME": str(folder / "state")},
        }

    def run(self, command: str, folder: str = ".") -> str:
        """What a command shows, with its colors; notes come first, and lines about progress are left out."""
        ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 60, WIDTH, 0, 0))
        with tempfile.TemporaryFile("w+", encoding="utf-8") as notes, os.fdopen(ours, "rb", 0) as output:
            shell = ["bash", "-o", "pipefail", "-c", command]
            place = self.folder / folder
            process = subprocess.Popen(shell, cwd=place, env=self.variables, stdout=theirs, stderr=notes)
            os.close(theirs)
            shown = b"".join(_blocks(output.fileno())).decode().replace("\r\n", "\n")
            code, _ = process.wait(), notes.seek(0)
            noted = [line for line in notes if not re.search(r": [\d,]+ of [\d,]+$", line)]
        if code:
            raise SystemExit(f"{command}: exit code {code}\n{''.join(noted)}")
        return "".join(noted) + shown


def _blocks(terminal: int) -> Iterator[bytes]:
    """What is written to a terminal, until nobody can write to it any more."""
    try:
        while block := os.read(terminal, 1 << 16):
            yield block
    except OSError:  # Linux reports the end in this way
        return


def made(terminal: Terminal) -> Iterator[tuple[Path, str]]:
    """Each file that shows something of the program, but for the PNG, with what it ought to be."""
    for name, commands in SESSIONS.items():
        yield DOCS / "images" / name, _session(commands, terminal)
    yield ROOT / PAGE, (terminal.folder / PAGE).read_text(encoding="utf-8")
    yield DOCS / "cli.md", runpy.run_path(str(DOCS / "make_cli.py"))["reference"]()
    for page in (ROOT / "README.md", *sorted(DOCS.glob("*.md"))):
        if page.name != "cli.md":
            yield page, _with_outputs(page.read_text(encoding="utf-8"), terminal)


def _session(commands: tuple[str, ...], terminal: Terminal) -> str:
    """Commands and what they show, as SVG."""
    screen = Console(record=True, file=StringIO(), width=WIDTH, force_terminal=True, color_system="truecolor")
    for command in commands:
        screen.print(Text.assemble(("$ ", "dim"), (command, "bold")))
        if shown := terminal.run(command, "docs/examples"):
            screen.print(Text.from_ansi(shown))
    screen.print(Text("$ ", "dim"), end="")
    return screen.export_svg(title="pagesum", unique_id="pagesum")


def _with_outputs(page: str, terminal: Terminal) -> str:
    """A page with the present outputs of its commands below those that show one."""

    def block(match: re.Match[str]) -> str:
        return re.sub(r"^\$ (.*)\n((?!\$ |\n).*\n(?:(?!\$ ).*\n)*)", output, match[0], flags=re.M)

    def output(match: re.Match[str]) -> str:
        lines = Text.from_ansi(terminal.run(match[1])).plain.rstrip().splitlines()
        gap = "\n" * (len(match[2]) - len(match[2].rstrip("\n")))
        return f"$ {match[1]}\n" + "\n".join(line.rstrip() for line in lines) + gap

    return re.sub(r"(?<=^```console\n).*?(?=^```$)", block, page, flags=re.M | re.S)


def text_of(content: str) -> str:
    """What a file says: without tags, and with bars of any length, which differ by a pixel between processors."""
    if content.startswith("<"):
        content = unescape(re.sub(r"<style>.*?</style>|<[^>]*>", "\n", content, flags=re.S)).replace("\xa0", " ")
    return re.sub("[█▉▊▋▌▍▎▏]+ *", "█", content)


def differing() -> Iterator[tuple[Path, str]]:
    """Each file that does not show what the program does, with what it ought to be; of the PNG, the digest."""
    with tempfile.TemporaryDirectory() as folder:
        digest = ""
        for path, content in made(Terminal(Path(folder))):
            digest = digest_of(content) if path == ROOT / PAGE else digest
            if not path.exists() or text_of(path.read_text(encoding="utf-8")) != text_of(content):
                yield path, content
    if not (ROOT / PICTURE).exists() or digest_in(ROOT / PICTURE) != digest:
        yield ROOT / PICTURE, digest


def digest_of(page: str) -> str:
    """The digest of the text of a page."""
    return hashlib.sha256(text_of(page).encode()).hexdigest()


def digest_in(picture: Path) -> str:
    """The digest of the text of the page that a screenshot shows."""
    with Image.open(picture) as image:
        return str(image.info.get("page"))


def _take(picture: Path, digest: str) -> None:
    """A screenshot of the reading page at its second quote, with the digest of its text."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        raise SystemExit(f"{picture}: needs Chromium")
    with tempfile.TemporaryDirectory() as profile:
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}"]
        flags += ["--window-size=1360,800", "--virtual-time-budget=3000", f"--screenshot={picture}"]
        subprocess.run([chromium, *flags, f"{(ROOT / PAGE).as_uri()}#q2"], check=True, stderr=subprocess.DEVNULL)
    with Image.open(picture) as image:
        small = image.convert("RGB").quantize(256)
    info = PngImagePlugin.PngInfo()
    info.add_text("page", digest)
    small.save(picture, optimize=True, pnginfo=info)


def main() -> None:
    """Check, or write what differs."""
    if sys.argv[1:] not in (["--check"], ["--write"]):
        raise SystemExit(__doc__)
    found = list(differing())
    for path, content in found:
        print(path.relative_to(ROOT))
        if sys.argv[1] == "--check":
            continue
        if path == ROOT / PICTURE:
            _take(path, content)
        else:
            path.write_text(content, encoding="utf-8")
    raise SystemExit(bool(found) and sys.argv[1] == "--check")


if __name__ == "__main__":
    main()
