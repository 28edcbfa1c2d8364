"""What may fill the slots of a paper's brief summary."""

import pytest

from pagesum_cli.shapes.slots import Slot, slots

FITTING = [
    ("aim", "To analyze the efficacy of three concentrations of the extract.", "Aim", "abstract"),
    ("aim", "The aim of this study is to compare two therapies.", "Discussion", "discussion"),
    ("aim", "In this trial, the effect of garlic on pain was studied in rats.", "Background",
     "abstract"),
    ("aim", "We estimate the causal effect of fires on the taxes of counties.", "Abstract",
     "abstract"),
    ("aim", "The objectives are: 1) to describe farms; and 2) to count them.", "Abstract",
     "abstract"),
    ("aim", "This thesis presents new ways to find waves in the sky.", "Abstract", "abstract"),
    ("method", "Rats were divided into four groups and fed once daily.", "Methods", "abstract"),
    ("conclusion", "The extract was effective against all microorganisms.", "Conclusion",
     "abstract"),
    ("limitation", "The main limitation of our study is its short follow-up.", "4 Discussion",
     "discussion"),
    ("limitation", "Although this study was limited by the number of sequences, the results show "
     "where they rose.", "5 Conclusion", "conclusion"),
    ("limitation", "The farms are not representative of those on hills.", "Limitations", "methods"),
    ("limitation", "Since the package is currently limited to linear models, future work includes "
     "solvers.", "4. Future Work", "introduction"),
    ("limitation", "Because of the small sample, these results must be confirmed.", "Discussion",
     "discussion"),
    ("limitation", "The sample size may not be big enough, which is a type-2 error.", "Discussion",
     "discussion"),
    ("limitation", "This was a single-centre study, and the trial was stopped early.", "Discussion",
     "discussion"),
    ("conclusion", "The drug was safe, while it did not reduce the risk of death, supporting "
     "further studies.", "Conclusion", "abstract"),
]  # fmt: skip


def test_a_test_of_what_happened_to_patients_is_the_first_finding() -> None:
    finding = slots()["finding"]
    texts = [
        "The 3-year survival was 84.8 and 88.2 % (P = 0.986).",
        "The drug did not reduce the risk of recurrence.",
        "The markers were lower in the experimental group (P = 0.02).",
    ]
    ranks = [finding.rank(one, "Results", "abstract", "finding") for one in texts]
    assert ranks == [-1, -2, 0]


@pytest.mark.parametrize(
    "text",
    [
        "More research is needed on other crops.",
        "However, further investigation should be carried out on other pathogens.",
        "Future investigations are necessary to combine the compounds.",
        "Whether the variants differ requires further investigation.",
        "It would be of great importance to study further which compound is active.",
        "The dose remains to be confirmed in patients.",
        "Other therapies should be addressed in future trials.",
    ],
)
@pytest.mark.parametrize("part", ["abstract", "results", "discussion", "conclusion"])
def test_what_is_left_to_others_is_a_limit_after_all_others(text: str, part: str) -> None:
    heading = "Conclusions" if part == "abstract" else part
    ranks = {name: one.rank(text, heading, part, "") for name, one in slots().items()}
    own = "A limitation of our study is its short follow-up."
    first = slots()["limitation"].rank(own, "Discussion", "discussion", "")
    assert (ranks.pop("limitation") or 0) > (first or 0)
    assert part == "abstract" or set(ranks.values()) == {None}


@pytest.mark.parametrize(
    "text",
    [
        "We evaluated the effect of three extracts on the virus.",
        "The aim was to compare two extracts.",
        "Two herbs were taken up to study their effect on the virus.",
        "A new strategy for porous cathodes is presented, which involves two molecules.",
    ],
)
def test_below_the_label_of_the_background_words_are_enough_for_an_aim(text: str) -> None:
    aim = slots()["aim"]
    assert aim.rank(text, "Background", "abstract", "method") == 0
    assert aim.rank(text, "Methods", "abstract", "method") is None
    assert aim.rank(text, "2 Methods", "methods", "method") is None


def test_a_measured_number_below_results_and_in_an_abstract_is_a_finding() -> None:
    finding, text = slots()["finding"], "MICs ranged from 2.84 to 8.37 mg/ml."
    assert finding.rank(text, "Results", "abstract", "") == 0
    assert finding.rank(text, "Abstract", "abstract", "finding") == 0
    assert finding.rank(text, "Abstract", "abstract", "") is None
    assert finding.rank(text, "3 Results", "results", "finding") is None


@pytest.mark.parametrize(
    ("text", "is_measured"),
    [
        ("The oil held 35.38 % of it.", True),
        ("The yield rose (p < 0.01).", True),
        ("In both oils 62 compounds were found.", True),
        ("The worms died after 12 min.", True),
        ("In all 37 elderly patients were treated.", False),
        ("The strain ATCC 25923 was resistant.", False),
        ("Strain 2A was resistant in August 2015 too.", False),
        ("The effect on P815 cells and H9N2 viruses was high.", False),
    ],
)
def test_the_number_of_a_name_is_not_measured(text: str, is_measured: bool) -> None:
    assert slots()["finding"].has_number(text) is is_measured


def test_an_announcement_of_limits_is_none() -> None:
    text = "There are several limitations to this study."
    assert slots()["limitation"].rank(text, "Limitations", "discussion", "") is None


