"""What only the catalog of a PDF says: which layers are switched off, and whether the file is a portfolio."""

import logging
from io import BytesIO
from typing import Any

MAX_GROUPS = 5000
"""Layers of a file that are looked at."""


class Catalog:
    """The catalog of a file, which is read by pypdf when it is first asked for: most files do without.

    Args:
        data: The file.
        password: Its password.
    """

    def __init__(self, data: bytes, password: str | None) -> None:
        self._data, self._password = data, password
        self._root: Any = None
        self._hidden: set[str] | None = None

    @property
    def is_portfolio(self) -> bool:
        """Whether the pages are only the cover of other files inside it."""
        return "/Collection" in self._read()

    def hidden_layers(self) -> set[str]:
        """The names of the layers that are not shown when the file is opened."""
        if self._hidden is None:
            try:
                self._hidden = self._hidden_names()
            except Exception:  # broken layers hide nothing
                self._hidden = set()
        return self._hidden

    def _hidden_names(self) -> set[str]:
        properties = self._read()["/OCProperties"]
        default = properties.get("/D", {})
        hidden = _names(default.get("/OFF", ()))
        if default.get("/BaseState") == "/OFF":
            hidden |= _names(properties["/OCGs"]) - _names(default.get("/ON", ()))
        return hidden

    def _read(self) -> Any:
        """The catalog; empty where pypdf cannot read it."""
        if self._root is None:
            from pypdf import PdfReader

            logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # it logs every oddity of a file
            try:
                reader = PdfReader(BytesIO(self._data))
                if reader.is_encrypted:
                    reader.decrypt(self._password or "")
                self._root = reader.root_object
            except Exception:  # pypdf fails in any way on a broken file
                self._root = {}
        return self._root


def _names(groups: Any) -> set[str]:
    return {str(group.get_object()["/Name"]) for group in list(groups)[:MAX_GROUPS]}
