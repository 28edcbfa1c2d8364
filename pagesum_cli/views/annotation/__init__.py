"""Human evaluation: the page on which annotators mark errors, and the report."""

from .page import annotation_page
from .report import annotations_written

__all__ = ["annotation_page", "annotations_written"]
