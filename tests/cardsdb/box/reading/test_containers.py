"""Archives that would fill memory, lead elsewhere or hide something are refused with a sentence, and nothing
is unpacked to a name.
"""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest

from cardsdb.box.reading import container
from cardsdb.box.reading.container import BadPackage, open_file, open_folder, opened
from cardsdb.box.reading.formats import package_of
from tests.support.packages import tarred, workbook, zipped


@pytest.mark.parametrize(
    "name", ["../set.xml", "/etc/set.xml", "a/../../set.xml", "C:\\set.xml", "..\\set.xml", "a\nb.xml"]
)
@pytest.mark.parametrize("packed", [zipped, tarred])
def test_a_name_that_leads_elsewhere_is_refused(name: str, packed: object) -> None:
    with pytest.raises(BadPackage) as refused:
        open_file(io.BytesIO(packed({"ok.xml": b"<a/>", name: b"<a/>"})), "x.zip")  # type: ignore[operator]
    assert refused.value.code == "bad_name"


def test_links_are_refused(tmp_path: Path) -> None:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        link = tarfile.TarInfo("set.xml")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    with pytest.raises(BadPackage, match="link"):
        open_file(out, "x.tgz")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        info = zipfile.ZipInfo("set.xml")
        info.external_attr = 0o120777 << 16
        packed.writestr(info, "/etc/passwd")
    with pytest.raises(BadPackage, match="link"):
        open_file(out, "x.zip")
    (tmp_path / "secret.xml").symlink_to("/etc/passwd")
    assert open_folder(tmp_path).names == ()


