"""What the rules and the coverage list of every game are held to."""

from __future__ import annotations

import ast
import re
import string
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from pbem.kit.datafile import read_data_file

_PLAIN = r"S?\d+(?:\.(?:[A-D]\d*|\d+))*"  # 8.3.1, 3.4; 3.B1, S1.2 of Stalingrad '42
_NUMBER = rf"{_PLAIN}(?:\.?[a-z])?"  # 8.3.1c, 19.a


class Booklet:
    """The rules of a page by number, and `coverage.toml` beside it: done with its tests, or not applicable.

    `tests` is the folder of the game's tests; `more` are rules that stand elsewhere. `lettered`: a test may carry the
    number of a paragraph, without the letter, for what it says of its parts.
    """

    def __init__(
        self,
        package: ModuleType,
        page: str,
        prefix: str,
        tests: Path,
        more: Iterable[str] = (),
        *,
        lettered: bool = False,
    ) -> None:
        self.root = Path(str(package.__file__)).parent
        self.prefix, self.tests, self.lettered = prefix, tests, lettered
        text = (self.root / page).read_text(encoding="utf-8")
        self.printed = re.findall(rf"^- \*\*({prefix}-{_NUMBER})\*\*", text, re.MULTILINE)
        self.rules = list(dict.fromkeys([*self.printed, *more]))
        listed = read_data_file("coverage", (self.root / "coverage.toml").read_bytes())
        self.coverage = {rule["id"]: rule for rule in listed["rules"]}

    def chapters(self) -> dict[int, int]:
        """How many rules each chapter of the page has, if they are numbered through."""
        plain = [rule for rule in self.printed if not rule[-1].isalpha()]
        counted = Counter(int(rule[len(self.prefix) + 1 :].partition(".")[0]) for rule in plain)
        assert plain == [f"{self.prefix}-{at}.{n}" for at in counted for n in range(1, counted[at] + 1)]
        return dict(counted)

    def missing(self, rule: str) -> Iterator[str]:
        """What the list lacks of a rule. A test carries its number, so that a reader finds it: test_aa_4_2_..."""
        if rule not in self.coverage:
            yield f"{rule} is not in coverage.toml"
            return
        held = self.coverage[rule]
        number = rule.removeprefix(f"{self.prefix}-").replace(".", "_").lower()
        if self.lettered and rule[-1].islower():
            number += "?"
        if held["status"] == "done" and not held.get("tests"):
            yield f"{rule} is done without a test"
        for name in held.get("tests", ()):
            module, _, test = name.partition("::")
            if test not in names_in(self.tests / module):
                yield f"{rule}: there is no {name}"
            if not re.search(rf"_{number}(_|$)", test):
                yield f"{rule}: {test} does not carry its number"

    def unlisted(self) -> Iterator[str]:
        """Tests that carry a rule's number and are not in the list."""
        listed = {name for rule in self.coverage.values() for name in rule.get("tests", ())}
        for path in sorted(self.tests.glob("test_*.py")):
            for name in sorted(names_in(path)):
                if re.match(rf"test_{self.prefix.lower()}_\d+_\d+", name) and f"{path.name}::{name}" not in listed:
                    yield f"{path.name}::{name}"

    def invented(self, *paths: Path, later: Iterable[str] = ()) -> Iterator[str]:
        """Rules that code, data and pages cite and that there are not. A chapter or a section, of which the rules are
        parts, may be cited by its number alone. `later`: chapters whose rules are not on the page yet."""
        known = {above for rule in self.rules for above in _up(rule)}
        cited = re.compile(rf"{self.prefix}-{_PLAIN}(?:\.?[A-Za-z]\b)?")
        for path in (*self.root.rglob("*.py"), *(self.root / "data").glob("*.toml"), *paths):
            for rule in cited.findall(path.read_text(encoding="utf-8")):
                if rule not in known and rule[len(self.prefix) + 1 :].partition(".")[0] not in later:
                    yield f"{path.name} cites {rule}"


class Coverage:
    """Every rule of the page is done with its tests, or not applicable with the reason. Nothing else ships."""

    page: Booklet
    sequences: Iterable[Any]
    cited_in: tuple[str, ...]
    """Pages beside the rules that cite them by number."""
    by_section = False
    """A step may follow a chapter or a section as a whole."""
    of_scenarios: tuple[str, ...] = ()
    """Files whose tests carry numbers of a scenario, and not of a rule."""

    def test_every_rule_is_covered(self):
        assert [lack for rule in self.page.rules for lack in self.page.missing(rule)] == []

    def test_nothing_is_covered_that_is_no_rule(self):
        assert set(self.page.coverage) == set(self.page.rules)

    def test_every_test_of_a_rule_is_named_in_the_list(self):
        assert [name for name in self.page.unlisted() if not name.startswith(self.of_scenarios or "-")] == []

    def test_rule_ids_in_code_data_and_pages_exist(self):
        assert list(self.page.invented(*(self.page.root / name for name in self.cited_in))) == []

    def test_every_step_names_its_rule(self):
        known = {above for rule in self.page.rules for above in (_up(rule) if self.by_section else (rule,))}
        for sequence in self.sequences:
            for step in sequence.steps:
                assert step.rule in known, f"{step.name} follows {step.rule!r}"


def _up(rule: str) -> Iterator[str]:
    """`SG-8.3.1c`, `SG-8.3.1`, `SG-8.3`, `SG-8`; `S42-3.B1a`, `S42-3.B1`, `S42-3.B`, `S42-3`."""
    while rule:
        yield rule
        if rule[-1].isalpha():
            rule = rule[:-1].rstrip(".")
        elif re.search(r"\.[A-D]\d+$", rule):
            rule = rule.rstrip(string.digits)
        else:
            rule = rule.rpartition(".")[0]


@cache
def names_in(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")}
