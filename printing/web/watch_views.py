"""How the site is: a page for staff, and numbers for Prometheus."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.views.decorators.http import require_safe

from cardsdb.identity.staff import acts_as_staff, with_passkey_if_staff
from cardsdb.site.ratelimits import counted_as_work
from cardsdb.site.sharing import private
from printing.doctor.checks import ON_PAGE
from printing.doctor.diagnosis import State, examined
from printing.doctor.failures import failures, waiting
from printing.doctor.gauges import exposition

# Where a private site is asked from.
LOOPBACK = ("127.0.0.1", "::1")
TEXT = "text/plain; version=0.0.4; charset=utf-8"
WORDS = {State.RIGHT: "right", State.UNUSUAL: "unusual", State.WRONG: "wrong"}


@require_safe
@private
@login_required
@counted_as_work()
@with_passkey_if_staff
def status(request: HttpRequest) -> HttpResponse:
    """What ``manage.py doctor`` says, what waits, and what failed of late. Whoever is logged in and no staff
    finds no such page.
    """
    if not acts_as_staff(request):
        raise Http404
    checks = [{"name": name, "word": WORDS[one.state], **one._asdict()} for name, one in examined(ON_PAGE)]
    context = {
        "checks": checks,
        "wrong": sum(one["state"] == State.WRONG for one in checks),
        "unusual": sum(one["state"] == State.UNUSUAL for one in checks),
        "waiting": waiting(),
        "failures": failures(),
        "now": timezone.now(),
    }
    return render(request, "printing/status.html", context)


@require_safe
@private
def metrics(request: HttpRequest) -> HttpResponse:
    """The numbers, for whoever may read them; 404 for everybody else."""
    if not may_read_numbers(request):
        raise Http404
    return HttpResponse(exposition(), content_type=TEXT)


def may_read_numbers(request: HttpRequest) -> bool:
    """Whoever shows the token. Without one set, on a private site, whoever is on this machine.

    Behind a proxy the address says nothing: through one of the same machine everybody comes from there.
    """
    if token := settings.CUTOUT_METRICS_TOKEN:
        return constant_time_compare(request.headers.get("Authorization", ""), f"Bearer {token}")
    return (
        not (settings.HTTPS or settings.CUTOUT_BEHIND_PROXY) and request.META.get("REMOTE_ADDR") in LOOPBACK
    )
