"""Repairs on pages and over HTTP; the verdict while one types; many decks at once."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from html import unescape
from pathlib import Path
from re import sub
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils.html import strip_tags

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import write_deck
from cardsdb.games.kit.repair.steps import Limits
from cardsdb.models import Card as StoredCard
from decks.check import pasted
from decks.management.commands.check_deck import MAX_LINE, verdicts
from decks.models import Deck, Visibility
from tests.cardsdb.games.kit.repair.test_search import BANSHEE, fewer
from tests.support.pages import page_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def too_many(agency_text: str) -> str:
    """The agency deck with a fourth copy of a card that it has three times."""
    return sub(r"(?m)^3 ", "4 ", agency_text, count=1)


@pytest.fixture
def deck(client: Client, too_many: str) -> Deck:
    client.post("/decks/new/", {"game": "spycraft", "format": "agency", "name": "Dragons", "text": too_many})
    return Deck.objects.get()


def page(answer: Any) -> str:
    return answer.content.decode()


def offered(answer: Any) -> list[str]:
    """The changes of every repair on a page, as its buttons send them."""
    return [button["value"] for button in page_of(answer).all("button", name="change")]


def test_a_deck_that_breaks_a_rule_leads_to_its_repairs(client: Client, deck: Deck) -> None:
    assert f"/decks/{deck.link}/repairs/" in page(client.get(f"/decks/{deck.link}/"))


@pytest.mark.both_databases
def test_a_repair_is_made_with_one_button_and_kept_in_the_history(client: Client, deck: Deck) -> None:
    (changes, *_) = offered(client.get(f"/decks/{deck.link}/repairs/"))
    answer = client.post(f"/decks/{deck.link}/repair/", {"change": changes}, follow=True)
    deck.refresh_from_db()
    assert deck.verdict == "legal"
    assert "The deck is now legal." in page(answer)
    assert deck.revisions.order_by("-number")[0].kind == "repaired"


def test_other_cards_that_would_do_have_a_button_each(client: Client) -> None:
    short = write_deck(games()["spycraft"], fewer(BANSHEE, BANSHEE.size - 49, "deck"))
    client.post("/decks/new/", {"game": "spycraft", "format": "agency", "name": "Short", "text": short})
    deck = Deck.objects.get()
    answer = client.get(f"/decks/{deck.link}/repairs/")
    others = answer.context["repairs"][0].alternatives
    assert len(others) == 5
    assert others[0].card.name in unescape(page(answer))
    assert "other cards would do as well" not in page(answer)
    client.post(f"/decks/{deck.link}/repair/", {"change": pasted.written(others[-1].repair)})
    deck.refresh_from_db()
    assert deck.verdict == "legal"
    assert others[-1].card.code in [
        entry.card.code for entry in Deck.objects.with_cards().get(pk=deck.pk).decklist()
    ]


def test_whoever_came_from_the_editor_goes_back_to_its_verdict(client: Client, deck: Deck) -> None:
    (changes, *_) = offered(client.get(f"/decks/{deck.link}/repairs/?back=deck_edit"))
    answer = client.post(f"/decks/{deck.link}/repair/", {"change": changes, "back": "deck_edit"})
    assert answer["Location"] == f"/decks/{deck.link}/edit/#verdict"


def test_a_script_applies_in_the_editor_what_a_finding_offers_and_gets_the_decks_side_alone(
    client: Client, deck: Deck
) -> None:
    address = f"/decks/{deck.link}/edit/"
    (changes, *_) = offered(client.get(address))
    asked = {"edit": "repair", "change": changes, "revision": deck.revision}
    part = page(client.post(address, asked, headers={"hx-request": "true", "hx-target": "deck"}))
    assert "<html" not in part and "-1 " in part
    deck.refresh_from_db()
    assert (deck.verdict, deck.revisions.order_by("-number")[0].kind) == ("legal", "repaired")
    again = client.post(address, asked, headers={"hx-request": "true", "hx-target": "deck"})
    assert "look for repairs once more" in page(again)


def test_a_script_gets_the_repairs_without_the_page(client: Client, deck: Deck) -> None:
    part = page(client.get(f"/decks/{deck.link}/repairs/", headers={"hx-request": "true"}))
    assert "repair-offer" in part and "<html" not in part


def test_the_editor_shows_the_smallest_repair_and_folds_the_others(client: Client, deck: Deck) -> None:
    part = client.get(
        f"/decks/{deck.link}/repairs/?back=deck_edit", headers={"HX-Request": "true"}
    ).content.decode()
    first, _, rest = part.partition('<details class="more"><summary>')
    assert first.count(">Apply</button>") == 1
    assert (
        'data-quick><input type="hidden" name="csrf' in first
        and '<input type="hidden" name="edit" value="repair">' in first
    )
    assert rest.count(">Apply</button>") == int(rest.split()[0]) if rest else True
    whole = client.get(f"/decks/{deck.link}/repairs/?back=deck_edit").content.decode()
    assert "data-quick" not in whole, "without script its form leads back to the editor"


def test_a_repair_that_no_longer_helps_changes_nothing(client: Client, deck: Deck) -> None:
    (changes, *_) = offered(client.get(f"/decks/{deck.link}/repairs/"))
    client.post(f"/decks/{deck.link}/repair/", {"change": changes})
    before = Deck.objects.get().revision
    answer = client.post(f"/decks/{deck.link}/repair/", {"change": changes}, follow=True)
    assert "no better than it is now" in page(answer)
    assert Deck.objects.get().revision == before


@pytest.mark.engine("sqlite")
@pytest.mark.parametrize(
    "change", ["", "nonsense", "+0 deck kai", "-1 nowhere kai", "+1 deck no-such-card", "-9 deck termite"]
)
def test_what_is_no_repair_is_refused_in_words(client: Client, deck: Deck, change: str) -> None:
    answer = client.post(f"/decks/{deck.link}/repair/", {"change": [change]}, follow=True)
    assert "look for repairs once more" in page(answer)
    assert Deck.objects.get().revision == deck.revision


def test_only_an_author_may_look_for_repairs_and_make_them(deck: Deck) -> None:
    Deck.objects.update(visibility=Visibility.PUBLIC)
    assert Client().get(f"/decks/{deck.link}/repairs/").status_code == 404
    assert Client().post(f"/decks/{deck.link}/repair/", {"change": ["-1 deck kai"]}).status_code == 404


@pytest.mark.both_databases
def test_retired_cards_are_not_put_in(client: Client) -> None:
    StoredCard.objects.filter(game="spycraft", type="mission").exclude(code="sky-drop").update(retired=True)
    starter = next(starter for starter in games()["spycraft"].starters if starter.format == "mission-base")
    asked = {
        "game": "spycraft",
        "format": "mission-base",
        "text": starter.text.replace("1 Sky Drop\n", ""),
        "repair": True,
    }
    found = client.post("/api/v1/decks/validate/", asked, content_type="application/json").json()["repairs"]
    assert [repair["message"] for repair in found] == ["Add 1 Sky Drop."]


def test_finding_repairs_takes_a_few_queries(
    client: Client, agency_text: str, django_assert_max_num_queries: Any
) -> None:
    short = "\n".join(line for line in agency_text.splitlines() if not line.startswith(("2 ", "3 ")))
    asked = {"game": "spycraft", "format": "agency", "text": short, "repair": True}
    with django_assert_max_num_queries(12):  # cards of a few kinds, and their prints
        answer = client.post("/api/v1/decks/validate/", asked, content_type="application/json").json()
    assert answer["repairs"][0]["verdict"] == "legal"


def test_repairs_come_only_when_asked_for(client: Client, too_many: str) -> None:
    asked = {"game": "spycraft", "format": "agency", "text": too_many}
    assert (
        "repairs" not in client.post("/api/v1/decks/validate/", asked, content_type="application/json").json()
    )


@pytest.fixture
def fights() -> dict[str, str]:
    """A list of the Basic game whose Bureau deck is sixty-one cards that this game leaves out."""
    xfiles = games()["xfiles"]
    pack = next(one for one in xfiles.starters if one.slug == "pack-second-edition-1").text
    head, _, _ = pack.partition("Bureau deck:")
    cards = [f"2 {card.name}" for card in xfiles.cards if card.type == "combat"][:30]
    return {
        "game": "xfiles",
        "format": "basic",
        "text": "\n".join((head, "Bureau deck:", *cards, "1 Duane Barry")),
    }


def test_what_a_repair_leaves_undecided_is_said_wherever_it_is_shown(
    client: Client, fights: dict[str, str], tmp_path: Path
) -> None:
    open_still = "undecided, for no source decides what is left open"
    checked = strip_tags(page(client.post("/check/", fights)))
    assert "one repair of 61 cards mends all that a source decides" in " ".join(checked.split())
    assert f"61 cards changed, then {open_still}" in checked
    assert f"then {open_still}" in strip_tags(page(client.post("/check/repairs/", fights)))
    answer = client.post(
        "/api/v1/decks/validate/", fights | {"repair": True}, content_type="application/json"
    ).json()
    assert [(one["verdict"], one["smallest"]) for one in answer["repairs"]] == [("undecided", True)]
    path, told = tmp_path / "list.txt", io.StringIO()
    path.write_text(fights["text"])
    with pytest.raises(SystemExit):
        call_command("check_deck", str(path), game="xfiles", format="basic", repair=True, stdout=told)
    assert f"Repair 1, then {open_still}: " in told.getvalue()


def test_a_repair_that_is_not_proved_the_smallest_is_not_called_so(
    client: Client, too_many: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"game": "spycraft", "format": "agency", "text": too_many}
    proved = strip_tags(page(client.post("/check/", asked)))
    assert "Apply the smallest repair" in proved and "not proved" not in proved
    monkeypatch.setattr(pasted, "AT_ONCE", replace(pasted.AT_ONCE, judgements=2))
    monkeypatch.setattr(pasted, "USUAL_LIMITS", Limits(judgements=2, seconds=600))
    unproved = strip_tags(page(client.post("/check/", asked)))
    assert "Apply the repair" in unproved and "then legal; not proved the smallest." in unproved
    assert "Smallest repair" not in unproved
    assert "legal; not proved the smallest" in strip_tags(page(client.post("/check/repairs/", asked)))
    answer = client.post(
        "/api/v1/decks/validate/", asked | {"repair": True}, content_type="application/json"
    ).json()
    assert [(one["verdict"], one["smallest"]) for one in answer["repairs"]] == [("legal", False)]


def test_a_list_with_unread_lines_gets_no_repair(client: Client, too_many: str) -> None:
    asked = {"game": "spycraft", "format": "agency", "text": f"{too_many}\n1 Nobody Knows", "repair": True}
    assert (
        client.post("/api/v1/decks/validate/", asked, content_type="application/json").json()["repairs"] == []
    )


# -- a pasted list --------------------------------------------------------------------


def test_a_pasted_list_is_repaired_in_its_field(client: Client, too_many: str) -> None:
    asked = {"game": "spycraft", "format": "agency", "text": too_many}
    assert "/check/repairs/" in page(client.post("/check/", asked))
    (changes, *_) = offered(client.post("/check/repairs/", asked))
    answer = page(client.post("/check/repair/", asked | {"change": changes}))
    assert "It keeps every rule" in answer
    changed = unescape(answer.split("<textarea")[1].split("</textarea>")[0])
    assert sub(r"(?m)^4 ", "3 ", too_many) in changed, "all other lines are as they were"


@pytest.mark.both_databases
def test_a_change_that_does_not_fit_the_list_leaves_it_alone(client: Client, too_many: str) -> None:
    asked = {"game": "spycraft", "format": "agency", "text": too_many, "change": "-1 deck no-such-card"}
    answer = client.post("/check/repair/", asked)
    assert (answer.status_code, "look for repairs once more" in page(answer)) == (400, True)


def test_typing_gets_the_verdict_alone(client: Client) -> None:
    answer = page(client.post("/check/verdict/", {"game": "spycraft", "text": "4 Kai\n1 Nobody Knows"}))
    assert "<html" not in answer and "deck-section" not in answer
    assert "Not legal" in answer and "Nobody Knows" in answer
    assert 'hx-swap-oob="true"' in answer


@pytest.mark.parametrize("asked", [{}, {"game": "nope", "text": "2 Kai"}, {"game": "spycraft", "text": ""}])
def test_typing_what_cannot_be_judged_yet_is_no_error(client: Client, asked: dict[str, str]) -> None:
    answer = client.post("/check/verdict/", asked)
    assert (answer.status_code, "verdict-title" in page(answer)) == (200, False)


def test_typing_has_a_budget_of_its_own(client: Client, settings: Any) -> None:
    settings.CUTOUT_WORKS_PER_MINUTE = 0
    asked = {"game": "spycraft", "text": "2 Kai"}
    assert client.post("/check/", asked).status_code == 429
    assert client.post("/check/verdict/", asked).status_code == 200
    settings.CUTOUT_READS_PER_MINUTE = 0
    assert client.post("/check/verdict/", asked).status_code == 429


def test_typing_asks_the_database_only_for_the_edition_and_cards_that_are_everyones_own(
    client: Client, agency_text: str, django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(2):
        client.post("/check/verdict/", {"game": "spycraft", "text": agency_text})


def test_the_page_without_script_has_the_same_verdict(client: Client) -> None:
    asked = {"game": "spycraft", "text": "4 Kai"}
    typed, sent = page(client.post("/check/verdict/", asked)), page(client.post("/check/", asked))
    message = "4 copies of Kai; 3 at most."
    assert message in strip_tags(typed) and message in strip_tags(sent)


# -- many at once ---------------------------------------------------------------------


def batch(path: Path, **usual: str) -> list[dict[str, Any]]:
    return list(verdicts(str(path), usual))


def test_every_line_gets_its_answer(tmp_path: Path, agency_text: str, too_many: str) -> None:
    path = tmp_path / "decks.jsonl"
    decks = [{"game": "spycraft", "format": "agency", "text": text} for text in (agency_text, too_many)]
    path.write_text("\n\n".join(json.dumps(deck) for deck in decks))
    assert [(answer["line"], answer["verdict"]) for answer in batch(path)] == [(1, "legal"), (3, "illegal")]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("garbage", "bad_json"),
        ("[]", "bad_json"),
        ('{"game": "spycraft"}', "bad_json"),
        ('{"game": 1, "text": "2 Kai"}', "bad_json"),
        ('{"game": "nope", "text": "2 Kai"}', "unknown_game"),
        ('{"game": "spycraft", "format": "nope", "text": "2 Kai"}', "unknown_format"),
        ('{"game": "spycraft", "house": "nope", "text": "2 Kai"}', "bad_house_rule"),
        ("[" * 100_000, "bad_json"),
        ('{"game": "spycraft", "text": "2 Kai\\u0000"}', "bad_json"),
    ],
)
def test_a_line_that_cannot_be_judged_does_not_stop_the_others(tmp_path: Path, line: str, code: str) -> None:
    path = tmp_path / "decks.jsonl"
    path.write_text(f'{line}\n{{"game": "spycraft", "text": "4 Kai"}}\n')
    first, second = batch(path)
    assert (first["errors"][0]["code"], second["verdict"]) == (code, "illegal")


def test_what_else_a_line_says_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "decks.jsonl"
    path.write_text('{"game": "spycraft", "text": "4 Kai", "file": "kai.txt", "line": 7}\n')
    (answer,) = batch(path)
    assert (answer["line"], answer["verdict"], "of_file" in answer, "file" in answer) == (
        1,
        "illegal",
        False,
        False,
    )


def test_a_line_beyond_the_bound_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "decks.jsonl"
    path.write_text("x" * (2 * MAX_LINE + 5) + '\n{"game": "spycraft", "text": "4 Kai"}\n')
    first, second = batch(path)
    assert (first["errors"][0]["code"], second["line"], second["verdict"]) == ("too_large", 2, "illegal")


def test_a_folder_of_lists_is_judged_file_by_file(tmp_path: Path, agency_text: str) -> None:
    (tmp_path / "a.txt").write_text(agency_text)
    (tmp_path / "b.txt").write_text("4 Kai")
    found = batch(tmp_path, game="spycraft", format="agency")
    assert [(answer["file"], answer["verdict"]) for answer in found] == [
        ("a.txt", "legal"),
        ("b.txt", "illegal"),
    ]


def test_the_command_writes_a_line_for_each(tmp_path: Path) -> None:
    path, out = tmp_path / "decks.jsonl", io.StringIO()
    path.write_text('{"text": "4 Kai"}\n{"text": "2 Kai"}\n')
    with pytest.raises(SystemExit, match="0"):
        call_command("check_deck", str(path), batch=True, game="spycraft", stdout=out)
    assert [json.loads(line)["verdict"] for line in out.getvalue().splitlines()] == ["illegal", "incomplete"]


def test_the_command_offers_repairs(tmp_path: Path, too_many: str) -> None:
    path, out = tmp_path / "deck.txt", io.StringIO()
    path.write_text(too_many)
    with pytest.raises(SystemExit, match="1"):
        call_command("check_deck", str(path), game="spycraft", format="agency", repair=True, stdout=out)
    assert "Repair 1, then legal: Take out 1 " in out.getvalue()


def test_a_list_that_no_card_of_the_catalogue_mends_says_so(client: Client) -> None:
    game = games()["steamspy"]
    example = next(one for one in game.examples() if one.name.startswith("32 of one corporation"))
    lines = example.text.splitlines()
    lines.remove(next(line for line in lines if "Navidad Pharmaceuticals 5 " in line))
    asked = {"game": "steamspy", "format": "cell", "text": "\n".join(lines)}
    assert "The catalogue lacks the cards, which you may write in" in page(
        client.post("/check/repairs/", asked)
    )
