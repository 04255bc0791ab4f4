"""``game.toml``: every fault is one sentence with file and key, and no code of the folder runs. Most tests
change the file of Night Train, the game that ``manage.py new_game`` writes.
"""

import pytest

from cardsdb import games as folders
from cardsdb.games.kit import FolderError
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.kit.print.face import FactSymbols, Number, NumberRow

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
    # The layout "wide" is in landscape format.
    assert [night_train.faces[name].landscape for name in ("place", "agent")] == [True, False]


# What a key may say is tested with ``Table``; here are the faults that this file has besides.
@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('name = "Night Train"', 'name = "Night\\u202eTrain"', "name: must be text on one"),
        ('"#9cc3d5"]', '"red"]', "hue: must be two colours, for"),
        ('Porters = "#8a3b12"', 'Porters = "brown"', "colours.Porters: must be a colour such"),
        ("[types.trick]", "[types.Trick_Card]", "types: 'Trick_Card' must be at most"),
        ('["nerve", "wit"]', '["nerve", "crew"]', "types.agent.face.column: 'crew' is no number of"),
        ('marks = "crew"', 'marks = "cost"', "types.agent.face.marks: 'cost' is no word of"),
        ('band = "crew"', 'band = "wit"', "types.agent.face.band: must be a word of"),
        ("limit = 3", "limit = true", "formats.usual.rules.2.limit: must be a whole number"),
        ("limit = 3", "limit = 10000", "formats.usual.rules.2.limit: must be a whole number"),
        ("limit = 3", 'limit = 3\ncode = "a b"', "formats.usual.rules.2.code: 'a b' must be at"),
        ("exactly = 2", "exactly = 2\nat_most = 3", "formats.usual.rules.4.exactly: leaves no room for"),
        ("exactly = 2", "", "formats.usual.rules.4.rule: says no number; give at_least,"),
        (
            'what = "places"',
            "where = { crew = 3 }",
            "formats.usual.rules.4.of.where: 'crew' must be text, not",
        ),
        ('what = "places"', 'where = { club = "x" }', "formats.usual.rules.4.of.where: 'club' is no fact"),
    ],
)
def test_each_fault_is_told_with_file_and_key(changed, old, new, fault):
    told = changed((old, new))
    assert any(f"{PLACE}, {fault}" in line for line in told), told
    assert "night-train" not in folders.games()


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('columns = ["nevre"]', "columns: 'nevre' is no fact; declared"),
        ("plaers = 2", "plaers: means nothing here; known are"),
        ("card_size = [63, 880]", "card_size: must be width and height"),
        ('key_cards = { spy = "cost" }', "key_cards: 'spy' is no type"),
        ("player_words = { sly = 3 }", "player_words.sly: must be text: another"),
        ('player_words = { "# wits" = "wit" }', "player_words.# wits: must be text: another"),
        ('player_words = { wits = "wit#" }', "player_words.wits: must be text: another"),
        ("exports = {}", "exports: means nothing here"),
        (
            'opening = { piles = [{ slug = "a", name = "A", deals = [{ name = "H", cards = "all" }] }] }',
            "opening.piles.1.deals.1.cards: must be a whole number",
        ),
        ('line_symbols = { HP = "M 1 2 3" }', "line_symbols.HP: must be one of asterisk,"),
    ],
)
def test_each_fault_of_a_further_key_is_told(changed, line, fault):
    assert any(f"{PLACE}, {fault}" in told for told in changed(('players = "2"', line)))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name =",
        "a = " + "[" * 5_000,
        "players = " + "1" * 5_000,
        "players = 0x" + "f" * 5_000,
        "[types]\n[formats]\n",
        'types = 3\nfacts = "x"\nformats = [1]\nname = []',
        'name = "N\xe4ht"',
    ],
    ids=["empty", "no TOML", "brackets", "digits", "hex", "no types", "wrong types", "no UTF-8"],
)
def test_a_file_that_is_no_game_is_told_and_other_games_stay(night_train, text):
    (night_train.folder / "game.toml").write_text(text, encoding="latin-1")
    folders.games.cache_clear()
    assert folders.faults() and all("night-train" in line for line in folders.faults())
    assert "night-train" not in folders.games() and "spycraft" in folders.games()


def test_a_fact_of_effects_that_is_added_to_the_game_must_not_be_declared_too(night_train, changed):
    (night_train.folder / "effects.toml").write_text("")
    (fault,) = changed(("[facts.crew]", '[facts.does]\nkind = "words"\n\n[facts.crew]'))
    assert "facts.does: is added, since there is an effects.toml" in fault


def test_a_file_beyond_its_bounds_is_not_read(night_train):
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
