"""The words of each game and what to lay out: in our words, with a source for each, for every number of
players.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.test import Client

from cardsdb.games import games
from cardsdb.games.kit import FolderError, Game
from cardsdb.games.kit.contract.optional import every_guide, set_up_problems
from cardsdb.games.kit.model.guides import MAX_PLAYERS, Guide, SetUpError, SetUpGuide
from tests.support.pages import page, page_of

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = pytest.mark.engine("sqlite")

SLUGS = sorted(games())
LAID_OUT = [slug for slug in SLUGS if games()[slug].set_up_guide]


def declared(slug: str) -> SetUpGuide:
    found = games()[slug].set_up_guide
    assert found is not None
    return found


def laid(guide: Guide) -> dict[str, int | None]:
    """What the steps count, by name."""
    return {quantity.what: quantity.total for step in guide.steps for quantity in step.quantities}


def needed(guide: Guide) -> dict[str, int | None]:
    return {component.what: component.total for component in guide.components}


def cited_for(guide: Guide, what: str) -> set[str]:
    quantities = [quantity for step in guide.steps for quantity in step.quantities if quantity.what == what]
    return {cited.code for quantity in quantities for cited in quantity.sources}


# -- set-ups ----------------------------------------------------------------------


@pytest.mark.parametrize("slug", SLUGS)
def test_a_set_up_keeps_its_promises(slug: str) -> None:
    assert list(set_up_problems(games()[slug])) == []


@pytest.mark.parametrize("slug", LAID_OUT)
def test_every_choice_has_a_set_up_in_which_every_step_has_a_source(slug: str) -> None:
    for guide in every_guide(declared(slug)):
        assert guide.steps and guide.components
        assert all(step.sources for step in guide.steps)
        assert all(component.sources for component in guide.components)


@pytest.mark.parametrize("slug", LAID_OUT)
def test_every_number_comes_from_a_cited_line_or_page(slug: str) -> None:
    for guide in every_guide(declared(slug)):
        for quantity in (quantity for step in guide.steps for quantity in step.quantities):
            assert all(cited.claim.lines or cited.claim.section for cited in quantity.sources), quantity.what


@pytest.mark.parametrize("players", [2, 3, 4, MAX_PLAYERS])
def test_spycraft_deals_seven_cards_each_and_five_missions_to_all(players: int) -> None:
    guide = declared("spycraft").guide(players)
    assert laid(guide)["Cards in hand"] == 7 * players
    assert laid(guide)["Missions in the queue"] == 5
    assert laid(guide)["Leaders, face down"] == 4 * players
    assert needed(guide)["Cards in the Mission Deck"] == 24
    assert needed(guide)["Cards in Agency Decks, leaders included"] == 50 * players
    assert (cited_for(guide, "Cards in hand"), cited_for(guide, "Missions in the queue")) == (
        {"PL-1"},
        {"PL-3"},
    )


def test_a_number_that_nobody_states_stays_unknown() -> None:
    assert needed(declared("spycraft").guide(2))["Wound markers"] is None


def test_a_deck_without_an_upper_limit_is_told_as_a_lower_bound() -> None:
    component = declared("spycraft").guide(2).components[0]
    assert (component.total, component.each, component.least) == (100, 50, True)


@pytest.mark.parametrize(("players", "left", "tokens"), [(2, 71, 8), (3, 70, 12), (4, 69, 16)])
def test_spynet_leaves_a_deck_and_takes_tokens_by_the_players(players: int, left: int, tokens: int) -> None:
    guide = declared("spynet").guide(players)
    assert any(f"deck now has {left} cards" in step.says for step in guide.steps)
    assert needed(guide) == {"Agents": 34, "Missions": 32, "Funding cards": 10, "Branch tokens": tokens}
    assert laid(guide)["Cards in hand"] == players


@pytest.mark.parametrize(("players", "first"), [(2, "Sit down"), (3, "Sit down"), (4, "Sit down in teams")])
def test_only_four_play_spynet_in_teams(players: int, first: str) -> None:
    assert declared("spynet").guide(players).steps[0].title == first


@pytest.mark.parametrize(
    ("choice", "back", "played"), [("none", 8, None), ("random", 7, 1), ("agreed", 7, 1)]
)
def test_at_most_one_of_spynets_eight_situations_is_played(
    choice: str, back: int, played: int | None
) -> None:
    guide = declared("spynet").guide(4, {"situations": choice})
    assert laid(guide)["Situations back in the box"] == back
    assert needed(guide).get("Situations") == played


def test_the_situation_is_chosen_after_the_first_player() -> None:
    titles = [step.title for step in declared("spynet").guide(4, {"situations": "random"}).steps]
    assert titles.index("Find the first player") < titles.index("Draw a situation")


@pytest.mark.parametrize("players", [2, 4])
def test_x_files_gives_each_player_seven_cards_and_five_tokens_of_either_pool(players: int) -> None:
    guide = declared("xfiles").guide(players)
    assert laid(guide)["Cards in hand"] == 7 * players
    assert needed(guide)["RP tokens to begin with"] == needed(guide)["CP tokens to begin with"] == 5 * players
    assert needed(guide)["X-Files"] == players
    assert cited_for(guide, "RP tokens to begin with") == {"S15"}


def test_the_limit_of_the_starting_agents_is_twenty_with_its_ruling_beside_it() -> None:
    guide = declared("xfiles").guide(2)
    step = next(step for step in guide.steps if step.title == "Choose the starting Agents")
    assert "20 RP or less" in step.says
    assert "A1" in {asked.ruling for asked in guide.open}


def test_the_basic_game_starts_four_agents_and_invents_no_hand() -> None:
    guide = declared("xfiles").guide(2, {"game": "basic"})
    assert needed(guide)["Starting Agents"] == 8
    assert laid(guide)["Cards in hand"] is None
    assert not any("token" in what for what in needed(guide))


@pytest.mark.parametrize(
    ("killer", "title"), [("no", "Take Killer cards out"), ("yes", "Leave Killer cards in")]
)
def test_killer_cards_are_in_only_when_agreed_on(killer: str, title: str) -> None:
    assert title in [step.title for step in declared("xfiles").guide(2, {"killer": killer}).steps]


@pytest.mark.parametrize("players", [2, 5])
def test_steam_spy_shares_one_deck_of_56_and_deals_five_each(players: int) -> None:
    guide = declared("steamspy").guide(players)
    assert (needed(guide)["Corporation cards"], needed(guide)["Organisation cards"]) == (32, 24)
    assert (laid(guide)["Cards in the draw deck"], laid(guide)["Cards dealt"]) == (56, 5 * players)


def test_each_download_ability_brings_one_card() -> None:
    assert laid(declared("steamspy").guide(2, {"downloads": 3}))["Cards downloaded"] == 3


def test_more_than_two_spies_form_two_teams() -> None:
    assert [declared("steamspy").guide(n).steps[0].title for n in (2, 3)] == [
        "Choose sides",
        "Form two teams",
    ]


def test_agent_decker_lays_a_line_of_six_and_a_hand_of_four() -> None:
    guide = declared("agentdecker").guide(1)
    assert laid(guide)["Cards in the line"] == 6 and laid(guide)["Left in the obstacles deck"] == 16
    assert laid(guide)["Cards in hand"] == 4 and laid(guide)["Left in your deck"] == 4
    cards = [component.total or 0 for component in guide.components if component.kind == "card"]
    assert sum(cards) == 54


def test_a_later_mission_keeps_the_same_54_cards() -> None:
    assert needed(declared("agentdecker").guide(1, {"mission": "later"}))["All cards of the game"] == 54


@pytest.mark.parametrize(
    ("slug", "players", "says"),
    [
        ("spynet", 5, "SpyNet is for 2 to 4 players, not 5."),
        ("agentdecker", 2, "Agent Decker is for 1 player, not 2."),
        ("spycraft", 1, "Spycraft is for 2 or more players, not 1."),
        ("xfiles", 99, f"for {MAX_PLAYERS} players at most, not 99"),
    ],
)
def test_a_number_of_players_that_cannot_be_is_refused_in_words(slug: str, players: int, says: str) -> None:
    with pytest.raises(SetUpError, match=re.escape(says)) as refused:
        declared(slug).guide(players)
    assert [where for where, _ in refused.value.faults] == ["players"]


@pytest.mark.parametrize("asked", ["", " ", "x", "²", "1_0", "-2", "2.0", "9" * 40])
def test_what_is_no_number_of_players_is_refused_in_words(asked: str) -> None:
    with pytest.raises(SetUpError, match=r"must be a whole number"):
        declared("spynet").guide_for({"players": asked})


def test_everything_wrong_with_a_choice_is_told_at_once() -> None:
    with pytest.raises(SetUpError) as refused:
        declared("spynet").guide_for({"players": "9", "situations": "all", "colour": "red"})
    assert {where for where, _ in refused.value.faults} == {"players", "situations", "colour"}


# -- files ------------------------------------------------------------------------


def broken(tmp_path: Path, **files: str) -> Game:
    """Dead Drop's rules with other guides."""
    from dataclasses import replace

    (tmp_path / "rulebook.toml").write_text(
        '[documents.sheet]\ntitle = "Sheet"\n[rules.DD-1]\nlines = "1"\ncertainty = "stated"\nsays ='
        ' "Three."\n'
    )
    for name, text in files.items():
        (tmp_path / f"{name}.toml").write_text(text)
    return replace(games()["spynet"], folder=tmp_path)


