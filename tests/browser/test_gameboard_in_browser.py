"""The board in a real browser: real mouse events and keys play every game; nothing is complained of, nothing leaves."""

from __future__ import annotations

import json
import random
import re
import sys
import threading
import time
from pathlib import Path

import axe_core_python
import pytest

from pbem.browser.gameboard import GameBoard
from pbem.browser.lobby import Lobby, Terminal
from pbem.engine.clicks import index, needed
from pbem.engine.registry import names
from pbem.protocol.container import Item, ItemType, write
from pbem.protocol.errors import PbemError

sys.path.append(str(Path(__file__).parent.parent / "gameboard"))

from boards import against_bot, alone, at_attacks, served
from clicks import PICKS
from desks import desk_at, duel

from pbem.home import Home, offers, orders, sending
from pbem.home.people import Cost
from tests.bounded import attempts

WIDE, NARROW = (1440, 900), (390, 844)
WAIT = 20


class Player:
    """Somebody with a mouse and keys, who looks at the page."""

    def __init__(self, browser, server, size=WIDE, **look):
        self.browser, self.server = browser, server
        browser.size(*size, **look)
        browser.go(server.address)
        self.until("return window.pbemBoard && pbemBoard.state() !== null")

    def run(self, script, *given):
        return self.browser.run(script, *given)

    def until(self, script, *given):
        end = time.monotonic() + WAIT
        while not (found := self.run(script, *given)):
            assert time.monotonic() < end, (script, self.text("alert"))
            time.sleep(0.03)
        return found

    def text(self, name):
        return self.run("return document.getElementById(arguments[0]).textContent", name)

    @property
    def state(self):
        return self.run("return pbemBoard.state()")

    def draft(self):
        return [line["typed"] for line in self.state["draft"]]

    def mouse(self, x, y, *, shift=False):
        self.browser.mouse(x, y, shift=shift)

    def press(self, selector, text=None):
        """The button, with the mouse."""
        where = self.until(
            "const fits = (each) => !each.disabled && each.checkVisibility()"
            " && (arguments[1] === null || each.textContent === arguments[1]);"
            "const all = [...document.querySelectorAll(arguments[0])].filter(fits);"
            "if (!all.length) return null; all[0].scrollIntoView({block: 'center'});"
            "const box = all[0].getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]",
            selector,
            text,
        )
        self.mouse(*where)

    def unfold(self):
        """The fields of the card, if they are folded."""
        if not self.run("return document.querySelector('.order .more').open"):
            self.press(".order .more > summary")

    def point(self, key):
        """The mouse is held still over what the key names."""
        where = self.run(
            "const drawn = document.querySelector(`#over g[data-k='${CSS.escape(arguments[0])}']`);"
            "if (!drawn) return pbemBoard.spot(arguments[0]); const box = drawn.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]",
            key,
        )
        event = {"type": "mouseMoved", "x": where[0], "y": where[1]}
        self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def drag(self, spot, down):
        """The map, until this spot of it lies so far below its upper edge."""
        x, y, far = self.run(
            "const map = document.getElementById('map').getBoundingClientRect(), [, y] = arguments[0];"
            "const { f, d } = new DOMMatrix(getComputedStyle(document.getElementById('sheet')).transform);"
            "return [map.x + 200, map.y + 40, arguments[1] - (f + y * d)]",
            spot,
            down,
        )
        for kind, by in (("mousePressed", 0), ("mouseMoved", far / 2), ("mouseMoved", far), ("mouseReleased", far)):
            event = {"type": kind, "x": x, "y": y + by, "button": "left", "buttons": 1, "clickCount": 1}
            self.browser.driver.execute_cdp_cmd("Input.dispatchMouseEvent", event)

    def key(self, name):
        self.browser.key(name)

    def tap(self, key, *, shift=False):
        """What the key names, where it is drawn; beside the map if it is not there."""
        self.press("#fit")
        where = self.run(
            "const key = CSS.escape(arguments[0]), drawn = document.querySelector(`#over g[data-k='${key}']`);"
            "if (!drawn && document.querySelector(`#lit .b-goal[data-p~='${key}'], #lit .b-begin[data-p~='${key}']`))"
            " return pbemBoard.spot(arguments[0]);"
            "if (!drawn) return null; const box = drawn.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2]",
            key,
        )
        if where is None:
            selector = f"#side [data-k={json.dumps(key)}]"
            if not self.run("return document.querySelector(arguments[0])?.checkVisibility()", selector):
                self.press("#list summary")
            self.press(selector)
        else:
            self.mouse(*where, shift=shift)

    def end_phase(self, word="done"):
        """The button of an order that names nothing; where it would leave something undone, it is pressed again."""
        rev = self.state["rev"]
        self.press(f"#verbs [data-k='v:{word}']")
        self.until("return pbemBoard.still()")
        if self.state["rev"] == rev:
            self.press("#ready .main")
        self.settled(rev)

    def look_again(self, board):
        """The page has the focus anew, and shows what was ordered elsewhere meanwhile."""
        self.run("window.dispatchEvent(new Event('focus'))")
        self.until("return pbemBoard.state().rev === arguments[0]", orders.rev(board.home, board.name))

    def settled(self, rev):
        """The server has answered, and the page shows it."""
        self.until("return pbemBoard.state().rev !== arguments[0]", rev)

    def send(self):
        rev = self.state["rev"]
        self.press("#end")
        self.until("return document.getElementById('sealing').open")
        self.press("#seal")
        self.settled(rev)

    def quiet(self):
        """Nothing was complained of, and nothing was asked of anybody else."""
        assert self.browser.complaints() == []
        asked = [each for each in self.browser.requests() if not each.startswith(("blob:", "data:", "about:"))]
        assert [each for each in asked if not each.startswith(f"http://{self.server.host}/")] == []
        assert self.run("return document.documentElement.scrollWidth <= innerWidth")
        if self.run("return Boolean(window.pbemBoard)"):
            assert self.run("return document.documentElement.scrollHeight <= innerHeight")
            assert self.run(
                "const title = document.getElementById('title'); return title.scrollWidth <= title.clientWidth"
            )
            assert not re.search("UNIT|HEX", self.text("prompt"))
            assert "`" not in self.run(
                "const titled = [...document.querySelectorAll('[title]')].map((each) => each.title);"
                "return [document.body.textContent, ...titled].join()"
            )


def clicks(board, rng):
    """Random clicks that say an order: what is clicked, the kind of order if it must be said, and the order."""
    state = board.state()
    rev, first = state["rev"], rng.choice(state["first"])
    if first.startswith("v:"):
        return [first], board.pick(rev, [], first[2:])["ready"][0]["text"]
    picks = [first]
    while True:
        assert len(picks) < PICKS, picks
        found = board.pick(rev, picks)
        if found["ready"] and not found["next"]:
            return picks, found["ready"][0]["text"]
        key = rng.choice(sorted(found["next"]))
        picks.append(key)
        if key in found["ends"]:
            return picks, found["ends"][key][0][1]


def bots_clicks(board, rng):
    """Those that say what a bot would order; None where it would add something to it."""
    move = orders.move(board.home, board.name)
    game, draft = move.match.game, move.draft
    view = draft.view((draft.seat,))
    order = game.bots[game.best_bot].choose(view, draft.machine.need, draft.seat, draft.legal(), rng)
    (way,) = needed(index([order], game.notation, view))
    ends = board.pick(board.state()["rev"], [key for step in way.clicks for key in step.keys], way.verb)
    assert way.text in [each["text"] for each in ends["ready"]]
    return [key for step in way.clicks for key in step.keys] or [f"v:{way.verb}"], way.text


class Dice:
    """Randomness for a bot."""

    def __init__(self, seed):
        self._rng = random.Random(seed)

    def below(self, n):
        return self._rng.randrange(n)


def give(player, board, picks, line):
    """Clicks what the order says, and chooses it where several are said."""
    rev = player.state["rev"]
    for key in picks:
        player.tap(key)
        player.until("return pbemBoard.still()")
    if orders.rev(board.home, board.name) == rev:
        here = f"//div[@class='order'][code[text()={json.dumps(line)}]]"
        player.run(
            "const found = document.evaluate(arguments[0], document, null, 9).singleNodeValue;"
            "found.closest('details')?.setAttribute('open', '');"
            "found.querySelector('.main').dataset.here = 1",
            here,
        )
        player.press("[data-here]")
    player.settled(rev)


def test_a_half_turn_is_played_by_clicks_with_attack_dice_and_retreat(chromium, tmp_path):
    half_turn(chromium, tmp_path)


def test_firefox_plays_it_too(firefox, tmp_path):
    half_turn(firefox, tmp_path)


def half_turn(browser, tmp_path):
    """What a bot would order: three of each kind are clicked in the page, the others are given beside it."""
    desk, name = alone(tmp_path, "bridgehead")
    board, rng, given, sent = GameBoard(desk, name), Dice("half"), [], 0
    with served(board) as server:
        player = Player(browser, server)
        while not {"attack", "advance"} <= set(given) or not {"retreat", "stand"} & set(given):
            assert len(given) < 300, given
            if not board.state()["first"]:
                player.look_again(board)
                player.send()
                sent += 1
                continue
            picks, line = bots_clicks(board, rng)
            given.append(line.split(" ")[0])
            if given.count(given[-1]) > 3:
                orders.order(desk, name, (line,))
                continue
            player.look_again(board)
            give(player, board, picks, line)
            assert player.draft()[-1] == line
        player.quiet()
    assert sent > 0


def test_an_attack_is_listed_with_odds_and_pursuit_by_clicks(chromium, tmp_path):
    desk, name = alone(tmp_path, "noretreat")
    board, rng = GameBoard(desk, name), Dice("list")
    for _ in attempts(300, "nobody may attack"):
        if any(each["word"] == "attack" for each in board.state()["verbs"]):
            break
        move = orders.move(desk, name)
        if move.draft.seat is None:
            sending.send(desk, name)
            continue
        game, draft = move.match.game, move.draft
        view = draft.view((draft.seat,))
        order = game.bots[game.best_bot].choose(view, draft.machine.need, draft.seat, draft.legal(), rng)
        orders.order(desk, name, (game.notation.write(order),))
    state = board.state()
    target = next(key for key in state["first"] if key.startswith("p:"))
    unit = next(key for key in board.pick(state["rev"], [target])["next"] if key.startswith("u:"))
    with served(board) as server:
        player = Player(chromium, server)
        for key in (target, unit):
            player.tap(key)
            player.until("return pbemBoard.still()")
        player.unfold()
        player.run(
            "const card = document.querySelector('.order');"
            "card.querySelector('select').value = '1:2'; card.querySelector('input:not([type])').dataset.here = 1;"
            "card.querySelector('[type=checkbox]').dataset.tick = 1"
        )
        player.press("[data-tick]")
        player.press("[data-here]")
        player.tap(unit)
        player.tap(state["at"][target][0]["key"])
        assert player.run("return document.querySelector('[data-here]').value") == f"{unit[2:]}-{target[2:]}"
        player.until("return pbemBoard.still() && document.querySelector('.order pre').textContent.includes(':')")
        player.press(".order button", "Odds")  # the panel goes to them: nothing is clicked until it has come to rest
        at_rest = "const now = document.getElementById('move').scrollTop, was = window.was; window.was = now;"
        player.until(f"{at_rest} return was === now && pbemBoard.still()")
        rev = player.state["rev"]
        player.press(".order .main")
        player.until("return pbemBoard.still()")
        line = f"attack {target[2:]} with {unit[2:]} alone at 1:2 pursue {unit[2:]}-{target[2:]} ask"
        alert = player.text("alert")
        assert player.state["rev"] != rev or "NR-" in alert, alert
        assert player.draft()[-1].replace(" alone", "") == line.replace(" alone", "") or "NR-" in alert
        player.quiet()


def test_a_place_clicked_alone_orders_nothing_until_one_says_so(chromium, tmp_path):
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    state = board.state()
    fort = next(
        key
        for key in sorted(board.pick(state["rev"], [], "fort")["next"])
        if len(board.pick(state["rev"], [key])["ready"]) == 1 and not board.pick(state["rev"], [key])["next"]
    )
    with served(board) as server:
        player = Player(chromium, server)
        player.tap(fort)
        player.until("return pbemBoard.still() && document.querySelector('.order .main')")
        assert player.draft() == []
        player.press(".order .main", "Give this order")
        player.until("return pbemBoard.state().draft.length")
        assert player.draft() == [f"fort {fort[2:]}"]
        player.press("#undo")
        player.until("return !pbemBoard.state().draft.length")
        player.press("#verbs [data-k='v:fort']")
        player.until("return pbemBoard.still()")
        player.tap(fort)  # the button was pressed: what is clicked is what one wants
        player.until("return pbemBoard.state().draft.length")
        player.quiet()


