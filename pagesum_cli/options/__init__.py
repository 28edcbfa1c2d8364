"""One table of options: flags, training settings, checkpoints' defaults and the Python API are all made from it.

The options are the fields of the dataclasses in this package, and :class:`~.table.Row` is what is known of each.
"""

from .generation import (  # noqa: F401
    CAPABILITIES,
    DEFAULTS,
    STORED,
    STORED_OPTIONS,
    EndingOptions,
    GenerationOptions,
    from_stored,
    refuse_unused,
    searched,
    stored_form,
    stored_name,
    supported,
    unused,
)
from .paging import (  # noqa: F401
    DEFAULT_MODEL,
    DEVICES,
    EXACT,
    LOCALITIES,
    MIN_PAGE_TOKENS,
    UNITS,
    ModelNameOptions,
    ModelOptions,
    PagingOptions,
    RecursionOptions,
)
from .table import (  # noqa: F401
    LARGEST,
    MAX_SEED,
    Options,
    Row,
    expectation,
    fault,
    flags_of,
    hints_of,
    kind_of,
    names_of,
    nearest,
    option,
    refuse_idle,
    row_of,
    shown,
)
