"""The names of OpenDocument's elements and attributes, without their namespaces."""

from functools import cache
from typing import Any

_URN = "urn:oasis:names:tc:opendocument:xmlns:"
_PREFIXES = {
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://www.w3.org/1998/Math/MathML": "math",
    "http://www.w3.org/1999/xlink": "xlink",
    "http://www.w3.org/XML/1998/namespace": "xml",
    "urn:org:documentfoundation:names:experimental:office:xmlns:loext:1.0": "loext",
}
_NAMESPACES = {prefix: namespace for namespace, prefix in _PREFIXES.items()}
_NAMES = {"fo": "xsl-fo-compatible", "svg": "svg-compatible", "draw": "drawing"}
_USUAL = {name: prefix for prefix, name in _NAMES.items()}


def name_of(element: Any) -> str:
    """The prefixed name of an element, such as ``text:p``; empty for comments and other nodes."""
    return _named(element.tag) if isinstance(element.tag, str) else ""


@cache
def _named(tag: str) -> str:
    namespace, _, name = tag.removeprefix("{").rpartition("}")
    short = namespace.removeprefix(_URN).partition(":")[0]
    return f"{_PREFIXES.get(namespace) or _USUAL.get(short, short)}:{name}"


@cache
def full(name: str) -> str:
    """What the parser calls an element or an attribute: ``text:p``."""
    prefix, _, local = name.partition(":")
    usual = f"{_URN}{_NAMES.get(prefix, prefix)}:1.0"
    return f"{{{_NAMESPACES.get(prefix, usual)}}}{local}"


def value_of(element: Any, *names: str) -> str:
    """The first of some attributes of an element; empty if it has none of them, or is None."""
    values = (element.get(full(name)) for name in names) if element is not None else iter(())
    return next(filter(None, values), "")
