"""What SpyNet needs beside its deck: the sixteen branch tokens of the box."""

from __future__ import annotations

from cardsdb.games.kit.print.extras import PrintExtras, SpareCards

BRANCHES = ("enforcement", "infiltration", "counterespionage", "tech")
PRINT_EXTRAS = PrintExtras(cards=tuple(SpareCards(f"{branch}-token", 4, "SN-05") for branch in BRANCHES))
