"""Building a job from the chosen cards: lists that share sheets, extras, QR codes, own texts, and titles with
letters that no font has. These tests go through printing.request.assembly, deck_papers and printed_texts.
"""

from collections import Counter
from dataclasses import replace

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
from printing.models import PrinterCalibration
from printing.request.lists import (
    Lists,
    PrintList,
    evening_lists,
    pasted_list,
    single_cards,
    starter_lists,
    stored_decks,
)
from printing.request.printed_texts import points_of, small_texts
from printing.request.settings import options_of
from tests.support.drawings import runs, words_of
from tests.support.made_decks import named_deck, starter
from tests.support.own_sets import CANARY, own_card, own_set
from tests.support.print_decks import printed
from tests.support.print_lists import job_for
from tests.support.sheets import make_sheets

# SQLite is enough here: tests/house/test_permissions.py asks each address on PostgreSQL too.
pytestmark = [pytest.mark.django_db, pytest.mark.engine("sqlite")]

SITE = "https://cutout.example"
SPYCRAFT = games()["spycraft"]
KAI = SPYCRAFT.card("kai")
STARTERS = ["spycraft/nine-tiger", "spycraft/banshee-net"]


def job(lists: Lists | PrintList, viewer: Viewer = NOBODY, root: str = SITE, **options: str) -> Job:
    return job_for(lists, {"backs": "none", **options}, viewer, root)


def of_decks(*decks: Deck, viewer: Viewer = NOBODY, **options: str) -> Job:
    return job(stored_decks([deck.link for deck in decks], viewer), viewer, **options)


# -- several lists -----------------------------------------------------------------------


def test_several_decks_of_one_size_share_sheets(client_of):
    both = of_decks(named_deck(client_of, "One", "5 Kai"), named_deck(client_of, "Other", "4 Termite"))
    assert (both.sheets, both.heading) == (1, "One + Other")
    assert printed(both) == Counter({"Kai": 5, "Termite": 4})


TWO_SIZES = ["3.spycraft/kai", "spynet/hitman"]


def test_cards_of_another_size_begin_sheets_of_their_own_with_a_remark():
    apart = job(single_cards(TWO_SIZES))
    assert printed(apart) == Counter({"Kai": 3, "Hitman": 1})
    assert apart.sheets == make_sheets(apart).pages == 2
    assert "begin sheets of their own" in " ".join(remarks_of(apart))


def test_cards_of_two_games_and_one_size_share_sheets():
    together = job(single_cards(TWO_SIZES), trim="poker", backs="long")
    assert (together.sheets, printed(together)) == (1, Counter({"Kai": 3, "Hitman": 1}))
    assert "begin sheets of their own" not in " ".join(remarks_of(together))
    notes = together.notes()
    assert "Spycraft and SpyNet" in notes.about
    assert "Alderac" in notes.credit and "Z-Man" in notes.credit
    backs = {piece.name: piece.back for piece in pieces_of(together)}
    assert backs["Kai"] != backs["Hitman"]


@pytest.mark.parametrize("trim", ["", "poker"])
def test_too_many_cards_are_refused_with_the_copies_that_would_fit(trim):
    xfiles = pasted_list("xfiles", f"99 {games()['xfiles'].cards[0].name}")
    with pytest.raises(Refused, match="at most 2,000 cards, not 2,985: 10 copies of everything would fit"):
        job((pasted_list("spycraft", "50 Kai\n50 Li"), xfiles), copies="15", trim=trim)


def test_secret_cards_are_printed_for_the_owner_alone_and_are_in_no_code(client_of, owner):
    deck = named_deck(client_of, "Truth", starter("xfiles", "deck-mulder"), game="xfiles")
    is_secret = games()["xfiles"].is_secret
    secret = {entry.card for entry in deck.decklist() if is_secret(entry.section, entry.card.type)}
    everything, shown = (printed(of_decks(deck, viewer=viewer)) for viewer in (owner, NOBODY))
    assert secret
    assert set(everything) - set(shown) == {card.name for card in secret}
    # Strangers may find the paper and read its code, also that of the owner.
    for viewer in (owner, NOBODY):
        addresses = [code.address for code in of_decks(deck, viewer=viewer, qr="list").codes]
        assert not any(card.code in address for card in secret for address in addresses)


