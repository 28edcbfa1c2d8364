"""Labels, lists, quotations, verse and speakers that the structure of a file gives, in every
format.
"""

import io
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from docx import Document as WordDocument
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls
from epub_writer import epub
from tiny import assert_linear

from pagesum_cli.documents.input import Input
from pagesum_cli.documents.lists import Lists, counted
from pagesum_cli.documents.marked import Marks, paragraph_of
from pagesum_cli.documents.model import Document, Paragraph
from pagesum_cli.documents.readers import docx, text, transcript
from pagesum_cli.documents.readers import epub as epub_reader
from pagesum_cli.documents.readers.html import html_document
from pagesum_cli.documents.readers.latex import reader as latex
from pagesum_cli.documents.readers.mail import read as read_mail
from pagesum_cli.documents.readers.markdown import markdown_document
from pagesum_cli.documents.sentences import sentences_of

HTML = """<h1>Owls</h1><p>A person may not:</p><ol>
<li>enter the wood without<ol type="a"><li>a permit; or</li><li>a guide,</li></ol></li>
<li><p>light a fire.</p><p>A fire is any flame.</p></li></ol>
<dl><dt>Forest</dt><dd>any wood with an owl.</dd></dl>
<p>The poet wrote:</p><blockquote><p>The owls are old. They sleep.</p></blockquote>
<p>The river is quiet tonight,<br>The moon lies over the barn;<br>And nobody knows of the owls<br>
That sleep in the hay.</p>
<p><b>Scope.</b> This part applies to owls.</p><p><b>Owls</b> are birds of the night.</p>
<h1>Talk</h1><p><b>Interviewer:</b> What do owls eat?</p>
<p><strong>Ann Lee:</strong> They eat mice.</p>
<p>And they eat birds.</p><p><b>Interviewer</b>: At night?</p><p><b>Ann Lee:</b> Always.</p>
<p>It was edited.</p>"""

MARKDOWN = """# Owls

A person may not:

1. enter the wood without
   1. a permit; or
   2. a guide,
2. light a fire.

   A fire is any flame.

Forest
: any wood with an owl.

The poet wrote:

> The owls are old. They sleep.

The river is quiet tonight,\\
The moon lies over the barn;\\
And nobody knows of the owls\\
That sleep in the hay.

**Scope.** This part applies to owls.

**Owls** are birds of the night.

# Talk

**Interviewer:** What do owls eat?

**Ann Lee:** They eat mice.

And they eat birds.

**Interviewer**: At night?

**Ann Lee:** Always.

It was edited.
"""

LATEX = r"""\documentclass{article}
\begin{document}
\section{Owls}
A person may not:
\begin{enumerate}
\item enter the wood without
  \begin{enumerate}[label=\alph*.] \item a permit; or \item a guide, \end{enumerate}
\item light a fire.

A fire is any flame.
\end{enumerate}
\begin{description} \item[Forest] any wood with an owl. \end{description}
The poet wrote:
\begin{quote}The owls are old. They sleep.\end{quote}
\begin{verse}
The river is quiet tonight,\\
The moon lies over the barn;\\[2pt]
And nobody knows of the \emph{owls}\\*
That sleep in the hay.
\end{verse}
\textbf{Scope.} This part applies to owls.

{\bf Owls} are birds of the night.
\section{Talk}
\textbf{Interviewer:} What do owls eat?

\textbf{Ann Lee:} They eat mice.

And they eat birds.

\textbf{Interviewer}: At night?

\textbf{Ann Lee:} Always.

It was edited.
\end{document}
"""

Unit = tuple[str, str, int, str, str, list[str]]
"""Speaker, label, depth, block, what stands in front of the sentences, and the lines of these."""


def units(document: Document) -> list[Unit]:
    return [unit(paragraph) for section in document.sections for paragraph in section.paragraphs]


def unit(one: Paragraph) -> Unit:
    lines = [one.text[a:b].strip() for a, b in pairwise([one.body, *one.line_ends, len(one.text)])]
    return one.speaker, one.label, one.depth, one.block, one.text[: one.body].strip(), lines


