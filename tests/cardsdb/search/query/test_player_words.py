"""Plain words as players mean them, read without any card: phrases, pieces and what they mean together."""

from __future__ import annotations

import random

import pytest

from cardsdb.games import games
from cardsdb.games.kit import Game
from cardsdb.search.query.check import check
from cardsdb.search.query.meaning import Reading, read_player_words
from cardsdb.search.query.phrases import Phrases, forms, phrase_of, phrases_of
from cardsdb.search.query.player_words import plain_words
from cardsdb.search.query.tree import Query, SortKey, normal
from tests.support.search_fields import fields_of

FIELDS = fields_of(tuple(games().values()))


def checked(text: str) -> Query:
    return check(text, FIELDS)


def read(text: str, game: str = "") -> Reading:
    fields = fields_of((games()[game],)) if game else FIELDS
    return read_player_words(checked(text), phrases_of(fields), FIELDS)


@pytest.mark.parametrize(
    ("one", "several"),
    [
        ("agent", "agents"),
        ("witness", "witnesses"),
        ("adversary", "adversaries"),
        ("wheelman", "wheelmen"),
        ("solo op", "solo ops"),
    ],
)
def test_a_phrase_is_known_in_the_singular_and_the_plural(one: str, several: str) -> None:
    assert several in forms(one)
    assert one in forms(several)


def test_marks_and_case_do_not_matter() -> None:
    assert phrase_of("Operation: Nightfall") == phrase_of("operation nightfall")
    assert phrase_of("X-Files") == "x files"


@pytest.mark.parametrize(
    ("text", "game", "meant"),
    [
        ("freelancers", "spycraft", "faction=Freelancer"),
        ("wheelman only", "spycraft", "restricted_to=Wheelman"),
        ("faction krypt", "spycraft", 'faction="The Krypt"'),
        ("non-unique agents", "spycraft", "-(is:unique or traits=Unique) type=agent"),
        ("missions without cover", "spycraft", "type=mission -has:cover"),
        ("5 vp missions", "spycraft", "victory_points=5 type=mission"),
        ("agents with computer skill", "xfiles", "type=agent computer>=1"),
        ("cost x", "xfiles", "cost_formula:x"),
        ("agents that heal", "spycraft", "type=agent does=heal"),
        ("negate a bluff", "xfiles", "does=negate text:bluff"),
        ("cards against vehicles", "spycraft", "text:vehicle"),
        ("special agents", "spynet", "is:special type=agent"),
        ("zzz agents", "spycraft", "zzz type=agent"),
        ("agents 5 craft 4 combat", "spycraft", "type=agent craft=5 combat=4"),
        ("search deck", "", "(does=find or does=examine) text:deck"),
    ],
)
def test_words_are_read_by_what_the_game_declares(text: str, game: str, meant: str) -> None:
    assert normal(read(text, game).tree) == meant


def test_the_most_and_the_least_sort() -> None:
    assert read("highest combat agents", "spycraft").order == (SortKey("combat", True),)
    assert read("cheapest gear", "spycraft").order == (SortKey("expense", False),)


def test_what_a_verb_says_by_its_meaning_is_preferred_not_asked_for() -> None:
    reading = read("expose agents", "spycraft")
    assert normal(reading.tree) == "does=expose"
    assert [normal(tree) for tree in reading.preferred] == ["text:agent"]


@pytest.mark.parametrize("text", ['"freelancers"', '"level 1"', "zzz", "the of and", "discard pile"])
def test_words_in_quotes_words_of_no_game_and_things_to_which_nothing_is_done_are_no_phrases(
    text: str,
) -> None:
    assert read(text, "spycraft").phrases == 0


def test_words_that_were_left_out_still_belong_to_what_was_typed() -> None:
    assert plain_words("spycraft cards") == ["spycraft", "cards"]


def test_a_game_that_nobody_knew_declares_its_phrases_itself(sixth_game: Game) -> None:
    phrases = Phrases(fields_of((sixth_game,)))
    for kind in sixth_game.types:
        assert any(sense.kind == "type" for sense in phrases.senses((kind.plural,)))
    assert any(sense.kind == "game" for sense in phrases.senses((sixth_game.name,)))


WORDS = (
    "level bravado craft combat cost x 1 5 krypt or bloodvine leaders agents gear cards that heal cancels an"
    " action with without non highest cheapest killer advanced only green faction set nightfall murder"
    " lottery ops solo wounded is against vehicles no not medical skill zzz"
).split()


@pytest.mark.seeds(3)
def test_whatever_is_read_is_a_query_without_faults_that_is_read_the_same_again(seed: int) -> None:
    rng, read_something = random.Random(seed), 0
    for _ in range(150):
        text = " ".join(rng.choice(WORDS) for _ in range(rng.randint(1, 6)))
        reading = read(text, rng.choice(["", "spycraft", "xfiles"]))
        if reading.phrases and reading.tree:
            read_something += 1
            again = checked(normal(Query(reading.tree, (), reading.order)))
            assert not again.faults, text
            assert normal(checked(normal(again)).tree) == normal(again.tree), text
    assert read_something > 50
