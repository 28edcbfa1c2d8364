"""Summary → JSON."""

import json
from typing import Any

from ..summary.summary import Summary

DIGITS = 6
"""Decimal places of confidences: those of a sentence still sum to 1 within 1e-3 for a thousand pages."""


def json_line(summary: Summary, *, cite: bool = False) -> str:
    """One line of JSON Lines (see docs/json.md); ``cite`` changes nothing."""
    return json.dumps(_rounded(summary.to_json()), ensure_ascii=False)


def json_view(summary: Summary, *, cite: bool = False) -> str:
    """One JSON object with a line for every field, sentence, token and page; ``cite`` changes nothing."""
    fields = _rounded(summary.to_json())
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
