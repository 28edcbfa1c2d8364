"""The words of a PDF: gaps, raised characters, accents, and hyphens at the ends of lines."""

from io import BytesIO

import pytest
from pdf_writer import Sheet, write
from pypdf import PdfWriter
from pypdf.generic import ArrayObject, DecodedStreamObject, NameObject, NumberObject

from pagesum_cli.documents.pdf.fonts import UNKNOWN, tidy
from pagesum_cli.documents.pdf.hyphens import Words, replace_ligatures
from pagesum_cli.documents.pdf.joined_lines import JoinedLines
from pagesum_cli.documents.pdf.lines import Line, Page
from pagesum_cli.documents.pdf.reader import pdf_document
from pagesum_cli.documents.pdf.runs import Run
from pagesum_cli.documents.pdf.segments import text_of
from pagesum_cli.text.words import ranks


def text(sheet: Sheet) -> str:
    return pdf_document(write([sheet]), "paper", "paper.pdf").sections[0].text


def runs(*pieces: tuple[str, float, float, float]) -> list[Run]:
    """Pieces (text, gap before in points, raised by, size) in one line, characters half as wide as
    high.
    """
    line, x = [], 100.0
    for letters, gap, up, size in pieces:
        x += gap
        end = x + 0.5 * size * len(letters)
        line.append(Run(letters, x, end, 500 + up, size, False, False, "F"))
        x = end
    return line


def words(*texts: str) -> Words:
    return Words([Line(one, 1, 0, 0, 500, 0, 500, 700, 10, "F", False, False) for one in texts])


def test_gaps_between_words_may_be_drawn_by_the_character_spacing():
    sheet = Sheet()
    spaced = "[(T)320(h)320(ef)320(o)320(x)0(r)320(a)320(na)320(l)320(o)320(n)320(e)320(.)] TJ"
    sheet.operators.append(f"BT /F1 10 Tf 3.2 Tc 1 0 0 1 72 700 Tm {spaced} ET")
    assert text(sheet) == "The fox ran alone."


def test_letter_spaced_words_are_whole():
    sheet = Sheet()
    sheet.operators.append(
        "BT /F1 10 Tf 3 Tc 1 0 0 1 72 700 Tm (The fox ran alone over the hills.) Tj ET"
    )
    assert text(sheet) == "The fox ran alone over the hills."


def test_leaders_of_a_contents_page_are_no_spaced_letters():
    pieces = [
        ("Getting", 0, 0, 10),
        ("started", 2.5, 0, 10),
        *[(".", 5, 0, 10)] * 20,
        ("7", 5, 0, 10),
    ]
    assert text_of(runs(*pieces)).startswith("Getting started . . .")


@pytest.mark.parametrize("gap", [1.2, 2.5, 6.0])
def test_words_of_tight_and_of_wide_lines_are_apart(gap):
    pieces = [("th", 0, 0, 10), ("e", 0.1, 0, 10), ("fo", gap, 0, 10), ("x", -0.1, 0, 10)]
    pieces += [("r", gap, 0, 10), ("an", 0.2, 0, 10), ("alone", 1.1 * gap, 0, 10)]
    assert text_of(runs(*pieces)) == "the fox ran alone"


@pytest.mark.parametrize(
    ("pieces", "read"),
    [
        ([("on the 31", 0, 0), ("st", 0, 3), (" ", 0, 0), ("day", 0, 0)], "on the 31st day"),
        ([("the 3", 0, 0), ("rd", 0, 3), (" ", 0, 3), ("larvae", 0, 0)], "the 3rd larvae"),
        ([("per cm", 0, 0), ("−", 0, 3), ("2 ", 0, 3), ("a year", 0, 0)], "per cm⁻² a year"),
        ([("x 10", 0, 0), ("8", 0, 3), (" ", 0, 0), ("units", 0, 0)], "x 10⁸ units"),
        ([("of 5 mm", 0, 0), ("2", 0, 3), (" ", 0, 0), ("each", 0, 0)], "of 5 mm² each"),
        ([("of its own", 0, 0), ("4", 0, 3), (" ", 0, 0), ("force", 0, 0)], "of its own force"),
        ([("known for ADT", 0, 0), ("4,5", 0, 3), (" ", 0, 0), ("too", 0, 0)], "known for ADT too"),
        (
            [("labelled with ", 0, 0), ("13", 0, 3), ("C and fed", 0, 0)],
            "labelled with ¹³C and fed",
        ),
        (
            [("known from foxes ", 0, 0), ("13 ", 0, 3), ("and others", 0, 0)],
            "known from foxes and others",
        ),
        ([("a", 0, 3), ("The mean", 0, 0)], "a The mean"),
        ([("fox.", 0, 0), ("44 49–52", 0, 3)], "fox."),
        ([("H", 0, 0), ("2", 0, -2), ("O is wet", 0, 0)], "H₂O is wet"),
        ([("SO", 0, 0), ("4", 0, -2), ("2−", 0, 3), (" ions", 0, 0)], "SO₄²⁻ ions"),
        ([("of PM", 0, 0), ("2.5", 0, -2), (" dust", 0, 0)], "of PM2.5 dust"),
        ([("the V", 0, 0), ("max", 0, -2), (" of it", 0, 0)], "the Vmax of it"),
        ([("to 10", 0, 0), ("6.3", 0, 3), (" units", 0, 0)], "to 10^(6.3) units"),
        ([("in 2014", 0, 0), ("12,13", 0, 3), (" they", 0, 0)], "in 2014^(12,13) they"),
        ([("x 10", 0, 0), ("−4", 0, 3), (" losses", 0, 0)], "x 10⁻⁴ losses"),
        ([("with E = mc", 0, 0), ("2", 0, 3), (" there", 0, 0)], "with E = mc² there"),
    ],
)
def test_raised_and_lowered_characters(pieces, read):
    assert text_of(runs(*((one, gap, up, 6 if up else 10) for one, gap, up in pieces))) == read