def test_a_register_counts_the_lines_of_its_list_that_could_not_be_read():
    listed = pasted_list("spycraft", "5 Kai\n1 Nobody", partly=True)
    (page,) = job(listed, extras="register").end_pages
    assert "without 1 unread line" in words_of(page)


def test_another_version_has_another_key_and_a_name_for_its_author(client_of, owner):
    deck = named_deck(client_of, "Nine Tiger", "2 Kai")
    first, again = (of_decks(deck, qr="page", extras="register,labels") for _ in range(2))
    assert first.key == again.key and make_sheets(first).data == make_sheets(again).data
    Deck.objects.filter(pk=deck.pk).update(revision=1)
    deck.revisions.update(number=1, name="Friday")
    assert of_decks(deck, qr="page", extras="register,labels").key != first.key
    assert of_decks(deck).notes().title == "Nine Tiger · version 1"
    assert of_decks(deck, viewer=owner).notes().title == "Nine Tiger · version 1 “Friday”"


# -- an evening --------------------------------------------------------------------------

EVENING = "tokens,scores,reference,sheets"


@pytest.mark.parametrize("players", [2, 4])
def test_each_player_of_spynet_gets_tokens_and_a_turn_card(players):
    evening = job(evening_lists([f"spynet/{players}"]), extras=EVENING)
    assert evening.title == f"SpyNet for {players} players"
    counts = {piece.name.split(",")[0]: piece.count for piece in pieces_of(evening)}
    for_each_player = ["Markers: 1 Enforcement", "The turn at a glance"]
    assert [counts.pop(name) for name in for_each_player] == [players, players]
    assert counts == {"Counting": 1, "Set-up": 1, "The end of the game": 1}


@pytest.mark.parametrize(
    ("slug", "page", "summary"),
    [
        ("steamspy", "Character sheet", "3 pages of worksheets"),
        ("xfiles", "Notebook, The X-Files CCG", "3 pages of card tables"),
    ],
)
def test_each_player_gets_a_worksheet_or_notebook_on_a_page_of_its_own(slug, page, summary):
    evening = job(evening_lists([f"{slug}/3"]), extras=EVENING)
    assert [drawing.name for drawing in evening.end_pages] == [page] * 3 and summary in evening.summary()


@pytest.mark.parametrize("slug", [slug for slug, game in games().items() if game.set_up_guide])
def test_the_evening_of_every_game_can_be_printed_for_its_usual_players(slug):
    guide = games()[slug].set_up_guide
    assert guide
    starters = starter_lists(f"{slug}/{name}" for name in guide.evening.starters(guide.tonight))
    evening = job((*evening_lists([f"{slug}/{guide.tonight}"]), *starters), extras=EVENING)
    assert len(pypdfium2.PdfDocument(make_sheets(evening).data)) == evening.pages


def test_no_remark_says_that_an_evening_beside_a_deck_has_no_cards():
    evening = job((*evening_lists(["spycraft/2"]), *starter_lists(STARTERS)), extras="tokens")
    assert "tick what the evening needs" not in " ".join(remarks_of(evening))


def test_an_evening_of_which_nothing_is_ticked_is_refused_with_what_to_do():
    with pytest.raises(Refused, match="tick what the evening needs"):
        job(evening_lists(["spynet/3"]))


# -- extras -------------------------------------------------------------------------------


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
def test_the_extras_of_a_game_are_printed_and_counted_in_the_summary(named, nouns):
    starter_job = job(starter_lists([named]), extras="tokens,scores,reference,labels,register")
    assert len(starter_job.end_pages) == 1
    assert any("Labels" in piece.name for piece in pieces_of(starter_job))
    assert [noun for noun in nouns if noun not in starter_job.summary()] == []


@pytest.mark.parametrize("game", games().values(), ids=lambda game: game.slug)
def test_a_remark_tells_if_a_game_has_no_tokens_or_no_score_sheet(game):
    remarks = remarks_of(job(starter_lists([f"{game.slug}/{game.starters[0].slug}"]), extras="tokens,scores"))
    extras = game.print_extras
    has_tokens, has_scores = bool(extras.markers), bool(extras.scores or extras.card_tables)
    assert (f"{game.name} needs no tokens that Cutout knows of." in remarks) == (not has_tokens)
    assert (f"{game.name} has no score sheet." in remarks) == (not has_scores)


