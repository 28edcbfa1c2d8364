"""One table of options: flags, training settings, checkpoints' defaults and the Python API are all
made from it.

The options are the fields of the dataclasses in this package, and :class:`~.table.Row` is what is
known of each.
"""

from .generation import *  # noqa: F403
from .paging import *  # noqa: F403
from .table import *  # noqa: F403
