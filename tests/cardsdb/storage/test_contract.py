"""The contract of stores, kept by folders and buckets alike."""

import errno
import time
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages

from cardsdb.operate.backup import kept

NAME = "ab/abcd.pdf"
# Larger than one part of a bucket's upload.
LARGE = (16 << 20) + 5_000


@pytest.fixture(params=["folder", "bucket"])
def store(request, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    if request.param == "bucket":
        request.getfixturevalue("bucket")
    yield storages["jobs"]


def test_a_saved_file_is_read_whole_in_pieces_and_from_any_place_and_has_no_url(store):
    store.save(NAME, ContentFile(b"all of it"))
    with pytest.raises(NotImplementedError):
        store.url(NAME)
    # Each store has files of its own.
    assert not storages["pictures"].exists(NAME)
    with store.open(NAME) as file:
        file.seek(4)
        assert (store.read(NAME), file.read(2)) == (b"all of it", b"of")
    stream = store.stream(NAME)
    assert (stream.size, stream.read(3), stream.read(-1), stream.read(5)) == (9, b"all", b" of it", b"")
    stream.close()


def test_a_missing_file_raises_file_not_found_and_an_empty_store_lists_none(store):
    for read in (store.read, store.open, store.stream):
        with pytest.raises(FileNotFoundError):
            read(NAME)
    store.delete(NAME)
    assert not store.exists(NAME) and store.sizes([NAME]) == store.sizes([]) == {}
    assert [*store.files(), *store.unfinished()] == []


def test_saving_again_replaces_a_file(store):
    for content in (b"the first, longer", b"the second"):
        assert store.save(NAME, ContentFile(content)) == NAME
    assert store.read(NAME) == b"the second" and [file.size for file in store.files()] == [10]


def test_files_are_listed_with_bytes_and_time(store):
    for name in ("ab/abcd", "ab/abcd.mask", "ab/abce", "b"):
        store.save(name, ContentFile(name.encode()))
    # The content of each file is its own name.
    sizes = {"ab/abcd": 7, "ab/abcd.mask": 12}
    assert {file.name: file.size for file in store.files("ab/abcd")} == sizes
    assert store.sizes([*sizes, "ab/abcd.gone"]) == sizes
    assert store.sizes(["ab/abcd", "ab/abce"]) == {"ab/abcd": 7, "ab/abce": 7}
    assert [file.name for file in store.files()] == ["ab/abcd", "ab/abcd.mask", "ab/abce", "b"]
    assert all(abs(file.written - time.time()) < 60 for file in store.files())
    store.delete("b")
    assert not store.exists("b") and len(list(store.files())) == 3


def test_a_file_gets_its_name_when_it_is_complete(store):
    with store.writing(NAME) as file:
        file.write(b"x" * LARGE)
        assert not store.exists(NAME) and list(store.files()) == []
        file.seek(0)
        file.write(b"y")
    assert store.sizes([NAME]) == {NAME: LARGE} and store.read(NAME)[:2] == b"yx"
    with pytest.raises(KeyboardInterrupt), store.writing("half") as file:
        file.write(b"half")
        raise KeyboardInterrupt
    assert [file.name for file in store.files()] == [NAME] and list(store.unfinished()) == []


def test_two_writers_of_one_file_do_not_mix(store):
    with store.writing(NAME) as first, store.writing(NAME) as second:
        for _ in range(3):
            first.write(b"first ")
            second.write(b"second ")
    assert store.read(NAME) in (b"first " * 3, b"second " * 3)


def test_an_unfinished_file_of_a_dead_process_is_listed_and_dropped(store):
    leave_half(store)
    (half,) = store.unfinished()
    assert half.name.startswith("ab/abcd") and list(store.files()) == []
    store.delete_unfinished(half)
    store.delete_unfinished(half)
    assert list(store.unfinished()) == []


def leave_half(store: Any) -> None:
    if store.is_remote:
        store.client.create_multipart_upload(Bucket=store.bucket_name, Key=f"{store.location}/{NAME}")
    else:
        path = Path(store.location) / f"{NAME}.0a0b.part"
        path.parent.mkdir(parents=True)
        path.write_bytes(b"half")


def test_a_folder_lists_linked_files_and_skips_missing_ones(tmp_path, settings):
    settings.VAR_DIR = tmp_path
    jobs: Any = storages["jobs"]
    jobs.save("ab/abcd", ContentFile(b"a"))
    assert (tmp_path / "jobs" / "ab" / "abcd").stat().st_mode & 0o077 == 0
    (tmp_path / "jobs" / "ab").rename(tmp_path / "elsewhere")
    (tmp_path / "jobs" / "ab").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "jobs" / "gone.pdf").symlink_to(tmp_path / "nothing")
    assert [file.name for file in jobs.files()] == ["ab/abcd"]


def test_a_folder_that_cannot_be_read_raises_and_is_not_taken_as_empty(tmp_path, settings, monkeypatch):
    settings.VAR_DIR, settings.CUTOUT_PICTURES = tmp_path, ""
    storages["jobs"].save("a", ContentFile(b"a"))
    with monkeypatch.context() as broken:
        broken.setattr("os.scandir", Mock(side_effect=OSError(errno.EIO, "Input/output error")))
        for files in (storages["jobs"].files, kept):
            with pytest.raises(OSError, match="Input/output"):
                list(files())
