"""Numbers in an answer: strictly parsed, since what is half right cannot be told from nonsense."""

import json
from collections.abc import Collection
from typing import Any

from ..errors import PagesumError


class AnswerError(PagesumError):
    """An answer that is no choice of the given sentences."""


def numbers_in(text: str, allowed: Collection[int], limit: int) -> list[int]:
    """The first numbers of an answer, each once.

    Args:
        text: ``{"numbers": [3, 1]}`` or ``[3, 1]``.
        allowed: The numbers that were asked about.
        limit: More than so many are left out.

    Raises:
        AnswerError: It is anything else, or has a number that was not asked about.
    """
    answer = _json_in(text)
    if isinstance(answer, dict) and list(answer) == ["numbers"]:
        answer = answer["numbers"]
    if not isinstance(answer, list) or not all(type(one) is int for one in answer):
        raise AnswerError("the answer is not a list of numbers")
    unknown = [one for one in answer if one not in allowed]
    if unknown:
        raise AnswerError(f"the answer has {len(unknown)} numbers without a sentence")
    return list(dict.fromkeys(answer))[:limit]


def _json_in(text: str) -> Any:
    """The JSON of an answer, without what models put around it: their thoughts, a code block."""
    text = text.strip()
    if text.startswith("<think>"):
        text = text.partition("</think>")[2].strip()
    text = text.removeprefix("```json").removeprefix("```").removesuffix("```")
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise AnswerError("the answer is not JSON") from None
