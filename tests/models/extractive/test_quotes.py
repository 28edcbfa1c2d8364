"""What is known of quotes beside each other."""

import numpy as np

from pagesum_cli.models.extractive.quotes import _draft
from pagesum_cli.quoting.candidates import Candidate
from pagesum_cli.quoting.choice import Choice


def sentence(number: int, *, alone: float = 1.0, is_abstract: bool = True) -> Candidate:
    return Candidate(0, number, (1, 2), 0.0, alone=alone, is_abstract=is_abstract)


def test_what_points_back_in_an_abstract_is_understood_after_the_sentence_before_it() -> None:
    abstract = [sentence(0), sentence(1), sentence(2, alone=0.1)]
    text = [sentence(3, is_abstract=False), sentence(4, alone=0.1, is_abstract=False)]
    choices = [Choice(number, np.ones(1)) for number in range(5)]
    assert _draft([*abstract, *text], choices).needs_context == (False,) * 4 + (True,)
    assert _draft(abstract, [choices[0], choices[2]]).needs_context == (False, True)
