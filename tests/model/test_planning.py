"""A model that first chooses the sentences it is going to say."""

import math

import pytest
import torch

from pagesum_cli.decoding.plan import choose_sentences, said
from pagesum_cli.marks import FIRST_RANK, HEADING, MOST_WANTED, WANTED
from pagesum_cli.model.configuration import PageSumConfig
from pagesum_cli.model.modeling import PageRows, PageSumForConditionalGeneration

START, END, PAD, FIRST_MARK = 57, 58, 0, 1


@pytest.fixture
def model() -> PageSumForConditionalGeneration:
    torch.manual_seed(0)
    shape = {"d_model": 16, "encoder_layers": 2, "decoder_layers": 2, "vocab_size": 200}
    shape |= {
        f"{side}_{what}": n for side in ("encoder", "decoder") for what, n in (("attention_heads", 2), ("ffn_dim", 32))
    }
    tokens = {"bos_token_id": START, "eos_token_id": END, "pad_token_id": PAD, "decoder_start_token_id": START}
    marks = {"first_mark": FIRST_MARK, "judge_layers": 1}
    config = PageSumConfig(
        **shape, **tokens, **marks, forced_eos_token_id=None, max_position_embeddings=64, init_std=0.5
    )
    return PageSumForConditionalGeneration(config).eval()


def pages(
    *documents: list[list[list[int]]],
) -> tuple[torch.Tensor, torch.Tensor, list[list[tuple[int, int, list[int]]]]]:
    """Documents of pages of sentences → ids, mask, and page, place and tokens of each sentence."""
    ids = torch.full((len(documents), max(map(len, documents)), 60), PAD)
    places: list[list[tuple[int, int, list[int]]]] = []
    for b, document in enumerate(documents):
        places.append([])
        for p, sentences in enumerate(document):
            row = [START, FIRST_MARK + p, FIRST_MARK + HEADING, 60]
            for number, sentence in enumerate(sentences):
                places[b].append((p, len(row), sentence))
                row += [FIRST_MARK + FIRST_RANK + number, *sentence]
            ids[b, p, : len(row) + 1] = torch.tensor([*row, END])
    return ids, (ids != PAD).long(), places


def sentence(seed: int, length: int) -> list[int]:
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(61, 200, (length,), generator=generator).tolist()


@pytest.mark.parametrize("beams", [1, 2])
@torch.no_grad()
def test_the_most_salient_sentences_are_marked_as_wanted(model: PageSumForConditionalGeneration, beams: int) -> None:
    first = [[sentence(1, 10), sentence(2, 9)], [sentence(3, 12), sentence(4, 8), sentence(5, 20)]]
    second = [[sentence(6, 10), sentence(7, 11), sentence(8, 9), sentence(9, 9)]]
    ids, mask, places = pages(first, second)
    settings = {"num_beams": beams, "max_length": 24, "min_length": 20, "no_repeat_ngram_size": 3}
    model.config.plans = True
    planned = model.generate(ids.clone(), mask, **settings)

    # The same by hand: each page read alone, each document judged alone.
    marked = ids.clone()
    for b, sentences in enumerate(places):
        states, numbers = [], []
        for p in sorted({p for p, _, _ in sentences}):
            encoded = model.model.encode(ids[b, p][None], mask[b, p][None].bool())[0]
            own = [place for q, place, _ in sentences if q == p]
            numbers += range(len(states) + 1, len(states) + 1 + len(own))
            states += [encoded[place] for place in (2, *own)]  # the heading's mark, then the sentences'
        alone = torch.zeros(len(states), dtype=torch.long)
        judged = model.judge(torch.stack(states), alone, alone)
        salience, usual = judged[numbers, :2].sum(-1).tolist(), float(judged[:, 2].mean().exp())
        chosen = choose_sentences(salience, [tokens for _, _, tokens in sentences], 22, usual=usual, least=19)
        assert 0 < len(chosen) < len(sentences)
        for order, number in enumerate(chosen):
            p, place, _ = sentences[number]
            marked[b, p, place] = FIRST_MARK + WANTED + order
        ids_said = planned.sequences[b].tolist()
        said = [token - FIRST_MARK - WANTED for token in ids_said]
        assert [number for number in said if 0 <= number < MOST_WANTED] == list(range(len(chosen)))
        assert END in ids_said

    read = model(marked, mask, decoder_input_ids=planned.sequences[:, :-1])
    unplanned = model(ids, mask, decoder_input_ids=planned.sequences[:, :-1])
    written = planned.page_confidences.sum(-1) > 0  # (B, T), 0 behind the end
    torch.testing.assert_close(planned.page_confidences[written], read.page_confidences[written], atol=1e-5, rtol=1e-4)
    assert not torch.allclose(planned.page_confidences[written], unplanned.page_confidences[written], atol=1e-3)


