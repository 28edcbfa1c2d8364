"""What is left out of quotes and put into them, and what must stay."""

import pytest

from pagesum_cli.summary.repairs import Repaired, Repairer, applied
from pagesum_cli.text.abbreviations import agreeing, definitions, long_form

TEXT = (
    "Networks with long short-term memory (LSTM) were compared with convolutional neural "
    "networks (CNNs), the traffic "
    "management system (TMS) of the World Health Organization (WHO; Smith et al., 2009), read as "
    "PDF (portable "
    "document format). One convolutional neural network won, as did traffic management systems. "
    "ER (emergency room) is "
    "not ER (endoplasmic reticulum). Glycoside hydrolase (GH)."
)


def repaired(
    text: str, *, follows: bool = False, leads: bool = False, origin: str = ""
) -> Repaired:
    found = Repairer({"a.txt": TEXT}).repaired(
        text, "a.txt", follows=follows, leads=leads, origin=origin
    )
    assert found.text == applied(text, found.omitted, found.inserted)
    assert "  " not in found.text
    return found


def test_what_is_left_out_and_put_in_has_its_offsets() -> None:
    found = repaired("In conclusion, the LSTM won (Figure 5B).")
    assert found.text == "The LSTM [long short-term memory] won."
    assert found.omitted == ((0, 15), (15, 16), (27, 39))
    assert found.inserted == ((0, "T"), (8, " [long short-term memory]"))


@pytest.mark.parametrize(
    "text",
    [
        "WASTE BOX - The boxes that are listed in Schedule B.",
        "GENERAL MANAGER – The General Manager of the mills.",
        "TRANSFER STATION — A place that belongs to the town.",
    ],
)
def test_a_term_that_is_defined_is_no_dateline(text: str) -> None:
    assert repaired(text).text == text


@pytest.mark.parametrize(
    "opener",
    [
        "RIVERTON (AP) — ",
        "NEW YORK, Jan. 3 (Reuters) - ",
        "LYON, March 3, 2024 (Reuters) - ",
        "PARIS, March 3, 2024 – ",
        "LONDON — ",
        "• ",
        "- ",
        "Abstract ",
        "CONCLUSIONS ",
        "Conclusion: ",
        "Background. ",
        "Methods and results — ",
        "In conclusion, ",
        "Moreover , ",
        "Therefore, ",
    ],
)
def test_beginnings_that_are_left_out(opener: str) -> None:
    assert repaired(f"{opener}The harvest was late.").text == "The harvest was late."


def test_a_connective_needs_no_comma_before_a_subject() -> None:
    assert repaired("Therefore the harvest was late.").text == "The harvest was late."
    assert repaired("Thus far the harvest was late.").text == "Thus far the harvest was late."


@pytest.mark.parametrize(
    "text",
    [
        "DHS - Provide a report.",
        "A. thaliana grows.",
        "3.5 million were sold.",
        "NASA launched it.",
        "I — unlike you — left.",
        "- “Quoted.”",
        "-5 degrees.",
        "Thus spoke he.",
        "Background noise is high.",
        "Abstract Expressionism was late.",
        "Methods: To measure wheat.",
        "In addition to wheat, rye was sown.",
        "In conclusion, and despite the rain, wheat grew.",
        "First, wheat was cut, and secondly, it was sold.",
    ],
)
def test_beginnings_that_stay(text: str) -> None:
    assert repaired(text).text == text


def test_a_name_keeps_its_small_letter() -> None:
    assert repaired("In conclusion, mRNA decays.").text == "mRNA decays."
    assert repaired("- loader.load does it.").text == "loader.load does it."
    assert repaired("Hence, p53 is found.").text == "p53 is found."
    assert repaired("in conclusion , wheat grew .").text == "wheat grew ."


def test_a_contrast_keeps_its_word_and_needs_its_other_half() -> None:
    for text in ("However, it rained.", "On the other hand, it rained.", "But it rained."):
        assert (repaired(text).text, repaired(text).needs_context) == (text, True)
        assert not repaired(text, follows=True).needs_context
    assert (
        repaired("Finally, however, it rained.").text,
        repaired("Butter rose.").needs_context,
    ) == (
        "However, it rained.",
        False,
    )


