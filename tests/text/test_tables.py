"""Tables and patterns in TOML files beside modules."""

from pathlib import Path

from pagesum_cli.text.tables import patterns, table

CONTENT = r"""
first = '(?i)apples
      |pears'
names = ["a", "b"]

[inner]
second = "c"
"""


def test_a_line_that_begins_with_five_spaces_continues_the_last_one(tmp_path: Path) -> None:
    (tmp_path / "lists.toml").write_text(CONTENT, encoding="utf-8")
    found = table(str(tmp_path / "module.py"), "lists.toml")
    assert found == {"first": "(?i)apples|pears", "names": ["a", "b"], "inner": {"second": "c"}}


def test_modules_share_what_was_read_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "lists.toml").write_text(CONTENT, encoding="utf-8")
    one, other = (table(str(tmp_path / name), "lists.toml") for name in ("a.py", "b.py"))
    assert one is other


def test_patterns_are_the_entries_that_are_strings(tmp_path: Path) -> None:
    (tmp_path / "lists.toml").write_text(CONTENT, encoding="utf-8")
    found = patterns(str(tmp_path / "module.py"), "lists.toml")
    assert list(found) == ["first"]
    assert found["first"].fullmatch("PEARS")