def test_extra_pieces_fill_the_slots_that_are_left():
    deck = pasted_list("spycraft", "5 Kai")
    assert (job(deck).sheets, job(deck, extras="tokens,labels").sheets) == (1, 1)
    # Five cards, two of markers and one of labels.
    assert job(deck, extras="tokens,labels").cards == 8


def test_each_deck_has_its_label_and_its_register(client_of):
    decks = (named_deck(client_of, name, "2 Kai") for name in ("One", "Two"))
    both = of_decks(*decks, extras="labels,register")
    assert [piece.name for piece in both.extra] == ["Labels: One", "Labels: Two"]
    assert [page.name for page in both.end_pages] == ["Register of One", "Register of Two"]
    assert both.sheets == 3


def test_decks_of_two_games_have_a_label_each():
    other = f"agentdecker/{games()['agentdecker'].starters[0].slug}"
    both = job(starter_lists([STARTERS[0], other]), extras="labels", trim="poker")
    assert sum("Labels" in piece.name for piece in pieces_of(both)) == 2


def test_single_cards_have_no_label_and_no_register_and_a_remark_says_so():
    single = job(single_cards(["3.spycraft/kai"]), extras="labels,register")
    remark = "Single cards are no deck: they have no register, no label and no box."
    assert remark in remarks_of(single) and [piece.name for piece in pieces_of(single)] == ["Kai"]


# -- QR codes -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("starters", "root", "remark"),
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
def test_a_qr_code_is_made_for_a_single_list_if_the_sites_address_is_known(starters, root, remark):
    with_code = job(starter_lists(starters), root=root, qr="list")
    has_code = not remark
    assert bool(with_code.codes) == has_code
    about_code = [sentence for sentence in remarks_of(with_code) if "QR code" in sentence]
    assert about_code == ([remark] if remark else [])


def test_a_code_has_the_whole_list_or_the_page_if_room_is_small(client_of):
    deck = named_deck(client_of, "Nine Tiger", starter("spycraft", "nine-tiger"))
    with_code = of_decks(deck, qr="list")
    assert "/d/#cutout1/spycraft/agency/" in with_code.codes[0].address
    assert with_code.margins.code
    assert with_code.margins.code[0].address == f"{SITE}/decks/{deck.link}/"


def test_the_code_of_a_single_card_leads_to_its_page():
    assert job(single_cards(["spycraft/kai"]), qr="page").codes[0].address == f"{SITE}/cards/spycraft/kai/"


def test_label_and_register_have_the_code_if_the_margins_have_no_room(client_of):
    deck = named_deck(client_of, "Nine Tiger", starter("spycraft", "nine-tiger"))
    close = of_decks(deck, paper="letter", trim="poker", qr="page", only="none", extras="register,labels")
    assert close.margins.code is None and close.code_elsewhere
    for drawing in (close.end_pages[0], close.extra[0].front):
        rects = [stroke for stroke in drawing.strokes if isinstance(stroke, Rect)]
        # A code is drawn as many black squares.
        assert sum(rect.colour == "#000000" for rect in rects) > 100


def test_a_remark_warns_of_the_code_of_a_private_deck(client_of, owner):
    deck = named_deck(client_of, "Mine", "2 Kai", visibility="private")
    warning = "“Mine” is private: its page opens for you alone, and not for others who scan its QR code."
    assert warning in remarks_of(of_decks(deck, viewer=owner, qr="page"))


# -- own texts ----------------------------------------------------------------------------

LONG = "It counts double on Tuesdays. " * 65


def test_own_cards_are_printed_with_their_own_text():
    viewer = Viewer(browser="b" * 64)
    card = own_card(own_set(viewer))
    (piece,) = pieces_of(job(single_cards([f"spycraft/{card.code}"], viewer), viewer))
    assert CANARY in repr(piece.front)


def test_an_own_text_is_printed_and_credited_for_its_owner_alone(owner):
    save_text(owner, SPYCRAFT, "kai", "House text.")
    for viewer, text, is_own in ((owner, "2 Kai", True), (NOBODY, "2 Kai", False), (owner, "2 Li", False)):
        cards = job(pasted_list("spycraft", text), viewer)
        assert ("House text." in {card.text for card, _ in cards.entries}) is is_own
        assert (OWN_WORDS in cards.notes().credit) is is_own


