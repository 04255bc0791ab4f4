"""Addresses. The smallest repair of a deck or a list, and checking a list."""

from __future__ import annotations

from django.urls import path

from decks.repairs import checking, views

urlpatterns = [
    path("check/", checking.check, name="check"),
    path("check/verdict/", checking.check_verdict, name="check_verdict"),
    path("check/repairs/", checking.check_repairs, name="check_repairs"),
    path("check/numbers/", checking.check_numbers, name="check_numbers"),
    path("check/repair/", checking.check_repair, name="check_repair"),
    path("decks/<slug:link>/repairs/", views.deck_repairs, name="deck_repairs"),
    path("decks/<slug:link>/repair/", views.deck_repair, name="deck_repair"),
]