def test_a_unit_clicked_alone_spends_nothing_until_one_says_so(chromium, tmp_path):
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for _ in attempts(40, "no support can be made ready"):
        state = board.state()
        if "refit" in [each["word"] for each in state["verbs"]]:
            break
        if not state["first"]:
            board.send(state["rev"])
        elif "v:done" in state["first"]:
            board.order(state["rev"], "done")
        else:
            orders.bot(desk, name)
    unit = next(iter(board.pick(state["rev"], [], "refit")["next"]))
    with served(board) as server:
        player = Player(chromium, server)
        player.run("pbemBoard.choose([arguments[0]])", unit)
        player.until("return pbemBoard.still() && document.querySelector('.order .main')")
        assert player.draft() == []
        player.press(".order .main", "Give this order")
        player.until("return pbemBoard.state().draft.length")
        assert player.draft() == [f"refit {unit[2:]}"]
        player.quiet()


def test_a_refused_group_stays_selected_and_it_is_said_who_could_go(chromium, tmp_path):
    """In 1208 is room for one of the two."""
    desk, name = alone(tmp_path, "stargard", options={"placing": False})
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        for unit in ("EaU", "PyritzII"):
            player.run("pbemBoard.choose([arguments[0]])", f"u:{unit}")
            player.until("return pbemBoard.still()")
        player.until("return document.querySelector('#lit .b-goal.some')?.dataset.p.includes('p:1208')")
        player.run("pbemBoard.choose(['p:1208'])")
        player.until("return document.getElementById('alert').textContent")
        assert "only 1 of the 2 units picked can go there. PyritzII cannot move" in player.text("alert")
        chips = "return [...document.querySelectorAll('#chosen .chip')].map((each) => each.textContent.slice(2))"
        assert player.run(chips) == ["EaU", "PyritzII"]
        assert player.draft() == []


def test_what_is_set_in_a_field_counts_in_the_chances(chromium, tmp_path):
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for line in ("done", "done"):
        board.order(board.state()["rev"], line)
    flown = next(text for text in orders.move(desk, name).legal("attack") if " air " in text)
    plain, _, wing = flown.partition(" air ")
    _, target, _, *units = plain.split(" ")
    with served(board) as server:
        player = Player(chromium, server)
        for key in (f"p:{target}", *(f"u:{unit}" for unit in units)):
            player.tap(key)
            player.until("return pbemBoard.still()")
        player.until("return document.querySelector('.order pre')?.textContent.includes('Attack:')")
        assert "air support" not in player.run("return document.querySelector('.order pre').textContent")
        player.run(
            "const made = [...document.querySelectorAll('.order select')].find((each) =>"
            " [...each.options].some((one) => one.value === arguments[0]));"
            "made.value = arguments[0]; for (const event of ['input', 'change']) made.dispatchEvent(new Event(event))",
            wing,
        )
        player.until("return document.querySelector('.order pre').textContent.includes('air support')")
        assert player.run("return document.querySelector('.order code').textContent") == flown
        player.quiet()


def test_answers_in_advance_are_put_together_by_clicks(chromium, tmp_path):
    desk, name = alone(tmp_path, "bridgehead")
    orders.set_bots(desk, name, ("red",))
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        player.press("#standing summary")
        card = "#standing [data-kind='blue-retreat']"
        player.until("return document.querySelector(arguments[0]) !== null", card)
        told = player.run("return document.querySelector(arguments[0] + ' summary').textContent", card)
        assert told.startswith("Retreat. Units of yours that have lost a battle must leave their hex")
        assert "You are asked." in told
        player.press(f"{card} summary")
        assert player.run("return document.querySelector(arguments[0] + ' .main').disabled", card)  # nothing is chosen
        rev = orders.rev(desk, name)
        player.press(f"{card} input[value='then stand']")
        player.press(f"{card} .main", "Set this answer")
        now = "return document.querySelector(arguments[0] + ' summary').textContent.includes(arguments[1])"
        player.until(now, card, "Now: They stay, and each of them loses a step.")
        assert orders.rev(desk, name) != rev
        player.press(f"{card} input[value='']")
        player.press(f"{card} button", "+ condition")
        player.run(
            "const [fact, how, answer] = document.querySelectorAll(arguments[0] + ' select');"
            "for (const [made, value] of [[fact, 'steps'], [how, '<'], [answer, 'stand']]) {"
            " made.value = value; made.dispatchEvent(new Event('change')); }",
            card,
        )
        player.press(f"{card} button", "+ answer")
        player.press(f"{card} .main", "Set this answer")
        player.until(now, card, "If there are no steps among the defenders there")
        rows = {kind: text for _, kind, text, _ in orders.move(desk, name).standing_rows()}
        assert rows["retreat"] == "when steps < 1 then stand, ask"
        player.quiet()


def test_the_list_of_targets_names_the_defenders(chromium, tmp_path):
    desk, name = against_bot(tmp_path, "stargard")
    board = GameBoard(desk, name)
    for _ in attempts(5, "the attacks come"):
        state = board.state()
        if state["question"] == "attacks":
            break
        state = board.order(state["rev"], "done")
        if state["seat"] is None:
            board.send(state["rev"])
    with served(board) as server:
        player = Player(chromium, server)
        player.press("#list > summary")
        found = player.until("return document.querySelector('#list [data-k=\"p:2609\"]')?.textContent")
        assert found == "2609: 85T"
        for key in ("p:2609", "u:Voigt"):
            player.run("pbemBoard.choose([arguments[0]])", key)
            player.until("return pbemBoard.still()")
        player.until("return document.querySelectorAll('#lit .b-way').length === 2")  # the ways back of both sides
        player.quiet()


def test_to_be_asked_takes_one_click_and_a_long_answer_is_said_once(chromium, tmp_path):
    desk, name = against_bot(tmp_path, "axis1941")
    orders.set_standing(desk, name, "ussr", "losses", "default")
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        player.press("#standing summary")
        card = "#standing [data-kind='ussr-losses']"
        player.until("return document.querySelector(arguments[0]) !== null", card)
        if not player.run("return document.querySelector(arguments[0]).checkVisibility()", card):
            player.press("#standing [data-kind^='usual'] > summary")
        told = player.run("return document.querySelector(arguments[0]).textContent", card)
        assert re.search("Now: [^.]{20,} …", told)  # its beginning says what it is
        assert told.count("then bombers, then battleships, then transports") <= 2  # one for each case of the answer
        player.press("#standing [aria-label='Ask me: losses']")
        asked = "return document.querySelector(arguments[0] + ' summary').textContent.includes('Now: You are asked.')"
        player.until(asked, card)
        rows = {kind: text for _, kind, text, _ in orders.move(desk, name).standing_rows()}
        assert rows["losses"] == "then ask"
        assert player.run("return document.activeElement.closest('details').dataset.kind") == "ussr-losses"
        player.quiet()


def test_the_map_stays_where_it_was_left(chromium, tmp_path):
    """When the board is opened again, when another phase begins, and after a look back."""
    desk, name = against_bot(tmp_path, "stalingrad42")
    where = "return document.getElementById('sheet').style.transform"
    kept = (
        "const name = Object.keys(sessionStorage).find((each) => each.startsWith('pbem-map'));"
        "return pbemBoard.still() && sessionStorage.getItem(name)"
    )
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        player.press("#in")
        player.run("document.getElementById('map').focus()")
        for _ in range(3):
            player.key("ArrowRight")
        left = player.run(where)
        player.until(f"{kept}?.includes(arguments[0])", left.split("(")[1].split("px")[0][:7])
        player.browser.go(server.address)
        player.until("return window.pbemBoard && pbemBoard.state() !== null && pbemBoard.still()")
        assert player.run(where) == left
        rev = player.state["rev"]
        player.run("document.querySelector(`#verbs [data-k='v:done']`).click()")
        player.until(
            "return pbemBoard.still() && (pbemBoard.state().draft.length || document.querySelector('#ready .main'))"
        )
        player.run("document.querySelector('#ready .main')?.click()")
        player.settled(rev)
        assert player.run(where) == left
        player.press("#last")
        player.until("return pbemBoard.still() && !document.getElementById('film').hidden")
        player.press("#fit")
        player.press("#now")
        player.until("return pbemBoard.still() && document.getElementById('film').hidden")
        assert player.run(where) == left
        player.quiet()


def test_the_map_goes_to_the_units_of_a_new_question_if_none_is_in_sight(chromium, tmp_path):
    """However many they are; a place counts when all of it is in sight."""
    desk, name = against_bot(tmp_path, "stalingrad42")
    nearest = (  # to the edge of the map: how far within it, of what can be clicked
        "const box = document.getElementById('map').getBoundingClientRect(), { at, first } = pbemBoard.state();"
        "const held = Object.keys(at).filter((each) => at[each].some((piece) => first.includes(piece.key)));"
        "const far = (key) => { const [x, y] = pbemBoard.spot(key);"
        " return Math.min(x - box.x, y - box.y, box.right - x, box.bottom - y); };"
        "return Math.max(...held.map(far))"
    )
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        player.press("#in")
        player.run("document.getElementById('map').focus()")
        for _ in attempts(60, "some unit stays in sight"):
            player.key("ArrowRight")
            if player.run(nearest) < 20:  # at most half of one is in sight
                break
        player.end_phase()
        player.until(f"return (() => {{ {nearest} }})() > 60")
        player.quiet()


def test_the_map_goes_to_the_place_that_a_question_names(chromium, tmp_path):
    """Arrivals must leave a full hex, while others elsewhere, who are in sight, could be ordered about, too."""
    desk, name = against_bot(tmp_path, "stargard")
    board = GameBoard(desk, name)
    inside = (
        "const box = document.getElementById('map').getBoundingClientRect(), [x, y] = pbemBoard.spot(arguments[0]);"
        "return x > box.x && y > box.y && x < box.right && y < box.bottom"
    )
    with served(board) as server:
        player = Player(chromium, server)
        for _ in attempts(80, "nobody arrives"):
            move = orders.move(desk, name)
            if move.draft.seat is None or move.draft.seat in move.bots:
                board.send(board.state()["rev"])
            elif move.draft.machine.decision.name == "arrivals":
                break
            elif ends := [word for word in ("decline", "done") if word in move.offered()]:
                board.order(board.state()["rev"], ends[0])
            else:
                orders.bot(desk, name)
        state = board.state()
        (full,) = {f"p:{each}" for each in re.findall(r"leave (\d{4})", state["prompt"])}
        held = {key for key, pieces in state["at"].items() if any(each["key"] in state["first"] for each in pieces)}
        player.run("document.getElementById('map').focus()")
        seen = player.run("return arguments[0].find((key) => key !== arguments[1])", sorted(held), full)
        x, y = player.run("return pbemBoard.spot(arguments[0])", seen)
        for far, back, on in ((x - 500, "ArrowLeft", "ArrowRight"), (y - 450, "ArrowUp", "ArrowDown")):
            for _ in range(round(abs(far) / 80)):
                player.key(back if far < 0 else on)
        assert player.run(inside, seen)
        assert not player.run(inside, full)
        player.look_again(board)
        player.until(inside, full)
        player.quiet()


@pytest.mark.parametrize("how", ["button", "key"])
def test_undo_drops_an_order_in_the_making_before_one_that_was_given(chromium, tmp_path, how):
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for line in ("done", "done"):
        board.order(board.state()["rev"], line)
    line = next(
        text for text in orders.move(desk, name).legal("attack") if " guns " not in text and " air " not in text
    )
    with served(board) as server:
        player = Player(chromium, server)
        player.run("pbemBoard.choose(['p:' + arguments[0]])", line.split(" ")[1])
        player.until("return pbemBoard.still() && document.querySelector('#ready .order, #ready .party') !== null")
        player.press("#undo", "Drop the unfinished order") if how == "button" else player.key("u")
        player.until("return document.querySelector('#ready .order, #ready .party') === null")
        assert "Your draft is unchanged" in player.text("alert")
        assert player.draft() == ["done", "done"]
        player.press("#undo", "Undo") if how == "button" else player.key("u")
        player.until("return pbemBoard.still() && pbemBoard.state().draft.length === 1")
        player.quiet()


