"""Summary → one HTML file: the summary beside the text that it comes from. It needs no network."""

from .page import reading_page

__all__ = ["reading_page"]