PLAYERS = '[players]\nnumbers = "2"\nsection = "Decks"\nlines = "1"\n'


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (PLAYERS.replace('"2"', '"two"'), "written 2, 2-4 or 2"),
        (PLAYERS + '[[steps]]\ntitle = "A"\nsays = "A."\ncites = "ZZ"\n', "'ZZ' is no rule"),
        (PLAYERS + '[[steps]]\ntitle = "A"\nwhen = { mood = "good" }\n', "'good' is no choice of 'mood'"),
        (
            PLAYERS + '[[steps]]\ntitle = "A"\nneeds = [{ what = "B", kind = "stone" }]\n',
            "must be one of card, token, other",
        ),
        (PLAYERS + '[[steps]]\ntitle = "A"\ncolour = "red"\n', "colour: means nothing here"),
        (PLAYERS + '[[open]]\nruling = "A9"\n', "'A9' is no ruling"),
        ("[players\n", "set_up.toml"),
    ],
)
def test_a_bad_set_up_file_is_one_clear_error(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(FolderError, match=re.escape(says)):
        _ = broken(tmp_path, set_up=text).set_up_guide


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ('says = "Draw {many}."\ncites = "DD-1"', "cannot be filled in"),
        ('says = "Draw."', "has no source"),
        ('says = "Draw"\ncites = "DD-1"', "must say a sentence"),
        ('says = "Draw."\nsection = "A"\nlines = "x"', "cites lines 'x'"),
    ],
)
def test_a_set_up_that_breaks_a_promise_is_named(tmp_path: Path, step: str, says: str) -> None:
    game = broken(tmp_path, set_up=f'{PLAYERS}[[steps]]\ntitle = "A"\n{step}\n')
    assert any(says in problem for problem in set_up_problems(game))


