"""Every address of the deck pages. Words of their own under ``decks/`` stand before the addresses of single
decks.
"""

from __future__ import annotations

from allauth.account.views import signup_by_passkey
from allauth.mfa.webauthn.views import signup_webauthn
from django.urls import path

from cardsdb.site.sharing import private
from decks.accounts import (
    log_ins,  # noqa: F401 (the events of accounts are written down where requests are answered)
)
from decks.accounts import views as accounts
from decks.check import house_rules
from decks.check import views as check
from decks.collection import deck_views as collection_decks
from decks.collection import entering
from decks.collection import views as collection
from decks.editor import edit_link, new, settings, text
from decks.editor import views as editor
from decks.history import comparing
from decks.history import views as history
from decks.importing import views as importing
from decks.leagues import views as leagues
from decks.pages import card_decks, deck, files, sharing
from decks.public import reviews, social
from decks.public import views as public
from decks.statistics import views as statistics
from decks.worksheets import views as worksheets

urlpatterns = [
    # check: a list that nobody keeps
    path("check/", check.check, name="check"),
    path("check/verdict/", check.check_verdict, name="check_verdict"),
    path("check/repairs/", check.check_repairs, name="check_repairs"),
    path("check/numbers/", check.check_numbers, name="check_numbers"),
    path("check/repair/", check.check_repair, name="check_repair"),
    path("check/save/", check.check_save, name="check_save"),
    path("games/<slug:game_slug>/house/", house_rules.house_rules, name="house_rules"),
    path("d/", sharing.open_link, name="open_link"),
    # formats of leagues
    path("formats/", leagues.league_list, name="league_list"),
    path("formats/<slug:link>/", leagues.league, name="league"),
    path("formats/<slug:link>/edit/", leagues.league_edit, name="league_edit"),
    path("formats/<slug:link>/file.toml", leagues.league_file, name="league_file"),
    path("formats/<slug:link>/deck/", leagues.league_deck, name="league_deck"),
    path("formats/<slug:link>/delete/", leagues.league_delete, name="league_delete"),
    # public decks
    path("decks/", public.deck_list, name="deck_list"),
    path("decks.atom", private(public.DecksFeed()), name="decks_feed"),
    path("decks/newest/", public.newest, name="decks_newest"),
    path("decks/search-help/", public.search_help, name="deck_search_help"),
    path("decks/new/", new.deck_new, name="deck_new"),
    path("decks/edit/", edit_link.edit_link, name="edit_link"),
    path("decks/compare/", comparing.deck_compare, name="deck_compare"),
    path("decks/import/", importing.deck_import, name="deck_import"),
    # one deck
    path("decks/<slug:link>/", deck.deck_page, name="deck"),
    path("decks/<slug:link>/files/", files.deck_files, name="deck_files"),
    path("decks/<slug:link>/files/<slug:name>/", files.deck_file, name="deck_file"),
    path("decks/<slug:link>/cards/", files.deck_cards, name="deck_cards"),
    path("cards/file/", files.found_cards, name="found_cards"),
    path("decks/<slug:link>/delete/", deck.deck_delete, name="deck_delete"),
    path("decks/<slug:link>/new-link/", deck.deck_relink, name="deck_relink"),
    path("decks/<slug:link>/publish/", deck.deck_publish, name="deck_publish"),
    path("decks/<slug:link>/edit/", editor.deck_edit, name="deck_edit"),
    path("decks/<slug:link>/edit/text/", text.deck_text, name="deck_text"),
    path("decks/<slug:link>/settings/", settings.deck_settings, name="deck_settings"),
    path("decks/<slug:link>/house/", house_rules.deck_house, name="deck_house"),
    path("decks/<slug:link>/repairs/", check.deck_repairs, name="deck_repairs"),
    path("decks/<slug:link>/repair/", check.deck_repair, name="deck_repair"),
    path("decks/<slug:link>/history/", history.deck_history, name="deck_history"),
    path("decks/<slug:link>/history/<int:number>/", history.deck_version, name="deck_version"),
    path("decks/<slug:link>/history/<int:number>/restore/", history.deck_restore, name="deck_restore"),
    path("decks/<slug:link>/history/<int:number>/name/", history.deck_name_version, name="deck_name_version"),
    path("decks/<slug:link>/undo/", history.deck_undo, name="deck_undo"),
    path("decks/<slug:link>/redo/", history.deck_redo, name="deck_redo"),
    path("decks/<slug:link>/fork/", history.deck_fork, name="deck_fork"),
    path("decks/<slug:link>/numbers/", statistics.deck_numbers, name="deck_numbers"),
    path("decks/<slug:link>/numbers/odds/", statistics.deck_odds, name="deck_odds"),
    path("decks/<slug:link>/numbers/hands/", statistics.deck_hands, name="deck_hands"),
    path("decks/<slug:link>/like/", social.like, name="deck_like"),
    path("decks/<slug:link>/favourite/", social.favourite, name="deck_favourite"),
    path("decks/<slug:link>/comments/", social.deck_comments, name="deck_comments"),
    path("decks/<slug:link>/comments/open/", social.comments_open, name="comments_open"),
    path("decks/<slug:link>/comments/<int:pk>/", social.comment_decide, name="comment_decide"),
    path("decks/<slug:link>/share/", sharing.deck_share, name="deck_share"),
    path("decks/<slug:link>/page.svg", sharing.deck_qr, {"what": "page"}, name="deck_qr"),
    path("decks/<slug:link>/list.svg", sharing.deck_qr, {"what": "list"}, name="deck_list_qr"),
    path("decks/<slug:link>/embed/", sharing.deck_embed, name="deck_embed"),
    path("decks/<slug:link>/missing/", collection_decks.deck_missing, name="deck_missing"),
    path("decks/<slug:link>/reveal/", worksheets.deck_reveal, name="deck_reveal"),
    # one card
    path("cards/<slug:game_slug>/<slug:code>/add/", new.add_card, name="add_card"),
    path("cards/<slug:game_slug>/<slug:code>/decks/", card_decks.card_decks, name="card_decks"),
    path("cards/<slug:game_slug>/<slug:code>/reviews/", reviews.card_reviews, name="card_reviews"),
    path("cards/<slug:game_slug>/<slug:code>/reviews/<int:pk>/", reviews.review_decide, name="review_decide"),
    # what one owns
    path("collection/", collection.collection_page, name="collection"),
    path("collection/cutout-collection.csv", collection.collection_csv, name="collection_csv"),
    path("collection/numbers/", entering.collection_numbers, name="collection_numbers"),
    path("collection/import/", collection.collection_import, name="collection_import"),
    path("collection/decks/", collection_decks.buildable, name="buildable"),
    path("collection/<slug:game_slug>/<slug:code>/", collection.collection_card, name="collection_card"),
    # a game's worksheets, and its cards for other programs
    path("games/<slug:slug>/aids/", worksheets.aids, name="aids"),
    path("games/<slug:slug>/aids/<slug:aid>/", worksheets.aid, name="aid"),
    path(
        "games/<slug:slug>/aids/<slug:aid>/into/<slug:link>/", worksheets.aid_into_deck, name="aid_into_deck"
    ),
    path("games/<slug:slug>/lackey.zip", files.lackey_plugin, name="lackey_plugin"),
    path("games/<slug:slug>/lackey/<path:path>", files.lackey_file, name="lackey_file"),
    path("games/<slug:slug>/cockatrice.xml", files.cockatrice_cards, name="cockatrice_cards"),
    # accounts
    path("account/", accounts.account, name="account"),
    path("account/favourites/", accounts.favourites, name="account_favourites"),
    path("account/history/", accounts.history, name="account_history"),
    path("account/log-ins/", accounts.log_ins, name="account_log_ins"),
    path("account/take/", accounts.take_along, name="account_take"),
    path("account/export.zip", accounts.export, name="account_export"),
    path("account/delete/", accounts.delete_account, name="account_delete"),
    # allauth has these two only where a confirmed address is demanded of everybody (docs/decisions/0014).
    path("accounts/signup/passkey/", private(signup_by_passkey), name="account_signup_by_passkey"),
    path("accounts/2fa/webauthn/signup/", private(signup_webauthn), name="mfa_signup_webauthn"),
]
