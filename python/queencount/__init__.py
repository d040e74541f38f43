"""In how many ways can N queens stand on an N x N board so that none attacks another?

>>> import queencount
>>> queencount.count(8)
92
>>> queencount.classes(8).fundamental
12
>>> next(queencount.solutions(8))
(0, 4, 7, 5, 2, 6, 1, 3)
"""

from ._queencount import (
    Classes,
    Stopped,
    __version__,
    classes,
    count,
    estimate,
    fundamental_solutions,
    images,
    published,
    rows,
    solutions,
)
from ._results import Estimate, Interval

__all__ = [
    "Classes",
    "Estimate",
    "Interval",
    "Stopped",
    "__version__",
    "classes",
    "count",
    "estimate",
    "fundamental_solutions",
    "images",
    "published",
    "rows",
    "solutions",
]
