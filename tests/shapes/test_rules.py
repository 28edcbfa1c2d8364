"""Which sentences stand alone, which announce, and the roles of a paper's sentences."""

import pytest

from pagesum_cli.shapes.rules import announces, has_verb, is_about_book, is_minor, needs_context, opens


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
    ],
)
def test_a_sentence_that_points_back_needs_context(text: str) -> None:
    assert needs_context(text)


@pytest.mark.parametrize(
    "text", ["Debian is a free operating system.", "Wheat cost a third more than the year before."]
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
