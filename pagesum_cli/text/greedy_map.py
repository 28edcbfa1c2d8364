"""Diverse subsets by a determinantal point process: greedy maximization of the determinant (MAP inference).

A kernel has quality and diversity, L_ij = q_i φ_iᵀφ_j q_j with unit vectors φ: the determinant of a subset is the
product of its squared qualities times the squared volume that its vectors span. Each selection takes linear time in the
number of items, by updating a Cholesky factor (Chen et al., "Fast greedy MAP inference for determinantal point
process", 2018).
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Rows = Callable[[int], NDArray[np.float64]]
"""The similarities φᵀφ of an item to all items ``(M,)``."""

SMALLEST = 1e-10
"""What the span of the selected items leaves of another one, squared, below which it adds nothing."""


class GreedyMap:
    """Items selected one after another, and how much each other one adds to the volume that they span.

    Args:
        items: ``M``.
        similarities: Rows of the similarities φᵀφ; 1 on the diagonal.

    Attributes:
        left: ``(M,)``: the squared length of each φ outside the span of the selected items, 0 to 1. The determinant of
            the kernel grows by the factor ``q² · left`` where an item is added.
    """

    def __init__(self, items: int, similarities: Rows) -> None:
        self.left = np.ones(items)
        self._similarities = similarities
        self._factors: list[NDArray[np.float64]] = []

    def add(self, item: int) -> None:
        """Select an item; takes ``O(M k)`` after ``k`` others."""
        along = self._similarities(item).astype(np.float64)
        for factor in self._factors:
            along = along - factor[item] * factor
        size = self.left[item]
        if size > SMALLEST:
            factor = along / np.sqrt(size)
            self._factors.append(factor)
            self.left = np.maximum(self.left - factor**2, 0.0)
        self.left[item] = 0.0


def greedy_map(qualities: NDArray[np.float64], features: NDArray[np.float64], number: int) -> list[int]:
    """Algorithm 1 of Perez-Beltrachini and Lapata (2021): add the item that makes the determinant largest.

    Args:
        qualities: q ``(M,)``, above 0.
        features: φ ``(M, D)``, each of length 1.
        number: Number of items; fewer are selected where no other one adds to the span.

    Returns:
        Items in the order of selection.
    """
    selection = GreedyMap(len(qualities), lambda item: features @ features[item])
    chosen: list[int] = []
    while len(chosen) < number and selection.left.max(initial=0.0) > SMALLEST:
        gains = np.where(selection.left > SMALLEST, qualities**2 * selection.left, -1.0)
        chosen.append(int(gains.argmax()))
        selection.add(chosen[-1])
    return chosen
