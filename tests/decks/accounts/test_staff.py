"""Staff of a public site: nothing that staff alone may do is theirs until they have shown a passkey, and no
page locks them out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

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
from tests.decks.accounts.test_passkeys import PASSWORD, asked, codes_of, log_in
from tests.support.pages import page_of
from tests.support.passkeys import SoftwareKey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("nothing_counted"), pytest.mark.one_database]
ADD, USE = "/accounts/2fa/webauthn/add/", "/accounts/2fa/webauthn/reauthenticate/"
KAI = "/cards/spycraft/kai/reviews/"


@pytest.fixture(autouse=True)
def public_site(settings: Any) -> None:
    settings.HTTPS = True


@pytest.fixture
def key() -> SoftwareKey:
    return SoftwareKey()


@pytest.fixture
def chief(client: Client) -> Client:
    """Who runs the site: made by the command, logged in for the first time."""
    call_command("createsuperuser", interactive=False, username="chief", email="chief@example.org")
    user = User.objects.get()
    user.set_password(PASSWORD)
    user.save()
    client.post("/accounts/login/", {"login": "chief", "password": PASSWORD})
    return client


def add(client: Client, key: SoftwareKey) -> None:
    options = asked(client.get(ADD))["creation_options"]
    client.post(ADD, {"name": "Blue key", "passwordless": "on", "credential": key.make(options)})


def use(client: Client, key: SoftwareKey, back: str = "/") -> Any:
    options = asked(client.get(USE, {"next": back}))["request_options"]
    return client.post(USE, {"credential": key.use(options), "next": back})


def reached(client: Client, address: str) -> str:
    """Where a visit of the address ends."""
    answer = client.get(address, follow=True)
    return str(answer.redirect_chain[-1][0].partition("?")[0]) if answer.redirect_chain else address


def leads_to_log_in(answer: Any) -> bool:
    """Whether this is the way to the admin's log-in, which leads on to the passkey."""
    return answer.status_code == 302 and answer["Location"].startswith("/admin/login/")


def admins_addresses() -> Iterator[str]:
    """Every page of the admin, as one of its rows 1 would have it, but for its log-in and its log-out."""
    for pattern in admin.site.get_urls():
        for one in getattr(pattern, "url_patterns", [pattern]):
            route = f"{pattern.pattern}{one.pattern}" if one is not pattern else str(pattern.pattern)
            route = (
                route.replace("<path:object_id>", "1")
                .replace("<int:content_type_id>", "1")
                .replace("<path:url>", "nothing/")
            )
            if not route.startswith(("login/", "logout/", "(?P<")) and "^" not in route:
                yield f"/admin/{route}"


def test_who_was_made_by_the_command_gets_in_by_adding_a_passkey_and_using_it(
    chief: Client, key: SoftwareKey
) -> None:
    assert reached(chief, "/admin/") == ADD
    add(chief, key)
    assert reached(chief, "/admin/decks/deck/") == USE
    assert use(chief, key, "/admin/decks/deck/")["Location"] == "/admin/decks/deck/"
    assert chief.get("/admin/decks/deck/").status_code == 200


@pytest.mark.parametrize(("has_one", "said"), [(False, staff_module.ADD_ONE), (True, staff_module.USE_IT)])
def test_the_page_that_one_is_led_to_says_why(
    chief: Client, key: SoftwareKey, has_one: bool, said: str
) -> None:
    if has_one:
        add(chief, key)
    assert said in page_of(chief.get("/status/", follow=True)).text


def test_no_page_and_no_form_of_the_admin_is_reached_without_a_passkey(chief: Client) -> None:
    addresses = list(admins_addresses())
    assert len(addresses) > 40
    assert {
        address
        for address in addresses
        if not leads_to_log_in(chief.get(address)) or not leads_to_log_in(chief.post(address))
    } == set()


def test_every_page_of_the_admin_is_reached_by_who_logged_in_with_a_passkey(
    chief: Client, key: SoftwareKey
) -> None:
    add(chief, key)
    by_key = Client()
    log_in(by_key, key)
    assert [address for address in admins_addresses() if leads_to_log_in(by_key.get(address))] == []


def test_the_state_of_the_site_is_shown_to_who_used_a_passkey(chief: Client, key: SoftwareKey) -> None:
    assert reached(chief, "/status/") == ADD
    add(chief, key)
    assert use(chief, key, "/status/")["Location"] == "/status/" and chief.get("/status/").status_code == 200


