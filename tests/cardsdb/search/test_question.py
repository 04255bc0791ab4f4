"""Questions as players put them, of what cards do: each with cards that answer it and that it must find."""

from __future__ import annotations

import pytest

from cardsdb.models import Card
from cardsdb.search.ask import answer_of
from cardsdb.search.results import parse_query

pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

QUESTIONS = {
    "what cancels an action": {"Collision!", "Intercepted Pouch", "Bodyguards"},
    "what can cancel an action in spycraft": {"Collision!", "Snowman"},
    "how can I heal Mulder": {"A Final Choice"},
    "cards that heal agents": {"Field Surgery", "Hospital Crash Cart", "Bai Gang"},
    "which cards wound an opposing agent": {"Spoilsport", "Hennessy", "Garotte"},
    "how do I get rid of the Exposed trait": {"Wipe the Mainframe"},
    "cards that expose an agent": {"Mob Rule", "Wipe the Mainframe"},
    "how do I draw more cards": {"Queen's Gambit", "Detour"},
    "cards that let me draw": {"Queen's Gambit"},
    "what retires a leader": {"Vault City 14"},
    "cards that redirect an action": {"Bluff", "Tony Marino"},
    "which events prevent damage": {"Block", "Hide"},
    "equipment that prevents damage in combat": {"Mojo Bag"},
    "how can I kill an adversary": {"Dissection", "Alien Stiletto"},
    "what can I do in the briefing phase": {"Section Chief Scott Blevins", "Agent Tom Colton"},
    "cards that give resource points": {"A Near Death Experience"},
    "how do I gain conspiracy points": {"Nasty Surprise", "Big Blue"},
    "cards that steal gear": {"Don Giovanni"},
    "who can disarm": {"Disarm"},
    "cards that search my deck": {"Armory", "Majestic Branch"},
    "cards that return a card from the discard pile": {"Out of Retirement", "We Can Rebuild Him"},
    "cards that make my opponent discard": {"War of the Coprophages"},
    "cards that look at the opponent's hand": {"Visions Of A Madman", "Luther Lee Boggs"},
    "what moves an agent to headquarters": {"Capt. Drake", "Spike Dropper"},
    "bluff that stops a site check": {"Laser Barrier"},
    "cards that negate a bluff": {"Puzzles Within Puzzles"},
    "cards that give + to observation": {"Binoculars", "Helicopter Spotter"},
    "bonus to occult checks": {"Owen Jarvis", "Sharon Kiveat"},
    "cards that turn a mission face up": {"President George Winter"},
    "which gear can be used as a melee action": {"Masterwork Katana", "Garotte"},
    "reacts when an agent is wounded": {"Field Surgery", "The Snake Squad"},
    "cards that put an agent in the hospital": {"Deadly Blur", "A Final Choice"},
    "cards that abduct an agent": {"Abduction"},
    "cards that win a mission": {"Containment", "R&R Interrupted"},
    "who gives victory points": {"Sanderson", "Walk in the Park"},
    "which cards remove cards from the game": {"Clear the Way"},
    "cards that double damage": {"The Evil One"},
    "cards that swap agents": {"Clever Disguise"},
    "cards against vehicles": {"Spike Dropper", "Demolition Derby"},
    "protect my agent from being wounded": {"Kevlar BDU", "Tuxedo Liner"},
    "stop a chase": {"Aerial Tail"},
    "who can wound a leader": {"Deadeye"},
    "how do I stop a bluff": {"Puzzles Within Puzzles"},
}


def found(question: str) -> set[str]:
    results = answer_of(parse_query(question)).results
    return set(Card.objects.filter(pk__in=results.pks).values_list("name", flat=True))


@pytest.mark.parametrize("question", QUESTIONS)
def test_a_question_finds_the_cards_that_answer_it(question: str) -> None:
    assert QUESTIONS[question] - found(question) == set()


@pytest.mark.parametrize(
    "name", ["failure is not an option", "who goes there", "how the ghosts stole christmas"]
)
def test_a_card_that_is_called_like_a_question_is_meant(name: str) -> None:
    """As typed, or not at all: its small words are part of the name."""
    answer = answer_of(parse_query(name))
    assert answer.results.total < 3


@pytest.mark.parametrize("question", ["who let the dogs out", "what about a duel", "xyzzy plugh"])
def test_a_question_of_which_no_card_has_half_the_words_finds_nothing(question: str) -> None:
    assert found(question) == set()


def test_what_is_read_is_said_in_the_search_language_and_reads_again_as_the_same_cards() -> None:
    answer = answer_of(parse_query("what moves an agent to headquarters"))
    assert answer.meant.startswith("game:spycraft does=move (text:headquarter")
    assert set(answer_of(parse_query(answer.meant)).results.pks) == set(answer.results.pks)


def test_a_slip_in_a_question_is_mended() -> None:
    assert "Abduction" in found("cards that abdcut an agent")


def test_a_size_in_quotes_is_looked_up_as_it_is_written() -> None:
    query = parse_query('text:"with combat 4 or more of it" (type:agent)')
    assert query.fields.with_sizes(query.query.text) == query.query.text