def expected(*, second: tuple[str, str] = ("a.", "b."), term: str = "Forest") -> list[Unit]:
    verse = [
        "The river is quiet tonight,",
        "The moon lies over the barn;",
        "And nobody knows of the owls",
    ]
    return [
        ("", "", 0, "", "", ["A person may not:"]),
        ("", "1.", 1, "", "", ["enter the wood without"]),
        ("", second[0], 2, "", "", ["a permit; or"]),
        ("", second[1], 2, "", "", ["a guide,"]),
        ("", "2.", 1, "", "", ["light a fire."]),
        ("", "", 1, "", "", ["A fire is any flame."]),
        ("", "Forest", 1, "", term, ["any wood with an owl."]),
        ("", "", 0, "", "", ["The poet wrote:"]),
        ("", "", 0, "quotation", "", ["The owls are old. They sleep."]),
        ("", "", 0, "verse", "", [*verse, "That sleep in the hay."]),
        ("", "", 0, "", "Scope.", ["This part applies to owls."]),
        ("", "", 0, "", "", ["Owls are birds of the night."]),
        ("Interviewer", "", 0, "", "Interviewer:", ["What do owls eat?"]),
        ("Ann Lee", "", 0, "", "Ann Lee:", ["They eat mice."]),
        ("Ann Lee", "", 0, "", "", ["And they eat birds."]),
        ("Interviewer", "", 0, "", "Interviewer:", ["At night?"]),
        ("Ann Lee", "", 0, "", "Ann Lee:", ["Always."]),
        ("", "", 0, "", "", ["It was edited."]),
    ]


def read_latex(source: str) -> Document:
    return latex.read(Input("a.tex", "a.tex", given=source.encode()))[0]


def read_epub(body: str) -> Document:
    return epub_reader.read(Input("a.epub", "a.epub", given=epub({"one.xhtml": body})))[0]


def read_html(body: str) -> Document:
    return html_document(body, "a", "a")


def read_markdown(source: str) -> Document:
    return markdown_document(source, "a", "a")


def read_text(source: str) -> Document:
    return text.read(Input("a.txt", "a.txt", given=source.encode()))[0]


NAMES = ["OMB", "NIST"] * 3


def read_word(word: Any) -> Document:
    file = io.BytesIO()
    word.save(file)
    return docx.read(Input("a.docx", "a.docx", given=file.getvalue()))[0]


NUMBERING = f"""<w:numbering {nsdecls("w")}>
<w:abstractNum w:abstractNumId="70"><w:multiLevelType w:val="multilevel"/>
<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/><w:lvlText w:val="%1."/></w:lvl>
<w:lvl w:ilvl="1"><w:start w:val="1"/><w:numFmt w:val="lowerLetter"/>
<w:lvlText w:val="%2."/></w:lvl>
<w:lvl w:ilvl="2"><w:start w:val="3"/><w:numFmt w:val="upperRoman"/>
<w:lvlText w:val="%1.%2-%3"/></w:lvl>
<w:lvl w:ilvl="3"><w:start w:val="1"/><w:numFmt w:val="decimalZero"/><w:isLgl/>
<w:lvlText w:val="Section %3.%4"/></w:lvl>
<w:lvl w:ilvl="4"><w:start w:val="1"/><w:numFmt w:val="bullet"/><w:lvlText w:val="o"/></w:lvl>
</w:abstractNum>
<w:num w:numId="71"><w:abstractNumId w:val="70"/></w:num>
<w:num w:numId="72"><w:abstractNumId w:val="70"/>
<w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num></w:numbering>"""


def word_with_lists() -> Any:
    word = WordDocument()
    root = word.part.numbering_part.element
    for one in parse_xml(NUMBERING):
        root.append(one)
    return word


def add(
    word: Any, words: str, *, level: int = -1, number: int = 71, style: str = "", bold: str = ""
) -> None:
    """Add a paragraph; ``|`` ends lines."""
    paragraph = word.add_paragraph(style=style or None)
    if bold:
        paragraph.add_run(bold).bold = True
    for place, line in enumerate(words.split("|")):
        if place:
            paragraph.add_run().add_break()
        paragraph.add_run(line)
    if level >= 0:
        ids = f'<w:ilvl w:val="{level}"/><w:numId w:val="{number}"/>'
        paragraph._p.get_or_add_pPr().append(parse_xml(f"<w:numPr {nsdecls('w')}>{ids}</w:numPr>"))