def test_a_remark_tells_the_type_size_of_an_own_text_too_small_to_read(owner):
    assert KAI
    save_text(owner, SPYCRAFT, "kai", LONG)
    lists = pasted_list("spycraft", "2 Kai")
    (piece,) = pieces_of(job(lists, owner))
    points = points_of(replace(KAI, text=LONG, sentences=()), SPYCRAFT, SPYCRAFT.trim)
    sizes = {run.size for run in runs(piece.front) if "Tuesdays" in run.text}
    # Sizes are in micrometres; an inch has 72 points.
    assert {round(size * 72 / 25_400, 1) for size in sizes} == {points} and points < 5
    remark = f"Kai: your text is set in {points:g} pt. Shorten it to print it larger."
    assert remark in remarks_of(job(lists, owner))
    # A test print has no words at all.
    assert remark not in remarks_of(job(lists, owner, style="outline"))


def test_texts_of_usual_length_and_texts_of_the_game_have_no_remark(owner):
    save_text(owner, SPYCRAFT, "kai", "It counts double on Tuesdays.")
    assert "your text" not in " ".join(remarks_of(job(pasted_list("spycraft", "2 Kai"), owner)))
    # Even on small cards, 44 x 68 mm.
    assert list(small_texts(SPYCRAFT, SPYCRAFT.cards, (44_000, 68_000))) == []


# -- letters that no font has -----------------------------------------------------------------

SPY = "Nine \N{SLEUTH OR SPY} Tiger"
SPY_REMARK = f"“{SPY}”: no font has U+1F575 SLEUTH OR SPY; ☐ is printed instead."


def test_a_letter_that_no_font_has_is_replaced_with_one_remark(client_of):
    deck = named_deck(client_of, SPY, "2 Kai")
    spy_job = of_decks(deck, extras="labels,register")
    drawn: list[Drawing] = [*spy_job.end_pages, *(piece.front for piece in spy_job.extra)]
    assert len(drawn) == 2 and all("Nine ☐ Tiger" in words_of(drawing) for drawing in drawn)
    assert "Nine ☐ Tiger" in spy_job.notes().title and remarks_of(spy_job).count(SPY_REMARK) == 1
    assert make_sheets(spy_job).data.startswith(b"%PDF")


def test_letters_of_a_card_in_the_register_are_replaced_with_a_remark(client_of):
    deck = named_deck(client_of, "Plain", "2 Kai\n1 Kestrel \N{SLEUTH OR SPY} | unknown")
    register_job = of_decks(deck, extras="register", only="none")
    assert "Kestrel ☐" in words_of(register_job.end_pages[0])
    beginning = "“Kestrel \N{SLEUTH OR SPY}”: no font has U+1F575"
    assert any(remark.startswith(beginning) for remark in remarks_of(register_job))


def test_a_remark_tells_of_corrections_that_were_measured_on_other_paper(owner):
    numbers = {"owner_id": owner.user_id, "paper": "a4", "margin": "4", "x": 400, "wider": 40}
    row = PrinterCalibration.objects.create(name="Office", **numbers)

    def told(**changed: str) -> bool:
        remarks = remarks_of(job(starter_lists(STARTERS), owner, **{**options_of(row), **changed}))
        return any(remark.startswith("“Office” was calibrated on A4") for remark in remarks)

    assert not told() and told(paper="letter") and told(paper="letter", margin="3")
    # Other numbers are not the printer's.
    assert not told(paper="letter", back_x="0.5")
    # The printer was calibrated on this paper, too.
    PrinterCalibration.objects.create(name="Hall", **numbers | {"paper": "letter"})
    assert not told(paper="letter")


def test_the_box_is_a_page_of_the_print_with_a_remark_on_its_content():
    deck = pasted_list("spycraft", "Name: Nine Tiger\n60 Kai")
    job = job_for(deck, {"extras": "box", "only": "none", "thickness": "0.2", "sleeves": "yes"})
    assert [page.name for page in job.end_pages] == ["Tuck box: Nine Tiger"]
    assert "1 tuck box" in job.summary()
    assert any("holds 60 cards in sleeves, 0.2 mm each: cut round it" in remark for remark in remarks_of(job))