def test_artillery_and_groups_are_chosen_from_what_the_rules_admit(chromium, tmp_path):
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for line in ("done", "done"):
        board.order(board.state()["rev"], line)
    line = next(
        text for text in orders.move(desk, name).legal("attack") if " guns " not in text and " air " not in text
    )
    _, target, _, *units = line.split(" ")
    with served(board) as server:
        player = Player(chromium, server)
        for key in (f"p:{target}", *(f"u:{unit}" for unit in units)):
            if not player.run("return document.querySelector(`.party [data-k='${arguments[0]}']`)?.checked", key):
                player.run("pbemBoard.choose([arguments[0]])", key)
                player.until("return pbemBoard.still()")
        for field in ("guns", "break"):
            player.until("return document.querySelector(`[data-field=${arguments[0]}] button`) !== null", field)
        player.until("return document.querySelector('.shut')")
        assert not player.run("return document.querySelector('.order .fields').checkVisibility()")
        assert player.run(VISIBLE, ".order .main")
        player.unfold()
        player.run("document.querySelector('.order .shut').scrollIntoView()")
        assert player.run(VISIBLE, ".order .main")  # however far one has scrolled
        assert "only after, unless won" in player.text("ready")
        assert not player.run("return document.querySelector('[data-label=\"only after\"]').checkVisibility()")
        assert "GAL is not ready in its box" in player.run("return document.querySelector('.field .not').textContent")
        assert not player.run("return document.querySelector('.field .not').checkVisibility()")
        player.press(".field details summary", "Why not the others?")
        assert player.run("return document.querySelector('.field .not').checkVisibility()")
        text = "return document.querySelector('.order code').textContent"
        guns = player.run("return document.querySelector('[data-field=guns] button').textContent")
        player.press("[data-field=guns] button", guns)
        assert f" guns {guns}" in player.run(text)
        player.until("return document.querySelector('.order pre').textContent.includes('artillery')")
        player.press("[data-field=guns] button", guns)
        assert " guns " not in player.run(text)
        for unit in units[:2]:
            player.until("return pbemBoard.still()")  # the odds below change their length
            player.press("[data-field=break] button", unit)
        assert f" break {','.join(units[:2])}" in player.run(text)
        player.quiet()


def test_the_ways_of_a_breakthrough_and_of_advances_are_drawn(chromium, tmp_path):
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for line in ("done", "done"):
        board.order(board.state()["rev"], line)
    lines = [text.split(" ") for text in orders.move(desk, name).legal("attack")]
    _, target, _, *units = max((each for each in lines if not {"guns", "air"} & set(each)), key=len)
    other = next(each for each in lines if not {target, *units, "guns", "air"} & set(each))
    first, one = other[1], other[3]
    board.order(board.state()["rev"], f"{' '.join(other)} advance {one} {first}")
    ways = "return [...document.querySelectorAll('#lit .b-way')].map(each => each.getAttribute('d'))"
    with served(board) as server:
        player = Player(chromium, server)
        (listed,) = player.run(ways)  # of the attack that is listed
        assert listed.count("L") == 1
        for key in (f"p:{target}", *(f"u:{unit}" for unit in units)):
            if not player.run("return document.querySelector(`.party [data-k='${arguments[0]}']`)?.checked", key):
                player.run("pbemBoard.choose([arguments[0]])", key)
                player.until("return pbemBoard.still()")
        player.until("return document.querySelector('[data-field=via]')")
        said = {"break": units[0], "via": f"{target}-{first}", "advance": f"{units[1]},{target}"}
        for field, text in said.items():
            player.run(
                """const made = document.querySelector(`[data-field=${arguments[0]}]`).closest('.field');
                const input = Object.assign(made.querySelector('input'), { value: arguments[1] });
                input.dispatchEvent(new Event('input'))""",
                field,
                text,
            )
        *drawn, last = player.run(ways)
        assert [each.count("L") for each in drawn] == [2, 1]
        assert last == listed
        player.press("#chosen button", "Deselect (Esc)")
        assert player.run(ways) == [listed]
        player.quiet()


def test_a_fight_is_changed_in_its_place_and_last_turn_is_shown(chromium, tmp_path):
    _, _, board = at_attacks(tmp_path)
    with served(board) as server:
        player = Player(chromium, server)
        player.tap("u:R9")
        player.until("return pbemBoard.still() && document.getElementById('told').textContent")
        assert player.text("alert") == ""  # to look at an enemy is no fault
        assert player.text("end") == "Seal so far …"
        player.tap("p:0504")
        player.until("return pbemBoard.still() && document.querySelectorAll('.party input').length > 1")
        for key in ("p:0403", "p:0404"):
            player.press(f".party input[data-k='{key}']")
            player.until("return pbemBoard.still()")
        player.until("return document.querySelector('.order pre').textContent.includes('%')")
        rev = player.state["rev"]
        player.press(".order .main", "Give this order")
        player.settled(rev)
        assert player.draft()[-1] == "attack 0504 from 0403,0404"
        assert player.run("return document.querySelectorAll('.b-aim').length") == 2
        player.press("#draft button", "Edit")
        player.until("return pbemBoard.still() && document.querySelectorAll('.party input:checked').length === 2")
        player.press(".party input[data-k='p:0403']")
        player.until("return pbemBoard.still() && document.querySelectorAll('.party input:checked').length === 1")
        rev = player.state["rev"]
        player.press(".order .main", "Change the order")
        player.settled(rev)
        assert player.draft()[-1] == "attack 0504 from 0404"
        player.press("#last")
        player.until("return !document.getElementById('film').hidden && pbemBoard.still()")
        player.run(
            "const part = document.getElementById('part'); part.value = ''; part.dispatchEvent(new Event('change'))"
        )
        player.until("return document.querySelector('#part option').value !== '' && pbemBoard.still()")
        for _ in attempts(300, "no opening position"):
            if player.run("return document.getElementById('earlier').disabled"):
                break
            player.press("#earlier")
            player.until("return pbemBoard.still()")
        assert "opening position" in player.text("happened")
        player.press("#now")
        player.until("return document.getElementById('film').hidden && pbemBoard.still()")
        player.quiet()


def test_an_attack_that_was_not_given_is_not_forgotten(chromium, tmp_path):
    _, _, board = at_attacks(tmp_path)
    with served(board) as server:
        player = Player(chromium, server)
        waits = "Put together, but not given"

        def ticked():
            return player.run("return [...document.querySelectorAll('.party input:checked')].map((e) => e.dataset.k)")

        player.tap("p:0504")
        player.until("return pbemBoard.still() && document.querySelectorAll('.party input').length > 1")
        for key in ("p:0403", "p:0404"):
            player.press(f".party input[data-k='{key}']")
            player.until("return pbemBoard.still()")
        assert waits not in player.text("ready")
        player.mouse(*player.run("return pbemBoard.spot('p:0503')"))
        player.until("return pbemBoard.still() && document.getElementById('ready').textContent.includes('Discard')")
        assert waits in player.text("ready")
        rev = player.state["rev"]
        player.press("#verbs [data-k='v:done']")
        player.until("return pbemBoard.still() && document.querySelector('#ready ul')")
        assert f"{waits}: attack 0504 from 0403,0404." in player.text("ready")
        assert player.state["rev"] == rev
        player.key("Escape")
        player.press("#ready button", "Go on with it")
        player.until("return pbemBoard.still() && document.querySelector('.party input:checked')")
        assert ticked() == ["p:0403", "p:0404"]
        player.press(".party button", "None")
        player.until("return pbemBoard.still() && !document.querySelector('.party input:checked')")
        player.mouse(*player.run("return pbemBoard.spot('p:0503')"))
        player.until("return pbemBoard.still() && !document.getElementById('ready').textContent.includes('Kell')")
        assert waits not in player.text("ready")
        player.mouse(*player.run("return pbemBoard.spot('p:0504')"))
        player.until("return pbemBoard.still() && document.querySelectorAll('.party input').length > 1")
        player.press(".party input[data-k='p:0404']")
        player.until("return pbemBoard.still()")
        player.mouse(*player.run("return pbemBoard.spot('p:0503')"))
        player.until("return pbemBoard.still() && document.getElementById('ready').textContent.includes('Discard')")
        player.press("#ready button", "Discard")
        assert waits not in player.text("ready")
        player.quiet()


OVERLAPS = (  # of these boxes, however far one scrolls
    "const box = document.getElementById(innerWidth > 700 ? 'move' : 'side'), found = [];"
    "for (const share of arguments[1]) {"
    " box.scrollTop = share * (box.scrollHeight - box.clientHeight);"
    " const all = arguments[0].flatMap((each) => [...document.querySelectorAll(each)]).filter((e) => e.textContent);"
    " all.forEach((one, n) => all.slice(n + 1).forEach((other) => {"
    "  const [a, b] = [one, other].map((each) => each.getBoundingClientRect());"
    "  if (a.bottom > b.top + 1 && b.bottom > a.top + 1 && a.right > b.left + 1 && b.right > a.left + 1)"
    "   found.push([share, one.textContent, other.textContent, a.top, a.bottom, b.top, b.bottom]); })); }"
    "return found"
)


def overlaps(player, boxes, shares):
    drawn = "const { style } = document.getElementById('side'), { offsetHeight } = document.getElementById('chosen');"
    player.until(f"{drawn}return style.getPropertyValue('--chosen') === `${{offsetHeight}}px`")
    return player.run(OVERLAPS, boxes, shares)


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_an_attack_of_many_hides_nothing_and_is_said_as_it_stands(chromium, tmp_path, size):
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    for line in ("done", "done"):
        board.order(board.state()["rev"], line)
    rev = board.state()["rev"]
    goals = [key for key in board.state()["first"] if key.startswith("p:")]
    takers = {goal: [key for key in board.pick(rev, [goal])["next"] if key.startswith("u:")] for goal in goals}
    goal = next(each for each in goals if len(takers[each]) >= 6)
    units = sorted(takers[goal])[:6]
    flown = next(text for text in orders.move(desk, name).legal("attack") if " air " in text)
    wing = flown.partition(" air ")[2].split(" ")[0]
    boxes = ("#chosen button:not(.chip)", "#chosen span", "#ready .gives")
    with served(board) as server:
        player = Player(chromium, server, size)
        player.run("pbemBoard.choose([arguments[0]])", goal)
        player.until("return pbemBoard.still() && document.querySelector('.party input')")
        for unit in units:
            player.run("document.querySelector(`.party [data-k='${arguments[0]}']:not(:checked)`)?.click()", unit)
            player.until("return pbemBoard.still()")
        player.until("return document.querySelector('.order pre')?.textContent.includes('Attack:')")
        within = "const box = document.getElementById('move').getBoundingClientRect();"
        odds = "const told = document.querySelector('.order pre').getBoundingClientRect();"
        if size == WIDE:  # with the first lines of the odds, before anything is scrolled
            assert player.run(f"{within}{odds}return told.top + 70 < box.bottom")
        inner = "['auto', 'scroll'].includes(getComputedStyle(each).overflowY)"
        assert player.run(f"return [...document.querySelectorAll('#ready *, #draft')].every((each) => !{inner})")
        shares = [0, 0.2, 0.4, 0.6, 0.8, 1]
        assert overlaps(player, boxes, shares) == []
        player.run("pbemBoard.choose([arguments[0]])", f"u:{wing}")  # what helps is clicked on the map, too
        player.until("return pbemBoard.still() && document.querySelector('#ready code').textContent.includes(' air ')")
        assert player.text("alert") == ""
        player.run(
            "const made = document.querySelector('[data-label=\"air unit\"] select'); made.value = '';"
            "for (const event of ['input', 'change']) made.dispatchEvent(new Event(event))"
        )
        player.until("return pbemBoard.still() && !document.querySelector('#ready code').textContent.includes(' air ')")
        player.unfold()
        assert overlaps(player, boxes, shares) == []
        rev = player.state["rev"]
        player.press("#ready .main")
        player.settled(rev)
        player.run("document.querySelector('#draft li:last-child button').click()")
        player.until("return pbemBoard.still() && document.querySelector('.order .main')")
        assert overlaps(player, boxes, shares) == []
        said = "return document.querySelector('.order p').textContent"
        assert wing not in player.run(said)
        player.run(
            "const made = document.querySelector('[data-label=\"air unit\"] select'); made.value = arguments[0];"
            "for (const event of ['input', 'change']) made.dispatchEvent(new Event(event))",
            wing,
        )
        player.until(f"{said}.includes(arguments[0])", wing)
        assert f" air {wing}" in player.run("return document.querySelector('.order code').textContent")
        player.quiet()


