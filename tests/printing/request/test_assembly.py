"""One job of what was chosen: lists on the same sheets, what is printed beside the cards, codes that lead
back, own texts, and words that no font can write.
"""

from __future__ import annotations

import io
from collections import Counter
from dataclasses import replace
from typing import Any

import pypdfium2
import pytest

from cardsdb.box.texts import save_text
from cardsdb.faults import Refused
from cardsdb.games import games
from cardsdb.identity.viewer import NOBODY, Viewer
from decks.models import Deck
from printing.faces.strokes import Drawing, Rect
from printing.faces.wording import OWN_WORDS
from printing.job.job import Job
from printing.job.pieces import pieces_of
from printing.job.remarks import remarks_of
from printing.request.assembly import points_of, small_texts
from printing.request.lists import (
    Lists,
    PrintList,
    evening_lists,
    pasted_list,
    single_cards,
    starter_lists,
    stored_decks,
)
from tests.support.drawings import runs, words_of
from tests.support.made_decks import named_deck, starter
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.pages import page_of
from tests.support.print_decks import client_of, owner, printed
from tests.support.print_lists import job_for
from tests.support.sheets import make_sheets

__all__ = ["client_of", "owner"]

# Reads what is stored as every page does. Each address is asked on PostgreSQL too, in
# tests/house/test_permissions.py.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

SITE = "https://cutout.example"
SPYCRAFT = games()["spycraft"]
KAI = SPYCRAFT.card("kai")
STARTERS = ["spycraft/nine-tiger", "spycraft/banshee-net"]


def job(lists: Lists | PrintList, viewer: Viewer = NOBODY, root: str = SITE, **options: str) -> Job:
    return job_for(lists, {"backs": "none", **options}, viewer, root)


def of_decks(*decks: Deck, viewer: Viewer = NOBODY, **options: str) -> Job:
    return job(stored_decks([deck.link for deck in decks], viewer), viewer, **options)


# -- lists together ----------------------------------------------------------------------


def test_several_decks_of_one_size_are_on_the_same_sheets(client_of):
    made = of_decks(named_deck(client_of, "One", "5 Kai"), named_deck(client_of, "Other", "4 Termite"))
    assert (made.sheets, made.heading) == (1, "One + Other")
    assert printed(made) == Counter({"Kai": 5, "Termite": 4})


def test_cards_of_another_size_begin_sheets_of_their_own_unless_one_size_is_chosen():
    lists = single_cards(["3.spycraft/kai", "spynet/hitman"])
    apart, together = job(lists), job(lists, trim="poker", backs="long")
    there = Counter({"Kai": 3, "Hitman": 1})
    assert (apart.sheets, printed(apart)) == (2, there) == (make_sheets(apart).pages, printed(together))
    for made, begin in ((apart, True), (together, False)):
        assert any("begin sheets of their own" in remark for remark in remarks_of(made)) is begin
    notes = together.notes()
    assert together.sheets == 1 and "Spycraft and SpyNet" in notes.about
    assert "Alderac" in notes.credit and "Z-Man" in notes.credit
    backs = {piece.name: piece.back for piece in pieces_of(together)}
    assert backs["Kai"] != backs["Hitman"]


@pytest.mark.parametrize("trim", ["", "poker"])
def test_too_many_cards_are_counted_to_the_end_and_how_many_copies_fit_is_said(trim):
    xfiles = pasted_list("xfiles", f"99 {games()['xfiles'].cards[0].name}")
    with pytest.raises(Refused, match="at most 2,000 cards, not 2,985: 10 copies of everything would fit"):
        job((pasted_list("spycraft", "50 Kai\n50 Li"), xfiles), copies="15", trim=trim)


