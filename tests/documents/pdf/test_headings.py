import pytest
from pdf_writer import Sheet, write
from tiny import assert_linear

from pagesum_cli.documents.article.wording import is_names, may_be_heading
from pagesum_cli.documents.pdf.headings import Body, Heading
from pagesum_cli.documents.pdf.levels import set_levels
from pagesum_cli.documents.pdf.lines import Line
from pagesum_cli.documents.pdf.reader import pdf_document
from pagesum_cli.documents.pdf.run_in import by_run_in
from pagesum_cli.documents.pdf.runs import Dropped
from pagesum_cli.documents.pdf.sections import DOCUMENT_PASSES, read_sections

TEXT = [
    "Foxes live in forests all over the world and eat what they find there, "
    "which is often a mouse or a",
    "bird that has fallen from its nest in the storms of spring. They hunt alone, "
    "and at night they walk",
    "for many miles. Nobody has counted them so far, but there must be a great many of them today.",
]
BOLD, ITALIC = "F2", "F3"


class Page(Sheet):
    """A page that is written from top to bottom."""

    def __init__(self):
        super().__init__()
        self.y = 740

    def head(self, text, size=12, font=BOLD, x=72, above=14):
        self.y -= above
        self.text(x, self.y, text, size, font)
        self.y -= 16

    def body(self, times=1):
        for _ in range(times):
            self.y = self.lines(72, self.y, TEXT)

    def run_in(self, head, rest, font=BOLD, width=60):
        self.y -= 6
        self.text(72, self.y, head, 10, font)
        self.text(72 + width, self.y, rest, 10)
        self.y -= 12
        self.body()


def document(*pages, **more):
    return pdf_document(write(list(pages), **more), "a.pdf", "a.pdf")


def levels(found):
    return [(one.heading, one.level) for one in found.sections if one.heading]


def paper(*headings):
    """One page for each heading: text, size and font."""
    pages = []
    for text, size, font in headings:
        page = Page()
        page.head(text, size, font)
        page.body(3)
        pages.append(page)
    return pages


PARTS = ["Introduction", "Methods", "Animals", "Counting", "Results", "Numbers", "Discussion"]
LEVELS = [1, 1, 2, 2, 1, 2, 1]
PAIRS = list(zip(PARTS, LEVELS, strict=True))


@pytest.mark.parametrize(("size", "font"), [(10, BOLD), (12, ITALIC), (11, "F1"), (12.5, ITALIC)])
def test_the_look_of_a_papers_parts_is_the_top_level_whatever_stands_out_more(size, font):
    pages = paper(*((name, *((12, BOLD) if level == 1 else (size, font))) for name, level in PAIRS))
    assert levels(document(*pages)) == PAIRS


def test_capitals_are_a_look_of_their_own():
    pages = paper(*((name.upper() if level == 1 else name, 11, BOLD) for name, level in PAIRS))
    assert [level for _, level in levels(document(*pages))] == LEVELS


@pytest.mark.parametrize("depth", [1, 2])
def test_an_outline_that_is_flat_does_not_make_every_heading_a_part(depth):
    pages = paper(*((name, 13 if level == 1 else 11, BOLD) for name, level in PAIRS))
    outline = [(name, place, depth) for place, name in enumerate(PARTS)]
    title = [("All the Foxes of the Forest", 0, 1)] if depth > 1 else []
    assert levels(document(*pages, outline=[*title, *outline])) == PAIRS


def test_an_outline_with_depths_holds_where_looks_are_the_same():
    pages = paper(*((name, 12, BOLD) for name in PARTS))
    outline = [(name, place, level) for place, (name, level) in enumerate(PAIRS)]
    assert levels(document(*pages, outline=outline)) == PAIRS


def test_a_bookmark_leaves_out_the_note_behind_a_heading():
    numbered = [f"§ {number}-10. {name}." for number, name in enumerate(PARTS, start=60)]
    notes = [" [Amended 4-26-2004 ATM, approved 8-19-2004]" if n % 2 else "" for n in range(7)]
    printed = [name + note for name, note in zip(numbered, notes, strict=True)]
    outline = [(name, place, 1) for place, name in enumerate(numbered)]
    pages = paper(*((name, 10, BOLD) for name in printed))
    assert levels(document(*pages, outline=outline)) == [(name, 1) for name in printed]


def test_a_bookmark_that_is_cut_off_stands_for_the_whole_heading():
    rest = "of the Foxes That Live in the Valleys and the Gardens of the Northern Counties"
    names = [f"{name} {rest}" for name in PARTS]
    outline = [(name[:52], place, 1) for place, name in enumerate(names)]
    pages = paper(*((name, 10, BOLD) for name in names))
    found = document(*pages, outline=outline).sections[1:]
    assert [one.heading for one in found] == names[1:]  # the first one is the title
    assert {one.found_by for one in found} == {"outline"}


def test_an_outline_of_the_last_pages_does_not_take_the_other_headings():
    last = [f"Part {letter} of the Annex" for letter in "ABCDEFGHI"]
    heads = [(name, 14, BOLD) for name in PARTS * 2] + [(name, 11, BOLD) for name in last]
    outline = [(name, 2 * len(PARTS) + place, 1) for place, name in enumerate(last)]
    found = [name for name, _ in levels(document(*paper(*heads), outline=outline))]
    assert found == [*PARTS, *PARTS, *last]


