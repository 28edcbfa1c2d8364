"""Documents → pages."""

from .page import Page, Pages, TokenCounter, Tokens
from .paginate import LOCALITIES, documents_to_read, paginate

__all__ = ["LOCALITIES", "Page", "Pages", "TokenCounter", "Tokens", "documents_to_read", "paginate"]