@pytest.mark.parametrize("size", [6, 8.3, 9, 10])
def test_an_exponent_of_any_size_is_one(size):
    sheet = Sheet()
    sheet.operators.append(
        f"BT /F1 10 Tf 72 700 Td (We counted 10) Tj /F1 {size} Tf 3.5 Ts (6) Tj "
        f"/F1 10 Tf 0 Ts ( cells in them.) Tj ET"
    )
    assert text(sheet) == "We counted 10⁶ cells in them."


def with_soft_hyphens(sheet: Sheet, width: int = 333) -> bytes:
    """The PDF of a page whose font calls its hyphen a soft one, as word processors write them."""
    writer = PdfWriter(clone_from=BytesIO(write([sheet])))
    font = writer.pages[0]["/Resources"]["/Font"]["/F1"].get_object()
    to_unicode = DecodedStreamObject()
    to_unicode.set_data(
        b"1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <2d> <00ad> endbfchar"
    )
    font[NameObject("/ToUnicode")] = writer._add_object(to_unicode)
    widths = [500] * 13 + [width] + [500] * 77
    font[NameObject("/FirstChar")], font[NameObject("/LastChar")] = (
        NumberObject(32),
        NumberObject(122),
    )
    font[NameObject("/Widths")] = ArrayObject(map(NumberObject, widths))
    buffer = BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def test_a_soft_hyphen_that_is_drawn_is_a_hyphen():
    sheet = Sheet()
    lines = ["They ask for $20-40k for the well-known 2014-2015 budget, and the inter-"]
    lines += ["national one of 2016-", "2017 as well."]
    sheet.lines(72, 700, lines)
    read = pdf_document(with_soft_hyphens(sheet), "paper", "paper.pdf").sections[0].text
    assert read == (
        "They ask for $20-40k for the well-known 2014-2015 budget, and the international one of "
        "2016-2017 as well."
    )
    unseen = pdf_document(with_soft_hyphens(sheet, width=0), "paper", "paper.pdf").sections[0].text
    assert "wellknown" in unseen


def test_what_is_drawn_later_in_a_gap_of_its_line_stands_there():
    sheet = Sheet()
    sheet.text(72, 700, "where V")
    sheet.text(114, 700, "dh is the volume of the fox")
    sheet.text(106, 700, "(x)")
    assert text(sheet) == "where V(x)dh is the volume of the fox"


def test_accents_that_are_drawn_over_the_next_letter():
    pieces = [("as Erd", 0, 0, 10), ("˝", 0.9, 0, 10), ("os", -4.5, 0, 10), ("and", 3, 0, 10)]
    pieces += [("na", 3, 0, 10), ("¨", 0, 0, 10), ("ıve", -4.5, 0, 10), ("ones", 3, 0, 10)]
    assert text_of(runs(*pieces)) == "as Erdős and naïve ones"


def test_a_mark_with_its_own_place_is_no_accent():
    assert text_of(runs(("about", 0, 0, 10), ("˜", 3, 0, 10), ("ten", 0.1, 0, 10))) == "about ˜ten"


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        ("Garcı´a", "García"),
        ("Pe´rez", "Pérez"),
        ("Mu¨ller", "Müller"),
        ("M¨uller", "Müller"),
        ("´ecole", "école"),
    ],
)
def test_accents_before_and_after_their_letter(drawn, read):
    assert tidy(drawn) == read