def test_the_secret_part_of_a_deck_is_printed_and_in_the_code_for_its_owner_alone(client_of, owner):
    deck = named_deck(client_of, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")
    is_secret = games()["xfiles"].is_secret
    secret = {entry.card for entry in deck.decklist() if is_secret(entry.section, entry.card.type)}
    everything, shown = (printed(of_decks(deck, viewer=viewer)) for viewer in (owner, NOBODY))
    assert secret and set(everything) - set(shown) == {card.name for card in secret}
    # Others may find the paper.
    for viewer in (owner, NOBODY):
        addresses = [code.address for code in of_decks(deck, viewer=viewer, qr="list").codes]
        assert not any(card.code in address for card in secret for address in addresses)


def test_another_version_of_a_deck_is_another_print_and_its_name_is_told_to_its_author_alone(
    client_of, owner
):
    deck = named_deck(client_of, "Nine Tiger", "2 Kai")
    first, again = (of_decks(deck, qr="page", extras="register,labels") for _ in range(2))
    assert first.key == again.key and make_sheets(first).data == make_sheets(again).data
    Deck.objects.filter(pk=deck.pk).update(revision=1)
    deck.revisions.update(number=1, name="Friday")
    assert of_decks(deck, qr="page", extras="register,labels").key != first.key
    assert of_decks(deck).notes().title == "Nine Tiger · version 1"
    assert of_decks(deck, viewer=owner).notes().title == "Nine Tiger · version 1 “Friday”"


# -- over HTTP --------------------------------------------------------------------------


def test_single_cards_and_private_decks_in_the_api(client, client_of):
    def sheets(**fields: str) -> Any:
        return client.post("/api/v1/sheets/", fields, content_type="application/json")

    cards = {"card": "spycraft/kai,2.spycraft/termite", "qr": "list"}
    assert sheets(**cards)["Content-Type"] == "application/pdf"
    both = sheets(**cards, game="spycraft", text="1 Kai")
    assert both.status_code == 400 and both.json()[0]["code"] == "deck_or_text"
    shown, hidden = (named_deck(client_of, name, "2 Kai", visibility=name) for name in ("public", "private"))
    assert sheets(deck=f"{shown.link},{hidden.link}").status_code == 404


# -- an evening --------------------------------------------------------------------------

EVENING = "tokens,scores,reference,sheets"


def test_all_that_three_need_for_spynet_is_one_sheet_of_nine_cards():
    made = job(evening_lists(["spynet/3"]), extras=EVENING)
    assert (made.sheets, made.cards, made.title) == (1, 9, "SpyNet for 3 players")


@pytest.mark.parametrize("players", [2, 4])
def test_each_player_of_spynet_gets_tokens_and_a_turn_card_and_the_table_one_of_the_rest(players):
    pieces = pieces_of(job(evening_lists([f"spynet/{players}"]), extras=EVENING))
    counts = {piece.name.split(",")[0]: piece.count for piece in pieces}
    own = ["Markers: 1 Enforcement", "The turn at a glance"]
    assert [counts.pop(name) for name in own] == [players, players]
    assert counts == {"Counting": 1, "Set-up": 1, "The end of the game": 1}


@pytest.mark.parametrize(
    ("slug", "page", "said"),
    [
        ("steamspy", "Character sheet", "3 pages of worksheets"),
        ("xfiles", "Notebook, The X-Files CCG", "3 pages of card tables"),
    ],
)
def test_everybody_has_a_sheet_or_notebook_on_a_page_which_can_be_printed_alone(slug, page, said):
    made = job(evening_lists([f"{slug}/3"]), extras=EVENING)
    assert [one.name for one in made.end_pages] == [page] * 3 and said in made.summary()
    if slug == "steamspy":
        assert job(evening_lists(["steamspy/2"]), extras="sheets").pages == 2


@pytest.mark.parametrize("slug", games())
def test_every_game_has_its_evening_printed_for_its_usual_players(client, slug):
    guide = games()[slug].set_up_guide
    assert guide
    starters = "".join(f"&starter={slug}/{one}" for one in guide.evening.starters(guide.tonight))
    answer = client.get(f"/print/sheets.pdf?evening={slug}/{guide.tonight}&extras={EVENING}{starters}")
    assert answer["Content-Type"] == "application/pdf"
    assert len(pypdfium2.PdfDocument(io.BytesIO(answer.content))) >= 1


def test_the_page_of_an_evening_offers_worksheets_and_says_what_to_do_where_nothing_is_ticked(client):
    nothing = page_of(client.get("/print/sheets.pdf?evening=spynet/3&paper=a4"), status=400)
    assert "tick what the evening needs" in nothing.text
    for subject, offered in (
        ("evening=steamspy/2&paper=a4&extras=sheets", True),
        ("starter=xfiles/deck-mulder&paper=a4", False),
    ):
        shown = page_of(client.get(f"/print/?{subject}"))
        assert ("Worksheets of an evening" in shown.text) is offered


# -- what is printed beside the cards -----------------------------------------------------


@pytest.mark.parametrize(
    ("named", "nouns"),
    [
        ("spycraft/nine-tiger", ["cards of markers", "reference cards", "card of labels", "register page"]),
        (
            f"agentdecker/{games()['agentdecker'].starters[0].slug}",
            ["score card", "reference card", "card of labels", "register page"],
        ),
    ],
)
def test_all_that_a_game_has_is_printed_and_counted_in_the_summary(named, nouns):
    made = job(starter_lists([named]), extras="tokens,scores,reference,labels,register")
    assert len(made.end_pages) == 1 and any("Labels" in piece.name for piece in pieces_of(made))
    assert [noun for noun in nouns if noun not in made.summary()] == []


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_what_a_game_does_not_have_is_said(game):
    told = remarks_of(job(starter_lists([f"{game.slug}/{game.starters[0].slug}"]), extras="tokens,scores"))
    extras = game.print_extras
    assert (f"{game.name} needs no tokens that Cutout knows of." in told) is not bool(extras.markers)
    assert (f"{game.name} has no score sheet." in told) is not bool(extras.scores or extras.card_tables)


def test_extras_fill_the_slots_that_are_left_and_each_deck_has_its_label_and_register(client_of):
    deck = pasted_list("spycraft", "5 Kai")
    assert (job(deck).sheets, job(deck, extras="tokens,labels").sheets) == (1, 1)
    assert job(deck, extras="tokens,labels").cards == 8
    one, two = (named_deck(client_of, name, "2 Kai") for name in ("One", "Two"))
    made = of_decks(one, two, extras="labels,register")
    assert [piece.name for piece in made.extra] == ["Labels: One", "Labels: Two"]
    assert [page.name for page in made.end_pages] == ["Register of One", "Register of Two"]
    assert made.sheets == 3


def test_a_label_is_printed_with_the_game_of_its_deck_and_single_cards_have_none():
    other = f"agentdecker/{games()['agentdecker'].starters[0].slug}"
    made = job(starter_lists([STARTERS[0], other]), extras="labels", trim="poker")
    assert sum("Labels" in piece.name for piece in pieces_of(made)) == 2
    single = job(single_cards(["3.spycraft/kai"]), extras="labels,register")
    said = "Single cards are no deck: they have no register, no label and no box."
    assert said in remarks_of(single) and [piece.name for piece in pieces_of(single)] == ["Kai"]


# -- codes that lead back -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starters", "root", "said"),
    [
        (STARTERS[:1], "", "Without the site's address there is no QR code."),
        (
            STARTERS,
            SITE,
            "A QR code leads to one list: with several decks it stands on registers and labels alone.",
        ),
        (STARTERS[:1], SITE, ""),
    ],
)
def test_a_code_leads_to_one_list_by_the_sites_address(starters, root, said):
    made = job(starter_lists(starters), root=root, qr="list")
    assert bool(made.codes) is not bool(said)
    assert [one for one in remarks_of(made) if "QR code" in one] == ([said] if said else [])


