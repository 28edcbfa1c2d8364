import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, processors

from pagesum_cli.errors import PagesumError
from pagesum_cli.tokenization import load_counter, load_tokenizer, page_ids, token_counter

BART = Path(__file__).parents[2] / "shared" / "bart_tokenizer"
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[", "]", "cl", "##s", "sep", "page", "##d", "one", "two", ".", "e"]
TEXTS = ["Page one.", "two paged", "", "Page", "pages . E", "one"]


@pytest.fixture
def word_piece(tmp_path):
    (tmp_path / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    return tmp_path


@pytest.fixture
def byte_level(tmp_path):
    if not BART.exists():
        pytest.skip("the tokenizer of BART is not on this machine")
    for name in ("vocab.json", "merges.txt"):
        (tmp_path / name).write_bytes((BART / name).read_bytes())
    return tmp_path


def test_word_pieces_are_counted(word_piece):
    count = load_counter(word_piece)
    assert count(["Pages", "one two", "", "Éé"]) == [2, 2, 0, 1]


def test_a_cased_vocabulary_keeps_case(word_piece):
    (word_piece / "tokenizer_config.json").write_text('{"do_lower_case": false}', encoding="utf-8")
    assert load_tokenizer(word_piece).encode("Page").tokens == ["[UNK]"]


@pytest.mark.parametrize("kind", ["word_piece", "byte_level"])
def test_counts_add_up_over_texts_joined_by_a_space(kind, request):
    count = load_counter(request.getfixturevalue(kind))
    texts = [text for text in [*TEXTS, "naïve “quotes” – 2.5 %", "Photosynthesis", "don't", "漢字"] if text]
    assert sum(count(texts)) == count([" ".join(texts)])[0]


def test_byte_level_tokens_are_those_of_bart(byte_level):
    assert load_tokenizer(byte_level).encode(" Hello world").tokens == ["ĠHello", "Ġworld"]
    assert load_counter(byte_level)(["Hello world", "Photosynthesis"]) == [2, 2]


def test_tokenizer_json_is_preferred(word_piece):
    tokenizer = Tokenizer(models.WordLevel({"a": 0, "?": 1}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(word_piece / "tokenizer.json"))
    assert load_counter(word_piece)(["pages pages pages"]) == [3]


def test_settings_stored_with_a_tokenizer_change_no_count(word_piece):
    tokenizer = load_tokenizer(word_piece)
    tokenizer.enable_truncation(2)
    tokenizer.enable_padding(length=20)
    tokenizer.save(str(word_piece / "tokenizer.json"))
    assert load_counter(word_piece)(["one two one two one"]) == [5]


def test_a_large_text_is_counted_piece_by_piece(word_piece):
    count = load_counter(word_piece)
    assert count(["one two " * 1000] * 300) == [2000] * 300


def test_text_that_looks_like_a_special_token_is_text(word_piece):
    tokenizer = load_tokenizer(word_piece)
    tokenizer.add_special_tokens(["[CLS]", "[SEP]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    (ids,) = page_ids(tokenizer, ["one [SEP]"], 16)
    assert [VOCABULARY[token] for token in ids] == ["[CLS]", "one", "[", "sep", "]", "[SEP]"]
    assert token_counter(tokenizer)(["one [SEP]"]) == [4]


def test_page_ids_are_truncated_with_their_special_tokens(word_piece):
    tokenizer = load_tokenizer(word_piece)
    tokenizer.add_special_tokens(["[CLS]", "[SEP]"])
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    assert page_ids(tokenizer, ["one two one two", "one"], 4) == [[2, 11, 12, 3], [2, 11, 3]]


def test_a_page_has_the_tokens_that_were_counted(byte_level):
    tokenizer = load_tokenizer(byte_level)
    count = token_counter(tokenizer)
    for text in ("Photosynthesis works.", "ing", "Übung macht"):
        assert len(page_ids(tokenizer, [text], 64)[0]) == count([text])[0]
    unspaced = page_ids(tokenizer, ["Photosynthesis"], 64, spaced=False)[0]
    assert unspaced == tokenizer.encode("Photosynthesis").ids


def test_a_folder_without_a_tokenizer_is_refused(tmp_path):
    with pytest.raises(PagesumError, match="no tokenizer found"):
        load_counter(tmp_path)


@pytest.mark.parametrize("content", ["not json", json.dumps({"version": "1.0"})])
def test_a_damaged_tokenizer_is_refused(tmp_path, content):
    (tmp_path / "tokenizer.json").write_text(content, encoding="utf-8")
    with pytest.raises(PagesumError, match="cannot be read"):
        load_counter(tmp_path)
