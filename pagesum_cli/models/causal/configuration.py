"""How a language model reads pages. Independent of torch."""

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar

from ..causal_settings import MODEL_TYPE
from ..configuration import ModelConfig, choice

PAGE = "{page}"  # stands for the page in an instruction

# of four that were tried, the one under which authors' summaries were most likely
INSTRUCTION = f"{PAGE}\n\nSummarize the text above."

RULES = ("switch", "mean", "product")


@dataclass
class CausalConfig(ModelConfig):
    """What Transformers' configuration does not have: the prompt, and how pages are mixed."""

    model_type: ClassVar[str] = MODEL_TYPE

    # How the pages' distributions are mixed, see :mod:`.mixing`
    page_rule: str = choice(*RULES)
    switching: float = 0.1  # ε, the probability that the page changes at a token
    # α: how much what a prompt without a page predicts is taken off; 0 computes none
    contrast: float = 0.0
    instruction: str = INSTRUCTION  # what the model is asked; ``{page}`` is the page
    system: str = ""  # the system's message before it; empty for none
    template: str = ""  # a chat template (Jinja) instead of the model's own
    end_token_ids: list[int] = field(default_factory=list)  # tokens that end the summary
    trained_confidence: bool = False  # whether there is a trained confidence layer (eq. 7)
    decoder_start_token_id: int = 0  # the search begins with it; the model does not read it
    # The checkpoint's own generation settings under Transformers' names
    generation: dict[str, Any] = field(default_factory=dict)

    def own_settings(self) -> dict[str, Any]:
        """What is stored beside Transformers' configuration: the values that differ from those of a
        new model.
        """
        kept = ("page_rule", "switching", "contrast", "instruction", "system", "template")
        more = ("trained_confidence", "page_tokens", "locality", "languages", "generation")
        return {name: value for name, value in asdict(self).items() if name in (*kept, *more)}
