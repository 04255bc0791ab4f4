"""Decks over HTTP.

The addresses of the API for decks: ``decks.py`` serves stored decks, ``lists.py`` lists that are not stored.
Fixed words under ``decks/`` must stand before ``decks/<slug:link>/``, which would match them too.
"""

from django.urls import path

from decks.api import decks, lists

urlpatterns = [
    path("decks/", decks.DeckList.as_view()),
    path("decks/validate/", lists.Validate.as_view()),
    path("decks/complete/", lists.Complete.as_view()),
    path("decks/convert/", lists.Convert.as_view()),
    path("decks/import/", lists.Import.as_view()),
    path("decks/<slug:link>/", decks.DeckDetail.as_view()),
    path("decks/<slug:link>/revisions/", decks.RevisionList.as_view()),
    path("decks/<slug:link>/revisions/<int:number>/", decks.RevisionDetail.as_view()),
    path("decks/<slug:link>/undo/", decks.Undo.as_view()),
    path("decks/<slug:link>/redo/", decks.Redo.as_view()),
    path("decks/<slug:link>/fork/", decks.Fork.as_view()),
    path("decks/<slug:link>/numbers/", lists.DeckNumbers.as_view()),
    path("decks/<slug:link>/numbers/odds/", lists.DeckOdds.as_view()),
    path("decks/<slug:link>/numbers/hands/", lists.DeckHands.as_view()),
    path("formats/", lists.LeagueFormatList.as_view(), name="api_formats"),
    path("formats/<slug:link>/", lists.LeagueFormatDetail.as_view(), name="api_format"),
]
