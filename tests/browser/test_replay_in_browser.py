"""The page of a whole game in a real browser: everything that a reader can do with it."""

from __future__ import annotations

import json
import re
import time

import pytest
from PIL import Image
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.browser.pages import GAMES, kept_page, replay
from tests.browser.screens import LARGEST, POSITIONS, difference, kept, taken

DESKTOP, PHONE, SMALL_PHONE = (1280, 800), (390, 844), (320, 640)
NAMED = ("button", "slider", "combobox", "region", "img", "image", "DisclosureTriangle")
WHERE = "return Number(document.getElementById('step').value)"
DRAWN = """return [...document.querySelectorAll('[data-layer]')].map((each) => each.innerHTML)"""


def data_of(name):
    return json.loads(re.search(r'id="game">(.*?)</script>', replay(name), re.DOTALL)[1])


def titles(data, number):
    markup = data["elements"][number]
    inside = (data["counters"][int(found)] for found in re.findall("\ue000(\\d+) ", markup))
    return markup.count("<title>") + sum(each.count("<title>") for each in inside)


def press(browser, keys):
    browser.driver.switch_to.active_element.send_keys(keys)


def click(browser, name):
    browser.driver.find_element(By.ID, name).click()


def at(browser):
    return browser.run(WHERE)


@pytest.mark.parametrize("size", [DESKTOP, PHONE, SMALL_PHONE], ids=["desktop", "phone", "small phone"])
@pytest.mark.parametrize("name", GAMES)
def test_it_opens_quietly_and_asks_for_nothing(shown, name, size):
    browser = shown(name, size=size)
    click(browser, "last")
    assert at(browser) == len(data_of(name)["steps"]) - 1
    wide, page = browser.run("return [innerWidth, document.documentElement.scrollWidth]")
    assert (wide, page) == (size[0], size[0])
    outside = browser.run(
        "return [...document.querySelectorAll('button,select,input,h1,h2,summary,figure,section')].filter((each) => "
        "{const box = each.getBoundingClientRect(); return box.width && !each.closest('.map,.skip') && "
        "(box.left < -1 || box.right > innerWidth + 1)}).map((each) => each.outerHTML.slice(0, 80))"
    )
    assert outside == []
    assert browser.complaints() == []
    assert [each for each in browser.requests() if not each.startswith("file:")] == []
    assert browser.run("return performance.getEntriesByType('resource').length") == 0
    ids = browser.run("return [...document.querySelectorAll('[id]')].map((each) => each.id)")
    assert len(ids) == len(set(ids))
    used = browser.run("return [...document.querySelectorAll('use')].map((each) => each.getAttribute('href').slice(1))")
    assert set(used) <= set(ids)