def test_in_a_report_the_heaviest_look_that_is_used_again_is_the_top_level():
    heads = [
        ("Preface", 17),
        ("The Forest", 17),
        ("Introduction", 14),
        ("Trees", 14),
        ("Wood", 12),
        ("The Town", 17),
    ]
    heads += [("Houses", 14), ("Roofs", 12)]
    found = levels(document(*paper(*((name, size, BOLD) for name, size in heads))))
    assert found == [(name, {17: 1, 14: 2, 12: 3}[size]) for name, size in heads]


def test_numbers_within_a_section_begin_below_it():
    names = [
        "Introduction",
        "Methods",
        "1. Count the foxes",
        "2. Count the owls",
        "Results",
        "Discussion",
    ]
    sizes = [14, 14, 12, 12, 14, 14]
    found = levels(
        document(*paper(*((name, size, BOLD) for name, size in zip(names, sizes, strict=True))))
    )
    assert [level for _, level in found] == [1, 1, 2, 2, 1, 1]


def test_labels_of_a_structured_abstract_are_headings_below_it():
    page = Page()
    page.head("The Foxes of the Northern Forest and Their Lives", 18)
    page.head("Abstract")
    page.run_in(
        "Background:", "Foxes are not well known in this part of the world, and few count them."
    )
    page.run_in(
        "Methods:",
        "We walked through the forest and counted all of the foxes that we saw.",
        width=45,
    )
    page.run_in(
        "Results:",
        "There were 12 foxes in all of the forest, and most of them were quite old.",
        width=40,
    )
    page.head("Background")
    page.body(3)
    pages = paper(*((name, 12, BOLD) for name in ("Methods", "Results", "Discussion")))
    found = document(page, *pages)
    assert levels(found) == [
        ("Abstract", 1),
        ("Background", 2),
        ("Methods", 2),
        ("Results", 2),
        ("Background", 1),
        ("Methods", 1),
        ("Results", 1),
        ("Discussion", 1),
    ]
    assert found.sections[1].text.startswith("Foxes are not well known")


def test_labels_without_a_sign_or_an_abstract_above_them():
    page = Page()
    page.head("The Foxes of the Northern Forest and Their Lives", 18)
    page.run_in("Background", "The red foxes are not well known in this part of the world.")
    page.run_in(
        "Methods",
        "We walked through the forest and counted all of the foxes that we saw.",
        width=45,
    )
    page.run_in(
        "Findings",
        "There were 12 foxes in all of the forest, and most of them were quite old.",
        width=45,
    )
    pages = paper(
        *((name, 12, BOLD) for name in ("Introduction", "Methods", "Results", "Discussion"))
    )
    found = document(page, *pages)
    assert levels(found)[:5] == [
        ("Abstract", 1),
        ("Background", 2),
        ("Methods", 2),
        ("Findings", 2),
        ("Introduction", 1),
    ]
    assert found.sections[1].text.startswith("The red foxes")


def test_run_in_headings_are_split_off_below_the_heading_above_them():
    pages = paper(
        *((name, 12, BOLD) for name in ("Introduction", "Methods", "Results", "Discussion"))
    )
    for head in ("Study area.", "Animals.", "Counting."):
        pages[1].run_in(head, "We describe here what was done in the forest in that summer.")
    pages[3].run_in("Funding:", "This work was supported by a grant of the friends.")
    found = document(*pages)
    assert [one for one in levels(found) if one[1] == 2] == [
        ("Study area", 2),
        ("Animals", 2),
        ("Counting", 2),
    ]
    assert levels(found)[-1] == ("Discussion", 1)
    left = next(one.text for one in found.left_out if one.reason == "back matter")
    assert left.startswith("Funding This work was")
    texts = {one.heading: one.text for one in found.sections}
    assert texts["Study area"].startswith("We describe here")
    assert "Study area" not in texts["Methods"]


@pytest.mark.parametrize("lead", ["Vulpes vulpes", "A. Smith.", "Theorem 1.", "Keywords:"])
def test_other_slanted_beginnings_are_no_headings(lead):
    pages = paper(
        *((name, 12, BOLD) for name in ("Introduction", "Methods", "Results", "Discussion"))
    )
    pages[1].run_in(lead, "Foxes were seen in the forest in that summer.", ITALIC)
    assert [name for name, _ in levels(document(*pages))] == [
        "Introduction",
        "Methods",
        "Results",
        "Discussion",
    ]


def test_a_heading_with_slanted_words_is_one():
    pages = paper(
        *((name, 12, BOLD) for name in ("Introduction", "Methods", "Results", "Discussion"))
    )
    pages[1].head("Preparation of the", 11, BOLD)
    pages[1].text(168, pages[1].y + 16, "Vulpes", 11, "F4")
    pages[1].body()
    assert levels(document(*pages))[2] == ("Preparation of the Vulpes", 2)


