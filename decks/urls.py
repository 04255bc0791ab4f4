"""Every address of the deck pages. Words of their own under ``decks/`` stand before the addresses of single
decks.
"""

from __future__ import annotations

from allauth.account.views import signup_by_passkey
from allauth.mfa.webauthn.views import signup_webauthn
from django.urls import include, path

from cardsdb.site.sharing import private
from decks.accounts import (
    log_ins,  # noqa: F401 (the events of accounts are written down where requests are answered)
)
from decks.accounts import views as accounts
from decks.check import house_rules
from decks.check import views as check
from decks.collection import deck_views as collection_decks
from decks.collection import views as collection
from decks.editor import form_pages, new
from decks.editor import views as editor
from decks.importing import views as importing
from decks.leagues import views as leagues
from decks.pages import deck, sharing, worksheets
from decks.public import social
from decks.public import views as public
from decks.saving import views as history
from decks.statistics import views as statistics

check_patterns = [
    path("", check.check, name="check"),
    path("verdict/", check.check_verdict, name="check_verdict"),
    path("repairs/", check.check_repairs, name="check_repairs"),
    path("numbers/", check.check_numbers, name="check_numbers"),
    path("repair/", check.check_repair, name="check_repair"),
    path("save/", check.check_save, name="check_save"),
]
format_patterns = [
    path("", leagues.league, name="league"),
    path("edit/", leagues.league_edit, name="league_edit"),
    path("file.toml", leagues.league_file, name="league_file"),
    path("deck/", leagues.league_deck, name="league_deck"),
    path("delete/", leagues.league_delete, name="league_delete"),
]
deck_patterns = [
    path("", deck.deck_page, name="deck"),
    path("files/", sharing.deck_files, name="deck_files"),
    path("files/<slug:name>/", sharing.deck_file, name="deck_file"),
    path("cards/", sharing.deck_cards, name="deck_cards"),
    path("delete/", deck.deck_delete, name="deck_delete"),
    path("new-link/", deck.deck_relink, name="deck_relink"),
    path("publish/", deck.deck_publish, name="deck_publish"),
    path("edit/", editor.deck_edit, name="deck_edit"),
    path("edit/text/", form_pages.deck_text, name="deck_text"),
    path("settings/", form_pages.deck_settings, name="deck_settings"),
    path("house/", house_rules.deck_house, name="deck_house"),
    path("repairs/", check.deck_repairs, name="deck_repairs"),
    path("repair/", check.deck_repair, name="deck_repair"),
    path("history/", history.deck_history, name="deck_history"),
    path("history/<int:number>/", history.deck_version, name="deck_version"),
    path("history/<int:number>/restore/", history.deck_step, {"step": "restore"}, name="deck_restore"),
    path("history/<int:number>/name/", history.deck_name_version, name="deck_name_version"),
    path("undo/", history.deck_step, {"step": "undo"}, name="deck_undo"),
    path("redo/", history.deck_step, {"step": "redo"}, name="deck_redo"),
    path("fork/", history.deck_fork, name="deck_fork"),
    path("numbers/", statistics.deck_numbers, name="deck_numbers"),
    path("numbers/odds/", statistics.deck_odds, name="deck_odds"),
    path("numbers/hands/", statistics.deck_hands, name="deck_hands"),
    path("like/", social.like, name="deck_like"),
    path("favourite/", social.favourite, name="deck_favourite"),
    path("comments/", social.deck_comments, name="deck_comments"),
    path("comments/open/", social.comments_open, name="comments_open"),
    path("comments/<int:pk>/", social.comment_decide, name="comment_decide"),
    path("share/", sharing.deck_share, name="deck_share"),
    path("page.svg", sharing.deck_qr, {"what": "page"}, name="deck_qr"),
    path("list.svg", sharing.deck_qr, {"what": "list"}, name="deck_list_qr"),
    path("embed/", sharing.deck_embed, name="deck_embed"),
    path("missing/", collection_decks.deck_missing, name="deck_missing"),
    path("reveal/", worksheets.deck_reveal, name="deck_reveal"),
]
card_patterns = [
    path("add/", new.add_card, name="add_card"),
    path("decks/", public.card_decks, name="card_decks"),
    path("reviews/", social.card_reviews, name="card_reviews"),
    path("reviews/<int:pk>/", social.review_decide, name="review_decide"),
]
collection_patterns = [
    path("", collection.collection_page, name="collection"),
    path("cutout-collection.csv", collection.collection_csv, name="collection_csv"),
    path("numbers/", collection.collection_numbers, name="collection_numbers"),
    path("import/", collection.collection_import, name="collection_import"),
    path("decks/", collection_decks.buildable, name="buildable"),
    path("<slug:game_slug>/<slug:code>/", collection.collection_card, name="collection_card"),
]
game_patterns = [
    path("aids/", worksheets.aids, name="aids"),
    path("aids/<slug:aid>/", worksheets.aid, name="aid"),
    path("aids/<slug:aid>/into/<slug:link>/", worksheets.aid_into_deck, name="aid_into_deck"),
    path("lackey.zip", sharing.lackey_plugin, name="lackey_plugin"),
    path("lackey/<path:path>", sharing.lackey_file, name="lackey_file"),
    path("cockatrice.xml", sharing.cockatrice_cards, name="cockatrice_cards"),
]
account_patterns = [
    path("", accounts.account, name="account"),
    path("favourites/", accounts.favourites, name="account_favourites"),
    path("history/", accounts.history, name="account_history"),
    path("log-ins/", accounts.log_ins, name="account_log_ins"),
    path("take/", accounts.take_along, name="account_take"),
    path("export.zip", accounts.export, name="account_export"),
    path("delete/", accounts.delete_account, name="account_delete"),
]

urlpatterns = [
    # check: a list that nobody keeps
    path("check/", include(check_patterns)),
    path("games/<slug:game_slug>/house/", house_rules.house_rules, name="house_rules"),
    path("d/", sharing.open_link, name="open_link"),
    # formats of leagues
    path("formats/", leagues.league_list, name="league_list"),
    path("formats/<slug:link>/", include(format_patterns)),
    # public decks
    path("decks/", public.deck_list, name="deck_list"),
    path("decks.atom", private(public.DecksFeed()), name="decks_feed"),
    path("decks/newest/", public.newest, name="decks_newest"),
    path("decks/search-help/", public.search_help, name="deck_search_help"),
    path("decks/new/", new.deck_new, name="deck_new"),
    path("decks/edit/", new.edit_link, name="edit_link"),
    path("decks/compare/", history.deck_compare, name="deck_compare"),
    path("decks/import/", importing.deck_import, name="deck_import"),
    # one deck
    path("decks/<slug:link>/", include(deck_patterns)),
    path("cards/file/", sharing.found_cards, name="found_cards"),
    # one card
    path("cards/<slug:game_slug>/<slug:code>/", include(card_patterns)),
    # what one owns
    path("collection/", include(collection_patterns)),
    # a game's worksheets, and its cards for other programs
    path("games/<slug:slug>/", include(game_patterns)),
    # accounts
    path("account/", include(account_patterns)),
    # allauth has these two only where a confirmed address is demanded of everybody (docs/decisions/0014).
    path("accounts/signup/passkey/", private(signup_by_passkey), name="account_signup_by_passkey"),
    path("accounts/2fa/webauthn/signup/", private(signup_webauthn), name="mfa_signup_webauthn"),
]
