"""Books of many kinds, each with the chapters that a reader would name."""

from dataclasses import dataclass

from epub_writer import epub, paragraphs, prose
from pdf_writer import Sheet, write


@dataclass(frozen=True)
class Case:
    """A book.

    Attributes:
        name: Its file name, which determines the format.
        data: The file.
        titles: Its chapters.
        found_by: How they are found.
        unread: Words that are in no chapter, such as those of the contents page.
    """

    name: str
    data: bytes
    titles: tuple[str, ...]
    found_by: str
    unread: tuple[str, ...] = ()


def text(*parts: str | int) -> bytes:
    """Plain text, wrapped by hand; a number stands for prose of so many words."""
    blocks: list[str] = []
    for place, part in enumerate(parts):
        blocks += [wrapped(one) for one in prose(part, place)] if isinstance(part, int) else [part]
    return ("\n\n".join(blocks) + "\n").encode()


def wrapped(paragraph: str, width: int = 72) -> str:
    lines, line = [], ""
    for word in paragraph.split():
        if len(line) + len(word) >= width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    return "\n".join([*lines, line])


def html(*parts: str | int) -> bytes:
    body = "".join(paragraphs(part, place) if isinstance(part, int) else part for place, part in enumerate(parts))
    return f"<!DOCTYPE html><html><head><title>A Book</title></head><body>{body}</body></html>".encode()


def pdf(*parts: tuple[str, float] | int | list[str], outline: list[tuple[str, int]] | None = None) -> bytes:
    """A PDF. A string with its size begins a page as a heading; a number is prose; a list is lines as they are."""
    sheets: list[Sheet] = []
    y = 0.0
    for place, part in enumerate(parts):
        if isinstance(part, tuple):
            if y < 700 or not sheets:
                sheets.append(Sheet())
                y = 720.0
            sheets[-1].text(100, y, part[0], part[1], "F2")
            y -= 2 * part[1]
            continue
        lines = (
            part
            if isinstance(part, list)
            else [
                ("   " if not number else "") + line
                for paragraph in prose(part, place)
                for number, line in enumerate(wrapped(paragraph, 80).split("\n"))
            ]
        )
        for line in lines:
            if y < 80:
                sheets.append(Sheet())
                y = 720.0
            indent = 12 if line.startswith("   ") else 0
            sheets[-1].text(100 + indent, y, line.strip(), 10)
            y -= 12
    return write(sheets, outline=outline or [])


LICENCE = """*** END OF THE PROJECT GUTENBERG EBOOK THE MILL ***

Updated editions will replace the previous one--the old editions will be renamed.

START: FULL LICENSE

THE FULL PROJECT GUTENBERG LICENSE

PLEASE READ THIS BEFORE YOU DISTRIBUTE OR USE THIS WORK

To protect the mission of promoting the free distribution of electronic works, by using or distributing this work you
agree to comply with all the terms of the license."""

