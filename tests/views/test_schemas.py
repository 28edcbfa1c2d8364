"""The JSON schemas that --schema prints. That they fit what the verbs print is checked wherever a
test lets one print JSON: see ``schemas.py``.
"""

import json

import pytest
from jsonschema import Draft202012Validator, ValidationError
from schemas import validator

from pagesum_cli.summary.summary import Summary
from pagesum_cli.views.export import export
from pagesum_cli.views.schemas import OUTPUTS, meanings, schema_of


@pytest.mark.parametrize("verb", OUTPUTS)
def test_every_verb_with_json_prints_its_schema(pagesum, verb):
    result = pagesum(verb, "--schema")
    assert (result.code, result.err) == (0, "")
    schema = json.loads(result.out)
    assert schema == schema_of(verb)
    Draft202012Validator.check_schema(schema)
    assert "--schema" in pagesum(verb, "--help-all").out


def test_other_verbs_have_none(pagesum):
    result = pagesum("train", "--schema")
    assert (result.code, result.out) == (2, "")


def test_fields_are_explained():
    found = {}
    for verb in OUTPUTS:
        found |= schema_of(verb)["$defs"]
    for record, fields in meanings().items():
        assert fields.keys() <= found[record]["properties"].keys()
    for name in ("Summary", "Check", "Answers", "Evaluation"):
        properties = found[name]["properties"]
        told = [field for field, value in properties.items() if "description" in value]
        assert len(told) / len(properties) > 0.5
    assert all(one["description"] for one in found.values())


def test_a_summary_follows_its_schema(summary):
    validator("summarize").validate(json.loads(summary.to_line()))


def test_an_exported_summary_follows_its_schema(summary, tmp_path):
    path = tmp_path / "a.json"
    export(summary, str(path), "word")
    validator("inspect").validate(json.loads(path.read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("name", "value"), [("schema", 2), ("sentences", None), ("summary", 1), ("seconds", [])]
)
def test_what_is_no_summary_does_not_follow_it(summary, name, value):
    data = json.loads(summary.to_line()) | {name: value}
    with pytest.raises(ValidationError):
        validator("summarize").validate(data)


def test_the_schema_requires_what_reading_requires(summary):
    optional = {"title", "tokens"}  # of summaries that were saved before
    for name in set(schema_of("summarize")["$defs"]["Summary"]["required"]) - optional - {"schema"}:
        data = json.loads(summary.to_line())
        del data[name]
        with pytest.raises(ValidationError):
            validator("summarize").validate(data)
    assert Summary.from_json(json.loads(summary.to_line())).text == summary.text