def word_document() -> Any:
    word = word_with_lists()
    word.add_heading("Owls", 1)
    add(word, "A person may not:")
    add(word, "enter the wood without", level=0)
    add(word, "a permit; or", level=1)
    add(word, "a guide,", level=1)
    add(word, "light a fire.", level=0)
    add(word, "A fire is any flame.", style="List Continue")
    add(word, "The poet wrote:")
    add(word, "The owls are old. They sleep.", style="Quote")
    verse = [
        "The river is quiet tonight,",
        "The moon lies over the barn;",
        "And nobody knows of the owls",
    ]
    add(word, "|".join([*verse, "That sleep in the hay."]))
    add(word, " This part applies to owls.", bold="Scope.")
    add(word, " are birds of the night.", bold="Owls")
    word.add_heading("Talk", 1)
    add(word, "What do owls eat?", bold="Interviewer: ")
    add(word, " They eat mice.", bold="Ann Lee:")
    add(word, "And they eat birds.")
    add(word, ": At night?", bold="Interviewer")
    add(word, "Always.", bold="Ann Lee: ")
    add(word, "It was edited.")
    return word


@pytest.mark.parametrize("read", [read_html, read_epub])
def test_web_pages_and_books(read: Callable[[str], Document]) -> None:
    assert units(read(HTML)) == expected()


def test_markdown() -> None:
    assert units(read_markdown(MARKDOWN)) == expected(second=("1.", "2."), term="Forest:")


def test_latex() -> None:
    assert units(read_latex(LATEX)) == expected()


def test_word() -> None:
    without_terms = [one for one in expected() if one[1] != "Forest"]
    assert units(read_word(word_document())) == without_terms


@pytest.mark.parametrize("read", [read_html, read_epub])
def test_the_items_of_a_list_complete_its_lead_in(read: Callable[[str], Document]) -> None:
    found = sentences_of(read(HTML).sections[0])
    assert found[0].role == "lead-in"
    assert {one.text for one in found if one.lead_in is found[0]} >= {"light a fire."}
    quoted = next(one for one in found if one.text == "The owls are old.")
    assert quoted.lead_in is not None
    assert quoted.lead_in.text == "The poet wrote:"


@pytest.mark.parametrize(
    ("attributes", "labels"),
    [
        ("", ["1.", "2.", "3."]),
        ("type=a start=26", ["z.", "aa.", "ab."]),
        ("type=I start=3", ["III.", "IV.", "V."]),
        ("reversed", ["3.", "2.", "1."]),
        ("type=A reversed start=2", ["B.", "A.", "0."]),
        ('style="list-style-type: lower-roman"', ["i.", "ii.", "iii."]),
        ("start=99999999999999", ["1.", "2.", "3."]),
        ("start=no type=x", ["1.", "2.", "3."]),
        ('style="list-style: none"', ["", "", ""]),
    ],
)
def test_the_numbers_of_web_pages(attributes: str, labels: list[str]) -> None:
    page = f"<ol {attributes}><li>It is so.<li>It was so.<li>It will be so.</ol>"
    assert [one[1] for one in units(read_html(page))] == labels


def test_numbers_that_items_give_and_print() -> None:
    page = (
        "<ol><li value=7>One is.<li>Two are.<li>(c) Three are.<li><ol type=i><li>Four "
        "are.</ol></ol>"
    )
    found = [(one.label, one.text) for one in read_html(page).sections[0].paragraphs]
    assert found == [
        ("7.", "One is."),
        ("8.", "Two are."),
        ("", "(c) Three are."),
        ("10. i.", "Four are."),
    ]


