"""Every queryset that takes a viewer returns exactly the rows that this viewer may see.

Each test makes a row for each owner and asks as every viewer. Pages and addresses rely on these querysets;
``test_permissions.py`` tests those.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User

from cardsdb.games import games
from cardsdb.games.kit.listtext.deck import read_deck
from cardsdb.identity.viewer import NOBODY, Viewer, hashed
from cardsdb.models import EVERYONE, Card, OwnBox, OwnCard, OwnSet, OwnText, UploadedPicture, owned_by
from cardsdb.models.audit import AuditEntry, Event
from cardsdb.models.site import OwnSearch
from cardsdb.search.own_cards import own_cards_of
from decks.core.judging import judge
from decks.models import BrowserAccess, Collection, Comment, Deck, Favourite, Like, Owned, Review, Visibility
from decks.models.league import LeagueFormat, leagues_of
from printing.models import PrinterCalibration
from tests.support.own_sets import own_card, own_set
from tests.support.saved_decks import save_list

pytestmark = pytest.mark.django_db

# Owners of rows: accounts, and browsers without one.
OWNERS = ("ann", "ben", "ann's browser", "ben's browser")
# Viewer -> the owner whose rows it finds. Someone logged in finds the account's rows, not the browser's.
OWNER_OF = {
    "stranger": "",
    "ann": "ann",
    "ann's browser": "ann's browser",
    "ann in her browser": "ann",
    "ben": "ben",
}


@pytest.fixture
def people():
    return {name: User.objects.create_user(name) for name in ("ann", "ben")}


@pytest.fixture
def viewers(people):
    return {
        "stranger": Viewer(),
        "ann": Viewer(people["ann"].pk),
        "ann's browser": Viewer(browser="ann's browser"),
        "ann in her browser": Viewer(people["ann"].pk, browser="ann's browser"),
        "ben": Viewer(people["ben"].pk),
    }


def owner_columns(people: dict[str, User], name: str) -> dict[str, Any]:
    """Return the columns that make this account or browser the owner of a row."""
    return {"owner": people[name]} if name in people else {"browser": name}


def assert_each_finds_their_own(
    model: Any,
    people: dict[str, User],
    viewers: dict[str, Viewer],
    only: tuple[str, ...] = OWNERS,
    **values: Any,
) -> None:
    """Make a row for each owner. Assert that each viewer finds only their own row, and NOBODY none."""
    rows = {name: model.objects.create(**owner_columns(people, name), **values).pk for name in only}
    for visitor, viewer in viewers.items():
        expected = [rows[OWNER_OF[visitor]]] if OWNER_OF[visitor] in rows else []
        assert list(model.objects.of(viewer).values_list("pk", flat=True)) == expected, visitor
    assert not model.objects.of(NOBODY).exists()


def test_owned_rows_are_found_by_their_owner_only(people, viewers):
    assert_each_finds_their_own(Collection, people, viewers)
    assert_each_finds_their_own(PrinterCalibration, people, viewers, name="Office", paper="a4")
    assert_each_finds_their_own(
        OwnSearch, people, viewers, only=("ann", "ben"), name="Mine", key="mine", query="kai"
    )


def test_the_audit_log_shows_accounts_their_own_entries(people, viewers):
    rows = {
        name: AuditEntry.objects.create(account=user, what=Event.LINK).pk for name, user in people.items()
    }
    AuditEntry.objects.create(what=Event.LINK)
    for visitor, viewer in viewers.items():
        expected = [rows[OWNER_OF[visitor]]] if OWNER_OF[visitor] in rows else []
        assert [entry.pk for entry in AuditEntry.objects.of(viewer)] == expected, visitor


def test_a_browsers_box_from_before_login_is_found_for_its_account_only(people, viewers):
    box = OwnBox.objects.create(browser="ann's browser")
    found = {visitor: list(OwnBox.objects.of_browser(viewer)) for visitor, viewer in viewers.items()}
    assert found == {visitor: [box] if visitor == "ann in her browser" else [] for visitor in viewers}


@pytest.mark.parametrize("https", [False, True])
def test_boxes_and_pictures_are_seen_by_owners_and_shared_on_a_private_site(people, viewers, settings, https):
    settings.HTTPS = https
    picture = {
        "game": "spycraft",
        "card_code": "kai",
        "side": "front",
        "kind": "png",
        "width": 1,
        "height": 1,
        "bytes": 1,
    }
    boxes = {
        name: OwnBox.objects.create(**owner_columns(people, name), state=at)
        for at, name in enumerate(OWNERS, 2)
    }
    boxes["everyone"] = OwnBox.objects.create(everyone=True, state=9)
    empty = OwnBox.objects.create(browser="another")
    texts = {
        name: OwnText.objects.create(box=box, game="spycraft", card_code="kai", text=name).pk
        for name, box in boxes.items()
    }
    pictures = {
        name: UploadedPicture.objects.create(**owner_columns(people, name), **picture).pk for name in OWNERS
    }
    pictures["everyone"] = UploadedPicture.objects.create(**owned_by(EVERYONE), **picture).pk
    for visitor, viewer in viewers.items():
        seen = [name for name in ("" if https else "everyone", OWNER_OF[visitor]) if name]
        own = [name for name in seen if name != "everyone"]
        states = tuple(sorted((boxes[name].pk, boxes[name].state) for name in seen))
        seen_pictures = [picture.pk for picture in UploadedPicture.objects.visible_to(viewer)]
        assert {box.pk for box in OwnBox.objects.visible_to(viewer)} == {boxes[name].pk for name in seen}, (
            visitor
        )
        assert OwnBox.objects.states_seen_by(viewer) == states, visitor
        assert [text.pk for text in OwnText.objects.visible_to(viewer)] == [texts[name] for name in seen], (
            visitor
        )
        assert [text.pk for text in OwnText.objects.of(viewer)] == [texts[name] for name in own], visitor
        assert seen_pictures == [pictures[name] for name in seen], visitor
    # An empty box has no state of its own; everyone's counts on a private site.
    other = Viewer(browser="another")
    assert OwnBox.objects.states_seen_by(other) == (() if https else ((boxes["everyone"].pk, 9),))
    assert empty in OwnBox.objects.of(other)
    assert not OwnBox.objects.visible_to(NOBODY) and not UploadedPicture.objects.visible_to(NOBODY)
    assert OwnBox.objects.states_seen_by(NOBODY) == ()
    everyones = [] if https else [UploadedPicture.objects.get(everyone=True)]
    assert list(UploadedPicture.objects.of(EVERYONE)) == everyones


def test_a_new_row_belongs_to_its_maker(people):
    ann = people["ann"].pk
    assert owned_by(Viewer(ann, browser="x")) == {"owner_id": ann, "browser": None}
    assert owned_by(Viewer(browser="x")) == {"owner_id": None, "browser": "x"}
    assert owned_by(EVERYONE) == {"everyone": True}


def test_league_formats_are_opened_by_owner_or_link_and_listed_when_public(people, viewers):
    formats = {
        (name, visibility): LeagueFormat.objects.create(
            **owner_columns(people, name),
            game="spycraft",
            name=f"{name}, {visibility}",
            visibility=visibility,
        )
        for name in OWNERS
        for visibility in Visibility
    }
    for visitor, viewer in viewers.items():
        opened = {
            row.pk
            for (name, visibility), row in formats.items()
            if visibility != "private" or name == OWNER_OF[visitor]
        }
        listed = {
            row.pk
            for (name, visibility), row in formats.items()
            if visibility == "public" or name == OWNER_OF[visitor]
        }
        assert {row.pk for row in LeagueFormat.objects.visible_to(viewer)} == opened, visitor
        assert {row.pk for row in LeagueFormat.objects.listed_for(viewer)} == listed, visitor


def test_decks_are_judged_only_by_formats_the_viewer_may_open(people, viewers, monkeypatch):
    game = games()["spycraft"]
    league = LeagueFormat.objects.create(owner=people["ann"], game="spycraft", name="Ours")
    monkeypatch.setattr(LeagueFormat, "as_format", lambda self: self)

    found = {visitor: leagues_of(viewer)(game, league.link) == league for visitor, viewer in viewers.items()}
    assert found == {visitor: OWNER_OF[visitor] == "ann" for visitor in viewers}

    LeagueFormat.objects.update(visibility=Visibility.UNLISTED)
    assert leagues_of(Viewer())(game, league.link) == league
    assert leagues_of(NOBODY)(game, league.link) is None
    assert leagues_of(Viewer())(games()["xfiles"], league.link) is None


def test_own_sets_and_cards_are_read_by_owner_or_link(people, viewers):
    sets = {
        (name, visibility): own_set(viewers[name], name=visibility)
        for name in ("ann", "ann's browser", "ben")
        for visibility in Visibility
    }
    cards = {key: own_card(set_).code for key, set_ in sets.items()}
    for (_, visibility), set_ in sets.items():
        OwnSet.objects.filter(pk=set_.pk).update(visibility=visibility)
    for visitor, viewer in viewers.items():
        own = {key for key in sets if key[0] == OWNER_OF[visitor]}
        opened = own | {key for key in sets if key[1] != "private"}
        assert {set_.link for set_ in OwnSet.objects.of(viewer)} == {sets[key].link for key in own}, visitor
        assert {set_.link for set_ in OwnSet.objects.visible_to(viewer)} == {
            sets[key].link for key in opened
        }, visitor
        assert {card.code for card in OwnCard.objects.of(viewer)} == {cards[key] for key in own}, visitor
        assert OwnCard.objects.codes_told_to(viewer, cards.values()) == {cards[key] for key in opened}, (
            visitor
        )
    assert OwnCard.objects.codes_told_to(viewers["ann"], [cards["ann", "private"], "kai"]) == {
        cards["ann", "private"]
    }


KEY = hashed("the edit link")


def deck_of(owner: User | None, visibility: str, browser: str = "") -> Deck:
    """Make a deck of this account, or of a browser that is granted access to it."""
    deck = Deck.objects.create(
        owner=owner,
        game="spycraft",
        format="agency",
        name="Dragons",
        visibility=visibility,
        edit_hash=hashed(f"{owner}{visibility}"),
    )
    if browser:
        BrowserAccess.objects.grant(browser, deck)
    return deck


def test_decks_are_edited_by_account_browser_or_key_and_seen_by_visibility(people, viewers):
    viewers |= {
        "friend": Viewer(key_hash=KEY),
        "ben with the link": Viewer(people["ben"].pk, key_hash=KEY, browser="of nothing"),
    }
    decks = {visibility: deck_of(people["ann"], visibility, "ann's browser") for visibility in Visibility}
    bens = deck_of(people["ben"], "private").pk
    deck_of(None, "private", "ben's browser")
    Deck.objects.filter(pk__in=[deck.pk for deck in decks.values()]).update(edit_hash=KEY)
    public = {decks[Visibility.PUBLIC].pk}
    shared = public | {decks[Visibility.UNLISTED].pk}
    for visitor, viewer in viewers.items():
        may_edit = visitor not in ("stranger", "ben")
        edited = {deck.pk for deck in decks.values()} if may_edit else set()
        edited |= {bens} if visitor.startswith("ben") else set()
        assert {deck.pk for deck in Deck.objects.editable_by(viewer)} == edited, visitor
        assert {deck.pk for deck in Deck.objects.visible_to(viewer)} == edited | shared, visitor
        assert {deck.pk for deck in Deck.objects.listed_for(viewer)} == edited | public, visitor
        editable = {deck.pk for deck in Deck.objects.all() if deck.is_editable_by(viewer)}
        assert editable == edited, visitor


def test_a_deck_kept_private_by_staff_tells_the_reason(people):
    deck = deck_of(people["ann"], "private", "ann's browser")
    assert deck.kept_from("public") == ""
    deck.private_because = "Reported."
    assert "“Reported”" in deck.kept_from("public") and deck.kept_from("private") == ""


def test_staff_moderate_public_decks_and_those_they_keep_private(people):
    public, own, kept = (
        deck_of(people["ann"], visibility) for visibility in ("public", "private", "unlisted")
    )
    Deck.objects.filter(pk=kept.pk).update(visibility="private", private_because="Reported.")
    assert set(Deck.objects.moderated()) == {public, kept} and own.private_because == ""


def test_a_deck_kept_private_by_staff_is_opened_by_its_account_only(people, viewers):
    kept = deck_of(people["ann"], "private", "ann's browser")
    Deck.objects.filter(pk=kept.pk).update(private_because="Reported.", edit_hash=KEY)
    viewers["friend"] = Viewer(key_hash=KEY)
    found = {visitor: Deck.objects.editable_by(viewer).exists() for visitor, viewer in viewers.items()}
    assert found == {visitor: visitor in ("ann", "ann in her browser") for visitor in viewers}
    Deck.objects.filter(pk=kept.pk).update(owner=None)
    assert (
        Deck.objects.editable_by(viewers["friend"]).exists()
        and Deck.objects.editable_by(viewers["ann's browser"]).exists()
    )


def test_secret_cards_of_a_deck_are_shown_only_to_its_editors_until_revealed(people, viewers):
    game = games()["xfiles"]
    starter = next(starter for starter in game.starters if starter.format == "advanced")
    deck = Deck(owner=people["ann"], visibility=Visibility.PUBLIC)
    save_list(
        deck, judge(game, read_deck(game, starter.text).deck, game.formats_by_slug["advanced"]), name="Mine"
    )
    for revealed in (False, True):
        Deck.objects.update(revealed=revealed)
        stored = Deck.objects.with_cards().get(pk=deck.pk)
        for visitor, viewer in viewers.items():
            is_shown = revealed or OWNER_OF[visitor] == "ann"
            for shown in (stored.decklist_for(viewer, game), stored.judged_for(viewer, game).deck):
                assert any(game.is_secret(entry.section, entry.card.type) for entry in shown) is is_shown, (
                    visitor
                )
                assert len(list(shown)) > 5, visitor
        assert any(entry.card.written for entry in stored.decklist_to_share(game)) is not revealed


def test_others_see_only_the_name_of_an_own_card(people, viewers):
    game = games()["spycraft"]
    card = own_card(own_set(viewers["ann"]))
    text = f"1 {card.name}\n2 Kai\n"
    deck = Deck(owner=people["ann"], visibility=Visibility.PUBLIC)
    reading = read_deck(game, text, also=own_cards_of(viewers["ann"])(game))
    save_list(deck, judge(game, reading.deck, game.formats_by_slug["agency"]), name="Mine")
    stored = Deck.objects.with_cards().get(pk=deck.pk)
    for visitor, is_owner in (("ann", True), ("ben", False), ("stranger", False)):
        judged = stored.judged_for(viewers[visitor], game)
        for shown in (stored.decklist_for(viewers[visitor], game), judged.deck):
            own = {entry.card.name: entry.card.own for entry in shown}
            assert own == {card.name: is_owner, "Kai": False}, visitor
            assert [entry.count for entry in shown] == [1, 2]
        assert judged.has_names_alone is not is_owner, visitor
    OwnSet.objects.update(visibility=Visibility.UNLISTED)
    assert [entry.card.own for entry in stored.decklist_for(viewers["ben"], game)] == [True, False]


# -- what people say and do about things of others ----------------------------------------------


def test_likes_and_favourites_are_found_by_their_account_while_the_deck_is_visible(people, viewers):
    decks = {
        (name, visibility): deck_of(people[name], visibility) for name in people for visibility in Visibility
    }
    rows: dict[str, list[Any]] = {"ann": [], "ben": []}
    for name, user in people.items():
        for of_deck in decks.values():
            made = (
                Like.objects.create(deck=of_deck, user=user),
                Favourite.objects.create(deck=of_deck, user=user),
            )
            rows[name] += [*made, Comment.objects.create(deck=of_deck, author=user, text="So that is it.")]
    for visitor, viewer in viewers.items():
        mine = rows.get(OWNER_OF[visitor], [])
        shown = {
            row for row in mine if row.deck.visibility != "private" or row.deck.owner_id == viewer.user_id
        }
        found = [row for model in (Like, Favourite, Comment) for row in model.objects.of(viewer)]
        assert set(found) == shown and len(found) == len(shown), visitor
        assert set(Comment.objects.by(viewer)) == {row for row in mine if isinstance(row, Comment)}, visitor
        on_one = [
            row
            for model in (Like, Favourite)
            for row in model.objects.on(decks["ben", Visibility.PUBLIC], viewer)
        ]
        assert {row.user_id for row in on_one} == ({viewer.user_id} if mine else set()), visitor


def test_a_favourite_of_a_deck_that_became_private_is_hidden(people):
    bens, ann = deck_of(people["ben"], "public"), Viewer(people["ann"].pk)
    Favourite.objects.create(deck=bens, user=people["ann"])
    assert list(Favourite.objects.of(ann).values_list("deck__name", flat=True)) == ["Dragons"]
    Deck.objects.stored(bens).update(visibility=Visibility.PRIVATE)
    assert list(Favourite.objects.of(ann).values_list("deck__name", flat=True)) == []


def test_comments_are_read_when_shown_or_by_author_and_moderators(people, viewers):
    deck = deck_of(people["ben"], "public")
    made = {
        (name, state): Comment.objects.create(deck=deck, author=user, text=state, state=state)
        for name, user in people.items()
        for state in Comment.State.values
    }
    elsewhere = Comment.objects.create(
        deck=deck_of(people["ben"], "public"), author=people["ben"], text="Here", state="shown"
    )
    for visitor, viewer in viewers.items():
        read = {row for (name, state), row in made.items() if state == "shown" or name == OWNER_OF[visitor]}
        assert set(Comment.objects.on(deck, viewer)) == read and elsewhere not in read, visitor
        assert set(Comment.objects.on(deck, viewer, moderates=True)) == set(made.values()), visitor


def test_hidden_reviews_are_read_by_author_and_staff_only(people, viewers):
    card, other = Card.objects.current()[:2]
    shown = Review.objects.create(card=card, author=people["ben"], text="Good.")
    hidden = Review.objects.create(card=card, author=people["ann"], text="Bad.", hidden=True)
    Review.objects.create(card=other, author=people["ben"], text="Another.")
    for visitor, viewer in viewers.items():
        readable = {shown, hidden} if OWNER_OF[visitor] == "ann" else {shown}
        assert set(Review.objects.on(card, viewer)) == readable, visitor
        assert set(Review.objects.on(card, viewer, staff=True)) == {shown, hidden}, visitor
        assert Review.objects.of(viewer).count() == {"ann": 1, "ben": 2}.get(OWNER_OF[visitor], 0), visitor


def test_collections_and_browser_access_belong_to_their_owner(people, viewers):
    card, deck = Card.objects.current()[0], deck_of(None, "private", "ann's browser")
    BrowserAccess.objects.grant("ben's browser", deck)
    made = {
        name: Collection.objects.create(**owner_columns(people, name)).owned.create(card=card, count=2)
        for name in OWNERS
    }
    for visitor, viewer in viewers.items():
        assert list(Owned.objects.of(viewer)) == ([made[OWNER_OF[visitor]]] if OWNER_OF[visitor] else []), (
            visitor
        )
        assert [one.browser for one in BrowserAccess.objects.of(viewer)] == (
            [viewer.browser] if viewer.browser else []
        ), visitor


def test_stored_finds_the_current_state_of_given_rows_only():
    kept, gone, other = (deck_of(None, "private") for _ in range(3))
    Deck.objects.filter(pk=gone.pk).delete()
    Deck.objects.filter(pk=kept.pk).update(name="Tigers")
    assert [deck.name for deck in Deck.objects.stored(kept, gone)] == ["Tigers"]
    assert not Deck.objects.stored().exists()
    assert set(Deck.objects.all_owners("to see that it is all")) == {kept, other}
