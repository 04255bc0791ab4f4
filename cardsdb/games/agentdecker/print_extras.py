"""What Agent Decker needs beside its cards: two tokens for the alarm, and a sheet for the scores."""

from __future__ import annotations

from cardsdb.games.kit.print.extras import Marker, PrintExtras, ScoreCard
from cardsdb.games.kit.print.symbols import BELL

PRINT_EXTRAS = PrintExtras(
    markers=(Marker("Alarm, tens", BELL, 1, "AD-06"), Marker("Alarm, units", BELL, 1, "AD-06", "#9a3a16")),
    scores=(
        ScoreCard(
            "Score sheet",
            tuple(f"Mission {number}" for number in range(1, 6)),
            4,
            "Total",
            "AD-41",
            "The alarm at the end of each mission, 0 to 49. The lowest total is the best.",
        ),
    ),
)
