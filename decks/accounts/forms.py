"""Sign-up and passkeys as allauth has them, hardened against whatever a browser may send."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm, SignupForm
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.webauthn import forms as passkeys
from django import forms
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseRedirect

from decks.accounts.log_ins import end_after_a_year, note_failed_log_in
from decks.models.account import TAKEN

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

    # Whose password was right before; None for a log-in by passkey alone, which may say that it is anybody's.
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
