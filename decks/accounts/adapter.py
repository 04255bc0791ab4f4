"""This site's changes to allauth: rules for names and passwords, limits on wrong log-ins, what a log-in and a
log-out do with the browser's things, e-mail, and how recovery codes are encrypted.

Settings and URLs name ``Accounts``, ``Passkeys``, ``NotAGame``, ``place`` and ``too_many_tries`` by path, and
allauth calls them. ``backend.py`` has the rest of logging in: accounts, sessions, forms. Tests in
``tests/decks/accounts``: ``test_adapter.py``, ``test_throttled.py`` (limits on log-ins),
``test_passkeys.py``, ``test_pages.py``.
"""

import base64
import logging
import re
import secrets
import time
from datetime import timedelta
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.signals import password_reset
from allauth.core import ratelimit
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.models import AbstractBaseUser, User
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme

from cardsdb.faults import Fault, Refused
from cardsdb.games import games
from cardsdb.identity.viewer import Viewer, hashed, keep_token, token_of, viewer_of
from cardsdb.site.errors import refusal
from cardsdb.site.ratelimits import sender
from decks.accounts.backend import account_tried
from decks.accounts.kinds import held_by_browser
from decks.models import AccountName, BrowserAccess
from decks.models.people import TAKEN, clean_account_name

log = logging.getLogger(__name__)

# Stands before every encrypted text.
SEALED = "sealed:"
# Characters that are compared of a password.
MAX_PASSWORD = 200
_NOT_A_LETTER = re.compile(r"[\W\d_]+")
SENTENCE = "That is the name of a game with at most digits around it. Others would try it first."
WRONG = "That name, or that password, is not right. Capitals matter in the password."
# allauth's id of a way to confirm who one is -> this site's words. allauth calls them authenticator app and
# security key; here they are a recovery code and a passkey.
WAYS = {"mfa_reauthenticate": "Use a recovery code", "mfa_reauthenticate:webauthn": "Use the passkey"}
# URL names of pages that send an e-mail; they tell where a site without a mail server puts it.
MAIL_PAGES = {
    "account_email",
    "account_email_verification_sent",
    "account_reset_password",
    "account_reset_password_done",
}
# Key in the session: the time of its sign-up or log-in, in seconds since 1970.
LOGGED_IN_AT = "logged_in_at"
# A sign-up by passkey that was not finished keeps its name for so long.
UNFINISHED = timedelta(minutes=15)
# Seconds in which wrong passwords from one network are counted: "login_failed" of the settings.
SECONDS = 300
# Seconds in which those from all networks together are counted: "login_failed_anywhere".
HOUR = 3600


class NotAGame:
    """A password validator that refuses the names of the site and of its games, with whatever digits and
    signs around or in them: "Spycraft2026!" as well as "X-Files 1".
    """

    def validate(self, password: str, user: Any = None) -> None:
        names = ["cutout", *(name for game in games().values() for name in (game.slug, game.name))]
        if _letters(password[:MAX_PASSWORD]) in map(_letters, names):
            raise ValidationError(SENTENCE, code="password_is_a_game")

    def get_help_text(self) -> str:
        return "Your password must not be the name of a game."


def _letters(text: str) -> str:
    """Return the letters of a text in lower case: "Spycraft2026!" -> "spycraft"."""
    return _NOT_A_LETTER.sub("", text.casefold())


def too_many_tries(request: HttpRequest, seconds: int = SECONDS) -> HttpResponse:
    """The page for too many tries: 429 with ``Retry-After``. allauth shows it too, wherever it
    limits rates.
    """
    wait = "an hour" if seconds == HOUR else "five minutes"
    sentence = "This was tried too often in too short a time, by you or by another person."
    advice = (
        f"Wait {wait}, then try again. If you forgot your password, ask for a new one instead of guessing."
    )
    refused = Refused(Fault("throttled", sentence), status=429, wait=seconds)
    return refusal(request, refused, "Too many tries", advice)