def test_definitions_of_web_pages() -> None:
    page = """<dl><div><dt>Day</dt><dt>Working day</dt><dd><p>a day on which banks open.</p>
    <p>Sundays are none.</p></dd></div>
    <dt>What is an owl, in the end?</dt><dd>A bird.</dd><dt>Nothing</dt></dl><p>The end.</p>"""
    assert units(read_html(page)) == [
        ("", "Day Working day", 1, "", "Day Working day", ["a day on which banks open."]),
        ("", "", 1, "", "", ["Sundays are none."]),
        ("", "", 1, "", "", ["What is an owl, in the end?"]),
        ("", "", 1, "", "", ["A bird."]),
        ("", "", 1, "", "", ["Nothing"]),
        ("", "", 0, "", "", ["The end."]),
    ]


@pytest.mark.parametrize(
    ("markup", "lines"),
    [
        ("<p>Ann Lee<br>5 Long Street<br>London</p>", ["Ann Lee", "5 Long Street", "London"]),
        ("<address>Ann Lee<br>the old barn</address>", ["Ann Lee", "the old barn"]),
        ("<p>The owls hunt<br>at night.</p>", ["The owls hunt at night."]),
        (
            "<p>The owls hunt.<br><br>By day they sleep.</p>",
            ["The owls hunt.", "By day they sleep."],
        ),
        ("<p>The soft&shy;<br>hyphen<br>Is<br>Gone</p>", ["The softhyphen Is Gone"]),
        (
            "<div class=line-block><div class=line>one line</div><div class=line>two</div></div>",
            ["one line", "two"],
        ),
        (
            "<div class=verse><p>the sea</p><p class=indent>is calm</p></div>",
            ["the sea", "is calm"],
        ),
        ("<pre class=poem>the sea\nis calm</pre>", ["the sea", "is calm"]),
    ],
)
def test_lines_of_web_pages(markup: str, lines: list[str]) -> None:
    assert units(read_html(f"{markup}<p>x y z.</p>"))[0][5] == lines


def test_the_verse_of_books() -> None:
    poem = """<div class="poem"><div class="stanza"><span>The sea is calm.<br/></span>
    <span>The tide is full.<br/></span></div>
    <div class="stanza"><div class="verse indent0">upon the straits;</div>
    <div class="verse">on the coast</div></div></div>"""
    assert units(read_epub(f"<h1>A</h1>{poem}<p>Ordinary text comes after it.</p>")) == [
        ("", "", 0, "verse", "", ["The sea is calm.", "The tide is full."]),
        ("", "", 0, "verse", "", ["upon the straits;", "on the coast"]),
        ("", "", 0, "", "", ["Ordinary text comes after it."]),
    ]


def test_a_conversation_in_one_paragraph() -> None:
    page = (
        "<p><b>Bo:</b> Good day.<br><b>Ann:</b> Hello, Bo.<br><b>Bo</b>: How are "
        "you?<br><b>Ann:</b> Fine.</p>"
    )
    assert [(one[0], one[5]) for one in units(read_html(page))] == [
        ("Bo", ["Good day."]),
        ("Ann", ["Hello, Bo."]),
        ("Bo", ["How are you?"]),
        ("Ann", ["Fine."]),
    ]


@pytest.mark.parametrize(
    ("markup", "front"),
    [
        ("<b>Scope.</b> It applies to owls.", "Scope."),
        ("<b>Scope</b>. It applies to owls.", "Scope."),
        ("<b>Step <i>1</i></b> Open the old door.", "Step 1"),
        ('<span style="font-weight: bold">Scope</span> — It applies.', "Scope —"),
        ("<b>Owls</b> – birds of the night.", ""),
        ("<b>Ann Lee:</b> here, and owls.", "Ann Lee:"),
        ("<b>Owls</b> Dataset: A list of birds.", ""),
        ("<b>70/20</b> To Receive: A list of birds.", "70/20"),
        ("<b>Note:</b> Owls bite.", "Note:"),
        ("<b>Owls</b> are birds.", ""),
        ("<b>The</b> Owls of Wales are birds.", ""),
        ("<b>Do not go into the old barn by night.</b> It is dark.", ""),
        ("<b>Everything is bold.</b>", ""),
        ("Not <b>this:</b> one.", ""),
    ],
)
def test_run_in_headings(markup: str, front: str) -> None:
    assert units(read_html(f"<p>{markup}</p>"))[0][4] == front


