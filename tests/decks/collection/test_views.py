"""The pages of a collection: numbers entered with and without a script, the search, and the progress."""

import pytest

from cardsdb.games import games
from tests.support.collected import held, note
from tests.support.pages import Page, page, page_of
from tests.support.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


KAI = {"count:spycraft/kai": "3", "seen:spycraft/kai": "0"}
BAIT = {"count:spycraft/bait": "2", "seen:spycraft/bait": "0"}
ALL = "/collection/?all=1&game=spycraft"


def owned() -> dict[str, int]:
    """Code -> copies, without regard to prints."""
    return {code: count for code, _, count in held()}


def save(client, typed: dict[str, str], query="") -> Page:
    """The answer to numbers that a script saves."""
    return page_of(client.post(f"/collection/numbers/{query}", typed))


def chips(shown: Page) -> dict[str, str]:
    """Name of a chip -> its progress, such as "1 of 20"."""
    counts = [(count.parent, count.text) for count in shown.all(class_="chip-count")]
    return {chip.text.removesuffix(words).strip(): words for chip, words in counts}


# -- the buttons, without a script


def test_plus_and_minus_change_a_number_by_one_and_save_what_was_typed_in_other_rows(client):
    answer = client.post(ALL, {**KAI, **BAIT, "more": "spycraft/kai"})
    assert owned() == {"kai": 4, "bait": 2}
    assert answer["Location"] == f"{ALL}#n-spycraft.kai"
    client.post("/collection/", {"count:spycraft/kai": "4", "seen:spycraft/kai": "4", "less": "spycraft/kai"})
    assert owned() == {"kai": 3, "bait": 2}


@pytest.mark.parametrize(("button", "count", "kept"), [("less", "0", {}), ("more", "999", {"kai": 999})])
def test_plus_and_minus_stay_within_the_bounds_of_a_number(client, button, count, kept):
    typed = {"count:spycraft/kai": count, "seen:spycraft/kai": "0", button: "spycraft/kai"}
    client.post("/collection/", typed)
    assert owned() == kept


def test_enter_in_a_number_presses_save_and_not_plus_or_minus(client):
    assert page(client, ALL).one("form", class_="owned-form").all("button")[0].get("name") is None


# -- each number as it is changed


@pytest.mark.both_databases
def test_saving_a_number_answers_with_the_parts_of_the_page_that_change(client):
    """A press of "more" that the script has counted already is not counted again."""
    answer = save(client, {**KAI, "more": "spycraft/kai"})
    assert owned() == {"kai": 3}
    seen = answer.one("input", id="s-spycraft.kai", name="seen:spycraft/kai", value="3")
    assert seen["hx-swap-oob"] == "true" and "Spycraft 3: the copies you own." in answer.text
    assert not answer.has(id="n-spycraft.kai"), "the field that is typed in is not replaced"
    client.post("/collection/spycraft/kai/", {"count:spycraft/kai:ON:": "2", "seen:spycraft/kai:ON:": "0"})
    answer = save(client, {"count:spycraft/kai": "4", "seen:spycraft/kai": "3"})
    assert answer.one(id="t-spycraft.kai").text == "6 in all"


def test_a_number_changed_elsewhere_is_shown_and_the_others_are_saved(client):
    save(client, KAI)
    answer = save(client, {"count:spycraft/kai": "7", "seen:spycraft/kai": "1", **BAIT})
    assert owned() == {"kai": 3, "bait": 2} and "changed to 3 elsewhere" in answer.text
    number = answer.one(id="n-spycraft.kai")
    assert number.value == "3" and number["aria-label"].startswith("Copies of Kai")


@pytest.mark.parametrize(
    "typed", [{"count:spycraft/kai": "many"}, {"count:spycraft/nobody": "1"}, {"count:": "1"}]
)
def test_a_number_that_cannot_be_saved_is_reported_and_changes_nothing(client, typed):
    answer = save(client, typed)
    assert owned() == {}
    assert answer.has(hx_swap_oob=True)
    assert answer.one(id="collection-status").text


def test_no_number_is_no_error_and_a_get_is_refused(client):
    assert save(client, {}).has(hx_swap_oob=True)
    assert owned() == {}
    assert client.get("/collection/numbers/").status_code == 405


# -- what is found, and how far it has come


def test_the_page_finds_cards_with_the_query_language(client):
    for card in ("spycraft/kai", "spycraft/bait"):
        note(client, "1", card=card)
    assert [row["card"].code for row in client.get("/collection/?q=type:agent").context["rows"]] == ["kai"]
    found = client.get(f"{ALL}&q=type:leader+level=4").context["rows"]
    assert {row["card"].facts["level"] for row in found} == {4}
    for number in ("0", "99", "²"):
        assert client.get("/collection/", {"page": number}).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_collection(client):
    def queries() -> int:
        return len(queries_of(lambda: client.get("/collection/?game=spycraft")))

    note(client, "1")
    few = queries()
    rows = "".join(f"1,{name},spycraft\n" for name in ("Bait", "Recon", "Termite"))
    client.post("/collection/import/", {"text": f"count,name,game\n{rows}"})
    assert queries() == few <= 14


def test_chips_tell_how_many_cards_of_a_game_set_or_faction_are_owned_and_filter_by_it(client):
    before = chips(page(client, ALL))
    after = chips(save(client, KAI, "?game=spycraft&all=1"))
    cards = games()["spycraft"].cards
    faction = str(next(card for card in cards if card.code == "kai").fact("faction"))
    of_faction = [card for card in cards if str(card.fact("faction")) == faction]
    assert {name for name in before if before[name] != after[name]} >= {"Spycraft", "All games", faction}
    assert set(before) == set(after) and chips(page(client, ALL)) == after
    assert after["Spycraft"] == f"1 of {len(cards)}" and after[faction] == f"1 of {len(of_faction)}"
    progress = client.get(ALL).context["progress"]
    (chip,) = [chip for row in progress for chip in row["chips"] if chip.shown == faction]
    shown = client.get(f"/collection/{chip.href}").context
    assert shown["total"] == len(of_faction)
    picked = [chip.shown for row in shown["progress"] for chip in row["chips"] if chip.picked]
    assert picked == ["Spycraft", faction]
