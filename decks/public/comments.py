"""Comments on a deck: who may write one, who sees which, and the page to read, write and decide about them."""

from __future__ import annotations

import unicodedata
from typing import Any

from allauth.account.models import EmailAddress
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.shortcuts import game_or_404
from decks.identity.viewer import viewer_of
from decks.models import Comment, Deck

MAX_TEXT = 2_000
# Comments by one author on one deck that nobody has read yet.
MAX_WAITING = 5
# Shown on the page, the newest of those there are.
MAX_SHOWN = 200
_HIDDEN = {"Cc", "Cs", "Co", "Cn", "Cf"}
# What joins letters and pictures in honest text.
_JOINING = "\u200c\u200d"


def may_comment(user: Any) -> bool:
    """Whether this account may write comments: one with a confirmed address, where the site can confirm any."""
    if not user.is_authenticated:
        return False
    if settings.CUTOUT_MAIL == "none":
        return True
    return bool(EmailAddress.objects.filter(user=user, verified=True).exists())


def comments_seen(deck: Deck, user: Any, moderates: bool) -> QuerySet[Comment]:
    """The comments that someone sees: those shown, and their own; all for whoever decides about them."""
    comments = Comment.objects.filter(deck=deck).select_related("author")
    if moderates:
        return comments
    own = Q(author=user.pk) if user.is_authenticated else Q(pk__in=())
    return comments.filter(own | Q(state=Comment.State.SHOWN))


class CommentForm(forms.Form):
    """One comment: plain text."""

    text = forms.CharField(
        widget=forms.Textarea,
        error_messages={"required": "Write something first."},
    )

    def clean_text(self) -> str:
        text = unicodedata.normalize("NFC", self.cleaned_data["text"]).replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(text) > MAX_TEXT:
            raise ValidationError(f"A comment has at most {MAX_TEXT:,} characters; this one has {len(text):,}.", code="max_length")
        for number, line in enumerate(text.split("\n"), start=1):
            if any(unicodedata.category(char) in _HIDDEN and char not in _JOINING and char != "\t" for char in line):
                raise ValidationError(f"Line {number} has an invisible or control character; type it again.", code="bad_text")
        return text


State = Comment.State


def comments_context(deck: Deck, request: HttpRequest, editable: bool) -> dict[str, Any]:
    """What ``decks/comments.html`` wants. ``editable``: the visitor is the deck's owner."""
    moderates = editable or request.user.is_staff
    seen = list(comments_seen(deck, request.user, moderates).order_by("-made", "-pk")[:MAX_SHOWN])[::-1]
    return {
        "deck": deck,
        "editable": editable,
        "moderates": moderates,
        "comments": seen,
        "waiting": [comment for comment in seen if comment.state == State.WAITING],
        "may_comment": deck.comments_open and may_comment(request.user),
        "max_text": MAX_TEXT,
        "here": "decks",
    }


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
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
    """Store the comment, or say in the form why not. The owner's own is shown at once."""
    with transaction.atomic():
        get_object_or_404(Deck.objects.visible_to(viewer_of(request)).select_for_update(), pk=deck.pk)
        own = Comment.objects.filter(deck=deck, author=request.user)
        if not editable and own.filter(state=State.WAITING).count() >= MAX_WAITING:
            form.add_error("text", f"{MAX_WAITING} comments of yours wait to be read already; wait until one is, or delete one.")
            return False
        if own.filter(text=form.cleaned_data["text"]).exists():
            form.add_error("text", "You have written just this already.")
            return False
        state = State.SHOWN if editable else State.WAITING
        Comment.objects.create(deck=deck, author=request.user, text=form.cleaned_data["text"], state=state)
    messages.success(request, "The comment is shown." if editable else "Thank you. The comment waits until the deck's owner has read it.")
    return True


@require_POST
@counted_as_work()
def comments_open(request: HttpRequest, link: str) -> HttpResponse:
    """Open or close the comments of one's deck. What is shown stays, what waits waits."""
    with transaction.atomic():
        deck = get_object_or_404(Deck.objects.editable_by(viewer_of(request)).select_for_update(), link=link)
        wanted = request.POST.get("open") == "yes"
        Deck.objects.filter(pk=deck.pk).update(comments_open=wanted)
    messages.success(request, "Comments are open now: you read each before others do." if wanted else "Comments are closed now.")
    return redirect("deck_comments", link=link)


@require_POST
@counted_as_work()
def comment_decide(request: HttpRequest, link: str, pk: int) -> HttpResponse:
    """Show a comment, show it no longer (the owner or staff), or delete it (its author too)."""
    viewer = viewer_of(request)
    deck = get_object_or_404(Deck.objects.visible_to(viewer), link=link)
    moderates = deck.is_editable_by(viewer) or request.user.is_staff
    comments = comments_seen(deck, request.user, moderates).select_related(None)
    with transaction.atomic():
        comment = get_object_or_404(comments.select_for_update(), pk=pk)
        match request.POST.get("do"):
            case "delete" if moderates or (request.user.is_authenticated and comment.author_id == request.user.pk):
                comment.delete()
                messages.success(request, "The comment is deleted.")
            case "show" if moderates:
                Comment.objects.filter(pk=pk).update(state=State.SHOWN)
                messages.success(request, "The comment is shown.")
            case "refuse" if moderates:
                Comment.objects.filter(pk=pk).update(state=State.REFUSED)
                messages.success(request, "The comment is not shown; its author and you still see it.")
            case _:
                raise Http404
    return redirect("deck_comments", link=link)
