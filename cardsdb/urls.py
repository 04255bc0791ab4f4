"""Every address of the site. The apps above the catalogue are included by name, not imported."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path
from django.views.generic.base import RedirectView

from cardsdb import views

urlpatterns = [
    path("", views.home, name="home"),
    path("games/", views.game_list, name="game_list"),
    path("games/<slug:slug>/", views.game_page, name="game"),
    path("games/<slug:slug>/rules/", views.rules_page, name="rules"),
    path("cards/", views.card_list, name="card_list"),
    path("cards/<slug:game_slug>/<slug:code>/", views.card_page, name="card"),
    path("sets/<slug:game_slug>/<str:code>/", views.set_page, name="set"),
    path("games.css", views.games_css, name="games_css"),
    path("healthz", views.healthz, name="healthz"),
    path("readyz", views.readyz, name="readyz"),
    path("favicon.ico", RedirectView.as_view(url="/static/cutout/favicon.svg")),
    path("api/v1/", include("cardsdb.api_urls")),
    path("api/v1/", include("decks.api_urls")),
    path("api/v1/", include("printing.api_urls")),
    path("", include("decks.urls")),
    path("", include("printing.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "cardsdb.errors.bad_request"
handler403 = "cardsdb.errors.forbidden"
handler404 = "cardsdb.errors.not_found"
handler500 = "cardsdb.errors.server_error"
