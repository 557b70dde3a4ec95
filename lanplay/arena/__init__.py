"""Bot against bot: matches over duplicate deals, and what they prove.

`run_match(MatchSpec(...))` plays a match and gives a `Result`; `report.text(result)` is what people read.
"""

from lanplay.arena.match import MatchSpec, run_match
from lanplay.arena.result import Result

__all__ = ["MatchSpec", "Result", "run_match"]
