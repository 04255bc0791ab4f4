"""Staff rights: an account of staff counts as staff only in a session that used a passkey.

Ask only the functions here whether a request acts as staff, never ``user.is_staff``. Staff without a passkey
are treated like any other visitor, except that pages for staff lead them to their passkey.
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
    """True if the request is from staff who used a passkey."""
    return _is_staff(request) and not _lacks_passkey(request)


def moderates(request: HttpRequest, model: type[Model]) -> bool:
    """True if the request acts as staff and the account may change rows of this model."""
    meta = model._meta
    return acts_as_staff(request) and request.user.has_perm(f"{meta.app_label}.change_{meta.model_name}")


def wants_passkey(request: HttpRequest) -> bool:
    """True if the request is from staff who have not used a passkey, and so is treated like any other."""
    return _is_staff(request) and _lacks_passkey(request)


def led_to_passkey(request: HttpRequest, back: str) -> HttpResponse:
    """Redirect to the page where the account uses its passkey, and from there to the address ``back``; or, if
    it has no passkey, to the page where one is added.
    """
    if not _passkeys(request).exists():
        messages.warning(request, ADD_ONE)
        return redirect("mfa_add_webauthn")
    messages.info(request, USE_IT)
    return redirect(f"{reverse('mfa_reauthenticate_webauthn')}?{urlencode({'next': back})}")


def with_passkey_if_staff(view: View[P]) -> View[P]:
    """Decorate a view that raises Http404 for all but staff: staff without a passkey are led to it instead.

    A form that they sent is not carried out; they come back to the page one level above the form's address.
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
    """Decorate the admin's log-in view: staff who are logged in without a passkey are led to it."""

    @wraps(login)
    def door(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if wants_passkey(request):
            return led_to_passkey(request, get_next_redirect_url(request) or reverse("admin:index"))
        return login(request, *args, **kwargs)

    return door


def _is_staff(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_staff)


def _lacks_passkey(request: HttpRequest) -> bool:
    """True if the session has not used a passkey that the account still has.

    A private site demands none, because browsers offer passkeys only over https and at ``localhost``.
    """
    if not settings.HTTPS:
        return False
    records = get_authentication_records(request, request.user)
    used = [record.get("id") for record in records if record.get("method") == "mfa"]
    return not _passkeys(request).filter(pk__in=used).exists()


def _passkeys(request: HttpRequest) -> QuerySet[Authenticator]:
    return Authenticator.objects.filter(user=request.user.pk, type=Authenticator.Type.WEBAUTHN)
