"""Opening packages: archives that would fill memory, lead outside or hide something are refused with a
sentence.
"""

import gzip
import io
import tarfile
import zipfile
from collections.abc import Callable, Mapping
from hashlib import sha256

import pytest

from cardsdb.box.reading import container
from cardsdb.box.reading.container import LARGE, MAX_LIST, MAX_NAME, BadPackage, open_folder, opened
from tests.support.packages import files_of, package, tarred, workbook, zipped

Packed = Callable[[Mapping[str, bytes]], bytes]
PACKED = pytest.mark.parametrize("packed", [zipped, tarred])


# -- names that lead outside -----------------------------------------------------------


@PACKED
@pytest.mark.parametrize(
    "name",
    [
        "../set.xml",
        "/etc/set.xml",
        "a/../../set.xml",
        "C:\\set.xml",
        "..\\set.xml",
        "a\nb.xml",
        "a" * (MAX_NAME + 1),
    ],
)
def test_a_name_that_leads_elsewhere_is_refused(name, packed):
    with pytest.raises(BadPackage) as refused:
        files_of(packed({"ok.xml": b"<a/>", name: b"<a/>"}))
    assert refused.value.code == "bad_name"


def named(name: str, size: int = 0, kind: bytes = tarfile.REGTYPE) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.size, member.type = size, kind
    return member


def tar_of(*members: tarfile.TarInfo, format: int = tarfile.GNU_FORMAT) -> bytes:
    return gzip.compress(b"".join(member.tobuf(format) for member in members) + bytes(1_024))


def zip_of(*members: zipfile.ZipInfo | str, way: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", way) as archive:
        for member in members:
            archive.writestr(member, b"name,text\n" * 50)
    return out.getvalue()


def test_links_are_refused(tmp_path):
    link = named("set.xml", kind=tarfile.SYMTYPE)
    link.linkname = "/etc/passwd"
    packed = zipfile.ZipInfo("set.xml")
    # The upper 16 bits are the mode in Unix, here that of a symbolic link.
    packed.external_attr = 0o120777 << 16
    for data in (tar_of(link), zip_of(packed)):
        with pytest.raises(BadPackage, match="link"):
            files_of(data)
    (tmp_path / "secret.xml").symlink_to("/etc/passwd")
    assert open_folder(tmp_path).names == ()


def test_files_that_operating_systems_add_are_ignored():
    files = {"__MACOSX/a.csv": b"", ".DS_Store": b"", "a.csv": b"name", "b/._a.jpg": b""}
    assert files_of(zipped(files)).names == ("a.csv",)


# -- limits ----------------------------------------------------------------------------


@PACKED
def test_a_file_a_thousand_times_as_large_unpacked_is_refused(packed):
    with pytest.raises(BadPackage) as refused:
        files_of(packed({"set.xml": b" " * (LARGE + 1)})).text_file("set.xml")
    assert refused.value.code == "bomb"


@PACKED
def test_a_package_has_a_limit_of_unpacked_bytes_to_which_each_file_counts_once(packed):
    data = packed({f"{number}.csv": bytes(range(256)) * 10 for number in range(10)})
    with pytest.raises(BadPackage) as refused:
        files = files_of(data, most=12_000)
        for name in files.names:
            files.text_file(name)
    assert refused.value.code == "too_large"
    with files_of(packed({"a.csv": b"x" * 20_000}), most=31_000) as one:
        assert [one.text_file("a.csv") for _ in range(3)] == [b"x" * 20_000] * 3


def test_a_workbook_in_a_package_counts_towards_the_limit_of_the_package():
    rows = [["name", "text"], *(["Nobody", f"{number} words."] for number in range(50))]
    data = zipped({"a.xlsx": workbook(rows), "b.xlsx": workbook(rows)})
    assert len(list(package(data, "x.zip").rows())) == 100
    with pytest.raises(BadPackage, match="too large unpacked"):
        files = files_of(data, most=10_000)
        for name in files.names:
            with files.inside(name) as book:
                book.text_file("xl/worksheets/sheet1.xml")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le"])
def test_the_xml_elements_of_all_files_of_a_package_are_limited_together(tmp_path, encoding, monkeypatch):
    monkeypatch.setattr(container, "MAX_ELEMENTS", 10)
    for number in range(2):
        (tmp_path / f"{number}.xml").write_bytes("<x/>".encode(encoding) * 5)
    with opened(tmp_path) as files:
        for name in (*files.names, *files.names):
            files.text_file(name)
    (tmp_path / "one.xml").write_text("<x>")
    files = open_folder(tmp_path)
    with pytest.raises(BadPackage, match="more than 10 elements"):
        for name in files.names:
            files.text_file(name)


@pytest.mark.parametrize(
    "data",
    [
        zipped({f"{number}.csv": b"name" for number in range(5)}),
        zipped({f"{number}/": b"" for number in range(5)}),
        tar_of(*(named(f"{number}", 0, tarfile.DIRTYPE) for number in range(5))),
        None,
    ],
    ids=["zip", "folders of a zip", "folders of a tar", "folder"],
)
def test_more_files_than_a_package_has_are_refused(data, tmp_path, monkeypatch):
    monkeypatch.setattr(container, "MAX_FILES", 4)
    assert len(files_of(zipped({f"{number}.csv": b"" for number in range(4)})).names) == 4
    for number in range(5):
        (tmp_path / f"{number}.csv").write_text("name")
    with pytest.raises(BadPackage, match="more than 4 files"):
        files_of(data) if data else open_folder(tmp_path)


def test_a_zip_whose_list_of_files_is_too_long_is_refused_before_it_is_read():
    data = bytearray(zipped({"a.csv": b"name"}))
    # The size of the directory as the archive's end states it. Reading the directory would fail differently.
    data[-10:-6] = (MAX_LIST + 1).to_bytes(4, "little")
    with pytest.raises(BadPackage, match="more than 20,000 files"):
        files_of(bytes(data))


@pytest.mark.parametrize("format", [tarfile.GNU_FORMAT, tarfile.PAX_FORMAT])
def test_a_name_without_end_is_not_read(format):
    with pytest.raises(BadPackage, match="name has no end"):
        files_of(tar_of(named("a" * 200_000), format=format))
    with files_of(tar_of(named("a" * 250), format=format)) as files:
        assert files.names == ("a" * 250,)


# -- damage ----------------------------------------------------------------------------


def locked() -> bytes:
    """Return a zip whose file is marked as encrypted, in the file's own header and in the directory."""
    data = bytearray(zip_of("a.csv"))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(mark) + at] |= 1
    return bytes(data)