class Accounts(DefaultAccountAdapter):
    """allauth's adapter for accounts. Names that differ only in case are the same; wrong passwords are
    counted by account; an e-mail that cannot be sent is not an error.
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": "This account is closed.",
        "cannot_remove_primary_email": (
            "This is the address the account is known by. Make another one that first."
        ),
        "duplicate_email": "This address is on your account already.",
        "email_password_mismatch": WRONG,
        "enter_current_password": "That is not your password.",
        "incorrect_code": "That code is not right, or was used before.",
        "incorrect_password": "That is not your password.",
        "invalid_login": WRONG,
        "max_email_addresses": "An account has %d addresses at most. Remove one first.",
        "username_password_mismatch": WRONG,
        "username_taken": TAKEN,
    }

    # -- names

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = clean_account_name(username)
        if not shallow:
            _free(name)
            if AccountName.objects.named(name).exists():
                raise ValidationError(TAKEN, code="taken")
        return name

    # -- logging in and out

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse a try if either of two limits is reached (``ACCOUNT_RATE_LIMITS`` of the settings)::

            limit                    counts under                        counted by
            login_failed             "account 7 from 198.51.100.7"       allauth, in ``super()`` here
            login_failed_anywhere    "account 7"                         ``authentication_failed``

        The first is by network too, so that other people's wrong passwords do not lock out the owner. It
        counts before the password is checked, so that tries at the same moment count; allauth takes the count
        of a right one back. The second stops guessing from many networks. allauth would take no count of ours
        back, so it counts wrong passwords only, after the check.
        """
        # "account 7", or the name that was typed, if no account has it.
        _, account = account_tried(**credentials)
        try:
            # allauth counts under the name that it is told.
            super().pre_authenticate(request, username=f"{account} from {sender(request)}")
        except ValidationError:
            raise ImmediateHttpResponse(too_many_tries(request)) from None
        # A dry run asks and does not count.
        if not ratelimit.consume(request, action="login_failed_anywhere", key=account, dry_run=True):
            raise ImmediateHttpResponse(too_many_tries(request, HOUR))

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a wrong password over all networks: the second limit of ``pre_authenticate``."""
        _, account = account_tried(**credentials)
        ratelimit.consume(request, action="login_failed_anywhere", key=account)

    def is_reauthentication_required(self, *, app: str, **others: Any) -> bool:
        """False for an account that has just signed up or logged in, else as allauth decides."""
        lately = time.time() - app_settings.REAUTHENTICATION_TIMEOUT
        return (
            super().is_reauthentication_required(app=app, **others)
            and self.request.session.get(LOGGED_IN_AT, 0) < lately
        )

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **login: Any) -> HttpResponse:
        """Note the time, and tell visitors what their browser has apart from the account."""
        request.session[LOGGED_IN_AT] = time.time()
        response = super().post_login(request, user, **login)
        # The page "Mine", where most log-ins lead, shows that itself.
        if response.get("Location") != reverse("mine") and (held := held_by_browser(viewer_of(request))):
            amounts = ", ".join(kind.amount(number) for kind, number in held)
            where = "Take it along on the page “Account”, if you like."
            messages.info(request, f"This browser has {amounts} without an account. {where}")
        return response

    def logout(self, request: HttpRequest) -> None:
        """Log out. The browser keeps what it had before the log-in, but loses its own access to decks of the
        account.
        """
        if token_of(request) and request.user.is_authenticated:
            browser = Viewer(browser=hashed(keep_token(request)))
            BrowserAccess.objects.of(browser).filter(deck__owner=request.user.pk).delete()
        # Ending the session would lose messages that have not been shown.
        pending = list(messages.get_messages(request))
        logout(request)
        for message in pending:
            messages.add_message(request, message.level, message.message, message.extra_tags)

    def get_login_stages(self) -> list[str]:
        """Allow a passkey instead of a password at sign-up. allauth's own setting for that requires a
        confirmed address.
        """
        return [*super().get_login_stages(), "allauth.mfa.webauthn.stages.PasskeySignupStage"]

    def get_reauthentication_methods(self, user: AbstractBaseUser) -> list[dict[str, Any]]:
        """The ways in which users can confirm who they are, in this site's words."""
        return [
            method | {"description": WAYS.get(method["id"], method["description"])}
            for method in super().get_reauthentication_methods(user)
        ]

    def is_safe_url(self, url: str | None) -> bool:
        """True only for addresses on the host of this request."""
        return url_has_allowed_host_and_scheme(
            url, {self.request.get_host()}, require_https=self.request.is_secure()
        )

    def get_client_ip(self, request: HttpRequest) -> str:
        return sender(request)

    # -- e-mail

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        owner = emailconfirmation.email_address.user_id
        if not ratelimit.consume(request, action="letters", key=str(owner)):
            raise ImmediateHttpResponse(too_many_tries(request))
        super().send_confirmation_mail(request, emailconfirmation, signup)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        try:
            super().send_mail(template_prefix, email, context)
        except OSError as error:
            # The mail server is down or refuses, which is not the visitor's mistake.
            log.error("a letter could not be sent: %s", type(error).__name__)
            messages.warning(self.request, "The letter could not be sent just now. Try again in a while.")


