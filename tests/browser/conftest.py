"""One Chromium for all tests of a module, and the pages that they open."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.pages import written
from tools.browser import Browser
from tools.firefox import Firefox


def pytest_collection_modifyitems(items):
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    browser = Browser()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def firefox():
    browser = Firefox()
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("pages")


@pytest.fixture
def shown(chromium, folder):
    """Opens a game's page at a step, at the size of a device."""

    def show(name: str, part: str = "", size: tuple[int, int] = (1280, 800), *, dark: bool = False) -> Browser:
        chromium.size(*size, dark=dark)
        chromium.open(written(folder, name), part)
        return chromium

    return show
