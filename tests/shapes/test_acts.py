"""What the clauses of a by-law do."""

from typing import Any

import pytest

from pagesum_cli.shapes import acts
from pagesum_cli.shapes.acts import act_of
from pagesum_cli.text.tables import table

ROWS = table(acts.__file__, "acts.toml")["act"]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["name"])
def test_each_row_finds_its_example_and_not_its_counter_example(row: dict[str, Any]) -> None:
    assert act_of(row["example"]) == row["name"]
    assert act_of(row["counter"]) != row["name"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "No Person shall cause or permit a stone to turn at night.",
            "prohibition",
        ),
        ("Section 9 does not apply to: a mill where grinding is required for repair.", "exception"),
        ("Every person who fails to comply with the by-law is guilty of an offence.", "penalty"),
        ("The Council may confirm, modify or revoke the order.", "decision"),
        ("The licence may be revoked by the Clerk.", "penalty"),
        ("Should any section be declared invalid, the rest shall remain in force.", "formal"),
        ("Prosecution shall not preclude any other action to recover damages.", "formal"),
        ("The owner shall cut the reeds whenever they exceed one metre.", "requirement"),
        ("If no cracks have been found, millers must turn the stone at once.", "requirement"),
        ("Where no licence has been issued, no person shall grind.", "prohibition"),
        ("The policy must not: require the name of a miller.", "prohibition"),
        ("If the mill is not closed, it may be closed at the person's expense.", "penalty"),
        ("A miller who commits three violations may be denied entry to the mill.", "penalty"),
        ("Night work will be avoided; if it is required, it will end at five.", ""),
        ("A licence is required for each stone.", "requirement"),
        ("Despite Subsection B, a church, school or mill may keep one box.", "exception"),
        ("Despite section 3, the Clerk may approve the mill.", "decision"),
        ("Notwithstanding any rule, a person may grind for the poor.", "exception"),
        ("Your mill may not have the power to grind.", ""),
    ],
)
def test_a_clause_does_what_its_own_verb_says(text: str, expected: str) -> None:
    assert act_of(text) == expected
