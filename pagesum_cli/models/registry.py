"""The architectures: one line each, by ``model_type`` in ``config.json``."""

from importlib import import_module
from typing import Any

MODEL_TYPES = {
    "pagesum": "pagesum_cli.models.pagesum.model:PageSumModel",
    "bart": "pagesum_cli.models.pagesum.model:PageSumModel",
    "extractive": "pagesum_cli.models.extractive.model:ExtractiveModel",
    "pointer-generator": "pagesum_cli.models.dpp.recurrent:PointerGenerator",
    "copy-transformer": "pagesum_cli.models.dpp.transformer:CopyTransformer",
    "conv-seq2seq": "pagesum_cli.models.dpp.convolutional:ConvolutionalModel",
    "topdown": "pagesum_cli.models.topdown.model:TopDownModel",
    "topdown-tagger": "pagesum_cli.models.topdown.tagger:TopDownTagger",
}


def model_class(model_type: str) -> type[Any]:
    """The class of an architecture, a :class:`~pagesum_cli.models.base.PageModel`.

    Raises:
        KeyError: There is no such architecture.
    """
    module, name = MODEL_TYPES[model_type].split(":")
    return getattr(import_module(module), name)
