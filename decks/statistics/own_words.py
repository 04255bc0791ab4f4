"""What the own texts of a visitor say of a deck's cards, in the words of its game: a table for them alone."""

from __future__ import annotations

from collections.abc import Mapping

from cardsdb.box.texts import texts_of
from cardsdb.games.kit import Decklist, Game
from cardsdb.games.kit.play.figures import NONE, Table, TableRow, tally
from cardsdb.identity.viewer import Viewer

TITLE = "What your own texts say"
NOTE = (
    "For you alone, out of texts that were brought and not out of our summaries: on how many cards a verb of"
    " the game stands in any form. A word such as “turn” or “end” may be a noun there."
)
# Verbs that are shown, the most frequent first.
MAX_VERBS = 24


def own_table(viewer: Viewer, game: Game, deck: Decklist) -> Table | None:
    """The table of the texts that this visitor sees as their own, or everyone's on a private site; None
    without one. One query or two.
    """
    return table_of_texts(game, deck, texts_of(viewer, game, list({entry.card.code for entry in deck})))


def table_of_texts(game: Game, deck: Decklist, texts: Mapping[str, str]) -> Table | None:
    """How many of a deck's cards have each verb in their text, copies counted. ``texts``: card code ->
    text.
    """
    told = [entry for entry in deck if entry.card.code in texts]
    if not told:
        return None
    words = game.effect_words
    verbs = {code: (words.verbs_in(text) if words else ()) or (NONE,) for code, text in texts.items()}
    counts = tally(told, lambda entry: verbs[entry.card.code])
    ordered = sorted(counts, key=lambda verb: (verb == NONE, -counts[verb], verb))
    rows = [
        TableRow("none of these" if verb == NONE else verb, (counts[verb],)) for verb in ordered[:MAX_VERBS]
    ]
    feet = (
        TableRow("Cards with a text", (sum(entry.count for entry in told),)),
        TableRow("All cards", (deck.size,)),
    )
    return Table(TITLE, "Verb", ("Cards",), tuple(rows), feet, note=NOTE)
