"""`make mutants`: do the tests that are named for a rule fail when the rule is changed?

A mutant is one small change to a statement of a rules module. It runs against the tests that `coverage.toml` names for
the rules which the changed function cites in its own text, and its class above its methods; a function that cites none
belongs to the rules of its module's docstring, too (where a chapter or a section, "NR-9", means all its rules, and
"NR-9.2 to 9.4, 9.8" or "NR-9.2..9.4" what it says). Golden games, count trees and whole games show that something
changed, never which rule, so they kill nothing here.

Beside the tests of each game lies `mutants.toml`: modules and functions without rules, test files that never count as
killers, and survivors with the reason why no test can tell them from the original.
"""

from __future__ import annotations

import ast
import copy
import gc
import importlib
import math
import os
import random
import re
import resource
import secrets
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import _lru_cache_wrapper, partial
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import click
import pytest
from hypothesis import settings

ROOT = Path(__file__).parent.parent
MOST_TESTS = 6  # of one rule
BAR = 90  # per cent killed
MOST_LISTED = 4  # per cent that may be explained instead
PATIENCE = 5  # a mutant that takes so many seconds longer than its test, and twice as long, loops
LONGEST = 120.0  # seconds that a test may take as it is
MEMORY = 4 << 30
BROKEN = 3  # how a fork says that a mutant could not be put in force

COMPARED: Mapping[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
COUNTED: Mapping[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
CALLED = {"any": "all", "all": "any", "min": "max", "max": "min"}
TOLD = (
    "prompt",
    "describe",
    "says",
    "said",
    "sentence",
    "barred",
    "text",
    "why",
    "__str__",
    "__repr__",
    "left_undone",
)  # they only make texts
ONLY_TEXT = ("Violation", "RuntimeError", "AssertionError")  # calls whose arguments are texts


@dataclass(frozen=True)
class Mutant:
    """One change: in which top-level function of which file, on which line, and what it makes of the source."""

    path: Path
    module: str  # the path inside its game
    function: str
    line: int
    before: str
    after: str
    rules: tuple[str, ...]
    code: Callable[[], CodeType]  # compiled when it is put in force: a run takes few of all
    nth: int  # among the same changes of the same function

    @property
    def name(self) -> str:
        """How `mutants.toml` names it. It holds no line number, so that it survives an edit elsewhere."""
        again = f" ({self.nth + 1})" if self.nth else ""
        return f"{self.module}::{self.function}: {self.before} -> {self.after}{again}"


@dataclass(frozen=True)
class Listed:
    """What `mutants.toml` says of a game."""

    skip: tuple[str, ...]  # modules without rules, and functions (`module.py::name`)
    never: tuple[str, ...]  # test files that kill nothing
    alive: Mapping[str, str]  # survivor, and why no test can tell

    @classmethod
    def read(cls, path: Path) -> Listed:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
        alive = {each["mutant"]: each["why"] for each in raw.get("alive", ())}
        return cls(tuple(raw["skip"]), tuple(raw["never"]), alive)


# The changes


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Everything that may stand in this node's place."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        yield replaced(node, ops=[COMPARED[type(node.ops[0])]()])
    elif isinstance(node, ast.BoolOp):
        for at in range(len(node.values)):
            rest = node.values[:at] + node.values[at + 1 :]
            yield replaced(node, values=rest) if len(rest) > 1 else rest[0]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif isinstance(node, ast.BinOp) and type(node.op) in COUNTED and not is_text(node):
        yield replaced(node, op=COUNTED[type(node.op)]())
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield replaced(node, value=not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield replaced(node, value=node.value + 1)
    elif isinstance(node, ast.IfExp):
        yield replaced(node, body=node.orelse, orelse=node.body)
    elif isinstance(node, ast.If | ast.While):
        yield replaced(node, test=ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.comprehension) and node.ifs:
        for at in range(len(node.ifs)):
            yield replaced(node, ifs=node.ifs[:at] + node.ifs[at + 1 :])
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
        yield replaced(node, func=ast.Name(CALLED[node.func.id], ast.Load()))
    elif isinstance(node, ast.Break):
        yield ast.Continue()
    elif isinstance(node, ast.Continue):
        yield ast.Break()
    elif isinstance(node, ast.Expr | ast.AugAssign | ast.Delete) or (
        isinstance(node, ast.Assign) and all(isinstance(each, ast.Attribute | ast.Subscript) for each in node.targets)
    ):
        yield ast.Pass()


def replaced(node: ast.AST, **fields: object) -> ast.AST:
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def is_text(node: ast.AST) -> bool:
    """Does it put strings together?"""
    return any(isinstance(each, ast.JoinedStr | ast.FormattedValue) for each in ast.walk(node)) or any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) for each in ast.walk(node)
    )


def is_left(node: ast.AST) -> bool:
    """Texts, annotations, assertions and reports are no rules."""
    if isinstance(node, ast.JoinedStr | ast.Assert | ast.arguments | ast.Raise):
        return True
    if isinstance(node, ast.keyword) and node.arg == "strict":
        return True  # of `zip`: an assertion
    if isinstance(node, ast.Expr):
        value = node.value
        if isinstance(value, ast.Constant):
            return True  # a docstring
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "add":
            holder = value.func.value
            return isinstance(holder, ast.Name) and holder.id == "out"  # an event: it reports
    if isinstance(node, ast.If) and ast.unparse(node.test) == "out.wanted":
        return True  # whether anybody wants reports
    if isinstance(node, ast.IfExp):
        return all(map(is_sentence, (node.body, node.orelse)))
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ONLY_TEXT


def is_sentence(node: ast.AST) -> bool:
    """A text that is put together, or of several words: no rule's number, and no word that the program compares."""
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str) and (not node.value or " " in node.value)
    )