def test_bookmarks_of_the_abstracts_labels_do_not_take_the_papers_headings():
    first = Page()
    first.head("Abstract")
    first.body(2)
    first.head("Background")
    first.body(2)
    pages = [first, *paper(*((name, 12, BOLD) for name in ("Methods", "Results", "Conclusion")))]
    outline = [("Abstract", 0, 1), ("Background", 0, 2), ("Methods", 0, 2), ("Background", 0, 1)]
    outline += [
        (name, place, 1) for place, name in enumerate(("Methods", "Results", "Conclusion"), start=1)
    ]
    found = levels(document(*pages, outline=outline))
    assert found == [
        (name, 1) for name in ("Abstract", "Background", "Methods", "Results", "Conclusion")
    ]


def test_the_name_of_the_journal_is_not_the_title():
    page = Page()
    page.head("Journal of Foxes and Owls", 22)
    page.head("RESEARCH ARTICLE", 20)
    page.head("The Lives of Foxes in Northern Forests", 16)
    page.head("Journal of Foxes and Owls 2019, 4:12", 8, "F1")
    page.head("Introduction")
    page.body(5)
    found = document(page, *paper(*((name, 12, BOLD) for name in ("Methods", "Results"))))
    assert found.title == "The Lives of Foxes in Northern Forests"


def test_the_last_line_of_a_title_may_be_the_kind_of_an_article():
    page = Page()
    page.head("RESEARCH ARTICLE", 16)
    page.head("The Lives of Foxes in Northern Forests: a randomized", 16)
    page.head("trial protocol", 16)
    page.head("Introduction")
    page.body(5)
    found = document(page, *paper(*((name, 12, BOLD) for name in ("Methods", "Results"))))
    expected = "The Lives of Foxes in Northern Forests: a randomized trial protocol"
    assert found.title == expected


@pytest.mark.parametrize(
    "issue", ["Volume 13 Number 3 1985 The Annals of the Forest", "Annals, vol. 3 no. 8, 1984"]
)
def test_the_issue_of_the_journal_is_not_the_title(issue):
    page = Page()
    page.head(issue, 14, "F1")
    page.head("All the Foxes of the Forest", 12, BOLD)
    page.head("Introduction", 10, BOLD)
    page.body(3)
    assert document(page).title == "All the Foxes of the Forest"


def test_a_bold_title_of_the_size_of_the_text():
    page = Page()
    page.head("The Lives of Foxes in Northern Forests", 10)
    page.head("Ann Author and Bob Writer", 10, "F1")
    page.head("Introduction", 10)
    page.body(5)
    assert document(page, *paper(("Methods", 10, BOLD), ("Results", 10, BOLD))).title.startswith(
        "The Lives of Foxes"
    )


@pytest.mark.parametrize("found_by", ["outline", "style"])
def test_levels_take_linear_time(found_by):
    def level(count):
        lines = [
            Line("Foxes", 1, 0, 0, 500, 0, 50, 700, 10 + n, "F", True, False) for n in range(count)
        ]
        headings = [
            Heading(n, n, "Foxes", 1 + n % 2, found_by if n % 2 else "outline")
            for n in range(count)
        ]
        set_levels(headings, lines)

    assert_linear(level, 4000)


def test_a_heading_that_fills_its_line():
    full = (
        "Foxes that live in the forests of the north and the birds they "
        "eat there in the long nights"
    )
    found = document(
        *paper(
            ("Introduction", 12, BOLD),
            ("Methods", 12, BOLD),
            (full, 11, ITALIC),
            ("Results", 12, BOLD),
        )
    )
    assert levels(found) == [("Introduction", 1), ("Methods", 1), (full, 2), ("Results", 1)]


def test_the_letters_of_appendices_go_on_after_the_numbers():
    heads = [
        "1 Foxes",
        "2 Birds",
        "2.1 Owls",
        "A.1 Counts",
        "A.1.1 Nights",
        "A.2 Places",
        "B.1 Maps",
    ]
    found = document(*paper(*((head, 10, BOLD) for head in heads)))
    assert levels(found) == list(zip(heads, [1, 1, 2, 2, 3, 2, 2], strict=True))


def test_the_titles_of_boxes_are_no_headings():
    heads = ["1 Foxes", "Note", "2 Birds", "Warning", "Note"]
    found = document(*paper(*((head, 12, BOLD) for head in heads)))
    assert [heading for heading, _ in levels(found)] == ["1 Foxes", "2 Birds"]


def test_run_in_headings_whose_text_begins_on_the_next_line():
    page = Page()
    page.head("Methods")
    heads = [
        f"{word} of northernmost forest-dwelling foxes throughout extraordinarily long "
        f"wintertime nights, alone."
        for word in ("Counting", "Feeding", "Weighing")
    ]
    for head in heads:
        page.text(72, page.y - 6, head, 10, ITALIC)
        page.y -= 18
        page.body()
    found = levels(document(page, *paper(("Results", 12, BOLD))))
    assert found == [("Methods", 1), *((head.rstrip("."), 2) for head in heads), ("Results", 1)]


