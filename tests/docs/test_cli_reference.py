"""docs/cli.md lists the command line as it is."""

import runpy
from pathlib import Path

import typer

from pagesum_cli.cli.app import VERBS, app

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")


def test_the_page_is_up_to_date() -> None:
    made = runpy.run_path(str(ROOT / "docs" / "make_cli.py"))["reference"]()
    assert made == PAGE, "docs/cli.md is out of date: run python docs/make_cli.py"


def test_every_option_is_in_the_section_of_its_verb() -> None:
    top: object = typer.main.get_command(app)
    sections = {text.partition("\n")[0]: text for text in PAGE.split("\n## ")[1:]}
    assert list(sections) == [f"pagesum {verb}" for verb in VERBS]
    for verb in VERBS:
        command = top.get_command(None, verb)  # type: ignore[attr-defined]
        for one in [command, *getattr(command, "commands", {}).values()]:
            for parameter in one.params:
                names = (
                    [parameter.metavar]
                    if parameter.param_type_name == "argument"
                    else parameter.opts
                )
                for name in names:
                    assert (f"`{name}`" in sections[f"pagesum {verb}"]) is not parameter.hidden, (
                        name
                    )
                choices = () if parameter.hidden else parameter.type_descriptor.choices
            for choice in choices or ():
                assert f"`{choice}`" in sections[f"pagesum {verb}"]


def test_tables_have_four_cells() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `--")]
    assert len(rows) > 80
    assert all(line.replace("\\|", "").count("|") == 5 for line in rows)
