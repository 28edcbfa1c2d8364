"""Documents → pages."""

from .cut import LOCALITIES, OVERFLOWS, cut
from .page import Page, Pages, TokenCounter

__all__ = ["LOCALITIES", "OVERFLOWS", "Page", "Pages", "TokenCounter", "cut"]
