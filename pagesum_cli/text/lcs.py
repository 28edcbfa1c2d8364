"""Longest common subsequences by bit-parallel rows (Hyyrö 2004)."""

from collections.abc import Sequence


def positions_of(tokens: Sequence[str]) -> dict[str, int]:
    """The set of places of each token, as bits."""
    positions: dict[str, int] = {}
    for place, token in enumerate(tokens):
        positions[token] = positions.get(token, 0) | 1 << place
    return positions


def lcs_rows(tokens: Sequence[str], positions: dict[str, int], width: int) -> list[int]:
    """The rows of the table of longest common subsequences, as bits.

    Entry (i, j) of the table, for the first i ``tokens`` and the first j of the ``width`` tokens on the other side, is
    the number of ones among the lowest j bits of row i.

    Args:
        tokens: One side.
        positions: :func:`positions_of` the other side.
        width: Its number of tokens.
    """
    full = (1 << width) - 1
    row = full  # zeros are the steps of the table
    rows = [0]
    for token in tokens:
        step = row & positions.get(token, 0)
        if step:
            row = ((row + step) | (row - step)) & full
        rows.append(full ^ row)
    return rows
