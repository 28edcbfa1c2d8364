"""What the paper printed, to stand beside what is measured here.

Only figures that could be checked: against the summaries that the authors published with their program.
"""

PUBLISHED: dict[str, dict[str, dict[str, float]]] = {
    "govreport": {"PageSum (Liu et al. 2022)": {"rouge1": 59.91, "rouge2": 27.20, "rougeLsum": 57.07}},
}
"""By data set and system: F1. The paper's "ROUGE-L" is Lsum, and its texts are tokenized as ``--tokenize ptb`` does."""

DOCUMENTS = {"govreport": 973}
"""On how many documents these were measured: the whole test split."""
