import json
import os

import pytest
import tiny
from tokenizers import Tokenizer, models, pre_tokenizers

from pagesum_cli.documents.model import Sentence
from pagesum_cli.errors import PagesumError
from pagesum_cli.locality.flow import Page, Pages
from pagesum_cli.tokenization import FIRST_RANK, HEADING, PageTokenizer, centrality_ranks

VOCABULARY = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[",
    "]",
    "cl",
    "##s",
    "sep",
    "page",
    "##d",
    "one",
    "two",
    ".",
    "e",
]
TEXTS = ["Page one.", "two paged", "", "Page", "pages . E", "one"]


def counter(folder):
    return PageTokenizer.load(folder).count


def pages_of(*texts):
    return Pages("spatial", tuple(Page("", "a.txt", "", (Sentence(text),), 0) for text in texts))


def ids_of(tokenizer, texts, page_tokens, spaced=True):
    return [
        page.ids for page in tokenizer.encode_pages(pages_of(*texts), page_tokens, spaced=spaced)
    ]


@pytest.fixture
def word_piece(tmp_path):
    (tmp_path / "vocab.txt").write_text("\n".join(VOCABULARY), encoding="utf-8")
    return tmp_path


@pytest.fixture
def byte_level(tmp_path):
    return tiny.bart_vocabulary(tmp_path, [" Hello world one page two Photosynthesis works"] * 3)


def test_word_pieces_are_counted(word_piece):
    count = counter(word_piece)
    assert count(["Pages", "one two", "", "Éé"]) == [2, 2, 0, 1]


def test_a_cased_vocabulary_keeps_case(word_piece):
    (word_piece / "tokenizer_config.json").write_text('{"do_lower_case": false}', encoding="utf-8")
    assert PageTokenizer.load(word_piece).backend.encode(
        "Page", add_special_tokens=False
    ).tokens == ["[UNK]"]


@pytest.mark.parametrize("kind", ["word_piece", "byte_level"])
def test_counts_add_up_over_texts_joined_by_a_space(kind, request):
    count = counter(request.getfixturevalue(kind))
    texts = [
        text
        for text in [*TEXTS, "naïve “quotes” – 2.5 %", "Photosynthesis", "don't", "漢字"]
        if text
    ]
    assert sum(count(texts)) == count([" ".join(texts)])[0]


def test_byte_level_tokens_are_those_of_bart(byte_level):
    assert PageTokenizer.load(byte_level).backend.encode(
        " Hello world", add_special_tokens=False
    ).tokens == [
        "ĠHello",
        "Ġworld",
    ]
    assert counter(byte_level)(["Hello world", "world"]) == [2, 1]


