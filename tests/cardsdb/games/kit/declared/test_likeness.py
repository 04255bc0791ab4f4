"""A copy of a game as data: the cards and every rule that data can declare, and a list of those that it
cannot.
"""

from __future__ import annotations

import io
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from cardsdb import games as folders
from cardsdb.catalogue.loader import load
from cardsdb.games.kit import Game
from cardsdb.games.kit.contract.checks import problems
from cardsdb.games.kit.declared.game_file import read_game
from cardsdb.games.kit.declared.likeness import LeftBehind, write_copy
from cardsdb.games.kit.listtext.deck import read_deck
from tests.support.data_games import DATA_GAMES, data_games, site_data
from tests.support.game_folders import own_games
from tests.support.rendering import ink

__all__ = ["data_games", "site_data"]

Copy = tuple[Game, tuple[LeftBehind, ...]]


@pytest.fixture(scope="module")
def copied(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Game], Copy]:
    made: dict[str, Copy] = {}

    def copy(game: Game) -> Copy:
        if game.slug not in made:
            folder = tmp_path_factory.mktemp("copies") / f"our-{game.slug}"
            folder.mkdir()
            left = write_copy(game, folder, f"Our {game.name}")
            made[game.slug] = read_game(folder), left
        return made[game.slug]

    return copy


@pytest.mark.parametrize("slug", own_games())
def test_a_copy_keeps_the_contract_and_has_every_card_with_its_facts(
    copied: Callable[[Game], Copy], slug: str
) -> None:
    game = folders.games()[slug]
    copy, _ = copied(game)
    assert problems(copy) == []
    assert [(card.code, card.facts, card.prints, card.text) for card in copy.cards] == [
        (card.code, card.facts, card.prints, card.text) for card in game.cards
    ]
    assert (copy.credit, copy.trim, copy.hue, copy.sections) == (
        game.credit,
        game.trim,
        game.hue,
        game.sections,
    )
    assert [
        (fact.key, fact.expected_of(card_type.slug)) for fact in game.facts for card_type in game.types
    ] == [
        (fact.key, copy.facts_by_key[fact.key].expected_of(card_type.slug))
        for fact in game.facts
        for card_type in game.types
    ]


@pytest.mark.parametrize("slug", own_games())
def test_a_copy_breaks_what_the_game_breaks_but_for_the_rules_that_stay_behind(
    copied: Callable[[Game], Copy], slug: str
) -> None:
    game = folders.games()[slug]
    copy, left = copied(game)
    behind = {one.code for one in left}
    compared = 0
    for example in game.examples():
        if example.format not in copy.formats_by_slug or game.formats_by_slug[example.format].details:
            continue
        before, after = (
            each.judge(
                read_deck(each, example.text, each.formats_by_slug[example.format]).deck,
                each.formats_by_slug[example.format],
            )
            for each in (game, copy)
        )
        carried = {
            violation.code
            for violation in before.violations
            if violation.code not in behind and violation.severity.name != "NOTE"
        }
        assert carried <= set(after.codes()), example.name
        assert set(after.codes()) <= set(before.codes()) | behind, example.name
        compared += 1
    assert compared >= 5


@pytest.mark.parametrize(
    ("slug", "format", "codes"),
    [
        ("spycraft", "agency", {"AG-1", "AG-3", "AG-4", "AG-5", "AG-6", "AG-7", "AG-8"}),
        ("xfiles", "advanced", {"S1", "S2", "S3", "S4", "S6", "D4", "D7", "D9", "D12", "C1"}),
    ],
)
def test_every_rule_that_forbids_is_carried_over_from_the_two_games_of_construction(
    copied: Callable[[Game], Copy], slug: str, format: str, codes: set[str]
) -> None:
    copy, _ = copied(folders.games()[slug])
    assert {rule.code for rule in copy.formats_by_slug[format].rules} == codes


def test_a_game_of_data_is_copied_whole(data_games: dict[str, Game], copied: Callable[[Game], Copy]) -> None:
    game = data_games["lantern-street"]
    copy, left = copied(game)
    assert left == ()
    assert [(format.slug, [(rule.code, type(rule)) for rule in format.rules]) for format in copy.formats] == [
        (format.slug, [(rule.code, type(rule)) for rule in format.rules]) for format in game.formats
    ]
    says = [{code: citation.says for code, citation in each.citations.items()} for each in (game, copy)]
    assert says[0] == says[1]
    assert (copy.row_facts, copy.backs) == (game.row_facts, game.backs)


