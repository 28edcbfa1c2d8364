r"""The files that LaTeX source includes by ``\input``, ``\include``, ``\subfile`` and the like, and
the definitions of its own packages.
"""

import os
import re
from collections.abc import Callable, Sequence

from ....files import read_bytes
from ....text.cleaning import clean
from ...input import Input
from ..encodings import decode
from .packages import definitions

MAX_FILES, MAX_BYTES, MAX_DEPTH = 500, 16 << 20, 10  # of all that is included
_INCLUDED = re.compile(
    r"\\(?:input|include|subfile|subfileinclude)(?![A-Za-z])\s?"
    r"(?:\{(?P<file>[^{}\n]{1,200})\}|[ \t](?P<bare>[^\s\\{}\[\]]{1,200}))"
)
_PACKAGES = re.compile(
    r"\\(?:usepackage|RequirePackage)\s?(?:\[[^\[\]]{0,1000}\]\s?)?\{(?P<names>[^{}]{1,1000})\}"
)
_FOLDERS = re.compile(
    r"\\(?:(?:re)?newcommand\*?\s?\{?|def\s?)\\(?P<name>[A-Za-z]{1,40})\}?\s?"
    r"\{(?P<folder>[\w./ -]{1,200})\}"
)
_MACRO = re.compile(r"\\([A-Za-z]{1,40})\s?")
_BODY = re.compile(r"\\begin\{document\}(?P<body>.*?)(?:\\end\{document\}|\Z)", re.DOTALL)
_END = re.compile(r"\\endinput(?![A-Za-z]).*", re.DOTALL)


class Included:
    """Puts the files that a source includes in the place where it does.

    They are read where they lie in the folder of the main file or below it; of others, the
    commands stay.
    """

    def __init__(self, source: Input, prepared: Callable[[str], str]) -> None:
        self._prepared = prepared  # without comments
        self.read: dict[str, str] = {}  # the text of the files that are included, by their names
        self._root = os.path.realpath(os.path.dirname(os.path.abspath(source.path)))
        self._opened = {os.path.realpath(source.path)}
        self._left = MAX_BYTES
        self._folders: dict[str, str] = {}  # that macros stand for

    def text(self, text: str, folder: str = "", depth: int = 0) -> str:
        """The source with what it includes."""

        def included(found: re.Match[str]) -> str:
            name = self._name(found["file"] or found["bare"])
            places = (os.path.join(folder, name), name)
            path = next(filter(None, map(self._path, places)), None)
            read = None if path is None else self._read(path, is_text=True)
            if path is None or read is None:
                return found[0]
            there = os.path.relpath(os.path.dirname(path), self._root)
            text = self.text(read, there, depth + 1).removesuffix("\n")
            return f"\n\n{text}\n\n" if found[0].startswith("\\include") else text

        if depth > MAX_DEPTH:
            return text
        self._folders |= {one["name"]: one["folder"] for one in _FOLDERS.finditer(text)}
        text = _PACKAGES.sub(lambda found: found[0] + self._packages(found["names"], depth), text)
        return _INCLUDED.sub(included, text)

    def _name(self, written: str) -> str:
        """The name of a file, with what macros for folders stand for."""
        name = _MACRO.sub(lambda found: self._folders.get(found[1], "."), written)
        return name.strip(' \n"')

    def _packages(self, names: str, depth: int) -> str:
        """What the packages of the folder among some define."""
        paths = (self._path(name.strip(), (".sty",)) for name in names.split(","))
        texts = (self._read(path) for path in paths if path)
        return "".join(f"\n{definitions(self.text(one, '', depth + 1))}\n" for one in texts if one)

    def _path(self, name: str, ends: Sequence[str] = (".tex", "")) -> str | None:
        """The path of a file of the folder; None if there is none of that name."""
        for end in ends:
            path = os.path.realpath(os.path.join(self._root, name + end))
            if os.path.isfile(path) and path.startswith(self._root + os.sep):
                return path
        return None

    def _read(self, path: str, *, is_text: bool = False) -> str | None:
        size = os.path.getsize(path)
        if path in self._opened or len(self._opened) > MAX_FILES or size > self._left:
            return None
        self._opened.add(path)
        self._left -= size
        text = clean(decode(read_bytes(path), path))
        if is_text:
            self.read[os.path.relpath(path, self._root).replace(os.sep, "/")] = text
        text = text.replace("\f", "\n")
        text = _END.sub("", self._prepared(text))
        body = _BODY.search(text)  # of a file that can also be compiled by itself
        return body["body"] if body else text