class Passkeys(DefaultMFAAdapter):
    """allauth's adapter for passkeys and recovery codes."""

    # allauth uses "incorrect_code" for a wrong passkey as well.
    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": "That was not right, or was used before. Try once more.",
        "cannot_generate_recovery_codes": "Recovery codes stand in for a passkey. Add a passkey first.",
    }

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:
        return f"Passkey {Authenticator.objects.filter(user=user.pk, type=type).count() + 1}"

    def encrypt(self, text: str) -> str:
        """Encrypt a text that must be read again, so that hashing it is not possible. A stolen database alone
        does not reveal it.
        """
        return SEALED + self._seal.encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Decrypt a text. One that was stored before texts were encrypted is returned as it is. One that was
        encrypted under another SECRET_KEY is lost, so a random text takes its place.
        """
        if not encrypted_text.startswith(SEALED):
            return encrypted_text
        try:
            return self._seal.decrypt(encrypted_text.removeprefix(SEALED)).decode()
        except InvalidToken:
            # 40 bytes, which is more than anyone can guess.
            return secrets.token_hex(40)

    @property
    def _seal(self) -> Fernet:
        """The cipher; its key is derived from SECRET_KEY."""
        key = salted_hmac("decks.accounts.sealing", "seal", algorithm="sha256").digest()
        return Fernet(base64.urlsafe_b64encode(key))


@receiver(password_reset)
def forget_wrong_passwords(request: HttpRequest, user: AbstractBaseUser, **more: Any) -> None:
    """Forget the tries that count against an account, after its owner has set a new password by e-mail."""
    _, account = account_tried(user.get_username())
    ratelimit.clear(request, action="login_failed_anywhere", key=account)
    ratelimit.clear(request, action="login_failed", key=f"{account} from {sender(request)}")


def _free(name: str) -> None:
    """Free the name of an unfinished sign-up by passkey: delete its account, which no log-in can open.

    allauth stores the account before the passkey is made. All conditions together tell that it never was;
    each of them also keeps an account of another origin from being deleted.
    """
    begun = User.objects.filter(
        username=name,
        date_joined__lt=timezone.now() - UNFINISHED,  # the sign-up is not under way any more
        last_login=None,  # a sign-up that is finished logs in
        is_staff=False,  # staff made by a command may never have logged in
        deck=None,  # an account with a deck was used
        emailaddress=None,  # a letter for a new password could open the account
    )
    # Nor has it either of the two things that a log-in needs: a passkey or a password.
    for user in begun.exclude(pk__in=Authenticator.objects.values("user")):
        if not user.has_usable_password():
            user.delete()


def place(request: HttpRequest) -> dict[str, str]:
    """Context processor for MAIL_PAGES: how the site sends e-mail (``mail``), and the folder of its files on
    a site that only writes them (``mail_folder``).
    """
    match, mail = request.resolver_match, settings.CUTOUT_MAIL
    if match is None or match.url_name not in MAIL_PAGES:
        return {}
    return {"mail": mail, "mail_folder": settings.EMAIL_FILE_PATH if mail == "files" else ""}
