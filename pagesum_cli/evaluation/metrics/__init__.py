"""Metrics, one module each."""