def test_a_standing_order_is_set_where_it_is_named(chromium, tmp_path):
    desk, name, board = at_attacks(tmp_path)
    kind = "retreat"

    def undone():
        rows = {(seat, kind): text for seat, kind, text, _ in orders.move(desk, name).standing_rows()}
        is_set = rows["blue", kind] == "then ask"
        return [] if is_set else [f"Nobody asks you. To be asked: `standing {kind} then ask`."]

    class Named(GameBoard):
        def follows(self, rev, verb):
            return super().follows(rev, verb) | {"undone": undone()}

        def preview(self):
            return super().preview() | {"undone": undone()}

    board = Named(desk, name)
    with served(board) as server:
        player = Player(chromium, server)
        drafted = player.draft()
        for opens, panel in (("#verbs [data-k='v:done']", "ready"), ("#end", "preview")):
            orders.set_standing(desk, name, "blue", kind, None)
            player.look_again(board)
            player.press(opens)
            player.until("return pbemBoard.still() && document.querySelector(arguments[0])", f"#{panel} li button")
            assert "`" not in player.text(panel)
            assert f"standing {kind}" not in player.text(panel)  # the button says it
            assert "To be asked: Set this standing order" in player.text(panel)
            if panel == "ready":
                assert overlaps(player, ("#ready li button", "#ready .gives", "#chosen"), [1]) == []
            rev, records = player.state["rev"], desk.load(name).log.vector
            player.press(f"#{panel} li button", "Set this standing order")
            player.settled(rev)
            player.until("return pbemBoard.still() && document.querySelector(arguments[0])", f"#{panel} .set")
            assert undone() == []
            assert "retreat: You are asked." in player.text(panel)
            assert player.draft() == drafted  # it is set, and the question stands
            assert desk.load(name).log.vector == records
            player.press("#back" if panel == "preview" else "#ready button", None if panel == "preview" else "Not yet")
            player.until("return pbemBoard.still() && !document.getElementById('sealing').open")
            assert player.draft() == drafted
        player.press("#verbs [data-k='v:done']")
        player.until("return pbemBoard.state().draft.length > arguments[0]", len(drafted))
        player.quiet()


def attacked(folder, holds):
    """Red, whom no bot plays any more, may play a card against an attack; `holds`: it can."""
    for number in range(60):
        desk, name, board = at_attacks(folder / str(number), title=str(number))
        orders.set_bots(desk, name, ())
        for line in ("attack 0504 from 0403,0404", "done"):
            board.order(board.state()["rev"], line)
        state = board.send(board.state()["rev"])
        if state["question"] == "react" and any(key.startswith("c:") for key in state["first"]) == holds:
            return desk, name, board
    raise AssertionError("no such hand in 60 games")


def test_an_answer_is_sealed_where_it_is_given(chromium, tmp_path):
    """In one click if nothing else can be ordered; a card, which does not come back, takes a second one."""
    desk, name, board = attacked(tmp_path / "none", holds=False)
    with served(board) as server:
        player = Player(chromium, server)
        records = desk.load(name).log.vector
        assert "and seal that" in player.text("verbs")
        player.press("#verbs [data-k='v:pass']")
        player.until("return pbemBoard.still() && pbemBoard.state().answer !== 'only'")
        assert desk.load(name).log.vector != records
        player.quiet()
    desk, name, board = attacked(tmp_path / "some", holds=True)
    card = next(key for key in board.state()["first"] if key.startswith("c:"))
    with served(board) as server:
        player = Player(chromium, server)
        assert "and seal that" not in player.text("verbs")
        player.press("#verbs [data-k='v:pass']")
        player.until("return document.getElementById('sealing').open")
        assert player.draft() == ["pass"]
        player.press("#back")
        player.press("#undo")
        player.until("return pbemBoard.still() && !pbemBoard.state().draft.length")
        records = desk.load(name).log.vector
        player.press(f"#panels [data-k='{card}']")
        player.until("return pbemBoard.still() && document.querySelector('#ready .main')")
        assert player.draft() == []
        player.press("#ready .main", "Give this order")
        player.until("return pbemBoard.still() && pbemBoard.state().draft.length")
        assert player.draft()[0].startswith("play ")
        assert desk.load(name).log.vector == records
        player.quiet()


def test_nothing_jumps_when_a_card_is_chosen_or_refused(chromium, tmp_path):
    """What is pressed stays where it is; messages lie upon the map."""
    desk, name = alone(tmp_path, "noretreat")
    board = GameBoard(desk, name)
    state = board.state()
    cards = [row["key"] for panel in state["parts"]["panels"][1] for row in panel["rows"] if row["key"]]
    several = [key for key in cards if key in state["first"] and board.pick(state["rev"], [key])["next"]]
    with served(board) as server:
        player = Player(chromium, server)
        for card in (*several, *(key for key in cards if key not in state["first"])):
            button = f"#panels [data-k='{card}']"
            player.run("document.querySelector(arguments[0]).scrollIntoView({ block: 'center' })", button)
            top = "return document.querySelector(arguments[0]).getBoundingClientRect().top"
            before, prompt = player.run(top, button), player.run(top, "#prompt")
            player.press(button)
            player.until("return pbemBoard.still()")
            assert (player.run(top, button), player.run(top, "#prompt")) == (before, prompt)
            player.key("Escape")
        inside = (
            "const [box, map] = ['alert', 'map'].map((each) => document.getElementById(each).getBoundingClientRect());"
            "return box.left >= map.left && box.right <= map.right && box.top >= map.top && box.bottom <= map.bottom"
        )
        player.run("pbemBoard.choose(['c:99'])")
        player.until("return document.getElementById('alert').textContent")
        assert player.run(inside)
        chromium.size(*NARROW)
        assert player.run(inside)
        player.quiet()


VISIBLE = (
    "const found = document.querySelector(arguments[0]), box = found?.getBoundingClientRect();"
    "const room = document.getElementById(arguments[1] ?? 'move').getBoundingClientRect();"
    "return Boolean(found) && box.height > 0 && box.top >= room.top - 1 && box.bottom <= room.bottom + 1"
)


def in_the_caucasus(folder):
    """The Axis is to move: 17 units wait in a box beside the map, at which few of them are drawn."""
    desk, name = alone(folder, "stalingrad42", scenario="caucasus")
    orders.order(desk, name, ("done",))
    return GameBoard(desk, name)


def test_what_was_asked_for_comes_into_sight(chromium, tmp_path):
    """Odds beneath a pile, a unit that is clicked on the map, a question: each where one looks."""
    board = in_the_caucasus(tmp_path)
    with served(board) as server:
        player = Player(chromium, server)
        state = player.state
        pile = max(state["at"], key=lambda each: len(state["at"][each]))
        player.run("pbemBoard.choose([arguments[0]])", pile)
        player.until("return pbemBoard.still() && document.querySelectorAll('#here button').length > 10")
        assert player.run(VISIBLE, "#verbs [data-k='v:done']")
        player.press("#here button", "Odds of an attack here")
        player.until("return pbemBoard.still() && document.querySelector('#chances pre')")
        assert player.run(VISIBLE, "#chances pre")
        unit = next(key for key in state["first"] if key[:2] == "u:" and player.run(DRAWN, key))
        player.run("document.getElementById('move').scrollTop = 9999")
        player.mouse(*player.run(DRAWN, unit))
        player.until("return pbemBoard.still() && document.getElementById('move').scrollTop === 0")
        player.press(f"#here [data-k={json.dumps(unit)}]")
        player.until("return pbemBoard.still() && document.querySelector('#chosen .chip')")
        player.run("document.getElementById('move').scrollTop = 9999")
        assert player.run(VISIBLE, "#chosen")  # what is picked stays in sight
        player.press("#verbs [data-k='v:done']")
        player.until("return pbemBoard.still() && document.querySelector('#ready .main')")
        assert player.run(VISIBLE, "#prompt")
        assert player.run(VISIBLE, "#ready .main")
        assert player.text("here")
        player.press("#ready .main")
        player.until("return pbemBoard.still() && !document.getElementById('here').textContent")  # of another question
        player.quiet()


DRAWN = (
    "const drawn = document.querySelector(`#over g[data-k='${CSS.escape(arguments[0])}']`);"
    "const box = drawn?.getBoundingClientRect(); return box && [box.x + box.width / 2, box.y + box.height / 2]"
)


def test_a_pile_is_listed_and_what_is_shown_as_picked_is_what_goes(chromium, tmp_path):
    board = in_the_caucasus(tmp_path)
    with served(board) as server:
        player = Player(chromium, server)
        state = player.state
        pile = max(state["at"], key=lambda each: sum(one["key"] in state["first"] for one in state["at"][each]))
        units = [each["key"] for each in state["at"][pile] if each["key"] in state["first"]]
        drawn = [each for each in units if player.run(DRAWN, each)]
        assert 0 < len(drawn) < len(units)
        player.mouse(*player.run(DRAWN, drawn[0]))
        player.until("return pbemBoard.still() && document.getElementById('here').textContent")
        chips = "return [...document.querySelectorAll('#chosen .chip')].map((each) => each.textContent)"
        assert player.run(chips) == []
        assert "Nothing is picked yet." in player.text("here")
        one, two, three = [key for key in units if board.pick(state["rev"], [key])["ends"]][-3:]

        def pick(key):
            player.press(f"#here [data-k={json.dumps(key)}]")
            player.until("return pbemBoard.still()")
            return player.run(chips)

        assert pick(one) == [f"× {one[2:]}"]
        assert pick(one) == []
        assert pick(one) == [f"× {one[2:]}"]
        assert pick(two) == [f"× {one[2:]}", f"× {two[2:]}"]
        assert pick(three) == [f"× {each[2:]}" for each in (one, two, three)]
        assert pick(two) == [f"× {one[2:]}", f"× {three[2:]}"]
        player.press("#chosen .chip", f"× {one[2:]}")
        player.until("return pbemBoard.still()")
        assert player.run(chips) == [f"× {three[2:]}"]
        ends = board.pick(state["rev"], [three])["ends"]
        goal = next(key for key, done in ends.items() if len(done) == 1 and key[:2] == "p:")
        player.tap(goal)
        player.until("return pbemBoard.state().draft.length > 1")
        assert player.draft() == ["done", ends[goal][0][1]]
        player.quiet()


def test_the_common_kind_of_order_is_given_at_once_and_rarer_ones_are_offered(chromium, tmp_path):
    """Which kind is meant can be chosen first; it stays chosen until another one is."""
    board = in_the_caucasus(tmp_path)
    state, kinds = board.state(), ("move", "extended", "tactical")
    ends = {key: board.pick(state["rev"], [key])["ends"] for key in state["first"] if key[:2] == "u:"}
    unit, goal, done = next(
        (unit, goal, dict(done))
        for unit, goals in ends.items()
        for goal, done in goals.items()
        if {*kinds} <= {word for word, _ in done}
    )
    others = [key for key, goals in ends.items() if "extended" in {word for each in goals.values() for word, _ in each}]
    with served(board) as server:
        player = Player(chromium, server)

        def choose(*keys):
            rev = player.state["rev"]
            for key in keys:
                player.run("pbemBoard.choose([arguments[0]])", key)
                player.until("return pbemBoard.still()")
            player.settled(rev)
            return player.draft()[1:]

        assert choose(unit, goal) == [done["move"]]
        player.press("#ready button", done["extended"])
        player.until("return pbemBoard.state().draft[1]?.typed === arguments[0]", done["extended"])
        player.until("return pbemBoard.still()")
        player.press("#undo")
        player.until("return pbemBoard.state().draft.length === 1")
        player.press("#verbs [data-k='v:extended']")
        player.until("return pbemBoard.still()")
        assert choose(unit, goal) == [done["extended"]]
        assert player.text("chosen").startswith("Deselect (Esc)extended")
        now = board.state()
        other, far, text = next(
            (key, to, text)
            for key in others
            if key != unit and key in now["first"]
            for to, found in board.pick(now["rev"], [key], "extended")["ends"].items()
            for word, text in found
        )
        assert choose(other, far) == [done["extended"], text]
        player.key("Escape")
        assert player.text("chosen") == ""
        player.quiet()


def test_a_battle_offers_the_standing_order_that_would_have_asked(chromium, tmp_path):
    class Told(GameBoard):
        def send(self, rev, have=None):
            wish = "To decide this yourself, set the standing order for advance: `standing advance then ask`."
            fight = {"key": "p:1714", "text": "1714 was attacked.", "dice": [], "means": "", "asks": [wish]}
            return super().send(rev, have) | {"fights": [fight]}

    desk, name = against_bot(tmp_path, "stalingrad42")
    orders.order(desk, name, ("done", "done", "done"))
    with served(Told(desk, name)) as server:
        player = Player(chromium, server)
        player.send()
        assert player.text("fights").startswith("1714 was attacked.To decide this yourself, set the")
        assert "`" not in player.text("fights")
        rev = player.state["rev"]
        player.press("#fights button", "Set this standing order")
        player.settled(rev)
        player.until("return pbemBoard.still()")
        assert player.text("fights").startswith("1714 was attacked.Your standing order is set. advance: You are asked")
        assert ("axis", "advance", "then ask") in [row[:3] for row in orders.move(desk, name).standing_rows()]
        player.quiet()


