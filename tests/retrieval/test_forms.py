"""Headings are recognized by their form."""

import pytest

from pagesum_cli.retrieval.forms import STUB, form_of


@pytest.mark.parametrize(
    "title",
    [
        "Owner of a Mill Charged in Connection With the Theft of Seed",
        "Victim Fell While Attempting to Use a Makeshift Lift, Court Hears",
        "b. NON-Grain Mill Area (NON-GMA) or Flood Hazard Area Mill Permit.",
        "(a) Fees for the Use of Public Land",
    ],
)
def test_a_long_title_is_a_heading(title: str) -> None:
    assert form_of(title) == STUB


@pytest.mark.parametrize(
    "text",
    [
        "The owner of the Old Mill was charged on Friday by the council",
        "Lee, Page, Marx, Berg and Kahn Voted Against It.",
        "b. The Old Mill of Lee Was Closed.",
        "Amending the Articles of the Mill, Bylaws, or Policies.",
        "Published on Friday, 24 December 2024 in Old Town",
    ],
)
def test_a_sentence_or_date_is_no_heading(text: str) -> None:
    assert form_of(text) == ""
