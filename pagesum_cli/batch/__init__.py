"""Summarizing many documents: what is to be done, what an earlier run has done, and where results go."""
