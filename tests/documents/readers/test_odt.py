"""OpenDocument texts: what is read, and what is left out."""

import io
import zipfile

import pytest
from odt_files import NAMESPACES, PROSE, dropped, read, root, saved, style, texts

from pagesum_cli.documents.guard.reading import read_data
from pagesum_cli.errors import PagesumError


def p(text: str, name: str = "") -> str:
    return f'<text:p text:style-name="{name}">{text}</text:p>'


def h(text: str, level: int) -> str:
    return f'<text:h text:outline-level="{level}">{text}</text:h>'


def span(text: str, name: str) -> str:
    return f'<text:span text:style-name="{name}">{text}</text:span>'


def items(*texts: str) -> str:
    return "".join(f"<text:list-item>{text}</text:list-item>" for text in texts)


def test_headings_have_their_outline_levels() -> None:
    document = read(saved(h("Owls", 1) + p(PROSE) + h("At night", 2) + p(PROSE)))
    found = [(one.level, one.heading, one.found_by) for one in document.sections]
    assert document.title == "Owls"
    assert found == [(1, "", "fallback"), (1, "At night", "outline")]


def test_a_paragraph_style_has_the_outline_level_of_a_heading() -> None:
    common = (
        '<office:styles><style:style style:name="Chapter" style:family="paragraph" '
        'style:default-outline-level="2"/></office:styles>'
    )
    automatic = (
        '<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Chapter"/>'
    )
    text = p("Owls", "P1") + p(PROSE) + p("Crows", "P1") + p(PROSE)
    document = read(saved(text, automatic, common))
    assert [(one.heading, one.level) for one in document.sections] == [("Owls", 2), ("Crows", 2)]


def test_title_and_author_are_in_the_properties() -> None:
    meta = "<dc:title>On owls</dc:title><meta:initial-creator>Ada Lovelace</meta:initial-creator>"
    document = read(saved(p(PROSE), meta=meta))
    assert (document.title, document.authors) == ("On owls", ("Ada Lovelace",))


def test_an_account_is_no_author() -> None:
    meta = "<dc:title>Untitled 1</dc:title><meta:initial-creator>root</meta:initial-creator>"
    document = read(saved(p(PROSE), meta=meta))
    assert (document.title, document.authors) == ("", ())


def test_spaces_tabs_and_line_ends_in_a_paragraph() -> None:
    text = p('One<text:s text:c="3"/>two<text:tab/>three\n  four<text:line-break/>five.')
    assert texts(read(saved(text))) == ["One two three four five."]


LIST = (
    '<text:list-style style:name="L1">'
    '<text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/>'
    '<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" '
    'style:num-suffix=")"/>'
    '<text:list-level-style-number text:level="3" style:num-format="i" style:num-suffix="." '
    'text:display-levels="3"/></text:list-style>'
)


def labels(text: str, styles: str = LIST) -> list[tuple[str, int]]:
    document = read(saved(p(PROSE) + text, styles))
    paragraphs = [one for section in document.sections for one in section.paragraphs]
    return [(one.label, one.depth) for one in paragraphs[1:]]


def listed(*texts: str, more: str = 'text:style-name="L1"') -> str:
    return f"<text:list {more}>{items(*texts)}</text:list>"


def test_items_of_lists_have_their_labels() -> None:
    inner = listed(p("Mice."), p("Voles.") + listed(p("Bank voles."), more=""), more="")
    text = listed(p("They eat:") + inner, p("They sleep.") + p("By day."))
    expected = [("1.", 1), ("(a)", 2), ("(b)", 2), ("1.b.i.", 3), ("2.", 1), ("", 1)]
    assert labels(text) == expected


def test_a_list_continues_another_one() -> None:
    ids = 'text:style-name="L1" xml:id="x"'
    text = listed(p("One."), p("Two."), more=ids) + p("Between them.")
    text += listed(p("Three."), more='text:style-name="L1" text:continue-numbering="true"')
    text += listed(p("One again."))
    text += listed(p("Three as well."), more='text:style-name="L1" text:continue-list="x"')
    found = ["1.", "2.", "", "3.", "1.", "3."]
    assert [label for label, _ in labels(text)] == found


def test_an_item_has_a_number_of_its_own_and_a_header_none() -> None:
    header = f"<text:list-header>{p('Of owls:')}</text:list-header>"
    item = f'<text:list-item text:start-value="4">{p("Four.")}</text:list-item>'
    text = f'<text:list text:style-name="L1">{header}{item}{items(p("Five."))}</text:list>'
    assert labels(text) == [("", 1), ("4.", 1), ("5.", 1)]


def test_a_list_may_have_the_style_of_its_paragraphs() -> None:
    styles = LIST + style("P1", family="paragraph", more='style:list-style-name="L1"')
    assert labels(listed(p("One.", "P1"), more=""), styles) == [("1.", 1)]


