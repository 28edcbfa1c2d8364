"""Diverse subsets by a determinantal point process: greedy maximization of the determinant (MAP inference).

A kernel has quality and diversity, L_ij = q_i φ_iᵀφ_j q_j with unit vectors φ: the determinant of a subset is the
product of its squared qualities times the squared volume that its vectors span.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SMALLEST = 1e-10
"""What the span of the selected items leaves of another one, squared, below which it adds nothing."""


def greedy_map(qualities: Array, similarities: Callable[[int], Array]) -> Iterator[int]:
    """Algorithm 1 of Perez-Beltrachini and Lapata (2021): add the item that makes the determinant largest.

    Each selection after ``k`` others takes ``O(M k)``, by updating a Cholesky factor (Chen et al., "Fast greedy MAP
    inference for determinantal point process", 2018).

    Args:
        qualities: q ``(M,)``.
        similarities: φᵀφ of an item with all items ``(M,)``; 1 with itself.

    Yields:
        Items in the order of selection, until no other one has a quality above 0 and adds to the span.
    """
    left = np.ones(len(qualities))  # squared length of each φ outside the span of the selected items
    factors: list[Array] = []
    while np.any(is_open := (left > SMALLEST) & (qualities > 0)):
        item = int(np.where(is_open, qualities**2 * left, -1.0).argmax())
        yield item
        along = similarities(item).astype(np.float64)
        for factor in factors:
            along = along - factor[item] * factor
        factors.append(along / np.sqrt(left[item]))
        left = np.maximum(left - factors[-1] ** 2, 0.0)
        left[item] = 0.0
