"""A TypeScript client with types that openapi-typescript generates from the schema: the compiler accepts
``typescript/calls.ts``, which calls every operation, and the site answers all calls.
"""

import json
import subprocess
import time
from pathlib import Path
from wsgiref.simple_server import make_server

import pytest
from django.core.wsgi import get_wsgi_application

from cardsdb.api.views import schema
from cardsdb.tasks.worker import work_off
from tests import ROOT
from tests.cardsdb.api.test_docs import stored_league
from tests.support.print_jobs import no_files_of_others  # noqa: F401
from tests.support.programs import lack, need

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

SOURCES = Path(__file__).with_name("typescript")
INSTALLED = ROOT / "var" / "typescript"
# Seconds for the whole run; and seconds between two checks whether it has ended.
PATIENCE, PAUSE = 120, 0.1


@pytest.fixture
def folder(tmp_path):
    """Return a folder with the compiled calls and the generated types. Skip if npm's packages are missing."""
    if not (INSTALLED / "installed").exists():
        lack("TypeScript is not installed: run make var/typescript/installed", "typescript")
    (tmp_path / "node_modules").symlink_to(INSTALLED / "node_modules")
    for name in ("calls.ts", "tsconfig.json", "package.json"):
        (tmp_path / name).write_bytes((SOURCES / name).read_bytes())
    (tmp_path / "schema.json").write_text(json.dumps(schema()))
    for program, *words in (
        ("openapi-typescript/bin/cli.js", "schema.json", "-o", "schema.d.ts"),
        ("typescript/bin/tsc", "-p", "."),
    ):
        started = node(tmp_path, f"node_modules/{program}", *words)
        output = started.communicate()[0]
        assert started.returncode == 0, output
    return tmp_path


def node(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    """Start a node program whose output and errors go to one pipe."""
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    return subprocess.Popen([need("node"), *arguments], cwd=folder, text=True, **both)


@pytest.mark.usefixtures("no_files_of_others")
def test_every_operation_is_called_as_the_schema_says_and_answered(folder):
    until = time.monotonic() + PATIENCE
    with make_server("127.0.0.1", 0, get_wsgi_application()) as server:
        server.timeout = PAUSE
        program = node(folder, "calls.js", f"http://127.0.0.1:{server.server_port}", stored_league().link)
        # The server runs in this thread, because only this one sees the test's database transaction.
        while program.poll() is None and time.monotonic() < until:
            server.handle_request()
            work_off()
        program.kill()
    output = program.communicate()[0]
    assert program.returncode == 0, output
    # [method, path, status] of each call.
    calls = json.loads(output.splitlines()[-1])
    assert [call for *call, status in calls if status >= 300] == []
    assert {(method, path) for method, path, _ in calls} == {
        (method.upper(), path) for path, methods in schema()["paths"].items() for method in methods
    }
