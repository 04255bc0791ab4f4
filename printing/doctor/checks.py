"""Everything that the doctor looks at, in its order: the command shows it, and the page of the site's state,
which asks no mail server.
"""

from __future__ import annotations

from printing.doctor import machine, site

CHECKS = {
    "versions": machine.versions,
    "data folder": machine.folders,
    "object store": machine.object_store,
    "secret": machine.secret,
    "static files": machine.static_files,
    "last backup": machine.backup,
    "who may come": site.public,
    "database": site.database,
    "catalogue": site.catalogue,
    "clock": site.clock,
    "worker": site.worker,
    "queue of tasks": site.queue,
    "shared cache": site.cache,
    "mail": site.mail,
}
ON_PAGE = CHECKS | {"mail": site.letters}
