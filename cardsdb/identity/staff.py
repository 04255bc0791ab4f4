"""The one question who acts as staff: an account of staff whose log-in was made with a passkey, or raised
by one. Nothing else asks who is staff.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from allauth.account.authentication import get_authentication_records
from allauth.account.utils import get_next_redirect_url
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]

USE_IT = "Staff show a passkey before they moderate. Use yours, and the page opens."
ADD_ONE = (
    "Staff show a passkey before they moderate, and this account has none. Add one, then open the page again."
)


def acts_as_staff(request: HttpRequest) -> bool:
    """Say if staff asks, and may be answered as such."""
    return _is_staff(request) and not _lacks_passkey(request)


def moderates(request: HttpRequest, model: type[Model]) -> bool:
    """Say if staff asks who may change such rows."""
    meta = model._meta
    return acts_as_staff(request) and request.user.has_perm(f"{meta.app_label}.change_{meta.model_name}")


def wants_passkey(request: HttpRequest) -> bool:
    """Say if staff asks who has shown no passkey yet, and so is answered as all others are."""
    return _is_staff(request) and _lacks_passkey(request)


def led_to_passkey(request: HttpRequest, back: str) -> HttpResponse:
    """Lead to the page where the account's passkey is used, and from there to ``back``; or where its first
    one is added.
    """
    if not _passkeys(request).exists():
        messages.warning(request, ADD_ONE)
        return redirect("mfa_add_webauthn")
    messages.info(request, USE_IT)
    return redirect(f"{reverse('mfa_reauthenticate_webauthn')}?{urlencode({'next': back})}")


def with_passkey_if_staff(view: View[P]) -> View[P]:
    """Guard a view with something that staff alone find: where it finds nothing, staff without a passkey are
    led to theirs.

    What a form sent is not done then; one comes back to the page that the form's address stands below.
    """

    @wraps(view)
    def led(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except Http404:
            if not wants_passkey(request):
                raise
            above = f"{request.path.rstrip('/').rpartition('/')[0]}/"
            return led_to_passkey(request, above if request.method == "POST" else request.get_full_path())

    return led


def admins_door(login: View[P]) -> View[P]:
    """The admin's log-in for those who are logged in already: who may not enter by it is led to a passkey."""

    @wraps(login)
    def door(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if wants_passkey(request):
            return led_to_passkey(request, get_next_redirect_url(request) or reverse("admin:index"))
        return login(request, *args, **kwargs)

    return door


def _is_staff(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_staff)


def _lacks_passkey(request: HttpRequest) -> bool:
    """Say if the session was neither made nor raised by a passkey that the account still has.

    A private site asks for none: browsers know passkeys over https and at ``localhost`` alone.
    """
    if not settings.HTTPS:
        return False
    shown = [
        one.get("id")
        for one in get_authentication_records(request, request.user)
        if one.get("method") == "mfa"
    ]
    return not _passkeys(request).filter(pk__in=shown).exists()


def _passkeys(request: HttpRequest) -> QuerySet[Authenticator]:
    return Authenticator.objects.filter(user=request.user.pk, type=Authenticator.Type.WEBAUTHN)
