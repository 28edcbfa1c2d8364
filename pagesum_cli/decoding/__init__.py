"""Greedy and beam search over any scorer of next tokens. Knows tensors only."""
