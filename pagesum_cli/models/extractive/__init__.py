"""Extraction: pages encoded alone, the sentences of the whole document scored beside each other,
the best quoted.
"""