def in_short_movement(folder):
    """Units may go into Full Retreat, to places that they cannot reach otherwise."""
    desk, name = alone(folder, "stalingrad42", scenario="uranus")
    orders.order(desk, name, ("done", "done"))
    return GameBoard(desk, name)


def test_another_goal_is_chosen_while_an_order_to_one_waits_for_more(chromium, tmp_path):
    board = in_short_movement(tmp_path)
    state = board.state()
    texts = "return [...document.querySelectorAll('.order > code')].map((each) => each.textContent)"

    def several(ends):
        return [key for key, done in ends.items() if {word for word, _ in done} == {"withdraw"} and key[:2] == "p:"]

    def ends_of(*picked):
        rev = state["rev"]
        found = board.pick(rev, picked) if len(picked) == 1 else board.pick(rev, [], group=dict.fromkeys(picked, 1))
        return found["ends"]

    units = [key for key in state["first"] if key[:2] == "u:" and len(several(ends_of(key))) > 1]
    one, other = next(
        (one, other)
        for n, one in enumerate(units)
        for other in units[n + 1 :]
        if place_of(state, one) == place_of(state, other) and len(several(ends_of(one, other))) > 1
    )
    with served(board) as server:
        player = Player(chromium, server)
        for group in ((one,), (one, other)):
            ends = ends_of(*group)
            first, second = several(ends)[:2]
            far = next(key for key in state["at"] if key[:2] == "p:" and key not in ends)
            for key in (*group, first, far, second):
                player.run("pbemBoard.choose([arguments[0]])", key)
                player.until("return pbemBoard.still()")
                if key == far:
                    assert player.text("alert")
                    assert first[2:] not in player.text("alert")
                    assert player.run(texts) == [text for _, text in ends[first]]
            assert player.run(texts) == [text for _, text in ends[second]]
            assert player.draft() == ["done", "done"]
            player.key("Escape")
        ends = ends_of(one)
        first = several(ends)[0]
        player.press("#verbs [data-k='v:withdraw']")
        for key in (one, first):  # now it is known how it is to go
            player.until("return pbemBoard.still()")
            player.run("pbemBoard.choose([arguments[0]])", key)
        player.until("return pbemBoard.state().draft.length > 2")
        assert player.draft()[2:] == [ends[first][0][1]]
        player.quiet()


def test_an_order_that_waits_for_how_is_not_dropped_unnoticed(chromium, tmp_path):
    board = in_short_movement(tmp_path)
    state = board.state()
    ends = {key: board.pick(state["rev"], [key])["ends"] for key in state["first"] if key[:2] == "u:"}
    unit, goal = next(
        (key, to) for key in ends for to, done in ends[key].items() if [w for w, _ in done] == ["withdraw"]
    )
    other = next(key for key in ends if place_of(state, key) not in (place_of(state, unit), goal))
    lost = f"Not ordered, since you had not chosen how: {' / '.join(text for _, text in ends[unit][goal])}."
    with served(board) as server:
        player = Player(chromium, server)

        def choose(*keys):
            for key in keys:
                player.run("pbemBoard.choose([arguments[0]])", key)
                player.until("return pbemBoard.still()")

        choose(unit, goal, other)
        assert player.text("alert") == lost
        player.key("Escape")
        choose(unit, goal)
        player.press("#verbs [data-k='v:done']")
        player.until("return pbemBoard.still() && document.querySelector('#ready .gives')")
        assert lost in player.text("ready")
        choose(other)  # one goes on ordering: what was asked is asked no more
        assert player.text("alert") == ""
        assert player.text("chosen").startswith(f"Deselect (Esc)× {other[2:]}")
        player.quiet()


def test_stops_on_the_way_are_part_of_the_order(chromium, tmp_path):
    """Also where the goal is lit, and where several units go together."""
    board = in_the_caucasus(tmp_path)
    state = board.state()
    one, other = [key for key in state["first"] if key[:2] == "u:" and board.pick(state["rev"], [key])["ends"]][-2:]
    both = board.pick(state["rev"], [], group={one: 1, other: 1})["ends"]

    def by(unit, *places):
        return [each["text"] for each in board.pick(state["rev"], [unit, *places])["ready"] if each["verb"] == "move"]

    stop, goal = next((p, q) for p in both for q in both if p != q and all(by(unit, p, q) for unit in (one, other)))
    lines = {unit: by(unit, stop, goal)[0] for unit in (one, other)}
    with served(board) as server:
        player = Player(chromium, server)
        for units in ((one,), (one, other)):
            rev = player.state["rev"]
            player.press("#verbs [data-k='v:move']")
            for key in units:
                player.run("pbemBoard.choose([arguments[0]])", key)
                player.until("return pbemBoard.still()")
            player.press("#chosen button", "Via …")
            for key in (stop, goal):
                player.run("pbemBoard.choose([arguments[0]])", key)
                player.until("return pbemBoard.still()")
            player.settled(rev)
            assert player.draft()[1:] == ["; ".join(lines[unit] for unit in units)]
            rev = player.state["rev"]
            player.press("#undo")
            player.settled(rev)
        player.quiet()


def test_what_a_unit_orders_alone_stands_below_where_it_may_go(chromium, tmp_path):
    desk, name = against_bot(tmp_path, "stargard")
    board, rng = GameBoard(desk, name), Dice("alone")

    def both(key):
        found = board.pick(board.state()["rev"], [key])
        return found["ready"] and any(each[:2] == "p:" for each in found["ends"])

    for _ in attempts(300, "no unit may go somewhere or do something where it is"):
        if units := [key for key in board.state()["first"] if key[:2] == "u:" and both(key)]:
            break
        if not orders.move(desk, name).asked():
            board.send(board.state()["rev"])
            continue
        board.order(board.state()["rev"], bots_clicks(board, rng)[1])
    with served(board) as server:
        player = Player(chromium, server)
        rev = player.state["rev"]
        player.run("pbemBoard.choose([arguments[0]])", units[0])
        player.until("return pbemBoard.still() && document.querySelector('#lit .b-goal')")
        assert player.text("ready") == ""
        assert not player.run("return document.querySelector('#others .order').checkVisibility()")
        player.press("#others summary")
        player.press("#others .main")
        player.settled(rev)
        player.quiet()


def test_the_map_shows_who_is_to_move_and_the_battle_that_is_asked_about(chromium, tmp_path):
    seen = (
        "const box = document.getElementById('map').getBoundingClientRect();"
        "return arguments[0].some((key) => { const [x, y] = pbemBoard.spot(key);"
        " return x > box.x + 20 && y > box.y + 20 && x < box.right - 20 && y < box.bottom - 20; })"
    )
    board = GameBoard(*alone(tmp_path / "axis", "axis1941"))
    with served(board) as server:
        player = Player(chromium, server)
        assert player.run(seen, player.state["acting"])
        for _ in range(4):
            player.press("#in")
        shown = set()
        for _ in attempts(60, "not every power has its turn"):
            state = player.state
            shown.add(state["seat"])
            if len(shown) == 5:
                break
            lines = orders.move(board.home, board.name).legal()
            words = [each["word"] for each in state["verbs"] if each["alone"]]
            orders.order(board.home, board.name, ("done" if "done" in words else next(iter(lines)),))
            if not orders.move(board.home, board.name).asked():
                sending.send(board.home, board.name)
            player.look_again(board)
            player.until("return pbemBoard.still()")
            if player.state["seat"] not in {*shown, None}:
                assert player.run(seen, player.state["acting"]), player.state["seat"]
    _, _, board = at_attacks(tmp_path / "battle")
    for line in ("attack 0504 from 0403,0404", "done"):
        board.order(board.state()["rev"], line)
    with served(board) as server:
        player = Player(chromium, server)
        player.press("#in")
        for _ in attempts(20, "no question in a battle"):
            state = player.state
            if state["seat"] and len(state["fights"]) == 1:
                break
            assert not state["result"]
            player.run("document.getElementById('map').focus()")
            for _ in range(20):
                player.key("ArrowRight")
                player.key("ArrowDown")
            if state["seat"]:
                orders.order(board.home, board.name, (next(iter(orders.move(board.home, board.name).legal())),))
                player.look_again(board)
            else:
                player.send()
            player.until("return pbemBoard.still()")
        assert player.run(seen, [state["fights"][0]["key"]])
        player.quiet()


def place_of(state, unit):
    return next(place for place, stack in state["at"].items() if any(each["key"] == unit for each in stack))


def test_a_small_screen_has_the_zoom_in_sight_and_a_tip_of_one_line(chromium, tmp_path):
    _, _, board = at_attacks(tmp_path)
    with served(board) as server:
        player = Player(chromium, server, NARROW)
        scale = "return document.getElementById('sheet').style.transform"
        for button in ("#in", "#out"):
            before = player.run(scale)
            player.press(button)
            assert player.run(scale) != before
        player.press("#fit")
        player.point("u:R9")
        player.until("return !document.getElementById('tip').hidden")
        share = player.run(
            "const [tip, map] = ['tip', 'map'].map((each) => document.getElementById(each).getBoundingClientRect());"
            "return tip.height / map.height"
        )
        assert share < 0.1
        player.quiet()


def after_a_reply(folder, game):
    """The board of a game against the bot, which has just answered."""
    desk, name = against_bot(folder, game)
    board = GameBoard(desk, name)
    for _ in attempts(200, "the bot has not answered"):
        if board.state()["first"]:
            orders.bot(desk, name)
        else:
            board.send(board.state()["rev"])
        if board.past()["changed"]:
            break
    return board


def test_on_a_small_screen_the_last_turn_is_a_bar_below_the_map(chromium, tmp_path):
    """One line, which can be opened, and buttons that stay where they are."""
    board = after_a_reply(tmp_path, "bridgehead")
    box = "const box = (name) => document.getElementById(name).getBoundingClientRect();"
    with served(board) as server:
        player = Player(chromium, server, NARROW)
        player.press("#last")
        player.until("return !document.getElementById('film').hidden && pbemBoard.still()")
        assert player.run(f"{box} return box('film').height / box('map').height") < 0.3
        assert player.text("gist").startswith("Overall changes: ")
        line = player.run(f"{box} return [box('gist').height, box('gist').right, innerWidth]")
        assert line[0] < 30
        assert line[1] <= line[2]
        places = f"{box} return ['earlier', 'later', 'now'].flatMap((each) => [box(each).x, box(each).y])"
        rows = [player.run(places)]
        while not player.run("return document.getElementById('earlier').disabled") and len(rows) < 4:
            player.press("#earlier")
            player.until("return pbemBoard.still()")
            rows.append(player.run(places))
        player.press("#gist")
        player.until("return document.getElementById('happened').checkVisibility()")
        assert len(rows) > 1
        assert {tuple(row) for row in (*rows, player.run(places))} == {tuple(rows[0])}
        player.quiet()


def test_what_a_step_shows_is_not_hidden_below_what_it_tells(chromium, tmp_path):
    board = after_a_reply(tmp_path, "stargard")
    seen = (
        "const [sheet, map, film] = ['sheet', 'map', 'film'].map((each) => document.getElementById(each));"
        "const { e, f, a } = new DOMMatrix(getComputedStyle(sheet).transform), [x, y] = arguments[0];"
        "const [across, down] = [e + x * a, f + y * a];"
        "return across > 0 && across < map.clientWidth && down > 0 && down < film.offsetTop"
    )
    first, count = board.past()["number"], board.past()["count"]
    number, middle = next((n, board.past(n)["middle"]) for n in range(first, count) if board.past(n)["middle"])
    with served(board) as server:
        player = Player(chromium, server)
        for _ in range(8):
            player.press("#in")  # so near that not all of it is in the window
        player.press("#last")
        player.until("return !document.getElementById('film').hidden && pbemBoard.still()")
        there = f"return document.getElementById('step').textContent === '{number + 1} of {count}' && pbemBoard.still()"
        for _ in range(first, number):
            player.press("#later")
            player.until("return pbemBoard.still()")
        player.until(there)
        assert player.run(seen, middle)
        player.drag(middle, player.run("return document.getElementById('map').clientHeight - 60"))
        assert not player.run(seen, middle)
        player.run(
            "const part = document.getElementById('part'), made = new Option('', arguments[0], true, true);"
            "part.append(made); part.dispatchEvent(new Event('change'))",
            str(number),
        )
        player.until("return document.querySelector('#part option:last-child').textContent && pbemBoard.still()")
        player.until(there)
        assert player.run(seen, middle)
        player.quiet()


