"""Which sentences stand alone, which announce, and the roles of a paper's sentences."""

import pytest

from pagesum_cli.shapes.rules import (
    announces,
    defined,
    has_verb,
    is_about_book,
    is_detail,
    is_empty,
    is_minor,
    is_said_by,
    needs_context,
    opens,
    specific,
)


@pytest.mark.parametrize(
    "text",
    [
        "This means that the package must be rebuilt.",
        "However, the mills stood still.",
        "The former are built first.",
        "In this case, the upload is refused.",
        "One of these tools is called dpkg.",
        "The following packages are needed:",
        "In one point, her feelings were relieved.",
        "Will be active only when the flag is set.",
        "On journeys through the States we start, ...",
    ],
)
def test_a_sentence_that_points_back_needs_context(text: str) -> None:
    assert needs_context(text)


@pytest.mark.parametrize(
    "text",
    [
        "Debian is a free operating system.",
        "Wheat cost a third more than the year before.",
        "The committee acknowledges that mills are old.",
        "The valley is divided into three districts.",
        "Every miller thanks the river.",
        "The court found that the act is invalid.",
    ],
)
def test_others_stand_alone(text: str) -> None:
    assert not needs_context(text)
    assert not announces(text)


@pytest.mark.parametrize(
    "text",
    [
        "We will discuss the installation.",
        "In this chapter, the tools are described.",
        "See the manual for a list.",
        "For additional information, consult the manual.",
        "Below is a table of the services.",
        "It comes with ABSOLUTELY NO WARRANTY.",
        "The options are described in section 4.",
        "Tests are run by a program (see Chapter 3).",
        "We will start the thesis with an introduction on parallel processors.",
        "We begin by discussing the structure of processors.",
        "This report is organized as follows.",
        "The study is divided into three parts.",
        "The authors would like to thank the millers of the valley.",
        "We gratefully acknowledge the support of the bakers.",
        "For more information, contact the office of mills.",
        "If you have any questions about this report, please call us.",
        "We provided a draft of this report to the bakers for comment.",
        "We did this audit in accordance with generally accepted government auditing standards.",
        "This report was prepared by the office of mills.",
        "If any part of this act is held invalid, the other parts stay in force.",
        "This act may be cited as the Mill Act.",
        "This is an office consolidation of the mill by-law.",
    ],
)
def test_announcements_are_recognized(text: str) -> None:
    assert announces(text)


def test_chapters_are_weighed_by_their_titles() -> None:
    assert is_minor("Appendix B. Changes")
    assert is_minor("GNU Free Documentation License")
    assert is_minor("7 Glossary")
    assert not is_minor("Chapter 4. Installation")
    assert opens("1. Introduction")
    assert opens("What is Linux?")
    assert not opens("Installation")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("This thesis introduces a language for processors.", True),
        ("This document tries to describe the building of a package to ordinary users.", True),
        ("The purpose of this manual is to provide an overview of the procedures.", True),
        ("This manual is a guide to the program.", True),
        ("This document is under the terms of a free license.", False),
        ("The council met twice.", False),
    ],
)
def test_a_sentence_that_says_what_its_book_is_about(text: str, expected: bool) -> None:
    assert is_about_book(text) == expected


def test_titles_and_entries_of_lists_have_no_verb() -> None:
    assert has_verb("HMMER uses a simple rule to infer fragments.")
    assert has_verb("Stockholm alignments can be concatenated.")
    assert not has_verb("A FASTA file containing the sequence of human hemoglobin.")
    assert not has_verb("Flags the start of the main model section.")
    assert not has_verb("A machine which will be started by the server and its disk.")
    assert has_verb("A machine that has no disk is started by the server.")
    assert has_verb("Threads come with every system.")


@pytest.mark.parametrize(
    "text",
    [
        "Working with sheets is described in the Sheets chapter.",
        "The dense version will be used for g and the other graphs.",
        "If options.canon = TRUE, the labelling is canonical.",
        "The sets are called orbits; in the example they have four members.",
        "make-thread function &key name [Function] Create a thread that runs a function.",
        "In 1999, I had to install a cluster of sixteen machines.",
        "To make it a system that children of all ages will want to use.",
        "“Would you all like to ride?” one of the sisters asked us at breakfast.",
        "In speaking of music I wish at the outset to make certain reservations.",
        "Having described the instruments, the music itself must be considered.",
        "First-order systems have evolved into higher-order systems (on the left).",
    ],
)
def test_what_is_no_line_of_a_chapter(text: str) -> None:
    assert is_detail(text)


def test_other_sentences_of_manuals_are_lines() -> None:
    assert not is_detail("The debugger is an interactive loop much like the normal top level.")
    assert not is_detail("To print a schematic, use the File menu.")
    assert not is_detail("Symbols are shown on the page.")
    assert not is_detail("“sort” is a program that orders lines.")


def test_what_a_sentence_defines() -> None:
    assert [one.strip() for one in defined("The Linux kernel is a program.")] == ["Linux kernel"]
    assert [one.strip() for one in defined("A Block Device (DRBD) is a disk.")] == [
        "Block Device",
        "DRBD",
    ]
    assert not defined("The council met twice.")


def test_titles_without_a_subject() -> None:
    assert is_empty("GNU Free Documentation License")
    assert is_empty("Concept Index")
    assert not is_empty("Index structures")
    assert not is_empty("Cross-references")
    assert not specific("User Guide").strip()
    assert "Streams" in specific("Using Streams")


def test_what_an_item_is_for_is_nobody_who_speaks() -> None:
    assert is_said_by("Anna Berg: The mill is old.")
    assert not is_said_by("To Approve: The sale of the mill")
