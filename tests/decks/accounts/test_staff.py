"""Staff of a public site must show a passkey before they can do anything that only staff may do; no page
locks them out.
"""

import re
from collections.abc import Iterator

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from cardsdb.identity import staff as staff_module
from cardsdb.models import Card
from decks.models import Comment, Deck, Review, Visibility
from tests import ROOT
from tests.support.accounts import (
    HALFWAY,
    PASSKEYS,
    PASSWORD,
    add_passkey,
    is_in,
    log_in,
    log_in_by_passkey,
    logged_in,
    recovery_codes,
    use_passkey,
)
from tests.support.pages import page_of
from tests.support.passkeys import SoftwareKey

# ``nothing_counted``: rate limits count nothing that other tests sent.
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
ADD, USE = f"{PASSKEYS}add/", f"{PASSKEYS}reauthenticate/"
KAI = "/cards/spycraft/kai/reviews/"


@pytest.fixture(autouse=True)
def public_site(settings):
    """A site with https counts as public."""
    settings.HTTPS = True


@pytest.fixture
def key():
    return SoftwareKey()


@pytest.fixture
def chief(client):
    """A client of the site's first operator, made by the command and logged in for the first time."""
    call_command("createsuperuser", interactive=False, username="chief", email="chief@example.org")
    user = User.objects.get()
    user.set_password(PASSWORD)
    user.save()
    log_in(client, "chief")
    return client


def use(client, key: SoftwareKey, back="/"):
    """Show the passkey, to be redirected to ``back``."""
    return use_passkey(client, key, USE, next=back)


def reached(client, address) -> str:
    """The address at which a visit of this address ends."""
    answer = client.get(address, follow=True)
    return str(answer.redirect_chain[-1][0].partition("?")[0]) if answer.redirect_chain else address


def leads_to_log_in(answer) -> bool:
    """True if the answer redirects to the admin's log-in, which asks for the passkey."""
    return answer.status_code == 302 and answer["Location"].startswith("/admin/login/")


def admins_addresses() -> Iterator[str]:
    """Yield the address of every page of the admin except log-in and log-out, with 1 as the key of
    its row.
    """
    values = {"<path:object_id>": "1", "<int:content_type_id>": "1", "<path:url>": "nothing/"}
    for pattern in admin.site.get_urls():
        # A model's pages are patterns of their own behind its prefix.
        inner_patterns = getattr(pattern, "url_patterns", None)
        inside = [f"{pattern.pattern}{inner.pattern}" for inner in inner_patterns or ()]
        for route in inside or [str(pattern.pattern)]:
            for parameter, value in values.items():
                route = route.replace(parameter, value)
            # The last two kinds are regular expressions, which name no address.
            if not route.startswith(("login/", "logout/", "(?P<")) and "^" not in route:
                yield f"/admin/{route}"


def test_a_new_superuser_gets_in_by_adding_a_passkey_and_using_it(chief, key):
    assert reached(chief, "/admin/") == reached(chief, "/status/") == ADD
    assert staff_module.ADD_ONE in page_of(chief.get("/status/", follow=True)).text
    add_passkey(chief, key)
    assert staff_module.USE_IT in page_of(chief.get("/status/", follow=True)).text
    assert reached(chief, "/admin/decks/deck/") == USE
    assert use(chief, key, "/admin/decks/deck/")["Location"] == "/admin/decks/deck/"
    assert chief.get("/admin/decks/deck/").status_code == chief.get("/status/").status_code == 200


def test_no_page_or_form_of_the_admin_opens_without_a_passkey(chief):
    addresses = list(admins_addresses())
    assert len(addresses) > 40, "all models have pages"
    for address in addresses:
        assert leads_to_log_in(chief.get(address)), address
        assert leads_to_log_in(chief.post(address)), address


def test_every_page_of_the_admin_opens_after_a_log_in_with_a_passkey(chief, key):
    add_passkey(chief, key)
    by_key = Client()
    log_in_by_passkey(by_key, key)
    assert [address for address in admins_addresses() if leads_to_log_in(by_key.get(address))] == []


