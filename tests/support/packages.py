"""Uploaded files of other programs (OCTGN, GCCG, Cockatrice, Lackey, spreadsheets), written as those programs
write them, with invented words; also hostile files and files in odd encodings.
"""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterable, Mapping
from xml.sax.saxutils import escape, quoteattr

from cardsdb.box.reading.container import LARGE, MAX_SENT, Files, open_file
from cardsdb.box.reading.formats import package_of
from cardsdb.box.reading.rows import Package
from cardsdb.games.kit import Card

Texts = Iterable[tuple[Card, str]]


def files_of(data: bytes, name: str = "x.zip", most: int = MAX_SENT) -> Files:
    """Return the files inside an upload of these bytes under this name; ``most`` is the largest size in
    bytes.
    """
    return open_file(io.BytesIO(data), name, most)


def package(data: bytes, name: str = "mine.csv") -> Package:
    """Return the upload as a package, its format recognised."""
    return package_of(files_of(data, name), name)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a ZIP of these files (name -> bytes)."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def tarred(files: Mapping[str, bytes]) -> bytes:
    """Return a gzipped tar of these files (name -> bytes)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as archive:
        for name, data in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(data)
            archive.addfile(member, io.BytesIO(data))
    return out.getvalue()


def octgn_set(texts: Texts, id_fact: str = "octgn_id", **properties: str) -> bytes:
    """Return a ``set.xml`` of an OCTGN package: cards with ids, their text in the property Rules."""
    cards = []
    for card, text in texts:
        values = {"Type": card.type.title(), "Rules": text, **properties}
        inside = "".join(
            f"<property name={quoteattr(key)} value={quoteattr(value)} />" for key, value in values.items()
        )
        cards.append(f'<card id="{card.facts.get(id_fact, "")}" name={quoteattr(card.name)}>{inside}</card>')
    head = (
        '<?xml version="1.0" encoding="utf-8" standalone="yes"?>\n<set name="Invented" id="0" gameId="1"'
        ' version="1.0.0.0">'
    )
    return f"{head}<cards>{''.join(cards)}</cards></set>".encode()


def gccg_set(texts: Texts, abbrev: str = "PRE") -> bytes:
    """Return a set of a GCCG module: Latin-1, with a document type, the id in an attribute."""
    cards = []
    for card, text in texts:
        code = next((print_.code for print_ in card.prints if print_.set == abbrev), "")
        attr = f'<attr key="type" value="{card.type}"/><attr key="id" value="{code}"/>'
        about = f'name={quoteattr(card.name.upper())} text={quoteattr(text)} graphics="{card.code}.jpg"'
        cards.append(f"<card {about}>{attr}</card>")
    head = (
        '<?xml version="1.0" encoding="ISO-8859-1"?>\r\n<!DOCTYPE ccg-setinfo SYSTEM "../gccg-set.dtd">\r\n'
    )
    body = (
        '<ccg-setinfo name="Invented" game="X" dir="invented"'
        f' abbrev="{abbrev}"><cards>{"".join(cards)}</cards></ccg-setinfo>'
    )
    return (head + body).encode("latin-1")


def cockatrice_cards(texts: Texts) -> bytes:
    """Return a card database of Cockatrice."""
    cards = "".join(
        f"<card><name>{escape(card.name)}</name><text>{escape(text)}</text><prop><craft>9</craft></prop><set"
        f" num='{card.prints[0].number}'>{card.prints[0].set}</set></card>"
        for card, text in texts
    )
    return (
        f'<cockatrice_carddatabase version="4"><sets/><cards>{cards}</cards></cockatrice_carddatabase>'
    ).encode()


def lackey_table(texts: Texts, line_end: str = "\r") -> bytes:
    """Return a card table of LackeyCCG, with tabs between columns. ``line_end``: by default CR alone, which
    readers most easily overlook.
    """
    rows = ["Name\tSet\tImageFile\tType\tText"]
    rows += [f"{card.name}\t{card.prints[0].set}\t{card.code}\t{card.type}\t{text}" for card, text in texts]
    return line_end.join(rows).encode()


def workbook(rows: Iterable[Iterable[str]], shared: bool = True) -> bytes:
    """Return an XLSX file with one sheet. ``shared``: texts in the shared string table, as most programs
    write them, else in the cells.
    """
    texts: list[str] = []
    lines = []
    for number, row in enumerate(rows, 1):
        cells = ""
        for column, value in enumerate(row):
            address = f'r="{chr(65 + column)}{number}"'
            if not value:
                continue
            if shared:
                texts.append(value)
                cells += f'<c {address} t="s"><v>{len(texts) - 1}</v></c>'
            else:
                cells += f'<c {address} t="inlineStr"><is><t>{escape(value)}</t></is></c>'
        lines.append(f'<row r="{number}">{cells}</row>')
    shared_texts = "".join(f"<si><t>{escape(text)}</t></si>" for text in texts)
    name = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return zipped(
        {
            "[Content_Types].xml": b"<Types/>",
            "xl/sharedStrings.xml": f'<sst xmlns="{name}">{shared_texts}</sst>'.encode(),
            "xl/worksheets/sheet1.xml": (
                f'<worksheet xmlns="{name}"><sheetData>{"".join(lines)}</sheetData></worksheet>'.encode()
            ),
        }
    )


def hostile_files() -> list[tuple[str, bytes, str]]:
    """Return (name, bytes, part of the expected message) of files that would fill memory, write outside their
    folder, read other files, or are damaged. For the page "Bring your own" (``test_own_views.py``).
    """
    csv, padded = b"name,text\nKai,Mine.\n", b"name,text\n" + b" " * (LARGE + 1_000_000)
    laughs = '<!DOCTYPE set [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><set><card name="Kai">&b;</card></set>'
    outside = '<!DOCTYPE set [<!ENTITY a SYSTEM "file:///etc/passwd">]><set><card name="Kai">&a;</card></set>'
    elsewhere = [
        ("../a.csv", "outside of it"),
        ("/etc/a.csv", "outside of it"),
        ("a/../../a.csv", "outside of it"),
        ("C:\\a.csv", "outside of it"),
    ]
    return [
        *(
            (f"a.{end}", packed({name: csv}), message)
            for name, message in elsewhere
            for end, packed in (("zip", zipped), ("tgz", tarred))
        ),
        ("bomb.zip", zipped({"a.csv": padded}), "times as large unpacked"),
        ("bomb.tgz", tarred({"a.csv": padded}), "times as large unpacked"),
        *(
            ("set.xml", text.encode(encoding), "entities")
            for text in (laughs, outside)
            for encoding in ("utf-8", "utf-16")
        ),
        ("a.zip", b"PK\x03\x04broken", "damaged"),
        ("a.tgz", b"\x1f\x8bbroken", "damaged"),
        ("a.csv", b"name,text\nKai,\0\0\0", "a NUL"),
        ("set.xml", b'<set>\n<card name="\0"/></set>', "line 2 holds a NUL"),
    ]


# (encoding that an XML file declares, encoding that it really has)
DECLARED = (
    ("utf-8", "utf-8"),
    ("utf-8", "utf-8-sig"),
    ("utf-16", "utf-16"),
    ("windows-1252", "cp1252"),
    ("ISO-8859-1", "cp1252"),
    ("utf-8", "cp1252"),
)


def files_in_encodings(text: str) -> list[tuple[str, bytes]]:
    """Return (name, bytes) of files in many encodings that all give the card Kai this text. The text has two
    lines and non-ASCII letters of Windows-1252.
    """
    # As Windows programs write it: every line ends in CRLF, also inside a cell.
    table = f'name;text\nKai;"{text}"\n'.replace("\n", "\r\n")
    attribute = quoteattr(text, {"\n": "&#xD;&#xA;"})
    inside = (
        '<set name="One"><cards><card name="Kai"><property name="Rules"'
        f" value={attribute}/></card></cards></set>"
    )
    return [
        *(
            ("a.csv", table.encode(encoding))
            for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252")
        ),
        ("a.csv", table.replace("\r\n", "\r").encode("utf-8")),
        *(
            ("set.xml", (f'<?xml version="1.0" encoding="{declared}"?>{inside}').encode(real))
            for declared, real in DECLARED
        ),
    ]
