"""The quick way of reading a line reads what the thorough one does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardsdb.games import games
from cardsdb.games.kit.listtext import deck
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.line import CardLine, exact_line, read_card_line
from cardsdb.games.kit.model.names import NameIndex

FORMS = ("2 {}", "2x {}", "02 {}", "99 {}")


@pytest.mark.parametrize("slug", sorted(games()))
def test_a_count_and_an_exact_name_is_read_alike_in_both_ways(slug: str) -> None:
    game = games()[slug]
    lines = [
        form.format(" ".join(name.split()))
        for card in game.cards
        for name in (card.name, card.name.upper())
        for form in FORMS
    ]
    both = [
        (exact, read_card_line(game, line, ()))
        for line in lines
        if (exact := exact_line(game.name_index, line))
    ]
    assert len(both) > len(lines) / 2
    assert [CardLine(*exact) for exact, _ in both] == [thorough for _, thorough in both]


@pytest.mark.parametrize("slug", sorted(games()))
def test_ready_lists_are_read_alike_in_both_ways(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = games()[slug]
    texts = [(starter.text, game.formats_by_slug.get(starter.format)) for starter in game.starters]
    # Cards that are written in are made anew each time, and compared as they are written out.
    quick = [repr(read_deck(game, text, format)) for text, format in texts]
    monkeypatch.setattr(deck, "exact_line", lambda *_: None)
    assert [repr(read_deck(game, text, format)) for text, format in texts] == quick


@pytest.mark.parametrize("line", ["2 Kai\x1c", "2 \u200bKai", "2\tKai", "0 Kai", "00x Kai"])
def test_what_cannot_be_seen_and_no_copies_at_all_are_left_to_the_thorough_way(line: str) -> None:
    assert exact_line(games()["spycraft"].name_index, line) is None


def test_a_line_that_is_a_name_itself_is_left_to_the_thorough_way() -> None:
    """Somebody's own card may be called ``2 Kai``."""
    game = games()["spycraft"]
    index = game.name_index
    kai = index.called("Kai")[0]
    own = NameIndex((replace(kai, name="2 Kai"),))
    assert exact_line(index, "3 Kai", own) and exact_line(index, "2 Kai", own) is None