@pytest.mark.parametrize(
    ("before", "after", "read"),
    [
        ("(http://imagej.", "nih.gov/ij) was used.", "(http://imagej.nih.gov/ij) was used."),
        (
            "(http://pgrc.ipk-",
            "gatersleben.de) was used.",
            "(http://pgrc.ipk-gatersleben.de) was used.",
        ),
        ("(www.fox.org/a_long_", "name.pdf) was used.", "(www.fox.org/a_long_name.pdf) was used."),
        ("at http://www.fox.org.", "he said so.", "at http://www.fox.org. he said so."),
        ("at http://www.fox.org.", "The fox ran.", "at http://www.fox.org. The fox ran."),
        ("at www.fox.org", "for foxes.", "at www.fox.org for foxes."),
        (
            "the primer CCAGCAGCCGCG\u200b",
            "GTAATAC was used.",
            "the primer CCAGCAGCCGCGGTAATAC was used.",
        ),
        ("the oil comprising 70.", "51 % of it", "the oil comprising 70.51 % of it"),
        ("as they were in 2016.", "51 % of it", "as they were in 2016. 51 % of it"),
        ("as is said in table 7.", "51 % of it", "as is said in table 7. 51 % of it"),
        ("all of the 70.", "Foxes", "all of the 70. Foxes"),
    ],
)
def test_addresses_sequences_and_numbers_that_are_broken_at_the_end_of_a_line(before, after, read):
    paragraph = JoinedLines()
    for one in (before, after):
        paragraph.add(Line(one, 1, 0, 0, 500, 0, 500, 700, 10, "F", False, False), Words())
    assert paragraph.paragraph()[0].text == read


def test_ligatures_for_private_use_are_the_letters_that_make_words():
    texts = [
        "The \ue103rst of the pro\ue103les was con\ue103rmed",
        "a\ue09der it was shi\ue09ded.",
        "\ue0a0 \ue0a0xq",
    ]
    lines = [Line(one, 1, 0, 0, 500, 0, 500, 700, 10, "F", False, False) for one in texts]
    page = Page(1, 612, 792, lines=lines)
    replace_ligatures([page])
    assert [line.text for line in page.lines[:2]] == [
        "The first of the profiles was confirmed",
        "after it was shifted.",
    ]
    assert page.lines[2].text == texts[2]


def test_a_line_of_nothing_but_unknown_glyphs_is_none():
    lines = [
        Line(one, 1, 0, 0, 500, 0, 500, 700, 10, "F", False, False)
        for one in (UNKNOWN, "It was shifted.")
    ]
    page = Page(1, 612, 792, lines=lines)
    replace_ligatures([page])
    assert [line.text for line in page.lines] == ["It was shifted."]


@pytest.mark.parametrize(
    ("before", "after", "joint"),
    [
        ("a well-", "known story", "-"),  # written so elsewhere
        ("by inter-", "preting it", ""),  # joined elsewhere
        ("the govern-", "ment is", ""),  # a frequent word
        ("a placebo-", "controlled trial", "-"),  # two words that make no third
        ("the lympho-", "cytes", ""),  # not two words
        ("a head-", "ing", ""),
        ("for bio-", "monitoring it", ""),  # a prefix
        ("an anti-", "stress drug", "-"),  # a prefix that has a hyphen elsewhere
        ("of pre-", "and postoperative care", "- "),
        ("the γ-", "elemene", "-"),
        ("with HPLC-", "based tests", "-"),
        ("to self-", "organize", "-"),
        ("an intention-to-", "treat analysis", "-"),
        ("of 12-", "year olds", None),
    ],
)
def test_the_documents_words_tell_whether_a_hyphen_stays(before, after, joint):
    known = words(
        "A well-known story, by interpreting it.", "An anti-viral drug. The control is controlled."
    )
    assert known.joint(before, after) == joint


def test_broken_words_are_no_evidence():
    known = words("It was well-", "known and well-", "known.")
    assert known.joint("a well-", "known story") == "-"  # two words of English
    assert words("the resis-", "tance").joint("a resis-", "tance") == ""


def test_words_in_capitals_keep_their_hyphen_unless_the_document_has_none_in_them():
    known = words("MEDLINE and IR", "and HIV-AIDS")
    assert known.joint("in MED-", "LINE or") == ""
    assert words("GenBank has it.").joint("in Gen-", "Bank and") == ""
    assert [
        known.joint("of HIV-", "AIDS"),
        known.joint("of I-", "R"),
        known.joint("the MED-", "Line"),
    ] == [None] * 3


def test_numbers_keep_their_hyphen_at_the_end_of_a_line():
    sheet = Sheet()
    sheet.lines(
        72,
        700,
        ["The story of the fox that ran over the hills is about the COVID-19-", "related work."],
    )
    assert "COVID-19-related work" in text(sheet)


def test_a_soft_hyphen_at_the_end_of_a_line_is_a_hyphen():
    sheet = Sheet()
    sheet.lines(
        72,
        700,
        [
            "The story of the fox that ran over the hills is of no interest to the govern\xad",
            "ment.",
        ],
    )
    assert text(sheet).endswith("to the government.")


def test_frequent_words_have_low_ranks():
    assert ranks()["the"] < ranks()["government"] < ranks()["checkpoint"]
    assert "threedimensional" not in ranks()


def test_a_bold_name_of_a_table_in_a_sentence_is_no_caption():
    sheet = Sheet()
    before = [
        "The story of the fox that ran over all the hills in the night of May is told again in"
    ] * 3
    y = sheet.lines(72, 700, before)
    sheet.text(72, y, "Table 2", font="F2")
    sheet.text(
        105, y, ". The fox that ran over all the hills in the night of May is told once again."
    )
    assert "told again in Table 2. The fox" in text(sheet)
