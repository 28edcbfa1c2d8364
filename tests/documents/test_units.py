"""Units of paragraphs: labels, lists, citations, speakers, headings, quotations (``units.jsonl``).

A case is the paragraphs of a section and the sentences that they have; ``is_negative`` where something looks
like such a unit and is none. Cases of ``split`` "held-out" are from other documents than those of "tuned", by
which the rules were made. ``units_sources.json`` has title and licence of each source.
"""

import json
from pathlib import Path

import pytest

from pagesum_cli.documents.model import Paragraph, Section
from pagesum_cli.documents.sentences import sentences_of
from pagesum_cli.documents.units import with_units

FOLDER = Path(__file__).parent
CASES = [json.loads(line) for line in (FOLDER / "units.jsonl").read_text(encoding="utf-8").splitlines()]


def units_of(paragraphs: list[str]) -> list[dict[str, str]]:
    (section,) = with_units([Section("", tuple(map(Paragraph, paragraphs)))])
    units = []
    for one in sentences_of(section):
        lead_in = one.lead_in.text if one.lead_in else ""
        label = "" if one.role == "label" else one.label
        stated = {"front": one.front, "label": label, "speaker": one.speaker, "role": one.role, "lead_in": lead_in}
        units.append({"text": one.text} | {name: value for name, value in stated.items() if value})
    return units


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['kind']}-{case['source']}")
def test_units(case: dict) -> None:
    assert units_of(case["paragraphs"]) == case["units"]
