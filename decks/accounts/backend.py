"""Logging in: the look-up of the account, allauth's forms of sign-up and passkeys, hardened against whatever
a browser may send; the places where an account is logged in, each browser that is, until when, and how one is
ended from another; and the events of accounts that go into the audit log: log-ins, those that failed,
passwords, addresses, passkeys.

Logged-in sessions hold the path of NamesAndAddresses, so it stays in this module.
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


class NamesAndAddresses(ModelBackend):
    """Finds one account by its name, however it is capitalised, or else by its address. An unknown name
    takes as long as a known one.

    A closed account is found as well: allauth leads it to the page that says so, and no session of it lives.
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
            User().set_password(password)
        return None


def accounts_called(username: str, email: str) -> list[Any]:
    """The account of this name, else those that gave this address: the one that has confirmed it, or all."""
    if account := account_named(username) if username else None:
        return [account]
    found = filter_users_by_email(email, prefer_verified=True) if email else []
    return sorted(found, key=lambda account: account.pk)


def account_tried(username: str = "", email: str = "", **others: Any) -> tuple[int | None, str]:
    """The account that a log-in is tried for, and a name of it, the same for its name and its
    addresses; None for a name that no account has.
    """
    for account in accounts_called(username, email):
        return account.pk, f"account {account.pk}"
    return None, name_key(username or email)


MAX_SHOWN = 100
# What stands in the name that a browser gives itself, and what people call it. Most claim to be others too:
# the first that fits is meant.
BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
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
    """A person's name for the browser: ``Firefox on Linux``. Without a version, for one knows one's browser
    again without.
    """
    browser = next((name for part, name in BROWSERS.items() if part in agent), "A browser")
    system = next((name for part, name in SYSTEMS.items() if part in agent), "")
    return f"{browser} on {system}" if system else browser


def end_after_a_year(request: HttpRequest) -> None:
    """Give the session its last moment. Without one it lasts for a year from each time it is written, and so
    for ever.
    """
    request.session.set_expiry(timezone.now() + timedelta(seconds=settings.SESSION_COOKIE_AGE))


