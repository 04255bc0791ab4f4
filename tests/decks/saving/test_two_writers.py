"""Several processes write to one deck at once, each with its own connection: no change is lost, and none
fails.
"""

from collections import Counter
from contextlib import ExitStack
from typing import Any

import pytest

from cardsdb.games import games
from decks.core.judging import judge_text
from decks.models import Deck, new_deck
from tests.support.deck_writer import write
from tests.support.processes import Child, Site, answer, copied_site
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db
CHANGES = 4


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker, tmp_path_factory):
    with django_db_blocker.unblock(), copied_site(tmp_path_factory.mktemp("writers")) as site:
        yield site


def make_shared() -> tuple[str, str]:
    """(link, edit key) of a new deck with one card."""
    deck, key = new_deck()
    save_list(deck, judge_text(games()["spycraft"], "1 Kai"), name="Shared")
    return deck.link, key


def stored(link: str) -> dict[str, Any]:
    """The cards of the deck, its revision, and for each state its number and the number of its cards."""
    deck = Deck.objects.get(link=link)
    states = list(deck.revisions.values_list("number", "content"))
    return {
        "cards": {line.card.code: line.count for line in deck.lines.select_related("card") if line.card},
        "revision": deck.revision,
        "numbers": [number for number, _ in states],
        "sizes": [sum(line["count"] for line in content["lines"]) for _, content in states],
    }


@pytest.fixture
def deck(site):
    link, key = answer(site, make_shared)
    return link, key


def writer(site: Site, stack: ExitStack, doing: str, deck: tuple[str, str], card: str, times: int) -> Child:
    """A process that is ready to make changes."""
    child = Child(site, write, doing, *deck, card, times)
    stack.callback(child.kill)
    assert child.hear() == "ready"
    return child


def all_at_once(site: Site, doing: str, deck: tuple[str, str], cards: list[str], times: int) -> list[str]:
    """Let a writer for each card make ``times`` changes at once. Returns their answers, one for each
    change.
    """
    with ExitStack() as stack:
        writers = [writer(site, stack, doing, deck, card, times) for card in cards]
        for each in writers:
            each.say("go")
        return [each.hear() for each in writers for _ in range(times)]


@pytest.mark.parametrize(
    "cards", [["kai"] * 4, ["termite", "bishop", "blitz", "beowulf"]], ids=["one card", "four"]
)
def test_copies_added_by_several_at_once_are_all_there(site, deck, cards):
    assert set(all_at_once(site, "add", deck, cards, CHANGES)) == {"stored"}
    after = answer(site, stored, deck[0])
    assert after["cards"] == Counter({"kai": 1}) + Counter(cards * CHANGES)
    assert after["numbers"] == list(range(1 + 4 * CHANGES)), (
        "every change is a state with a number of its own"
    )
    assert after["sizes"] == list(range(1, 2 + 4 * CHANGES)), "each stands on the one before"


def test_programs_that_use_if_match_lose_no_change(site, deck):
    answers = all_at_once(site, "replace", deck, ["termite", "kai", "kai"], 4)
    statuses = [int(status) for line in answers for status in line.split()]
    assert set(statuses) <= {200, 412}
    after = answer(site, stored, deck[0])
    assert after["cards"] == {"kai": 9, "termite": 4}
    assert after["revision"] == 12


def test_a_second_writer_waits_for_the_first(site, deck):
    with ExitStack() as stack:
        first, second = (writer(site, stack, "slowly", deck, "kai", 1) for _ in range(2))
        first.say("go")
        assert first.hear() == "read"
        second.say("go")
        second.say("go")
        first.say("go")
        assert [first.hear(), second.hear(), second.hear()] == ["stored", "read", "stored"]
    assert answer(site, stored, deck[0])["sizes"] == [1, 2, 3]


def test_without_the_lock_one_of_two_changes_fails(site, deck):
    """This proves that the tests above would fail without the lock."""
    with ExitStack() as stack:
        writers = [writer(site, stack, "unlocked", deck, "kai", 1) for _ in range(2)]
        for each in writers:
            each.say("go")
        assert [each.hear() for each in writers] == ["read", "read"]
        answers = []
        for each in writers:
            each.say("go")
            answers.append(each.hear())
    assert answers[0] == "stored"
    assert answers[1].startswith("failed")
    assert answer(site, stored, deck[0])["sizes"] == [1, 2]
