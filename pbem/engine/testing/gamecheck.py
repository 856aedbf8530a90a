"""Everything that a program can find wrong with a game, in one call: what authors forget, by name.

report = check_game(game)
assert not report.findings

It plays random games, the game's bots and whole strict games, all with watched steps, calls every display function of
the game at every position, and plays the games again in a fresh process.
"""

from __future__ import annotations

import ast
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from pbem.engine.bots import Bot
from pbem.engine.compiled import program
from pbem.engine.definition import Game, OptionValue, Reckoning
from pbem.engine.event import Event
from pbem.engine.need import Orders, Result
from pbem.engine.order import Order
from pbem.engine.policy import ASK, DEFAULT
from pbem.engine.step import Decide, GameError
from pbem.engine.testing.driver import Driver
from pbem.engine.testing.elsewhere import Played, elsewhere, play_again, source_of
from pbem.engine.testing.inmemory import Table, seating
from pbem.engine.testing.play import random_game
from pbem.engine.testing.scripted import Chance
from pbem.engine.testing.watched import EndlessError, Finding, Watch, describe, line_of
from pbem.engine.view import View
from pbem.protocol.errors import PbemError

ROW = 1_000  # orders to one decision in a row, after which it counts as one that never goes on
ROUTINE = 20  # a decision that has asked so often has probably asked all whom it ever asks
SHOWN = 10  # at each of so many orders the position is shown
SHARES = (0.5, 0.65, 0.85, 1.0)  # of the time: until when random games, bots, strict games, a fresh process


@dataclass
class Report:
    """The mistakes found, the games played, and everything that was never reached."""

    game: str
    findings: list[Finding] = field(default_factory=list)
    games: int = 0  # that random orders or bots played
    by_bots: int = 0  # of these, by the game's bots
    unfinished: int = 0  # of these, and of the strict ones
    orders: int = 0
    strict: int = 0  # games under the protocol
    replayed: int = 0  # games that a fresh process played again
    steps: list[str] = field(default_factory=list)  # that never came
    rules: list[str] = field(default_factory=list)  # that nothing cited
    refusals: list[str] = field(default_factory=list)  # that were never given
    notes: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        return not self.findings


class _TimeIsUp(Exception):  # noqa: N818 - nothing is wrong
    """The part of the time for this game is over."""


def check_game(
    game: Game[Any],
    *,
    seed: str = "0",
    games: int = 20,
    orders: int = 3_000,
    sample: int = 50,
    seconds: float | None = None,
    draw: Callable[[Any], object] | None = None,
    tick: Callable[[], None] = lambda: None,
) -> Report:
    """Look for mistakes in `games` random games, in games of the bots, and in strict games between players.

    Each game ends after `orders` orders at the latest; without `seconds` no clock is read, and the same seed finds the
    same. Each bot plays one game, and with `seconds` as many as there is time for, `games` at most. `sample` legal
    orders are judged at each decision, `draw` makes a picture of a scene, `tick` is called at every order.
    """
    return _Checker(game, seed, games, orders, sample, seconds, draw, tick).run()


