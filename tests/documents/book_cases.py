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
    body = "".join(
        paragraphs(part, place) if isinstance(part, int) else part
        for place, part in enumerate(parts)
    )
    return (
        f"<!DOCTYPE html><html><head><title>A Book</title></head><body>{body}</body></html>"
    ).encode()


def pdf(
    *parts: tuple[str, float] | int | list[str], outline: list[tuple[str, int]] | None = None
) -> bytes:
    """A PDF. A string with its size begins a page as a heading; a number is prose; a list is lines
    as they are.
    """
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

To protect the mission of promoting the free distribution of electronic works, by using or \
distributing this work you
agree to comply with all the terms of the license."""

HELD_BACK = {
    "staves in a licence": Case(
        "carol.txt",
        text(
            "The Project Gutenberg eBook of The Mill, by Nobody\n\nThis eBook is for the use of "
            "anyone anywhere.",
            "*** START OF THE PROJECT GUTENBERG EBOOK THE MILL ***",
            "THE MILL\n\nIN PROSE\n\nby Nobody At All",
            "PREFACE\n\nI HAVE endeavoured in this little book to raise a ghost. May it haunt "
            "their houses pleasantly.",
            "CONTENTS\n\n Stave   I: The Miller's Ghost\n Stave  II: The First of Three\n Stave "
            "III: The End of It",
            "STAVE  I:  THE MILLER'S GHOST",
            900,
            "STAVE  II:  THE FIRST OF THREE",
            900,
            "STAVE  III:  THE END OF IT",
            900,
            LICENCE,
        ),
        (
            "PREFACE",
            "STAVE I: THE MILLER'S GHOST",
            "STAVE II: THE FIRST OF THREE",
            "STAVE III: THE END OF IT",
        ),
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
            "".join(
                f'<tr><td><a href="#c{n}">CHAPTER {n}.</a></td><td>{n}7</td></tr>'
                for n in range(1, 5)
            ),
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
                "all.xhtml": f'<h2 id="a">Foreword</h2>{paragraphs(500, 1)}<h2 '
                f'id="b">1</h2><h3>Rain</h3>'
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
            "Contents\n\nThe Fox and the Grapes\nThe Wolf at the Door\nThe Miller and His "
            "Sons\nThe Old Hound",
            "THE FOX AND THE GRAPES",
            700,
            "THE WOLF AT THE DOOR",
            800,
            "THE MILLER AND HIS SONS",
            900,
            "THE OLD HOUND",
            700,
        ),
        (
            "THE FOX AND THE GRAPES",
            "THE WOLF AT THE DOOR",
            "THE MILLER AND HIS SONS",
            "THE OLD HOUND",
        ),
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

CASES = {
    "epochs with chapters, as printed in 1839": Case(
        "epochs.txt",
        text(
            "Produced by Nobody and the Proofreading Team",
            "THE MILLER\n\nBY N. Body\n\n1922",
            "CONTENTS.",
            "EPOCH THE FIRST, 1703.\nJOHN MILLER.",
            "CHAPTER I. The Widow and her Child             1\n       II. The Old Mill           "
            "            13\n"
            "      III. The Roof and the Window            34",
            "EPOCH THE SECOND, 1715.\nTOM MILLER.",
            "CHAPTER I. The Idle Apprentice                75\n       II. Mr. Wood and his "
            "Friends           99\n"
            "              Again",
            "EPOCH THE FIRST.\n\n1703.\n\nJOHN MILLER.\n\nTHE MILLER.",
            "CHAPTER I.\n\nThe Widow and her Child.",
            1100,
            "CHAPTER II.\n\nThe Old Mill.",
            1100,
            "CHAPTER III.\n\nThe Roof and the Window.",
            1100,
            "EPOCH THE SECOND.\n\n1715.\n\nTOM MILLER.",
            "CHAPTER I.\n\nThe Idle Apprentice.",
            1100,
            "CHAPTER II.\n\nMr. Wood and his Friends Again.",
            1100,
        ),
        (
            "EPOCH THE FIRST, CHAPTER I. The Widow and her Child.",
            "EPOCH THE FIRST, CHAPTER II. The Old Mill.",
            "EPOCH THE FIRST, CHAPTER III. The Roof and the Window.",
            "EPOCH THE SECOND, CHAPTER I. The Idle Apprentice.",
            "EPOCH THE SECOND, CHAPTER II. Mr. Wood and his Friends Again.",
        ),
        "contents",
        ("99",),
    ),
    "a table of contents with a head, and numbers above titles": Case(
        "table.txt",
        text(
            "KATE\n\nA Novel\n\nBY\n\nN. BODY\n\nCopyright, 1909.\n\n_All rights reserved._",
            "CONTENTS\n\nCHAP.                                                PAGE\n"
            "         PREFACE                                      vii\n"
            "      I. UNDER THE PINES                                1\n"
            "     II. THE MEETING IN THE WOODS                      15\n"
            "    III. A KINDNESS                                    29",
            "PREFACE",
            200,
            "E.M.L.\n\nKATE\n\nI\n\nUNDER THE PINES",
            1000,
            "II\n\nTHE MEETING IN THE WOODS",
            1000,
            "III\n\nA KINDNESS",
            1000,
        ),
        ("PREFACE", "I: UNDER THE PINES", "II: THE MEETING IN THE WOODS", "III: A KINDNESS"),
        "contents",
        ("CHAP.",),
    ),
    "stories whose parts are numbered too": Case(
        "stories.txt",
        text(
            "I. A SCANDAL IN THE VALLEY",
            "I.",
            700,
            "II.",
            700,
            "III.",
            700,
            "II. THE LEAGUE",
            2000,
            "III. A CASE OF NAMES",
            2000,
        ),
        ("I. A SCANDAL IN THE VALLEY", "II. THE LEAGUE", "III. A CASE OF NAMES"),
        "headings",
    ),
    "chapters with titles on the next line": Case(
        "rabbit.txt",
        text(
            "THE RABBIT\n\nby Nobody",
            "CONTENTS\n\n CHAPTER I.     Down the Hole\n CHAPTER II.    The Pool\n CHAPTER III.  "
            " A Long Race",
            "CHAPTER I.\nDown the Hole",
            1500,
            "CHAPTER II.\nThe Pool",
            1400,
            "CHAPTER III.\nA Long Race",
            1600,
            "THE END",
        ),
        ("CHAPTER I. Down the Hole", "CHAPTER II. The Pool", "CHAPTER III. A Long Race"),
        "contents",
    ),
    "no contents, titles in capitals after the label": Case(
        "storm.txt",
        text(
            "Chapter 1\n\nTHE STORM",
            900,
            "Chapter 2\n\nTHE CALM.",
            900,
            "Chapter 3\n\nTHE HARBOUR",
            900,
        ),
        ("Chapter 1: THE STORM", "Chapter 2: THE CALM.", "Chapter 3: THE HARBOUR"),
        "headings",
    ),
    "chapters spelled out": Case(
        "spelled.txt",
        text(
            "Chapter the First",
            800,
            "Chapter the Second",
            900,
            "Chapter Twenty-One",
            900,
            "Epilogue",
            100,
        ),
        ("Chapter the First", "Chapter the Second", "Chapter Twenty-One", "Epilogue"),
        "headings",
    ),
    "books with chapters that begin anew": Case(
        "two_books.txt",
        text(
            "A TALE",
            "CONTENTS\n\nBook the First--Recalled\n\nCHAPTER I The Period\nCHAPTER II The Mail",
            "Book the Second--The Thread",
            "CHAPTER I Five Years Later\nCHAPTER II A Sight",
            "Book the First--Recalled",
            "CHAPTER I.\nThe Period",
            1500,
            "CHAPTER II.\nThe Mail",
            1500,
            "Book the Second--The Thread",
            "CHAPTER I.\nFive Years Later",
            1500,
            "CHAPTER II.\nA Sight",
            1500,
        ),
        (
            "Book the First, CHAPTER I. The Period",
            "Book the First, CHAPTER II. The Mail",
            "Book the Second, CHAPTER I. Five Years Later",
            "Book the Second, CHAPTER II. A Sight",
        ),
        "contents",
    ),
    "labels that repeat in every part": Case(
        "parts.txt",
        text(
            "PART ONE",
            "CHAPTER 1",
            1200,
            "CHAPTER 2",
            1200,
            "PART TWO",
            "CHAPTER 1",
            1200,
            "CHAPTER 2",
            1200,
        ),
        (
            "PART ONE, CHAPTER 1",
            "PART ONE, CHAPTER 2",
            "PART TWO, CHAPTER 1",
            "PART TWO, CHAPTER 2",
        ),
        "headings",
    ),
    "numbers alone": Case(
        "numbers.txt",
        text("A Novel", "1", 700, "2", 700, "3", 700, "4", 700),
        ("1", "2", "3", "4"),
        "headings",
    ),
    "a preface, and an index at the end": Case(
        "history.md",
        "\n\n".join(
            [
                "# Preface",
                *prose(300, 1),
                "# Chapter 1: Water",
                *prose(2500, 2),
                "## Of rivers",
                *prose(900, 3),
                "# Chapter 2: Wind",
                *prose(2500, 4),
                "# Index",
                "mills, 3, 7\n\nrivers, 9",
            ]
        ).encode(),
        ("Preface", "Chapter 1: Water", "Chapter 2: Wind"),
        "outline",
        ("mills,",),
    ),
    "a label and its title in two HTML headings": Case(
        "two.html",
        html(
            "<h1>The Valley</h1><p>by Nobody</p><p>Contents</p><ul>",
            "".join(f'<li><a href="#c{n}">{n}</a></li>' for n in "123"),
            '</ul><h2 id="c1">CHAPTER I</h2><h3>Rain</h3>',
            1500,
            '<h2 id="c2">CHAPTER II</h2><h3>Snow</h3>',
            1500,
            '<h2 id="c3">CHAPTER III</h2><h3>Sun</h3>',
            1500,
        ),
        ("CHAPTER I: Rain", "CHAPTER II: Snow", "CHAPTER III: Sun"),
        "outline",
    ),
    "an EPUB of parts, with a dedication and an index": Case(
        "parts.epub",
        epub(
            {
                "ded.xhtml": "<h1>Dedication</h1><p>For my mother</p>",
                "p1.xhtml": "<h1>Part One</h1><p><i>All rivers run.</i></p>",
                "a.xhtml": f"<h2>Chapter 1</h2><h3>Rain</h3>{paragraphs(1200, 1)}",
                "b.xhtml": f"<h2>Chapter 2</h2><h3>Snow</h3>{paragraphs(1200, 2)}",
                "p2.xhtml": "<h1>Part Two</h1>",
                "c.xhtml": f"<h2>Chapter 3</h2><h3>Sun</h3>{paragraphs(1200, 3)}",
                "i.xhtml": "<h1>Index</h1><p>rivers, 4</p>",
            },
            nav=[
                (1, "Dedication", "ded.xhtml"),
                (1, "Part One", "p1.xhtml"),
                (2, "Chapter 1: Rain", "a.xhtml"),
                (2, "Chapter 2: Snow", "b.xhtml"),
                (1, "Part Two", "p2.xhtml"),
                (2, "Chapter 3: Sun", "c.xhtml"),
                (1, "Index", "i.xhtml"),
            ],
        ),
        ("Chapter 1: Rain", "Chapter 2: Snow", "Chapter 3: Sun"),
        "outline",
        ("mother", "rivers,"),
    ),
    "an EPUB of short fables": Case(
        "fables.epub",
        epub(
            {
                f"{n}.xhtml": f"<h2>{title}</h2>{paragraphs(80, n)}"
                for n, title in enumerate(("The Fox", "The Crow", "The Ant"))
            },
            nav=[(1, "The Fox", "0.xhtml"), (1, "The Crow", "1.xhtml"), (1, "The Ant", "2.xhtml")],
        ),
        ("The Fox", "The Crow", "The Ant"),
        "outline",
    ),
    "chapters of one line": Case(
        "lines.txt",
        text("CHAPTER 1", 800, "CHAPTER 2", "He was dead.", "CHAPTER 3", 800),
        ("CHAPTER 1", "CHAPTER 2", "CHAPTER 3"),
        "headings",
    ),
    "a PDF with an outline": Case(
        "outline.pdf",
        pdf(
            ("Chapter 1 Water", 16),
            1000,
            ("Chapter 2 Wind", 16),
            1000,
            ("Chapter 3 Fire", 16),
            1000,
            outline=[("Chapter 1 Water", 0), ("Chapter 2 Wind", 2), ("Chapter 3 Fire", 4)],
        ),
        ("Chapter 1 Water", "Chapter 2 Wind", "Chapter 3 Fire"),
        "outline",
    ),
    "a report with numbered sections": Case(
        "report.txt",
        text(
            "1 Introduction",
            1500,
            "2 Methods",
            600,
            "2.1 Data",
            800,
            "2.2 Models",
            900,
            "3 Results",
            2000,
        ),
        ("1 Introduction", "2 Methods", "3 Results"),
        "headings",
    ),
    "no chapters": Case(
        "plain.txt", text(15_000), ("part 1 of 3", "part 2 of 3", "part 3 of 3"), "fallback"
    ),
    "hundreds of small headings": Case(
        "small.md",
        "\n\n".join(part for n in range(200) for part in (f"# Word {n}", *prose(40, n))).encode(),
        ("part 1 of 2", "part 2 of 2"),
        "fallback",
    ),
    "shorter than a chapter": Case(
        "note.md", b"# One\n\nRain fell.\n\n# Two\n\nPrices rose.\n", ("note.md",), "fallback"
    ),
    "Chinese chapters": Case(
        "cn.txt",
        "\n\n".join(
            part for n in "一二三" for part in (f"第{n}章 风雨", *["他看见了那条船。" * 40] * 3)
        ).encode(),
        ("第一章 风雨", "第二章 风雨", "第三章 风雨"),
        "headings",
    ),
}
