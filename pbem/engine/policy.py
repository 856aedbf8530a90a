"""Standing orders: a seat's answers in advance to decisions of one kind (docs/spec/notation.md, POL-1..7).

    when odds <= 1 and steps > 1 then stand; when hex in 1204, 1305 then hold; then infantry, tank

The clauses are tried in order; the first whose comparisons all hold answers with the first of its answers that is on
offer. `ask` (also where nothing holds or nothing is on offer) leaves the decision to the player, `default` to the game.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from pbem.protocol.canonical import Plain, pack
from pbem.protocol.canonical import unpack as unpack_plain
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_ANSWERS, MAX_CLAUSES, MAX_COMPARISONS, MAX_INT, MAX_PLACES, MAX_POLICY, MIN_INT
from pbem.protocol.plain import codec

Read = Callable[[str], int]
"""Reads a name as the number that it stands for; ValueError: there is no such name."""
Write = Callable[[int], str]

IN = "in"
ASK = "ask"
DEFAULT = "default"

_OPERATORS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    "=": operator.eq,
    "!=": operator.ne,
    ">=": operator.ge,
    ">": operator.gt,
}
_SAID = {
    "<": "less than ",
    "<=": "at most ",
    "=": "",
    "!=": "not ",
    ">=": "at least ",
    ">": "more than ",
    IN: "one of ",
}
_COUNTED = {"<": "fewer than ", "=": "exactly "}
WHETHER, NUMBER_OF = "whether ", "the number of "
FEW = 2  # answers, of which the second stands in for the first
_ANSWERED = {ASK: "you are asked", DEFAULT: "the usual answer"}
_EQUALS = {"=", "!=", IN}
_LEFT = ("-",)  # the name of no answer
_FACT = re.compile(r"[a-z][a-z0-9_]{0,31}", re.ASCII)
_ANSWER = re.compile(r"[a-z0-9][a-z0-9/_.+-]{0,63}", re.ASCII)
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,18})", re.ASCII)
_WORDS = {"when", "and", "then", IN}


def wrong(sentence: str, step: str = "POL-3") -> Refusal:
    return Refusal("E-POLICY", f"These standing orders cannot be read: {sentence}.", step=step)


class Explanation(NamedTuple):
    """A kind of decision, in the words of a player who answers it in advance.

    `asks`: what it decides, in a sentence. `answers`: what each answer does, by its name (`they retreat`). `facts`:
    what conditions compare, by name: `the number of` some things, `whether` something is so (1, else 0), or
    the name of a number (`the turn`).
    """

    asks: str
    answers: Mapping[str, str]
    facts: Mapping[str, str] = MappingProxyType({})

    @classmethod
    def of(cls, facts: Mapping[str, str], asks: str, **answers: str) -> Explanation:
        """One of several decisions of a game that share their facts."""
        return cls(asks, answers, facts)


@dataclass(frozen=True, slots=True)
class Comparison:
    """A fact compared with a number, or with `in` against several."""

    fact: str
    compare: str
    number: int | tuple[int, ...]

    def __str__(self) -> str:
        return self.text({})

    def text(self, names: Mapping[str, Write]) -> str:
        """`names`: how the numbers of a fact are called, by fact."""
        numbers = self.number if isinstance(self.number, tuple) else (self.number,)
        return f"{self.fact} {self.compare} {', '.join(map(names.get(self.fact, str), numbers))}"

    def said(self, fact: str, write: Write) -> str:
        """In words; `fact` is what is compared."""
        if fact.startswith(WHETHER) and not isinstance(self.number, tuple):
            holds, fails = (_OPERATORS[self.compare](so, self.number) for so in (1, 0))
            so = fact.removeprefix(WHETHER)
            if holds and not fails:
                return so
            if fails and not holds:
                return so.replace(" is ", " is not ", 1) if " is " in so else f"it is not true that {so}"
        if fact.startswith(NUMBER_OF) and not isinstance(self.number, tuple):
            none, one, two = (_OPERATORS[self.compare](count, self.number) for count in (0, 1, 2))
            much = f"{_COUNTED.get(self.compare) or _SAID[self.compare]}{self.number} "
            if one == two != none:
                much = "no " if none else ""
            return f"there are {much}{fact.removeprefix(NUMBER_OF)}"
        numbers = self.number if isinstance(self.number, tuple) else (self.number,)
        return f"{fact} is {_SAID[self.compare]}{', '.join(map(write, numbers))}"

    def holds(self, facts: Mapping[str, int]) -> bool:
        """A test of an unknown fact does not hold."""
        if self.fact not in facts:
            return False
        if isinstance(self.number, tuple):
            return facts[self.fact] in self.number
        return _OPERATORS[self.compare](facts[self.fact], self.number)

    def plain(self) -> Plain:
        return [self.fact, self.compare, list(self.number) if isinstance(self.number, tuple) else self.number]


@dataclass(frozen=True, slots=True)
class Clause:
    tests: tuple[Comparison, ...]
    answers: tuple[str, ...]

    def text(self, names: Mapping[str, Write]) -> str:
        when = f"when {' and '.join(test.text(names) for test in self.tests)} " if self.tests else ""
        return f"{when}then {', '.join(self.answers)}"


@dataclass(frozen=True, slots=True)
class Policy:
    """Public standing orders for one kind of decision. Made by `parse` and `unpack`, which check every bound."""

    clauses: tuple[Clause, ...]

    def __str__(self) -> str:
        return self.text({})

    def text(self, names: Mapping[str, Write]) -> str:
        """As `parse` reads it. `names`: how the numbers of a fact are called, by fact."""
        return "; ".join(clause.text(names) for clause in self.clauses)

    def sentences(self, told: Explanation, names: Mapping[str, Write]) -> tuple[str, ...]:
        """A sentence for each clause. Answers and facts without an explanation are given by name."""
        found = []
        for place, clause in enumerate(self.clauses):
            tests = (
                test.said(told.facts.get(test.fact, test.fact), names.get(test.fact, str)) for test in clause.tests
            )
            answers = (_ANSWERED.get(each) or told.answers.get(each, each) for each in clause.answers)
            does = (", or else " if len(clause.answers) <= FEW else ", then ").join(answers)
            condition = " and ".join(tests)
            when = f"If {condition}: " if condition else "Otherwise: " if place else ""
            found.append(f"{when or does[:1].upper()}{does if when else does[1:]}.")
        return (*found, "Otherwise: you are asked.") if self.clauses[-1].tests else tuple(found)

    def choose(self, facts: Mapping[str, int], offered: Collection[str], default: Policy | None = None) -> str:
        """The name of an answer on offer, or `ask`. A test of an unknown fact means `ask`."""
        for clause in self.clauses:
            for test in clause.tests:
                if test.fact not in facts:
                    return ASK
            if all(test.holds(facts) for test in clause.tests):
                for answer in clause.answers:
                    if answer == DEFAULT:
                        return ASK if default is None else default.choose(facts, offered)
                    if answer == ASK or answer in offered:
                        return answer
                return ASK
        return ASK

    def asks(self, facts: Mapping[str, int]) -> bool:
        """Is the player surely asked where these facts hold, whatever the others are?"""
        for clause in self.clauses:
            known = [test.holds(facts) for test in clause.tests if test.fact in facts]
            if all(known) and clause.answers[0] != ASK:
                return False
            if all(known) and len(known) == len(clause.tests):
                return True
        return True

    def leaves(self, facts: Mapping[str, int], offered: Collection[str] | None = None) -> bool:
        """Is the decision left to the game's default where these facts hold and these answers are on offer?

        `offered` None: it is not known, and every answer named here may be on offer.
        """
        known = self.answers() - {DEFAULT} if offered is None else offered
        return self.choose(facts, (*known, *_LEFT), Policy((Clause((), _LEFT),))) in _LEFT

    def facts(self) -> frozenset[str]:
        return frozenset(test.fact for clause in self.clauses for test in clause.tests)

    def answers(self) -> frozenset[str]:
        return frozenset(answer for clause in self.clauses for answer in clause.answers)

    def plain(self) -> Plain:
        return [[[test.plain() for test in clause.tests], list(clause.answers)] for clause in self.clauses]

    def pack(self) -> bytes:
        return pack(self.plain())


@dataclass(frozen=True, slots=True)
class SealedPolicy:
    """Standing orders that are committed and not open: their owner's program answers when they matter."""

    commitment: bytes