def test_bullets_have_no_labels() -> None:
    bullets = (
        '<text:list-style style:name="L1"><text:list-level-style-bullet text:level="1" '
        'text:bullet-char="•"/></text:list-style>'
    )
    assert labels(listed(p("One.")), bullets) == [("", 1)]


def table(*rows: list[str]) -> str:
    cells = [[f"<table:table-cell>{p(cell)}</table:table-cell>" for cell in row] for row in rows]
    inner = "".join(f"<table:table-row>{''.join(row)}</table:table-row>" for row in cells)
    return f"<table:table>{inner}</table:table>"


def test_tables_are_left_out_and_those_for_layout_are_read() -> None:
    numbers = table(["Owls", "12"], ["Crows", "30"])
    document = read(saved(p(PROSE) + numbers + table([PROSE, PROSE])))
    assert texts(document) == [PROSE] * 3
    assert dropped(document) == {"table": "Owls 12 Crows 30"}


def test_covered_cells_and_hidden_rows_are_not_shown() -> None:
    covered = f"<table:covered-table-cell>{p('Old.')}</table:covered-table-cell>"
    hidden = (
        '<table:table-row table:visibility="collapse"><table:table-cell>'
        f"{p('Nobody sees this row.')}</table:table-cell></table:table-row>"
    )
    row = f"<table:table-row><table:table-cell>{p(PROSE)}</table:table-cell>{covered}"
    text = f"<table:table>{row}</table:table-row>{hidden}</table:table>"
    document = read(saved(p(PROSE) + text))
    assert texts(document) == [PROSE, PROSE]
    assert dropped(document) == {"hidden": "Nobody sees this row."}


def test_notes_comments_and_running_heads_are_beside_the_text() -> None:
    note = (
        "<text:note><text:note-citation>1</text:note-citation>"
        f"<text:note-body>{p('See the report.')}</text:note-body></text:note>"
    )
    comment = (
        "<office:annotation><dc:creator>Ada</dc:creator><dc:date>2024-01-01</dc:date>"
        f"{p('Is this so?')}</office:annotation>"
    )
    pages = f"<style:header>{p('The owl report')}</style:header><style:footer>{p('Draft')}"
    common = (
        f'<office:master-styles><style:master-page style:name="Standard">{pages}</style:footer>'
        "</style:master-page></office:master-styles>"
    )
    text = p(f"Owls{note} hunt at night{comment} in the barns.")
    document = read(saved(text, common=common))
    assert texts(document) == ["Owls hunt at night in the barns."]
    assert dropped(document) == {
        "footnote": "See the report.",
        "comment": "Is this so?",
        "running head": "The owl report Draft",
    }


def test_what_tracked_changes_delete_is_not_read() -> None:
    deleted = (
        '<text:tracked-changes><text:changed-region text:id="c1"><text:deletion>'
        f"{p('never ')}</text:deletion></text:changed-region></text:tracked-changes>"
    )
    inserted = '<text:change-start text:change-id="c2"/>often<text:change-end text:change-id="c2"/>'
    text = deleted + p(f'Owls <text:change text:change-id="c1"/>hunt {inserted} at night.')
    document = read(saved(text))
    assert texts(document) == ["Owls hunt often at night."]
    assert dropped(document) == {}


HIDDEN = [
    span("unseen", "none"),
    span("unseen", "white"),
    span("unseen", "clear"),
    span("unseen", "tiny"),
    '<text:hidden-text text:string-value="unseen" text:is-hidden="true"/>',
    '<text:variable-set text:display="none">unseen</text:variable-set>',
]
HIDING = (
    style("none", 'text:display="none"')
    + style("white", 'fo:color="#ffffff"')
    + style("clear", 'fo:color="#000000" loext:opacity="0%"')
    + style("tiny", 'fo:font-size="1pt"')
)


@pytest.mark.parametrize("words", HIDDEN)
def test_hidden_words_are_reported_and_not_read(words: str) -> None:
    document = read(saved(p(f"Owls {words}hunt at night."), HIDING))
    assert texts(document) == ["Owls hunt at night."]
    assert dropped(document) == {"hidden": "unseen"}


def test_the_color_that_the_program_chooses_is_seen() -> None:
    styles = style("auto", 'style:use-window-font-color="true" loext:opacity="0%"')
    styles += style("dark", 'fo:color="#ffffff" fo:background-color="#000000"')
    text = span("Owls ", "auto") + span("hunt.", "dark")
    assert texts(read(saved(p(text), styles))) == ["Owls hunt."]


def test_hidden_sections_and_paragraphs_are_not_read() -> None:
    section = f'<text:section text:display="none">{p("A hidden section.")}</text:section>'
    shown = f"<text:section>{p(PROSE)}</text:section>"
    hidden = p('<text:hidden-paragraph text:is-hidden="true"/>A hidden paragraph.')
    document = read(saved(section + shown + hidden))
    assert texts(document) == [PROSE]
    assert dropped(document) == {"hidden": "A hidden section. A hidden paragraph."}


