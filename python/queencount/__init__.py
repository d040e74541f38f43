"""Count, list and classify the solutions of the N-queens problem.

>>> import queencount
>>> queencount.count(8)
92
>>> queencount.classes(8).fundamental
12
>>> next(queencount.solutions(8))
(0, 4, 7, 5, 2, 6, 1, 3)
"""

from ._queencount import *
from ._queencount import __version__ as __version__
from ._results import *

__all__ = [
    "Audit", "Classes", "Device", "Estimate", "Interval", "RecordError", "Stopped", "Tally",
    "WrongCount", "WrongPart", "__version__", "audit", "classes", "count", "devices", "estimate",
    "images", "merge", "published", "rows", "run", "solutions",
]
