"""Documents → pages."""

from .flow import Page, Pages, TokenCounter, Tokens
from .localities import LOCALITIES, Locality
from .paginate import Cut, as_automatic, cut, documents_to_read, paginate

__all__ = ["LOCALITIES", "Cut", "Locality", "Page", "Pages", "TokenCounter", "Tokens", "cut"]
__all__ += ["as_automatic", "documents_to_read", "paginate"]
