"""A scanned page of a PDF → runs, by the program Tesseract, where it is installed."""

import os
import re
import shutil
import statistics
import subprocess
from collections.abc import Iterator
from ctypes import c_ubyte
from dataclasses import dataclass, replace
from functools import cache
from math import sqrt
from typing import Any

import pypdfium2.raw as pdfium
from lxml import etree, html

from ...errors import PagesumError
from .runs import PageText, Run

LANGUAGES = "PAGESUM_OCR_LANGUAGES"
"""The environment variable with Tesseract's names of the languages to recognize, such as
``deu+eng``, or ``none``."""

NO_LANGUAGES = "none"
PROGRAM = "tesseract"
RESOLUTION = 300  # dots per inch at which a page is drawn
MAX_DOTS = 40_000_000  # of a drawn page; a larger one is drawn at a lower resolution
SECONDS = 180.0  # after which a page is given up
ILLEGIBLE = "illegible text"  # the reason why lines are left out that are hardly recognized
LEGIBLE = 50  # median confidence of a line's words, in %, from which it is read
CERTAIN = 75  # confidence of a word, in %, below which it is uncertain
SAME_SIZE = 0.15  # how far a run may be from the usual size, as a share of it

NOT_LANGUAGES = ("osd", "equ")  # what else Tesseract lists

_INCH = 72.0  # points
_NUMBER = r"-?\d+(?:\.\d+)?"
_BOX = re.compile(r"bbox (\d+) (\d+) (\d+) (\d+)")
_BASELINE = re.compile(rf"baseline ({_NUMBER}) ({_NUMBER})")
_SIZE = re.compile(rf"x_size ({_NUMBER})")
_CONFIDENCE = re.compile(r"x_wconf (\d+)")
_LINES = '//*[@class="ocr_line" or @class="ocr_header" or @class="ocr_caption" or '
_LINES += '@class="ocr_textfloat"]'
_WORDS = './/*[@class="ocrx_word"]'


@dataclass(frozen=True)
class Recognized:
    """The text of a scanned page."""

    text: PageText
    uncertain: tuple[str, ...]  # words that may be wrong


@cache
def languages() -> str:
    """The languages that are recognized, joined by ``+``: those of the environment variable, else
    all that are installed. Empty if Tesseract is not installed, or is not to be used.

    Raises:
        PagesumError: A language is not installed.
    """
    chosen = os.environ.get(LANGUAGES, "").strip()
    program = shutil.which(PROGRAM)
    if program is None or chosen == NO_LANGUAGES:
        return ""
    installed = _installed(program)
    if missing := [name for name in chosen.split("+") if chosen and name not in installed]:
        message = f"{LANGUAGES}: Tesseract does not have the language {missing[0]!r}"
        raise PagesumError(message, f"it has {', '.join(installed)}; others can be installed")
    return chosen or "+".join(installed)


def _installed(program: str) -> list[str]:
    """The languages that are installed for Tesseract; none if it does not say."""
    command = [program, "--list-langs"]
    try:
        listed = subprocess.run(
            command, capture_output=True, text=True, timeout=SECONDS, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return []
    names = map(str.strip, listed.stdout.splitlines()[1:])
    return [name for name in names if name and name not in NOT_LANGUAGES]


def recognize(page: pdfium.FPDF_PAGE, size: tuple[float, float]) -> Recognized | None:
    """The text of a page of this width and height in points; None if it cannot be recognized.

    The runs have the size of their line, and no font: what is bold is not recognized.
    """
    width, height = size
    resolution = min(float(RESOLUTION), _INCH * sqrt(MAX_DOTS / (width * height)))
    picture = _drawn(page, round(width * resolution / _INCH), round(height * resolution / _INCH))
    program = shutil.which(PROGRAM) or PROGRAM
    command = [program, "-", "-", "-l", languages(), "--dpi", str(round(resolution)), "hocr"]
    try:
        answer = subprocess.run(
            command,
            input=picture,
            capture_output=True,
            timeout=SECONDS,
            check=True,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # more threads only wait for each other
        )
        lines = list(_lines(answer.stdout, resolution, height))
    except (OSError, ValueError, subprocess.SubprocessError, etree.LxmlError):
        return None
    return _page(lines, size) if lines else None


def _drawn(page: pdfium.FPDF_PAGE, width: int, height: int) -> bytes:
    """A page in shades of gray, as a PGM file."""
    pixels = bytearray(b"\xff" * (width * height))
    memory = (c_ubyte * len(pixels)).from_buffer(pixels)
    bitmap = pdfium.FPDFBitmap_CreateEx(width, height, pdfium.FPDFBitmap_Gray, memory, width)
    try:
        flags = pdfium.FPDF_ANNOT | pdfium.FPDF_GRAYSCALE
        pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, flags)
    finally:
        pdfium.FPDFBitmap_Destroy(bitmap)
    return b"P5 %d %d 255\n" % (width, height) + pixels


