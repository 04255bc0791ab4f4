"""What the faces of single games must show."""

from dataclasses import replace

from cardsdb.games import games
from cardsdb.games.kit import OWN_CODE, Card
from printing.faces import colours
from printing.faces.compose import compose
from printing.faces.strokes import Drawing, Line
from tests.support.drawings import rules, runs, words_of

SPYCRAFT = games()["spycraft"]


def test_a_spycraft_action_shows_its_traits():
    actions = [card for card in SPYCRAFT.cards if card.type == "action" and card.words("traits")]
    assert actions
    for card in actions:
        assert ", ".join(card.words("traits")) in words_of(compose(card, SPYCRAFT)), card.code


def test_an_unknown_faction_is_a_blank_to_write_in():
    people = [card for card in SPYCRAFT.cards if card.type in ("agent", "leader")]
    (card,) = (card for card in people if not card.words("faction"))
    assert "Faction ____ agent" in words_of(compose(card, SPYCRAFT))


def test_a_formula_for_victory_points_replaces_their_number():
    drawing = compose(SPYCRAFT.card("auction-night"), SPYCRAFT)
    name = next(run for run in runs(drawing) if run.text == "Points")
    bid = next(run for run in runs(drawing) if run.text == "bid" and run.x > name.x - 3_000)
    assert bid.y < name.y and abs(bid.x + bid.width // 2 - name.x - name.width // 2) < 300
    assert "Victory points formula" not in words_of(drawing) and not rules(drawing)


ANSWERS = {"affiliation": "Alien", "motive": "Control", "method": "Threats"}
X_FILE = Card("xfiles", f"{OWN_CODE}x", "Falcon", "x-file", ANSWERS, "When it is guessed, draw 2 cards.")


def writing_rules(drawing: Drawing) -> list[Line]:
    return [rule for rule in rules(drawing) if rule.colour == colours.FAINT]


def test_an_x_file_that_a_player_made_shows_its_text_and_its_answers():
    words = words_of(compose(X_FILE, games()["xfiles"]))
    assert all(part in words for part in ("When it is guessed", *ANSWERS.values()))


def test_an_x_file_without_a_text_has_its_emblem_and_no_rules_to_write_on():
    without_text = compose(replace(X_FILE, text=""), games()["xfiles"])
    small = compose(X_FILE, games()["xfiles"], small=True)
    assert len(without_text.strokes) > len(small.strokes) - 5
    assert not writing_rules(without_text)


def test_a_character_has_large_traits_its_ranks_and_rules_for_more():
    drawing = compose(games()["steamspy"].card("ivy-brass"), games()["steamspy"])
    largest = sorted(runs(drawing), key=lambda run: -run.size)[:3]
    assert sorted(run.text for run in largest) == ["1", "1", "4"]
    assert {"Heisting", "Sneaking"} <= {run.text for run in runs(drawing)}
    assert writing_rules(drawing)