LABELLED = [
    ("I. INTRODUCTION", 1),
    ("II. METHODS", 1),
    ("A. Animals", 2),
    ("B. Counting", 2),
    ("1. Traps", 3),
    ("2. Cameras", 3),
    ("C. Errors", 2),
    ("III. RESULTS", 1),
    ("A. Numbers", 2),
    ("1. Traps again", 3),
    ("IV. DISCUSSION", 1),
]


def test_labels_of_several_kinds_are_one_below_the_other():
    looks = {1: (10, BOLD), 2: (10, BOLD), 3: (10, ITALIC)}
    assert (
        levels(document(*paper(*((text, *looks[level]) for text, level in LABELLED)))) == LABELLED
    )


def test_labels_that_repeat_those_above_them():
    headings = [
        ("I. HABITATS", 1),
        ("I.1. Forests", 2),
        ("I.2. Towns", 2),
        ("II. FOOD", 1),
        ("II.1. Mice", 2),
    ]
    headings += [("III. SUMMARY", 1)]
    assert levels(document(*paper(*((text, 9, BOLD) for text, _ in headings)))) == headings


def test_two_numbered_addresses_do_not_hide_the_headings():
    pages = paper(*((name, 10, BOLD) for name in PARTS))
    for number, name in enumerate(["1 Forest Road, Foxtown", "2 River Street, Foxtown"]):
        pages[1].text(72, 200 - 40 * number, name, 10, ITALIC)
    found = [heading for heading, _ in levels(document(*pages))]
    assert set(PARTS) <= set(found)


def test_an_authors_name_above_the_text_is_no_heading():
    first = Page()
    first.head("Foxes and what they eat in the forests of the north", 18)
    first.head("Ada M. Fox", 13, "F1")
    first.text(72, first.y, "Institute of Forests, Foxtown")
    first.y -= 30
    first.body(2)
    found = document(first, *paper(*((name, 12, BOLD) for name in PARTS)))
    assert "Ada M. Fox" not in [section.heading for section in found.sections]


def test_names_of_authors_with_initials_do_not_begin_the_labels_of_the_headings():
    pages = paper(*((text, 10, BOLD) for text, _ in LABELLED))
    first = Page()
    first.head("Foxes and what they eat in the forests of the north", 18)
    first.head("A. Fox and B. Vole", 10, BOLD)
    first.head("C. Hare", 10, BOLD)
    first.body(2)
    assert levels(document(first, *pages)) == LABELLED


def test_numbered_capitals_in_the_font_of_the_text_are_headings_where_others_stand_out_more():
    headings = [
        ("1. INTRODUCTION", 1),
        ("2. FOXES AND FORESTS", 1),
        ("2.1. Forests", 2),
        ("2.2. Towns", 2),
    ]
    headings += [("3. WHAT THEY EAT", 1), ("3.1. Mice", 2), ("4. SUMMARY", 1)]
    looks = {1: (10, "F1"), 2: (10, ITALIC)}
    pages = paper(*((text, *looks[level]) for text, level in headings))
    pages[2].y -= 14
    for number, text in enumerate(
        ["Dig a hole of some depth in the ground.", "Wait there for the fox."], start=1
    ):
        pages[2].text(84, pages[2].y - 12 * number, f"{number}. {text}")
    assert levels(document(*pages)) == headings


def test_bold_numbered_headings_may_have_a_dash_after_the_number():
    headings = [("1. WATER:", 1), ("1.1 - Small Mills:", 2), ("1.2. - Large Mills:", 2)]
    headings += [("2. WIND:", 1), ("2.1 - Sails – Cloth and Wood", 2), ("3. FIRE:", 1)]
    pages = paper(*((text, 10, BOLD) for text, _ in headings))
    assert levels(document(*pages)) == headings


def test_the_beginning_of_a_clause_is_no_heading():
    headings = [("1. WATER", 1), ("2. WIND", 1), ("3. FIRE", 1)]
    pages = paper(*((text, 12, BOLD) for text, _ in headings))
    pages[1].y -= 24
    pages[1].text(
        72, pages[1].y, "2.1.1. No miller shall throw sacks or stones on a street or public"
    )
    pages[1].text(72, pages[1].y - 24, "place.")
    assert levels(document(*pages)) == headings


def test_numbered_run_in_headings_in_the_font_of_the_text():
    headings = ["1.1. “Red” foxes.", "1.2. Winter.", "1.3. Summer."]
    pages = paper(("1 Foxes", 12, BOLD), ("2 Forests", 12, BOLD))
    for number, head in enumerate(headings):
        page = Page()
        page.text(
            72,
            740,
            f"{head} {'Ärzte count' if number else 'They see'} the foxes "
            f"of the forests of the north.",
        )
        page.y = 728
        page.body(3)
        pages.insert(1 + number, page)
    assert [name for name, _ in levels(document(*pages))] == [
        "1 Foxes",
        *(one[:-1] for one in headings),
        "2 Forests",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "In addition, for every fox",
        "If this is a fox then",
        "Bak = Lak",
        "Keywords: foxes, forests, mice",
        "11: end while",
        "Ensure: y",
    ],
)
def test_slanted_sentences_formulas_and_keywords_are_no_headings(text):
    found = levels(
        document(*paper(*((one, 10, ITALIC) for one in (*PARTS, text, "Foxes at night"))))
    )
    assert [name for name, _ in found] == [*PARTS, "Foxes at night"]


