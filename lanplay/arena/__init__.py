"""Bot against bot: matches over duplicate deals, and what they prove.

`run_match(MatchSpec("cambio", ("memory", "random"), games=1000, seed=1), progress)` plays a match and gives a `Result`;
`report.text(result)` is what people read, `page.html(result)` the same with charts, `report.as_csv(result)` the ranking,
and `result.object()` goes out as JSON.
"""

from lanplay.arena.match import Interrupted, run_match
from lanplay.arena.result import Result, Standing
from lanplay.arena.spec import MatchError, MatchSpec
from lanplay.arena.sprt import Sprt

__all__ = ["Interrupted", "MatchError", "MatchSpec", "Result", "Sprt", "Standing", "run_match"]