LEAVE = Policy((Clause((), (DEFAULT,)),))
"""Everything is left to the game's default (POL-9)."""


def parse(text: str, names: Mapping[str, Read] | None = None) -> Policy:
    """Read the text form; a refusal says what is wrong and where. `parse(str(policy)) == policy`.

    `names`, by fact: reads what a player may type for its numbers, names and the numbers themselves.
    """
    if len(text) > MAX_POLICY:
        raise wrong("they are too long")
    parts = [part.split() for part in text.lower().split(";")]
    return _checked([_parse_clause(words, place, names or {}) for place, words in enumerate(parts, start=1)])


def parse_conditions(text: str) -> tuple[tuple[Comparison, ...], bool, str]:
    """`[if TEST [and TEST]... then] [must] ORDER`, a line of a plan (NOT-3): tests, must, and the order's text."""
    tests: list[Comparison] = []
    words = text.split()
    if words[:1] == ["if"]:
        if "then" not in words:
            raise _no_condition("`then` is missing before the order")
        cut = words.index("then")
        for each in " ".join(words[1:cut]).split(" and "):
            parts = each.split()
            if len(parts) != 3 or parts[1] not in _OPERATORS or not _NUMBER.fullmatch(parts[2]):
                raise _no_condition(f"{each!r} is not a test such as `holds/berlin = 1`")
            tests.append(Comparison(parts[0].lower(), parts[1], int(parts[2])))
        if len(tests) > MAX_COMPARISONS:
            raise _no_condition(f"at most {MAX_COMPARISONS} tests are allowed")
        words = words[cut + 1 :]
    must = words[:1] == ["must"]
    return tuple(tests), must, " ".join(words[must:]) if tests or must else text


