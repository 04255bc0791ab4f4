"""STORAGE_URL: the address of the store of files."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from cardsdb.environment import STORES, file_stores


def options(url: str, store: str = "jobs") -> dict[str, Any]:
    found: dict[str, Any] = file_stores(url)[store]["OPTIONS"]
    return found


def test_without_an_address_files_are_in_folders():
    assert options("") == {"folder": "jobs", "setting": ""}
    assert options("", "pictures") == {"folder": "pictures", "setting": "CUTOUT_PICTURES"}


def test_an_address_names_server_bucket_and_credentials():
    assert options("s3://key:se%2Fcret@store.example:9000/files?region=eu-west-1&scheme=http") == {
        "bucket_name": "files",
        "location": "jobs",
        "endpoint_url": "http://store.example:9000",
        "region_name": "eu-west-1",
        "aws": False,
        "access_key": "key",
        "secret_key": "se/cret",
    }


def test_https_is_the_default_and_credentials_are_optional():
    found = options("s3://s3.eu-west-1.amazonaws.com/files")
    assert (found["endpoint_url"], found["aws"]) == ("https://s3.eu-west-1.amazonaws.com", True)
    assert "access_key" not in found and "secret_key" not in found


def test_several_sites_share_a_bucket_under_different_prefixes():
    assert {options("s3://h/files/our/site/", name)["location"] for name in STORES} == {
        f"our/site/{name}" for name in STORES
    }


@pytest.mark.parametrize(
    "url",
    [
        "https://key:hidden@host/bucket",
        "s3://key:hidden@host",
        "s3://key:hidden@/bucket",
        "s3://key:hidden@host:many/bucket",
        "s3://key:hidden@host/bucket?scheme=ftp",
        "s3://key:hidden@host/bucket?regoin=eu",
        "s3://key:hidden@host/bucket?region",
        "s3://hidden@host/bucket",
    ],
)
def test_a_bad_address_is_reported_without_its_secret(url):
    with pytest.raises(ImproperlyConfigured, match="STORAGE_URL must") as caught:
        file_stores(url)
    assert "hidden" not in str(caught.value)