def test_costs_reach_and_odds_are_seen_before_anything_is_ordered(chromium, tmp_path):
    """By the mouse held still, by the list, and with ticks for who would take part."""
    _, _, board = at_attacks(tmp_path, before="move B7 0404")
    with served(board) as server:
        player = Player(chromium, server)
        player.press("#fit")
        player.point("u:R9")
        player.until("return !document.getElementById('tip').hidden && document.querySelector('#lit .b-look')")
        assert player.text("tip").startswith("0703\nR9: Red")
        player.point("p:0104")
        player.until("return !document.querySelector('#lit .b-look')")
        player.tap("u:B7")
        player.until("return pbemBoard.still()")
        player.press("#list summary")
        player.until("return document.querySelector('#list .many').textContent.includes('0404: 1 point, stops')")
        player.point("p:0404")
        player.until("return document.getElementById('tip').textContent === '0404: 1 point, stops'")
        assert player.run(
            "const [x, y] = pbemBoard.spot('p:0404'), tip = document.getElementById('tip').getBoundingClientRect();"
            "return x < tip.left - 20 || x > tip.right + 20 || y < tip.top - 20 || y > tip.bottom + 20"
        )
        player.key("Escape")
        player.mouse(*player.run("return pbemBoard.spot('p:0504')"))
        player.until("return pbemBoard.still()")
        player.press("#here button", "Look")
        player.until("return document.getElementById('told').textContent.includes('can come beside Kell')")
        rev = player.state["rev"]
        player.tap("u:B7")
        player.until("return pbemBoard.still() && document.querySelector('#lit .b-goal')")
        player.mouse(*player.run("return pbemBoard.spot('p:0404')"))
        player.settled(rev)
        player.mouse(*player.run("return pbemBoard.spot('p:0504')"))
        player.until("return pbemBoard.still()")
        player.press("#here button", "Odds of an attack here")
        player.until("return document.querySelectorAll('#chances input:checked').length === 1")
        assert "column" in player.text("chances")
        player.press("#chances input")
        player.until("return document.getElementById('chances').textContent.includes('No unit takes part')")
        player.press("#rules")
        player.until("return document.getElementById('reader').open")
        assert "BH-1.1" in player.text("book")
        assert axe(player) == []
        player.press("#shut")
        player.quiet()


def test_a_phase_does_not_end_unnoticed_and_the_dice_are_seen(chromium, tmp_path):
    desk, _, board = at_attacks(tmp_path, before="move B7 0404")
    with served(board) as server:
        player = Player(chromium, server, NARROW)
        player.run("document.getElementById('side').scrollTop = 9999")
        rev = player.state["rev"]
        player.press("#verbs [data-k='v:done']")
        player.until("return pbemBoard.still() && document.querySelector('#ready ul')")
        assert player.state["rev"] == rev
        assert re.search(r"Not moved: .*B7", player.text("ready"))
        assert "Cards are dealt." in player.text("ready")
        player.key("Escape")
        assert player.text("ready") == ""
        for line in ("move B7 0404", "move B6 0403"):
            orders.order(desk, board.name, (line,))
        player.look_again(board)
        player.end_phase()
        assert player.run("return document.getElementById('side').scrollTop") == 0
        orders.order(desk, board.name, ("attack 0504 from 0403,0404",))
        player.look_again(board)
        assert len(player.state["aims"]) == 2
        player.end_phase()
        for _ in attempts(20, "no dice"):
            if player.state["fights"]:
                break
            if player.state["seat"]:  # in a window before the dice
                orders.order(desk, board.name, ("pass",))
                player.look_again(board)
                continue
            player.until("return document.querySelectorAll('#then li').length > 0")
            assert player.text("end") in ("Seal and roll …", "Seal so far …", "End turn …")
            player.press("#end")
            player.until("return document.getElementById('sealing').open")
            rev = player.state["rev"]
            player.press("#seal")
            player.settled(rev)
        seen = player.run(
            "const [die, side] = [document.querySelector('#fought .die'), document.getElementById('side')]"
            ".map((each) => each.getBoundingClientRect());"
            "return die.top >= side.top && die.bottom <= side.bottom && die.right <= side.right"
        )
        assert seen
        assert player.run("return document.getElementById('side').scrollTop") == 0, "the question is out of sight"
        player.press("#fought button")
        assert player.run("return document.getElementById('side').scrollTop") > 0
        player.quiet()


def test_what_cannot_be_chosen_says_why(chromium, tmp_path):
    """A card of the hand that is not for now, and a unit that may not go in a way."""
    desk, name = alone(tmp_path, "noretreat")
    board = GameBoard(desk, name)
    for _ in attempts(200, "nobody may move"):
        if any(each["word"] == "move" for each in board.state()["verbs"]):
            break
        if not orders.move(desk, name).asked():
            sending.send(desk, name)
            continue
        legal = list(orders.move(desk, name).legal())
        orders.order(desk, name, (next((each for each in legal if each in ("done", "pass")), legal[0]),))
    state = board.state()
    rows = [row["key"] for panel in state["parts"]["panels"][1] for row in panel["rows"] if row["key"][:2] == "c:"]
    card = next(key for key in rows if key not in state["first"])
    with served(board) as server:
        player = Player(chromium, server)
        player.press(f"#panels [data-k='{card}']")
        player.until("return document.getElementById('alert').textContent")
        assert len(player.text("alert")) > 20
        chromium.size(*NARROW)
        player.until("return document.querySelector('#bar #size')")  # it has been laid out anew
        player.key("Escape")
        player.press("#tabs button", "Cards")
        player.press(f"#panels [data-k='{card}']")
        player.until("return document.getElementById('alert').checkVisibility()")
        orders.order(desk, name, ("done",))
        player.look_again(board)
        assert "attack" in player.text("prompt")
        player.run("pbemBoard.choose(['p:2210'])")
        player.until("return pbemBoard.still() && document.getElementById('told').textContent")
        player.quiet()


def test_who_takes_part_is_the_same_for_odds_and_orders(chromium, tmp_path):
    desk, name = against_bot(tmp_path, "stargard")
    board, rng = GameBoard(desk, name), Dice("ticks")
    for _ in attempts(300, "nobody may attack"):
        if any(each["word"] == "attack" for each in board.state()["verbs"]):
            break
        if not orders.move(desk, name).asked():
            board.send(board.state()["rev"])
            continue
        board.order(board.state()["rev"], bots_clicks(board, rng)[1])
    state = board.state()
    several = (key for key in state["first"] if key[:2] == "p:" and len(parties(board, key)) > 1)
    target = next(several)
    with served(board) as server:
        player = Player(chromium, server)
        ticked = "return [...document.querySelectorAll('.party input:checked')].map((each) => each.dataset.k)"
        player.tap(target)
        player.until("return pbemBoard.still() && document.querySelector('.party input')")
        assert player.run(ticked) == []
        player.press("#here button", "Odds of an attack here")
        player.until("return document.querySelectorAll('#chances input:checked').length > 1")
        assert "All that can take part are ticked." in player.text("chances")
        player.key("Escape")
        player.tap(target)
        player.until("return pbemBoard.still() && document.querySelector('.party input')")
        assert player.run(ticked) == []  # nobody has ticked them yet, there or here
        assert "Nothing is ticked yet" in player.text("ready")
        top = player.run("return document.querySelector('.party input').getBoundingClientRect().top")
        player.press(".party button", "All")
        player.until("return pbemBoard.still() && !document.querySelector('.party input:not(:checked)')")
        moved = player.run("return document.querySelector('.party input').getBoundingClientRect().top") - top
        assert abs(moved) < 12, "the boxes go away under the pointer"
        first, *rest = player.run(ticked)
        player.press(f".party input[data-k='{first}']")
        player.until("return pbemBoard.still() && document.querySelector('.party input:not(:checked)')")
        player.press("#here button", "Odds of an attack here")
        player.until("return document.querySelectorAll('#chances input').length > 1")
        assert player.run("return document.querySelectorAll('#chances input:checked').length") == len(rest)
        player.key("Escape")
        player.tap(target)
        player.until("return pbemBoard.still() && document.querySelector('.party input:checked')")
        assert player.run(ticked) == rest
        assert "Ticked are those that you chose for this place before." in player.text("ready")
        player.quiet()


def parties(board, target):
    return [key for key in board.pick(board.state()["rev"], [target])["next"] if key[:2] == "u:"]


def test_ticks_are_kept_as_numbers_and_until_others_can_take_part(chromium, tmp_path):
    boxes = (
        "return [...document.querySelectorAll('#chances label')].map((each) => {"
        " const made = each.querySelector('input');"
        " return [each.textContent, Number(made.type === 'number' ? made.value : made.checked)]; })"
    )

    def odds(player, place):
        player.key("Escape")
        player.run("pbemBoard.choose([arguments[0]])", place)
        player.until("return pbemBoard.still()")
        player.press("#here button", "Odds of an attack here")
        player.until("return pbemBoard.still() && document.querySelector('#chances pre')?.textContent")
        return player.run(boxes)

    with served(GameBoard(*alone(tmp_path / "axis", "axis1941"))) as server:
        player = Player(chromium, server)
        before = odds(player, "p:Ukraine")
        assert len({text for text, _ in before}) == len(before)
        assert before[0][1] == 3
        player.run(
            "const made = document.querySelector('#chances input'); made.value = 2;"
            "made.dispatchEvent(new Event('change'))"
        )
        player.until("return pbemBoard.still()")
        assert odds(player, "p:Ukraine") == [[before[0][0], 2], *before[1:]]
    desk, _, board = at_attacks(tmp_path / "newcomer", before="move B6 0403")
    with served(board) as server:
        player = Player(chromium, server)
        (only,) = odds(player, "p:0504")
        player.press("#chances input")
        player.until("return pbemBoard.still()")
        assert odds(player, "p:0504") == [[only[0], 0]]
        orders.order(desk, board.name, ("move B6 0403",))
        player.look_again(board)
        assert [taken for _, taken in odds(player, "p:0504")] == [1, 1]  # as if nobody had ticked before
        empty = next(key for key in ("p:0302", "p:0601", "p:0605", "p:0706") if key not in player.state["at"])
        player.run("pbemBoard.choose([arguments[0]])", empty)
        player.until("return pbemBoard.still() && document.querySelector('#here h2')")
        assert "Odds" not in player.text("here")  # nobody stands there
        player.quiet()


def test_ways_of_moving_have_colours_of_their_own(chromium, tmp_path):
    desk, name = alone(tmp_path, "stalingrad42")
    board = GameBoard(desk, name)
    state = board.state()

    def ways(key):
        ends = board.pick(state["rev"], [key])["ends"].items()
        return {done[0][0] for goal, done in ends if goal[:2] == "p:"}

    for _ in attempts(60, "no unit may move in two ways"):
        if units := [key for key in state["first"] if key[:2] == "u:" and len(ways(key)) > 1]:
            break
        if not orders.move(desk, name).asked():
            board.send(state["rev"])
        else:
            board.order(state["rev"], "done" if "v:done" in state["first"] else next(orders.move(desk, name).legal()))
        state = board.state()
    with served(board) as server:
        player = Player(chromium, server)
        player.run("pbemBoard.choose([arguments[0]])", units[0])  # it may lie beneath others
        player.until("return pbemBoard.still() && document.querySelector('#legend .swatch')")
        words = player.run("return [...document.getElementById('legend').children].map((each) => each.textContent)")
        assert set(words) == ways(units[0])
        strokes = player.run(
            "return [...document.querySelectorAll('#lit .b-goal')].map((each) => getComputedStyle(each).stroke)"
        )
        assert len(set(strokes)) == len(words)
        player.quiet()


def test_the_map_rests_before_it_is_drawn_anew(chromium, tmp_path):
    with served(GameBoard(*alone(tmp_path, "bridgehead"))) as server:
        player = Player(chromium, server)
        player.run(
            "document.getElementById('map').dispatchEvent(new WheelEvent('wheel',"
            " { clientX: 500, clientY: 400, deltaY: -60, cancelable: true }))"
        )
        assert player.run("return document.getElementById('map').classList.contains('moving')")
        player.until("return !document.getElementById('map').classList.contains('moving') && pbemBoard.rested.at > 0")
        player.quiet()