def places(function: ast.FunctionDef) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Every node inside a function that a change may replace: parent, field, place in the field, node."""
    waiting: list[ast.AST] = [function]
    while waiting:
        parent = waiting.pop()
        for field, value in ast.iter_fields(parent):
            if field in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            children = enumerate(value) if isinstance(value, list) else ((None, value),)
            for at, child in children:
                if isinstance(child, ast.AST) and not is_left(child):
                    if not isinstance(child, ast.FunctionDef):
                        yield parent, field, at, child
                    waiting.append(child)


# The mutants of a game


class Citations:
    """Which rules a piece of source cites."""

    def __init__(self, known: Mapping[str, tuple[str, ...]]) -> None:
        self.known = known
        self.prefix = next(iter(known)).partition("-")[0]
        part = r"(?:(?:\.[A-Z]?\d+)+[A-Za-z]*|\.[A-Za-z]\b)"
        rule, sub = rf"(?:{self.prefix}-)?([A-Z]?\d+{part})", rf"[A-Z]?\d+{part}?"
        self.first = re.compile(rf"{self.prefix}-({sub})(?:(?:\.\.|\s+to\s+){rule})?")
        self.more = re.compile(rf"(?:,|,?\s+and)\s+{rule}(?:(?:\.\.|\s+to\s+){rule})?(?!\d)")

    def of(self, text: str) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for first in self.first.finditer(text):
            match: re.Match[str] | None = first
            while match is not None:
                found.update(dict.fromkeys(self._meant(match[1], match[2])))
                match = self.more.match(text, match.end())
        return tuple(found)

    def _meant(self, number: str, last: str | None) -> Iterator[str]:
        """One rule, all of a chapter or a section, or those from one to another."""
        first = [*filter(self._within(number), self.known)]
        if last is None or not first:
            yield from first
            return
        order = list(self.known)
        ends = [*filter(self._within(last), order)] or order[-1:]
        yield from order[order.index(first[0]) : order.index(ends[-1]) + 1]

    def _within(self, number: str) -> Callable[[str], bool]:
        """Is a rule the one with this number, or a part of it? 8.3 holds 8.3.1 and 8.3a, not 8.31."""
        inside = re.compile(rf"{self.prefix}-{re.escape(number)}(?:\.|[A-Za-z]*$)")
        return lambda rule: inside.match(rule) is not None


def mutants_of(path: Path, root: Path, citations: Citations) -> Iterator[Mutant]:
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    whole = citations.of(ast.get_docstring(tree) or "")
    lines = source.splitlines()

    def text(node: ast.AST) -> str:
        return "\n".join(lines[node.lineno - 1 : node.end_lineno])  # type: ignore[attr-defined]

    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield from of_function(path, root, tree, node, node.name, citations.of(text(node)) or whole)
        elif isinstance(node, ast.ClassDef):
            common = "\n".join(text(each) for each in node.body if not isinstance(each, ast.FunctionDef))
            step = citations.of(common)
            for each in node.body:
                if isinstance(each, ast.FunctionDef):
                    rules = tuple(dict.fromkeys((*(citations.of(text(each)) or whole), *step)))
                    yield from of_function(path, root, tree, each, f"{node.name}.{each.name}", rules)


def of_function(
    path: Path, root: Path, tree: ast.Module, function: ast.FunctionDef, name: str, rules: tuple[str, ...]
) -> Iterator[Mutant]:
    if function.name in TOLD or not rules:
        return
    seen: dict[tuple[str, str], int] = {}
    for parent, field, at, node in list(places(function)):
        for change in changes(node):
            before, after = shown(node), shown(change)
            if isinstance(node, ast.If | ast.While):
                before, after = (f"{type(node).__name__.lower()} {ast.unparse(x.test)}" for x in (node, change))  # type: ignore[attr-defined]
            line = next(each.lineno for each in (node, parent, function) if hasattr(each, "lineno"))
            located = ast.fix_missing_locations(ast.copy_location(change, node if hasattr(node, "lineno") else parent))
            code = partial(code_with, located, node, partial(put, parent, field, at), path, tree, name)
            nth = seen.get((before, after), 0)
            seen[before, after] = nth + 1
            yield Mutant(path, path.relative_to(root).as_posix(), name, line, before, after, rules, code, nth)


def put(parent: ast.AST, field: str, at: int | None, node: ast.AST) -> None:
    if at is None:
        setattr(parent, field, node)
    else:
        getattr(parent, field)[at] = node


def code_with(
    change: ast.AST, node: ast.AST, into: Callable[[ast.AST], None], path: Path, tree: ast.Module, name: str
) -> CodeType:
    """The code of a function in its module with the change in the node's place."""
    into(change)
    try:
        return code_in(compile(tree, str(path), "exec", dont_inherit=True), name)
    finally:
        into(node)


