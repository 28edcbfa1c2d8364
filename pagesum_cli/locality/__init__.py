"""Documents → pages."""

from .base import LOCALITIES, Locality
from .page import Page, Pages, TokenCounter, Tokens
from .paginate import documents_to_read, paginate

__all__ = ["LOCALITIES", "Locality", "Page", "Pages", "TokenCounter", "Tokens", "documents_to_read", "paginate"]
