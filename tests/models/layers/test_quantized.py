"""Weights in few bits: what they stand for, and that damaged ones are refused."""

from pathlib import Path

import pytest
import torch
from safetensors.torch import save_file
from torch import Tensor

from pagesum_cli.errors import PagesumError
from pagesum_cli.models.layers.quantized import in_8_bits, restored
from pagesum_cli.models.weights import read_tensors

ROWS, COLUMNS = 3, 64


def four_bits() -> tuple[dict[str, Tensor], Tensor]:
    """A weight as it is stored, and its values by plain arithmetic."""
    generator = torch.Generator().manual_seed(0)
    codes = torch.randint(16, (ROWS, COLUMNS), generator=generator)
    scales, minimums = torch.randn(2, ROWS, COLUMNS // 32, generator=generator).half()
    values = torch.empty(ROWS, COLUMNS)
    stored = torch.empty(ROWS, COLUMNS // 2, dtype=torch.uint8)
    for row in range(ROWS):
        for column in range(COLUMNS):
            block, place = divmod(column, 32)
            scale, minimum = float(scales[row, block]), float(minimums[row, block])
            values[row, column] = scale * int(codes[row, column]) + minimum
            if place < 16:
                pair = int(codes[row, column]) + 16 * int(codes[row, column + 16])
                stored[row, 16 * block + place] = pair
    return {"w.codes": stored, "w.scales": scales, "w.minimums": minimums}, values


def eight_bits() -> tuple[dict[str, Tensor], Tensor]:
    generator = torch.Generator().manual_seed(1)
    codes = torch.randint(-127, 128, (ROWS, COLUMNS), generator=generator).to(torch.int8)
    scales = torch.rand(ROWS, COLUMNS // 32, generator=generator).half()
    values = codes.float() * scales.float().repeat_interleave(32, dim=1)
    return {"w.codes": codes, "w.scales": scales}, values


@pytest.mark.parametrize("stored", [four_bits, eight_bits])
def test_a_value_is_its_code_times_the_scale_and_the_minimum(stored: object) -> None:
    parts, values = stored()
    found = restored({**parts, "other.scales": torch.ones(2)})
    assert set(found) == {"w", "other.scales"}
    assert torch.equal(found["w"], values.bfloat16())


@pytest.mark.parametrize("stored", [four_bits, eight_bits])
def test_what_training_has_changed_is_added(stored: object) -> None:
    parts, values = stored()
    up, down = torch.randn(ROWS, 2).bfloat16(), torch.randn(2, COLUMNS).bfloat16()
    found = restored({**parts, "w.up": up, "w.down": down})
    expected = values + up.float() @ down.float()
    torch.testing.assert_close(found["w"].float(), expected, rtol=2**-8, atol=1e-6)


def test_eight_bits_are_exact_to_half_a_step() -> None:
    weight = torch.randn(5, 96, generator=torch.Generator().manual_seed(2))
    weight[0, :32] = 0
    stored = in_8_bits("w", weight)
    assert set(stored) == {"w.codes", "w.scales"}
    found = restored(stored)["w"].float()
    steps = weight.unflatten(1, (-1, 32)).abs().amax(-1).repeat_interleave(32, 1) / 127
    # a scale is rounded to 11 bits, a weight to 8
    bound = (0.5 + 127 * 2**-11) * steps + 2**-8 * weight.abs()
    assert bool(((found - weight).abs() <= bound).all())
    assert not found[0, :32].any()


def test_a_file_in_few_bits_is_read_in_full(tmp_path: Path) -> None:
    parts, values = four_bits()
    save_file({**parts, "norm": torch.ones(4)}, tmp_path / "a.safetensors")
    found = read_tensors(tmp_path / "a.safetensors")
    assert torch.equal(found["w"], values.bfloat16())
    assert torch.equal(found["norm"], torch.ones(4))


LOW_RANK = {"w.up": torch.ones(ROWS, 2), "w.down": torch.ones(2, COLUMNS)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"w.scales": None}, "do not fit together"),
        ({"w.down": None}, "do not fit together"),
        ({"w.up": None}, "do not fit together"),
        ({"w.minimums": None}, "do not fit together"),
        ({"w.scales": torch.ones(ROWS, 3)}, "do not fit together"),
        ({"w.minimums": torch.ones(ROWS + 1, 2)}, "do not fit together"),
        ({"w.scales": torch.ones(ROWS, 1)}, "do not fit together"),
        ({"w.minimums": torch.ones(2)}, "do not fit together"),
        ({"w.codes": torch.ones(ROWS, 33, dtype=torch.uint8)}, "do not fit together"),
        ({"w.codes": torch.ones(COLUMNS, dtype=torch.uint8)}, "do not fit together"),
        ({"w.down": torch.ones(2, COLUMNS + 32)}, "do not fit together"),
        ({"w.codes": torch.ones(ROWS, 32, dtype=torch.int32)}, "w.codes is torch.int32"),
        ({"w.codes": torch.ones(ROWS, COLUMNS)}, "do not fit together"),
        ({"w.scales": torch.ones(ROWS, 2, dtype=torch.uint8)}, "w.scales is torch.uint8"),
        ({"w.scales": torch.full((ROWS, 2), torch.nan)}, "w.scales holds values that are not"),
    ],
)
def test_damaged_files_are_refused(
    changes: dict[str, Tensor | None], message: str, tmp_path: Path
) -> None:
    parts = {**four_bits()[0], **LOW_RANK, **changes}
    path = tmp_path / "a.safetensors"
    save_file({name: value for name, value in parts.items() if value is not None}, path)
    with pytest.raises(PagesumError, match=message):
        read_tensors(path)
