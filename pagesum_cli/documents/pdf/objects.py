"""What the objects of a PDF hold: dictionaries, resources, text strings, as pypdf gives them."""

from typing import Any

from pypdf.generic import DictionaryObject


def resolved(value: Any) -> Any:
    """A value, not a reference to it."""
    return value.get_object() if value is not None else None


def dictionary(owner: DictionaryObject, key: str) -> DictionaryObject:
    """An entry of a dictionary that is a dictionary; an empty one where there is none."""
    value = resolved(owner.get(key))
    return value if isinstance(value, DictionaryObject) else DictionaryObject()


def resources_of(page: Any) -> DictionaryObject:
    """The resources of a page or form, or those that it inherits."""
    for _ in range(50):
        resources = resolved(page.get("/Resources"))
        if isinstance(resources, DictionaryObject):
            return resources
        parent = page.get("/Parent")
        if parent is None:
            break
        page = parent.get_object()
    return DictionaryObject()


def text_string(data: bytes) -> str:
    """A text string of a PDF (ISO 32000-1, 7.9.2.2)."""
    if data.startswith(b"\xfe\xff"):
        return data[2:].decode("utf-16-be", "replace")
    if data.startswith(b"\xef\xbb\xbf"):
        return data[3:].decode("utf-8", "replace")
    return data.decode("latin-1")
