"""Standing orders in a player's words, for the decisions of a battle.

    losses       infantry tank fighter, keep 1 tank in Ukraine; sea: damage submarine destroyer
    submarines   attack: strike; defence: submerge; guard
    retreat      after 3 rounds; below 70; last infantry; sea: never; to Karelia
    settle       bomber fighter tank infantry
    divert       home deck

Before a colon stands where a part applies: `attack`, `defence`, `land`, `sea`, `landing`, `in PLACE`, `round N`,
`turn N`. The first part that applies decides, those for more special cases first. What is left open is the default's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import combinations

from pbem.game import NotationError, parse_policy
from pbem_rules.axis1941.hits import LOSSES
from pbem_rules.axis1941.names import CHART, TYPED
from pbem_rules.axis1941.standing import COUNTED, RETREAT_DEFAULT, SETTLE_DEFAULT

_FULL = ("when", "then")
_LETTER = re.compile("[a-z]")
_REST = (
    "infantry", "tank", "submarine", "destroyer", "fighter", "carrier", "bomber", "battleship", "transport",
)  # fmt: skip
_FLAGS = {
    "attack": "attacking = 1",
    "attacking": "attacking = 1",
    "defence": "attacking = 0",
    "defense": "attacking = 0",
    "defending": "attacking = 0",
    "land": "sea = 0",
    "sea": "sea = 1",
    "landing": "landing = 1",
}
_HAVENS = ("deck", "ally_deck", "home", "ally", "other")
_GROUPS = {"land": ("infantry", "tank"), "air": ("fighter", "bomber")}
_RATIOS = {
    "": "ratio",
    "ratio": "ratio",
    "pips": "pips_percent",
    "cost": "cost_percent",
    "ipc": "cost_percent",
    "units": "strength_percent",
    "strength": "strength_percent",
}
_SPARE = ("percent", "%", "and", "rounds", "round", "lost", "of")
MOST_KEPT = 3
MOST_SCOPE = 100  # more tests than fit into a line

Tests = tuple[str, ...]
Clause = tuple[Tests, tuple[str, ...]]


def shorthand(decision: str, text: str) -> str | None:
    """The policy in full; None: it is in full already, or is none of these decisions'."""
    words = text.casefold().split()
    if words and words[0] in _FULL:
        return None
    read = _READERS.get(decision)
    if not words or (read is None and words[0] not in ("ask", "default")):
        return None
    if words[0] in ("ask", "default"):
        if len(words) > 1:
            raise _wrong(f"{words[0]!r} stands alone")
        return f"then {words[0]}"
    assert read is not None
    parts = [_part(part, read) for part in text.casefold().split(";") if part.strip()]
    parts.sort(key=lambda part: -part[0])
    clauses = [clause for _, found in parts for clause in found]
    if decision == "retreat":
        clauses = _with_goals(clauses, general=any(not scope for scope, _ in parts))
    if not clauses or clauses[-1][0]:
        clauses.append(((), ("default",)))
    return "; ".join(map(_write, clauses))


class PlaceWords:
    """The places of AA-1.2 in standing orders in full: `when place in ukraine, west russia then ...`."""

    def word(self, value: int) -> str:
        return CHART.words[value] if 0 <= value < len(CHART.words) else str(value)

    def value(self, word: str) -> int:
        if not _LETTER.search(word):
            if word.isascii() and word.isdecimal() and int(word) < len(CHART.words):  # as `shorthand` writes them
                return int(word)
            raise ValueError(word)
        return TYPED.need_place(word.split())


def _wrong(sentence: str) -> NotationError:
    return NotationError("invalid", f"{sentence}.")


def _write(clause: Clause) -> str:
    tests, answers = clause
    return f"{'when ' + ' and '.join(tests) + ' ' if tests else ''}then {', '.join(answers)}"


def _part(text: str, read: Callable[[list[str]], Iterable[Clause]]) -> tuple[int, list[Clause]]:
    """How special it is, and what it says."""
    head, colon, tail = text.partition(":")
    scope = _scope(head.replace(",", " ").split()) if colon else ()
    words = (tail if colon else head).replace(",", " ").split()
    if not words:
        raise _wrong(f"nothing follows {text.strip()!r}")
    # Whatever else is said of submarines: behind `defence: submerge` nobody would look at it.
    special = len(scope) + MOST_SCOPE * (words == ["guard"])
    return special, [((*scope, *tests), answers) for tests, answers in read(words)]


def _scope(words: list[str]) -> Tests:
    """`defence in Ukraine`, `sea round 2`, `attack turn 3`."""
    tests: list[str] = []
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word in _FLAGS:
            tests.append(_FLAGS[word])
        elif word in ("round", "turn"):
            tests.append(f"{word} {'>=' if word == 'round' else '='} {_number(words, at)}")
            at += 1
        elif word == "in":
            name: list[str] = []
            while at < len(words) and (not name or words[at] not in (*_FLAGS, "round", "turn", "in")):
                name.append(words[at])
                at += 1
            tests.append(f"place = {TYPED.need_place(name)}")
        else:
            raise _wrong(f"{word!r} is not a condition; there are {', '.join(_FLAGS)}, in PLACE, round N, turn N")
    return tuple(tests)


def _number(words: list[str], at: int) -> int:
    word = words[at].rstrip("%") if at < len(words) else ""
    if not (word.isascii() and word.isdigit() and len(word) < 7):
        raise _wrong(f"a number is missing after {words[at - 1]!r}")
    return int(word)


def _loss(word: str) -> str:
    kind = TYPED.kind(word)
    name = word if kind is None else str(kind)
    if name.split("-")[0] not in LOSSES:
        raise _wrong(f"{word!r} is not a loss; there are {', '.join(LOSSES)}")
    return name