@pytest.mark.parametrize("packed", [zipped, tarred])
def test_what_is_a_thousand_times_as_large_unpacked_is_refused(
    packed: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(container, "LARGE", 100_000)
    data = packed({"set.xml": b" " * 2_000_000})  # type: ignore[operator]
    with pytest.raises(BadPackage) as refused:
        open_file(io.BytesIO(data), "x.zip").text_file("set.xml")
    assert refused.value.code == "bomb"


@pytest.mark.parametrize("packed", [zipped, tarred])
def test_a_package_is_unpacked_only_so_far(packed: object) -> None:
    data = packed({f"{number}.csv": bytes(range(256)) * 10 for number in range(10)})  # type: ignore[operator]
    with pytest.raises(BadPackage) as refused:
        files = open_file(io.BytesIO(data), "x.zip", most=12_000)
        for name in files.names:
            files.text_file(name)
    assert refused.value.code == "too_large"


def test_one_file_may_be_read_again_and_again() -> None:
    files = open_file(io.BytesIO(zipped({"a.csv": b"x" * 1_000})), "x.zip", most=1_500)
    assert [files.text_file("a.csv") for _ in range(3)] == [b"x" * 1_000] * 3


def test_too_many_files_a_lock_and_damage_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = zipped({f"{number}.csv": b"name" for number in range(5)})
    monkeypatch.setattr(container, "MAX_FILES", 4)
    with pytest.raises(BadPackage, match="more than 4 files"):
        open_file(io.BytesIO(whole), "x.zip")
    monkeypatch.undo()
    with pytest.raises(BadPackage, match="damaged"):
        open_file(io.BytesIO(whole[: len(whole) // 2]), "x.zip")
    with pytest.raises(BadPackage, match="damaged"):
        open_file(io.BytesIO(tarred({"a.csv": b"name"})[:40]), "x.tgz")
    locked = bytearray(zipped({"a.csv": b"name"}))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.find(mark) + at] |= 1
    with pytest.raises(BadPackage, match="password"):
        open_file(io.BytesIO(bytes(locked)), "x.zip")


def test_what_systems_add_by_themselves_is_not_there() -> None:
    files = open_file(
        io.BytesIO(zipped({"__MACOSX/a.csv": b"", ".DS_Store": b"", "a.csv": b"name", "b/._a.jpg": b""})),
        "x.zip",
    )
    assert files.names == ("a.csv",)


def tar_of(*members: tarfile.TarInfo) -> bytes:
    return gzip.compress(b"".join(member.tobuf(tarfile.GNU_FORMAT) for member in members) + bytes(1_024))


def named(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member


@pytest.mark.parametrize(
    "kind",
    [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.GNUTYPE_SPARSE],
)
@pytest.mark.parametrize("size", [-512, -1_024, 2**62])
def test_a_tar_that_leads_back_or_nowhere_is_refused_or_ends(kind: bytes, size: int) -> None:
    try:
        with open_file(io.BytesIO(tar_of(named("a.csv"), named("b.csv", size, kind))), "x.tgz") as files:
            assert files.names[:1] == ("a.csv",) and len(files.names) < 3
    except BadPackage as refused:
        assert refused.code in ("damaged", "bad_name", "link")


def test_the_folders_of_an_archive_count_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MAX_FILES", 4)
    for data in (
        tar_of(*(named(f"{number}", 0, tarfile.DIRTYPE) for number in range(5))),
        zipped({f"{n}/": b"" for n in range(5)}),
    ):
        with pytest.raises(BadPackage, match="more than 4 files"):
            open_file(io.BytesIO(data), "x.zip")


@pytest.mark.parametrize("format", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_name_without_end_is_not_read(format: int) -> None:
    member = tarfile.TarInfo("a" * 200_000)
    with pytest.raises(BadPackage, match="name has no end"):
        open_file(io.BytesIO(gzip.compress(member.tobuf(format) + bytes(1_024))), "x.tgz")
    with open_file(
        io.BytesIO(gzip.compress(tarfile.TarInfo("a" * 250).tobuf(format) + bytes(1_024))), "x.tgz"
    ) as files:
        assert files.names == ("a" * 250,)


def test_a_zip_whose_list_of_files_is_too_long_is_refused_before_it_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(container, "MAX_LIST", 1_000)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    many = zipped_before(30)
    with pytest.raises(BadPackage, match="files"):
        open_file(io.BytesIO(many), "x.zip")


def zipped_before(files: int, real: type[zipfile.ZipFile] = zipfile.ZipFile) -> bytes:
    out = io.BytesIO()
    with real(out, "w") as archive:
        for number in range(files):
            archive.writestr(f"{number}.csv", b"name")
    return out.getvalue()


def test_a_file_packed_otherwise_that_is_damaged_is_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a.csv", b"name,text\n" * 50)
    data = bytearray(out.getvalue())
    data[39:44] = b"\xff" * 5
    with pytest.raises(BadPackage, match="damaged"):
        open_file(io.BytesIO(bytes(data)), "x.zip").text_file("a.csv")


def test_a_workbook_in_a_package_spends_what_the_package_may_unpack() -> None:
    rows = [["name", "text"], *(["Nobody", f"{number} words."] for number in range(50))]
    package = zipped({"a.xlsx": workbook(rows), "b.xlsx": workbook(rows)})
    assert len(list(package_of(open_file(io.BytesIO(package), "x.zip"), "x.zip").rows())) == 100
    with pytest.raises(BadPackage, match="too large unpacked"):
        list(package_of(open_file(io.BytesIO(package), "x.zip", most=10_000), "x.zip").rows())


def test_two_files_of_one_name_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, pytest.warns(UserWarning, match="Duplicate"):
        for _ in range(2):
            archive.writestr("a.csv", b"name")
    with pytest.raises(BadPackage, match="two files of the same name"):
        open_file(out, "x.zip")


def test_a_folder_of_this_machine_is_read_like_its_archive(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("name")
    with opened(tmp_path) as files:
        assert list(files.names) == ["a.csv"]


def test_a_folder_with_too_many_files_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "MAX_FILES", 2)
    for number in range(3):
        (tmp_path / f"{number}.csv").write_text("name")
    with pytest.raises(BadPackage, match="more than 2 files"):
        open_folder(tmp_path)


def test_a_file_takes_as_many_bytes_of_its_package_as_it_is_packed_in(tmp_path: Path) -> None:
    data = b"x" * 5_000
    (tmp_path / "a.csv").write_bytes(data)
    assert open_folder(tmp_path).packed("a.csv") == 5_000
    with open_file(io.BytesIO(tarred({"a.csv": data})), "x.tgz") as files:
        assert files.packed("a.csv") == 5_000
    assert open_file(io.BytesIO(data), "a.csv").packed("a.csv") == 5_000
    assert 0 < open_file(io.BytesIO(zipped({"a.csv": data})), "x.zip").packed("a.csv") < 500


def test_a_damaged_file_is_refused_when_its_kind_is_looked_for() -> None:
    whole = bytearray(zipped({"a.csv": b"".join(sha256(bytes([number])).digest() for number in range(60))}))
    whole[60:90] = bytes(30)
    with pytest.raises(BadPackage, match="is damaged or cannot be unpacked"):
        open_file(io.BytesIO(bytes(whole)), "x.zip").beginning("a.csv")


@pytest.mark.parametrize(
    ("data", "is_packed"),
    [
        (zipped({"a.png": b"x"}), True),
        (tarred({"a.png": b"x"}), True),
        (b"\xff\xd8\xff\xe0", False),
        (b"", False),
    ],
    ids=["zip", "tgz", "jpeg", "empty"],
)
def test_an_archive_is_known_by_its_first_bytes_and_read_from_its_beginning(
    data: bytes, is_packed: bool
) -> None:
    file = io.BytesIO(data)
    assert container.is_archive(file) is is_packed and file.tell() == 0


@pytest.mark.parametrize("name", ["kai.HEIC", "kai.jxl", "kai.svg", "kai.tiff", "kai.jfif", "kai.psd"])
def test_whatever_may_be_a_picture_counts_as_one(name: str) -> None:
    assert open_file(io.BytesIO(zipped({name: b"x", "notes.txt": b"x"})), "x.zip").pictures == (name,)
