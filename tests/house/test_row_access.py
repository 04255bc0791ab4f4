"""Every queryset that takes a viewer returns exactly the rows that this viewer may see.

Each test makes a row for each owner and asks as every viewer. Pages and addresses rely on these querysets;
``test_permissions.py`` tests those.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
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
from tests.support.saved_decks import save_list, secret_deck

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


def found(viewers: dict[str, Viewer], rows_for: Callable[[Viewer], Iterable[Any]]) -> dict[str, set[Any]]:
    """Return visitor -> the rows that ``rows_for`` finds for this viewer, each of them once."""
    rows = {visitor: list(rows_for(viewer)) for visitor, viewer in viewers.items()}
    assert {visitor for visitor, those in rows.items() if len(those) > len(set(those))} == set()
    return {visitor: set(those) for visitor, those in rows.items()}


def own_among(rows: dict[str, Any]) -> dict[str, set[Any]]:
    """Return visitor -> the own row among these, given as owner -> row."""
    return {visitor: {rows[owner]} if owner in rows else set() for visitor, owner in OWNER_OF.items()}


@pytest.mark.parametrize(
    ("model", "owners", "values"),
    [
        (Collection, OWNERS, {}),
        (PrinterCalibration, OWNERS, {"name": "Office", "paper": "a4"}),
        (OwnSearch, ("ann", "ben"), {"name": "Mine", "key": "mine", "query": "kai"}),
    ],
    ids=["collections", "printers", "searches"],
)
def test_owned_rows_are_found_by_their_owner_only(people, viewers, model, owners, values):
    rows = {name: model.objects.create(**owner_columns(people, name), **values) for name in owners}
    assert found(viewers, model.objects.of) == own_among(rows)
    assert not model.objects.of(NOBODY).exists()


def test_the_audit_log_shows_accounts_their_own_entries(people, viewers):
    rows = {name: AuditEntry.objects.create(account=user, what=Event.LINK) for name, user in people.items()}
    AuditEntry.objects.create(what=Event.LINK)
    assert found(viewers, AuditEntry.objects.of) == own_among(rows)


def test_a_browsers_box_from_before_login_is_found_for_its_account_only(people, viewers):
    box = OwnBox.objects.create(browser="ann's browser")
    expected = {visitor: {box} if visitor == "ann in her browser" else set() for visitor in viewers}
    assert found(viewers, OwnBox.objects.of_browser) == expected


@pytest.mark.parametrize("https", [False, True])
def test_boxes_and_pictures_are_seen_by_owners_and_shared_on_a_private_site(people, viewers, settings, https):
    settings.HTTPS = https
    picture = {"game": "spycraft", "card_code": "kai", "side": "front", "kind": "png"}
    picture |= dict.fromkeys(("width", "height", "bytes"), 1)
    owners = {name: owner_columns(people, name) for name in OWNERS} | {"everyone": owned_by(EVERYONE)}
    boxes = {
        name: OwnBox.objects.create(**columns, state=at)
        for at, (name, columns) in enumerate(owners.items(), 2)
    }
    texts = {
        name: OwnText.objects.create(box=box, game="spycraft", card_code="kai", text=name)
        for name, box in boxes.items()
    }
    pictures = {
        name: UploadedPicture.objects.create(**columns, **picture) for name, columns in owners.items()
    }

    def seen(rows: dict[str, Any]) -> dict[str, set[Any]]:
        everyones = set() if https else {rows["everyone"]}
        return {visitor: own | everyones for visitor, own in own_among(rows).items()}

    for model, rows in ((OwnBox, boxes), (OwnText, texts), (UploadedPicture, pictures)):
        assert found(viewers, model.objects.visible_to) == seen(rows), model
    assert found(viewers, OwnText.objects.of) == own_among(texts)
    states = {name: (box.pk, box.state) for name, box in boxes.items()}
    assert found(viewers, OwnBox.objects.states_seen_by) == seen(states)
    # An empty box has no state of its own; everyone's counts on a private site.
    empty, other = OwnBox.objects.create(browser="another"), Viewer(browser="another")
    assert OwnBox.objects.states_seen_by(other) == (() if https else (states["everyone"],))
    assert empty in OwnBox.objects.of(other)
    assert not OwnBox.objects.visible_to(NOBODY) and not UploadedPicture.objects.visible_to(NOBODY)
    assert OwnBox.objects.states_seen_by(NOBODY) == ()
    assert list(UploadedPicture.objects.of(EVERYONE)) == ([] if https else [pictures["everyone"]])


def test_a_new_row_belongs_to_its_maker(people):
    ann = people["ann"].pk
    assert owned_by(Viewer(ann, browser="x")) == {"owner_id": ann, "browser": None}
    assert owned_by(Viewer(browser="x")) == {"owner_id": None, "browser": "x"}
    assert owned_by(EVERYONE) == {"everyone": True}


def those_of(rows: dict[tuple[str, str], Any], *visibilities: str) -> dict[str, set[Any]]:
    """Return visitor -> the rows of these visibilities and the visitor's own, given as (owner, visibility) ->
    row.
    """
    return {
        visitor: {row for (name, shown), row in rows.items() if name == owner or shown in visibilities}
        for visitor, owner in OWNER_OF.items()
    }


def test_league_formats_are_opened_by_owner_or_link_and_listed_when_public(people, viewers):
    formats = {
        (name, visibility): LeagueFormat.objects.create(
            **owner_columns(people, name), game="spycraft", name=name, visibility=visibility
        )
        for name in OWNERS
        for visibility in Visibility
    }
    assert found(viewers, LeagueFormat.objects.visible_to) == those_of(formats, "unlisted", "public")
    assert found(viewers, LeagueFormat.objects.listed_for) == those_of(formats, "public")


def test_decks_are_judged_only_by_formats_the_viewer_may_open(people, viewers, monkeypatch):
    game = games()["spycraft"]
    league = LeagueFormat.objects.create(owner=people["ann"], game="spycraft", name="Ours")
    monkeypatch.setattr(LeagueFormat, "as_format", lambda self: self)
    judging = found(viewers, lambda viewer: filter(None, [leagues_of(viewer)(game, league.link)]))
    assert judging == own_among({"ann": league})
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
    cards = {key: own_card(made) for key, made in sets.items()}
    codes = {key: card.code for key, card in cards.items()}
    for (_, visibility), made in sets.items():
        OwnSet.objects.filter(pk=made.pk).update(visibility=visibility)
    assert found(viewers, OwnSet.objects.of) == those_of(sets)
    assert found(viewers, OwnSet.objects.visible_to) == those_of(sets, "unlisted", "public")
    assert found(viewers, OwnCard.objects.of) == those_of(cards)
    told = found(viewers, lambda viewer: OwnCard.objects.codes_told_to(viewer, [*codes.values(), "kai"]))
    assert told == those_of(codes, "unlisted", "public")


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
    bens = deck_of(people["ben"], "private")
    deck_of(None, "private", "ben's browser")
    Deck.objects.filter(pk__in=[deck.pk for deck in decks.values()]).update(edit_hash=KEY)
    edited = {visitor: set(decks.values()) for visitor in viewers}
    edited |= {"stranger": set(), "ben": {bens}, "ben with the link": {bens, *decks.values()}}
    public, shared = {decks["public"]}, {decks["public"], decks["unlisted"]}
    editable = found(
        viewers, lambda viewer: [one for one in Deck.objects.all() if one.is_editable_by(viewer)]
    )
    assert editable == found(viewers, Deck.objects.editable_by) == edited
    assert found(viewers, Deck.objects.visible_to) == {name: rows | shared for name, rows in edited.items()}
    assert found(viewers, Deck.objects.listed_for) == {name: rows | public for name, rows in edited.items()}


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
    friend = Viewer(key_hash=KEY)
    assert found(viewers, Deck.objects.editable_by) == own_among({"ann": kept})
    assert not Deck.objects.editable_by(friend)
    Deck.objects.filter(pk=kept.pk).update(owner=None)
    assert Deck.objects.editable_by(friend) and Deck.objects.editable_by(viewers["ann's browser"])


def test_secret_cards_of_a_deck_are_shown_only_to_its_editors_until_revealed(people, viewers):
    game = games()["xfiles"]
    secret_deck(owner=people["ann"])
    for revealed in (False, True):
        Deck.objects.update(revealed=revealed)
        stored = Deck.objects.with_cards().get()
        for visitor, viewer in viewers.items():
            is_shown = revealed or OWNER_OF[visitor] == "ann"
            for shown in (stored.decklist_for(viewer, game), stored.judged_for(viewer, game).deck):
                secrets = [game.is_secret(entry.section, entry.card.type) for entry in shown]
                assert any(secrets) is is_shown and len(secrets) > 5, visitor
        assert any(entry.card.written for entry in stored.decklist_to_share(game)) is not revealed


def test_others_see_only_the_name_of_an_own_card(people, viewers):
    game = games()["spycraft"]
    card = own_card(own_set(viewers["ann"]))
    deck = Deck(owner=people["ann"], visibility=Visibility.PUBLIC)
    reading = read_deck(game, f"1 {card.name}\n2 Kai\n", also=own_cards_of(viewers["ann"])(game))
    save_list(deck, judge(game, reading.deck, game.formats_by_slug["agency"]), name="Mine")
    stored = Deck.objects.with_cards().get(pk=deck.pk)
    for visitor, is_owner in (("ann", True), ("ben", False), ("stranger", False)):
        judged = stored.judged_for(viewers[visitor], game)
        for shown in (stored.decklist_for(viewers[visitor], game), judged.deck):
            told = [(entry.count, entry.card.name, entry.card.own) for entry in shown]
            assert told == [(1, card.name, is_owner), (2, "Kai", False)], visitor
        assert judged.has_names_alone is not is_owner, visitor
    OwnSet.objects.update(visibility=Visibility.UNLISTED)
    assert [entry.card.own for entry in stored.decklist_for(viewers["ben"], game)] == [True, False]


# -- what people say and do about things of others ----------------------------------------------


@pytest.mark.parametrize(("model", "by"), [(Like, "user"), (Favourite, "user"), (Comment, "author")])
def test_likes_favourites_and_comments_are_found_by_their_account_while_the_deck_is_visible(
    people, viewers, model, by
):
    made = {
        (owner, visibility, name): model.objects.create(deck=deck, **{by: user})
        for owner in people
        for visibility in Visibility
        for deck in [deck_of(people[owner], visibility)]
        for name, user in people.items()
    }
    assert found(viewers, model.objects.of) == {
        visitor: {
            row
            for (owner, visibility, name), row in made.items()
            if name == of and (visibility != "private" or owner == of)
        }
        for visitor, of in OWNER_OF.items()
    }
    if model is not Comment:
        on_one = {name: made["ben", "public", name] for name in people}
        deck = on_one["ann"].deck
        assert found(viewers, lambda viewer: model.objects.on(deck, viewer)) == own_among(on_one)


def test_comments_are_read_when_shown_or_by_author_and_moderators(people, viewers):
    deck, other = deck_of(people["ben"], "public"), deck_of(people["ben"], "private")
    made = {
        (name, state): Comment.objects.create(deck=deck, author=user, text=state, state=state)
        for name, user in people.items()
        for state in Comment.State.values
    }
    elsewhere = Comment.objects.create(deck=other, author=people["ann"], text="Here", state="shown")
    assert found(viewers, lambda viewer: Comment.objects.on(deck, viewer)) == those_of(made, "shown")
    assert set(Comment.objects.on(deck, Viewer(), moderates=True)) == set(made.values())
    assert found(viewers, Comment.objects.by) == those_of(made | {("ann", "elsewhere"): elsewhere})


def test_hidden_reviews_are_read_by_author_and_staff_only(people, viewers):
    card, other = Card.objects.current()[:2]
    shown = Review.objects.create(card=card, author=people["ben"], text="Good.")
    hidden = Review.objects.create(card=card, author=people["ann"], text="Bad.", hidden=True)
    elsewhere = Review.objects.create(card=other, author=people["ben"], text="Another.")
    reviews = {("ben", "shown"): shown, ("ann", "hidden"): hidden}
    assert found(viewers, lambda viewer: Review.objects.on(card, viewer)) == those_of(reviews, "shown")
    assert set(Review.objects.on(card, Viewer(), staff=True)) == {shown, hidden}
    assert found(viewers, Review.objects.of) == those_of(reviews | {("ben", "elsewhere"): elsewhere})


def test_collections_and_browser_access_belong_to_their_owner(people, viewers):
    card, deck = Card.objects.current()[0], deck_of(None, "private", "ann's browser")
    BrowserAccess.objects.grant("ben's browser", deck)
    made = {
        name: Collection.objects.create(**owner_columns(people, name)).owned.create(card=card, count=2)
        for name in OWNERS
    }
    assert found(viewers, Owned.objects.of) == own_among(made)
    browsers = {
        visitor: {row.browser for row in BrowserAccess.objects.of(viewers[visitor])} for visitor in viewers
    }
    assert browsers == {visitor: {viewer.browser} - {""} for visitor, viewer in viewers.items()}


def test_stored_finds_the_current_state_of_given_rows_only():
    kept, gone, other = (deck_of(None, "private") for _ in range(3))
    Deck.objects.filter(pk=gone.pk).delete()
    Deck.objects.filter(pk=kept.pk).update(name="Tigers")
    assert [deck.name for deck in Deck.objects.stored(kept, gone)] == ["Tigers"]
    assert not Deck.objects.stored().exists()
    assert set(Deck.objects.all_owners("to see that it is all")) == {kept, other}
