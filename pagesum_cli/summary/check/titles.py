"""Titles and offices in front of a name, which a claim may leave out or add."""

from collections.abc import Sequence

from .tokens import LISTS, Token


def without_titles(tokens: Sequence[Token], after: Token | None) -> list[Token]:
    """Tokens without the titles in front of a name, among them or behind them; with a word that
    makes another office of one, such as "former", they stay.
    """
    if any(one.norm in LISTS["changing"] for one in tokens):
        return list(tokens)
    return [
        token
        for token, behind in zip(tokens, [*tokens, after][1:], strict=True)
        if not (is_title(token) and _is_named(behind))
    ]


def is_title(token: Token) -> bool:
    """Whether a word is a title or an office in front of a name."""
    return token.norm in LISTS["titles"] and token.text[0].isupper()


def without_courtesy(tokens: Sequence[Token]) -> list[Token]:
    """Tokens without Mr, Mrs and the like, which say nothing of whom is meant."""
    return [one for one in tokens if one.norm not in LISTS["courtesy"]]


def _is_named(token: Token | None) -> bool:
    """Whether a name follows, or another title in front of it."""
    return token is not None and (token.fact == "name" or is_title(token) or token.norm == ".")
