"""What people say about decks: likes, which are counted; favourites, which nobody else sees; comments, which
the owner reads first.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import F
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.games.kit.model.text import UNPRINTABLE
from cardsdb.identity.staff import acts_as_staff, wants_passkey, with_passkey_if_staff
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from cardsdb.site.shortcuts import game_or_404
from decks.models import Comment, Deck, Favourite, Like

State = Comment.State
MAX_TEXT = 2_000
# Comments by one author on one deck that nobody has read yet.
MAX_WAITING = 5
# Comments on the page, the newest.
MAX_SHOWN = 200
_HIDDEN = {"Cc", "Cs", "Co", "Cn", "Cf"}
# Joiners of letters and emoji, which are hidden characters of ordinary text.
_JOINING = "\u200c\u200d"


@dataclass(frozen=True, slots=True)
class SocialCounts:
    """How people took a deck: whether this visitor likes it or keeps it among their favourites, and how many
    comments are shown.
    """

    liked: bool
    kept: bool
    comments: int


def social_counts(deck: Deck, viewer: Viewer) -> SocialCounts:
    """Costs a query for the comments, and one each for likes and favourites of an account."""
    return SocialCounts(
        Like.objects.on(deck, viewer).exists(),
        Favourite.objects.on(deck, viewer).exists(),
        Comment.objects.on(deck, Viewer()).count(),
    )


@require_POST
@private
@counted_as_work()
def like(request: HttpRequest, link: str) -> HttpResponse:
    """Like a deck, or like it no longer. Nobody likes a deck of their own: the number counts others."""
    viewer = viewer_of(request)
    with transaction.atomic():
        # The deck's row is locked, so that the second of two clicks at once undoes the first.
        deck = get_object_or_404(Deck.objects.visible_to(viewer).select_for_update(), link=link)
        if not request.user.is_authenticated:
            return _to_log_in(deck)
        if Like.objects.on(deck, viewer).delete()[0]:
            Deck.objects.stored(deck).filter(likes__gt=0).update(likes=F("likes") - 1)
        elif deck.is_editable_by(viewer):
            messages.info(request, "This deck is yours: likes are for the decks of others.")
        else:
            Like.objects.create(deck=deck, user=request.user)
            Deck.objects.stored(deck).update(likes=F("likes") + 1)
    return redirect("deck", link=link)


@require_POST
@private
@counted_as_work()
def favourite(request: HttpRequest, link: str) -> HttpResponse:
    """Add a deck to the favourites, or take it out."""
    viewer = viewer_of(request)
    with transaction.atomic():
        deck = get_object_or_404(Deck.objects.visible_to(viewer).select_for_update(), link=link)
        if not request.user.is_authenticated:
            return _to_log_in(deck)
        if not Favourite.objects.on(deck, viewer).delete()[0]:
            Favourite.objects.create(deck=deck, user=request.user)
    return redirect("deck", link=link)


def _to_log_in(deck: Deck) -> HttpResponse:
    return redirect_to_login(reverse("deck", args=[deck.link]))


def may_comment(user: Any) -> bool:
    """Whether this account may write comments: it needs a confirmed address, unless the site sends no
    mail.
    """
    if not user.is_authenticated:
        return False
    if settings.CUTOUT_MAIL == "none":
        return True
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


class PlainTextForm(forms.Form):
    """What somebody says, as plain text. ``noun``: what it is called."""

    noun = "text"
    text = forms.CharField(
        widget=forms.Textarea,
        error_messages={"required": "Write something first."},
    )

    def clean_text(self) -> str:
        text = (
            unicodedata.normalize("NFC", self.cleaned_data["text"])
            .replace("\r\n", "\n")
            .replace("\r", "\n")
            .strip()
        )
        if len(text) > MAX_TEXT:
            raise ValidationError(
                f"A {self.noun} has at most {MAX_TEXT:,} characters; this one has {len(text):,}.",
                code="max_length",
            )
        for number, line in enumerate(text.split("\n"), start=1):
            line = line.replace("\t", " ")
            if UNPRINTABLE.search(line) or any(
                unicodedata.category(char) in _HIDDEN and char not in _JOINING for char in line
            ):
                raise ValidationError(
                    f"Line {number} has an invisible or control character; type it again.", code="bad_text"
                )
        return text


class CommentForm(PlainTextForm):
    """One comment: plain text."""

    noun = "comment"


def comments_context(deck: Deck, request: HttpRequest, editable: bool) -> dict[str, Any]:
    """What ``decks/comments.html`` needs. ``editable``: the visitor is the deck's owner."""
    moderates = editable or acts_as_staff(request)
    seen = Comment.objects.on(deck, Viewer(request.user.pk), moderates).select_related("author")
    comments = list(seen.order_by("-made", "-pk")[:MAX_SHOWN])[::-1]
    return {
        "deck": deck,
        "editable": editable,
        "moderates": moderates,
        "wants_passkey": not moderates and wants_passkey(request),
        "comments": comments,
        "waiting": [comment for comment in comments if comment.state == State.WAITING],
        "may_comment": deck.comments_open and may_comment(request.user),
        "max_text": MAX_TEXT,
        "here": "decks",
    }