def test_tokenizer_json_is_preferred(word_piece):
    tokenizer = Tokenizer(models.WordLevel({"a": 0, "?": 1}, unk_token="?"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    tokenizer.save(str(word_piece / "tokenizer.json"))
    assert counter(word_piece)(["pages pages pages"]) == [3]


def test_settings_stored_with_a_tokenizer_change_no_count(word_piece):
    backend = PageTokenizer.load(word_piece).backend
    backend.enable_truncation(2)
    backend.enable_padding(length=20)
    backend.save(str(word_piece / "tokenizer.json"))
    assert counter(word_piece)(["one two one two one"]) == [5]


def test_a_large_text_is_counted_piece_by_piece(word_piece):
    count = counter(word_piece)
    assert count(["one two " * 1000] * 300) == [2000] * 300


def test_text_that_looks_like_a_special_token_is_text(word_piece):
    tokenizer = PageTokenizer.load(word_piece)
    (ids,) = ids_of(tokenizer, ["one [SEP]"], 16)
    assert [VOCABULARY[token] for token in ids] == ["[CLS]", "one", "[", "sep", "]", "[SEP]"]
    assert tokenizer.count(["one [SEP]"]) == [4]


def test_pages_are_truncated_with_their_special_tokens(word_piece):
    assert ids_of(PageTokenizer.load(word_piece), ["one two one two", "one"], 4) == [
        [2, 11, 12, 3],
        [2, 11, 3],
    ]


def test_a_page_has_the_tokens_that_were_counted(byte_level):
    tokenizer = PageTokenizer.load(byte_level)
    for text in ("Photosynthesis works.", "ing", "Übung macht"):
        assert (
            len(ids_of(tokenizer, [text], 64)[0])
            == tokenizer.count([text])[0] + tokenizer.special_tokens
        )
    unspaced = ids_of(tokenizer, ["Photosynthesis"], 64, spaced=False)[0]
    assert unspaced == tokenizer.encode("Photosynthesis")


@pytest.mark.parametrize("kind", ["word_piece", "byte_level"])
def test_decoded_text_is_the_text(kind, request):
    tokenizer = PageTokenizer.load(request.getfixturevalue(kind))
    assert tokenizer.decode(tokenizer.encode("one page two")) == "one page two"
    pieces, ids = tokenizer.pieces("one  paged two")
    assert "".join(pieces) == "one  paged two"
    assert len(pieces) == len(ids)


def test_what_is_saved_loads(word_piece, tmp_path):
    PageTokenizer.load(word_piece).save(tmp_path / "..")
    assert PageTokenizer.load(tmp_path / "..").encode("one two") == [2, 11, 12, 3]


def test_control_tokens_show_place_headings_and_centrality():
    tokenizer = tiny.word_piece(["alpha beta gamma delta heading title top"], control_tokens=True)
    first = tokenizer.first_control_token
    sentences = (
        Sentence("alpha beta"),
        Sentence("Heading", heading="Heading", is_heading=True),
        Sentence("gamma"),
    )
    pages = Pages(
        "discourse",
        (Page("", "a", "Top", sentences, 0, title="Title"), Page("", "a", "", sentences[:1], 0)),
    )
    one, two = tokenizer.encode_pages(pages, 64)
    assert [span.sentence for span in one.spans] == [-1, -1, 0, 1, 2]
    assert one.ids[1] - first == 0  # the first page of its document
    assert two.ids[1] - first > 0
    controls = [one.ids[span.start] - first for span in one.spans]
    assert controls[0] == controls[1] == controls[3] == HEADING
    assert all(control >= FIRST_RANK for control in (controls[2], controls[4]))
    for span in one.spans[2:]:
        text = tokenizer.decode(one.ids[span.start : span.end])
        assert text == sentences[span.sentence].text.lower()
    assert len(one.ids) == tokenizer.special_tokens + sum(
        tokenizer.count(["Title", "Top", *(s.text for s in sentences)])
    )
    (short,) = tokenizer.encode_pages(Pages("", pages.pages[:1]), 8)
    assert len(short.ids) <= 8
    assert short.ids[-1] == tiny.END


def test_ranks_double_in_size():
    texts = [" ".join(["word"] * (30 - n)) + f" rare{n}" * n for n in range(30)]
    ranks = centrality_ranks(texts)
    assert [ranks.count(rank) for rank in range(5)] == [2, 4, 8, 16, 0]
    assert centrality_ranks([]) == []


def test_a_folder_without_a_tokenizer_is_refused(tmp_path):
    with pytest.raises(PagesumError, match="no tokenizer found"):
        counter(tmp_path)


@pytest.mark.parametrize("content", ["not json", json.dumps({"version": "1.0"})])
def test_a_damaged_tokenizer_is_refused(tmp_path, content):
    (tmp_path / "tokenizer.json").write_text(content, encoding="utf-8")
    with pytest.raises(PagesumError, match="cannot be read"):
        counter(tmp_path)


def test_words_that_a_vocabulary_lacks_are_numbered_after_it() -> None:
    tokenizer = tiny.words(["the", "farm", "."])
    pages = pages_of("The Zürich farm.", "Barley, the Zurich barley.")
    words = tokenizer.unknown_words(pages)
    assert words == ("zurich", "barley", ",")
    size = tokenizer.vocab_size
    first, second = (page.ids for page in tokenizer.encode_pages(pages, 64))
    assert first == [tiny.START, 4, size, 5, 6, tiny.END]
    assert second == [tiny.START, size + 1, size + 2, 4, size, size + 1, 6, tiny.END]
    assert tokenizer.encode("Barley rose.", words) == [
        tiny.START,
        size + 1,
        tiny.UNKNOWN,
        6,
        tiny.END,
    ]
    assert tokenizer.decode([tiny.START, 4, size, tiny.UNKNOWN, tiny.END], words) == "the zurich"
    assert tokenizer.decode([size + 1]) == "<copy1>"
    assert tokenizer.pieces("The Barley", words) == (["The", " Barley"], [4, size + 1])


def test_a_page_cut_short_keeps_the_numbers_of_its_words() -> None:
    tokenizer = tiny.words(["the"])
    pages = pages_of("wheat the barley", "barley")
    whole, cut = (tokenizer.encode_pages(pages, size) for size in (64, 4))
    assert [page.ids[:3] for page in cut] == [page.ids[:3] for page in whole]


def test_other_vocabularies_lack_no_word(byte_level) -> None:
    assert PageTokenizer.load(byte_level).unknown_words(pages_of("Something unknown")) == ()


def test_a_vocabulary_of_words_is_saved_and_read(tmp_path) -> None:
    tokenizer = tiny.words(["the"])
    tokenizer.save(tmp_path)
    pages = pages_of("the wheat")
    assert PageTokenizer.load(tmp_path).encode_pages(pages, 9) == tokenizer.encode_pages(pages, 9)


def test_a_broken_tokenizer_is_one_error_without_a_panic(tmp_path, capfd):
    tiny.word_piece(TEXTS, 80).save(tmp_path)
    values = json.loads((tmp_path / "tokenizer.json").read_text())
    values["normalizer"] = {"type": "Precompiled", "precompiled_charsmap": "AAAA"}
    (tmp_path / "tokenizer.json").write_text(json.dumps(values))
    with pytest.raises(PagesumError, match="the tokenizer cannot be read"):
        PageTokenizer.load(tmp_path)
    os.write(2, b"later")
    assert capfd.readouterr().err == "later"


class Recorder:
    """A backend that notes how many characters it encodes at a time."""

    def __init__(self, backend: Tokenizer) -> None:
        self._backend, self.sizes = backend, list[int]()

    def __getattr__(self, name: str) -> object:
        return getattr(self._backend, name)

    def encode_batch_fast(self, texts: list[str], **options: object) -> object:
        self.sizes.append(sum(map(len, texts)))
        return self._backend.encode_batch_fast(texts, **options)


@pytest.mark.parametrize("text", [">" * 5000, "foxes live in forests " * 250])
def test_no_more_than_a_bounded_piece_is_encoded_at_once(word_piece, monkeypatch, text) -> None:
    tokenizer = PageTokenizer.load(word_piece)
    (whole,) = tokenizer.count([text])
    monkeypatch.setattr("pagesum_cli.tokenization.PIECE", 100)
    monkeypatch.setattr("pagesum_cli.tokenization.CHARACTERS_AT_ONCE", 300)
    recorder = Recorder(tokenizer.backend)
    monkeypatch.setattr(tokenizer, "backend", recorder)
    assert tokenizer.count(["a fox", text, "", "owls"])[1:3] == [whole, 0]
    assert max(recorder.sizes) <= 300
    assert sum(recorder.sizes) == len(text) + len(" a fox owls ")
