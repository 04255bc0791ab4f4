"""No query reveals what a visitor may not see: it finds the same decks as a visitor who reads all pages that
they may open.

The expected answer is computed in Python from the decks as their pages show them (``Seen``), without SQL.
"""

import operator
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from hypothesis import given, settings
from hypothesis import strategies as st

from cardsdb.games import games
from cardsdb.games.kit import Card as KitCard
from cardsdb.games.kit import fold
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card
from decks.models import Deck, DeckLine, Favourite
from decks.public.lines import lines_of, lines_of_cards
from decks.public.listing import deck_rows, listing
from tests.support.accounts import member
from tests.support.made_decks import named_deck

pytestmark = pytest.mark.django_db

COMPARED = {
    "=": operator.eq,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "!=": operator.ne,
}
# Card search -> the condition on a card. The second finds cards that stand only in secret sections.
KINDS: dict[str, Any] = {
    "t:agent": lambda card: card.type == "agent",
    "t:x-file": lambda card: card.type == "x-file",
    "!kai": lambda card: fold(card.name) == "kai",
    "-t:agent": lambda card: card.type != "agent",
    "game:xfiles name:a": lambda card: card.game == "xfiles" and "a" in fold(card.name),
}
NAMES = ("Kai", "Termite", "Duane Barry", "Agent Fox Mulder")


@dataclass(frozen=True)
class Seen:
    """A deck as one visitor may see it, read into memory."""

    name: str
    game: str
    format: str
    verdict: str
    tags: tuple[str, ...]
    likes: int
    is_mine: bool
    is_kept: bool
    owner: str
    cards: tuple[tuple[KitCard, int], ...]

    def copies(self, kind) -> int:
        return sum(count for card, count in self.cards if not card.written and kind(card))


TRUST = "X-File:\n1 Duane Barry\nStarting Agents:\n1 Agent Fox Mulder"


@pytest.fixture(scope="module")
def visitors(module_db):
    """Public, unlisted and private decks with secrets, of Anna and of others; visitor's name -> viewer."""
    anna = member("anna")
    user = User.objects.get()
    agency = next(starter.text for starter in games()["spycraft"].starters if starter.format == "agency")
    for seen in ("public", "unlisted", "private"):
        of_spycraft: dict[str, Any] = {"visibility": seen}
        of_xfiles: dict[str, Any] = {"game": "xfiles", "visibility": seen}
        named_deck(anna, f"Annas {seen}", agency, **of_spycraft, tags=["mirror", seen], likes=2)
        named_deck(anna, f"Trust {seen}", TRUST, **of_xfiles, likes=5)
        named_deck(Client(), f"Strange {seen}", TRUST, **of_xfiles, tags=["mirror"])
        named_deck(Client(), f"Kai {seen}", "2 Kai\n1 Termite", **of_spycraft, house="AG-3.at_least=3")
    named_deck(Client(), "Told to all", TRUST, game="xfiles", revealed=True)
    for deck in Deck.objects.filter(name__startswith="Kai"):
        Favourite.objects.create(deck=deck, user=user)
    return {
        "stranger": Viewer(),
        "anna": Viewer(user.pk),
        "key": Viewer(key_hash=Deck.objects.get(name="Strange private").edit_hash),
    }


def is_own(deck: Deck, visitor: Viewer) -> bool:
    by_account = visitor.user_id and deck.owner_id == visitor.user_id
    return bool(by_account or (visitor.key_hash and deck.edit_hash == visitor.key_hash))