@require_http_methods(["GET", "HEAD", "POST"])
@private
@counted_as_work("POST")
def deck_comments(request: HttpRequest, link: str) -> HttpResponse:
    """Read the comments, or write one, which waits until the deck's owner has read it."""
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(viewer), link=link)
    game, editable = game_or_404(deck.game), deck.is_editable_by(viewer)
    form = CommentForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(reverse("deck_comments", args=[link]))
        if not deck.comments_open or not may_comment(request.user):
            raise PermissionDenied
        if form.is_valid() and _write(deck, request, form, editable):
            return redirect("deck_comments", link=link)
    context = comments_context(deck, request, editable) | {"game": game, "form": form}
    return render(request, "decks/comments.html", context, status=400 if request.method == "POST" else 200)


def _write(deck: Deck, request: HttpRequest, form: CommentForm, editable: bool) -> bool:
    """Store the comment, or put the reason why not into the form. The owner's own comment is shown at
    once.
    """
    with transaction.atomic():
        get_object_or_404(Deck.objects.visible_to(viewer_of(request)).select_for_update(), pk=deck.pk)
        own = Comment.objects.by(Viewer(request.user.pk)).filter(deck=deck)
        if not editable and own.filter(state=State.WAITING).count() >= MAX_WAITING:
            form.add_error(
                "text",
                f"{MAX_WAITING} comments of yours wait to be read already; wait until one is, or delete one.",
            )
            return False
        if own.filter(text=form.cleaned_data["text"]).exists():
            form.add_error("text", "You have written just this already.")
            return False
        state = State.SHOWN if editable else State.WAITING
        Comment.objects.create(deck=deck, author=request.user, text=form.cleaned_data["text"], state=state)
    messages.success(
        request,
        "The comment is shown."
        if editable
        else "Thank you. The comment waits until the deck's owner has read it.",
    )
    return True


@require_POST
@private
@counted_as_work()
def comments_open(request: HttpRequest, link: str) -> HttpResponse:
    """Open or close the comments of a deck. Comments that are there stay as they are."""
    with transaction.atomic():
        deck = get_object_or_404(Deck.objects.editable_by(viewer_of(request)).select_for_update(), link=link)
        opened = request.POST.get("open") == "yes"
        Deck.objects.stored(deck).update(comments_open=opened)
    messages.success(
        request,
        "Comments are open now: you read each before others do." if opened else "Comments are closed now.",
    )
    return redirect("deck_comments", link=link)


@require_POST
@private
@counted_as_work()
@with_passkey_if_staff
def comment_decide(request: HttpRequest, link: str, pk: int) -> HttpResponse:
    """Show or hide a comment (the owner or staff), or delete it (its author too)."""
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(viewer), link=link)
    moderates = deck.is_editable_by(viewer) or acts_as_staff(request)
    comments = Comment.objects.on(deck, viewer, moderates)
    with transaction.atomic():
        comment = get_object_or_404(comments.select_for_update(), pk=pk)
        match request.POST.get("do"):
            case "delete" if moderates or (
                request.user.is_authenticated and comment.author_id == request.user.pk
            ):
                _note_staff(Event.DELETED, request, deck, comment)
                comment.delete()
                messages.success(request, "The comment is deleted.")
            case "show" if moderates:
                _note_staff(Event.SHOWN, request, deck, comment)
                Comment.objects.stored(comment).update(state=State.SHOWN)
                messages.success(request, "The comment is shown.")
            case "refuse" if moderates:
                _note_staff(Event.HIDDEN, request, deck, comment)
                Comment.objects.stored(comment).update(state=State.REFUSED)
                messages.success(request, "The comment is not shown; its author and you still see it.")
            case _:
                raise Http404
    return redirect("deck_comments", link=link)


def _note_staff(what: Event, request: HttpRequest, deck: Deck, comment: Comment) -> None:
    """Write down what is decided about a comment by staff; its author and the deck's owner are at home
    there.
    """
    if request.user.pk not in (comment.author_id, deck.owner_id) and acts_as_staff(request):
        note(what, comment.author_id, thing="comment", number=comment.pk, name=deck.name)
