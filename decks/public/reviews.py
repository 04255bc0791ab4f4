"""What people say of cards: one review by each account, shown at once; others may report it, and staff hide
it.

A card's page is kept for everybody as long as the catalogue stays as it is, so it asks for the reviews when
it is scrolled to them.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.views.decorators.http import require_http_methods, require_POST

from cardsdb.identity.staff import acts_as_staff, wants_passkey, with_passkey_if_staff
from cardsdb.identity.viewer import Viewer
from cardsdb.models import Card
from cardsdb.models.audit import Event
from cardsdb.site.audit import note
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private, public_for_now
from cardsdb.site.shortcuts import game_or_404
from decks.models import Review
from decks.public.social import MAX_TEXT, PlainTextForm, may_comment

# Reviews on a card's page and on the page of its reviews, the newest.
MAX_BESIDE, MAX_SHOWN = 3, 200
# Reviews that one account may begin in a day.
MAX_A_DAY = 20
DAY = timedelta(days=1)


class ReviewForm(PlainTextForm):
    """One review: plain text."""

    noun = "review"


@require_http_methods(["GET", "HEAD", "POST"])
@public_for_now
@counted_as_work("POST")
def card_reviews(request: HttpRequest, game_slug: str, code: str) -> HttpResponse:
    """The reviews of a card, and the form for one's own; for htmx the newest alone, the same for
    everybody.
    """
    game = game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug), code=code)
    context: dict[str, Any] = {"game": game, "card": card, "here": "cards"}
    if request.method != "POST" and request.htmx and not request.htmx.history_restore_request:
        shown = Review.objects.on(card, Viewer())
        newest = list(shown.select_related("author")[:MAX_BESIDE])
        total = shown.count() if len(newest) == MAX_BESIDE else len(newest)
        answer = render(request, "decks/reviews_inside.html", context | {"reviews": newest, "total": total})
        answer["Cache-Control"] = "public, no-cache"
    else:
        answer = _page(request, card, context)
        add_never_cache_headers(answer)
    patch_vary_headers(answer, ["HX-Request", "HX-History-Restore-Request"])
    return answer


def _page(request: HttpRequest, card: Card, context: dict[str, Any]) -> HttpResponse:
    """The whole page; after a post that was stored, the way back to it."""
    viewer = Viewer(request.user.pk)
    own = Review.objects.of(viewer).filter(card=card).first()
    form = ReviewForm(
        request.POST if request.method == "POST" else None, initial={"text": own.text} if own else None
    )
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        if not may_comment(request.user):
            raise PermissionDenied
        if form.is_valid() and _write(card, request, form):
            return redirect("card_reviews", game_slug=card.game, code=card.code)
    staff = acts_as_staff(request)
    context |= {
        "reviews": Review.objects.on(card, viewer, staff).select_related("author")[:MAX_SHOWN],
        "own": own,
        "staff": staff,
        "wants_passkey": not staff and wants_passkey(request),
        "form": form,
        "may_write": may_comment(request.user),
        "max_text": MAX_TEXT,
    }
    return render(request, "decks/reviews.html", context, status=400 if request.method == "POST" else 200)


def _write(card: Card, request: HttpRequest, form: ReviewForm) -> bool:
    """Store the review, in place of the author's one on this card if there is one; or put the reason why not
    into the form.
    """
    text, now, own = form.cleaned_data["text"], timezone.now(), Review.objects.of(Viewer(request.user.pk))
    with transaction.atomic():
        # A review that was hidden stays so, whatever its author makes of it.
        if own.filter(card=card).update(text=text, changed=now):
            messages.success(request, "Your review is changed.")
            return True
        if own.filter(made__gt=now - DAY).count() >= MAX_A_DAY:
            form.add_error(
                "text", f"That was your review number {MAX_A_DAY} within a day; write the next one tomorrow."
            )
            return False
        # The second of two requests at once finds the first one's review.
        own.update_or_create(card=card, author=request.user, defaults={"text": text, "changed": now})
    messages.success(request, "Thank you. Your review is shown.")
    return True


@require_POST
@private
@counted_as_work()
@with_passkey_if_staff
def review_decide(request: HttpRequest, game_slug: str, code: str, pk: int) -> HttpResponse:
    """Report a review (any account), delete it (its author or staff), hide or show it (staff)."""
    game_or_404(game_slug)
    card = get_object_or_404(Card.objects.in_game(game_slug), code=code)
    if not request.user.is_authenticated:
        return redirect_to_login(request.path.removesuffix(f"{pk}/"))
    staff = acts_as_staff(request)
    with transaction.atomic():
        review = get_object_or_404(
            Review.objects.on(card, Viewer(request.user.pk), staff).select_for_update(), pk=pk
        )
        match request.POST.get("do"):
            case "delete" if staff or review.author_id == request.user.pk:
                if review.author_id != request.user.pk:
                    note(Event.DELETED, review.author_id, thing="review", number=pk, name=card.name)
                review.delete()
                messages.success(request, "The review is deleted.")
            case "report" if review.author_id != request.user.pk:
                Review.objects.stored(review).update(reported=True)
                messages.success(request, "Thank you. Whoever runs this site will look at it.")
            case "hide" if staff:
                Review.objects.stored(review).update(hidden=True, reported=False)
                note(Event.HIDDEN, review.author_id, thing="review", number=pk, name=card.name)
                messages.success(request, "The review is hidden; its author and staff still see it.")
            case "show" if staff:
                Review.objects.stored(review).update(hidden=False, reported=False)
                note(Event.SHOWN, review.author_id, thing="review", number=pk, name=card.name)
                messages.success(request, "The review is shown.")
            case _:
                raise Http404
    return redirect("card_reviews", game_slug=game_slug, code=code)
