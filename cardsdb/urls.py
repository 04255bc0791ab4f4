"""Every address of the site. The apps above the catalogue are included by name, not imported."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from allauth.account.urls import urlpatterns as account_urls
from allauth.mfa.urls import urlpatterns as mfa_urls
from django.contrib import admin
from django.urls import include, path

from cardsdb.api import docs
from cardsdb.api import views as api_views
from cardsdb.box.web import set_pages
from cardsdb.games.kit.model.cards import OWN_CODE
from cardsdb.identity.staff import acts_as_staff, admins_door
from cardsdb.operate import checks, status
from cardsdb.site import static_files
from cardsdb.site.sharing import all_private, public
from cardsdb.web import card_page, compare, corrections, editions, game_page, guide_views
from cardsdb.web.lists import saved_searches
from cardsdb.web.lists import views as list_views

admin.autodiscover()
# One door: the admin's own would not count wrong passwords, nor ask for a passkey.
admin.site.login = admins_door(secure_admin_login(admin.site.login))
admin.site.has_permission = acts_as_staff

OF_A_GAME = [
    path("", game_page.game_page, name="game"),
    path("rules/", guide_views.rules_page, name="rules"),
    path("glossary/", guide_views.glossary_page, name="glossary"),
    path("effects/", guide_views.effect_words_page, name="effect_words"),
    path("play/", guide_views.play_page, name="play"),
    path("documents/<slug:key>/", guide_views.document_page, name="document"),
    path("set-up/", guide_views.set_up_page, name="set_up"),
    path("checklist/", set_pages.checklist, name="checklist"),
    path("checklist/<slug:code>/", set_pages.fill_place, name="checklist_place"),
    path("own/", set_pages.new_card, name="own_card_new"),
    path("own/face/", set_pages.draft_face, name="own_card_face"),
]

OF_THE_API = [
    path("", api_views.Addresses.as_view(), name="api_index"),
    path("games/", api_views.GameList.as_view()),
    path("games/<slug:slug>/", api_views.GameDetail.as_view()),
    path("games/<slug:slug>/play/", api_views.PlayGuideDetail.as_view()),
    path("sets/", api_views.SetList.as_view()),
    path("cards/", api_views.CardList.as_view(), name="api_cards"),
    path("cards/<slug:game_slug>/<slug:code>/", api_views.CardDetail.as_view()),
    path("rules/", api_views.RuleList.as_view()),
    path("glossary/", api_views.GlossaryList.as_view()),
    path("bulk/", api_views.BulkList.as_view(), name="api_bulk"),
    path("search/explain/", api_views.Explain.as_view()),
    path("schema/", api_views.Schema.as_view(), name="api_schema"),
    path("openapi.json", api_views.Schema.as_view(), name="api_openapi"),
    path("docs/", docs.docs, name="api_docs"),
]

urlpatterns = [
    path("", game_page.home, name="home"),
    # Addresses are tried in this order: whoever types asks at each key, and programs ask most.
    path("search/suggest/", list_views.suggest, name="suggest"),
    path("api/v1/", include(OF_THE_API)),
    path("api/v1/", include("decks.api")),
    path("games/", game_page.game_list, name="game_list"),
    path("games/<slug:slug>/", include(OF_A_GAME)),
    path("cards/", list_views.card_list, name="card_list"),
    path("cards/random/", list_views.random_card, name="random_card"),
    path("search/saved/", saved_searches.saved_searches, name="saved_searches"),
    path("search/saved/own/", saved_searches.own_searches, name="own_searches"),
    path("search/", list_views.syntax, name="syntax"),
    path(f"cards/<slug:game_slug>/{OWN_CODE}<slug:code>/", card_page.own_card_page, name="own_card"),
    path("cards/<slug:game_slug>/<slug:code>/", card_page.card_page, name="card"),
    path("own/sets/", set_pages.own_sets, name="own_sets"),
    path("own/sets/<slug:link>/", set_pages.own_set, name="own_set"),
    path("own/sets/<slug:link>/change/", set_pages.own_set_change, name="own_set_change"),
    path("own/sets/<slug:link>/cards.csv", set_pages.own_set_export, name="own_set_export"),
    path("own/cards/<slug:code>/change/", set_pages.change_card, name="own_card_change"),
    path("own/cards/<slug:code>/delete/", set_pages.remove_card, name="own_card_delete"),
    path("sets/", game_page.set_list, name="sets"),
    path("sets/<slug:game_slug>/<str:code>/", game_page.set_page, name="set"),
    path("cards/<slug:game_slug>/<slug:code>/correct/", corrections.correct_card, name="correct_card"),
    path("sets/<slug:game_slug>/<str:code>/correct/", corrections.correct_set, name="correct_set"),
    path("compare/", compare.compare, name="compare"),
    path("games.css", editions.games_css, name="games_css"),
    path("healthz", checks.healthz, name="healthz"),
    path("readyz", checks.readyz, name="readyz"),
    path("status/", status.status, name="status"),
    path("metrics", status.metrics, name="metrics"),
    path("favicon.ico", static_files.favicon),
    path("manifest.webmanifest", static_files.manifest, name="manifest"),
    path("service-worker.js", static_files.service_worker, name="service_worker"),
    path("offline/", static_files.offline_page, name="offline"),
    path("robots.txt", editions.robots, name="robots"),
    path("opensearch.xml", editions.opensearch, name="opensearch"),
    path("bulk/", editions.bulk_page, name="bulk"),
    path("bulk/<str:name>", editions.bulk_file, name="bulk_file"),
    path("changes/", editions.changes_page, name="changes"),
    path("changes.atom", public(editions.ChangesFeed()), name="changes_feed"),
    path("", include("decks.urls")),
    path("", include("printing.urls")),
    path("accounts/", include(all_private(account_urls))),
    path("accounts/2fa/", include(all_private(mfa_urls))),
    path("admin/", admin.site.urls),
]

handler400 = "cardsdb.site.errors.bad_request"
handler403 = "cardsdb.site.errors.forbidden"
handler404 = "cardsdb.site.errors.not_found"
handler429 = "decks.accounts.adapter.too_many_tries"
handler500 = "cardsdb.site.errors.server_error"