def test_a_code_holds_the_whole_list_or_where_a_margin_is_too_small_the_page(client_of):
    deck = named_deck(client_of, "Nine Tiger", starter("spycraft", "nine-tiger"))
    page = f"{SITE}/decks/{deck.link}/"
    made = of_decks(deck, qr="list")
    assert "/d/#cutout1/spycraft/agency/" in made.codes[0].address
    assert made.margins.code and made.margins.code[0].address == page
    assert job(single_cards(["spycraft/kai"]), qr="page").codes[0].address == f"{SITE}/cards/spycraft/kai/"
    # The label has it too, and the register where the margins have no room.
    close = of_decks(deck, paper="letter", trim="poker", qr="page", only="none", extras="register,labels")
    assert close.margins.code is None and close.code_elsewhere
    for drawing in (close.end_pages[0], close.extra[0].front):
        black = [one for one in drawing.strokes if isinstance(one, Rect) and one.colour == "#000000"]
        assert len(black) > 100


def test_a_private_deck_is_printed_with_a_warning_about_its_page(client_of, owner):
    deck = named_deck(client_of, "Mine", "2 Kai", visibility="private")
    said = "“Mine” is private: its page opens for you alone, and not for others who read the code."
    assert said in remarks_of(of_decks(deck, viewer=owner, qr="page"))