def _losses(words: list[str]) -> list[Clause]:
    """`infantry tank fighter keep 1 tank in Ukraine keep 1 land`."""
    # The first hit of a battleship sinks nothing and is repaired.
    first = () if "damage" in words else ("damage",)
    return _ranked(words, first, _REST)


def _settle(words: list[str]) -> list[Clause]:
    """AA-7.6: the same for the enemy's losses, who would like damage best."""
    return _ranked(words, (), parse_policy(SETTLE_DEFAULT).clauses[-1].answers)


def _divert(words: list[str]) -> list[Clause]:
    """`home deck`."""
    for word in words:
        if word not in _HAVENS:
            raise _wrong(f"{word!r} is not a place to land; there are {', '.join(_HAVENS)}")
    return [((), tuple(dict.fromkeys((*words, "default"))))]


def _ranked(words: list[str], first: tuple[str, ...], rest: Iterable[str]) -> list[Clause]:
    cut = words.index("keep") if "keep" in words else len(words)
    order = list(dict.fromkeys((*first, *map(_loss, words[:cut]))))
    order += [name for name in rest if name not in order]
    kept: list[tuple[Tests, tuple[str, ...]]] = []
    while cut < len(words):
        count = _number(words, cut + 1)
        if cut + 2 >= len(words):
            raise _wrong("say what to keep, as in `keep 1 tank`")
        word = words[cut + 2]
        names = _GROUPS.get(word) or (_loss(word),)
        fact = word if word in _GROUPS else names[0]
        if fact not in (*COUNTED, *_GROUPS):
            raise _wrong(f"{word!r} cannot be kept")
        end = words.index("keep", cut + 1) if "keep" in words[cut + 1 :] else len(words)
        kept.append(((f"{fact} <= {count}", *_scope(words[cut + 3 : end])), names))
        cut = end
    if len(kept) > MOST_KEPT:
        raise _wrong(f"at most {MOST_KEPT} kinds are kept")
    clauses: list[Clause] = []
    for size in range(len(kept), -1, -1):
        for group in combinations(kept, size):
            tests = tuple(dict.fromkeys(test for tests, _ in group for test in tests))
            last = [name for _, names in group for name in names]
            answers = [name for name in order if name not in last] + [name for name in order if name in last]
            clauses.append((tests, tuple(answers)))
    return clauses


def _submarines(words: list[str]) -> list[Clause]:
    """`strike`, `submerge`, `strike 2`, `guard`: never submerge where there are transports to protect."""
    word, count = words[0], len(words)
    if word == "guard" and count == 1:
        return [(("transport > 0",), ("strike",))]
    if word in ("strike", "submerge") and count == 1:
        return [((), (word,))]
    if word == "strike" and count == 2:
        return [((f"struck < {_number(words, 1)}",), ("strike",)), ((), ("submerge",))]
    if word in ("auto", "default", "ask") and count == 1:
        return [((), ("default" if word == "auto" else word,))]
    raise _wrong(f"{' '.join(words)!r} is not an order for submarines; use strike, strike N, submerge, guard, auto")


def _retreat(words: list[str]) -> list[Clause]:
    """`never`, `after 3 rounds`, `below 70`, `below 80 cost`, `last infantry`, `to Karelia`."""
    word, rest = words[0], [each for each in words[1:] if each not in _SPARE]
    if word in ("never", "press") and not rest:
        return [((), ("press", "default"))]
    if word in ("always", "retreat") and not rest:
        return [((), ("retreat",))]
    if word == "after" and len(rest) == 1:
        return [((f"round >= {_number(words, 1)}",), ("retreat",))]
    if word == "below" and rest:
        fact = _RATIOS.get(" ".join(rest[1:]))
        if fact is not None:
            return [((f"{fact} < {_number(words, 1)}",), ("retreat",))]
    if word == "last" and len(rest) == 1:
        name = rest[0] if rest[0] in _GROUPS else _loss(rest[0])
        if name in (*COUNTED, *_GROUPS):
            return [((f"{name} = 0",), ("retreat",))]
    if word == "to":
        return [((), (_TO, f"retreat-{CHART.words[TYPED.need_place(words[1:])].lower()}"))]
    if word in ("auto", "default", "ask") and not rest:
        return [((), ("default" if word == "auto" else word,))]
    raise _wrong(
        f"{' '.join(words)!r} is not an order for retreats; there are never, always, after N rounds, below N [percent] "
        "[pips, cost, units], last KIND, to PLACE, auto"
    )


_TO = "to"


def _with_goals(clauses: list[Clause], *, general: bool) -> list[Clause]:
    """Every retreat tries the places of `to` first that apply where it does. `general`: all cases are spoken of."""
    goals = [(tests, answers[1]) for tests, answers in clauses if answers[0] == _TO]
    said = [clause for clause in clauses if clause[1][0] != _TO]
    if not said:
        said = [(tuple(map(str, each.tests)), each.answers) for each in parse_policy(RETREAT_DEFAULT).clauses]
    elif general and said[-1][0]:
        said.append(((), ("press", "default")))
    found: list[Clause] = []
    for tests, answers in said:
        if answers != ("retreat",):
            found.append((tests, answers))
            continue
        fitting = tuple(goal for where, goal in goals if set(where) <= set(tests))
        for where, goal in goals:
            if not set(where) <= set(tests):
                found.append(((*tests, *where), (goal, *fitting, "retreat")))
        found.append((tests, (*fitting, "retreat")))
    return found


_READERS: dict[str, Callable[[list[str]], list[Clause]]] = {
    "losses": _losses,
    "settle": _settle,
    "submarines": _submarines,
    "divert": _divert,
    "retreat": _retreat,
}
