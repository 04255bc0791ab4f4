"""A game that is a folder of data, and a format that is a file, work on the site like any other; and
``manage.py new_game`` writes such a folder.
"""

import pytest
from django.core.management import CommandError

from cardsdb import games as folders
from cardsdb.catalogue.loader import load
from tests.support.commands import run
from tests.support.data_games import write_format
from tests.support.new_game import assert_is_decked_and_printed, verdict_on
from tests.support.pages import page

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def new_game(*args: str) -> str:
    return run("new_game", *args).out


def test_a_game_of_data_is_searched_decked_judged_and_printed(night_train, client):
    load(night_train)
    assert "Ada Quill" in page(client, "/cards/night-train/ada-quill/").text
    assert "Night Train" in page(client, "/").text
    assert "at most 3 copies of each card" in page(client, "/games/night-train/rules/").text
    for address in ("/games/night-train/", "/sets/night-train/ONE/", "/cards/night-train/ada-quill/face.svg"):
        assert client.get(address).status_code == 200, address

    def keys_of_cards_found_by(query: str) -> list[str]:
        return [card["key"] for card in client.get("/api/v1/cards/", {"q": query}).json()["results"]]

    assert "night-train/ada-quill" in keys_of_cards_found_by("wit>=4")
    assert keys_of_cards_found_by("game:night-train carriage") == ["night-train/benno-latch"]
    verdict, broken = verdict_on(client, "night-train", "4 Ada Quill")
    assert verdict == "illegal" and "USUAL-2" in broken
    assert_is_decked_and_printed(client, "night-train", night_train.starters[0].text, "Ada Quill")


def test_a_new_or_changed_file_of_a_format_changes_the_digest_that_stored_verdicts_rest_on(site_data):
    text = (
        'game = "spycraft"\nname = "League"\nbased_on = "agency"\n[[rules]]\nrule = "banned"\ncards = "Kai"\n'
    )
    digests = {folders.games()["spycraft"].rules_digest}
    for changed in (text, text.replace("Kai", "Shiatsu")):
        assert write_format(site_data, "tuesday.toml", changed) == []
        digests.add(folders.games()["spycraft"].rules_digest)
    assert len(digests) == 3


# -- manage.py new_game ----------------------------------------------------------------


def test_a_new_game_is_written_into_the_site_s_data_and_runs_at_once(site_data, settings, client):
    settings.VAR_DIR = site_data
    output = new_game("  Der  Blaue Brief, “neu” ")
    folder = site_data / "games" / "der-blaue-brief-neu"
    assert f"  {folder / 'game.toml'}\n" in output
    assert "\n  make run, then look at /games/der-blaue-brief-neu/." in output
    folders.games.cache_clear()
    game = folders.games()["der-blaue-brief-neu"]
    assert game.name == "Der Blaue Brief, “neu”"
    assert [len(each) for each in (game.types, game.cards, game.formats, game.starters)] == [3, 10, 1, 1]
    run("load_cards")
    assert "Der Blaue Brief" in page(client, "/games/der-blaue-brief-neu/").text


def test_a_new_game_in_another_folder_is_printed_with_the_variable_that_makes_the_site_find_it(
    site_data, tmp_path_factory, monkeypatch
):
    monkeypatch.delenv("CUTOUT_GAMES_PATH", raising=False)
    place = tmp_path_factory.mktemp("mine")
    assert f"CUTOUT_GAMES_PATH={place} make run" in new_game('Sid\'s "Game" \\', "--in", str(place))
    assert (place / "sids-game" / "game.toml").is_file()


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("Spycraft",), "There is a game “spycraft” already"),
        (("Taken",), "is there already, and nothing was written"),
        (("  ",), "A game's name has 1 to 60 letters"),
        (("Night\u202eTrain",), "invisible character"),
        (("夜汽車",), "cannot be part of an address: give --slug"),
        (("Night Train", "--slug", "../up"), "cannot be part of an address: give --slug"),
    ],
)
def test_a_new_game_with_a_bad_or_taken_name_is_refused_and_nothing_is_overwritten(site_data, args, message):
    (site_data / "taken").mkdir()
    (site_data / "taken" / "mine.txt").write_text("mine")
    with pytest.raises(CommandError, match=message):
        new_game(*args, "--in", str(site_data))
    assert [path.name for path in site_data.rglob("*")] == ["taken", "mine.txt"]


def test_a_name_without_latin_letters_is_taken_with_a_slug(site_data):
    new_game("夜汽車", "--slug", "night-train", "--in", str(site_data / "games"))
    folders.games.cache_clear()
    assert folders.games()["night-train"].name == "夜汽車"
