"""A PageSum model that begins as a BERT-like encoder computes what that encoder computes."""

from pathlib import Path

import torch
from transformers import BertConfig, BertModel

from pagesum_cli.models.catalog import model_class
from pagesum_cli.models.warm_start import from_encoder


def test_the_encoder_is_berts(tmp_path: Path) -> None:
    torch.manual_seed(0)
    shape = {
        "hidden_size": 32,
        "num_hidden_layers": 3,
        "num_attention_heads": 4,
        "intermediate_size": 48,
    }
    bert = BertModel(
        BertConfig(vocab_size=90, max_position_embeddings=40, initializer_range=0.3, **shape)
    ).eval()
    bert.save_pretrained(tmp_path)
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "."]
    (tmp_path / "vocab.txt").write_text("\n".join(words))
    model, _ = from_encoder(str(tmp_path), model_class("pagesum"), decoder_layers=(0, 2))
    model.eval()
    ids, mask = torch.randint(3, 90, (2, 30)), torch.ones(2, 30, dtype=torch.bool)
    mask[1, 20:] = False
    theirs = bert(ids, attention_mask=mask).last_hidden_state
    torch.testing.assert_close(
        model.model.encoder(model.model.embed(ids), mask)[mask], theirs[mask], atol=1e-3, rtol=0
    )

    first, second = model.model.decoder.layers
    assert torch.equal(first.fc1.weight, bert.encoder.layer[0].intermediate.dense.weight)
    assert torch.equal(
        second.encoder_attn.q_proj.weight, bert.encoder.layer[2].attention.self.query.weight
    )
    out = model(ids[:, None].repeat(1, 2, 1), None, ids[:, :5])
    assert torch.allclose(out.page_confidences, torch.tensor(0.5))
