"""Likes, favourites, comments and reviews: likes are counted; favourites are seen only by the visitor;
comments on a deck are read by its owner first; reviews of cards are shown at once.

Writing needs an account with a confirmed e-mail address (``may_comment``). What staff hide stays hidden,
whatever its author or the deck's owner does with it. A comment has these states::

    WAITING  written by a visitor, seen by its author and the deck's owner
    SHOWN    seen by all: the owner let it through, or wrote it
    REFUSED  the owner does not show it       HIDDEN   staff do not show it

Tests: ``tests/decks/public/test_social.py``; what staff decide, ``test_moderation.py`` beside it.
"""

import unicodedata
from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial
from typing import Any, NamedTuple

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
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

from cardsdb.games.kit import UNPRINTABLE
from cardsdb.identity.staff import moderates, wants_passkey, with_passkey_if_staff
from cardsdb.identity.viewer import Viewer, viewer_of
from cardsdb.models import Card
from cardsdb.models.audit import Event
from cardsdb.site.audit import note, tell_reporters
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import public_for_now
from cardsdb.site.shortcuts import form_page, game_or_404, private_action, private_form
from decks.models import Comment, Deck, Favourite, Like, Review, editable_deck, visible_deck
from decks.models.people import MAX_COMMENT
from decks.web.deck_context import deck_page, in_parts, open_deck, wants_part

State = Comment.State
# Comments by one author on one deck that its owner has not read yet.
MAX_WAITING = 5
# Newest comments or reviews on their page.
MAX_SHOWN = 200
# Newest reviews on a card's own page.
MAX_BESIDE = 3
# New reviews by one account within a day.
MAX_A_DAY = 20
DAY = timedelta(days=1)
# Unicode categories of invisible characters: control, surrogate, private use, unassigned, format.
_HIDDEN = {"Cc", "Cs", "Co", "Cn", "Cf"}
# Format characters that ordinary text needs: joiners of letters and emoji.
_JOINING = "\u200c\u200d"


def social_counts(deck: Deck, viewer: Viewer) -> dict[str, Any]:
    """Return ``liked`` and ``kept`` (this visitor likes the deck; has it among their favourites) and
    ``comments`` (the number that everyone sees). Makes one query, and two more for an account.
    """
    return {
        "liked": Like.objects.on(deck, viewer).exists(),
        "kept": Favourite.objects.on(deck, viewer).exists(),
        "comments": Comment.objects.on(deck, Viewer()).count(),
    }


@private_action
@counted_as_work()
def deck_like(request: HttpRequest, link: str, what: str) -> HttpResponse:
    """Like a deck or add it to the favourites (``what``), or undo that, then redirect to the deck. Authors
    cannot like their own decks, because the number counts others.
    """
    viewer, kind = viewer_of(request), Like if what == "like" else Favourite
    with transaction.atomic():
        # The deck's row is locked, so that the second of two simultaneous clicks undoes the first.
        deck = visible_deck(link, viewer, locked=True)
        if not request.user.is_authenticated:
            return redirect_to_login(reverse("deck", args=[link]))
        # The number of rows deleted: 1 if a click before this one liked the deck, else 0.
        undone, _ = kind.objects.on(deck, viewer).delete()
        if not undone:
            if kind is Like and deck.is_editable_by(viewer):
                messages.info(request, "This deck is yours: likes are for the decks of others.")
                return redirect("deck", link=link)
            kind.objects.create(deck=deck, user=request.user)
        if kind is Like:
            counted = Deck.objects.stored(deck)
            if undone:
                # The column cannot be negative.
                counted.filter(likes__gt=0).update(likes=F("likes") - 1)
            else:
                counted.update(likes=F("likes") + 1)
    return redirect("deck", link=link)


# -- writing and deciding ------------------------------------------------


def may_comment(user: Any) -> bool:
    """True if this account may write comments and reviews: it needs a confirmed e-mail address, unless the
    site sends no mail.
    """
    return user.is_authenticated and (
        settings.CUTOUT_MAIL == "none" or EmailAddress.objects.filter(user=user, verified=True).exists()
    )


class TextForm(forms.Form):
    """The plain text of a comment or a review. ``noun``, "comment" or "review", stands in its messages."""

    text = forms.CharField(widget=forms.Textarea, error_messages={"required": "Write something first."})

    def __init__(self, noun: str, data: Any = None, **more: Any) -> None:
        super().__init__(data, **more)
        self._noun = noun

    def clean_text(self) -> str:
        """Return the text in Unicode's normal form with plain line feeds. Refuse one that is too long or has
        invisible characters.
        """
        typed = unicodedata.normalize("NFC", self.cleaned_data["text"])
        text = typed.replace("\r\n", "\n").replace("\r", "\n").strip()
        if len(text) > MAX_COMMENT:
            raise ValidationError(
                f"A {self._noun} has at most {MAX_COMMENT:,} characters; this one has {len(text):,}.",
                code="max_length",
            )
        for number, line in enumerate(text.split("\n"), start=1):
            # Tabs are allowed, though they are control characters.
            shown = line.replace("\t", " ")
            hidden = {char for char in shown if unicodedata.category(char) in _HIDDEN} - set(_JOINING)
            if hidden or UNPRINTABLE.search(shown):
                raise ValidationError(
                    f"Line {number} has an invisible or control character; type it again.", code="bad_text"
                )
        return text