HELD_BACK = {
    "staves in a licence": Case(
        "carol.txt",
        text(
            "The Project Gutenberg eBook of The Mill, by Nobody\n\nThis eBook is for the use of anyone anywhere.",
            "*** START OF THE PROJECT GUTENBERG EBOOK THE MILL ***",
            "THE MILL\n\nIN PROSE\n\nby Nobody At All",
            "PREFACE\n\nI HAVE endeavoured in this little book to raise a ghost. May it haunt their houses pleasantly.",
            "CONTENTS\n\n Stave   I: The Miller's Ghost\n Stave  II: The First of Three\n Stave III: The End of It",
            "STAVE  I:  THE MILLER'S GHOST",
            900,
            "STAVE  II:  THE FIRST OF THREE",
            900,
            "STAVE  III:  THE END OF IT",
            900,
            LICENCE,
        ),
        ("PREFACE", "STAVE I: THE MILLER'S GHOST", "STAVE II: THE FIRST OF THREE", "STAVE III: THE END OF IT"),
        "contents",
        ("anyone", "Stave   I:", "agree to comply"),
    ),
    "letters and chapters": Case(
        "letters.txt",
        text(
            "North\n\nby A. Traveller",
            " CONTENTS\n\n Letter 1\n Letter 2\n Chapter 1\n Chapter 2\n Chapter 3",
            "Letter 1\n\n_To Mrs. Gray, England._\n\nSt. Petersburgh, Dec. 11th, 17—.",
            600,
            "Letter 2\n\n_To Mrs. Gray, England._",
            600,
            "Chapter 1",
            1500,
            "Chapter 2",
            1500,
            "Chapter 3",
            1500,
            "THE END",
        ),
        ("Letter 1", "Letter 2", "Chapter 1", "Chapter 2", "Chapter 3"),
        "contents",
    ),
    "one level of HTML headings": Case(
        "flat.html",
        html(
            "<h1>THE VALLEY</h1><h2>by Nobody</h2><h2>Contents</h2><table>",
            "".join(f'<tr><td><a href="#c{n}">CHAPTER {n}.</a></td><td>{n}7</td></tr>' for n in range(1, 5)),
            '</table><h2>BOOK FIRST</h2><h2 id="c1">CHAPTER 1.</h2>',
            1200,
            '<h2 id="c2">CHAPTER 2.</h2>',
            1100,
            '<h2>BOOK SECOND</h2><h2 id="c3">CHAPTER 3.</h2>',
            1300,
            '<h2 id="c4">CHAPTER 4.</h2>',
            1400,
        ),
        ("CHAPTER 1.", "CHAPTER 2.", "CHAPTER 3.", "CHAPTER 4."),
        "outline",
        ("37",),
    ),
    "markdown with named chapters in parts": Case(
        "novel.md",
        "\n\n".join(
            [
                "# The Long Road",
                "*For my mother*",
                "## Part One",
                "### A Beginning",
                *prose(1500, 1),
                "### The Second Day",
                *prose(1800, 2),
                "## Part Two",
                "### What the Miller Saw",
                *prose(1600, 3),
                "### Home",
                *prose(1700, 4),
            ]
        ).encode(),
        ("A Beginning", "The Second Day", "What the Miller Saw", "Home"),
        "outline",
    ),
    "an EPUB in one file with notes about the author": Case(
        "one.epub",
        epub(
            {
                "title.xhtml": "<h1>The Book</h1><p>by Somebody</p>",
                "all.xhtml": f'<h2 id="a">Foreword</h2>{paragraphs(500, 1)}<h2 id="b">1</h2><h3>Rain</h3>'
                f'{paragraphs(2000, 2)}<h2 id="c">2</h2><h3>Snow</h3>{paragraphs(2000, 3)}',
                "about.xhtml": "<h2>About the Author</h2><p>She lives in a town by the sea.</p>",
            },
            ncx=[
                (1, "Title Page", "title.xhtml"),
                (1, "Foreword", "all.xhtml#a"),
                (1, "1: Rain", "all.xhtml#b"),
                (1, "2: Snow", "all.xhtml#c"),
                (1, "About the Author", "about.xhtml"),
            ],
        ),
        ("Foreword", "1: Rain", "2: Snow"),
        "outline",
        ("Somebody", "lives"),
    ),
    "stories with titles in capitals": Case(
        "fables.txt",
        text(
            "FABLES OF THE VALLEY",
            "Contents\n\nThe Fox and the Grapes\nThe Wolf at the Door\nThe Miller and His Sons\nThe Old Hound",
            "THE FOX AND THE GRAPES",
            700,
            "THE WOLF AT THE DOOR",
            800,
            "THE MILLER AND HIS SONS",
            900,
            "THE OLD HOUND",
            700,
        ),
        ("THE FOX AND THE GRAPES", "THE WOLF AT THE DOOR", "THE MILLER AND HIS SONS", "THE OLD HOUND"),
        "contents",
    ),
    "Roman numbers with titles": Case(
        "machine.txt",
        text(
            "The Engine\n\nAn Invention",
            "CONTENTS\n\n I Introduction\n II The Engine\n III The Traveller Returns\n Epilogue",
            " I.\n Introduction",
            1100,
            " II.\n The Engine",
            1300,
            " III.\n The Traveller Returns",
            1200,
            "Epilogue",
            200,
        ),
        ("I. Introduction", "II. The Engine", "III. The Traveller Returns", "Epilogue"),
        "contents",
    ),
    "a PDF with a printed contents page": Case(
        "report.pdf",
        pdf(
            ("A Report on Mills", 24),
            ["Office of Mills"],
            ("Contents", 16),
            [
                f"{name} {'. ' * 30}{page}"
                for name, page in (("Chapter 1 Water", 3), ("Chapter 2 Wind", 7), ("Index", 12))
            ],
            ("Chapter 1 Water", 16),
            1500,
            ("Chapter 2 Wind", 16),
            1600,
        ),
        ("Chapter 1 Water", "Chapter 2 Wind"),
        "contents",
        (". . . .",),
    ),
}
