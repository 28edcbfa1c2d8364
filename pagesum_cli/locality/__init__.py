"""Documents → pages."""

from .page import Page, Pages, TokenCounter, Tokens
from .paginate import LOCALITIES, paginate

__all__ = ["LOCALITIES", "Page", "Pages", "TokenCounter", "Tokens", "paginate"]