def test_questions_and_answers_have_labels_and_warnings_are_no_speakers() -> None:
    talk = "<p><b>Q:</b> Is it late?</p><p><b>A:</b> It is.</p>" * 3
    assert {one[:2] for one in units(read_html(talk))} == {("", "Q:"), ("", "A:")}
    boxes = "<p><b>Note:</b> It is late.</p><p><b>Warning:</b> It is dark.</p>" * 3
    assert {one[0] for one in units(read_html(boxes))} == {""}
    fields = "<p><b>License:</b> MIT</p><p><b>Folder:</b> a/b</p>" * 3
    assert {one[0] for one in units(read_html(fields))} == {""}


def test_the_bold_words_of_an_item_are_in_its_sentence() -> None:
    read = read_html("<ul><li><b>Owls:</b> are birds.</li><li><b>Mice:</b> They bite.</li></ul>")
    assert [one[4] for one in units(read)] == ["", "Mice:"]


@pytest.mark.parametrize(("cells", "speakers"), [("<p>30 days</p>", {""}), ("", {"OMB", "NIST"})])
def test_cells_of_a_table_are_no_speech(cells: str, speakers: set[str]) -> None:
    """A name above "30 days" is that of who must do something, and so are all others."""
    row = "<p>{}</p><p>Provide a plan for the revision of all standards.</p>"
    table = "".join(row.format(name) + f"<p>OMB</p>{cells}" * bool(cells) for name in NAMES)
    assert {one[0] for one in units(read_html(table))} == speakers


def test_the_numbers_of_word_documents() -> None:
    word = word_with_lists()
    levels = [0, 1, 2, 2, 3, 1, 2, 4, 0]
    for level in levels:
        add(word, "It is so.", level=level)
    add(word, "It is so.", level=0, number=72)
    add(word, "It is so.", level=0, number=71)
    add(word, "It is so.", level=0, number=9999)
    found = [(one.label, one.depth) for one in read_word(word).sections[0].paragraphs]
    assert found == [
        ("1.", 1),
        ("a.", 2),
        ("1.a-III", 3),
        ("1.a-IV", 3),
        ("Section 4.01", 4),
        ("b.", 2),
        ("1.b-III", 3),
        ("", 5),
        ("2.", 1),
        ("5.", 1),
        ("6.", 1),
        ("", 1),
    ]


def test_the_lists_of_word_styles() -> None:
    word = WordDocument()
    for style in ("List Number", "List Number 2", "List Bullet", "List Number", "Normal"):
        word.add_paragraph("It is so.", style=style)
    found = [(one.label, one.depth) for one in read_word(word).sections[0].paragraphs]
    assert found == [("1.", 1), ("1.", 2), ("", 1), ("2.", 1), ("", 0)]


@pytest.mark.parametrize(
    ("option", "labels"),
    [
        ("", ["1.", "2."]),
        (r"[label=(\roman*), start=3]", ["(iii)", "(iv)"]),
        (r"[label={\textbf{\Alph*}.}]", ["A.", "B."]),
        ("[(a)]", ["(a)", "(b)"]),
        ("[I.]", ["I.", "II."]),
        ("[noitemsep]", ["1.", "2."]),
    ],
)
def test_the_numbers_of_latex(option: str, labels: list[str]) -> None:
    source = rf"\begin{{enumerate}}{option} \item It is so. \item It was so. \end{{enumerate}}"
    assert [one[1] for one in units(read_latex(source))] == labels


def test_items_of_latex_with_labels_of_their_own() -> None:
    items = r"\begin{itemize} \item It is. \item[(x)] It was. \item[--] It will be. \end{itemize}"
    source = items + r"\begin{center} an owl\\ a barn"
    assert units(read_latex(source)) == [
        ("", "", 1, "", "", ["It is."]),
        ("", "(x)", 1, "", "(x)", ["It was."]),
        ("", "", 1, "", "–", ["It will be."]),
        ("", "", 0, "", "", ["an owl", "a barn"]),
    ]


def test_labels_in_the_text_of_an_item_are_below_it() -> None:
    source = "1. It is:\n\n   (a) so; or\n\n   (b) not so.\n\n- (a) A bullet.\n"
    assert [(one[2], one[5]) for one in units(read_markdown(source))] == [
        (1, ["It is:"]),
        (2, ["(a) so; or"]),
        (2, ["(b) not so."]),
        (1, ["(a) A bullet."]),
    ]


