"""Web addresses among the arguments of a command."""

import os
import re
from collections.abc import Iterable

from ..errors import PagesumError
from ..text.cleaning import one_line

WEB = re.compile(r"https?://", re.IGNORECASE)


class Address(str):
    """A web address that the user allows to be fetched; see ``documents.fetching``."""

    __slots__ = ()


def allowed(arguments: Iterable[str]) -> list[str]:
    """Arguments of a command, the web addresses among them as addresses that may be fetched."""
    return [Address(text) if WEB.match(text) and not os.path.exists(text) else text for text in arguments]


def refusal(address: str) -> PagesumError:
    """The error for an address where a file is expected."""
    if WEB.match(address):
        return PagesumError(
            f"{one_line(address)}: expected a file, found an address",
            "--allow-network fetches it; or download it and give the file",
        )
    return PagesumError(
        f"{one_line(address)}: expected a file or an address that begins with https:// or http://", "download it first"
    )
