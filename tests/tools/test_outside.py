"""Tests that need a browser are left out aloud, or fail where it is required."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests import conftest
from tools import browser


class Item:
    def __init__(self, *marks):
        self.marks = marks

    def get_closest_marker(self, mark):
        return mark if mark in self.marks else None


@pytest.fixture
def without(monkeypatch):
    monkeypatch.setattr(browser, "NEEDED", ("/nowhere/chromium",))
    monkeypatch.delenv("PBEM_MAIL_SERVERS", raising=False)
    monkeypatch.delenv("PBEM_BROWSER", raising=False)


def config(left):
    return SimpleNamespace(
        hook=SimpleNamespace(pytest_deselected=lambda items: left.extend(items)), getoption=lambda _: False
    )


def test_without_a_browser_its_tests_are_left_out_and_that_is_said(without):
    items, left, said = [Item("browser"), Item()], [], []
    conftest.pytest_collection_modifyitems(config(left), items)
    assert [each.marks for each in items] == [()]
    assert [each.marks for each in left] == [("browser",)]
    conftest.pytest_terminal_summary(SimpleNamespace(write_line=lambda text, **style: said.append((text, style))))
    text, style = next(each for each in said if "browser" in each[0])
    assert text.startswith("NOT TESTED: pages in a real browser (tests/browser): /nowhere/chromium not there")
    assert "make browser-install" in text
    assert style == {"red": True, "bold": True}


def test_where_it_is_required_the_run_fails(without, monkeypatch):
    monkeypatch.setenv("PBEM_BROWSER", "required")
    with pytest.raises(pytest.UsageError, match="browser"):
        conftest.pytest_collection_modifyitems(config([]), [Item("browser")])
    conftest.pytest_collection_modifyitems(config([]), [Item()])


def test_no_tool_downloads_a_browser_and_nothing_is_reached():
    assert browser.BROWSER.startswith("/usr/bin/")
    assert browser.DRIVER.startswith("/usr/bin/")
    for flag in ("--headless", "--disable-background-networking", "--disable-component-update", "--disable-sync"):
        assert flag in browser.FLAGS
    assert "--proxy-server=127.0.0.1:9" in browser.FLAGS