def test_a_recovery_code_logs_staff_in_but_does_not_open_the_admin(chief, key):
    add_passkey(chief, key)
    other = logged_in("chief")
    other.post(HALFWAY, {"code": recovery_codes(chief)[-1]})
    assert is_in(other) and reached(other, "/admin/") == USE


def test_a_passkey_makes_no_account_staff_and_a_removed_one_no_longer_opens_the_admin(chief, key):
    add_passkey(chief, key)
    use(chief, key)
    User.objects.update(is_staff=False)
    assert chief.get("/status/").status_code == 404 and chief.get("/admin/", follow=True).status_code == 403
    User.objects.update(is_staff=True)
    Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).delete()
    assert reached(chief, "/admin/") == ADD


def test_a_private_site_asks_staff_for_no_passkey(chief, settings):
    """Browsers have no passkeys for an IP address or without https, and by default a site is served at
    http://127.0.0.1:8000.
    """
    settings.HTTPS = False
    assert chief.get("/admin/").status_code == chief.get("/status/").status_code == 200


# -- moderating on the pages of the site ------------------------------------------------------


def test_staff_decide_about_a_review_only_after_showing_a_passkey(chief, key):
    card, anna = Card.objects.in_game("spycraft").get(code="kai"), User.objects.create_user("anna")
    hidden = Review.objects.create(card=card, author=anna, text="Rude.", hidden=True)
    add_passkey(chief, key)
    shown, delete = page_of(chief.get(KAI)), {"do": "delete"}
    assert "Rude." not in shown.text and reached(chief, shown.link("show a passkey")) == USE
    assert chief.post(f"{KAI}{hidden.pk}/", delete)["Location"] == f"{USE}?next={KAI.replace('/', '%2F')}"
    assert Review.objects.get().hidden
    use(chief, key)
    shown = page_of(chief.get(KAI))
    assert "Rude." in shown.text and "show a passkey" not in shown.text
    assert chief.post(f"{KAI}{hidden.pk}/", delete)["Location"] == KAI
    assert not Review.objects.exists()


def test_staff_decide_about_a_comment_only_after_showing_a_passkey(chief, key):
    anna, bert = (User.objects.create_user(name) for name in ("anna", "bert"))
    deck = Deck.objects.create(
        game="spycraft", format="standard", name="Hers", owner=anna, visibility=Visibility.PUBLIC
    )
    waiting = Comment.objects.create(deck=deck, author=bert, text="Rude.")
    add_passkey(chief, key)
    comments, refuse = f"/decks/{deck.link}/comments/", {"do": "refuse"}
    shown = page_of(chief.get(comments)).text
    assert "Rude." not in shown and "show a passkey" in shown
    assert chief.post(f"{comments}{waiting.pk}/", refuse)["Location"].startswith(USE)
    use(chief, key)
    assert "Rude." in page_of(chief.get(comments)).text
    assert chief.post(f"{comments}{waiting.pk}/", refuse)["Location"] == comments
    assert Comment.objects.get().state == Comment.State.HIDDEN


def test_only_one_module_asks_who_is_staff():
    """Any other module that asked would forget the passkey. Two only name the columns: adapter.py to find
    unfinished sign-ups, which are never staff, and kinds.py to leave them out of the export.
    """
    asks = re.compile("is_staff|is_superuser|staff_member_required|IsAdminUser")
    asking = [
        str(path.relative_to(ROOT))
        for place, kind in (("cardsdb", "py"), ("decks", "py"), ("printing", "py"), ("templates", "html"))
        for path in (ROOT / place).rglob(f"*.{kind}")
        if asks.search(path.read_text(encoding="utf-8"))
    ]
    assert sorted(asking) == [
        "cardsdb/identity/staff.py",
        "decks/accounts/adapter.py",
        "decks/accounts/kinds.py",
    ]
