"""Logging in, in four sections:

- how an account is found by a name or an address. Django's sessions store the path of ``NamesAndAddresses``,
  so moving it would log everyone out;
- the sessions of an account: ``views.py`` lists and ends them, ``clear_browsers`` deletes the rows of those
  that are over;
- what is done after a log-in, a log-out or a new password, above all the entries of the audit log:
  functions that Django's and allauth's signals call;
- allauth's forms, made robust against any input: ``cardsdb/settings.py`` names them by their paths, and
  ``adapter.py`` changes the rest of allauth.

Tests in ``tests/decks/accounts``: ``test_backend.py``, ``test_throttled.py``, and of the forms for passkeys
``test_passkeys.py``.
"""

from datetime import timedelta
from typing import Any

from allauth.account import signals as of_account
from allauth.account.forms import LoginForm, SignupForm
from allauth.account.utils import filter_users_by_email
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa import signals as mfa
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.webauthn import forms as passkeys
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import get_user_model, signals
from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import AbstractBaseUser, User
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.dispatch import Signal, receiver
from django.http import HttpRequest, HttpResponseRedirect
from django.utils import timezone

from cardsdb.identity.viewer import Viewer
from cardsdb.models.audit import Event
from cardsdb.site.audit import note, tag
from cardsdb.watch import metrics
from decks.models import AccountSession, account_named
from decks.models.people import TAKEN, name_key

# -- finding an account -----------------------------------------------------------------


class NamesAndAddresses(ModelBackend):
    """The authentication backend. It finds an account by its name, whatever its case, or else by its e-mail
    address.

    An unknown name takes as long as a known one, so that times do not tell which names exist. Closed accounts
    are found as well: allauth redirects them to a page that says so, and their sessions are invalid.
    """

    def authenticate(
        self,
        request: HttpRequest | None,
        username: str = "",
        password: str = "",
        email: str = "",
        **more: Any,
    ) -> AbstractBaseUser | None:
        found = accounts_called(username, email)
        for account in found:
            if account.check_password(password):
                return account
        if not found:
            # Hash anyway, to take as long as for a known name.
            User().set_password(password)
        return None


def accounts_called(username: str, email: str) -> list[Any]:
    """The account of this name; else the accounts with this address: the one that has confirmed it, or all
    that gave it.
    """
    if account := account_named(username) if username else None:
        return [account]
    found = filter_users_by_email(email, prefer_verified=True) if email else []
    return sorted(found, key=lambda account: account.pk)


def account_tried(username: str = "", email: str = "", **others: Any) -> tuple[int | None, str]:
    """Return (key of the account that a log-in is for, a label for counting tries): (7, "account 7"). The
    label is the same for the account's name and its addresses. For an unknown name the key is None and the
    label is the folded name.
    """
    for account in accounts_called(username, email):
        return account.pk, f"account {account.pk}"
    return None, name_key(username or email)


# -- the sessions of an account, as the list of its log-ins ------------------------------

# Sessions that the list shows.
MAX_SHOWN = 100
# Characters that are read of a User-Agent header.
MAX_AGENT = 500
# Part of a User-Agent header -> the common name. The first match counts, because Edge and Opera also name
# Chrome, and Chrome names Safari.
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
# The same for systems: Android also names Linux, and an iPhone names Mac OS X.
SYSTEMS = {
    "Android": "Android",
    "iPhone": "an iPhone",
    "iPad": "an iPad",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "a Mac",
    "Linux": "Linux",
}


def browser_named(agent: str) -> str:
    """A common name for a browser by its User-Agent: "Firefox on Linux". It has no version, which people do
    not need to recognise their browser.
    """
    browser = next((name for part, name in BROWSERS.items() if part in agent), "A browser")
    system = next((name for part, name in SYSTEMS.items() if part in agent), "")
    return f"{browser} on {system}" if system else browser


def end_after_a_year(request: HttpRequest) -> None:
    """Set the moment when the session ends. Otherwise it would last a year from each time it is written, and
    so for ever.
    """
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


