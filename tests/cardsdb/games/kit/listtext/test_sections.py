"""An example of what may be put into a deck is one that the deck takes."""

from __future__ import annotations

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Severity
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.games.kit.listtext.reading import SIDEBOARD, example_line, split_heading

FORMATS = [(slug, format.slug) for slug, game in games().items() for format in game.formats]


@pytest.mark.parametrize(("slug", "format"), FORMATS)
def test_the_example_of_a_format_is_read_into_one_of_its_sections_and_breaks_nothing_itself(
    slug: str, format: str
) -> None:
    game = games()[slug]
    chosen = game.formats_by_slug[format]
    line = example_line(game, chosen)
    reading = read_deck(game, line, chosen)
    assert not reading.unread
    assert bool(reading.deck.entries) == bool(chosen.sections)
    for entry in reading.deck:
        assert entry.section in chosen.sections
        assert game.types_by_slug[entry.card.type].in_decks
        assert not [
            v
            for v in game.judge(reading.deck, chosen).violations
            if v.severity is Severity.ILLEGAL and v.excess
        ]


def test_a_game_whose_cards_are_lost_gives_an_example_that_decks_take() -> None:
    game = games()["steamspy"]
    (entry,) = read_deck(game, example_line(game, game.formats_by_slug["cell"])).deck
    assert entry.card.name != "Intelligence"


def test_a_sideboard_of_counts_alone_is_one_line_each() -> None:
    assert split_heading(games()["spycraft"], "SB,2,Kai") == (SIDEBOARD, "SB,2,Kai")


@pytest.mark.parametrize(
    "tag", ["[Maybeboard{noDeck}{noPrice}]", "(ON) [Sideboard]", "[maybeboard] ^Have,#37d67a^"]
)
def test_a_card_that_is_tagged_as_beside_the_deck_does_not_count_into_it(tag: str) -> None:
    reading = read_deck(games()["spycraft"], f"2 Kai\n3x Termite {tag}")
    assert [(entry.count, entry.card.name) for entry in reading.deck] == [(2, "Kai")]
    (notice,) = reading.notices
    assert "is no part of a Spycraft deck" in notice.message and len(reading.comments) == 1


def test_a_card_that_is_tagged_as_of_the_sideboard_stands_in_it() -> None:
    (entry,) = read_deck(games()["xfiles"], "2 Kick [Sideboard]").deck
    assert entry.section == "sideboard"


@pytest.mark.parametrize(
    "heading", ["[b]Leaders (1)[/b]", "[size=4][u]Leaders:[/u][/size]", "[B]Leaders[/B]"]
)
def test_a_heading_of_a_forum_is_a_heading_and_its_markup_is_no_line(heading: str) -> None:
    reading = read_deck(games()["spycraft"], f"{heading}\n[list]\n[*]1 Li Cong\n[/list]")
    assert not reading.unread and [entry.section for entry in reading.deck] == ["leaders"]