# -- own words ----------------------------------------------------------------------------

LONG = "It counts double on Tuesdays. " * 65


def test_own_cards_have_their_owners_words_on_them():
    viewer = Viewer(browser="b" * 64)
    card = own_card(own_set(viewer))
    (piece,) = pieces_of(job(single_cards([f"spycraft/{card.code}"], viewer), viewer))
    assert CANARY in repr(piece.front)


def test_an_own_text_is_on_its_owners_cards_alone_and_the_sheet_says_whose_words_they_are(owner):
    save_text(owner, SPYCRAFT, "kai", "House text.")
    for viewer, text, own in ((owner, "2 Kai", True), (NOBODY, "2 Kai", False), (owner, "2 Li", False)):
        made = job(pasted_list("spycraft", text), viewer)
        assert ("House text." in {card.text for card, _ in made.entries}) is own
        assert (OWN_WORDS in made.notes().credit) is own


def test_a_text_that_prints_too_small_to_read_is_said_with_the_size_of_its_letters(owner):
    assert KAI
    save_text(owner, SPYCRAFT, "kai", LONG)
    lists = pasted_list("spycraft", "2 Kai")
    (piece,) = pieces_of(job(lists, owner))
    points = points_of(replace(KAI, text=LONG, sentences=()), SPYCRAFT, SPYCRAFT.trim)
    letters = {one.size for one in runs(piece.front) if "Tuesdays" in one.text}
    assert {round(size * 72 / 25_400, 1) for size in letters} == {points} and points < 5
    said = f"Kai: your text is set in {points:g} pt. Shorten it to print it larger."
    assert said in remarks_of(job(lists, owner))
    assert said not in remarks_of(job(lists, owner, style="outline"))
    save_text(owner, SPYCRAFT, "kai", "It counts double on Tuesdays.")
    assert not [one for one in remarks_of(job(lists, owner)) if "your text" in one]
    # Cutout's own words are nobody's.
    assert list(small_texts(SPYCRAFT, SPYCRAFT.cards, (44_000, 68_000))) == []


# -- words that no font can write -------------------------------------------------------------

SPY = "Nine \N{SLEUTH OR SPY} Tiger"
SAID = f"“{SPY}”: no font has U+1F575 SLEUTH OR SPY; ☐ is printed instead."


def test_a_decks_name_is_printed_with_a_stand_in_wherever_it_stands_and_that_is_said_once(client_of):
    deck = named_deck(client_of, SPY, "2 Kai")
    made = of_decks(deck, extras="labels,register")
    drawn: list[Drawing] = [*made.end_pages, *(piece.front for piece in made.extra)]
    assert len(drawn) == 2 and all("Nine ☐ Tiger" in words_of(one) for one in drawn)
    assert "Nine ☐ Tiger" in made.notes().title and remarks_of(made).count(SAID) == 1
    assert make_sheets(made).data.startswith(b"%PDF")
    assert SAID in page_of(client_of.get(f"/print/?deck={deck.link}&paper=a4")).text


def test_a_name_that_no_font_can_write_at_all_is_no_missing_name(client_of):
    for name, title, number in (("スパイ", "☐☐☐", 1), ("Агент Ørsted “7”", "Агент Ørsted “7”", 0)):
        made = of_decks(named_deck(client_of, name, "2 Kai"))
        assert made.notes().title.startswith(title)
        assert sum("no font has U+30B9 KATAKANA" in remark for remark in remarks_of(made)) == number


def test_a_card_of_the_register_alone_is_named_too(client_of):
    deck = named_deck(client_of, "Plain", "2 Kai\n1 Kestrel \N{SLEUTH OR SPY} | unknown")
    made = of_decks(deck, extras="register", only="none")
    assert "Kestrel ☐" in words_of(made.end_pages[0])
    said = "“Kestrel \N{SLEUTH OR SPY}”: no font has U+1F575"
    assert any(remark.startswith(said) for remark in remarks_of(made))
