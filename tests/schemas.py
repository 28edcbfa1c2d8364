"""Compares JSON that a verb prints with its schema."""

import json
from functools import cache

from jsonschema import Draft202012Validator

from pagesum_cli.views.schemas import OUTPUTS, schema_of


@cache
def validator(verb: str) -> Draft202012Validator:
    """Of a schema without further fields: each field that is printed must be in it."""
    schema = schema_of(verb)
    for definition in schema["$defs"].values():
        definition["additionalProperties"] = False
    return Draft202012Validator(schema)


def check(verb: str, text: str) -> None:
    """Fail if a verb's JSON does not follow its schema; of JSON Lines, each line."""
    if verb in OUTPUTS:
        is_lines = not text.startswith("{\n")
        for one in text.splitlines() if is_lines else [text]:
            validator(verb).validate(json.loads(one))
