"""``game.toml``: every fault is one sentence with file and key, and no code of the folder runs. Most tests
change the file of Night Train, the game that ``manage.py new_game`` writes.
"""

import pytest

from cardsdb import games as folders
from cardsdb.games.kit import FolderError
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.kit.print.face import FactSymbols, Number, NumberRow
from tests.support.data_games import changed, night_train, site_data

__all__ = ["changed", "night_train", "site_data"]

PLACE = "night-train/game.toml"


def test_a_new_game_keeps_the_contract(night_train):
    assert night_train.is_data
    assert problems(night_train) == folders.faults() == []


def test_a_layout_shows_the_named_facts_in_their_places(night_train):
    elements = night_train.faces["agent"].elements
    assert [each.fact for each in elements if isinstance(each, Number)] == ["cost"]
    rows = [[key for key, *_ in each.facts] for each in elements if isinstance(each, NumberRow)]
    assert rows == [["nerve", "wit"]]
    assert [each.fact for each in elements if isinstance(each, FactSymbols)] == ["crew"]


def test_the_layout_wide_is_in_landscape_format(night_train):
    assert night_train.faces["place"].landscape
    assert not night_train.faces["agent"].landscape


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('players = "2"', 'players = "2"\ncolumns = ["nevre"]', "columns: 'nevre' is no fact; declared"),
        ('players = "2"', "plaers = 2", "plaers: means nothing here; known are"),
        ('players = "2"', "players = 2", "players: must be text on one"),
        ('name = "Night Train"', "", "name: is missing; it must be"),
        ('name = "Night Train"', 'name = "Night\\u202eTrain"', "name: must be text on one"),
        ('"#9cc3d5"]', '"red"]', "hue: must be two colours, for"),
        ('Porters = "#8a3b12"', 'Porters = "brown"', "colours.Porters: must be a colour such"),
        ("[types.trick]", "[types.Trick_Card]", "types: 'Trick_Card' must be at most"),
        ('layout = "column"', 'layout = "tower"', "types.agent.face.layout: must be one of lines,"),
        (
            'column = ["nerve", "wit"]',
            'column = ["nerve", "crew"]',
            "types.agent.face.column: 'crew' is no number of",
        ),
        ('marks = "crew"', 'marks = "cost"', "types.agent.face.marks: 'cost' is no word of"),
        ('band = "crew"', 'band = "wit"', "types.agent.face.band: must be a word of"),
        (
            'types = ["place"]\n\n[col',
            'types = ["palace"]\n\n[col',
            "facts.reward.types: 'palace' is no type; declared",
        ),
        ("limit = 3", "limit = true", "formats.usual.rules.2.limit: must be a whole number"),
        ("limit = 3", "limit = 10000", "formats.usual.rules.2.limit: must be a whole number"),
        (
            "exactly = 2",
            "exactly = 2\nat_most = 3",
            "formats.usual.rules.4.exactly: leaves no room for at_least",
        ),
        ("exactly = 2", "", "formats.usual.rules.4.rule: says no number; give at_least,"),
        ('fact = "crew"', 'fact = "club"', "formats.usual.rules.3.fact: must be one of cost,"),
        (
            'sections = ["places"]',
            'sections = ["cellar"]',
            "formats.usual.rules.4.of.sections: 'cellar' is no section",
        ),
        (
            'what = "places"',
            "where = { crew = 3 }",
            "formats.usual.rules.4.of.where: 'crew' must be text, not",
        ),
        ('what = "places"', 'where = { club = "x" }', "formats.usual.rules.4.of.where: 'club' is no fact"),
        ("limit = 3", 'limit = 3\ncode = "a b"', "formats.usual.rules.2.code: 'a b' must be at"),
        (
            'name = "Usual deck"',
            'name = "Usual deck"\nbased_on = "other"',
            "formats.usual.based_on: must be one of",
        ),
        ('players = "2"', "card_size = [63, 880]", "card_size: must be width and height"),
        ('players = "2"', 'write_in = ["spy"]', "write_in: 'spy' is no type"),
        ('players = "2"', 'key_cards = { spy = "cost" }', "key_cards: 'spy' is no type"),
        ('players = "2"', "player_words = { sly = 3 }", "player_words.sly: must be text: another"),
        (
            'players = "2"',
            'player_words = { "# wits" = "wit" }',
            "player_words.# wits: must be text: another",
        ),
        ('players = "2"', 'player_words = { wits = "wit#" }', "player_words.wits: must be text: another"),
        ('players = "2"', "exports = {}", "exports: means nothing here"),
        (
            'players = "2"',
            'columns = [{ key = "cost", place = "corner" }]',
            "columns.1.place: must be one of column,",
        ),
        (
            'players = "2"',
            'statistics = [{ statistic = "graph", title = "Wit" }]',
            "statistics.1.statistic: must be one of counts,",
        ),
        (
            'players = "2"',
            'opening = { piles = [{ slug = "a", name = "A", deals = [{ name = "H", cards = "all" }] }] }',
            "opening.piles.1.deals.1.cards: must be a whole number",
        ),
        (
            'players = "2"',
            'print_extras = { markers = [{ name = "Seen", symbol = "circle", count = 1, cites = "A" }] }',
            "print_extras.markers.1.symbol: must be one of asterisk,",
        ),
        ('players = "2"', 'line_symbols = { HP = "M 1 2 3" }', "line_symbols.HP: must be one of asterisk,"),
    ],
)
def test_each_fault_is_told_with_file_and_key(changed, old, new, fault):
    told = changed((old, new))
    assert any(f"{PLACE}, {fault}" in line for line in told), told
    assert "night-train" not in folders.games()