def test_scripts_and_struck_out_words() -> None:
    styles = style("up", 'style:text-position="super 58%"')
    styles += style("down", 'style:text-position="-33% 58%"')
    styles += style("struck", 'style:text-line-through-style="solid"')
    text = f"10{span('6', 'up')} of H{span('2', 'down')}O{span(' or less', 'struck')}."
    document = read(saved(p(text), styles))
    assert texts(document) == ["10⁶ of H₂O."]
    assert dropped(document) == {"struck out": "or less"}


def test_a_formula_is_read_and_one_without_text_is_marked() -> None:
    math = (
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>'
    )
    frames = [
        f'<draw:frame><draw:object xlink:href="./Object {n}"/><draw:image/></draw:frame>'
        for n in (1, 2)
    ]
    empty = '<math xmlns="http://www.w3.org/1998/Math/MathML"/>'
    files = {"Object 1/content.xml": math, "Object 2/content.xml": empty}
    document = read(saved(p(f"The area is {frames[0]}, not {frames[1]}."), files=files))
    assert texts(document) == ["The area is x², not [formula]."]
    assert [(one.reason, one.text) for one in document.left_out] == [("formula", "[formula]")]


def test_indexes_and_captions_are_left_out() -> None:
    index = (
        "<text:table-of-content><text:table-of-content-source/><text:index-body>"
        f"{p('Owls 1')}{p('Crows 2')}</text:index-body></text:table-of-content>"
    )
    common = (
        "<office:styles>"
        + style("Caption", family="paragraph")
        + style("Figure", family="paragraph", more='style:parent-style-name="Caption"')
        + "</office:styles>"
    )
    box = f"<draw:frame><draw:text-box>{p('Figure 1: An owl', 'Figure')}</draw:text-box>"
    picture = f"{box}<svg:desc>A picture</svg:desc></draw:frame>"
    document = read(saved(index + p(PROSE) + p(picture), common=common))
    assert texts(document) == [PROSE]
    assert dropped(document) == {"contents": "Owls 1 Crows 2", "caption": "Figure 1: An owl"}


def test_quotations_and_verse_are_known_by_their_styles() -> None:
    common = "<office:styles>" + style("Quotations", family="paragraph") + "</office:styles>"
    document = read(saved(p(PROSE) + p(PROSE, "Quotations"), common=common))
    assert [one.block for one in document.sections[0].paragraphs] == ["", "quotation"]


def test_a_document_may_be_one_xml_file() -> None:
    body = f"<office:body><office:text>{p(PROSE)}</office:text></office:body>"
    meta = "<office:meta><dc:title>On owls</dc:title></office:meta>"
    data = root("document", meta + "<office:styles/>" + body).encode()
    assert read(data, "a.fodt").title == "On owls"
    assert texts(read_data(data, "stdin")[0]) == [PROSE]


def test_its_type_says_what_it_is_without_a_name() -> None:
    assert texts(read_data(saved(p(PROSE)), "stdin")[0]) == [PROSE]


def zipped(**files: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/").replace("_", "."), content)
    return packed.getvalue()


MANIFEST = "META-INF/manifest.xml"
ENTITIES = f'<!DOCTYPE x [<!ENTITY a "b">]><office:document-content {NAMESPACES}/>'
SHEET = root("document-content", "<office:body><office:spreadsheet/></office:body>")


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (saved(p(PROSE), files={MANIFEST: "<a><encryption-data/></a>"}), "one with a password"),
        (zipped(content_xml=SHEET), "found a spreadsheet"),
        (zipped(content_xml="<a/>"), "found another kind of file"),
        (zipped(content_xml="<a><b>"), "damaged or cut off (content.xml:"),
        (zipped(content_xml=ENTITIES), "content.xml defines XML entities"),
        (zipped(content_xml="<a>" + "b" * 300_000_000 + "</a>"), "unpacks to more than"),
        (saved(p(PROSE))[:400], "damaged"),
        (b"Owls.", "expected an OpenDocument text, found something else"),
        (root("document", "<a>").encode(), "found a damaged one"),
        (b"<!DOCTYPE x [<!ENTITY a 'b'>]><office:document/>", "defines XML entities"),
    ],
    ids=[
        "password",
        "sheet",
        "other",
        "cut",
        "entities",
        "bomb",
        "zip",
        "text",
        "flat",
        "flat-entities",
    ],
)
def test_what_cannot_be_read_gets_one_line(data: bytes, found: str) -> None:
    with pytest.raises(PagesumError) as error:
        read(data)
    assert found in error.value.message
    assert "\n" not in error.value.message