def _no_condition(sentence: str) -> Refusal:
    return Refusal("E-NOTATION", f"This condition of a plan cannot be read: {sentence}.", step="NOT-3")


def unpack(raw: bytes) -> Policy:
    """Read the packed form, strictly."""
    return from_plain(unpack_plain(raw, limit=MAX_POLICY))


_ROWS = list[tuple[list[tuple[str, str, Any]], list[str]]]  # of each clause its comparisons and answers


def from_plain(plain: Plain) -> Policy:
    try:
        rows = codec(_ROWS).load(plain)
    except Refusal:
        raise wrong("they are malformed") from None
    clauses = []
    for tests, answers in rows:
        found = [Comparison(fact, how, tuple(n) if type(n) is list else n) for fact, how, n in tests]
        clauses.append(Clause(tuple(found), tuple(answers)))
    return _checked(clauses)


def read_standing(plain: Any) -> Policy | SealedPolicy | None:
    """Standing orders as records and dumps hold them: nil, the commitment of sealed ones, or public ones."""
    if plain is None:
        return None
    return SealedPolicy(plain) if type(plain) is bytes else from_plain(plain)


def check_fits(policy: Policy, facts: Collection[str], has_default: bool) -> None:
    """Refuse standing orders that name facts which the decision does not have, and say which facts it has."""
    unknown = sorted(policy.facts() - set(facts))
    if unknown:
        known = ", ".join(sorted(facts)) or "none"
        raise wrong(f"{unknown[0]!r} is not a fact of this decision, which has {known}", "POL-6")
    if DEFAULT in policy.answers() and not has_default:
        raise wrong("this decision has no default")


def _parse_clause(words: list[str], place: int, names: Mapping[str, Read]) -> Clause:
    where = f"in clause {place}"
    if "then" not in words:
        raise wrong(f"{where}, `then` is missing")
    cut = words.index("then")
    head, tail = words[:cut], words[cut + 1 :]
    if head and head[0] != "when":
        raise wrong(f"{where}, {head[0]!r} stands where `when` or `then` is expected")
    tests = []
    if head:
        for text in " ".join(head[1:]).split(" and "):
            tests.append(_parse_test(text.split(), where, names))
    answers = [answer.strip() for answer in " ".join(tail).split(",")]
    return Clause(tuple(tests), tuple(answers))


def _parse_test(words: list[str], where: str, names: Mapping[str, Read]) -> Comparison:
    if len(words) < 3 or not (words[1] in _OPERATORS or words[1] == IN):
        raise wrong(f"{where}, {' '.join(words)!r} is not a comparison such as `town = 1` or `town in 1, 2`")
    fact, compare, value = words[0], words[1], " ".join(words[2:])
    if compare != IN:
        return Comparison(fact, compare, _number(fact, compare, value, where, names))
    numbers = [_number(fact, compare, each.strip(), where, names) for each in value.split(",")]
    return Comparison(fact, IN, tuple(numbers))


def _number(fact: str, compare: str, word: str, where: str, names: Mapping[str, Read]) -> int:
    """A fact whose numbers have names equals no other number, though it may lie between two of them (`hex < 1400`)."""
    if fact in names:
        try:
            return names[fact](word)
        except ValueError:
            if compare in _EQUALS or not _NUMBER.fullmatch(word):
                raise wrong(f"{where}, {word!r} is not a {fact}, neither by number nor by name") from None
    if not _NUMBER.fullmatch(word):
        raise wrong(f"{where}, {word!r} is not a whole number")
    return int(word)


def _checked(clauses: list[Clause]) -> Policy:
    if not 1 <= len(clauses) <= MAX_CLAUSES:
        raise wrong(f"1 to {MAX_CLAUSES} clauses are allowed")
    for clause in clauses:
        if len(clause.tests) > MAX_COMPARISONS:
            raise wrong(f"a clause may have at most {MAX_COMPARISONS} comparisons")
        if not 1 <= len(clause.answers) <= MAX_ANSWERS:
            raise wrong(f"a clause must have 1 to {MAX_ANSWERS} answers")
        for test in clause.tests:
            if not _FACT.fullmatch(test.fact) or test.fact in _WORDS:
                raise wrong(f"{test.fact!r} is not the name of a fact")
            numbers = test.number if isinstance(test.number, tuple) else (test.number,)
            if test.compare != IN and test.compare not in _OPERATORS:
                raise wrong(f"{test.compare!r} is not a comparison; there are {' '.join(_OPERATORS)} {IN}")
            if (test.compare == IN) != isinstance(test.number, tuple):
                raise wrong(f"`{IN}` must be followed by 1 to {MAX_PLACES} numbers, every other comparison by one")
            if not 1 <= len(numbers) <= MAX_PLACES:
                raise wrong(f"`{IN}` must be followed by 1 to {MAX_PLACES} numbers")
            for number in numbers:
                if type(number) is not int or not MIN_INT <= number <= MAX_INT:
                    raise wrong(f"{number!r} is not a whole number, or too large")
        for answer in clause.answers:
            if not _ANSWER.fullmatch(answer) or answer in _WORDS:
                raise wrong(f"{answer!r} is not an answer")
    return Policy(tuple(clauses))
