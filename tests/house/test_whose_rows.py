"""Each queryset that takes a viewer returns the right rows: tested with rows of each owner and every viewer.
Pages and addresses rest on these querysets; ``test_permissions.py`` tests those.
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

# Owners of rows: an account, or a browser without one. The viewer "ann in her browser" has both.
OWNERS = ("ann", "ben", "ann's browser", "ben's browser")
ANN = {
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


def owned(people: dict[str, User], name: str) -> dict[str, Any]:
    return {"owner": people[name]} if name in people else {"browser": name}


def assert_each_finds_their_own(
    model: Any,
    people: dict[str, User],
    viewers: dict[str, Viewer],
    only: tuple[str, ...] = OWNERS,
    **values: Any,
) -> None:
    """Create a row for each owner. Assert that viewers find only their own, and a stranger and NOBODY
    none.
    """
    rows = {name: model.objects.create(**owned(people, name), **values).pk for name in only}
    for who, viewer in viewers.items():
        wanted = [rows[ANN[who]]] if ANN[who] in rows else []
        assert list(model.objects.of(viewer).values_list("pk", flat=True)) == wanted, who
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
    for who, viewer in viewers.items():
        assert [entry.pk for entry in AuditEntry.objects.of(viewer)] == (
            [rows[ANN[who]]] if ANN[who] in rows else []
        ), who


def test_a_browsers_box_from_before_login_is_found_for_its_account_only(people, viewers):
    box = OwnBox.objects.create(browser="ann's browser")
    found = {who: list(OwnBox.objects.of_browser(viewer)) for who, viewer in viewers.items()}
    assert found == {who: [box] if who == "ann in her browser" else [] for who in viewers}


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
        name: OwnBox.objects.create(**owned(people, name), state=at) for at, name in enumerate(OWNERS, 2)
    }
    boxes["everyone"] = OwnBox.objects.create(everyone=True, state=9)
    empty = OwnBox.objects.create(browser="another")
    texts = {
        name: OwnText.objects.create(box=box, game="spycraft", card_code="kai", text=name).pk
        for name, box in boxes.items()
    }
    pictures = {name: UploadedPicture.objects.create(**owned(people, name), **picture).pk for name in OWNERS}
    pictures["everyone"] = UploadedPicture.objects.create(**owned_by(EVERYONE), **picture).pk
    for who, viewer in viewers.items():
        seen = [name for name in ("" if https else "everyone", ANN[who]) if name]
        assert {box.pk for box in OwnBox.objects.visible_to(viewer)} == {boxes[name].pk for name in seen}, who
        assert OwnBox.objects.states_seen_by(viewer) == tuple(
            sorted((boxes[name].pk, boxes[name].state) for name in seen)
        ), who
        assert [text.pk for text in OwnText.objects.visible_to(viewer)] == [texts[name] for name in seen], who
        assert [text.pk for text in OwnText.objects.of(viewer)] == [
            texts[name] for name in seen if name != "everyone"
        ], who
        assert [one.pk for one in UploadedPicture.objects.visible_to(viewer)] == [
            pictures[name] for name in seen
        ], who
    assert OwnBox.objects.states_seen_by(Viewer(browser="another")) == (
        () if https else ((boxes["everyone"].pk, 9),)
    )
    assert not OwnBox.objects.visible_to(NOBODY) and not UploadedPicture.objects.visible_to(NOBODY)
    assert OwnBox.objects.states_seen_by(NOBODY) == () and empty in OwnBox.objects.of(
        Viewer(browser="another")
    )
    assert list(UploadedPicture.objects.of(EVERYONE)) == (
        [] if https else [UploadedPicture.objects.get(everyone=True)]
    )


def test_a_new_row_belongs_to_its_maker(people):
    ann = people["ann"].pk
    assert owned_by(Viewer(ann, browser="x")) == {"owner_id": ann, "browser": None}
    assert owned_by(Viewer(browser="x")) == {"owner_id": None, "browser": "x"}
    assert owned_by(EVERYONE) == {"everyone": True}


def test_league_formats_are_opened_by_owner_or_link_and_listed_when_public(people, viewers):
    made = {
        (name, seen): LeagueFormat.objects.create(
            **owned(people, name), game="spycraft", name=f"{name}, {seen}", visibility=seen
        )
        for name in OWNERS
        for seen in Visibility
    }
    for who, viewer in viewers.items():
        opened = {row.pk for (name, seen), row in made.items() if seen != "private" or name == ANN[who]}
        listed = {row.pk for (name, seen), row in made.items() if seen == "public" or name == ANN[who]}
        assert {row.pk for row in LeagueFormat.objects.visible_to(viewer)} == opened, who
        assert {row.pk for row in LeagueFormat.objects.listed_for(viewer)} == listed, who


def test_decks_are_judged_only_by_formats_the_viewer_may_open(people, viewers):
    game, league = (
        games()["spycraft"],
        LeagueFormat.objects.create(owner=people["ann"], game="spycraft", name="Ours"),
    )
    asked: dict[str, bool] = {}
    LeagueFormat.as_format, kept = lambda self: self, LeagueFormat.as_format
    try:
        asked = {who: leagues_of(viewer)(game, league.link) == league for who, viewer in viewers.items()}
        LeagueFormat.objects.update(visibility=Visibility.UNLISTED)
        assert (
            leagues_of(Viewer())(game, league.link) == league
            and leagues_of(NOBODY)(game, league.link) is None
        )
        assert leagues_of(Viewer())(games()["xfiles"], league.link) is None
    finally:
        LeagueFormat.as_format = kept
    assert asked == {who: ANN[who] == "ann" for who in viewers}


def test_own_sets_and_cards_are_read_by_owner_or_link(people, viewers):
    sets = {
        (name, seen): own_set(viewers[name], name=seen)
        for name in ("ann", "ann's browser", "ben")
        for seen in Visibility
    }
    cards = {key: own_card(made).code for key, made in sets.items()}
    for (_, seen), made in sets.items():
        OwnSet.objects.filter(pk=made.pk).update(visibility=seen)
    for who, viewer in viewers.items():
        own = {key for key in sets if key[0] == ANN[who]}
        opened = own | {key for key in sets if key[1] != "private"}
        assert {made.link for made in OwnSet.objects.of(viewer)} == {sets[key].link for key in own}, who
        assert {made.link for made in OwnSet.objects.visible_to(viewer)} == {
            sets[key].link for key in opened
        }, who
        assert {card.code for card in OwnCard.objects.of(viewer)} == {cards[key] for key in own}, who
        assert OwnCard.objects.codes_told_to(viewer, cards.values()) == {cards[key] for key in opened}, who
    assert OwnCard.objects.codes_told_to(viewers["ann"], [cards["ann", "private"], "kai"]) == {
        cards["ann", "private"]
    }


KEY = hashed("the edit link")


def deck_of(owner: User | None, seen: str, browser: str = "") -> Deck:
    deck = Deck.objects.create(
        owner=owner,
        game="spycraft",
        format="agency",
        name="Dragons",
        visibility=seen,
        edit_hash=hashed(f"{owner}{seen}"),
    )
    if browser:
        BrowserAccess.objects.grant(browser, deck)
    return deck


def test_decks_are_edited_by_account_browser_or_key_and_seen_by_visibility(people, viewers):
    viewers |= {
        "friend": Viewer(key_hash=KEY),
        "ben with the link": Viewer(people["ben"].pk, key_hash=KEY, browser="of nothing"),
    }
    decks = {seen: deck_of(people["ann"], seen, "ann's browser") for seen in Visibility}
    others = [deck_of(people["ben"], "private").pk, deck_of(None, "private", "ben's browser").pk]
    Deck.objects.filter(pk__in=[deck.pk for deck in decks.values()]).update(edit_hash=KEY)
    bens = others[:1]
    for who, viewer in viewers.items():
        may_edit = who not in ("stranger", "ben")
        edited = {deck.pk for deck in decks.values()} if may_edit else set()
        edited |= set(bens) if who.startswith("ben") else set()
        shared, public = (
            {decks[Visibility.UNLISTED].pk, decks[Visibility.PUBLIC].pk},
            {decks[Visibility.PUBLIC].pk},
        )
        assert {deck.pk for deck in Deck.objects.editable_by(viewer)} == edited, who
        assert {deck.pk for deck in Deck.objects.visible_to(viewer)} == edited | shared, who
        assert {deck.pk for deck in Deck.objects.listed_for(viewer)} == edited | public, who
        asked = {deck.pk for deck in Deck.objects.all() if deck.is_editable_by(viewer)}
        assert asked == edited, who


def test_staff_say_why_a_deck_stays_private(people):
    deck = deck_of(people["ann"], "private", "ann's browser")
    assert deck.kept_from("public") == ""
    deck.private_because = "Reported."
    assert "“Reported”" in deck.kept_from("public") and deck.kept_from("private") == ""


def test_staff_moderate_public_decks_and_those_they_keep_private(people):
    public, own, kept = (deck_of(people["ann"], seen) for seen in ("public", "private", "unlisted"))
    Deck.objects.filter(pk=kept.pk).update(visibility="private", private_because="Reported.")
    assert set(Deck.objects.moderated()) == {public, kept} and own.private_because == ""


def test_a_deck_kept_private_by_staff_is_opened_by_its_account_only(people, viewers):
    kept = deck_of(people["ann"], "private", "ann's browser")
    Deck.objects.filter(pk=kept.pk).update(private_because="Reported.", edit_hash=KEY)
    viewers["friend"] = Viewer(key_hash=KEY)
    found = {who: Deck.objects.editable_by(viewer).exists() for who, viewer in viewers.items()}
    assert found == {who: who in ("ann", "ann in her browser") for who in viewers}
    Deck.objects.filter(pk=kept.pk).update(owner=None)
    assert (
        Deck.objects.editable_by(viewers["friend"]).exists()
        and Deck.objects.editable_by(viewers["ann's browser"]).exists()
    )


def test_secret_cards_of_a_deck_are_shown_only_to_its_editors_until_revealed(people, viewers):
    game = games()["xfiles"]
    starter = next(one for one in game.starters if one.format == "advanced")
    deck = Deck(owner=people["ann"], visibility=Visibility.PUBLIC)
    save_list(
        deck, judge(game, read_deck(game, starter.text).deck, game.formats_by_slug["advanced"]), name="Mine"
    )
    for revealed in (False, True):
        Deck.objects.update(revealed=revealed)
        stored = Deck.objects.with_cards().get(pk=deck.pk)
        for who, viewer in viewers.items():
            told = [stored.decklist_for(viewer, game), stored.judged_for(viewer, game).deck]
            seen = [any(game.is_secret(entry.section, entry.card.type) for entry in one) for one in told]
            assert seen == [revealed or ANN[who] == "ann"] * 2 and all(len(list(one)) > 5 for one in told), (
                who
            )
        assert any(entry.card.written for entry in stored.decklist_to_share(game)) is not revealed


def test_others_see_only_the_name_of_an_own_card(people, viewers):
    game = games()["spycraft"]
    card = own_card(own_set(viewers["ann"]))
    text = f"1 {card.name}\n2 Kai\n"
    deck = Deck(owner=people["ann"], visibility=Visibility.PUBLIC)
    reading = read_deck(game, text, also=own_cards_of(viewers["ann"])(game))
    save_list(deck, judge(game, reading.deck, game.formats_by_slug["agency"]), name="Mine")
    stored = Deck.objects.with_cards().get(pk=deck.pk)
    for who, tells in (("ann", True), ("ben", False), ("stranger", False)):
        judged = stored.judged_for(viewers[who], game)
        for told in (stored.decklist_for(viewers[who], game), judged.deck):
            assert {entry.card.name: entry.card.own for entry in told} == {card.name: tells, "Kai": False}, (
                who
            )
            assert [entry.count for entry in told] == [1, 2]
        assert judged.has_names_alone is not tells, who
    OwnSet.objects.update(visibility=Visibility.UNLISTED)
    assert [entry.card.own for entry in stored.decklist_for(viewers["ben"], game)] == [True, False]


# -- what people say and do about things of others ----------------------------------------------


def test_likes_and_favourites_are_found_by_their_account_while_the_deck_is_visible(people, viewers):
    decks = {(name, seen): deck_of(people[name], seen) for name in people for seen in Visibility}
    rows: dict[str, list[Any]] = {"ann": [], "ben": []}
    for name, user in people.items():
        for of_deck in decks.values():
            made = (
                Like.objects.create(deck=of_deck, user=user),
                Favourite.objects.create(deck=of_deck, user=user),
            )
            rows[name] += [*made, Comment.objects.create(deck=of_deck, author=user, text="So that is it.")]
    for who, viewer in viewers.items():
        mine = rows.get(ANN[who], [])
        shown = {
            row for row in mine if row.deck.visibility != "private" or row.deck.owner_id == viewer.user_id
        }
        found = [row for model in (Like, Favourite, Comment) for row in model.objects.of(viewer)]
        assert set(found) == shown and len(found) == len(shown), who
        assert set(Comment.objects.by(viewer)) == {row for row in mine if isinstance(row, Comment)}, who
        on_one = [
            row
            for model in (Like, Favourite)
            for row in model.objects.on(decks["ben", Visibility.PUBLIC], viewer)
        ]
        assert {row.user_id for row in on_one} == ({viewer.user_id} if mine else set()), who


def test_a_favourite_whose_deck_has_become_private_does_not_tell_its_name(people):
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
    for who, viewer in viewers.items():
        read = {row for (name, state), row in made.items() if state == "shown" or name == ANN[who]}
        assert set(Comment.objects.on(deck, viewer)) == read and elsewhere not in read, who
        assert set(Comment.objects.on(deck, viewer, moderates=True)) == set(made.values()), who


def test_hidden_reviews_are_read_by_author_and_staff_only(people, viewers):
    card, other = Card.objects.current()[:2]
    shown = Review.objects.create(card=card, author=people["ben"], text="Good.")
    hidden = Review.objects.create(card=card, author=people["ann"], text="Bad.", hidden=True)
    Review.objects.create(card=other, author=people["ben"], text="Another.")
    for who, viewer in viewers.items():
        assert set(Review.objects.on(card, viewer)) == ({shown, hidden} if ANN[who] == "ann" else {shown}), (
            who
        )
        assert set(Review.objects.on(card, viewer, staff=True)) == {shown, hidden}, who
        assert Review.objects.of(viewer).count() == {"ann": 1, "ben": 2}.get(ANN[who], 0), who


def test_collections_and_browser_access_belong_to_their_owner(people, viewers):
    card, deck = Card.objects.current()[0], deck_of(None, "private", "ann's browser")
    BrowserAccess.objects.grant("ben's browser", deck)
    made = {
        name: Collection.objects.create(**owned(people, name)).owned.create(card=card, count=2)
        for name in OWNERS
    }
    for who, viewer in viewers.items():
        assert list(Owned.objects.of(viewer)) == ([made[ANN[who]]] if ANN[who] else []), who
        assert [one.browser for one in BrowserAccess.objects.of(viewer)] == (
            [viewer.browser] if viewer.browser else []
        ), who


def test_a_row_that_was_looked_up_is_found_again_as_it_is_stored_and_no_other():
    kept, gone, other = (deck_of(None, "private") for _ in range(3))
    Deck.objects.filter(pk=gone.pk).delete()
    Deck.objects.filter(pk=kept.pk).update(name="Tigers")
    assert [deck.name for deck in Deck.objects.stored(kept, gone)] == [
        "Tigers"
    ] and not Deck.objects.stored().exists()
    assert set(Deck.objects.all_owners("to see that it is all")) == {kept, other}