def test_theorems_are_no_headings():
    headings = [
        ("1 Introduction", 12, BOLD),
        ("Lemma 1.1", 10, BOLD),
        ("2 Proofs", 12, BOLD),
        ("Theorem 2.1", 10, BOLD),
    ]
    headings += [("Lemma 2.2", 10, BOLD), ("3 Conclusion", 12, BOLD)]
    assert [name for name, _ in levels(document(*paper(*headings)))] == [
        "1 Introduction",
        "2 Proofs",
        "3 Conclusion",
    ]


def test_bold_beginnings_without_a_stop_are_headings_where_white_is_above_them():
    pages = paper(("Introduction", 12, BOLD), ("Discussion", 12, BOLD))
    for name in ("Lifespan", "Security", "Timing"):
        pages[1].y -= 14
        pages[1].run_in(
            name, "Foxes that live in towns are older than those that live in forests, as it seems."
        )
    assert [name for name, _ in levels(document(*pages))][1:] == [
        "Discussion",
        "Lifespan",
        "Security",
        "Timing",
    ]


def test_a_line_of_slanted_names_within_a_sentence_is_no_heading():
    pages = paper(*((name, 12, BOLD) for name in PARTS))
    for page in pages:
        page.text(
            72,
            page.y,
            "The oils were bought in a shop of the town, "
            "among them those of cloves and of other spices,",
        )
        page.text(
            72,
            page.y - 12,
            "Syzygium aromaticum and Rosmarinus officinalis and Melaleuca alternifolia of Foxtown,",
            font=ITALIC,
        )
        page.text(
            72,
            page.y - 24,
            "which were kept in the dark until they were used in the "
            "experiments of the next spring.",
        )
    assert [name for name, _ in levels(document(*pages))] == PARTS


def test_the_name_of_a_section_at_the_top_of_its_pages_is_no_heading():
    pages = paper(*((f"{number} {name}", 12, BOLD) for number, name in enumerate(PARTS, 1)))
    pages[1].text(97, 770, "METHODS", font=ITALIC)
    last = Page()
    last.text(97, 770, "REFERENCES", font=ITALIC)
    last.head("8 Outlook")
    last.body(2)
    last.head("References")
    last.text(72, last.y, "[1] A. Fox. Foxes of the valley. Journal of Foxes, 2001.")
    found = document(*pages, last)
    assert [name for name, _ in levels(found)] == [
        f"{number} {name}" for number, name in enumerate([*PARTS, "Outlook"], 1)
    ]
    assert "mouse" in found.sections[-1].text
    heads = " ".join(one.text for one in found.left_out if one.reason == "running head")
    assert "METHODS" in heads
    assert "REFERENCES" in heads


def test_run_in_headings_after_a_formula_and_with_the_name_of_a_place():
    page = Page()
    page.head("Results")
    page.body()
    for name, width in (("Laboratory-Based Tests.", 114), ("Field Work.", 58)):
        page.run_in(
            name, "They hunt alone, and at night they walk for many miles in the dark.", width=width
        )
    page.text(440, page.y, "f = m a (2)")
    page.y -= 12
    second = "Implications for the Number of Foxes in the Valley."
    page.text(90, page.y - 10, second, 10, BOLD)
    page.text(332, page.y - 10, "They hunt alone, and at night they walk for many miles", 10)
    page.y -= 22
    page.body()
    other = Page()
    other.head("Methods")
    other.body(3)
    found = [name for name, _ in levels(document(other, page))]
    assert found == ["Methods", "Results", "Laboratory-Based Tests", "Field Work", second[:-1]]


def test_a_heading_with_the_name_of_a_program_has_the_level_of_its_look():
    pages = paper(
        *((name, 14, BOLD) for name in PARTS[:2]), ("Animals", 12, BOLD), ("Results", 14, BOLD)
    )
    last = Page()
    last.y -= 14
    last.text(72, last.y, "The table of the", 14, BOLD)
    last.text(180, last.y, "fox.counter", 14, ITALIC)
    last.text(252, last.y, "program", 14, BOLD)
    last.y -= 16
    last.body(3)
    found = dict(levels(document(*pages, last)))
    assert found["Animals"] == 2
    assert found["The table of the fox.counter program"] == 1


def test_short_paragraphs_and_lists_between_the_abstract_and_the_first_heading_are_read():
    page = Page()
    page.head("Foxes of the Forest and of the Valley", 18)
    page.text(72, page.y, "Ann Fox and Bob Hare", 10, ITALIC)
    page.y -= 30
    page.body(2)
    page.y -= 10
    page.lines(72, page.y, ["We have counted the foxes of the valley, and asked for three things:"])
    page.lines(90, page.y - 14, ["1. How many foxes are there?", "2. What do they eat?"])
    page.y -= 60
    for number, name in enumerate(PARTS[:3], 1):
        page.head(f"{number} {name}")
        page.body(2)
    found = document(page)
    assert "asked for three things" in found.text
    assert "What do they eat?" in found.text
    assert "Bob Hare" not in found.text


