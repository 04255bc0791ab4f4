"""The index of the API names each game with its kind, facts and formats."""

import pytest

from cardsdb.catalogue.loader import load
from cardsdb.games import games
from tests.support.data_games import data_games

__all__ = ["data_games"]

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_the_index_names_each_games_kind_facts_and_formats(client, data_games):
    load(data_games["french-pack"])
    index = {game["slug"]: game for game in client.get("/api/v1/").json()["games"]}
    assert list(index) == list(games())
    assert (index["spycraft"]["kind"], index["french-pack"]["kind"]) == ("code", "data")
    pack = client.get(index["french-pack"]["address"]).json()
    assert (pack["kind"], [fact["key"] for fact in pack["facts"]][:3]) == ("data", ["suit", "rank", "pips"])
    formats = [format["slug"] for format in pack["formats"]]
    assert formats == index["french-pack"]["formats"] == ["whole", "piquet", "pinochle"]
