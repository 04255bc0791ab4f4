"""The audit log: events of accounts, and changes of who can see what people made.

Views and models of all three apps call ``note``, in the transaction of the change, so that there is an entry
exactly if the change happens. Each event is also written to the site's log. Browsers and networks are stored
only as keyed hashes (``tag``). The account reads its entries on its page History, staff theirs in the queue
of moderation (``decks/public/moderation.py``) and in the admin.
Tests: ``tests/cardsdb/site/test_audit.py``.
"""

import logging
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from cardsdb.identity.viewer import GIVEN, token_in
from cardsdb.models.audit import AuditEntry, Event
from cardsdb.site.ratelimits import beyond_today, sender
from cardsdb.watch.requests import account_in, current_request

log = logging.getLogger("cutout.audit")

# Entries of one event per day and account, or per network without an account. Others are only logged.
MAX_A_DAY = 500
# Accounts that are told what happened to a thing that they reported.
MAX_TOLD = 100


def note(
    what: Event,
    account: int | None = None,
    *,
    thing: str = "",
    number: int | None = None,
    name: str = "",
    detail: str = "",
    by: int | None = None,
) -> None:
    """Record an event that concerns an account, with the sender of the current request.

    ``thing``, ``number``, ``name``: kind, primary key and name of what was changed. ``by``: the account that
    did it, if the request does not know it yet, as during a log-in. A command, outside of requests, has no
    sender: then ``by`` counts alone, and browser and network stay empty.
    """
    request, browser, network = current_request(), "", ""
    if request:
        by, browser, network = by or account_in(request), browser_in(request), network_in(request)
    about = {"network": network, "thing": thing, "number": number}
    line = {"event": what.value, "account": account, "by": by, "browser": browser, **about}
    level = logging.WARNING if what == Event.FAILED_LOGIN else logging.INFO
    log.log(level, "%s of account %s", what.value, account, extra=line)
    whose = f"account-{by or account}" if by or account else network
    # The limit is for each event, so that guessing passwords cannot crowd out other events.
    if request and beyond_today(f"audit:{what.value}", whose, MAX_A_DAY):
        return
    AuditEntry.objects.create(
        what=what,
        account_id=account,
        by_id=by,
        browser_tag=browser,
        # Cut to the lengths of their columns.
        name=name[:200],
        detail=detail[:100],
        **about,
    )


def note_visibility(thing: Any, kind: str, before: str, after: str, owner: int | None) -> None:
    """Record a change of who can see a thing, if it is one."""
    if before != after:
        named = {"thing": kind, "number": thing.pk, "name": thing.name}
        note(Event.VISIBILITY, owner, detail=f"{before}, now {after}", **named)


def note_moderated(thing: Any, kind: str, private: bool, owner: int | None) -> None:
    """Record that staff keep a thing private, or no longer do, and tell those who reported it."""
    what = Event.KEPT_PRIVATE if private else Event.LET_SHARE
    note(what, owner, thing=kind, number=thing.pk, name=thing.name)
    tell_reporters(what, kind, thing.pk)


def tell_reporters(what: Event, thing: str, number: int) -> None:
    """Record what staff did about a thing in the history of each account that reported it."""
    reporters = dict(AuditEntry.objects.reports(thing, number).values_list("account", "name")[:MAX_TOLD])
    for account, name in reporters.items():
        note(what, account, thing=thing, number=number, name=name, detail="you reported it")


def forget_old_entries() -> int:
    """Delete the entries that are older than CUTOUT_AUDIT_DAYS. Return their number."""
    before = timezone.now() - timedelta(days=settings.CUTOUT_AUDIT_DAYS)
    return AuditEntry.objects.all_owners("the old ones go").filter(made__lt=before).delete()[0]


def browser_in(request: HttpRequest) -> str:
    """Return the tag of the request's browser; empty if it has no token."""
    token = request.META.get(GIVEN) or token_in(request.COOKIES)
    return tag(token) if token else ""


def network_in(request: HttpRequest) -> str:
    """Return the tag of the request's network address."""
    return tag(sender(request))


def tag(what: str) -> str:
    """Return a keyed hash for the log: equal for equal texts, and not reversible without the key."""
    # The salt must stay, and 24 digits are the length of the column: entries of before are compared with it.
    return salted_hmac("cardsdb.audit", what, algorithm="sha256").hexdigest()[:24]
