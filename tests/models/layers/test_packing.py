"""Pages as rows: grouped by length, unpacked and joined."""

import pytest
import tiny
import torch

from pagesum_cli.models.layers.packing import PADDING_LIMIT, PackedPages


def test_pages_of_different_lengths_are_computed_separately_with_the_same_result() -> None:
    model = tiny.pagesum(max_position_embeddings=600, page_tokens=600, dropout=0.0).train()
    lengths = torch.tensor([[3, 600, 4], [590, 60, 0]])
    mask = torch.arange(600) < lengths[..., None]
    ids = torch.randint(4, 40, mask.shape).masked_fill(~mask, 1)
    labels = torch.tensor([[5, 6, 7, 2], [8, 2, -100, -100]])

    pages = PackedPages.pack(ids, mask)
    groups = pages.by_length()
    assert [len(group) for group in groups] == [2, 3]
    assert [pages.take(group).input_ids.shape[1] for group in groups] == [600, 60]
    assert sum((~pages.take(group).mask).sum().item() for group in groups) < PADDING_LIMIT
    assert pages.document[torch.cat(groups)].tolist() == [0, 1, 1, 0, 0]

    together = model(input_ids=ids, attention_mask=mask, labels=labels)
    for b, p in ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1)):
        alone = model(
            input_ids=ids[b : b + 1, p : p + 1, : lengths[b, p]], labels=labels[b : b + 1]
        ).page_scores
        torch.testing.assert_close(
            together.page_scores[b, :, p], alone[0, :, 0], rtol=1e-4, atol=1e-5
        )
    without = model(input_ids=ids, attention_mask=mask, labels=labels, return_logits=False)
    assert without.logits is None
    torch.testing.assert_close(without.loss, together.loss)


def test_joined_pages_are_the_tokens_of_each_document_in_order() -> None:
    mask = torch.tensor([[[1, 1, 0], [1, 0, 0]], [[1, 1, 1], [0, 0, 0]]]).bool()
    ids = torch.arange(12).view(2, 2, 3)
    pages = PackedPages.pack(ids, mask)
    states, joined_mask, page = pages.join(pages.input_ids[..., None].float())
    assert states[0, :, 0][joined_mask[0]].tolist() == [0, 1, 3]
    assert states[1, :, 0][joined_mask[1]].tolist() == [6, 7, 8]
    assert page[0].tolist() == [0, 0, 1]


def test_a_document_without_tokens_is_refused() -> None:
    with pytest.raises(ValueError, match="without any token"):
        PackedPages.pack(torch.ones(1, 2, 3, dtype=torch.long), torch.zeros(1, 2, 3))
