"""Human evaluation: the pages on which annotators mark errors or choose the better summary, and the reports."""

from .best_worst import best_worst_page
from .page import annotation_page
from .report import annotations_written, best_worst_written

__all__ = ["annotation_page", "annotations_written", "best_worst_page", "best_worst_written"]