def test_what_stays_behind_is_named_with_its_place(copied: Callable[[Game], Copy]) -> None:
    copy, left = copied(folders.games()["spycraft"])
    (newest,) = [one for one in left if one.code == "MD-3"]
    assert not newest.simplified
    assert (
        "MD-3 (Mission Deck: newest 24. Shadow Academy Learn-to-Play rulebook (2004), Game Setup, line 432)"
        in newest.words
    )
    assert f"# Not carried over: {newest.words}\n" in (copy.folder / "game.toml").read_text(encoding="utf-8")


# -- manage.py new_game --like ----------------------------------------------------------


@pytest.mark.engine("sqlite")
@pytest.mark.django_db
def test_a_house_variant_of_a_game_is_changed_judged_shown_and_printed(
    site_data: Path, client: Client, agency_text: str
) -> None:
    said = io.StringIO()
    call_command(
        "new_game", "Our Spycraft", "--like", "spycraft", "--in", str(site_data / "games"), stdout=said
    )
    assert "Rules that are code and stay behind:\n  AG-2 (Agency Deck." in said.getvalue()
    folder = site_data / "games" / "our-spycraft"
    rules, cards = folder / "game.toml", folder / "cards.csv"
    rules.write_text(
        rules.read_text(encoding="utf-8").replace("at_least = 50", "at_least = 12", 1), encoding="utf-8"
    )
    header, *rows = cards.read_text(encoding="utf-8").splitlines()
    kai = next(row for row in rows if row.startswith("kai,"))
    cards.write_text(
        "\n".join([header, *rows, kai.replace("kai,Kai,", "kai-the-younger,Kai the Younger,", 1)]) + "\n",
        encoding="utf-8",
    )
    folders.games.cache_clear()
    game = folders.games()["our-spycraft"]
    assert folders.faults() == problems(game) == []
    load(game)

    leaders = "\n".join(agency_text.partition("Leaders")[2].splitlines()[:5])
    small = f"Leaders{leaders}\n\nDeck:\n2 Kai the Younger\n3 Shiatsu\n3 Recon"
    verdicts = {}
    for slug in ("spycraft", "our-spycraft"):
        body = json.dumps({"game": slug, "format": "agency", "text": small})
        verdicts[slug] = client.post("/api/v1/decks/validate/", body, content_type="application/json").json()
    assert verdicts["our-spycraft"]["verdict"] == "legal", verdicts
    assert "AG-3" in [violation["code"] for violation in verdicts["spycraft"]["violations"]]
    assert "Kai the Younger" in client.get("/cards/our-spycraft/kai-the-younger/").content.decode()
    assert "Our Spycraft" in client.get("/games/our-spycraft/").content.decode()

    deck, out = site_data / "small.txt", site_data / "small.pdf"
    deck.write_text(small, encoding="utf-8")
    call_command(
        "print_deck",
        str(deck),
        "--game",
        "our-spycraft",
        "--format",
        "agency",
        "-o",
        str(out),
        stdout=io.StringIO(),
    )
    sheets = ink(out.read_bytes(), dots=1)
    assert len(sheets) == 2 and min(sheets) > 0


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("Ours", "--like", "chess"), "There is no game “chess”. Games: "),
        (("--like", "spycraft", "--from", "ours.zip"), "give --from or --like"),
        (("Spycraft", "--like", "spycraft"), "There is a game “spycraft” already"),
    ],
)
def test_a_copy_of_nothing_is_refused(site_data: Path, args: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("new_game", *args, "--in", str(site_data / "games"), stdout=io.StringIO())
    assert not list(site_data.rglob("*.toml"))


def test_nothing_is_left_of_a_copy_that_is_not_whole(site_data: Path) -> None:
    broken = site_data / "broken" / "lantern"
    shutil.copytree(DATA_GAMES / "lantern-street", site_data / "games" / "lantern")
    folders.games.cache_clear()
    table = site_data / "games" / "lantern" / "cards.csv"
    table.write_text(table.read_text(encoding="utf-8").replace(",puppet,", ",puppy,", 1), encoding="utf-8")
    with pytest.raises(CommandError, match="puppy"):
        call_command("new_game", "Ours", "--like", "lantern", "--in", str(broken), stdout=io.StringIO())
    assert not (broken / "ours").exists()