def test_a_chapter_has_the_title_below_it():
    pages = [Page()]
    pages[0].head("All the Foxes of the Forest", 30)
    for number in (1, 2):
        page = Page()
        page.head(f"Chapter {number}", 22, above=100)
        page.head(f"The Foxes of the {PARTS[number]}", 22)
        page.head("and of the Meadow", 22, above=8)
        page.body(4)
        page.head(f"{number}.1 Numbers", 14)
        page.body(6)
        pages.append(page)
    assert levels(document(*pages)) == [
        ("Chapter 1 The Foxes of the Methods and of the Meadow", 1),
        ("1.1 Numbers", 2),
        ("Chapter 2 The Foxes of the Animals and of the Meadow", 1),
        ("2.1 Numbers", 2),
    ]


def test_the_name_of_the_journal_is_no_title_and_the_title_above_a_page_no_heading():
    first = Page()
    first.text(200, 770, "Journal of Foxes & Hares 137 (2015) 1-5", 7)
    first.text(200, 740, "Journal of Foxes & Hares", 16)
    first.y = 700
    first.head("The Foxes of the Forest", 15, "F1")
    first.head("Introduction")
    first.body(3)
    second = paper(("Methods", 12, BOLD))[0]
    second.text(240, 780, "The Foxes of the Forest", 9, ITALIC)
    found = document(first, second)
    assert found.title == "The Foxes of the Forest"
    assert levels(found) == [("Introduction", 1), ("Methods", 1)]
    assert "running head" in {one.reason for one in found.left_out}


def line(text="Some words", size=10.0, font="CMR10", **more):
    values = {
        "page": 1,
        "column": 0,
        "left": 72.0,
        "right": 540.0,
        "x0": 72.0,
        "x1": 300.0,
        "y": 500.0,
        "gap": 12.0,
    }
    return Line(
        **{
            **values,
            "text": text,
            "size": size,
            "font": font,
            "bold": False,
            "italic": False,
            **more,
        }
    )


@pytest.mark.parametrize(
    ("size", "font", "expected"),
    [
        (9, "CMR9", False),
        (10, "CMTI10", True),
        (9, "CMSS9", True),
        (9, "CMR10", False),
        (12, "CMR12", True),
    ],
)
def test_a_smaller_size_of_the_texts_font_does_not_stand_out(size, font, expected):
    assert Body(10, "CMR10").is_exceeded_by(line(size=size, font=font)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6 Curve25519 and Ed25519", True),
        ("TGTCTTGGACCTGCATTTTTATACTT", False),
        ("ATGCATGC at position 12", False),
        ("A" + "b" * 50, False),
        ("John L. Teem and Michael Rosbash", False),
        ("Figure 5： Short cycles of the hash", False),
        ("Materials and Methods", True),
        ("ACTUAL COSTS", True),
        ("U.S. Policy and Foreign Trade", True),
    ],
)
def test_what_headings_are_made_of(text, expected):
    assert may_be_heading(text) == expected


def test_a_dash_after_the_number_of_a_heading_is_no_part_of_its_name():
    names = ["1. PURCHASES:", "1.1 - Exemptions:", "1.2. - Emergencies:", "2. BIDS:", "3. FEES:"]
    page = Page()
    for name in names:
        page.head(name, 10)
        page.body()
    expected = [(name, 1 + name[2].isdigit()) for name in names]
    assert levels(document(page)) == expected


def test_two_names_are_those_of_people_only_with_an_initial():
    assert is_names("JOHN L. TEEM AND MICHAEL ROSBASH")
    assert not is_names("Human Foxes and Forest Owls")