def test_a_game_may_do_without_both_files(tmp_path: Path) -> None:
    game = broken(tmp_path)
    assert (game.glossary, game.set_up_guide) == ((), None)


# -- pages and JSON ---------------------------------------------------------------


@pytest.mark.django_db
def test_the_set_up_page_lays_out_what_was_chosen(client: Client) -> None:
    laid_out = page(client, "/games/spynet/set-up/", {"players": "2", "situations": "random"})
    assert laid_out.context["guide"].players == 2
    assert laid_out.field("players").value == "2" and laid_out.field("situations").value == "random"
    assert any(
        "deck now has 71 cards" in step.text
        for step in laid_out.one("ol", class_="steps").all("li", class_="step")
    )


@pytest.mark.django_db
@pytest.mark.parametrize("params", [{"players": "5"}, {"players": "<b>"}, {"players": "9" * 5_000}])
def test_a_set_up_that_cannot_be_is_told_with_its_field(client: Client, params: dict[str, str]) -> None:
    answer = client.get("/games/spynet/set-up/", params)
    refused = page_of(answer, status=400)
    assert refused.one(class_="error-summary").one("h2").text == "This cannot be set up"
    assert refused.one(class_="error-summary").links == ["#players"]
    assert refused.field("players").parent.has("p", class_="field-error")
    assert not refused.main.has("b") and len(answer.content) < 60_000


@pytest.mark.django_db
@pytest.mark.parametrize("guide", ["glossary", "set-up"])
def test_a_game_that_does_not_exist_has_no_guides(client: Client, guide: str) -> None:
    assert client.get(f"/games/chess/{guide}/").status_code == 404


@pytest.mark.django_db
def test_a_sixth_game_brings_its_guides_in_its_folder(client: Client, sixth_game: Game) -> None:
    assert page(client, "/games/deaddrop/glossary/").has("dt", text="Courier")
    assert "at least 3 cards" in page(client, "/games/deaddrop/set-up/").one("ol", class_="steps").text
    assert sixth_game.set_up_guide is not None
    assert sixth_game.set_up_guide.guide(3).components[0].total == 9


def test_a_quantity_says_how_many_each_player_gets_and_where_that_stands() -> None:
    guide = declared("spycraft").guide(2)
    hand = next(
        quantity for step in guide.steps for quantity in step.quantities if quantity.what == "Cards in hand"
    )
    assert (hand.total, hand.each) == (14, 7)
    assert (hand.sources[0].code, hand.sources[0].claim.lines) == ("PL-1", "75, 434")