def test_a_group_goes_in_three_clicks_and_comes_back_in_one(chromium, tmp_path):
    desk, name = alone(tmp_path, "axis1941")
    orders.order(desk, name, ("done",))
    board = GameBoard(desk, name)
    with served(board) as server:
        player = Player(chromium, server)
        player.key("2")
        player.tap("u:ussr-infantry@Russia")
        player.until("return pbemBoard.still()")
        player.tap("u:ussr-tank@Russia")
        player.until("return pbemBoard.still()")
        rev = player.state["rev"]
        player.tap("p:West-Russia")
        player.settled(rev)
        assert player.draft()[1:] == ["2 x move infantry Russia > West-Russia; move tank Russia > West-Russia"]
        assert len(orders.move(desk, name).drafted().orders) == 4
        rev = player.state["rev"]
        player.key("u")
        player.settled(rev)
        assert player.draft() == ["done"]
        player.tap("u:ussr-infantry@Archangel")
        player.until("return pbemBoard.still()")
        player.press("#fit")
        player.mouse(*player.run("const e = document.querySelector(\"[data-k='p:Germany']\").getBoundingClientRect();"
                                 "return [e.x + e.width / 2, e.y + e.height / 2]"))  # fmt: skip
        player.until("return document.getElementById('alert').textContent")
        assert "AA-" in player.text("alert")
        player.end_phase()  # though a unit is held
        assert player.draft() == ["done", "done"]
        player.quiet()


BEYOND = """
const {at, labels} = pbemBoard.state(), map = document.getElementById('map').getBoundingClientRect(), found = [];
const ground = (x, y) => document.elementsFromPoint(x, y).find((each) => each.matches('.b-spot'))?.dataset.p;
const inside = ([x, y]) => x > map.x + 5 && y > map.y + 5 && x < map.right - 5 && y < map.bottom - 5;
function look(place, unit, drawn) {
  const box = drawn.getBoundingClientRect();
  const points = [0.2, 0.5, 0.8].flatMap((a) => [0.3, 0.7].map((b) => [box.x + box.width * a, box.y + box.height * b]));
  const hits = ([x, y]) => inside([x, y]) && drawn.contains(document.elementFromPoint(x, y));
  const over = points.find((point) => hits(point) && ground(...point) !== place);
  if (over) found.push([place, unit, ...over]);
}
for (const [place, units] of Object.entries(at))
  for (const each of units.filter((one) => one.able > 1))
    look(place, each.key, document.querySelector(`#over g[data-k="${CSS.escape(each.key)}"]`));
for (const [place, name] of Object.entries(labels).filter(([key]) => key.startsWith('p:')))
  for (const each of document.querySelectorAll('#layer-stacks text'))
    if (each.textContent === name) look(place, '', each);
return found;
"""  # places, with a unit or the name that is drawn over another place, and where


def test_what_stands_for_a_place_is_not_a_click_on_the_one_beneath(chromium, tmp_path):
    """Counters and names reach over borders where there is little room; a click on them is theirs nonetheless."""
    desk, name = alone(tmp_path, "axis1941")
    orders.order(desk, name, ("done",) * 10)  # to the combat move of Japan
    board = GameBoard(desk, name)
    with served(board) as server:
        player = Player(chromium, server)
        player.press("#fit")
        found = player.until(BEYOND)
        units, names = ([each for each in found if bool(each[1]) == is_unit] for is_unit in (True, False))
        assert units
        assert len(names) > 3
        for place, unit, x, y in units[:2]:
            for _ in range(2):
                player.mouse(x, y)
                player.until("return pbemBoard.still()")
            assert len(player.draft()) == 10, player.draft()
            assert "2 x " in player.text("chosen"), (unit, player.text("chosen"))
            assert player.run("return document.querySelector('#here h2').textContent") == player.state["labels"][place]
            player.key("Escape")
        for place, _, x, y in names[:4]:
            player.mouse(x, y)
            player.until("return pbemBoard.still()")
            assert player.run("return document.querySelector('#here h2').textContent") == player.state["labels"][place]
        player.quiet()


def test_what_is_pressed_several_times_stays_under_the_mouse(chromium, tmp_path):
    """More of what was bought, and fewer, whatever was refused in between; and one fewer of a group."""
    desk, name = alone(tmp_path, "axis1941")
    orders.order(desk, name, (*("done",) * 3, "2 x buy infantry", "buy tank", *("done",) * 3))
    board = GameBoard(desk, name)
    box = "const {x, y} = document.querySelector(arguments[0]).getBoundingClientRect(); return [x, y]"
    more, fewer = "[aria-label='One more']", "[aria-label='One fewer']"
    with served(board) as server:
        player = Player(chromium, server)
        player.tap("w:infantry")
        player.until("return document.querySelector(arguments[0]) && pbemBoard.still()", more)
        places = [player.run(box, each) for each in (more, fewer)]
        player.press(more)
        assert [player.run(box, each) for each in (more, fewer)] == places
        assert player.run("return document.querySelector(arguments[0]).disabled", more)  # there are no more than 2
        player.mouse(*player.run("return pbemBoard.spot('p:Archangel')"))
        player.until("return document.getElementById('alert').textContent")
        assert [player.run(box, each) for each in (more, fewer)] == places
        player.mouse(*(coordinate + 8 for coordinate in places[1]))
        assert "1 x" in player.text("chosen")
        player.key("Escape")
        player.tap("w:tank")  # another word, of another length
        player.until("return document.querySelector(arguments[0]) && pbemBoard.still()", more)
        assert [player.run(box, each) for each in (more, fewer)] == places
        player.quiet()


def test_the_one_place_for_what_is_picked_beside_the_map_is_named_and_in_sight(chromium, tmp_path):
    desk, name = alone(tmp_path, "axis1941")
    orders.order(desk, name, (*("done",) * 3, "2 x buy infantry", *("done",) * 3))
    board = GameBoard(desk, name)
    inside = (
        "const box = document.getElementById('map').getBoundingClientRect(), [x, y] = pbemBoard.spot('p:Germany');"
        "return x > box.x && y > box.y && x < box.right && y < box.bottom"
    )
    with served(board) as server:
        player = Player(chromium, server)
        for _ in range(4):
            player.press("#in")
        player.run("document.getElementById('map').focus()")
        for _ in range(30):
            player.key("ArrowRight")
            player.key("ArrowDown")
        assert not player.run(inside)
        player.press("#words [data-k='w:infantry']")
        player.until(inside)
        rev = player.state["rev"]
        player.press("#words [data-k='p:Germany']")
        player.settled(rev)
        assert player.draft()[-1] == "place infantry Germany"
        player.quiet()


def test_all_that_was_bought_of_a_kind_is_placed_at_once(chromium, tmp_path):
    desk, name = alone(tmp_path, "axis1941")
    orders.order(desk, name, (*("done",) * 3, "2 x buy infantry", "buy tank", *("done",) * 3))
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        player.press("#words [data-k='w:infantry']")
        player.until("return document.querySelector('#words [data-k=\"p:Germany\"]') && pbemBoard.still()")
        (every,) = [
            each
            for each in player.run(
                "return [...document.querySelectorAll('#words button')].map((each) => each.textContent)"
            )
            if each.startswith("All")
        ]
        assert every == "All 2: Germany"
        player.run(
            "[...document.querySelectorAll('#words button')].find((each) => each.textContent.startsWith('All')).click()"
        )
        player.until("return pbemBoard.state().able['w:infantry'] === undefined && pbemBoard.still()")
        assert player.draft()[-1] == "2 x place infantry Germany"
        assert player.state["able"] == {"w:tank": 1}
        player.quiet()