def shown(node: ast.AST) -> str:
    return " ".join(ast.unparse(node).split())[:200]


def code_in(module: CodeType, name: str) -> CodeType:
    """The code of a function or method in the code of its module."""
    for part in name.split("."):
        module = next(each for each in module.co_consts if isinstance(each, CodeType) and each.co_name == part)
    return module


# Running them


@dataclass(frozen=True)
class Task:
    """What a fork does: something first, then tests until one fails, each for so many seconds of CPU time at most.

    Wall time would kill sound tests on a busy machine.
    """

    prepare: Callable[[], None]
    tests: Sequence[tuple[pytest.Item, float]]


@dataclass(frozen=True)
class Ended:
    passed: bool
    stopped: bool  # at its limit
    seconds: float  # of CPU time


class Living:
    """The living functions and caches of the games, found once, since every fork has the same ones."""

    def __init__(self) -> None:
        self.functions: dict[tuple[Path, str], list[FunctionType]] = {}
        self.caches: list[_lru_cache_wrapper[Any]] = []
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                place = Path(each.__code__.co_filename), each.__code__.co_qualname
                self.functions.setdefault(place, []).append(each)
            elif isinstance(each, _lru_cache_wrapper) and str(each.__module__).startswith("pbem_rules."):
                self.caches.append(each)

    def put_in_force(self, mutant: Mutant) -> None:
        code = mutant.code()
        for function in self.functions.get((mutant.path, mutant.function), ()):
            free = function.__code__.co_freevars  # a change may have taken away the only use of `super()`
            function.__code__ = code.replace(co_freevars=free) if not code.co_freevars else code
        for cache in self.caches:
            cache.cache_clear()


