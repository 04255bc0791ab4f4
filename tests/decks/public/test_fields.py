"""The conditions (``decks/public/fields.py``) behind searches for decks: sizes as strangers and as
owners see them, the columns and indexes that are read, and rate limits for queries that look into every deck.
"""

from typing import Any

import pytest
from django.db.models import QuerySet, Sum
from django.test import Client

from cardsdb.identity.viewer import Viewer
from decks.models import Comment, Deck, DeckLine
from decks.public.listing import listing
from tests.support.accounts import member
from tests.support.made_decks import named_deck, starter
from tests.support.public_decks import found
from tests.support.queries import queries_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def anna():
    return member("anna")


@pytest.fixture
def truth(anna):
    """A deck with a secret section."""
    return named_deck(anna, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")


def test_a_stranger_finds_a_deck_by_its_size_without_secret_cards(truth, anna):
    whole, shown = truth.size, truth.size_shown
    counts = dict(truth.lines.values_list("section").annotate(Sum("count")))
    assert (whole, whole - shown) == (sum(counts.values()), counts["xfile"]) and whole > shown
    assert [found(client, f"size={shown}") for client in (Client(), anna)] == [["Truth"], []]
    assert [found(client, f"size={whole}") for client in (Client(), anna)] == [[], ["Truth"]]
    assert found(Client(), f"-size={shown}") == []
    Deck.objects.update(judged_by="long ago")
    assert found(Client(), f"is:legal size={shown}") == ["Truth"], "judging again keeps both sizes"
    Deck.objects.filter(pk=truth.pk).update(revealed=True)
    assert found(Client(), f"size={whole}") == ["Truth"]


def test_sizes_and_verdicts_are_read_from_columns_without_computing_them():
    sized = str(listing(Viewer(), " or ".join(f"size={n}" for n in range(100))).decks.query)
    assert "decks_deckline" not in sized and "SUM(" not in sized
    judged = str(listing(Viewer(), "is:legal").decks.query)
    assert "judged_by" in judged
    assert "||" not in judged and "COALESCE" not in judged and 'revision" =' not in judged


@pytest.mark.engine("sqlite")
def test_lists_of_decks_read_from_indexes():
    def plan(rows: QuerySet[Any]) -> str:
        return rows.explain()

    counted = DeckLine.objects.order_by().filter(card__in=[1, 2]).values("deck")
    counted = counted.annotate(copies=Sum("count")).values("section", "copies")
    assert "COVERING INDEX line_counted" in plan(counted)
    named = Deck.objects.public().order_by("name_folded", "-changed", "-pk").only("name")
    assert "INDEX deck_named" in plan(named) and "TEMP B-TREE" not in plan(named)
    waiting = Comment.objects.order_by().filter(state="waiting", deck__in=[1, 2]).values("deck")
    assert "INDEX comment_waiting" in plan(waiting)


@pytest.mark.usefixtures("nothing_counted")
@pytest.mark.parametrize("query", ["uses:kai", "deck:[t:gear]>=2", "-deck:[kai]", "tiger or uses:kai"])
@pytest.mark.parametrize("path", ["/decks/", "/decks.atom", "/api/v1/decks/"])
def test_a_query_that_looks_into_every_deck_counts_as_work_and_is_refused_before_it_runs(
    client, settings, path, query
):
    settings.CUTOUT_WORKS_PER_MINUTE = 1
    assert client.get(path, {"q": query}).status_code == 200
    queries = queries_of(lambda: client.get(path, {"q": query}))
    assert [sql for sql in queries if "decks_deckline" in sql] == []
    assert client.get(path, {"q": query}).status_code == 429
    assert client.get(path, {"q": "size>=3 likes<9 tiger"}).status_code == 200
