"""Documents → pages."""

from .flow import Page, Pages, TokenCounter, Tokens
from .localities import LOCALITIES, Locality
from .paginate import documents_to_read, paginate

__all__ = ["LOCALITIES", "Locality", "Page", "Pages", "TokenCounter", "Tokens", "documents_to_read", "paginate"]
