"""Bot against bot: matches over duplicate deals, and what they prove.

`run_match(MatchSpec("cambio", ("memory", "random"), games=1000, seed=1), progress)` plays a match and gives a `Result`;
`report.text(result)` is what people read, `report.as_csv(result)` the ranking, `result.object()` goes out as JSON.
"""

from lanplay.arena.match import MatchError, run_match
from lanplay.arena.result import Result, Standing
from lanplay.arena.spec import MatchSpec

__all__ = ["MatchError", "MatchSpec", "Result", "Standing", "run_match"]