def note_session(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Store that this session, which has just begun or got a new key, belongs to the account."""
    if not request.session.session_key:
        request.session.create()
    browser = browser_named(request.META.get("HTTP_USER_AGENT", "")[:MAX_AGENT])
    row = AccountSession(user_id=user.pk, key=request.session.session_key, browser=browser)
    AccountSession.objects.bulk_create([row], ignore_conflicts=True)


def sessions_of(viewer: Viewer) -> list[AccountSession]:
    """The live sessions of the account, the latest first, at most MAX_SHOWN."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return list(AccountSession.objects.of(viewer).filter(key__in=alive).order_by("-began", "-pk")[:MAX_SHOWN])


@transaction.atomic
def end_sessions(viewer: Viewer, keep: str | None, only: int | None = None) -> int:
    """End the account's sessions, except that with the key ``keep``; with ``only``, the primary key of a row,
    just that one. Return how many were ended.
    """
    rows = AccountSession.objects.of(viewer).exclude(key=keep or "")
    ended = rows if only is None else rows.filter(pk=only)
    number, _ = Session.objects.filter(session_key__in=list(ended.values_list("key", flat=True))).delete()
    ended.delete()
    return number


def forget_ended_sessions() -> None:
    """Delete the rows of sessions that no longer exist."""
    rows = AccountSession.objects.all_owners("those whose session is no more go")
    rows.exclude(key__in=Session.objects.values("session_key")).delete()


# -- called by signals: the audit log, sessions that begin and end ------------------------

# allauth's signal -> (event, detail) of the entry. Each signal has the account as ``user``.
LOGGED: dict[Signal, tuple[Event, str]] = {
    of_account.user_signed_up: (Event.SIGNED_UP, ""),
    of_account.password_set: (Event.PASSWORD, "set"),
    of_account.password_changed: (Event.PASSWORD, "changed"),
    of_account.password_reset: (Event.PASSWORD, "set anew by a letter"),
    of_account.email_added: (Event.MAIL, "one added"),
    of_account.email_removed: (Event.MAIL, "one removed"),
    of_account.email_changed: (Event.MAIL, "another is the first"),
    mfa.authenticator_added: (Event.PASSKEY, "one added"),
    mfa.authenticator_removed: (Event.PASSKEY, "one removed"),
    mfa.authenticator_reset: (Event.PASSKEY, "new recovery codes"),
}


@receiver(list(LOGGED))
def _note_event(signal: Signal, user: AbstractBaseUser, **more: Any) -> None:
    event, detail = LOGGED[signal]
    note(event, user.pk, detail=detail, by=user.pk)


@receiver([of_account.password_set, of_account.password_changed, of_account.password_reset])
def _end_noted_sessions(request: HttpRequest, user: AbstractBaseUser, **more: Any) -> None:
    """End all sessions that are noted, after a new password. The one that set it goes on: Django has given it
    a new key, which is noted only now.
    """
    end_sessions(Viewer(user.pk), keep=None)
    if request.user.pk == user.pk:
        note_session(request, user)


@receiver(of_account.email_confirmed)
def _note_confirmed_address(email_address: Any, **more: Any) -> None:
    note(Event.MAIL, email_address.user_id, detail="one confirmed")


@receiver(signals.user_logged_in)
def _note_log_in(request: HttpRequest, user: AbstractBaseUser, **more: Any) -> None:
    end_after_a_year(request)
    note_session(request, user)
    metrics.LOGINS.inc()
    note(Event.LOGIN, user.pk, by=user.pk)


@receiver(signals.user_logged_out)
def _note_log_out(user: AbstractBaseUser | None, **more: Any) -> None:
    # Deleting an account logs it out; then there is no account for an entry.
    if user and get_user_model().objects.filter(pk=user.pk).exists():
        note(Event.LOGOUT, user.pk, by=user.pk)


@receiver(signals.user_login_failed)
def _note_wrong_password(credentials: dict[str, Any], **more: Any) -> None:
    """Write a failed log-in to the log, for the history of the account if there is one.

    An unknown name is written too, so that the time it takes does not tell which names exist. It is written
    as a keyed hash, because it may be a password typed into the wrong field.
    """
    account, label = account_tried(credentials.get("username") or "", credentials.get("email") or "")
    # Computed for known names too, to take as long.
    keyed_hash = tag(label)
    note_failed_log_in(account, "" if account else f"no such name, {keyed_hash}")


def note_failed_log_in(account: int | None, detail: str) -> None:
    """Count a failed log-in and write it to the log, for this account or, if it is None, for staff."""
    metrics.FAILED_LOGINS.inc()
    note(Event.FAILED_LOGIN, account, detail=detail)


# -- allauth's forms ----------------------------------------------------------------------


class LogIn(LoginForm):
    """The log-in form. allauth labels its first field "Login" and lets browsers fill in only an address; here
    it is a name or an address.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.label = login.widget.attrs["placeholder"]
        login.widget.attrs["autocomplete"] = "username"

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> Any:
        answer = super().login(request, redirect_url)
        # allauth has just set the session to last a year from its last use.
        end_after_a_year(request)
        return answer


class SignUp(SignupForm):
    """The form for a new account. If two people take a name at the same moment, the second is asked for
    another.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = "Others see it beside your public decks and comments."
        self.fields[
            "email"
        ].help_text = (
            "The way back in when a password or a passkey is lost, and needed before you may comment."
        )

    def try_save(self, request: HttpRequest) -> Any:
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            messages.error(request, TAKEN)
            raise ImmediateHttpResponse(HttpResponseRedirect(request.get_full_path())) from None


NO_PASSKEY = "The answer of the passkey could not be read. Try it once more."
# Characters of a passkey's answer; real ones have a few thousand.
MAX_ANSWER = 20_000


class _Credential(forms.JSONField):
    """The field with a passkey's answer as JSON. An answer that is too long or too deeply nested is an error,
    and a refused answer is not sent back.
    """

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and len(value) > MAX_ANSWER:
            raise ValidationError(NO_PASSKEY, code="bad_passkey")
        try:
            return super().to_python(value)
        except (RecursionError, ValueError):
            raise ValidationError(NO_PASSKEY, code="bad_passkey") from None

    # The form is shown again without the refused answer.

    def bound_data(self, data: Any, initial: Any) -> None:
        return None

    def prepare_value(self, value: Any) -> str:
        return ""


class _Answered(forms.Form):
    """A form with a passkey's answer. A malformed one, on which the library would crash, becomes an error of
    the form. It stands before allauth's form among the bases of a class, so that it is asked first.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["credential"] = _Credential(
            error_messages={"required": NO_PASSKEY, "invalid": NO_PASSKEY}
        )
        if "name" in self.fields:
            self.fields["name"].help_text = "To tell it from others: “Phone”, “Blue key”."

    def full_clean(self) -> None:
        try:
            super().full_clean()
        except (AttributeError, IndexError, KeyError, TypeError, ValueError, OverflowError):
            self.add_error("credential", ValidationError(NO_PASSKEY, code="bad_passkey"))


class _LetsIn(forms.Form):
    """A form that lets a visitor in by other means than a password. A refusal is noted like a wrong password,
    because Django's own signal covers only passwords.
    """

    # The account whose password was right. None for a log-in by passkey alone, whose answer may claim any
    # account.
    user: AbstractBaseUser | None = None

    def full_clean(self) -> None:
        super().full_clean()
        if self.errors and self.user:
            note_failed_log_in(self.user.pk, "the password was right")
        elif self.errors:
            note_failed_log_in(None, "by passkey")


class ConfirmByCode(_LetsIn, AuthenticateForm):
    """The second step after the password, by a recovery code instead of the passkey."""


class ConfirmByPasskey(_LetsIn, _Answered, passkeys.AuthenticateWebAuthnForm):
    """The second step after the password, by a passkey."""


class LogInByPasskey(_LetsIn, _Answered, passkeys.LoginWebAuthnForm):
    """A log-in by a passkey alone."""


class ConfirmAgainByPasskey(_Answered, passkeys.ReauthenticateWebAuthnForm):
    """A visitor who is logged in confirms who they are."""


class AddPasskey(_Answered, passkeys.AddWebAuthnForm):
    """A further passkey for an account."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        alone = self.fields["passwordless"]
        alone.label, alone.initial = "It lets me in by itself", True
        alone.help_text = "Otherwise it is only asked for after the password."


class SignUpByPasskey(_Answered, passkeys.SignupWebAuthnForm):
    """A new account with a passkey instead of a password."""
