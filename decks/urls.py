"""Every address of the deck pages. Fixed words under ``decks/``, such as ``decks/new/``, must stand before
``decks/<slug:link>/``, which would match them too.
"""

from allauth.account.views import signup_by_passkey
from allauth.mfa.webauthn.views import signup_webauthn
from django.urls import include, path

from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import page
from decks.accounts import views as accounts
from decks.check import house_rules
from decks.check import views as check
from decks.collection import deck_views as collection_decks
from decks.collection import pasting
from decks.collection import views as collection
from decks.editor import form_pages, new
from decks.editor import views as editor
from decks.importing import views as importing
from decks.leagues import views as leagues
from decks.pages import deck, sharing, worksheets
from decks.public import moderation, social
from decks.public import views as public
from decks.saving import views as history
from decks.statistics import views as statistics

check_patterns = [
    page("", check.check),
    page("verdict/", check.check_verdict),
    page("repairs/", check.check_repairs),
    page("numbers/", check.check_numbers),
    page("repair/", check.check_repair),
    page("complete/", check.check_complete),
    page("save/", check.check_save),
]
format_patterns = [
    page("", leagues.league),
    page("edit/", leagues.league_edit),
    page("file.toml", leagues.league_file),
    page("deck/", leagues.league_deck),
    page("delete/", leagues.league_delete),
]
deck_patterns = [
    page("", deck.deck_page, "deck"),
    page("files/", sharing.deck_files),
    page("files/<slug:name>/", sharing.deck_file),
    page("cards/", sharing.deck_cards),
    page("delete/", deck.deck_delete),
    page("new-link/", deck.deck_relink),
    page("publish/", deck.deck_publish),
    page("edit/", editor.deck_edit),
    page("edit/text/", form_pages.deck_text),
    page("settings/", form_pages.deck_settings),
    page("house/", house_rules.deck_house),
    page("repairs/", check.deck_repairs),
    page("repair/", check.deck_repair),
    page("complete/", check.deck_complete),
    page("history/", history.deck_history),
    page("history/<int:number>/", history.deck_version),
    page("history/<int:number>/restore/", history.deck_step, "deck_restore", step="restore"),
    page("history/<int:number>/name/", history.deck_name_version),
    page("undo/", history.deck_step, "deck_undo", step="undo"),
    page("redo/", history.deck_step, "deck_redo", step="redo"),
    page("fork/", history.deck_fork),
    page("numbers/", statistics.deck_numbers),
    page("numbers/odds/", statistics.deck_odds),
    page("numbers/hands/", statistics.deck_hands),
    page("like/", social.deck_like, what="like"),
    page("favourite/", social.deck_like, "deck_favourite", what="favourite"),
    page("comments/", social.deck_comments),
    page("comments/open/", social.comments_open),
    page("comments/<int:pk>/", social.comment_decide),
    page("share/", sharing.deck_share),
    page("page.svg", sharing.deck_qr, what="page"),
    page("list.svg", sharing.deck_qr, "deck_list_qr", what="list"),
    page("embed/", sharing.deck_embed),
    page("missing/", collection_decks.deck_missing),
    page("reveal/", worksheets.deck_reveal),
]
card_patterns = [
    page("add/", new.add_card),
    page("decks/", public.card_decks),
    page("reviews/", social.card_reviews),
    page("reviews/<int:pk>/", social.review_decide),
]
collection_patterns = [
    page("", collection.collection_page, "collection"),
    page("cutout-collection.csv", collection.collection_csv),
    page("numbers/", collection.collection_numbers),
    page("import/", pasting.collection_import),
    page("decks/", collection_decks.buildable),
    page("starters/<slug:game_slug>/<slug:slug>/", collection_decks.starter_missing),
    page("<slug:game_slug>/<slug:code>/", collection.collection_card),
]
game_patterns = [
    page("aids/", worksheets.aids),
    page("aids/<slug:aid>/", worksheets.aid),
    page("aids/<slug:aid>/into/<slug:link>/", worksheets.aid_into_deck),
    page("lackey.zip", sharing.lackey_plugin),
    page("lackey/<path:path>", sharing.lackey_file),
    page("cockatrice.xml", sharing.cockatrice_cards),
]
account_patterns = [
    page("", accounts.account),
    page("favourites/", accounts.account_favourites),
    page("history/", accounts.account_history),
    page("log-ins/", accounts.account_log_ins),
    page("take/", accounts.account_take),
    page("export.zip", accounts.account_export),
    page("delete/", accounts.account_delete),
]

urlpatterns = [
    # check: a list that is not stored
    path("check/", include(check_patterns)),
    page("games/<slug:game_slug>/house/", house_rules.house_rules),
    page("d/", sharing.open_link),
    # formats of leagues
    page("formats/", leagues.league_list),
    path("formats/<slug:link>/", include(format_patterns)),
    # public decks
    page("decks/", public.deck_list),
    path("decks.atom", private(public.DecksFeed()), name="decks_feed"),
    page("sitemap.xml", public.sitemap),
    page("sitemap-<slug:section>.xml", public.sitemap_section),
    page("decks/newest/", public.decks_newest),
    page("decks/search-help/", public.deck_search_help),
    page("decks/new/", new.deck_new),
    page("decks/edit/", new.edit_link),
    page("decks/compare/", history.deck_compare),
    page("decks/import/", importing.deck_import),
    # one deck
    path("decks/<slug:link>/", include(deck_patterns)),
    page("cards/file/", sharing.found_cards),
    # reports by visitors, and the queue of moderators
    page("moderation/", moderation.moderation),
    page("moderation/<slug:thing>-<int:pk>/", moderation.report, "report"),
    # one card
    path("cards/<slug:game_slug>/<slug:code>/", include(card_patterns)),
    # the cards that a person owns
    path("collection/", include(collection_patterns)),
    # a game's worksheets, and its cards for other programs
    path("games/<slug:slug>/", include(game_patterns)),
    # accounts
    path("account/", include(account_patterns)),
    # allauth adds these two only if every account must confirm an e-mail address, which ours need not
    # (docs/decisions/0009).
    path("accounts/signup/passkey/", private(signup_by_passkey), name="account_signup_by_passkey"),
    path("accounts/2fa/webauthn/signup/", private(signup_webauthn), name="mfa_signup_webauthn"),
]