def _store_if_valid(
    request: HttpRequest, form: TextForm, store: Callable[[str], str], is_open: bool = True
) -> bool:
    """Store what was written if it is valid, and return True if it is stored. ``store`` stores the text and
    returns the notice; a ValidationError that it raises becomes an error of the form.

    Raise PermissionDenied if the visitor may not write here.
    """
    if not is_open or not may_comment(request.user):
        raise PermissionDenied
    if not form.is_valid():
        return False
    try:
        with transaction.atomic():
            messages.success(request, store(form.cleaned_data["text"]))
    except ValidationError as wrong:
        form.add_error("text", wrong)
        return False
    return True


class Decision(NamedTuple):
    """A button beside a comment or a review. ``words``: the notice; ``changes``: column -> new value, or None
    to delete the row; ``event``: what the audit log says if staff decide it.
    """

    words: str
    changes: dict[str, Any] | None
    is_allowed: bool
    event: Event | None = None


def _decide(
    request: HttpRequest,
    row: Comment | Review,
    about: str,
    decisions: Mapping[str, Decision],
    noted: bool,
) -> None:
    """Do what the request asks (``do``) with this locked row. ``about``: the name of the deck or card;
    ``noted``: write the decision to the audit log. Raise Http404 if it is unknown or not allowed.
    """
    decision = decisions.get(request.POST.get("do", ""))
    if decision is None or not decision.is_allowed:
        raise Http404
    if noted and decision.event:
        thing = str(row._meta.verbose_name)
        note(decision.event, row.author_id, thing=thing, number=row.pk, name=about)
        tell_reporters(decision.event, thing, row.pk)
    if decision.changes is None:
        row.delete()
    else:
        type(row).objects.stored(row).update(**decision.changes)
    messages.success(request, decision.words)


# -- comments on decks ---------------------------------------------------------------------


