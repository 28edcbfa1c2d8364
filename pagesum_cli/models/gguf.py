"""GGUF files: language models in few bits, which Transformers converts. Imported without torch."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

from ..errors import PagesumError, require_packages
from ..system import folder_for, free_memory

MAGIC = b"GGUF"  # the first bytes of such a file
PACKAGES = (("gguf", "gguf", "causal"), ("accelerate", "Accelerate", "causal"))
FILE = "model.gguf"
BYTES = 2  # of a number once it is converted
TOKENS = "tokenizer.ggml.tokens"
SCALING = ".rope.scal"  # in the names of metadata that stretch rotary positions
FACTORS = "rope_f"  # how the names of tensors begin that do
NOT_READ = "use the folder or the Hugging Face id that the file was made from"


def is_gguf(name: str) -> bool:
    """Whether a name is that of a GGUF file: by its ending, or by what it holds."""
    path = Path(name)
    return not path.is_dir() and (path.suffix.lower() == ".gguf" or _begins_as_gguf(path))


def check_gguf_file(path: Path) -> None:
    """Check that a file exists and begins as a GGUF file does."""
    if not path.is_file():
        raise PagesumError(f"{path}: no such file", "check the name of the GGUF file")
    if not _begins_as_gguf(path):
        raise PagesumError(
            f"{path} is not a GGUF file: it does not begin with GGUF", "download the file again"
        )


def _begins_as_gguf(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def cached_folder(path: Path) -> Path:
    """Where a GGUF file's model is kept once it is converted; another version of the file has
    another folder.
    """
    whole, stat = path.resolve(), path.stat()
    key = f"{whole}\n{stat.st_size}\n{stat.st_mtime_ns}"
    name = hashlib.sha256(key.encode()).hexdigest()[:16]
    return folder_for("cache") / "gguf" / f"{path.stem}-{name}"


def folder_of(path: Path) -> Path:
    """The folder of a GGUF file's model, which is converted the first time."""
    check_gguf_file(path)
    folder = cached_folder(path)
    if not folder.is_dir():
        aside = folder.with_name(f".{folder.name}.{os.getpid()}")
        try:
            write_model(path, aside)
            aside.rename(folder)
        except OSError:
            if not folder.is_dir():  # another process was faster
                raise
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    return folder


def write_model(path: Path, folder: Path) -> None:
    """Write the language model of a GGUF file into a new folder, in float16, which holds weights of
    few bits without loss that matters.
    """
    folder.mkdir(parents=True)
    source = linked(path, folder)
    held = contents(path, source)
    stretched = [*held.scaling, *(name for name in held.tensors if name.startswith(FACTORS))]
    if stretched:
        raise PagesumError(
            f"{path} has scaled rotary positions ({stretched[0]}), which cannot be read from a "
            "GGUF file",
            NOT_READ,
        )
    if not held.tokens:
        raise PagesumError(f"{path} has no tokenizer", NOT_READ)
    _check_room(path, folder, BYTES * held.numbers)
    convert(path, source, folder, held, "float16")
    shutil.rmtree(source)


def _check_room(path: Path, folder: Path, size: int) -> None:
    """Check that memory and disk hold what a file will be once it is converted."""
    for free, what in (
        (free_memory(), "memory"),
        (shutil.disk_usage(folder).free, f"the disk of {folder.parent}"),
    ):
        if size > free:
            raise PagesumError(
                f"{path} needs {size / 2**30:.1f} GB of {what} once it is converted, "
                f"but {free / 2**30:.1f} GB are free",
                "free up space, or choose a smaller model",
            )


@dataclass(frozen=True)
class Contents:
    """What a GGUF file says that it holds."""

    configuration: Any  # as Transformers understands it
    tensors: frozenset[str]  # their names
    scaling: tuple[str, ...]  # names of metadata that stretch rotary positions
    tokens: int  # of its tokenizer; 0 where it has none
    numbers: int  # of all tensors

    @property
    def config(self) -> dict[str, Any]:
        """The configuration by name."""
        return self.configuration.to_dict()


def linked(path: Path, folder: Path) -> Path:
    """A subfolder with a link to the file, beside nothing else that Transformers could read."""
    require_packages(PACKAGES)
    check_gguf_file(path)
    (source := folder / "gguf").mkdir()
    (source / FILE).symlink_to(path.absolute())
    return source


def contents(path: Path, source: Path) -> Contents:
    """Read what a file, linked in a folder, says that it holds."""
    with reported(path):
        from gguf import GGUFReader
        from transformers import AutoConfig

        config = AutoConfig.from_pretrained(source, gguf_file=FILE)
        reader = GGUFReader(source / FILE)
        tokens = reader.get_field(TOKENS)
        return Contents(
            config,
            frozenset(tensor.name for tensor in reader.tensors),
            tuple(name for name in reader.fields if SCALING in name),
            0 if tokens is None else len(tokens.data),
            sum(int(tensor.n_elements) for tensor in reader.tensors),
        )


def convert(path: Path, source: Path, target: Path, held: Contents, dtype: str) -> None:
    """Write the model of a file, linked in a folder, as Transformers does, with its own tokens
    only.
    """
    with reported(path):
        missing = _convert(source, target, held, dtype)
        _leave_out_tokens(target / "tokenizer.json", held.tokens)
    if missing:
        raise PagesumError(f"{path} lacks weights: {missing[0]}", NOT_READ)


def _convert(source: Path, target: Path, held: Contents, dtype: str) -> list[str]:
    """Convert; returns the names of weights that the file lacks."""
    import torch
    import transformers

    options: dict[str, Any] = {"gguf_file": FILE}
    with redirect_stderr(StringIO()):  # progress bars
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, **options)
        if hasattr(transformers, "GgufConfig"):  # older versions always restore weights in few bits
            options["quantization_config"] = transformers.GgufConfig(**options, dequantize=True)
        options |= {"config": held.configuration, "dtype": getattr(torch, dtype)}
        loader: Any = transformers.AutoModelForCausalLM
        model, found = loader.from_pretrained(source, output_loading_info=True, **options)
        model.save_pretrained(target)
        for weights in target.glob("*.safetensors"):
            weights.chmod(0o644)  # written by way of a private file
        tokenizer.save_pretrained(target)
    return sorted(map(str, found["missing_keys"]))


def _leave_out_tokens(file: Path, count: int) -> None:
    """Leave out what Transformers has added after a file's own tokens: GPT-2's token for the end of
    a text, which the model has not learned.
    """
    tokenizer = json.loads(file.read_text(encoding="utf-8"))
    tokenizer["added_tokens"] = [one for one in tokenizer["added_tokens"] if one["id"] < count]
    file.write_text(json.dumps(tokenizer), encoding="utf-8")


@contextmanager
def reported(path: Path) -> Iterator[None]:
    """Report what the readers of a GGUF file raise: they fail in many ways."""
    try:
        yield
    except Exception as error:
        if isinstance(error, MemoryError) or getattr(error, "strerror", None):  # a full disk
            raise
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
        raise PagesumError(
            f"{path} cannot be converted: {reason}",
            "download the file again, or use the folder of a model like Llama",
        ) from error
