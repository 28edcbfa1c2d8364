"""Summary → JSON."""

import json
from typing import Any

from ..summary import Summary

DIGITS = 6
"""Of confidences: each sentence's still sum to 1 within 1e-3 where there are a thousand pages."""


def json_view(summary: Summary, *, one_line: bool = False) -> str:
    """One JSON object (see docs/json.md).

    Args:
        summary: what to write.
        one_line: as a line of JSON Lines; else a line each for every field, sentence, token and page.
    """
    fields = _rounded(summary.to_json())
    if one_line:
        return json.dumps(fields, ensure_ascii=False)
    return "{\n" + ",\n".join(f"  {json.dumps(name)}: {_value(value)}" for name, value in fields.items()) + "\n}"


def _value(value: Any) -> str:
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(f"    {json.dumps(item, ensure_ascii=False)}" for item in value) + "\n  ]"
    return json.dumps(value, ensure_ascii=False)


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, DIGITS)
    if isinstance(value, dict):
        return {name: _rounded(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_rounded(item) for item in value]
    return value