@pytest.mark.parametrize("number", ["1" * 5_000, "0x" + "f" * 5_000])
def test_a_number_of_thousands_of_digits_is_a_fault_and_the_site_goes_on(changed, number):
    assert any("night-train" in line for line in changed(('players = "2"', f"players = {number}")))
    assert "spycraft" in folders.games() and "night-train" not in folders.games()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name =",
        "a = " + "[" * 5_000,
        "[types]\n[formats]\n",
        'types = 3\nfacts = "x"\nformats = [1]\nname = []',
        'name = "N\xe4ht"',
    ],
)
def test_a_file_that_is_no_game_is_told_and_other_games_stay(night_train, text):
    (night_train.folder / "game.toml").write_text(text, encoding="latin-1")
    folders.games.cache_clear()
    assert folders.faults() and all(line.startswith("night-train/game.toml") for line in folders.faults())
    assert "night-train" not in folders.games() and "spycraft" in folders.games()


def test_a_fact_of_effects_that_is_added_to_the_game_must_not_be_declared_too(night_train):
    (night_train.folder / "effects.toml").write_text("")
    path = night_train.folder / "game.toml"
    path.write_text(path.read_text() + '\n[facts.does]\nkind = "words"\n')
    with pytest.raises(FolderError, match=r"facts\.does: is added, since there is an effects.toml"):
        read_game(night_train.folder)


def test_a_folder_with_a_file_beyond_its_bounds_is_not_read(night_train):
    (night_train.folder / "starters" / "long.txt").write_text("x" * (256 * 1024 + 1))
    with pytest.raises(FolderError, match=r"starters/long\.txt: 262,145 bytes"):
        read_game(night_train.folder)


def test_no_code_of_the_folder_is_run(night_train, tmp_path):
    for name in ("__init__.py", "rules.py", "face.py", "examples.py", "statistics.py"):
        (night_train.folder / name).write_text(f"open({str(tmp_path / 'ran')!r}, 'w')")
    folders.games.cache_clear()
    assert problems(folders.games()["night-train"]) == []
    assert not (tmp_path / "ran").exists()


def test_a_folder_called_like_a_game_that_is_there_is_left_out(site_data, night_train):
    night_train.folder.rename(site_data / "games" / "spycraft")
    folders.games.cache_clear()
    (fault,) = folders.faults()
    assert "a game called 'spycraft' stands in" in fault
    assert fault.endswith("already; call this folder otherwise")
    assert not folders.games()["spycraft"].is_data


def test_a_folder_whose_name_cannot_stand_in_an_address_is_told(site_data, night_train):
    night_train.folder.rename(site_data / "games" / "Night Train")
    assert any("Night Train: the folder's name stands in addresses" in line for line in folders.faults())


def test_a_game_of_data_is_found_beside_the_games_with_code_too(night_train, monkeypatch):
    folders.look_in(None)
    assert "night-train" not in folders.games()
    monkeypatch.setattr(folders, "__path__", [*folders.__path__, str(night_train.folder.parent)])
    folders.games.cache_clear()
    assert "night-train" in folders.games()


def test_a_rule_is_cited_from_the_rulebook_by_its_code_and_then_has_no_words_of_its_own(night_train, changed):
    (night_train.folder / "rulebook.toml").write_text(
        '[documents.leaflet]\ntitle = "Leaflet"\n[rules.NT-1]\nsection = "Decks"\n'
        'lines = "4"\ncertainty = "stated"\nsays = "Three of a card."\n'
    )
    assert changed(("limit = 3", 'limit = 3\ncode = "NT-1"')) == []
    game = folders.games()["night-train"]
    assert (game.citations["NT-1"].document, list(game.documents)) == ("leaflet", ["leaflet", "own"])
    assert problems(game) == []
    (fault,) = changed(('code = "NT-1"', 'code = "NT-1"\nsays = "Three."'))
    assert fault.startswith(f"{PLACE}, formats.usual.rules.2.says: the rule 'NT-1' says something already")


EXAMPLE = '[[examples]]\nname = "One"\nformat = "usual"\nlist = "1 Dining Car"\nverdict = "incomplete"\n'


def test_a_hundred_examples_are_read(night_train):
    (night_train.folder / "examples.toml").write_text(EXAMPLE * 100, encoding="utf-8")
    assert len(read_game(night_train.folder).examples()) == 100