def test_the_map_goes_where_something_is_asked(chromium, tmp_path):
    desk, name = against_bot(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    for line in ("reserve 0101", "posture attack"):
        board.order(board.state()["rev"], line)
        board.send(board.state()["rev"])
    inside = (
        "const box = document.getElementById('map').getBoundingClientRect();"
        "return pbemBoard.state().first.filter((key) => key.startsWith('p:')).some((key) => {"
        " const [x, y] = pbemBoard.spot(key); return x > box.x && y > box.y && x < box.right && y < box.bottom; })"
    )
    with served(board) as server:
        player = Player(chromium, server)
        for line in ("move B7 0404", "move B6 0403"):
            orders.order(desk, name, (line,))
        player.look_again(board)
        for _ in range(6):
            player.press("#in")
        player.run("document.getElementById('map').focus()")
        for _ in range(40):
            player.key("ArrowRight")
            player.key("ArrowDown")
        player.end_phase()
        player.until(inside)
        chromium.size(*NARROW)
        player.until("return document.getElementById('map').getBoundingClientRect().width === innerWidth")
        player.until(inside)
        player.quiet()


def test_the_keyboard_alone_gives_orders_and_ends_the_turn(chromium, tmp_path):
    by_keys(chromium, tmp_path)


def test_the_keyboard_alone_does_so_in_firefox(firefox, tmp_path):
    by_keys(firefox, tmp_path)


def by_keys(browser, tmp_path):
    desk, name = alone(tmp_path, "bridgehead")
    board = GameBoard(desk, name)
    with served(board) as server:
        player = Player(browser, server, NARROW)
        for _ in attempts(40, "nobody may move"):
            there = {each["word"] for each in player.state["verbs"]}
            if "move" in there & set(orders.verbs(desk, name)):
                break
            rev = player.state["rev"]
            if orders.move(desk, name).asked():
                player.key("/")
                for letter in next(orders.move(desk, name).legal()):
                    player.key(letter)
                player.key("Enter")
            else:
                player.key("Escape")
                player.key("e")
                player.until("return document.activeElement.id === 'back'")
                player.key("Tab")
                player.key("Enter")
            player.settled(rev)
            player.key("Escape")
        before = player.draft()
        player.key("l")
        for _ in range(3):  # Firefox stops at a list that scrolls
            player.key("Tab")
            if player.run("return document.activeElement.dataset.k?.startsWith('u:') ?? false"):
                break
        player.key("Enter")
        player.until("return pbemBoard.still() && document.activeElement.dataset.k?.startsWith('p:')")
        rev = player.state["rev"]
        player.key("Enter")
        player.settled(rev)
        assert player.draft()[-1].startswith("move B")
        rev = player.state["rev"]
        player.key("u")
        player.settled(rev)
        assert player.draft() == before
        player.quiet()


@pytest.mark.parametrize("game", ["axis1941", "noretreat"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
@pytest.mark.slow
def test_everybody_can_use_the_page(chromium, tmp_path, game, size, some):
    """WCAG 2.2 A and AA by axe-core, and the size of all targets, also of those that axe lets pass."""
    for dark in some([False, True], 2):
        can_use_the_page(chromium, tmp_path / str(dark), game, size, dark)


def can_use_the_page(chromium, folder, game, size, dark):
    desk, name = alone(folder, game)
    board = GameBoard(desk, name)
    orders.order(desk, name, (next(orders.move(desk, name).legal()),))
    with served(board) as server:
        player = Player(chromium, server, size, dark=dark)
        player.key("l")
        player.press("#list .many button") if board.state()["first"] and player.state["first"][0][0] in "up" else None
        for each in ("move", "draft", "panels", "ask") if size == NARROW else ("",):
            if each:
                player.run("document.querySelector(`#tabs [data-t=${arguments[0]}]`).click()", each)
            faults = axe(player)
            assert faults == [], faults
        player.press("#end")
        player.until("return document.getElementById('sealing').open")
        player.press("#ahead")
        player.until("return document.querySelectorAll('#standing details[data-kind]').length > 1")
        player.run("document.querySelectorAll('#standing details').forEach((each) => (each.open = true))")
        player.run("document.querySelector(`#standing input[value='']`).click()")
        assert axe(player) == []
        player.press("#end")
        player.until("return document.getElementById('sealing').open")
        assert axe(player) == []
        small = player.run(
            "const all = [...document.querySelectorAll('button, input, select, summary')];"
            "const shown = all.filter((each) => each.checkVisibility());"
            "const small = (box) => box.width < 24 || box.height < 24;"
            "return shown.filter((each) => small(each.getBoundingClientRect())).map((each) => each.outerHTML)"
        )
        assert small == []


def axe(player):
    script = Path(axe_core_python.__file__).with_name("axe.min.js").read_text(encoding="utf-8")
    player.run(script + ";window.axe = axe")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
    found = player.browser.driver.execute_async_script(
        "const done = arguments[1], told = (each) => [each.id, each.nodes.map((node) => node.html.slice(0, 100))];"
        "axe.run({runOnly: arguments[0]}).then((found) => done([found.violations.map(told), found.passes.length]))",
        tags,
    )
    assert found[1] > 10, "axe has looked at nothing"
    return found[0]


HOSTILE = "</script><img src=x onerror=window.harm=1>\"'><svg onload=window.harm=1>&lt;!--"


class Hostile(GameBoard):
    """All words that somebody else could have written are bad ones."""

    def answer(self, have=None, said=(), heard=()):
        answer = super().answer(have, [HOSTILE])
        answer["fights"] = [{"key": HOSTILE, "text": HOSTILE, "dice": [[1, True]]}]
        answer |= dict.fromkeys(("title", "head", "moment", "prompt", "note"), HOSTILE) | {
            "notices": [HOSTILE],
            "news": [HOSTILE],
            "lines": [HOSTILE] * 2,
        }
        answer["labels"] = dict.fromkeys(answer["labels"], HOSTILE)
        line = {"typed": HOSTILE, "said": [HOSTILE], "left": True}
        answer["draft"] = [line | {"orders": [HOSTILE, HOSTILE]}, line | {"orders": [HOSTILE]}]
        answer["seals"] = True
        for panel in answer["parts"]["panels"][1] or ():
            panel["title"] = HOSTILE
            for row in panel["rows"]:
                row["text"] = HOSTILE
        return answer

    def preview(self):
        bad = [HOSTILE]
        lines = dict.fromkeys(("undone", "after"), bad)
        return {"seals": True, "draft": [], "plan": [], "standing": [bad * 5], "note": HOSTILE, **lines}


def test_words_of_others_stay_words(chromium, tmp_path):
    board = Hostile(*alone(tmp_path, "bridgehead"))
    with served(board) as server:
        player = Player(chromium, server)
        player.press("#list summary")
        player.press("#end")
        player.until("return document.getElementById('sealing').open")
        assert HOSTILE in player.text("prompt")
        assert HOSTILE in player.text("news")
        assert HOSTILE in player.text("preview")
        assert player.run("return [window.harm ?? null, document.images.length, document.scripts.length]") == [
            None,
            1,
            1,
        ]
        player.quiet()


def test_a_question_is_shown_without_how_its_answers_are_typed(chromium, tmp_path):
    class Asked(GameBoard):
        def answer(self, *args, **more):
            prompt = "R1 and R2: who leads? `lead UNIT`, or `none` for nobody. Nobody must."
            return super().answer(*args, **more) | {"prompt": prompt}

    with served(Asked(*alone(tmp_path, "bridgehead"))) as server:
        player = Player(chromium, server)
        assert "R1 and R2: who leads? Nobody must." in player.text("prompt")
        player.quiet()


def test_a_game_without_pictures_is_played_by_buttons(chromium, tmp_path):
    game = duel()
    desk = desk_at(tmp_path, "alice", find_game=lambda _: game)
    desk.new_identity("Alice", "", "")
    name, _ = offers.offer(desk, "duel", seats={seat.name: "me" for seat in game.seats}, mode="open")
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        rev = player.state["rev"]
        player.press("#fit")
        player.press("#words button", "2")
        player.settled(rev)
        assert player.draft() == ["talisman 2"]
        assert not player.run("return document.getElementById('text').hidden")
        player.quiet()


def test_a_page_without_the_key_shows_nothing(chromium, tmp_path):
    board = GameBoard(*alone(tmp_path, "bridgehead"))
    with served(board) as server:
        chromium.driver.get("about:blank")
        chromium.driver.get(f"http://{server.host}/board#wrong")
        player = object.__new__(Player)
        player.browser = chromium
        player.until("return document.getElementById('alert').textContent.includes('key is missing or wrong')")
        assert chromium.run("return [location.hash, document.querySelectorAll('[data-k]').length]") == ["", 0]
        chromium.complaints()


@pytest.mark.parametrize("game", names())
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_orders_of_every_game_are_given_with_the_mouse(chromium, tmp_path, game, size):
    desk, name = alone(tmp_path, game)
    board, rng, given = GameBoard(desk, name), random.Random(game), 0
    with served(board) as server:
        player = Player(chromium, server, size, dark=size == NARROW)
        assert re.search("Turn|Round|[Bb]efore", player.text("moment")), player.text("moment")
        assert player.run("return document.getElementById('moment').checkVisibility()")
        assert player.state["seat"] in player.text("moment")
        assert player.run("return document.getElementById('end').disabled")
        lit = player.run("return document.querySelector('#lit .b-begin')?.dataset.p.split(' ').length ?? 0")
        assert lit <= 40  # else nearly all of the map would be
        for _ in range(9):
            if not board.state()["first"]:
                if not board.state()["draft"]:
                    break
                player.press("#tabs button", "Move") if size == NARROW else None
                player.send()
                continue
            picks, line = clicks(board, rng)
            try:
                orders.move(desk, name).order(
                    [line]
                )  # some are legal one by one only: a card that is gone, a full place
            except PbemError:
                continue
            orders.undo(desk, name)
            player.look_again(board)
            give(player, board, picks, line)
            given += 1
            assert player.text("alert") == ""
            assert player.draft()[-1].split(" ")[0] == line.split(" ")[0]
        player.quiet()
    assert given >= 5


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_newcomer_comes_to_a_board_and_back(chromium, tmp_path, size):
    typed = threading.Event()

    def passphrase():
        assert typed.wait(WAIT)
        return ""

    lobby = Lobby(desk_at(tmp_path / "alice", "alice"), Terminal(passphrase, lambda _: None))
    other = desk_at(tmp_path / "bob", "bob")
    other.new_identity("<b>Bob</b>", "bob@example.org", "")
    card = tmp_path / "bob.pbem"
    card.write_bytes(write([Item(ItemType.CARD, other.people.me().card.raw)]))
    with served(lobby) as server:
        server.waits = lambda: "" if typed.is_set() else "Passphrase"
        player = Player.__new__(Player)
        player.browser, player.server = chromium, server
        chromium.size(*size)
        chromium.driver.get("about:blank")
        chromium.complaints()
        chromium.requests()
        chromium.driver.get(server.address)
        player.until("return !document.getElementById('begin').hidden")
        player.press("#begin input[name=name]")
        for letter in "Alice":
            player.key(letter)
        player.press("#begin button")
        player.until("return document.getElementById('begin').inert")  # it cannot be sent twice
        assert "“Passphrase”" in player.until("return document.getElementById('waits')?.textContent")
        assert player.text("alert") == ""  # it is no fault
        typed.set()
        player.until("return !document.getElementById('rooms').hidden")
        player.until("return !document.getElementById('waits')")
        player.run(
            "const all = new DataTransfer(); all.items.add(new File(['no file of pbem'], 'notes.txt'));"
            "all.items.add(new File([Uint8Array.from(arguments[0])], 'bob.pbem'));"
            "document.dispatchEvent(new DragEvent('drop', { dataTransfer: all, cancelable: true }))",
            list(card.read_bytes()),
        )
        player.until("return document.getElementById('alert').textContent.startsWith('notes.txt: ')")
        player.until("return document.getElementById('people').textContent.includes('<b>Bob</b>')")
        assert player.text("alert").startswith("notes.txt: ")
        assert all("409" in each for each in chromium.complaints())
        assert axe(player) == []
        player.until("return document.querySelector('#bot-game option')")
        player.run(
            "const [game, side] = ['bot-game', 'bot-side'].map((each) => document.getElementById(each));"
            "game.value = 'bridgehead'; game.dispatchEvent(new Event('change')); side.value = 'red'"
        )
        player.press("#bot button", "Begin")
        player.until("return window.pbemBoard && pbemBoard.state() !== null")
        assert player.text("title") == "Bridgehead"
        assert player.state["seat"] == "Red"
        player.press("#lobby")
        player.until("return document.getElementById('games')?.textContent.includes('Bridgehead')")
        player.quiet()


def test_goals_that_are_not_for_all_of_a_group_are_drawn_apart(chromium, tmp_path):
    """Nothing that is lit is refused: where only some can go is drawn apart, said, and not ordered by a click."""
    desk, name = alone(tmp_path, "stalingrad42")
    orders.order(desk, name, ("done",))
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        player.run("pbemBoard.choose(['p:1515'])")
        player.until("return pbemBoard.still()")
        player.press("#here button", "All")
        goals = "return document.querySelector('#lit .b-goal.some')?.dataset.p.split(' ') ?? []"
        player.until(f"return (() => {{{goals}}})().length >= 4")
        few, full = player.run(goals), player.run(goals.replace(".some", ":not(.some)"))
        assert not set(few) & set(full)
        assert "not for all 3 units" in player.text("legend")
        draft = player.draft()
        player.run("pbemBoard.choose([arguments[0]])", few[0])
        assert "of the 3 units picked can go there" in player.until(
            "return document.getElementById('alert').textContent"
        )
        assert player.draft() == draft
        assert player.run("return document.querySelectorAll('#chosen .chip').length") == 3
        rev = player.state["rev"]
        player.run("pbemBoard.choose([arguments[0]])", full[0])
        player.settled(rev)
        assert len(player.draft()) == len(draft) + 1
        player.quiet()


def test_a_board_says_that_the_passphrase_is_asked_for_at_the_terminal_and_goes_on(chromium, tmp_path):
    """pbem was started again: the key is locked. It is said above a dialog, too."""
    desk, name = against_bot(tmp_path, "bridgehead")
    typed, asking = threading.Event(), threading.Event()
    desk.people.change_passphrase(desk.people.me().identity, "secret")

    def passphrase(_):
        asking.set()
        assert typed.wait(WAIT)
        asking.clear()
        return "secret"

    again = Home(tmp_path, ask=passphrase, cost=Cost(log_n=4))
    with served(GameBoard(again, name)) as server:
        server.waits = lambda: "Passphrase" if asking.is_set() else ""
        player = Player.__new__(Player)
        player.browser, player.server = chromium, server
        chromium.size(*WIDE)
        chromium.go(server.address)
        player.until("return document.getElementById('waits')")
        player.run("document.getElementById('waits').remove(); document.getElementById('sealing').showModal()")
        text = player.until("return document.getElementById('waits')?.textContent")
        assert "at the terminal" in text
        assert "“Passphrase”" in text
        above = "const box = document.getElementById('waits').getBoundingClientRect();"
        above += "return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).id"
        assert player.run(above) == "waits"  # not hidden by the dialog
        typed.set()
        player.until("return window.pbemBoard && pbemBoard.state() !== null && !document.getElementById('waits')")
        player.quiet()


def test_what_a_click_does_is_said_and_what_opens_comes_into_sight(chromium, tmp_path):
    """Whether the next click gives the order or prepares it; standing orders leave the room to an order."""
    desk, name = alone(tmp_path, "stalingrad42")
    orders.order(desk, name, ("done",))
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server)
        player.press("#standing summary")
        player.until("return document.querySelectorAll('#standing details[data-kind]').length > 1")
        assert "about which you are asked only in attacks" in player.run(
            "const folds = [...document.querySelectorAll(\"#standing [data-kind^='usual'] > summary\")];"
            "return folds.map((each) => each.textContent).join()"
        )
        unit = next(key for key in player.state["first"] if key.startswith("u:"))
        player.run("pbemBoard.choose([arguments[0]])", unit)
        player.until("return pbemBoard.still() && document.getElementById('how').textContent")
        assert not player.run("return document.getElementById('standing').open")
        how = player.text("how")
        assert "next click gives the order; Undo takes it back" in how
        assert "withdraw: after the next click, press “Give this order”" in how or "withdraw" not in player.text(
            "legend"
        )
    _, _, board = at_attacks(tmp_path / "other")
    with served(board) as server:
        player = Player(chromium, server)
        player.press("#list summary")
        player.press("#list [data-k='p:0504']")
        player.until("return pbemBoard.still() && document.querySelector('.party')")
        player.until(
            "const box = document.querySelector('.party').getBoundingClientRect(),"
            " side = document.getElementById('move').getBoundingClientRect();"
            "return box.top >= side.top && box.top < side.bottom - 60"
        )
        player.quiet()


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_what_is_picked_for_a_large_attack_stays_in_sight_above_what_gives_it(chromium, tmp_path, size):
    """However far the panel is scrolled, the button that gives the order covers neither that nor Deselect."""
    desk, name = alone(tmp_path, "stalingrad42")
    orders.order(desk, name, ("done",))
    orders.order(desk, name, ("done",))
    with served(GameBoard(desk, name)) as server:
        player = Player(chromium, server, size)
        player.run("pbemBoard.choose(['p:1502'])")
        player.until("return pbemBoard.still() && document.querySelectorAll('.party input').length > 6")
        player.press(".party button", "All")
        player.until("return pbemBoard.still() && document.querySelector('.gives')")
        assert "take part" in player.text("chosen")
        for down in range(0, 900, 60):
            apart = player.run(
                "for (const id of ['move', 'side']) document.getElementById(id).scrollTop = arguments[0];"
                "const box = (one) => document.querySelector(one).getBoundingClientRect();"
                "return [box('.gives').top - box('#chosen').bottom, box('#chosen').height]",
                down,
            )
            assert apart[0] >= -1, (down, apart)
            assert apart[1] < 110
        player.quiet()
