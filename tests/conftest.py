"""Tests that need more than Python run where it is: mail servers, PostgreSQL, a browser. Where not, the run says so.

`--quick` leaves out the tests of slow.txt, as `make quick` does; `--costs FILE` adds what each test costs to a file,
from which `make slow-tests` makes that list. Tests with more cases than a run has time for take `some` of them, others
in each run; `--whole`, as in `make long`, takes them all, and `--seed` takes the same ones again.
"""

from __future__ import annotations

import gc
import os
import random
import secrets
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

from tools import browser, mailservers, postgres

# Compiled modules are kept whatever the environment says: each process of a run would compile all tests anew, and so
# would each of some hundred programs that they start with all of pbem.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The mark, the variable by which they are required, what can be lacking, and what is then not tested.
OUTSIDE = (
    (
        "servers",
        "PBEM_MAIL_SERVERS",
        mailservers.lacking,
        "mail through real servers (tests/mail/test_mail_servers.py)",
    ),
    ("postgres", "PBEM_POSTGRES", postgres.lacking, "the umpire's desk in PostgreSQL (tests/umpire)"),
    ("browser", "PBEM_BROWSER", browser.lacking, "pages in a real browser (tests/browser)"),
)


SLOW = Path(__file__).with_name("slow.txt")


def pytest_addoption(parser):
    parser.addoption("--quick", action="store_true", help="leave out the tests that tests/slow.txt names")
    parser.addoption("--whole", action="store_true", help="take all cases where a test would take some of them")
    parser.addoption("--seed", help="the seed that a failed test has printed")
    parser.addoption("--costs", metavar="FILE", help="add the CPU time of each test and its setup to this file")


def pytest_configure(config):
    """What hypothesis draws are other examples in each run, so that fewer are enough; the clock decides nothing."""
    most = settings.default.max_examples if config.getoption("--whole") else 20 if config.getoption("--quick") else 50
    settings.register_profile("tests", settings(settings.default, deadline=None, max_examples=most))
    settings.load_profile("tests")


@pytest.fixture(scope="session", autouse=True)
def _temporary(tmp_path_factory):
    """What programs leave in the folder of temporary files goes with what the tests leave."""
    tempfile.tempdir = os.environ["TMPDIR"] = str(tmp_path_factory.mktemp("temporary"))


@pytest.fixture
def seed(request):
    """A seed that nobody chose, printed where the test fails."""
    drawn = request.config.getoption("--seed") or secrets.token_hex(4)
    print(f"--seed {drawn}")
    return drawn


@pytest.fixture
def whole(request):
    """Are all cases to be taken?"""
    return request.config.getoption("--whole")


@pytest.fixture
def some(whole, seed):
    """`some(cases, one_in)`: one in so many of the cases, evenly spread; the seed chooses with which it begins."""

    def some(cases, one_in):
        return cases if whole else cases[random.Random(seed).randrange(min(one_in, len(cases))) :: one_in]

    return some


def seconds():
    """CPU time of this process and of those that it has started and that have ended."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    item.begun = seconds()
    result = yield
    item.ready = seconds()
    return result


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item):
    result = yield
    if path := item.config.getoption("--costs"):
        with Path(path).open("a") as file:
            file.write(f"{item.ready - item.begun:.3f}\t{seconds() - item.begun:.3f}\t{item.nodeid}\n")
    return result


def leave_out_slow(config, items):
    slow = frozenset(SLOW.read_text().splitlines())
    left = [item for item in items if {item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]} & slow]
    config.hook.pytest_deselected(items=left)
    items[:] = [item for item in items if item not in set(left)]


def pytest_collection_finish():
    """What is imported and collected by now stays to the end: the garbage collector need not look through it again."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config, items):
    if config.getoption("--quick"):
        leave_out_slow(config, items)
    for mark, variable, lacking, what in OUTSIDE:
        why = lacking()
        if not why:
            continue
        left = [item for item in items if item.get_closest_marker(mark)]
        if left and os.environ.get(variable) == "required":
            raise pytest.UsageError(f"The tests of {what} are wanted and cannot run: {why}.")
        config.hook.pytest_deselected(items=left)
        items[:] = [item for item in items if item not in left]


def pytest_terminal_summary(terminalreporter):
    for _, _, lacking, what in OUTSIDE:
        if why := lacking():
            terminalreporter.write_line(f"NOT TESTED: {what}: {why}.", red=True, bold=True)