@dataclass
class _Checker:
    original: Game[Any]
    seed: str
    games: int
    orders: int
    sample: int
    seconds: float | None
    draw: Callable[[Any], object] | None
    tick: Callable[[], None]

    def __post_init__(self) -> None:
        self.report = Report(self.original.name)
        self.begun, self.until = time.monotonic(), 0.0
        self.played: list[Played] = []
        self.row: tuple[str, int, int] = ("", 0, 0)  # the decision, how often in a row, at which order
        self.heard = 0  # events of the game that is played, up to the last position that was shown

    def run(self) -> Report:
        try:
            self.watch = Watch(self.original)
            program(self.watch.game)
        except GameError as error:
            steps = [step for each in self.original.sequences for step in each.steps if step.name == error.step]
            rule = steps[0].rule if steps else ""
            self.report.findings.append(Finding(self.original.name, error.step, rule, error.sentence))
            return self.report
        except Exception as error:  # noqa: BLE001 - of a stranger's making
            found = Finding(self.original.name, "", "", f"it cannot be put together: {describe(error)}")
            self.report.findings.append(found)
            return self.report
        self.game = self.watch.game
        lacking = [name for name in ("seats", "scenarios", "sequences") if not getattr(self.game, name)]
        if lacking:
            self.report.findings.append(Finding(self.game.name, "", "", f"Game.{lacking[0]} is empty"))
            return self.report
        self._texts()
        self._random_games()
        self._bots()
        if self.watch.findings:
            self.report.notes.append(
                "Strict games between players, and the same games in a fresh process, wait until this is mended."
            )
        else:
            self._strict_games()
            self._elsewhere()
        self._answers()
        self._never_reached()
        self.report.findings = list(self.watch.findings.values())
        return self.report

    # What can be seen without playing

    def _texts(self) -> None:
        for step in program(self.game).decisions.values():
            for name in sorted(self._default(step)[0] - set(step.fact_names)):
                self.watch.find(
                    f"the default compares {name!r}, which fact_names lacks", step=step, what="default fact"
                )
        for kind, policy in program(self.game).defaults.items():
            with self._guard("the text of standing orders"):
                shown = self.game.policy_text(policy)
                if self.game.policy(kind, shown) != policy:
                    sentence = f"its default is shown as {shown!r}, which is read as something else"
                    self.watch.find(sentence, step=self._step(kind))

    def _default(self, step: Decide[Any, Any, Any]) -> tuple[frozenset[str], frozenset[str]]:
        """The facts and the answers that the default of a decision names."""
        policy = program(self.game).defaults.get(step.name)
        return (frozenset(), frozenset()) if policy is None else (policy.facts(), policy.answers() - {ASK, DEFAULT})

    # Games

    def _random_games(self) -> None:
        self._begin(0)
        for number in range(self.games):
            if self._is_late() and number:
                return
            scenario = self.game.scenarios[number % len(self.game.scenarios)].name
            self._play(f"{self.seed}.{number}", scenario, self._options(number), {})

    def _bots(self) -> None:
        """What good play reaches, random orders may not."""
        self._begin(1)
        for number in range(1 if self.seconds is None else self.games):
            for name, bot in self.game.bots.items():
                if not self._is_late():
                    scenario = self.game.scenarios[number % len(self.game.scenarios)].name
                    bots = {seat.name: bot for seat in self.game.seats}
                    seed = f"{self.seed}.{name}" + (f".{number}" if number else "")
                    self._play(seed, scenario, self._options(number), bots)

    def _options(self, number: int) -> dict[str, OptionValue]:
        """As the author has them first; then others."""
        if number < len(self.game.scenarios):
            return {}
        chance = Chance(f"{self.seed}.{number}/options")
        return {option.name: option.values[chance.below(len(option.values))] for option in self.game.options}

    def _play(
        self, seed: str, scenario: str | None, options: Mapping[str, OptionValue], bots: Mapping[str, Bot[Any]]
    ) -> None:
        setup = self.game.setup_of(scenario, options)
        played = Played(setup.scenario, dict(setup.options), seed)
        last: list[Driver[Any]] = []

        def probe(driver: Driver[Any]) -> None:
            last[:] = [driver]
            self.watch.ordered()
            self.tick()
            self._at(driver, played)
            if self._is_late():
                raise _TimeIsUp

        self.watch.step, self.row, self.heard = None, ("", 0, 0), 0
        try:
            random_game(
                self.game, seed, scenario=scenario, options=options, bots=bots, orders=self.orders,
                every=5 if bots else 1, sample=self.sample, complete=True, probe=probe,
            )  # fmt: skip
        except _TimeIsUp:
            pass
        except Exception as error:  # noqa: BLE001 - whatever it is, it is found
            judged = last[0].judging if last else None
            what = f"judging {judged[1]} of {judged[0]}" if judged else "it" if self.watch.step else "the set-up"
            self._found(error, what)
        if not last:
            return
        (driver,) = last
        self.report.games += 1
        self.report.by_bots += bool(bots)
        self.report.orders += len(driver.orders)
        self.report.unfinished += driver.machine.over is None
        with suppress(Exception):  # a text that cannot be written has been found already
            texts = [(seat, self.game.notation.write(order)) for seat, order in driver.orders]
            played.orders = texts[: played.trail[-1][0]]
            self.played.append(played)

    def _at(self, driver: Driver[Any], played: Played) -> None:
        """Before each order."""
        count = len(driver.orders)
        played.trail.append((count, driver.machine.digest().hex()))
        if isinstance(driver.need, Orders):
            kind, times, at = self.row
            if count != at or not count:
                self.row = (driver.need.kind, times + 1 if kind == driver.need.kind else 1, count)
            if self.row[1] > ROW:
                raise AssertionError(f"{kind} asks {ROW:,} times in a row; does it ever go on?")
            if count % SHOWN:
                return
        self._show(driver, played)

    def _strict_games(self) -> None:
        """Whole games under the protocol, with all players' programs in one."""
        self._begin(2)
        sides = len({seat.side for seat in self.game.seats})
        for players in sorted({max(2, sides) if sides > 1 else 1, len(self.game.seats)}):
            if self._is_late():
                return
            mode = "strict" if players > 1 else "open"
            bot = next(iter(self.game.bots.values()), None)
            bots = dict.fromkeys(range(players), bot) if bot is not None else None
            self.watch.step = None
            try:
                table = Table(
                    self.game, players, mode=mode, seed=self.seed, seats=seating(self.game, players), careful=True
                )
                ended = False
                for _ in range(self.orders):
                    self.watch.ordered()
                    self.tick()
                    ended = not table.step(bots)
                    if ended:
                        table.check_end(self.original)
                    if ended or self._is_late():
                        break
                self.report.strict += 1
                self.report.unfinished += not ended
            except Exception as error:  # noqa: BLE001 - whatever it is, it is found
                where = f"a game of {players} in mode {mode}"
                self._found(error, where, f"{where}: ")

    def _elsewhere(self) -> None:
        """The same games in a fresh process, or at least a second time in this one."""
        self._begin(3)
        if not self.played:
            return
        source = source_of(self.original)
        try:
            if source:
                left = None if self.seconds is None else max(10.0, self.until - time.monotonic())
                differs = elsewhere(source, self.played, left)
            else:
                self.report.notes.append("The game is not installed, so it was played again in this process only.")
                again = (play_again(self.original, each) for each in reversed(self.played))
                differs = next((each for each in again if each is not None), None)
        except TimeoutError:
            self.report.notes.append("There was no time to play all games again in a fresh process.")
            return
        except AssertionError as error:
            self.watch.find(str(error))
            return
        self.report.replayed = len(self.played)
        if differs is not None:
            sentence = (
                f"the same orders and dice lead elsewhere when they are played again: {differs.why} after order "
                f"{differs.orders}; does something use the clock, `random`, the environment or a set's order?"
            )
            self.watch.find(sentence, step=self._step(differs.step))

    # Positions

    def _show(self, driver: Driver[Any], played: Played) -> None:
        """The position by every means that the game has, none of which may change it."""
        game = self.game
        self.watch.step = driver.machine.step
        new = driver.happened[self.heard :]
        self.heard = len(driver.happened)
        some = self._some(driver)
        before = driver.machine.digest().hex()
        views = [((), driver.view()), *(((seat.name,), driver.view(seat.name)) for seat in game.seats)]
        shows: dict[str, Callable[[tuple[str, ...], View[Any]], None]] = {
            "board": lambda _, view: self._text(game.board(view)),
            "the story of events": lambda seats, _: self._texts_of(game.tell(_seen(new, seats))),
            "the scene": lambda seats, view: self._scene(view, _seen(driver.happened, seats), _seen(new, seats)),
            "odds": lambda _, view: self._answer(game.odds, view, some),
            "look": lambda _, view: self._answer(game.look, view, some),
            "the sentence of an order": lambda seats, view: self._texts_of(
                game.notation.sentence(each, view) for seat, each in some if seat in seats
            ),
            "left_undone": lambda seats, view: self._undone(seats, view, some),
            "forfeit": lambda seats, _: self._forfeit(driver, seats),
        }
        for name, show in shows.items():
            with self._guard(name):
                for seats, view in views:
                    show(seats, view)
            now = driver.machine.digest().hex()
            if now != before:
                before = now
                self.watch.find(f"{name} changes the state that it shows", what=name)

    def _forfeit(self, driver: Driver[Any], seats: tuple[str, ...]) -> None:
        if seats:
            result = self.game.forfeit(driver.state, seats)
            if not isinstance(result, Result):
                raise TypeError(f"{result!r} is not a Result")
            self.watch.see_result(result)

    def _undone(self, seats: tuple[str, ...], view: View[Any], some: list[tuple[str, Order]]) -> None:
        undone = self.game.left_undone
        for seat, order in some if undone is not None else ():
            for given in (None, order) if seat in seats else ():
                assert undone is not None
                self._texts_of(undone(view, seat, given))

    def _answer(
        self,
        ask: Callable[[View[Any], str], str | Reckoning] | None,
        view: View[Any],
        some: list[tuple[str, Order]],
    ) -> None:
        """What the game answers to questions in the words of orders."""
        if ask is not None:
            for question in ("", *(self.game.notation.write(order).partition(" ")[2] for _, order in some)):
                with suppress(PbemError):  # a question that the game does not understand
                    found = ask(view, question)
                    self._text(found.text if isinstance(found, Reckoning) else found)

    def _some(self, driver: Driver[Any]) -> list[tuple[str, Order]]:
        """A few legal orders of those who are asked; they are prompted, too."""
        with self._guard("prompt"):
            self._texts_of(map(driver.machine.prompt, driver.asked))
        return [
            (seat, each) for seat in driver.asked for each in islice(driver.machine.legal(seat, driver.own(seat)), 3)
        ]

    def _scene(self, view: Any, events: tuple[Event, ...], new: tuple[Event, ...]) -> None:
        if self.game.pictures is None:
            return
        pictures = self.game.pictures()
        scene = pictures.scene(view, pictures.last(events))
        if self.draw is not None and not view.seats:
            self.draw(scene)
        for event in new:
            if pictures.name is not None and isinstance(event, pictures.begins):
                self._text(pictures.name(event))
            if pictures.dice is not None:
                tuple(pictures.dice.luck(event))
        if pictures.strength is not None:
            pictures.strength.strength(view)

    def _texts_of(self, texts: Iterable[object]) -> None:
        for text in texts:
            self._text(text)

    def _text(self, text: object) -> None:
        if type(text) is not str:
            raise TypeError(f"{text!r} is not a text")

    # What is known when all has been played

    def _answers(self) -> None:
        """What defaults and facts name exists: it was there at least once where it was asked."""
        setup = self.game.setup_of()
        with self._guard("the set-up"):
            state, _ = self.game.setup(setup)
            self.game.prepare(state, setup)
            for step in program(self.game).decisions.values():
                self._named(step, state)

    def _named(self, step: Decide[Any, Any, Any], state: Any) -> None:
        for name in sorted(self._default(step)[1] - self.watch.offered.get(step.name, set())):
            if not step.is_answer(state, name) or (not step.answer_names and step.name in self.watch.offered):
                self.watch.find(f"the default answers {name!r}, which is not an answer", step=step, what=f"no {name}")
        if step.name in self.watch.facts:
            for name in sorted(set(step.fact_names) - self.watch.facts[step.name]):
                self.watch.find(f"the fact {name!r} never has a value", step=step, what=f"no fact {name}")

    def _never_reached(self) -> None:
        report, watch = self.report, self.watch
        steps = {step.name: step for each in self.game.sequences for step in each.steps}
        report.steps = [name for name in steps if name not in watch.reached]
        cited = Cited(self.original)
        rules = {*cited.rules, *(step.rule for step in steps.values())}
        report.rules = sorted(rules - watch.rules - {""}, key=_numbered)
        report.refusals = cited.never(watch.refusals)
        for name, asked in watch.asked.items():
            step, whom = program(self.game).decisions[name], tuple(sorted(asked))
            takes = type(step).answers is not Decide.answers and not step.seats
            if takes and asked.total() > ROUTINE and len(whom) < len(self.game.seats):
                report.notes.append(
                    f"{name} asked {' and '.join(whom)} alone. If it never asks others, say so: seats = {whom}; then "
                    "only these are offered standing orders for it."
                )

    # Small things

    def _begin(self, part: int) -> None:
        if self.seconds is not None:
            self.until = self.begun + self.seconds * SHARES[part]

    def _is_late(self) -> bool:
        return self.seconds is not None and time.monotonic() > self.until

    def _step(self, name: str) -> Any:
        return next((step for each in self.game.sequences for step in each.steps if step.name == name), None)

    @contextmanager
    def _guard(self, what: str) -> Iterator[None]:
        """What raises is found, and the game goes on."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever it is, it is found
            self.watch.fail(error, what)

    def _found(self, error: Exception, what: str, where: str = "") -> None:
        if isinstance(error, AssertionError) and str(error):
            endless = isinstance(error, EndlessError)  # one mistake, at whichever step it is seen
            self.watch.find(f"{where}{error}", step=self.watch.step, what=line_of(error), anywhere=endless)
        else:
            self.watch.fail(error, what)


def _seen(events: list[Event], seats: tuple[str, ...]) -> tuple[Event, ...]:
    return tuple(event for event in events if event.seen_by(seats))


def _numbered(rule: str) -> list[tuple[int, str]]:
    return [(int(part), "") if part.isdigit() else (-1, part) for part in re.split(r"(\d+)", rule)]


def _word(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


class Cited:
    """Rules and refusals that a game's source names."""

    def __init__(self, game: Game[Any]) -> None:
        self.rules: set[str] = set()
        self.refusals: dict[tuple[str, str], re.Pattern[str]] = {}  # rule and sentence with gaps
        for path in sorted(sources(game)):
            self._read(ast.parse(path.read_text(encoding="utf-8")), {})

    def _read(self, node: ast.AST, around: Mapping[str, ast.expr]) -> None:
        """`around`: what the class in which this stands sets, for `self.rule` and `self.no`."""
        if isinstance(node, ast.ClassDef):
            around = {
                target.id: each.value
                for each in node.body
                if isinstance(each, ast.Assign)
                for target in each.targets
                if isinstance(target, ast.Name)
            }
            if "rule" in around and "no" in around:
                self._refusal(around["rule"], around["no"])
        elif isinstance(node, ast.Call):
            self.rules |= {_word(each.value) for each in node.keywords if each.arg == "rule"} - {""}
            if isinstance(node.func, ast.Name) and node.func.id == "Violation" and len(node.args) == 2:
                rule, reason = (
                    around.get(each.attr, each) if isinstance(each, ast.Attribute) else each for each in node.args
                )
                self._refusal(rule, reason)
        for inner in ast.iter_child_nodes(node):
            self._read(inner, around)

    def _refusal(self, rule: ast.expr, reason: ast.expr) -> None:
        if named := _word(rule):
            self.rules.add(named)
            parts = reason.values if isinstance(reason, ast.JoinedStr) else [reason]
            words = [str(part.value) if isinstance(part, ast.Constant) else None for part in parts]
            shown = "".join("..." if word is None else word for word in words)
            found = "".join(".*" if word is None else re.escape(word) for word in words)
            self.refusals[named, shown] = re.compile(found, re.DOTALL)

    def never(self, given: set[tuple[str, str]]) -> list[str]:
        """Refusals that nobody was given."""
        by_rule: dict[str, list[str]] = {}
        for rule, reason in given:
            by_rule.setdefault(rule, []).append(reason)
        return [
            f"{rule} {shown}"
            for (rule, shown), pattern in sorted(self.refusals.items(), key=lambda each: _numbered(each[0][0]))
            if not any(map(pattern.fullmatch, by_rule.get(rule, ())))
        ]


def sources(game: Game[Any]) -> set[Path]:
    """The files of a game: its package's, if a package holds the game; else the modules of its steps."""
    modules = {type(step).__module__ for each in game.sequences for step in each.steps}
    found: set[Path] = set()
    for name in modules:
        package = sys.modules.get(name.rpartition(".")[0])
        file = getattr(sys.modules.get(name), "__file__", None)
        if package is not None and any(held is game for held in list(vars(package).values())) and package.__file__:
            found.update(Path(package.__file__).parent.rglob("*.py"))
        elif file is not None and not name.startswith("pbem."):
            found.add(Path(file))
    return found