def harmed(data: bytes, begin: int, end: int, by: bytes) -> bytes:
    """Return the data with the bytes from ``begin`` to ``end`` replaced. In a zip of one file the packed
    content begins at 35, behind a header of 30 bytes and the name "a.csv".
    """
    return data[:begin] + by * (end - begin) + data[end:]


# Bytes that no method can pack.
NOISE = b"".join(sha256(bytes([number])).digest() for number in range(60))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (zip_of("a.csv", "b.csv")[:100], "archive is damaged"),
        (tarred({"a.csv": b"name"})[:40], "archive is damaged"),
        (harmed(zipped({"a.csv": NOISE}), 60, 90, b"\0"), "a.csv is damaged or cannot be unpacked"),
        (harmed(zip_of("a.csv", way=zipfile.ZIP_LZMA), 39, 44, b"\xff"), "a.csv is damaged"),
        (locked(), "password"),
    ],
    ids=["half a zip", "half a tgz", "bytes of a file", "packed otherwise", "locked"],
)
def test_an_archive_that_is_damaged_or_locked_is_refused(data, message):
    with pytest.raises(BadPackage, match=message):
        files_of(data).beginning("a.csv")


def test_two_files_of_one_name_are_refused():
    with pytest.warns(UserWarning, match="Duplicate"):
        data = zip_of("a.csv", "a.csv")
    with pytest.raises(BadPackage, match="two files of the same name"):
        files_of(data)


@pytest.mark.parametrize(
    "kind",
    [tarfile.REGTYPE, tarfile.DIRTYPE, tarfile.GNUTYPE_LONGNAME, tarfile.XHDTYPE, tarfile.GNUTYPE_SPARSE],
)
@pytest.mark.parametrize("size", [-512, -1_024, 2**62])
def test_a_tar_whose_sizes_lead_back_or_nowhere_does_not_loop(kind, size):
    try:
        with files_of(tar_of(named("a.csv"), named("b.csv", size, kind))) as files:
            assert files.names[:1] == ("a.csv",) and len(files.names) < 3
    except BadPackage as refused:
        assert refused.code in ("damaged", "bad_name", "link")


# -- contents --------------------------------------------------------------------------


def test_an_archive_is_known_by_its_first_bytes_and_read_from_its_beginning():
    for data in (zipped({"a.png": b"x"}), tarred({"a.png": b"x"}), b"\xff\xd8\xff\xe0", b""):
        file = io.BytesIO(data)
        assert container.is_archive(file) is (len(data) > 4) and file.tell() == 0


def test_every_ending_of_a_picture_counts_as_a_picture():
    names = tuple(f"kai.{ending}" for ending in ("HEIC", "jxl", "svg", "tiff", "jfif", "psd", "pdf"))
    assert files_of(zipped(dict.fromkeys((*names, "notes.txt"), b"x"))).pictures == names
