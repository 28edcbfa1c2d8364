"""Atomic writing, safe names, bounded reading."""

import gzip
import lzma
import os
import stat
import zlib
from pathlib import Path

import pytest

from pagesum_cli import files
from pagesum_cli.errors import PagesumError, UsageError
from pagesum_cli.files import (
    NAME_BYTES,
    append,
    check_new,
    check_not_input,
    check_writable,
    locked,
    make_folder,
    open_packed,
    read_all,
    read_bytes,
    replacing,
    safe_name,
    unpacked_limit,
    write_file,
)


def test_text_and_bytes(tmp_path: Path) -> None:
    write_file(tmp_path / "a.txt", "naïve \ud800")
    assert (tmp_path / "a.txt").read_bytes() == "naïve ?".encode()
    write_file(tmp_path / "a.txt", b"\x00")
    assert (tmp_path / "a.txt").read_bytes() == b"\x00"


def test_a_failed_write_leaves_the_previous_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.txt"
    target.write_text("before")

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(OSError, match="No space") as caught:
        write_file(target, "after")
    assert caught.value.filename == str(target)
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_an_interruption_leaves_nothing(tmp_path: Path) -> None:
    def interrupt(path: Path) -> None:
        path.write_bytes(b"half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), replacing(tmp_path / "a.bin") as aside:
        interrupt(aside)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_replaced_only_if_it_may_be(tmp_path: Path) -> None:
    write_file(tmp_path / "a.txt", "first", overwrite=False)
    with pytest.raises(PagesumError, match="exists"):
        write_file(tmp_path / "a.txt", "second", overwrite=False)
    assert (tmp_path / "a.txt").read_text() == "first"
    write_file(tmp_path / "a.txt", "third")
    assert (tmp_path / "a.txt").read_text() == "third"
    assert list(tmp_path.iterdir()) == [tmp_path / "a.txt"]


def test_a_file_grows_piece_by_piece(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    for number in range(3):
        append(path, "piece\n", is_first=not number)
    assert path.read_text() == "piece\n" * 3
    append(path, "other \ud800\n", is_first=True)
    assert path.read_text() == "other ?\n"
    with pytest.raises(OSError, match="directory") as caught:
        append(tmp_path, "piece")
    assert caught.value.filename == str(tmp_path)


def test_inputs_are_known_by_every_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "set").mkdir()
    for name in ("a.txt", "b.txt", "set/test.src"):
        (tmp_path / name).write_text("words")
    (tmp_path / "soft.txt").symlink_to("a.txt")
    os.link(tmp_path / "a.txt", tmp_path / "hard.txt")
    monkeypatch.chdir(tmp_path)
    inputs = ["a.txt", "-", "missing.txt", "set"]
    for output in (
        "a.txt",
        "./set/../a.txt",
        str(tmp_path / "a.txt"),
        "soft.txt",
        "hard.txt",
        "set/test.src",
    ):
        with pytest.raises(UsageError, match="is one of the documents"):
            check_not_input(["new.txt", output], inputs)
    check_not_input(["b.txt", "set/new.txt", "missing.txt", "/dev/null"], inputs)


def test_existing_files_need_force(tmp_path: Path) -> None:
    (tmp_path / "a.txt").touch()
    with pytest.raises(PagesumError, match="exists") as caught:
        check_new([str(tmp_path / "b.txt"), str(tmp_path / "a.txt")])
    assert "--force" in (caught.value.hint or "")
    check_new([str(tmp_path / "a.txt")], force=True)
    check_new(["/dev/null", str(tmp_path / "b.txt")])


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text("before")
    (tmp_path / "link.txt").symlink_to("real.txt")
    write_file(tmp_path / "link.txt", "after")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "real.txt").read_text() == "after"


def test_a_device_is_written_to() -> None:
    write_file("/dev/null", "words")
    assert not os.path.isfile("/dev/null")


def test_private_files_are_the_users_own(tmp_path: Path) -> None:
    write_file(tmp_path / "a.json", "{}", private=True)
    assert stat.S_IMODE((tmp_path / "a.json").stat().st_mode) == 0o600


