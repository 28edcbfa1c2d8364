"""Files that once made something hang, crash or grow: each is read, or refused in a clear line."""

import os
from pathlib import Path

import pytest

from pagesum_cli.batch.jobs import jobs_of
from pagesum_cli.documents.guard.reading import read_data, read_file
from pagesum_cli.errors import PagesumError

FOLDER = Path(__file__).parents[2] / "data" / "hostile"
SLOW = {"pdf_cmap_codespace.pdf"}
NAMES = [
    pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name
    for name in sorted(os.listdir(FOLDER))
]


def error_of(path: str) -> PagesumError | None:
    """The error that reading a file raises; None where it has words."""
    try:
        return None if read_file(path)[0].has_words else PagesumError("no words")
    except PagesumError as error:
        return error


@pytest.mark.parametrize("name", NAMES)
def test_a_hostile_file_is_read_or_refused_in_one_line(name: str) -> None:
    error = error_of(str(FOLDER / name))
    if error:
        assert error.message.startswith(str(FOLDER / name))
        assert "unexpected" not in error.message
        assert error.hint


def test_records_beside_a_hostile_one(tmp_path: Path) -> None:
    problems: list[str] = []
    jobs = jobs_of(
        [str(FOLDER / "longid.jsonl"), str(FOLDER / "corrupt.jsonl.gz")],
        None,
        lambda label, error: problems.append(error.message),
    )
    assert len(jobs) == 2
    assert all(len(name.encode()) < 250 for job in jobs for name in job.names)
    assert len(problems) == 1
    assert "corrupt.jsonl.gz: expected a compressed file, found a damaged one" in problems[0]


MAIL = (
    b"From: a@b.c\r\nSubject: Owls\r\nDate: today\r\nMIME-Version: 1.0\r\n%s\r\n\r\nOwls hunt "
    b"at night.\r\n"
)


@pytest.mark.parametrize(
    "header",
    [
        b'Content-Type: text/plain; format="' + b";" * 80_000,
        b"Content-Disposition: inline; size=" + b'";' * 40_000,
        b"X: y\r\n" * 5_000 + b"Content-Type: text/plain",
    ],
)
def test_headers_of_mail_take_linear_time(header: bytes) -> None:
    (document,) = read_data(MAIL % header, "a.eml")
    assert document.text == "Owls hunt at night."


def test_a_file_name_in_an_encoding_that_does_not_fit() -> None:
    part = (
        b"--x\r\nContent-Type: %s\r\nContent-Disposition: attachment; "
        b"filename*=punycode''%%C3%%A9\r\n\r\nA\r\n"
    )
    body = (
        b"--x\r\nContent-Type: text/plain\r\n\r\nOwls hunt at night.\r\n"
        + part % b"image/png"
        + b"--x--\r\n"
    )
    mail = (MAIL % b"Content-Type: multipart/mixed; boundary=x").replace(
        b"Owls hunt at night.\r\n", body
    )
    (document,) = read_data(mail, "a.eml")
    assert document.text == "Owls hunt at night."
    assert [part.text for part in document.left_out] == ["image/png"]