@pytest.mark.parametrize(("slot", "text", "heading", "part"), FITTING)
def test_a_sentence_fits_one_slot(slot: str, text: str, heading: str, part: str) -> None:
    ranks = {name: one.rank(text, heading, part, "") for name, one in slots().items()}
    assert [name for name, rank in ranks.items() if rank is not None] == [slot]


@pytest.mark.parametrize(
    ("role", "text", "heading", "part"),
    [
        ("limitation", "Future work will test larger farms.", "6 Future Work", "conclusion"),
        ("limitation", "The tool overcomes the main limitation of the older ones.", "Discussion",
         "discussion"),
        ("limitation", "A limitation of previous studies is their small sample.", "Discussion",
         "discussion"),
        ("finding", "The ACTS trial showed that survival is low.", "Background", "abstract"),
        ("finding", "The SCNSL1 trial has shown a survival of 45 % at two years.", "Discussion",
         "discussion"),
        ("finding", "Studies in mice suggest a higher expression of the genes.", "Abstract",
         "abstract"),
        ("finding", "In different studies, garlic was demonstrated to be effective against flies.",
         "5 Discussion", "discussion"),
        ("finding", "It has long been recognized that stress led to a lower yield.", "Discussion",
         "discussion"),
        ("finding", "The yield was higher, in line with the results of older trials.",
         "Discussion", "discussion"),
        ("finding", "A reduction of 40 % was observed in rats (12, 14).", "Discussion",
         "discussion"),
        ("limitation", "More research is needed on other crops.", "1 Introduction",
         "introduction"),
        ("finding", "Between March and May, 79 patients were enrolled.", "Findings", "abstract"),
        ("limitation", "The trial suggested that the dose needs to be further improved.",
         "Discussion", "discussion"),
        ("limitation", "Further studies will be published in May.", "Discussion", "discussion"),
        ("finding", "The extract was found to be diluted with water.", "Methods", "abstract"),
        ("finding", "The results will provide data for many patients.", "Discussion", "discussion"),
        ("finding", "The goal of the model is to find higher scores.", "4 Results", "results"),
        ("finding", "Research is needed to study the higher yields.", "6 Conclusion", "conclusion"),
        ("aim", "In this section, we describe the attributes of nodes.", "2 Nodes", "introduction"),
        ("method", "Written informed consent was obtained from all.", "Methods", "methods"),
        ("method", "Good inhibition was recorded for most of the microorganisms.", "Abstract",
         "abstract"),
        ("finding", "Trial registration: the trial was prospectively registered in 2018 and led to "
         "this.", "Conclusion", "abstract"),
        ("method", "The hopping of ions was believed to result in conduction.", "Methods",
         "methods"),
        ("method", "Unlike others, we use no types of entities.", "3 Methods", "methods"),
    ],
)  # fmt: skip
def test_what_belongs_elsewhere_fills_no_slot(
    role: str, text: str, heading: str, part: str
) -> None:
    assert all(one.rank(text, heading, part, role) is None for one in slots().values())


def test_the_primary_endpoint_and_the_design_come_first() -> None:
    finding, method = slots()["finding"], slots()["method"]

    def ranks(slot: Slot, heading: str, *texts: str) -> list[int]:
        found = (slot.rank(text, heading, "abstract", "") for text in texts)
        return [rank for rank in found if rank is not None]

    met = "The primary endpoint was met, with a survival of 58%."
    other, first = ranks(finding, "Findings", "Anaemia was found in 26 patients.", met)
    assert first < other
    design = "This single-arm, phase 2 trial was done in 24 hospitals."
    other, first = ranks(method, "Methods", "Analyses were by intention to treat.", design)
    assert first < other


def test_what_is_good_about_a_study_is_no_limit_under_a_heading_of_both() -> None:
    limitation = slots()["limitation"]
    heading = "Strengths and limitations of this study"
    strength = "This is the first trial of bread in the north, with a large sample."
    assert limitation.rank(strength, heading, "abstract", "") is None
    assert limitation.rank("Blinding is not possible.", heading, "abstract", "") is not None


def test_how_groups_were_made_comes_before_other_methods_and_where_things_are_from_is_none() -> (
    None
):
    method = slots()["method"]
    groups = "In this research, 30 male rats were divided into three groups."
    other = "The acid in brain tissues was analyzed by an assay."
    ranks = [method.rank(one, "Methods", "abstract", "method") for one in (groups, other)]
    assert ranks == [-2, 0]
    from_others = "The leaves were prepared from Center for Research in Java."
    assert method.rank(from_others, "2 Methods", "methods", "method") is None


@pytest.mark.parametrize(
    "text",
    [
        "In this work, porous carbon is synthesized from reed flowers.",
        "Herein, we prepared a membrane with silica.",
        "Here, the structure and the role of the enzyme are discussed.",
        "Inspired by leaves, a novel composite was proposed as an anode.",
    ],
)
def test_what_a_study_makes_is_its_aim_where_no_other_is_named(text: str) -> None:
    aim = slots()["aim"]
    rank = aim.rank(text, "Abstract", "abstract", "")
    named = aim.rank("The aim of this study is to compare anodes.", "Abstract", "abstract", "")
    assert rank is not None
    assert named is not None
    assert rank > named
    assert aim.rank(text, "Methods", "abstract", "") is None


@pytest.mark.parametrize(
    "text",
    [
        "Data were collected at 3–30° using Cu-Ka radiation.",
        "Proton chemical shifts are reported in parts per million.",
        "The contigs were scaffolded using SSPACE-2.0.",
    ],
)
def test_what_every_laboratory_does_is_routine(text: str) -> None:
    assert slots()["method"].routine.search(text)
