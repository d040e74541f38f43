"""In how many ways can N queens stand on an N x N board so that none attacks another?

>>> import queencount
>>> queencount.count(8)
92
>>> queencount.classes(8).fundamental
12
>>> next(queencount.solutions(8))
(0, 4, 7, 5, 2, 6, 1, 3)
"""

from ._queencount import *
from ._results import Audit, Device, Estimate, Interval, Tally, WrongEntry, WrongPart

__all__ = [
    "Audit", "Classes", "Device", "Estimate", "Interval", "RecordError", "Stopped", "Tally", "WrongEntry", "WrongPart",
    "__version__", "audit", "classes", "count", "devices", "estimate", "fundamental_solutions", "images", "merge",
    "published", "rows", "run", "solutions",
]