def shelf_of(visitor: Viewer) -> list[Seen]:
    """All decks that the list of decks shows to this visitor, with the cards that their pages show."""
    seen = []
    for deck in Deck.objects.with_cards().order_by("-changed", "-pk"):
        mine = is_own(deck, visitor)
        if not mine and deck.visibility != "public":
            continue
        game = games()[deck.game]
        shows_all = mine or deck.revealed
        cards = [
            (entry.card, entry.count)
            for entry in deck.decklist()
            if shows_all or not game.is_secret(entry.section, entry.card.type)
        ]
        kept = bool(visitor.user_id) and Favourite.objects.filter(deck=deck, user=visitor.user_id).exists()
        seen.append(
            Seen(
                deck.name,
                deck.game,
                deck.format,
                verdict=deck.judged(game).verdict,
                tags=tuple(deck.tags),
                likes=deck.likes,
                is_mine=mine,
                is_kept=kept,
                owner=deck.owner.username if deck.owner else "",
                cards=tuple(cards),
            )
        )
    return seen


@pytest.fixture(scope="module")
def shelves(visitors):
    return [(visitor, shelf_of(visitor)) for visitor in visitors.values()]


def leaf_strategy() -> st.SearchStrategy[tuple[str, Any]]:
    """Pairs of (a part of a query, its condition on a ``Seen`` deck)."""
    compared, copies = st.sampled_from(sorted(COMPARED)), st.integers(0, 6)

    def words(text, means, *among) -> st.SearchStrategy[tuple[str, Any]]:
        """``text`` with one of the words, and the condition ``means(deck, word)``."""
        return st.sampled_from(among).map(lambda word: (text.format(word), lambda deck: means(deck, word)))

    def numbers(text, of, *among) -> st.SearchStrategy[tuple[str, Any]]:
        """``text`` with one of the words, compared with a number; ``of(deck, word)`` is the deck's number."""

        def part(word, op, count) -> tuple[str, Any]:
            return f"{text.format(word)}{op}{count}", lambda deck: COMPARED[op](of(deck, word), count)

        return st.builds(part, st.sampled_from(among or ("",)), compared, copies)

    return st.one_of(
        words("{}", lambda d, word: word in fold(d.name), "trust", "kai", "private", "annas", "a"),
        words("game:{}", lambda d, slug: d.game == slug, "spycraft", "xfiles"),
        words("format:{}", lambda d, slug: d.format == slug, "agency", "advanced"),
        words("legal:{}", lambda d, slug: d.format == slug and d.verdict == "legal", "agency"),
        words("is:{}", lambda d, verdict: d.verdict == verdict, "legal", "incomplete", "illegal"),
        words("is:{}", lambda d, _: d.is_mine, "mine"),
        words("is:{}", lambda d, _: d.is_kept, "favourite"),
        words("by:{}", lambda d, name: d.owner == name, "anna"),
        words("tag:{}", lambda d, tag: tag in d.tags, "mirror", "private"),
        words('uses:"{}"', lambda d, name: d.copies(lambda card: card.name == name) > 0, *NAMES),
        numbers("likes", lambda d, _: d.likes),
        numbers("size", lambda d, _: sum(count for _, count in d.cards)),
        numbers("deck:[{}]", lambda d, kind: d.copies(KINDS[kind]), *sorted(KINDS)),
    )


def queries() -> st.SearchStrategy[tuple[str, Any]]:
    """Pairs of (a query, its condition on a ``Seen`` deck), grown from leaves by "not", "and" and "or"."""

    def grown(inner: st.SearchStrategy[tuple[str, Any]]) -> st.SearchStrategy[tuple[str, Any]]:
        def negated(part: tuple[str, Any]) -> tuple[str, Any]:
            text, means = part
            return f"-({text})", lambda deck: not means(deck)

        def joined(parts, word, enough) -> tuple[str, Any]:
            (first, _), (second, _) = parts
            return f"({first}{word}{second})", lambda deck: enough(means(deck) for _, means in parts)

        pair = st.tuples(inner, inner)
        return st.one_of(
            inner.map(negated),
            pair.map(lambda parts: joined(parts, " ", all)),
            pair.map(lambda parts: joined(parts, " or ", any)),
        )

    return st.recursive(leaf_strategy(), grown, max_leaves=4)