class Runner:
    """A pytest session whose tests run in forks of it, each with one function changed."""

    def __init__(self, games: Sequence[GameUnderTest], jobs: int) -> None:
        self.games, self.jobs = games, jobs
        self.items: dict[tuple[str, str], list[pytest.Item]] = {}
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = True

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        for item in session.items:
            name = f"{item.path.name}::{item.originalname if isinstance(item, pytest.Function) else item.name}"
            self.items.setdefault((item.path.parent.name, name), []).append(item)
        session.config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # noqa: SLF001  # or each fork leaves one
        for game in self.games:
            game.judge(self)
        return True

    def tests(self, game: str, name: str) -> Sequence[pytest.Item]:
        return self.items.get((game, name), ())

    def run_all(
        self, tasks: Sequence[Task], progress: str, report: Callable[[int, Ended], None] | None = None
    ) -> list[Ended]:
        """Each task in a fork. `report` gets each as it ends, so that a run that is stopped has said something."""
        ended: list[Ended | None] = [None] * len(tasks)
        running: dict[int, int] = {}  # process: which task
        waiting = list(enumerate(tasks))[::-1]
        while waiting or running:
            while waiting and len(running) < self.jobs:
                at, task = waiting.pop()
                sys.stdout.flush()
                pid = os.fork()
                if pid == 0:
                    self.child(task)
                running[pid] = at
            pid, status, used = os.wait3(0)
            at = running.pop(pid)
            code = os.waitstatus_to_exitcode(status)
            if code == BROKEN:
                raise RuntimeError(f"{progress}: task {at} could not be put in force")
            end = ended[at] = Ended(code == 0, code == -signal.SIGXCPU, used.ru_utime + used.ru_stime)
            if report is not None:
                report(at, end)
            if sys.stderr.isatty():
                print(f"\r{progress}: {sum(map(bool, ended))} of {len(tasks)} ", end="", file=sys.stderr)
        if sys.stderr.isatty():
            print(file=sys.stderr)
        return [each for each in ended if each is not None]

    def child(self, task: Task) -> None:
        null = os.open(os.devnull, os.O_RDWR)
        os.dup2(null, 1)
        os.dup2(null, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        try:
            task.prepare()
        except Exception:  # noqa: BLE001 - whatever it was, the parent ends the run
            os._exit(BROKEN)
        for at, (item, limit) in enumerate(task.tests):
            following = task.tests[at + 1][0] if at + 1 < len(task.tests) else None
            end = math.ceil(time.process_time() + limit)
            resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if self.failed:
                os._exit(1)
        os._exit(0)


class GameUnderTest:
    """A game, its list of rules with their tests, and a sample of its mutants."""

    def __init__(self, name: str, sample: int, seed: str, only: str) -> None:
        self.name = name
        root = Path(str(importlib.import_module(f"pbem_rules.{name}").__file__)).parent
        self.listed = Listed.read(ROOT / "tests" / "rules" / name / "mutants.toml")
        raw = tomllib.loads((root / "coverage.toml").read_text(encoding="utf-8"))
        self.rules = {
            rule["id"]: tuple(
                [test for test in rule.get("tests", ()) if test.partition("::")[0] not in self.listed.never][
                    :MOST_TESTS
                ]
            )
            for rule in raw["rules"]
        }
        citations = Citations(self.rules)
        self.every = [
            mutant
            for path in sorted(root.rglob("*.py"))
            if path.relative_to(root).as_posix() not in self.listed.skip
            for mutant in mutants_of(path, root, citations)
            if f"{mutant.module}::{mutant.function}" not in self.listed.skip
        ]
        chosen = [each for each in self.every if only in each.name]
        picked = random.Random(f"{seed}/{name}").sample(range(len(chosen)), min(sample, len(chosen)))
        self.sample = [chosen[at] for at in sorted(picked)]
        self.result = (0, 0, 0)

    def names(self, mutant: Mutant) -> tuple[str, ...]:
        return tuple(dict.fromkeys(test for rule in mutant.rules for test in self.rules[rule]))

    def judge(self, runner: Runner) -> None:
        """Run the sample, print who survived."""
        names = sorted({name for mutant in self.sample for name in self.names(mutant)})
        if lost := [name for name in names if not runner.tests(self.name, name)]:
            raise click.ClickException(f"Of {self.name} these tests are not there: {', '.join(lost)}.")
        started = time.monotonic()
        sound = [Task(lambda: None, [(item, LONGEST) for item in runner.tests(self.name, name)]) for name in names]
        took = dict(zip(names, runner.run_all(sound, f"{self.name}, tests as they are"), strict=True))
        for name, unchanged in took.items():
            if not unchanged.passed:
                fails = f"takes more than {LONGEST:.0f} s" if unchanged.stopped else "fails"
                raise click.ClickException(f"{name} of {self.name} {fails} without any change.")
        tasks = []
        gc.unfreeze()  # else what an earlier game froze is not found
        living = Living()
        gc.collect()
        gc.freeze()  # else each fork copies what its collector touches
        for mutant in self.sample:
            cheap = sorted(self.names(mutant), key=lambda name: took[name].seconds)  # most die of the first
            tests = [
                (item, PATIENCE + 2 * took[name].seconds) for name in cheap for item in runner.tests(self.name, name)
            ]
            tasks.append(Task(partial(living.put_in_force, mutant), tests))
        ended = runner.run_all(tasks, f"{self.name}, mutants", self.report)
        survivors = [each for each, end in zip(self.sample, ended, strict=True) if end.passed]
        explained = [each for each in survivors if each.name in self.listed.alive]
        for mutant, end in zip(self.sample, ended, strict=True):
            if not end.passed and mutant.name in self.listed.alive:
                print(f"KILLED, so that it need not be listed: {mutant.name}")
        killed, listed = len(self.sample) - len(survivors), len(explained)
        self.result = killed, listed, len(survivors) - listed
        spent = time.monotonic() - started
        whole, mutants = (sum(each.seconds for each in ends) for ends in (took.values(), ended))
        print(
            f"{self.name}: {len(self.sample)} of {len(self.every)} mutants, {killed} killed "
            f"({100 * killed / max(1, len(self.sample)):.1f}%), {listed} explained, {len(survivors) - listed} alive, "
            f"{spent:.0f} s (CPU time: {whole:.0f} s for {len(names)} tests as they are, {mutants:.0f} s for mutants)",
            flush=True,
        )

    def report(self, at: int, end: Ended) -> None:
        """Name a survivor that is not listed."""
        mutant = self.sample[at]
        if end.passed and mutant.name not in self.listed.alive:
            place = mutant.path.relative_to(ROOT).as_posix()
            print(f"ALIVE {place}:{mutant.line} {mutant.name}")
            print(f"      {', '.join(mutant.rules[:8])}: {', '.join(self.names(mutant)[:8]) or 'no test'}", flush=True)

    @property
    def passed(self) -> bool:
        killed, listed, _ = self.result
        return killed * 100 >= BAR * len(self.sample) and listed * 100 <= MOST_LISTED * len(self.sample)


@click.command()
@click.option("--game", "games", multiple=True, help="One game (default: every game that has a mutants.toml).")
@click.option("--sample", default=400, show_default=True, help="How many mutants of each game.")
@click.option("--seed", default="", help="Repeat a run (default: a fresh seed, printed).")
@click.option("--only", default="", help="Mutants whose name contains this text, as in battle.py::NextBattle.")
@click.option("--jobs", default=2, show_default=True)
def main(games: tuple[str, ...], sample: int, seed: str, only: str, jobs: int) -> None:
    """Change rules at random and see whether the tests named for them fail."""
    seed = seed or secrets.token_hex(4)
    print(f"seed {seed}", flush=True)
    settings.register_profile("mutants", database=None, deadline=None, derandomize=True, max_examples=50)
    settings.load_profile("mutants")
    folders = ROOT / "tests" / "rules"
    names = games or tuple(sorted(path.parent.name for path in folders.glob("*/mutants.toml")))
    chosen = [GameUnderTest(name, sample, seed, only) for name in names]
    runner = Runner(chosen, jobs)
    options = [
        "-o",
        "addopts=",
        "-p",
        "no:terminal",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        "-p",
        "no:faulthandler",
    ]
    os.chdir(ROOT)
    status = pytest.main([*options, *(str(folders / name) for name in names)], plugins=[runner])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        raise SystemExit(2)
    raise SystemExit(0 if all(game.passed for game in chosen) else 1)


if __name__ == "__main__":
    main()