@private_form
def deck_comments(request: HttpRequest, link: str) -> HttpResponse:
    """The page of a deck's comments, with the form to write one, which waits until the deck's owner has read
    it.
    """
    viewer, deck, game = open_deck(request, link)
    editable = deck.is_editable_by(viewer)
    form = TextForm("comment", request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        store = partial(_store_comment, request, deck, editable)
        if _store_if_valid(request, form, store, deck.comments_open):
            return redirect("deck_comments", link=link)
    staff = moderates(request, Comment)
    decides = editable or staff
    seen = Comment.objects.on(deck, Viewer(request.user.pk), decides).select_related("author")
    comments = list(seen.order_by("-made", "-pk")[:MAX_SHOWN])
    # The newest were read; the page shows the oldest of them first.
    comments.reverse()
    return deck_page(
        request,
        "decks/public/comments.html",
        deck,
        game,
        status=400 if request.method == "POST" else 200,
        form=form,
        editable=editable,
        moderates=decides,
        staff=staff,
        wants_passkey=not decides and wants_passkey(request),
        comments=comments,
        waiting=[comment for comment in comments if comment.state == State.WAITING],
        may_comment=deck.comments_open and may_comment(request.user),
        max_text=MAX_COMMENT,
    )


def _store_comment(request: HttpRequest, deck: Deck, editable: bool, text: str) -> str:
    """Store the comment and return the notice. The owner's own comment is shown at once, any other waits.
    Raise ValidationError if it may not be stored.
    """
    own = Comment.objects.by(Viewer(request.user.pk)).filter(deck=deck)
    # Locks the deck, so that simultaneous comments are counted one after the other.
    visible_deck(deck.link, viewer_of(request), locked=True)
    if not editable and own.filter(state=State.WAITING).count() >= MAX_WAITING:
        raise ValidationError(
            f"{MAX_WAITING} of your comments have not been read yet. Wait until one is read, or delete one."
        )
    if own.filter(text=text).exists():
        raise ValidationError("You have already written this comment.")
    state = State.SHOWN if editable else State.WAITING
    Comment.objects.create(deck=deck, author=request.user, text=text, state=state)
    waits = "Thank you. The comment waits until the deck's owner has read it."
    return "The comment is shown." if editable else waits


@private_action
@counted_as_work()
def comments_open(request: HttpRequest, link: str) -> HttpResponse:
    """Open or close a deck for new comments. Existing comments stay as they are."""
    opened = request.POST.get("open") == "yes"
    with transaction.atomic():
        deck = editable_deck(link, viewer_of(request), locked=True)
        Deck.objects.stored(deck).update(comments_open=opened)
    messages.success(
        request,
        "Comments are open now: you read each before others do." if opened else "Comments are closed now.",
    )
    return redirect("deck_comments", link=link)


@private_action
@counted_as_work()
@with_passkey_if_staff
def comment_decide(request: HttpRequest, link: str, pk: int) -> HttpResponse:
    """Show or refuse a comment (the deck's owner or staff), or delete it (its author, too)::

    author                                            deletes
    deck's owner, if staff hid it                     deletes
    deck's owner, otherwise                           deletes, shows, refuses (REFUSED)
    staff, own comment or deck, not hidden by staff   deletes, shows, refuses (REFUSED)
    staff, otherwise                                  deletes, shows, refuses (HIDDEN), noted in the log
    """
    viewer, me = viewer_of(request), request.user.pk
    deck, staff = visible_deck(link, viewer), moderates(request, Comment)
    reads = deck.is_editable_by(viewer) or staff
    comments = Comment.objects.on(deck, viewer, reads)
    with transaction.atomic():
        comment = get_object_or_404(comments.select_for_update(), pk=pk)
        # Neither a visitor without account nor a comment of a deleted account is anyone's own.
        is_own = me is not None and comment.author_id == me
        is_hidden_by_staff = comment.state == State.HIDDEN
        noted = staff and (is_hidden_by_staff or me not in (comment.author_id, deck.owner_id))
        decides = staff or (reads and not is_hidden_by_staff)
        hidden = State.HIDDEN if noted else State.REFUSED
        not_shown = "The comment is not shown; its author and you still see it."
        decisions = {
            "delete": Decision("The comment is deleted.", None, reads or is_own, Event.DELETED),
            "show": Decision("The comment is shown.", {"state": State.SHOWN}, decides, Event.SHOWN),
            "refuse": Decision(not_shown, {"state": hidden}, decides, Event.HIDDEN),
        }
        _decide(request, comment, deck.name, decisions, noted)
    return redirect("deck_comments", link=link)


# -- reviews of cards ----------------------------------------------------------------------


@form_page
@public_for_now
@counted_as_work("POST")
def card_reviews(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The page of a card's reviews, with the form for the visitor's own: one per account, shown at once.

    htmx gets only the newest ones, the same for every visitor. The card's page itself is cached as long as
    the catalogue does not change, so it asks for them when the visitor scrolls to that place.
    """
    game = game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug), code=code)
    context: dict[str, Any] = {"game": game, "card": card}
    if request.method != "POST" and wants_part(request):
        shown = Review.objects.on(card, Viewer())
        newest = list(shown.select_related("author")[:MAX_BESIDE])
        total = shown.count() if len(newest) == MAX_BESIDE else len(newest)
        answer = render(
            request, "decks/public/reviews_inside.html", context | {"reviews": newest, "total": total}
        )
        answer["Cache-Control"] = "public, no-cache"
    else:
        answer = _reviews_page(request, card, context)
        add_never_cache_headers(answer)
    return in_parts(answer)


def _reviews_page(request: HttpRequest, card: Card, context: dict[str, Any]) -> HttpResponse:
    """The whole page of reviews, or after a stored POST the redirect back to it."""
    viewer, posted = Viewer(request.user.pk), request.POST if request.method == "POST" else None
    own = Review.objects.of(viewer).filter(card=card).first()
    form = TextForm("review", posted, initial={"text": own.text} if own else None)
    if posted is not None:
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        if _store_if_valid(request, form, partial(_store_review, request, card)):
            return redirect("card_reviews", game_slug=card.game, code=card.code)
    staff = moderates(request, Review)
    context |= {
        "reviews": Review.objects.on(card, viewer, staff).select_related("author")[:MAX_SHOWN],
        "own": own,
        "staff": staff,
        "wants_passkey": not staff and wants_passkey(request),
        "form": form,
        "may_write": may_comment(request.user),
        "max_text": MAX_COMMENT,
    }
    return render(request, "decks/public/reviews.html", context, status=200 if posted is None else 400)


def _store_review(request: HttpRequest, card: Card, text: str) -> str:
    """Store the review, or change the author's existing one on this card, and return the notice. Raise
    ValidationError if the account has begun too many reviews within a day.
    """
    own, now = Review.objects.of(Viewer(request.user.pk)), timezone.now()
    written = {"text": text, "changed": now}
    # A review that staff hid stays hidden when its author changes it.
    if own.filter(card=card).update(**written):
        return "Your review is changed."
    if own.filter(made__gt=now - DAY).count() >= MAX_A_DAY:
        raise ValidationError(
            f"That was your review number {MAX_A_DAY} within a day; write the next one tomorrow."
        )
    # Of two simultaneous requests, the second changes the review of the first.
    own.update_or_create(card=card, author=request.user, defaults=written)
    return "Thank you. Your review is shown."


@private_action
@counted_as_work()
@with_passkey_if_staff
def review_decide(request: HttpRequest, game_slug: str, code: str, pk: int) -> HttpResponse:
    """Delete a review. Its author and staff may do that."""
    game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug), code=code)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path.removesuffix(f"{pk}/"))
    staff, me = moderates(request, Review), request.user.pk
    with transaction.atomic():
        review = get_object_or_404(Review.objects.on(card, Viewer(me), staff).select_for_update(), pk=pk)
        own = review.author_id == me
        deletes = Decision("The review is deleted.", None, staff or own, Event.DELETED)
        _decide(request, review, card.name, {"delete": deletes}, not own)
    return redirect("card_reviews", game_slug=game_slug, code=code)