def test_the_numbers_and_marks_of_markdown() -> None:
    source = "7) It is.\n8) It was.\n   - It will be.\n\n     So be it.\n\n> - Quoted, too.\n"
    assert [one[1:4] for one in units(read_markdown(source))] == [
        ("7)", 1, ""),
        ("8)", 1, ""),
        ("", 2, ""),
        ("", 2, ""),
        ("", 1, "quotation"),
    ]


TEXT = """The poet lived in a barn by the river, and wrote of the owls that he saw there in the
long nights of the winter, as all of us know from his letters:

> The owls are old.
> They sleep by day.

Another letter was found in the barn, and it was read to the council in the same winter,
which is why the owls are still there:

    We have seen the owls in the wood, and they were many, and they slept in the
    trees by day, as owls do.

The river is quiet tonight,
The moon lies over the barn;
And nobody knows of the owls
That sleep in the hay.

Ann Lee
5 Long Street
London

- a barn
- a tree
  - an oak
"""


def test_plain_text() -> None:
    found = units(read_text(TEXT))
    assert [(one[3], one[2], one[5]) for one in found if one[3] or one[2] or len(one[5]) > 1] == [
        ("quotation", 0, ["The owls are old. They sleep by day."]),
        (
            "quotation",
            0,
            [
                "We have seen the owls in the wood, and they were many, and they slept in the "
                "trees by day, as owls do."
            ],
        ),
        (
            "verse",
            0,
            [
                "The river is quiet tonight,",
                "The moon lies over the barn;",
                "And nobody knows of the owls",
                "That sleep in the hay.",
            ],
        ),
        ("", 0, ["Ann Lee", "5 Long Street", "London"]),
        ("", 1, ["a barn"]),
        ("", 1, ["a tree"]),
        ("", 2, ["an oak"]),
    ]


def test_the_lines_of_a_text_with_quotations() -> None:
    document = read_text(TEXT)
    start = document.text.index("They sleep by day.")
    assert document.lines_of(start, start + 5) == (5, 5)


@pytest.mark.parametrize(
    "block",
    [
        "Prose that a program has wrapped\nAt some column looks like this as\nEach line begins "
        "with a capital\n"
        "Because someone made a mistake\nAnd no line could hold more of it.",
        "1. An item of a list.\n\n   More of the same item, which goes on for two lines and has "
        "many words in them,\n"
        "   and ends here.",
    ],
)
def test_text_that_is_neither_verse_nor_quoted(block: str) -> None:
    text = (
        f"The first paragraph of a text,\nwith some words in it.\n\n{block}\n\nThe last one of it."
    )
    found = units(read_text(text))
    assert {(one[3], len(one[5])) for one in found} == {("", 1)}


def test_mail_keeps_what_its_text_and_its_html_say() -> None:
    head = "From: Ann <a@b.org>\nSubject: Owls\n"
    plain = read_mail(Input("a.eml", "a.eml", given=f"{head}\n{TEXT}".encode()))[0]
    assert ("", "", 0, "", "", ["Ann Lee", "5 Long Street", "London"]) in units(plain)
    html = read_mail(
        Input("a.eml", "a.eml", given=f"{head}Content-Type: text/html\n\n{HTML}".encode())
    )[0]
    assert units(html) == expected()


def test_a_speaker_alone_on_a_line_of_captions() -> None:
    srt = (
        "1\n00:00:01,000 --> 00:00:04,000\nANNA:\nThe owls sleep.\n\n2\n00:00:05,000 --> "
        "00:00:06,000\nBO: Do they?\n"
    )
    document = transcript.read(Input("a.srt", "a.srt", given=srt.encode()))[0]
    assert [one[::5] for one in units(document)] == [
        ("ANNA", ["The owls sleep."]),
        ("BO", ["Do they?"]),
    ]


