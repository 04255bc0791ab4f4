"""The audit log: who did what with accounts, and with who sees what people make. An entry stands in the
transaction of what it tells.
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

# Entries of one kind a day of one account, or one network without an account. Beyond them only the log of the
# site tells.
MAX_A_DAY = 500
# Accounts that hear what became of the thing that they reported.
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
    """Write down that something was done, by the sender of the request that is being answered, to what
    concerns this account.

    ``by`` where the request does not know it yet. Outside of requests, by a command, no account is named.
    """
    request = current_request()
    by, browser, network = (
        (by or account_in(request), browser_in(request), network_in(request)) if request else (by, "", "")
    )
    about = {"network": network, "thing": thing, "number": number}
    line = {"event": what.value, "account": account, "by": by, "browser": browser, **about}
    level = logging.WARNING if what == Event.FAILED_LOGIN else logging.INFO
    log.log(level, "%s of account %s", what.value, account, extra=line)
    whose = f"account-{by or account}" if by or account else network
    # Of each kind, so that a guesser of passwords hides nothing else.
    if request and beyond_today(f"audit:{what.value}", whose, MAX_A_DAY):
        return
    AuditEntry.objects.create(
        what=what,
        account_id=account,
        by_id=by,
        browser_tag=browser,
        name=name[:200],
        detail=detail[:100],
        **about,
    )


def note_visibility(thing: Any, kind: str, before: str, after: str, owner: int | None) -> None:
    """Write down who sees a thing from now on; nothing where that stays."""
    if before != after:
        named = {"thing": kind, "number": thing.pk, "name": thing.name}
        note(Event.VISIBILITY, owner, detail=f"{before}, now {after}", **named)


def note_moderated(thing: Any, kind: str, private: bool, owner: int | None) -> None:
    """Write down that staff keep a thing private, or no longer do."""
    what = Event.KEPT_PRIVATE if private else Event.LET_SHARE
    note(what, owner, thing=kind, number=thing.pk, name=thing.name)
    tell_reporters(what, kind, thing.pk)


def tell_reporters(what: Event, thing: str, number: int) -> None:
    """Say in the history of each account that reported a thing what staff did about it."""
    told = dict(AuditEntry.objects.reports(thing, number).values_list("account", "name")[:MAX_TOLD])
    for account, name in told.items():
        note(what, account, thing=thing, number=number, name=name, detail="you reported it")


def forget_old_entries() -> int:
    """Delete the entries that are older than CUTOUT_AUDIT_DAYS; how many."""
    before = timezone.now() - timedelta(days=settings.CUTOUT_AUDIT_DAYS)
    return AuditEntry.objects.all_owners("the old ones go").filter(made__lt=before).delete()[0]


def browser_in(request: HttpRequest) -> str:
    token = request.META.get(GIVEN) or token_in(request.COOKIES)
    return tag(token) if token else ""


def network_in(request: HttpRequest) -> str:
    return tag(sender(request))


def tag(what: str) -> str:
    """Return the word that stands for it in the log: the same for the same, and without the site's key no way
    back.
    """
    return salted_hmac("cardsdb.audit", what, algorithm="sha256").hexdigest()[:24]
