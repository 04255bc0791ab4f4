"""Set-ups of the games for every number of players (``set_up.toml``, read by
``cardsdb/games/kit/folder/guides.py``): steps, counts and sources.

A row of ``set_ups.csv`` is a number of pieces: in the steps, or of those that are needed.
"""

import re
from typing import Any

import pytest

from cardsdb.games import games
from cardsdb.games.kit import FolderError
from cardsdb.games.kit.contract.optional import set_up_problems
from cardsdb.games.kit.model.guides import MAX_PLAYERS, Guide, SetUpError, SetUpGuide
from tests.cardsdb.tables import pairs
from tests.support.game_folders import with_guides


def declared(slug: str) -> SetUpGuide:
    found = games()[slug].set_up_guide
    assert found is not None
    return found


def laid(guide: Guide) -> dict[str, Any]:
    """Return the quantities in the steps, by name."""
    return {quantity.what: quantity for step in guide.steps for quantity in step.quantities}


def needed(guide: Guide) -> dict[str, Any]:
    return {component.what: component for component in guide.components}


# -- set-ups of the games -------------------------------------------------------------

COUNTS = pairs("web/set_ups.csv")


@pytest.mark.parametrize(("slug", "players", "options", "of", "what", "total"), COUNTS)
def test_a_set_up_counts_what_the_documents_say(slug, players, options, of, what, total):
    """ "unknown" is a number that no document states; what is "not needed" is not played."""
    chosen = dict(option.split("=") for option in options.split())
    guide = declared(slug).guide_for({"players": players, **chosen})
    counted = laid(guide) if of == "steps" else needed(guide)
    found = counted[what].total if what in counted else "not needed"
    assert str("unknown" if found is None else found) == total


def test_a_quantity_has_a_number_for_each_player_and_its_source():
    guide, xfiles = declared("spycraft").guide(2), declared("xfiles").guide(2)
    hand, missions = laid(guide)["Cards in hand"], laid(guide)["Missions in the queue"]
    tokens = laid(xfiles)["RP tokens to begin with"]
    assert (hand.total, hand.each) == (14, 7)
    assert [source.code for quantity in (hand, missions, tokens) for source in quantity.sources] == [
        "PL-1",
        "PL-3",
        "S15",
    ]
    assert hand.sources[0].claim.lines == "75, 434"
    # A deck without an upper limit has a lower bound.
    deck = guide.components[0]
    assert (deck.total, deck.each, deck.least) == (100, 50, True)


@pytest.mark.parametrize(
    ("slug", "players", "options", "titles"),
    [
        ("spynet", 4, {}, ["Sit down in teams"]),
        ("spynet", 4, {"situations": "random"}, ["Find the first player", "Draw a situation"]),
        ("xfiles", 2, {"killer": "no"}, ["Take Killer cards out"]),
        ("xfiles", 2, {"killer": "yes"}, ["Leave Killer cards in"]),
        ("steamspy", 3, {}, ["Form two teams"]),
    ],
)
def test_steps_fit_the_players_and_options_and_are_in_order(slug, players, options, titles):
    steps = [step.title for step in declared(slug).guide(players, options).steps]
    places = [steps.index(title) for title in titles]
    assert places == sorted(places)


def test_steps_contain_the_numbers_and_open_questions_have_their_ruling():
    steps = {players: declared("spynet").guide(players).steps for players in (2, 4)}
    for players, left in ((2, 71), (4, 69)):
        assert any(f"deck now has {left} cards" in step.says for step in steps[players])
    guide = declared("xfiles").guide(2)
    (agents,) = (step for step in guide.steps if step.title == "Choose the starting Agents")
    assert "at most 20 RP" in agents.says and "A1" in {asked.ruling for asked in guide.open}


# -- impossible choices -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "players", "says"),
    [
        ("spynet", 5, "SpyNet is for 2 to 4 players, not 5."),
        ("agentdecker", 2, "Agent Decker is for 1 player, not 2."),
        ("spycraft", 1, "Spycraft is for 2 or more players, not 1."),
        ("xfiles", 99, f"for {MAX_PLAYERS} players at most, not 99"),
    ],
)
def test_an_impossible_number_of_players_is_refused_in_words(slug, players, says):
    with pytest.raises(SetUpError, match=re.escape(says)) as refused:
        declared(slug).guide(players)
    assert [where for where, _ in refused.value.faults] == ["players"]


@pytest.mark.parametrize("asked", ["", "²", "2.0", "9" * 40])
def test_a_value_that_is_no_number_of_players_is_refused_in_words(asked):
    with pytest.raises(SetUpError, match=r"must be a whole number"):
        declared("spynet").guide_for({"players": asked})


def test_all_faults_of_a_choice_are_reported_at_once():
    with pytest.raises(SetUpError) as refused:
        declared("spynet").guide_for({"players": "9", "situations": "all", "colour": "red"})
    assert {where for where, _ in refused.value.faults} == {"players", "situations", "colour"}


# -- files ------------------------------------------------------------------------

PLAYERS = '[players]\nnumbers = "2"\nsection = "Decks"\nlines = "1"\n'
STEP = f'{PLAYERS}[[steps]]\ntitle = "A"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (PLAYERS.replace('"2"', '"two"'), "written 2, 2-4 or 2"),
        (f'{STEP}says = "A."\ncites = "ZZ"\n', "'ZZ' is no rule"),
        (f'{STEP}when = {{ mood = "good" }}\n', "'good' is no choice of 'mood'"),
        (f'{PLAYERS}[[open]]\nruling = "A9"\n', "'A9' is no ruling"),
        ("[players\n", "set_up.toml"),
        (f'{PLAYERS}[evening]\nplaces = [{{ label = "D", table = "many" }}]\n', "must be a whole number"),
    ],
)
def test_a_bad_set_up_file_is_one_clear_error(tmp_path, text, says):
    with pytest.raises(FolderError, match=re.escape(says)):
        _ = with_guides(tmp_path, set_up=text).set_up_guide


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (f'{STEP}says = "Draw {{many}}."\ncites = "DD-1"\n', "cannot be filled in"),
        (f'{STEP}says = "Draw."\n', "has no source"),
        (f'{STEP}says = "Draw"\ncites = "DD-1"\n', "must say a sentence"),
        (f'{STEP}says = "Draw."\nsection = "A"\nlines = "x"\n', "cites lines 'x'"),
    ],
)
def test_a_set_up_that_breaks_a_promise_is_named(tmp_path, text, says):
    assert any(says in problem for problem in set_up_problems(with_guides(tmp_path, set_up=text)))


def test_a_game_may_do_without_both_files(tmp_path):
    game = with_guides(tmp_path)
    assert (game.glossary, game.set_up_guide) == ((), None)
