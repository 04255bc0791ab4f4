"""Addresses. Public decks: the query language over them, likes, favourites, comments."""

from __future__ import annotations

from django.urls import path

from decks.gallery import comment_views, feed, liking, views

urlpatterns = [
    path("decks/", views.deck_list, name="deck_list"),
    path("decks.atom", feed.DecksFeed(), name="decks_feed"),
    path("decks/search-help/", views.search_help, name="deck_search_help"),
    path("decks/<slug:link>/like/", liking.like, name="deck_like"),
    path("decks/<slug:link>/favourite/", liking.favourite, name="deck_favourite"),
    path("decks/<slug:link>/comments/", comment_views.deck_comments, name="deck_comments"),
    path("decks/<slug:link>/comments/open/", comment_views.comments_open, name="comments_open"),
    path("decks/<slug:link>/comments/<int:pk>/", comment_views.comment_decide, name="comment_decide"),
]
