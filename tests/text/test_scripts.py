"""Superscripts and subscripts as plain text."""

import unicodedata

import pytest

from pagesum_cli.text import scripts
from pagesum_cli.text.scripts import subscript, superscript
from pagesum_cli.text.tables import table


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("6", "⁶"),
        ("-4", "⁻⁴"),
        ("−4", "⁻⁴"),
        ("2 ", "² "),
        ("(n+1)", "⁽ⁿ⁺¹⁾"),
        ("T", "ᵀ"),
        ("0.5", "^(0.5)"),
        ("1/2", "^(1/2)"),
        ("q", "^(q)"),
        ("x²", "^(x²)"),
        ("²", "²"),
        ("th", "th"),
        ("ST", "ST"),
        ("TM", "™"),
        ("°", "°"),
        ("*", "*"),
        (" ", " "),
        ("", ""),
        ("this is a note of the editors", "this is a note of the editors"),
    ],
)
def test_a_superscript_is_unicode_or_in_brackets(text: str, expected: str) -> None:
    assert superscript(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("2", "₂"), ("i", "ᵢ"), ("max", "ₘₐₓ"), ("i,j", "_(i,j)"), ("B", "_(B)"), ("th", "ₜₕ")],
)
def test_a_subscript_is_unicode_or_in_brackets(text: str, expected: str) -> None:
    assert subscript(text) == expected


@pytest.mark.parametrize("kind", ["superscript", "subscript"])
def test_each_character_is_the_script_of_its_own_letter(kind: str) -> None:
    both = table(scripts.__file__, "scripts.toml")[kind]
    # dashes are minus signs; Unicode has these Greek letters as those of phonetics only
    same = {"-": "−", "–": "−", "α": "ɑ", "ε": "ɛ", "ι": "ɩ"}
    for plain, script in zip(both["plain"], both["script"], strict=True):
        assert unicodedata.normalize("NFKC", script) == same.get(plain, plain)