def test_roman_numbers_over_capitals_in_the_font_of_the_text():
    heads = [
        "I. INTRODUCTION",
        "II. FOXES IN BRIEF",
        "A. Background",
        "B. Towns",
        "C. Food",
        "D. Sleep",
        "E. Dens",
    ]
    heads += [
        "III. OWLS IN BRIEF",
        "A. Barns",
        "B. Trees",
        "C. Roofs",
        "D. Nests",
        "IV. CLOCKS",
        "A. Hours",
        "B. Days",
    ]
    heads += [
        "C. Weeks",
        "D. Months",
        "E. Years",
        "V. TESTS",
        "A. Counting",
        "B. Weighing",
        "VI. CONCLUSIONS",
    ]
    pages = [Page() for _ in range(4)]
    for place, text in enumerate(heads):
        page = pages[place // 6]
        page.head(text, 10, "F1" if text.isupper() else ITALIC, above=16)
        page.body(3)
    assert levels(document(*pages)) == [(text, 1 if text.isupper() else 2) for text in heads]


def test_a_watermark_is_left_out_and_the_text_over_it_is_read():
    pages = paper(
        *((name, 12, BOLD) for name in ("Introduction", "Methods", "Results", "Discussion"))
    )
    for page in pages:
        page.operators.insert(0, "BT /F2 45 Tf 1 0 0 1 60 698 Tm (Do not distribute.) Tj ET")
    found = document(*pages)
    assert found.title == ""
    assert levels(found) == [
        (name, 1) for name in ("Introduction", "Methods", "Results", "Discussion")
    ]
    assert [one.words for one in found.left_out if one.reason == "watermark"] == [12]


def test_labels_of_tables_at_the_top_of_pages_are_no_running_heads():
    pages = paper(
        *((name, 12, BOLD) for name in ("Introduction", "Methods", "Results", "Discussion"))
    )
    for number, page in enumerate(pages, 1):
        page.text(280, 770, f"TABLE {number}", 9, BOLD)
        page.text(200, 756, f"Weights of the foxes in year {number}", 9, BOLD)
    found = document(*pages)
    assert [text for text, _ in levels(found)] == [
        "Introduction",
        "Methods",
        "Results",
        "Discussion",
    ]
    assert not any(
        "table" in one.text.lower() for one in found.left_out if one.reason == "running head"
    )


def test_run_in_headings_right_below_a_heading():
    page = Page()
    for head in ("Materials and Methods", "Results", "Discussion"):
        page.head(head, 10, BOLD)
        page.run_in("Foxes.", "All of them were counted by hand.", width=40)
        page.run_in("Other owls.", "All of them were counted as well.")
    found = [text for text, _ in levels(document(page))]
    assert found == [
        text
        for head in ("Materials and Methods", "Results", "Discussion")
        for text in (head, "Foxes", "Other owls")
    ]


def test_run_in_headings_are_below_the_last_heading_on_a_line_of_its_own():
    page, other = Page(), Page()
    page.head("1 Foxes", 14)
    page.run_in("Red ones.", "They are the most common ones.")
    page.head("1.1 Forests", 12)
    page.run_in("Old ones.", "They are the quietest of all.")
    page.head("1.1.1 Trees", 11)
    page.run_in("Tall ones.", "They are in the way of the sun.")
    other.head("2 Owls", 14)
    other.run_in("Barn owls.", "They live in barns, as one knows.")
    found = levels(document(page, other))
    assert found == [
        ("1 Foxes", 1),
        ("Red ones", 2),
        ("1.1 Forests", 2),
        ("Old ones", 3),
        ("1.1.1 Trees", 3),
        ("Tall ones", 4),
        ("2 Owls", 1),
        ("Barn owls", 2),
    ]


def test_one_bookmark_over_all_others_is_the_title_and_pages_before_it_are_about_the_document():
    cover = Page()
    cover.head("Proof for the Author", 20)
    cover.lines(
        72, 600, ["Please answer our questions.", "1 Which town is it?", "2 Who is the author?"]
    )
    names = ["Introduction", "Methods", "Results", "Discussion"]
    pages = paper(*((name, 12, BOLD) for name in names))
    pages[0].operators = [
        "BT /F2 16 Tf 1 0 0 1 72 760 Tm (All the Foxes of the Valley) Tj ET",
        *pages[0].operators,
    ]
    outline = [
        ("All the Foxes of the Valley", 1, 1),
        *((name, place, 2) for place, name in enumerate(names, 1)),
    ]
    found = document(cover, *pages, outline=outline)
    assert found.title == "All the Foxes of the Valley"
    assert levels(found) == [(name, 1) for name in names]


def test_a_note_about_who_paid_is_no_text_though_it_is_hardly_smaller():
    page, other = Page(), Page()
    page.head("1 Introduction", 12)
    page.body(3)
    page.lines(
        72,
        120,
        ["* This work was supported by the Fund for Foxes under grant 12,", "and by its friends."],
        9.2,
    )
    other.head("2 Methods", 12)
    other.body(3)
    found = document(page, other)
    assert not any(
        "Fund" in paragraph.text for section in found.sections for paragraph in section.paragraphs
    )
    assert [one.reason for one in found.left_out if "Fund" in one.text] == ["footnote"]


def test_numbered_run_in_headings_that_are_slanted():
    page = Page()
    page.head("I. INTRODUCTION", 10, BOLD)
    page.body()
    for head in ("A. Forests", "B. Towns"):
        page.head(head, 10, ITALIC)
        page.body()
        for number, text in enumerate(("Red Foxes", "2-year-old Foxes"), 1):
            page.run_in(
                f"{number}) {text}:" if number == 1 else f"{text}:",
                "They were counted by hand.",
                ITALIC,
                90,
            )
    page.head("II. CONCLUSIONS", 10, BOLD)
    page.body()
    assert levels(document(page)) == [
        ("I. INTRODUCTION", 1),
        ("A. Forests", 2),
        ("1) Red Foxes", 3),
        ("2-year-old Foxes", 3),
        ("B. Towns", 2),
        ("1) Red Foxes", 3),
        ("2-year-old Foxes", 3),
        ("II. CONCLUSIONS", 1),
    ]


@pytest.mark.parametrize("label", ["Summary", "Abstract", "SUMMARY:"])
def test_the_label_of_an_abstract_in_the_font_of_its_text(label):
    page = Page()
    page.head("The Foxes of the Northern Forest and Their Lives", 18)
    page.head("Ada Fox and Bob Vole", 10, "F1")
    page.head(
        f"{label} There is a lack of foxes in the forests of the north, "
        f"which few people have noticed.",
        10,
        "F1",
    )
    page.body(2)
    found = document(
        page, *paper(*((name, 12, BOLD) for name in ("Introduction", "Methods", "Results")))
    )
    assert levels(found)[0] == (label.rstrip(":"), 1)
    assert found.sections[0].text.startswith("There is a lack of foxes")
    assert found.title == "The Foxes of the Northern Forest and Their Lives"


def test_the_logo_of_a_journal_is_no_part_of_the_title():
    page = Page()
    page.head("The Journal of Forest Animals", 18)
    page.head("The Lives of Foxes in Northern Forests", 18, above=6)
    page.head("Introduction")
    page.body(5)
    found = document(page, *paper(*((name, 12, BOLD) for name in ("Methods", "Results"))))
    assert found.title == "The Lives of Foxes in Northern Forests"


def test_manuals_with_chapter_labels_above_titles_and_the_section_below_each_page():
    names = ["Foxes", "Owls", "Voles"]
    pages = []
    for number, (name, label) in enumerate(zip(names, ("ONE", "TWO", "THREE"), strict=True), 1):
        first, second = Page(), Page()
        first.head("CHAPTER", 12, x=450)
        first.head(label, 12, x=480)
        first.head(name.upper(), 20, x=450)
        first.body(4)
        second.body(4)
        second.head(f"{number}.1 Where they live", 14)
        second.body(4)
        second.text(72, 40, f"Chapter {number}. {name}", 9, BOLD)
        pages += [first, second]
    outline = [
        entry
        for n, name in enumerate(names)
        for entry in ((name, 2 * n, 1), ("Where they live", 2 * n + 1, 2))
    ]
    found = document(*pages, outline=outline)
    assert [(one.heading, one.level, one.pdf_pages) for one in found.sections] == [
        part
        for n, name in enumerate(names)
        for part in (
            (name.upper(), 1, (2 * n + 1, 2 * n + 2)),
            (f"{n + 1}.1 Where they live", 2, (2 * n + 2,)),
        )
    ]
    assert not any(word in found.text for word in ("CHAPTER", "ONE", "TWO", "THREE", "Chapter"))


def test_each_pass_over_the_document_can_be_left_out():
    lines = []
    for n, (text, size) in enumerate(
        (text, 10) if n % 4 else (text, 14) for n, text in enumerate(["Methods", *TEXT] * 3)
    ):
        lines.append(
            Line(
                text,
                1,
                0,
                0,
                500,
                0,
                480 if size == 10 else 60,
                700 - 14 * n,
                size,
                "F",
                False,
                False,
                gap=14,
            )
        )
    for name, _ in DOCUMENT_PASSES:
        read_sections(lines, [], "", Dropped(), without=frozenset({name}))
    _, sections = read_sections(lines, [], "", Dropped(), without=frozenset({"headings by style"}))
    assert not any(section.heading == "Methods" for section in sections)


def test_a_part_of_a_paper_is_not_below_another_that_looks_the_same():
    pages = paper(
        *(
            (name, 12, BOLD)
            for name in ("Introduction", "Methods", "Results", "Numbers", "Discussion")
        )
    )
    outline = [
        ("Introduction", 0, 1),
        ("Methods", 1, 1),
        ("Results", 2, 1),
        ("Numbers", 3, 2),
        ("Discussion", 4, 2),
    ]
    found = levels(document(*pages, outline=outline))
    assert found == [
        ("Introduction", 1),
        ("Methods", 1),
        ("Results", 1),
        ("Numbers", 2),
        ("Discussion", 1),
    ]


def test_without_lines_there_is_no_heading():
    assert by_run_in([], Body(10, "F")) == []


def test_the_last_word_of_a_sentence_is_no_heading():
    page = Page()
    page.head("1 Foxes")
    page.body(2)
    full = (
        "for many miles, and all of the ways that they took are told in the second part of "
        "the large Notation"
    )
    page.y = page.lines(72, page.y, [*TEXT[:2], full, "Reference."]) - 14
    page.body()
    page.head("2 Birds")
    page.body(3)
    assert [heading for heading, _ in levels(document(page))] == ["1 Foxes", "2 Birds"]


def test_after_code_a_capital_begins_something_new():
    page = Page()
    page.head("1 Foxes")
    page.body(2)
    full = (
        "for many miles, and whoever wants to follow all of them through the woods at night "
        "can now write this"
    )
    page.y = page.lines(72, page.y, [*TEXT[:2], full])
    page.text(72, page.y, "follow(fox, at=night)", 9, "F5")
    page.y -= 12
    page.body(2)
    (section,) = (one for one in document(page).sections if one.heading == "1 Foxes")
    assert [one.text.endswith("can now write this") for one in section.paragraphs].count(True) == 1


def test_the_beginning_of_a_memo_is_no_abstract():
    first = Page()
    first.head("Memo on the Foxes of the Valley", 18)
    first.body(2)
    pages = paper(*((name, 12, BOLD) for name in ("Background", "Costs", "References")))
    found = document(first, *pages)
    assert [one.heading for one in found.sections] == ["", "Background", "Costs"]
    assert found.sections[0].text.startswith("Foxes live in forests")
