"""Mailboxes (``.mbox``) → a Document for each message."""

import re
from collections.abc import Iterator
from dataclasses import replace

from ...errors import PagesumError
from ..input import Input
from ..model import Document
from . import mail

# The line above a message, which has headers. Python's ``mailbox`` needs a file and takes every
# line for one that begins with "From".
_BEGINNING = re.compile(rb"(?:\A|(?<=\n))From [^\r\n]*\r?\n(?=[!-9;-~]{1,80}:)")


def read(source: Input) -> list[Document]:
    """The messages of a mailbox in their order, each as :func:`.mail.read` reads one; those without
    text are reported.
    """
    documents: list[Document] = []
    problems: list[str] = []
    for number, message in enumerate(_messages(source.data), start=1):
        path = f"{source.path}: message {number}"
        own = replace(source, name=f"{source.name} {number}", path=path, given=message)
        try:
            read_ones = mail.read(own)
        except PagesumError as error:
            problems.append(error.message)
            continue
        documents += [replace(one, source=source.path) for one in read_ones]
        source.on_progress()
    if not documents:
        raise PagesumError(
            problems[0] if problems else f"{source.path}: expected a mailbox, found no message",
            "export the messages as .eml, or save their text as .txt",
        )
    for problem in problems:
        source.on_problem(problem)
    return documents


def _messages(data: bytes) -> Iterator[bytes]:
    """The messages, without the lines above them."""
    found = list(_BEGINNING.finditer(data))
    ends = [*(match.start() for match in found[1:]), len(data)]
    for match, end in zip(found, ends, strict=False):
        yield data[match.end() : end]
