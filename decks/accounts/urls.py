"""Addresses. Accounts: what belongs to one, and how it is taken along or away."""

from __future__ import annotations

from allauth.account.views import signup_by_passkey
from allauth.mfa.webauthn.views import signup_webauthn
from django.urls import path

from decks.accounts import views

urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/favourites/", views.favourites, name="account_favourites"),
    path("account/take-decks/", views.take_decks, name="account_take_decks"),
    path("account/export.zip", views.export, name="account_export"),
    path("account/delete/", views.delete_account, name="account_delete"),
    # allauth has these two only where a confirmed address is demanded of everybody (docs/decisions/0014).
    path("accounts/signup/passkey/", signup_by_passkey, name="account_signup_by_passkey"),
    path("accounts/2fa/webauthn/signup/", signup_webauthn, name="mfa_signup_webauthn"),
]
