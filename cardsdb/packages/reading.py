"""A file as a package: which format it is of. The first format that finds something in it has it; pictures
alone are a format too.
"""

from __future__ import annotations

from cardsdb.packages import cockatrice, gccg, lackey, octgn, tables, xlsx
from cardsdb.packages.container import BadPackage, Files, plain_name
from cardsdb.packages.contract import Package, PackageFormat

# Pictures that are named by id, number or name: an OCTGN image pack, a folder of scans.
PICTURES = PackageFormat("pictures", "Pictures", lambda files: (), lambda name, data, report: iter(()))
# A program's own package before tables that may lie in it too.
FORMATS = {
    one.name: one
    for one in (
        octgn.FORMAT,
        gccg.FORMAT,
        cockatrice.FORMAT,
        lackey.FORMAT,
        xlsx.FORMAT,
        tables.CSV,
        tables.JSON,
        tables.PASTED,
    )
}
WHAT = (
    "a package of OCTGN, GCCG, LackeyCCG or Cockatrice, a table (CSV, TSV, XLSX, JSON) with a row that names"
    " its columns, or pictures"
)


def package_of(files: Files, name: str) -> Package:
    """The package. Raises BadPackage if nothing of it is known."""
    for one in FORMATS.values():
        if found := one.finds(files):
            # A packed folder has a read-me beside its pictures.
            if one is not tables.PASTED or len(files.names) == 1:
                return Package(plain_name(name), one, files, found, files.pictures)
    if files.pictures:
        return Package(plain_name(name), PICTURES, files, (), files.pictures)
    raise BadPackage("unknown", f"Nothing in {plain_name(name)} is understood. Send {WHAT}.")
