"""Optional content: the layers of a PDF that are switched off when it is opened."""

from typing import Any

from pypdf import PdfReader
from pypdf.generic import ArrayObject, DictionaryObject, IndirectObject

from .objects import resolved

MAX_GROUPS = 5000
"""Layers of a file that are looked at."""


class Layers:
    """Which optional content is hidden (ISO 32000-1, 8.11).

    Args:
        pdf: The file.
    """

    def __init__(self, pdf: PdfReader) -> None:
        self._hidden: set[int] = set()
        try:
            properties = resolved(pdf.root_object.get("/OCProperties"))
            if isinstance(properties, DictionaryObject):
                default = resolved(properties.get("/D")) or DictionaryObject()
                if default.get("/BaseState") == "/OFF":
                    self._hidden |= _numbers(properties.get("/OCGs"))
                    self._hidden -= _numbers(default.get("/ON"))
                self._hidden |= _numbers(default.get("/OFF"))
        except Exception:  # broken layers hide nothing
            self._hidden = set()

    def hide(self, reference: Any) -> bool:
        """Whether what belongs to a layer, or to a set of layers with a policy, is hidden."""
        if not self._hidden or reference is None:
            return False
        if isinstance(reference, IndirectObject) and reference.idnum in self._hidden:
            return True
        members = resolved(reference)
        if not isinstance(members, DictionaryObject) or "/OCGs" not in members:
            return False
        groups = members.raw_get("/OCGs")
        states = [number in self._hidden for number in _numbers(groups)]
        policy = members.get("/P", "/AnyOn")
        if not states:
            return False
        if policy == "/AllOn":
            return any(states)
        if policy == "/AnyOff":
            return not any(states)
        return not all(states) if policy == "/AllOff" else all(states)


def _numbers(groups: Any) -> set[int]:
    """The object numbers of one layer or several."""
    value = resolved(groups)
    references = value[:MAX_GROUPS] if isinstance(value, ArrayObject) else [groups]
    return {one.idnum for one in references if isinstance(one, IndirectObject)}