def note_session(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Remember that this session, which has just begun or got another key, is the account's."""
    if not request.session.session_key:
        request.session.create()
    browser = browser_named(request.META.get("HTTP_USER_AGENT", "")[:500])
    row = AccountSession(user_id=user.pk, key=request.session.session_key, browser=browser)
    AccountSession.objects.bulk_create([row], ignore_conflicts=True)


def sessions_of(viewer: Viewer) -> list[AccountSession]:
    """The sessions of the account that live, the latest first, MAX_SHOWN at most."""
    alive = Session.objects.filter(expire_date__gt=timezone.now()).values("session_key")
    return list(AccountSession.objects.of(viewer).filter(key__in=alive).order_by("-began", "-pk")[:MAX_SHOWN])


@transaction.atomic
def end_sessions(viewer: Viewer, keep: str | None, only: int | None = None) -> int:
    """Log the account out everywhere but in the session of this key, or in one place alone; return in how
    many.
    """
    rows = AccountSession.objects.of(viewer).exclude(key=keep or "")
    ended = rows if only is None else rows.filter(pk=only)
    number, _ = Session.objects.filter(session_key__in=list(ended.values_list("key", flat=True))).delete()
    ended.delete()
    return number


def forget_ended_sessions() -> None:
    """Delete the rows of sessions that are no more."""
    ended = AccountSession.objects.all_owners("those whose session is no more go").exclude(
        key__in=Session.objects.values("session_key")
    )
    ended.delete()


# -- what goes into the audit log -------------------------------------------------------------

# Signal -> what happened; each has the account as ``user``.
TOLD: dict[Signal, tuple[Event, str]] = {
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


@receiver(list(TOLD))
def _told(signal: Signal, user: AbstractBaseUser, **more: Any) -> None:
    what, detail = TOLD[signal]
    note(what, user.pk, detail=detail, by=user.pk)


@receiver([of_account.password_set, of_account.password_changed, of_account.password_reset])
def _kept(request: HttpRequest, user: AbstractBaseUser, **more: Any) -> None:
    """A new password ends all sessions but this one, which gets another key."""
    end_sessions(Viewer(user.pk), keep=None)
    if request.user.pk == user.pk:
        note_session(request, user)


@receiver(of_account.email_confirmed)
def _confirmed(email_address: Any, **more: Any) -> None:
    note(Event.MAIL, email_address.user_id, detail="one confirmed")


@receiver(signals.user_logged_in)
def _logged_in(request: HttpRequest, user: AbstractBaseUser, **more: Any) -> None:
    end_after_a_year(request)
    note_session(request, user)
    metrics.LOGINS.inc()
    note(Event.LOGIN, user.pk, by=user.pk)


@receiver(signals.user_logged_out)
def _logged_out(user: AbstractBaseUser | None, **more: Any) -> None:
    # An account that has just been deleted is logged out too.
    if user and get_user_model().objects.filter(pk=user.pk).exists():
        note(Event.LOGOUT, user.pk, by=user.pk)


@receiver(signals.user_login_failed)
def _failed(credentials: dict[str, Any], **more: Any) -> None:
    """An account that exists reads it in its history. Of a name that no account has there is as much to
    write, or the time it takes would tell which names there are; it stands there as a keyed hash, for it
    may be a password that was typed into the wrong field.
    """
    known, name = account_tried(credentials.get("username") or "", credentials.get("email") or "")
    tried = tag(name)
    note_failed_log_in(known, "" if known else f"no such name, {tried}")


def note_failed_log_in(account: int | None, detail: str) -> None:
    """Count it and write it down, for this account to read or, without one, for staff."""
    metrics.FAILED_LOGINS.inc()
    note(Event.FAILED_LOGIN, account, detail=detail)


NO_PASSKEY = "The answer of the passkey could not be read. Try it once more."
MAX_ANSWER = 20_000


class LogIn(LoginForm):
    """The form of a log-in. allauth labels its first field "Login" and lets browsers fill in an address
    only.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        login = self.fields["login"]
        login.label = login.widget.attrs["placeholder"]
        login.widget.attrs["autocomplete"] = "username"

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> Any:
        answer = super().login(request, redirect_url)
        # allauth has just given the session a year from its last use.
        end_after_a_year(request)
        return answer


class SignUp(SignupForm):
    """The form of a new account. The second of two people who take a name at the same moment is asked for
    another.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        helps = {
            "username": "Others see it beside your public decks and comments.",
            "email": "The way back in when a password or a passkey is lost, and needed before you may"
            " comment.",
        }
        for name, words in helps.items():
            self.fields[name].help_text = words

    def try_save(self, request: HttpRequest) -> Any:
        try:
            with transaction.atomic():
                return super().try_save(request)
        except IntegrityError:
            messages.error(request, TAKEN)
            raise ImmediateHttpResponse(HttpResponseRedirect(request.get_full_path())) from None


class _Credential(forms.JSONField):
    """A passkey's answer. Real ones have a few thousand characters and little depth. A refused one is not
    shown again.
    """

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value if not isinstance(value, str) or len(value) <= MAX_ANSWER else "")
        except (RecursionError, ValueError):
            raise ValidationError(NO_PASSKEY, code="bad_passkey") from None

    def bound_data(self, data: Any, initial: Any) -> None:
        return None

    def prepare_value(self, value: Any) -> str:
        return ""


class _Answered(forms.Form):
    """A form with a passkey's answer. A malformed one, on which the library would fail, becomes an error of
    the form.
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
    """A way in besides the password. What is refused is noted as a wrong password is; Django's signal tells
    of passwords alone.
    """

    # The account whose password was right before; None for a log-in by passkey alone, which may name any
    # account.
    user: AbstractBaseUser | None = None

    def full_clean(self) -> None:
        super().full_clean()
        if self.errors:
            note_failed_log_in(
                self.user.pk if self.user else None, "the password was right" if self.user else "by passkey"
            )


class ConfirmByCode(_LetsIn, AuthenticateForm):
    """A recovery code in place of the passkey."""


class ConfirmByPasskey(_LetsIn, _Answered, passkeys.AuthenticateWebAuthnForm):
    pass


class LogInByPasskey(_LetsIn, _Answered, passkeys.LoginWebAuthnForm):
    pass


class ConfirmAgainByPasskey(_Answered, passkeys.ReauthenticateWebAuthnForm):
    pass


class AddPasskey(_Answered, passkeys.AddWebAuthnForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        alone = self.fields["passwordless"]
        alone.label, alone.initial = "It lets me in by itself", True
        alone.help_text = "Otherwise it is only asked for after the password."


class SignUpByPasskey(_Answered, passkeys.SignupWebAuthnForm):
    pass