@dataclass(frozen=True)
class _Line:
    runs: list[Run]
    confidences: list[int]  # of its words, in %

    @property
    def text(self) -> str:
        """Its words."""
        return " ".join(run.text for run in self.runs)

    @property
    def is_legible(self) -> bool:
        """Whether at least half of its words are likely right."""
        return statistics.median(self.confidences) >= LEGIBLE


def _lines(hocr: bytes, resolution: float, height: float) -> Iterator[_Line]:
    """The lines of Tesseract's answer."""
    page = html.fromstring(hocr, parser=html.HTMLParser(encoding="utf-8"))
    for line in page.xpath(_LINES):
        title = line.get("title", "")
        box, size = _BOX.search(title), _SIZE.search(title)
        words = list(_words(line))
        if not (box and size and words):
            continue
        left, _, right, bottom = map(int, box.groups())
        baseline = _BASELINE.search(title)
        slope, rise = map(float, baseline.groups()) if baseline else (0.0, 0.0)
        y = height - (bottom + rise + slope * (right - left) / 2) * _INCH / resolution
        points = float(size[1]) * _INCH / resolution
        runs = [
            Run(
                text,
                start * _INCH / resolution,
                end * _INCH / resolution,
                y,
                points,
                bold=False,
                italic=False,
                font="",
            )
            for text, start, end, _ in words
        ]
        yield _Line(runs, [confidence for *_, confidence in words])


def _words(line: Any) -> Iterator[tuple[str, int, int, int]]:
    """The words of a line, each with its left and right end and its confidence."""
    for word in line.xpath(_WORDS):
        title, text = word.get("title", ""), word.text_content().strip()
        box, confidence = _BOX.search(title), _CONFIDENCE.search(title)
        if text and box and confidence:
            yield text, int(box[1]), int(box[3]), int(confidence[1])


def _page(lines: list[_Line], size: tuple[float, float]) -> Recognized:
    """The page that lines make."""
    legible = [line for line in lines if line.is_legible]
    left_out = [(ILLEGIBLE, line.text) for line in lines if not line.is_legible]
    runs = _of_usual_size([run for line in legible for run in line.runs])
    confidences = [confidence for line in legible for confidence in line.confidences]
    return Recognized(PageText(runs, *size, left_out=left_out), _uncertain(runs, confidences))


def _of_usual_size(runs: list[Run]) -> list[Run]:
    """Runs of a page; what has about the size of most letters has just that size."""
    if not runs:
        return []
    usual = statistics.median(run.size for run in runs for _ in run.text)
    return [
        replace(run, size=usual) if abs(run.size - usual) <= SAME_SIZE * usual else run
        for run in runs
    ]


def _uncertain(runs: list[Run], confidences: list[int]) -> tuple[str, ...]:
    """The words of a page that may be wrong; not those that are certain elsewhere on it, unless
    they are numbers, which prove no other one.
    """
    pairs = [(run.text, confidence) for run, confidence in zip(runs, confidences, strict=True)]
    certain = {word for word, confidence in pairs if confidence >= CERTAIN and word.isalpha()}
    doubtful = [word for word, confidence in pairs if confidence < CERTAIN]
    return tuple(word for word in doubtful if word not in certain)