def test_a_sequence_keeps_its_words_where_it_is_quoted() -> None:
    assert repaired("First, we sowed.").text == "We sowed."
    assert repaired("First, we sowed.", leads=True).text == "First, we sowed."
    assert repaired("Second, we reaped.", follows=True).text == "Second, we reaped."


@pytest.mark.parametrize(
    "bracket",
    [
        "(Figure 5B)",
        "(Fig. 2A, B; Table S1)",
        "(see Table 2)",
        "(S9 Fig)",
        "(section 3)",
        "(appendix p 12)",
        "(Additional file 1: Figure S1b)",
        "(Figures 3 and 4)",
        "(Smith et al., 2010; Lee 2011)",
        "(Smith, 2010a,b)",
        "(Po et al., 2020)",
        "(e.g., Iyer et al., 2017)",
        "(Winter et al., 2011)",
        "(Baeza-Yates & Gonnet, 1992)",
        "(cf. van der Berg, 2001; Fig. 2)",
        "(Smith, J. K., 2010)",
        "[12, 13]",
        "[14–16]",
        "[12], [13] and [14]",
        "[Smith et al., 2010]",
        "[P-J Proudhon, p. 264]",
        "[GB16, VS+17]",
    ],
)
def test_references_are_left_out(bracket: str) -> None:
    assert (
        repaired(f"Wheat {bracket} grew {bracket}, as rye {bracket}.").text == "Wheat grew, as rye."
    )


@pytest.mark.parametrize(
    "text",
    [
        "It grew as in (12), see (Smith et al., 2010) and [13].",
        "It was found by [12] that in [3] it is shown.",
        "In [1], [2] and [3], wheat grew.",
        "In 1990, [12] found wheat.",
        "[12] and [13] found wheat.",
        "Values in the range [1, 5] and args[1] grow.",
        "The median age was 62 [55–70].",
        "It rose in four towns (New York, 2010; Paris).",
        "It was held (TREC 2005) in spring (June 2010).",
        "It grew (p < 0.05) in both groups (n = 12).",
        "Boys (12) and girls (15) were asked (Smith was not).",
        "See [12]’s proof and f[12](x).",
        "The act (Section 504) was passed.",
    ],
)
def test_brackets_that_stay(text: str) -> None:
    assert repaired(text).text == text


def test_names_and_years_are_citations_only_where_others_are_cited() -> None:
    text = "Wheat grew (Berlin, 1910)."
    assert (
        Repairer({"a.txt": "No citations."})
        .repaired(text, "a.txt", follows=False, leads=False)
        .text
        == text
    )


def test_abbreviations_are_explained_once() -> None:
    repairer = Repairer({"a.txt": TEXT})

    def text_of(text: str) -> str:
        return repairer.repaired(text, "a.txt", follows=True, leads=True).text

    assert text_of("LSTM-based, LSTM.py and the WHO's.") == "LSTM-based, LSTM.py and the WHO's."
    assert text_of("The CNN:LSTM ratio rose.") == "The CNN:LSTM ratio rose."
    assert text_of("A CNN, an LSTM, a TMS, a PDF and the ER.") == (
        "A CNN [convolutional neural network], an LSTM [long short-term memory], a TMS, "
        "a PDF and the ER."
    )
    assert text_of("CNNs and LSTMs won.") == "CNNs and LSTMs won."
    # a letter in brackets belongs to it, and changes what it means
    assert text_of("Fewer (S)TMSs and (S) TMSs won.") == "Fewer (S)TMSs and (S) TMSs won."
    assert text_of("The TMSs won.") == "The TMSs [traffic management systems] won."
    assert text_of("The GHs won.") == "The GHs [Glycoside hydrolase] won."
    assert (
        text_of("The World Health Organization (WHO) met.")
        == "The World Health Organization (WHO) met."
    )
    assert text_of("The WHO met.") == "The WHO met."


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("High-performance computing (HPC) is at a high level.", "high-performance computing"),
        ("Gaussian processes (GP) help. The Gaussian kernel is smooth.", "Gaussian processes"),
        ("Hyper Text Markup (HTM) is hyper.", "Hyper Text Markup"),
    ],
)
def test_a_meaning_has_no_capital_of_a_sentence(text: str, meaning: str) -> None:
    short = text.partition("(")[2].partition(")")[0]
    assert agreeing(short, definitions(text)[short], text, is_plural=True).startswith(meaning)


