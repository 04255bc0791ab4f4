"""What Django and allauth tell of accounts goes into the audit log: log-ins, those that failed, passwords,
addresses, passkeys.
"""

from __future__ import annotations

from typing import Any

from allauth.account import signals as account
from allauth.mfa import signals as mfa
from django.contrib.auth import get_user_model, signals
from django.contrib.auth.models import AbstractBaseUser
from django.dispatch import Signal, receiver
from django.http import HttpRequest

from cardsdb.identity.viewer import Viewer
from cardsdb.models.audit import Event
from cardsdb.site.audit import note, tag
from cardsdb.watch import counting
from decks.accounts.adapter import account_tried
from decks.accounts.log_ins import end_after_a_year, end_sessions, note_session

# Signal -> what happened; each has the account as ``user``.
TOLD: dict[Signal, tuple[Event, str]] = {
    account.user_signed_up: (Event.SIGNED_UP, ""),
    account.password_set: (Event.PASSWORD, "set"),
    account.password_changed: (Event.PASSWORD, "changed"),
    account.password_reset: (Event.PASSWORD, "set anew by a letter"),
    account.email_added: (Event.MAIL, "one added"),
    account.email_removed: (Event.MAIL, "one removed"),
    account.email_changed: (Event.MAIL, "another is the first"),
    mfa.authenticator_added: (Event.PASSKEY, "one added"),
    mfa.authenticator_removed: (Event.PASSKEY, "one removed"),
    mfa.authenticator_reset: (Event.PASSKEY, "new recovery codes"),
}


@receiver(list(TOLD))
def _told(signal: Signal, user: AbstractBaseUser, **more: Any) -> None:
    what, detail = TOLD[signal]
    note(what, user.pk, detail=detail, by=user.pk)


@receiver([account.password_set, account.password_changed, account.password_reset])
def _kept(request: HttpRequest, user: AbstractBaseUser, **more: Any) -> None:
    """A new password ends all sessions but this one, which gets another key."""
    end_sessions(Viewer(user.pk), keep=None)
    if request.user.pk == user.pk:
        note_session(request, user)


@receiver(account.email_confirmed)
def _confirmed(email_address: Any, **more: Any) -> None:
    note(Event.MAIL, email_address.user_id, detail="one confirmed")


@receiver(signals.user_logged_in)
def _logged_in(request: HttpRequest, user: AbstractBaseUser, **more: Any) -> None:
    end_after_a_year(request)
    note_session(request, user)
    counting.happened("logins")
    note(Event.LOGIN, user.pk, by=user.pk)


@receiver(signals.user_logged_out)
def _logged_out(user: AbstractBaseUser | None, **more: Any) -> None:
    # Whoever has just deleted their account is logged out of it too.
    if user and get_user_model().objects.filter(pk=user.pk).exists():
        note(Event.LOGOUT, user.pk, by=user.pk)


@receiver(signals.user_login_failed)
def _failed(credentials: dict[str, Any], **more: Any) -> None:
    """An account that exists reads it in its history. Of a name that is nobody's there is as much to write,
    or the time it takes would tell which names there are; it stands there as a keyed hash, for it may be a
    password that was typed into the wrong field.
    """
    known, name = account_tried(**{part: credentials.get(part) or "" for part in ("username", "email")})
    tried = tag(name)
    note_failed_log_in(known or None, "" if known else f"no such name, {tried}")


def note_failed_log_in(account: int | None, detail: str) -> None:
    """Count it and write it down, for this account to read or, without one, for staff."""
    counting.happened("failed_logins")
    note(Event.FAILED_LOGIN, account, detail=detail)