def test_a_recovery_code_in_place_of_the_passkey_lets_staff_in_as_everybody_is(
    chief: Client, key: SoftwareKey
) -> None:
    add(chief, key)
    code, other = codes_of(chief)[-1], Client()
    other.post("/accounts/login/", {"login": "chief", "password": PASSWORD})
    other.post("/accounts/2fa/authenticate/", {"code": code})
    assert other.get("/account/").status_code == 200 and reached(other, "/admin/") == USE


def test_a_passkey_that_was_removed_raises_nothing_any_more(chief: Client, key: SoftwareKey) -> None:
    add(chief, key)
    use(chief, key)
    Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).delete()
    assert reached(chief, "/admin/") == ADD


def test_a_passkey_makes_nobody_staff(chief: Client, key: SoftwareKey) -> None:
    add(chief, key)
    use(chief, key)
    User.objects.update(is_staff=False)
    assert chief.get("/status/").status_code == 404 and chief.get("/admin/", follow=True).status_code == 403


def test_a_private_site_asks_staff_for_none(chief: Client, settings: Any) -> None:
    """Browsers know no passkeys at a number or without https, and the site is at http://127.0.0.1:8000 where
    nobody says otherwise.
    """
    settings.HTTPS = False
    assert chief.get("/admin/").status_code == chief.get("/status/").status_code == 200


# -- moderating on the pages of the site ------------------------------------------------------


@pytest.fixture
def hidden(db: None) -> Review:
    card = Card.objects.in_game("spycraft").get(code="kai")
    return Review.objects.create(
        card=card, author=User.objects.create_user("anna"), text="Rude.", hidden=True
    )


def test_a_review_is_decided_about_with_a_passkey_alone(
    chief: Client, key: SoftwareKey, hidden: Review
) -> None:
    add(chief, key)
    delete = {"do": "delete"}
    assert chief.post(f"{KAI}{hidden.pk}/", delete)["Location"] == f"{USE}?next={KAI.replace('/', '%2F')}"
    assert Review.objects.get().hidden
    use(chief, key)
    assert chief.post(f"{KAI}{hidden.pk}/", delete)["Location"] == KAI
    assert not Review.objects.exists()


def test_staff_without_a_passkey_see_the_reviews_that_everybody_sees_and_the_way_to_one(
    chief: Client, key: SoftwareKey, hidden: Review
) -> None:
    add(chief, key)
    shown = page_of(chief.get(KAI))
    assert "Rude." not in shown.text
    assert reached(chief, shown.link("show a passkey")) == USE
    use(chief, key)
    assert "Rude." in page_of(chief.get(KAI)).text and "show a passkey" not in page_of(chief.get(KAI)).text


@pytest.fixture
def waiting(db: None) -> Comment:
    anna = User.objects.create_user("anna")
    deck = Deck.objects.create(
        game="spycraft", format="standard", name="Hers", owner=anna, visibility=Visibility.PUBLIC
    )
    return Comment.objects.create(deck=deck, author=User.objects.create_user("bert"), text="Rude.")


def test_a_comment_is_decided_about_with_a_passkey_alone(
    chief: Client, key: SoftwareKey, waiting: Comment
) -> None:
    add(chief, key)
    comments = f"/decks/{waiting.deck.link}/comments/"
    assert (
        "Rude." not in page_of(chief.get(comments)).text
        and "show a passkey" in page_of(chief.get(comments)).text
    )
    assert chief.post(f"{comments}{waiting.pk}/", {"do": "refuse"})["Location"].startswith(USE)
    use(chief, key)
    assert "Rude." in page_of(chief.get(comments)).text
    assert chief.post(f"{comments}{waiting.pk}/", {"do": "refuse"})["Location"] == comments
    assert Comment.objects.get().state == Comment.State.HIDDEN


def test_one_module_alone_asks_who_is_staff() -> None:
    """What asks for itself would forget the passkey. The names of sign-ups that were broken off are told
    apart by what staff never are, and the export of an account names the columns that it leaves out.
    """
    asking = [
        str(path.relative_to(ROOT))
        for place, kind in (("cardsdb", "py"), ("decks", "py"), ("printing", "py"), ("templates", "html"))
        for path in (ROOT / place).rglob(f"*.{kind}")
        if any(
            word in path.read_text(encoding="utf-8")
            for word in ("is_staff", "is_superuser", "staff_member_required", "IsAdminUser")
        )
    ]
    assert sorted(asking) == [
        "cardsdb/identity/staff.py",
        "decks/accounts/adapter.py",
        "decks/accounts/kinds.py",
    ]