def test_files_that_cannot_be_written_are_refused(tmp_path: Path) -> None:
    check_writable(str(tmp_path / "a.txt"))
    assert list(tmp_path.iterdir()) == []
    for path in (tmp_path, tmp_path / "none" / "a.txt", Path("/proc/a.txt")):
        with pytest.raises(PagesumError):
            check_writable(str(path))
    (tmp_path / "file").touch()
    with pytest.raises(PagesumError, match="File exists"):
        make_folder(tmp_path / "file")
    assert make_folder(tmp_path / "x" / "y").is_dir()


@pytest.mark.parametrize(
    "text",
    ["a/b\n*c", "../../etc/passwd", "", " . ", "漢" * 300, "x" * 300, "\ud800" * 300, "é" * 99],
)
def test_names_are_safe_and_short_in_bytes(text: str) -> None:
    name = safe_name(text)
    assert 0 < len(name.encode()) <= NAME_BYTES
    assert "/" not in name
    assert not name.startswith(".")
    assert name.isprintable()


def test_long_names_differ_where_the_texts_do() -> None:
    assert safe_name("漢" * 150) != safe_name("漢" * 151)


@pytest.mark.parametrize(
    ("suffix", "pack"), [("", bytes), (".gz", gzip.compress), (".xz", lzma.compress)]
)
def test_unpacked_sizes_are_bounded(tmp_path: Path, suffix: str, pack) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / f"a.jsonl{suffix}"
    path.write_bytes(pack(b"line\n" * 1000))
    with open_packed(path) as stream:
        assert len(read_all(stream, "a", 5000)) == 5000
    with pytest.raises(PagesumError, match="unpacks to more"), open_packed(path) as stream:
        read_all(stream, "a", 4999)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("a.gz", b"no"),
        ("a.gz", gzip.compress(b"x" * 99, mtime=0)[:-9]),
        ("a.xz", b"no"),
        ("b.gz", b"\x1f\x8b\x08" + b"\0" * 7 + b"\xff" * 9),
    ],
)
def test_broken_packing_is_reported(tmp_path: Path, name: str, data: bytes) -> None:
    (tmp_path / name).write_bytes(data)
    with pytest.raises(PagesumError, match="damaged one"), open_packed(tmp_path / name) as stream:
        stream.read()


def test_a_file_that_needs_much_memory_to_unpack_is_refused(tmp_path: Path) -> None:
    filters = [{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 30}]
    packer = lzma.LZMACompressor(filters=[{"id": lzma.FILTER_LZMA2, "dict_size": 1 << 16}])
    data = bytearray(packer.compress(b"line\n") + packer.flush())
    small, large = (
        lzma._encode_filter_properties(one)
        for one in ({**filters[0], "dict_size": 1 << 16}, filters[0])
    )
    place = data.index(b"\x21\x01" + small, 12)
    data[place + 2 : place + 3] = large
    size = (data[12] + 1) * 4
    data[12 + size - 4 : 12 + size] = zlib.crc32(data[12 : 12 + size - 4]).to_bytes(4, "little")
    (tmp_path / "a.xz").write_bytes(data)
    with (
        pytest.raises(PagesumError, match="damaged one \\(Memory usage limit"),
        open_packed(tmp_path / "a.xz"),
    ):
        pass


def test_a_packed_file_may_unpack_to_sixteen_megabytes_or_to_twenty_times_its_size(
    tmp_path: Path,
) -> None:
    assert unpacked_limit(tmp_path / "a.jsonl") is None
    (tmp_path / "a.gz").write_bytes(b"x")
    assert unpacked_limit(tmp_path / "a.gz") == 16 << 20
    os.truncate(tmp_path / "a.gz", 1 << 20)
    assert unpacked_limit(tmp_path / "a.gz") == 20 << 20


def test_reading_has_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.txt").write_text("words")
    assert read_bytes(str(tmp_path / "a.txt")) == b"words"
    monkeypatch.setattr(files, "FILE_LIMIT", 4)
    with pytest.raises(PagesumError, match="larger"):
        read_bytes(str(tmp_path / "a.txt"))
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(PagesumError):
            read_bytes(str(path))


def test_a_folder_is_written_to_by_one_command(tmp_path: Path) -> None:
    with locked(tmp_path):
        refused = pytest.raises(PagesumError, match="another command is writing to this folder")
        with refused, locked(tmp_path, "--output-dir"):
            pass
        assert list(tmp_path.iterdir()) == []
    with locked(tmp_path):
        pass