@pytest.mark.parametrize(
    ("short", "text", "long"),
    [
        ("LSTM", "the long short-term memory", "long short-term memory"),
        ("HIV", "the human immunodeficiency virus", "human immunodeficiency virus"),
        ("LPS", "lipopolysaccharide", "lipopolysaccharide"),
        ("MOMENT", "metabolic modeling with enzyme kinetics", None),
        ("TUNEL", "by terminal deoxynucleotidyl transferase-mediated dUTP nick end labeling", None),
        (
            "TUNEL",
            "the transferase-mediated dUTP nick end labeling",
            "transferase-mediated dUTP nick end labeling",
        ),
        ("SVM", "a standard support vector machine", "support vector machine"),
        ("GC", "Gas chromatography analysis", None),
        ("XY", "nothing of it", None),
        ("RL", "reinforcement. It was then learned that it is of use for learning", None),
    ],
)
def test_long_forms(short: str, text: str, long: str | None) -> None:
    assert long_form(short, text) == long


def test_a_long_form_begins_with_the_name_before_a_function_word() -> None:
    assert definitions(
        "The Office of Management and Budget (OMB), as soon as possible (ASAP)."
    ) == {
        "OMB": "Office of Management and Budget",
        "ASAP": "as soon as possible",
    }


def test_an_abbreviation_can_stand_first_and_must_be_one() -> None:
    assert definitions(
        "The TMS (traffic management system), wheat (see below) and rye (n = 12)."
    ) == {"TMS": "traffic management system"}
    twice = definitions(
        "A glycoside hydrolase (GH), glycoside hydrolases (GHs), lipopolysaccharides (LPS)."
    )
    assert twice == {"GH": "glycoside hydrolase", "LPS": "lipopolysaccharides"}


@pytest.mark.parametrize(
    ("long", "text", "one", "many"),
    [
        ("essential oils", "an essential oil, essential oils", "essential oil", "essential oils"),
        ("essential oil", "an essential oil", "essential oil", "essential oil"),
        (
            "Post-translational tests",
            "Post-translational tests (Xs)",
            "Post-translational test",
            "Post-translational tests",
        ),
        ("Case studies", "A case study. Case studies", "case study", "case studies"),
        ("hydrolase", "one hydrolase, two hydrolases", "hydrolase", "hydrolases"),
        ("glass boxes", "a glass box, glass boxes", "glass box", "glass boxes"),
        ("molecular dynamics", "molecular dynamics", "molecular dynamics", "molecular dynamics"),
        ("Raman spectroscopy", "Raman spectroscopy", "Raman spectroscopy", "Raman spectroscopy"),
    ],
)
def test_long_forms_agree_in_number_as_far_as_the_document_has_them_so(
    long, text, one, many
) -> None:
    assert [agreeing("X", long, text, is_plural=plural) for plural in (False, True)] == [one, many]


def test_a_number_may_be_cited_after_a_year_where_numbers_are_cited() -> None:
    repairer = Repairer({"a.txt": "[1] [2] [3] [4] [5]"})
    for text, result in (
        ("It fell by 2016 [6].", "It fell by 2016."),
        ("It fell to 12 [6].", "It fell to 12 [6]."),
    ):
        assert repairer.repaired(text, "a.txt", follows=False, leads=False).text == result


def test_the_origin_stands_first() -> None:
    assert (
        repaired("It rained.", origin="Reuters, 3 January").text
        == "[Reuters, 3 January] It rained."
    )


def test_a_list_whose_first_word_would_be_lost_gives_no_meaning() -> None:
    assert definitions("vaccines against measles, mumps and rubella (MMR)") == {}