@pytest.mark.parametrize("name", GAMES)
def test_every_step_is_drawn_the_same_from_before_and_from_behind(shown, name):
    browser = shown(name)
    count = len(data_of(name)["steps"])
    steps = list(range(0, count, max(1, count // 10)))
    script = f"""const range = document.getElementById('step'); const found = {{}};
        for (const step of arguments[0]) {{ range.value = step; range.dispatchEvent(new Event('input'));
        found[step] = JSON.stringify((() => {{ {DRAWN} }})()) }} return found"""
    forward = browser.run(script, steps)
    assert browser.run(script, steps[::-1]) == forward
    assert browser.run(script, steps[1::2] + steps[::2]) == forward
    assert len(set(forward.values())) > len(steps) * 3 // 4
    assert browser.complaints() == []


@pytest.mark.parametrize("name", GAMES)
def test_what_is_shown_is_what_was_put_into_the_page(shown, name):
    data = data_of(name)
    held = [[] for _ in data["layers"]]
    middle = len(data["steps"]) // 2
    for changes in data["changes"][: middle + 1]:
        for layer, gone, come in changes:
            held[layer] = [each for place, each in enumerate(held[layer]) if place not in gone]
            for place, number in zip(come[::2], come[1::2], strict=True):
                held[layer].insert(place, number)
    browser = shown(name, str(middle + 1))
    counted = browser.run(
        "return Object.fromEntries([...document.querySelectorAll('[data-layer]')].map("
        "(each) => [each.dataset.layer, each.querySelectorAll('title').length]))"
    )
    for layer, numbers in enumerate(held):
        assert counted[str(layer)] == sum(titles(data, number) for number in numbers)
    told = [each.text for each in browser.driver.find_elements(By.CSS_SELECTOR, "#told li")]
    assert told == [" ".join(data["texts"][number].split()) for number in data["steps"][middle][3]]
    assert browser.driver.find_element(By.ID, "count").text == f"{middle + 1} of {len(data['steps'])}"


def test_buttons_step_and_stop_at_the_ends(shown):
    browser = shown("bridgehead")
    assert browser.driver.find_element(By.ID, "before").get_attribute("aria-disabled") == "true"
    click(browser, "before")
    assert at(browser) == 0
    click(browser, "after")
    click(browser, "after")
    assert at(browser) == 2
    click(browser, "before")
    assert at(browser) == 1
    click(browser, "last")
    after = browser.driver.find_element(By.ID, "after")
    assert after.get_attribute("aria-disabled") == "true"
    click(browser, "before")
    press(browser, Keys.TAB + Keys.TAB + Keys.ENTER)
    assert after.get_attribute("aria-disabled") == "true"
    assert browser.driver.switch_to.active_element == after
    click(browser, "first")
    assert at(browser) == 0


def test_the_slider_scrubs_by_pointer_and_by_keys(shown):
    browser = shown("noretreat")
    last = len(data_of("noretreat")["steps"]) - 1
    slider = browser.driver.find_element(By.ID, "step")
    slider.click()
    assert abs(at(browser) - last // 2) <= 2
    slider.send_keys(Keys.ARROW_RIGHT)
    now = at(browser)
    slider.send_keys(Keys.ARROW_LEFT)
    assert at(browser) == now - 1
    assert slider.get_attribute("aria-valuetext").startswith(f"Step {now} of {last + 1}: ")
    slider.send_keys(Keys.END)
    assert at(browser) == last


@pytest.mark.parametrize("name", GAMES)
def test_battles_are_jumped_to(shown, name):
    browser, data = shown(name), data_of(name)
    fought = [step for step, (*_, fights) in enumerate(data["steps"]) for _ in fights]
    buttons = browser.driver.find_elements(By.CSS_SELECTOR, "#fights button")
    assert len(buttons) == len(fought) > 5
    browser.run("arguments[0].click()", buttons[4])
    assert at(browser) == fought[4]
    assert buttons[4].get_attribute("aria-current") == "step"
    click(browser, "fight-after")
    assert at(browser) == next(step for step in fought if step > fought[4])
    click(browser, "first")
    press(browser, "b")
    assert at(browser) == fought[0]
    marks = browser.run("return document.querySelectorAll('#board .tag:not(.past .tag)').length")
    assert marks >= 1


def test_a_seat_is_followed_alone(shown):
    browser, data = shown("axis1941"), data_of("axis1941")
    seat = data["sides"].index("Japan")
    Select(browser.driver.find_element(By.ID, "seat")).select_by_visible_text("Japan")
    own = [step for step, each in enumerate(data["steps"]) if each[1] == seat]
    visited = []
    for _ in range(6):
        click(browser, "after")
        visited.append(at(browser))
    assert visited == own[:6]
    fights = sum(len(each[4]) for each in data["steps"] if each[1] == seat)
    assert len(browser.driver.find_elements(By.CSS_SELECTOR, "#fights button")) == fights
    Select(browser.driver.find_element(By.ID, "seat")).select_by_visible_text("all")
    click(browser, "before")
    assert at(browser) == own[5] - 1


def test_turns_are_jumped_to(shown):
    browser, data = shown("noretreat"), data_of("noretreat")
    turns = Select(browser.driver.find_element(By.ID, "turn"))
    name, start = data["parts"][-2]
    turns.select_by_index(len(data["parts"]) - 2)
    assert at(browser) == start
    assert browser.driver.find_element(By.ID, "part").text == name
    browser.run("document.activeElement.blur()")
    press(browser, Keys.PAGE_UP)
    assert at(browser) == data["parts"][-3][1]
    press(browser, Keys.PAGE_DOWN)
    assert at(browser) == start


def test_it_plays_and_pauses_and_ends(shown):
    browser = shown("bridgehead")
    last = len(data_of("bridgehead")["steps"]) - 1
    Select(browser.driver.find_element(By.ID, "pace")).select_by_visible_text("very fast")
    browser.run("document.activeElement.blur()")
    play = browser.driver.find_element(By.ID, "play")
    press(browser, " ")
    assert play.get_attribute("aria-label") == "Pause"
    WebDriverWait(browser.driver, 10).until(lambda _: at(browser) >= 2)
    press(browser, " ")
    assert play.get_attribute("aria-label") == "Play"
    stopped = at(browser)
    time.sleep(0.6)
    assert at(browser) == stopped
    press(browser, Keys.END)
    press(browser, Keys.ARROW_LEFT)
    play.click()
    WebDriverWait(browser.driver, 10).until(lambda _: play.get_attribute("aria-label") == "Play")
    assert at(browser) == last


def test_everything_is_reached_by_keys_and_seen_to_be(shown):
    browser = shown("noretreat", "30")
    seen = []
    for _ in range(400):  # each battle of the list has a button; behind the last thing comes the body again
        press(browser, Keys.TAB)
        found = browser.run(
            "const e = document.activeElement, s = getComputedStyle(e);"
            "return [e.id || e.parentElement.id || e.tagName, s.outlineStyle, parseInt(s.outlineWidth)]"
        )
        seen.append(found[0])
        if found[0] == "BODY":
            break
        assert found[1] != "none", found
        assert found[2] >= 2, found
    wanted = {"map", "smaller", "whole", "larger", "first", "before", "play", "after", "last", "step", "turn", "seat"}
    assert wanted <= set(seen)
    browser.run("document.activeElement.blur()")
    wide = browser.run("return document.getElementById('board').clientWidth")
    press(browser, "+")
    assert browser.run("return document.getElementById('board').clientWidth") > wide
    press(browser, "0")
    sizes = browser.run("const m = document.getElementById('map'); return [m.scrollWidth - m.clientWidth]")
    assert sizes == [0]


@pytest.mark.parametrize("name", GAMES)
def test_whatever_is_to_be_used_has_a_name(shown, name):
    browser = shown(name)
    browser.driver.execute_cdp_cmd("Accessibility.enable", {})

    def tree(driver):
        nodes = driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        return len(nodes) > 50 and nodes

    nodes = WebDriverWait(browser.driver, 20).until(tree)
    browser.driver.execute_cdp_cmd("Accessibility.disable", {})
    shown_nodes = [node for node in nodes if not node.get("ignored")]
    for node in shown_nodes:
        if node["role"]["value"] in NAMED:
            assert node.get("name", {}).get("value"), node
    roles = {node["role"]["value"] for node in shown_nodes}
    assert {"slider", "combobox", "button", "main", "heading"} <= roles


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_words_stand_out(shown, dark):
    """WCAG 2: text on what lies behind it, at least 4.5 to 1."""
    browser = shown("axis1941", "30", dark=dark)
    faint = browser.run(
        """const shine = (c) => { const [r, g, b] = c.match(/[\\d.]+/g).map(Number).map((v) => v / 255)
            .map((v) => v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
            return .2126 * r + .7152 * g + .0722 * b };
        const behind = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
            if (!/, 0\\)$/.test(c)) return c } return 'rgb(255, 255, 255)' };
        return [...document.querySelectorAll('h1,h2,p,li,dd,dt,summary,button,select,label,output')]
          .filter((e) => e.offsetWidth && e.ariaDisabled !== 'true' && e.textContent.trim()).map((e) => {
            const [a, b] = [shine(getComputedStyle(e).color), shine(behind(e))].sort((x, y) => y - x);
            return [(a + .05) / (b + .05), e.outerHTML.slice(0, 90)] }).filter(([ratio]) => ratio < 4.5)"""
    )
    assert faint == []
    assert browser.run("return getComputedStyle(document.body).backgroundColor") == (
        "rgb(21, 24, 28)" if dark else "rgb(251, 250, 246)"
    )


def test_an_address_names_a_step(shown):
    browser = shown("noretreat", "17")
    assert at(browser) == 16
    browser.run("location.hash = '#5'")
    WebDriverWait(browser.driver, 5).until(lambda _: at(browser) == 4)
    click(browser, "after")
    assert browser.run("return location.hash") == "#6"


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("name", GAMES)
def test_it_looks_as_it_did(chromium, folder, name, position):
    """`make screenshots` takes these anew."""
    path, page = kept(name, position), folder / f"kept-{name}.html"
    if not page.exists():
        page.write_text(kept_page(name), encoding="utf-8")
    assert path.stat().st_size < LARGEST
    mean, worst = difference(taken(chromium, page, position), Image.open(path))
    assert mean < 2.5
    assert worst < 9


def test_what_is_new_stands_out_and_what_was_moved_aside_does_not(shown):
    """In a step without a battle no mark of an earlier one is bright."""
    browser, data = shown("bridgehead"), data_of("bridgehead")
    script = """const range = document.getElementById('step'); const found = [];
        for (const step of arguments[0]) { range.value = step; range.dispatchEvent(new Event('input'));
        found.push(document.querySelectorAll('#board .tag:not(.past .tag)').length) } return found"""
    steps = list(range(len(data["steps"])))
    bright = browser.run(script, steps)
    quiet = [number for number, (*_, fights) in zip(bright, data["steps"], strict=True) if not fights]
    loud = [number for number, (*_, fights) in zip(bright, data["steps"], strict=True) if fights]
    assert set(quiet) == {0}
    assert min(loud) >= 1


def test_the_list_of_battles_keeps_up(shown):
    browser, data = shown("axis1941"), data_of("axis1941")
    fought = [step for step, (*_, fights) in enumerate(data["steps"]) for _ in fights]
    script = """const list = document.querySelector('.battles').getBoundingClientRect();
        return [...document.querySelectorAll('#fights button')].map((each) => each.getBoundingClientRect())
          .map((box) => box.top >= list.top && box.bottom <= list.bottom)"""
    for step in (len(data["steps"]) - 1, len(data["steps"]) // 2, 0):
        browser.run("location.hash = arguments[0]", f"#{step + 1}")
        WebDriverWait(browser.driver, 5).until(lambda _, step=step: at(browser) == step)
        latest = max(0, sum(number <= step for number in fought) - 1)
        assert browser.run(script)[latest]