def test_a_summary_is_as_long_as_the_judge_tells(model: PageSumForConditionalGeneration) -> None:
    model.config.plans = True
    torch.nn.init.zeros_(model.judge.length.weight)
    torch.nn.init.constant_(model.judge.length.bias, math.log(20))
    ids, mask, _ = pages([[sentence(n, 9) for n in range(5)], [sentence(n, 9) for n in range(5, 10)]])
    settings = {"num_beams": 1, "min_length": 0}

    def said_tokens(most: int = 60, scale: float = 1.0) -> int:
        written = model.generate(ids.clone(), mask, max_length=most, length_scale=scale, **settings).sequences[0]
        return len(written) - 2  # without start and end

    assert [said_tokens(), said_tokens(scale=0.5), said_tokens(scale=2.0), said_tokens(most=14)] == [20, 10, 40, 10]


@pytest.mark.parametrize("beams", [1, 2])
def test_what_is_planned_is_said_even_where_words_come_again(
    model: PageSumForConditionalGeneration, beams: int
) -> None:
    model.config.plans = True
    again = [sentence(1, 10), sentence(2, 6) + sentence(1, 3)]
    ids, mask, _ = pages([again[:1], again[1:]], [[sentence(3, 8)]])
    told: list[list[int]] = []
    found = model.generate(
        ids,
        mask,
        num_beams=beams,
        num_return_sequences=beams,
        max_length=60,
        min_length=50,
        no_repeat_ngram_size=2,
        on_step=lambda length, most, tokens: told.append([length, most, *tokens.tolist()]),
    )
    first = [START, *said(again, FIRST_MARK + WANTED, END)]
    second = [START, *said([sentence(3, 8)], FIRST_MARK + WANTED, END)]
    padding = len(first) - len(second)
    assert found.sequences.tolist() == [first] * beams + [second + [PAD] * padding] * beams
    assert told == [[n + 1, 60, *found.sequences[[0, -1], n].tolist()] for n in range(1, len(first))]
    torch.testing.assert_close(found.page_confidences[0].sum(-1), torch.ones(len(first) - 1))
    assert not found.page_confidences[-1, -padding:].any()


def test_a_page_without_a_sentence_needs_no_plan(model: PageSumForConditionalGeneration) -> None:
    model.config.plans = True
    ids, mask, _ = pages([[]])
    assert model.generate(ids, mask, num_beams=1, max_length=6, min_length=0).sequences.shape[0] == 1


@torch.no_grad()
def test_a_sentence_is_judged_beside_the_others_of_its_document_alone(model: PageSumForConditionalGeneration) -> None:
    states, documents = torch.randn(9, 16), torch.tensor([0] * 6 + [1] * 3)
    together = model.judge(states, documents, documents)
    alone = torch.zeros(3, dtype=torch.long)
    torch.testing.assert_close(model.judge(states[6:], alone, alone), together[6:])
    fewer = model.judge(states[:5], documents[:5], documents[:5])
    assert not torch.allclose(fewer, together[:5], atol=1e-3)
    assert model.judge(states[:0], documents[:0], documents[:0]).shape == (0, 3)


@torch.no_grad()
def test_each_document_of_a_cluster_has_a_beginning(model: PageSumForConditionalGeneration) -> None:
    ids, mask, _ = pages([[sentence(1, 10), sentence(2, 9)], [sentence(3, 12)]], [[sentence(4, 8)]])
    for places in ([0, 1], [0, 0]):
        ids[0, :2, 1] = FIRST_MARK + torch.tensor(places)
        rows = PageRows.of(ids, mask.bool())
        states = torch.randn(7, 16)  # three, two and two marks of the pages, headings' included
        row, _ = model.marked(rows)
        parts = torch.tensor([0, 0, 0, places[1] == 0, places[1] == 0, 2, 2]).long()
        expected = model.judge(states, torch.tensor([0] * 5 + [1] * 2), parts)
        torch.testing.assert_close(model.judgements(states, rows, row), expected)


@torch.no_grad()
def test_a_very_long_document_is_judged_in_runs(model: PageSumForConditionalGeneration, monkeypatch) -> None:
    states, documents = torch.randn(9, 16), torch.tensor([0] * 7 + [1] * 2)
    whole = model.judge(states, documents, documents)
    monkeypatch.setattr("pagesum_cli.model.modeling.JUDGED_TOGETHER", 3)
    runs = model.judge(states, documents, documents)
    torch.testing.assert_close(runs[7:], whole[7:])
    changed = torch.cat([states[:3], torch.randn(6, 16)])
    torch.testing.assert_close(model.judge(changed, documents, documents)[:3], runs[:3])
    assert not torch.allclose(runs[:3], whole[:3], atol=1e-3)


def test_a_checkpoint_keeps_its_judge(model: PageSumForConditionalGeneration, tmp_path) -> None:
    model.config.plans = True
    model.save_pretrained(tmp_path)
    again = PageSumForConditionalGeneration.from_pretrained(tmp_path)
    assert again.config.plans
    torch.testing.assert_close(again.judge.state_dict(), model.judge.state_dict())
