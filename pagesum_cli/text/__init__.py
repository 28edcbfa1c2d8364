"""Computations on text that several packages share."""