@settings(max_examples=8, deadline=None)
@given(asked=st.lists(queries(), min_size=8, max_size=8))
def test_every_query_finds_what_the_pages_open_to_the_visitor_show(shelves, asked):
    for visitor, shelf in shelves:
        for text, meaning in asked:
            found = listing(visitor, text)
            assert found.query.faults == (), text
            assert {deck.name for deck in found.decks} == {deck.name for deck in shelf if meaning(deck)}, text


def rows_of(visitor: Viewer) -> Iterator[tuple[str, dict[str, int]]]:
    """(name of a deck, section -> number of cards) for each row of the visitor's list."""
    for row in deck_rows(listing(visitor).decks, visitor):
        yield row.deck.name, dict(row.sizes)


def test_a_secret_section_is_counted_only_in_its_owners_list_unless_it_is_revealed(visitors):
    assert dict(rows_of(visitors["stranger"]))["Trust public"] == {"Starting Agents": 1}
    assert dict(rows_of(visitors["anna"]))["Trust public"] == {"Starting Agents": 1, "X-File": 1}
    assert dict(rows_of(visitors["stranger"]))["Told to all"] == {"Starting Agents": 1, "X-File": 1}


def test_a_written_in_card_of_a_secret_type_is_secret_too(visitors):
    deck = Deck.objects.get(name="Trust public")
    written = {"code": "x", "name": "Made up", "type": "x-file", "facts": {}}
    deck.lines.filter(section="xfile").update(card=None, written=written, section="gone")
    assert dict(rows_of(visitors["stranger"]))["Trust public"] == {"Starting Agents": 1}
    assert "Trust public" in {found.name for found in listing(visitors["stranger"], "size=1").decks}
    assert "Trust public" in {found.name for found in listing(visitors["anna"], "size=2").decks}


@pytest.mark.parametrize(
    "query",
    [
        "deck:[t:x-file]",
        "uses:'Duane Barry'",
        'uses:"Duane Barry"',
        "size=2 trust",
        "is:mine",
        "by:anna private",
    ],
)
def test_page_feed_and_api_reveal_no_secret_to_a_stranger(visitors, query):
    for address in ("/decks/", "/decks.atom", "/api/v1/decks/"):
        answer = Client().get(address, {"q": query}).text
        assert "Trust p" not in answer.replace(query, "")
        assert "Strange " not in answer and "Annas p" not in answer


def test_the_lines_a_viewer_may_see_are_found_without_a_join_with_all_decks(shelves):
    """With such a join, PostgreSQL read all decks."""
    written = {"code": "x", "name": "Made up", "facts": {}}
    of_xfiles = Deck.objects.filter(game="xfiles")
    for name, type_, section in (
        ("Trust public", "agent", "xfile"),
        ("Strange public", "x-file", "gone"),
        ("Strange private", "x-file", "xfile"),
        ("Told to all", "x-file", "xfile"),
    ):
        line = of_xfiles.get(name=name).lines.create(
            written=written | {"type": type_}, section=section, count=1, position=99
        )
        assert line.card is None
    decks = list(Deck.objects.all())
    for visitor, _ in shelves:
        expected = {line for deck in decks for line in deck.lines.all() if is_told(line, deck, visitor)}
        lines = lines_of(decks, visitor)
        assert set(lines) == expected
        of_cards = lines_of_cards(visitor, Card.objects.values_list("pk", flat=True))
        assert set(of_cards) == {line for line in expected if line.card}
        assert 'JOIN "decks_deck"' not in str(lines.query)
    stranger = set(lines_of(decks, Viewer()).values_list("pk", flat=True))
    assert stranger < set(DeckLine.objects.values_list("pk", flat=True)), "some lines are secret"


def is_told(line: DeckLine, deck: Deck, visitor: Viewer) -> bool:
    """True if the visitor may see this line of a deck that they may open."""
    card_type = line.card.type if line.card else line.written["type"]
    return deck.revealed or is_own(deck, visitor) or not games()[deck.game].is_secret(line.section, card_type)