@pytest.mark.parametrize(
    ("number", "form", "label"),
    [
        (0, "a", "0"),
        (-3, "i", "-3"),
        (28, "A", "AB"),
        (3999, "I", "MMMCMXCIX"),
        (4000, "i", "4000"),
        (7, "01", "07"),
    ],
)
def test_numbers_in_letters(number: int, form: str, label: str) -> None:
    assert counted(number, form) == label


def test_lists_may_be_closed_and_counted_in_any_order() -> None:
    lists = Lists()
    lists.end()
    lists.item()
    assert lists.marks() == Marks()


def test_offsets_count_in_the_text_on_one_line() -> None:
    raw = " Sco\u0065\u0301pe:\n\n  It is.\nIt was. "
    paragraph = paragraph_of(raw, Marks(head=8, breaks=(raw.index("It was"),), keeps_lines=True))
    assert paragraph is not None
    assert unit(paragraph)[4:] == ("Sco\u00e9pe:", ["It is.", "It was."])


@pytest.mark.parametrize(
    "page",
    [
        lambda n: "<ol><li>" * n + "It is so.",
        lambda n: "<ol><li>It is so:" * n,
        lambda n: "<dl><dt>a" * n + "<dd>It is so.",
        lambda n: "<dl>" + "<dt>a</dt>" * n + "<dd>It is so.</dd></dl>",
        lambda n: "<blockquote><b>a: " * n + "It is so.",
        lambda n: "<p>" + "<b>Ann:</b> It is so.<br>" * n,
        lambda n: "<p>A" + "<br>A" * n,
        lambda n: "<p>A" + "<br><b>a" * n,
        lambda n: "<pre class=poem>" + "It is so.\n" * n,
        lambda n: "<ol reversed><li>It is so." * 50 + "<li>It is so." * n,
    ],
)
def test_web_pages_of_any_size(page: Callable[[int], str]) -> None:
    def read(size: int) -> None:
        document = read_html(f"<p>Owls sleep.</p>{page(size)}")
        sentences = [one for section in document.sections for one in sentences_of(section)]
        assert len(sentences[-1].lead_ins) < 20

    assert_linear(read, 5_000)


def test_latex_and_text_of_any_size() -> None:
    assert_linear(lambda n: read_latex("\\begin{enumerate}\\item It is so: " * n), 2_000)
    assert_linear(lambda n: read_latex("\\begin{center} \\begin{quote} It is.\n\n" * n), 2_000)
    assert_linear(lambda n: read_latex("\\begin{verse} Owls " + "sleep \\\\ " * n), 2_000)
    assert_linear(
        lambda n: read_text("".join(f"{' ' * (place % 300)}- It is so.\n" for place in range(n))),
        5_000,
    )
    assert_linear(lambda n: read_text("> The owls sleep.\n" * n), 5_000)


def test_a_title_in_front_of_numbered_clauses_is_no_sentence() -> None:
    text = """# Terms

1. Term and Termination. This Agreement starts today.
2. Survival. Section 5 survives.
3. **API License**

   We grant You a license to use the API of the Product.
"""
    (section,) = markdown_document(text, "terms", "").sections
    made = [(one.front, one.text, one.role) for one in sentences_of(section)]
    assert made == [
        ("Term and Termination.", "This Agreement starts today.", ""),
        ("Survival.", "Section 5 survives.", ""),
        ("", "API License", "label"),
        ("", "We grant You a license to use the API of the Product.", ""),
    ]


def test_an_item_of_a_list_that_is_a_sentence_stays_one() -> None:
    text = "1. Open the file. Close it.\n2. Look at it. Go on.\n3. Owls\n4. Mice are small.\n"
    (section,) = markdown_document(text, "steps", "").sections
    made = [(one.text, one.role) for one in sentences_of(section)]
    assert ("Open the file.", "") in made
    assert ("Owls", "") in made


def test_a_defined_term_in_quotation_marks_is_a_part_of_its_definition() -> None:
    raw = "“Mill List” - A list of mills that are old and may not be sold."
    paragraph = paragraph_of(raw, Marks(head=11, depth=1))
    assert paragraph is not None
    assert paragraph.body == 0
    other = paragraph_of(raw.replace("“", "").replace("”", ""), Marks(head=9, depth=1))
    assert other is not None
    assert other.body == 12
