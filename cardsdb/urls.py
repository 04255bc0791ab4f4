"""All addresses of the site. Apps above the catalogue are included by name, as it must not import them. Tests
that ask every address are in ``tests/house``, such as ``test_permissions.py``.

``page`` names a route after its view's function: ``page("compare/", compare.compare)`` is "compare". The
first route that matches counts.
"""

from allauth.account.decorators import secure_admin_login
from allauth.account.urls import urlpatterns as account_urls
from allauth.mfa.urls import urlpatterns as mfa_urls
from django.contrib import admin
from django.urls import include, path

from cardsdb.api import docs
from cardsdb.api import views as api_views
from cardsdb.games.kit import OWN_CODE
from cardsdb.identity.staff import acts_as_staff, admins_door
from cardsdb.operate import status
from cardsdb.site import static_files
from cardsdb.site.sharing import all_private, public
from cardsdb.site.shortcuts import page
from cardsdb.web import card_page, compare, corrections, editions, game_page, guide_views, own_sets
from cardsdb.web.lists import saved_searches
from cardsdb.web.lists import views as list_views

admin.autodiscover()
# Logging in to the admin goes through the site's own login, which counts wrong passwords and asks for a
# passkey.
admin.site.login = admins_door(secure_admin_login(admin.site.login))
admin.site.has_permission = acts_as_staff

OF_A_GAME = [
    page("", game_page.game_page, "game"),
    page("about/", game_page.game_about),
    page("rules/", guide_views.rules_page, "rules"),
    page("glossary/", guide_views.glossary_page, "glossary"),
    page("effects/", guide_views.effect_words_page, "effect_words"),
    page("play/", guide_views.play_page, "play"),
    page("documents/<slug:key>/", guide_views.document_page, "document"),
    page("set-up/", guide_views.set_up_page, "set_up"),
    page("checklist/", own_sets.checklist),
    page("checklist/<slug:code>/", own_sets.fill_place, "checklist_place"),
    page("own/", own_sets.new_card, "own_card_new"),
    page("own/face/", own_sets.draft_face, "own_card_face"),
]

OF_THE_API = [
    page("", api_views.Addresses.as_view(), "api_index"),
    path("games/", api_views.GameList.as_view()),
    path("games/<slug:slug>/", api_views.GameDetail.as_view()),
    path("games/<slug:slug>/play/", api_views.PlayGuideDetail.as_view()),
    path("sets/", api_views.SetList.as_view()),
    page("cards/", api_views.CardList.as_view(), "api_cards"),
    path("cards/<slug:game_slug>/<slug:code>/", api_views.CardDetail.as_view()),
    path("rules/", api_views.RuleList.as_view()),
    path("glossary/", api_views.GlossaryList.as_view()),
    page("bulk/", api_views.BulkList.as_view(), "api_bulk"),
    path("search/explain/", api_views.Explain.as_view()),
    page("schema/", api_views.Schema.as_view(), "api_schema"),
    page("openapi.json", api_views.Schema.as_view(), "api_openapi"),
    page("docs/", docs.docs, "api_docs"),
]

urlpatterns = [
    page("", game_page.home),
    # Order matters for speed: suggestions are asked for at each key, and programs send the most requests.
    page("search/suggest/", list_views.suggest),
    path("api/v1/", include(OF_THE_API)),
    path("api/v1/", include("decks.api")),
    page("games/", game_page.game_list),
    path("games/<slug:slug>/", include(OF_A_GAME)),
    page("cards/", list_views.card_list),
    page("cards/random/", list_views.random_card),
    page("search/saved/", saved_searches.saved_searches),
    page("search/saved/own/", saved_searches.own_searches),
    page("search/", list_views.syntax),
    page(f"cards/<slug:game_slug>/{OWN_CODE}<slug:code>/", card_page.own_card_page, "own_card"),
    page("cards/<slug:game_slug>/<slug:code>/", card_page.card_page, "card"),
    page("own/sets/", own_sets.own_sets),
    page("own/sets/<slug:link>/", own_sets.own_set),
    page("own/sets/<slug:link>/change/", own_sets.own_set_change),
    page("own/sets/<slug:link>/cards.csv", own_sets.own_set_export),
    page("own/cards/<slug:code>/change/", own_sets.change_card, "own_card_change"),
    page("own/cards/<slug:code>/delete/", own_sets.remove_card, "own_card_delete"),
    page("sets/", game_page.set_list, "sets"),
    page("sets/<slug:game_slug>/<str:code>/", game_page.set_page, "set"),
    page("cards/<slug:game_slug>/<slug:code>/correct/", corrections.correct_card),
    page("sets/<slug:game_slug>/<str:code>/correct/", corrections.correct_set),
    page("compare/", compare.compare),
    page("games.css", editions.games_css),
    page("healthz", status.healthz),
    page("readyz", status.readyz),
    page("status/", status.status),
    page("metrics", status.metrics),
    path("favicon.ico", static_files.favicon),
    page("manifest.webmanifest", static_files.manifest),
    page("service-worker.js", static_files.service_worker),
    page("offline/", static_files.offline_page, "offline"),
    page("robots.txt", editions.robots),
    page("opensearch.xml", editions.opensearch),
    page("bulk/", editions.bulk_page, "bulk"),
    page("bulk/<str:name>", editions.bulk_file),
    page("changes/", editions.changes_page, "changes"),
    path("changes.atom", public(editions.ChangesFeed()), name="changes_feed"),
    path("", include("decks.urls")),
    path("", include("printing.urls")),
    # Must come after all other addresses below cards/.
    page("cards/<slug:slug>/", list_views.cards_of_game),
    path("accounts/", include(all_private(account_urls))),
    path("accounts/2fa/", include(all_private(mfa_urls))),
    path("admin/", admin.site.urls),
]

handler400 = "cardsdb.site.errors.bad_request"
handler403 = "cardsdb.site.errors.forbidden"
handler404 = "cardsdb.site.errors.not_found"
handler429 = "decks.accounts.adapter.too_many_tries"
handler500 = "cardsdb.site.errors.server_error"
