"""The terms of a tournament: one TOML file of the umpire's, read strictly by `schemas/tournament.json`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Literal

from pbem.engine.counts import DAY
from pbem.protocol.canonical import Plain, pack, unpack
from pbem.protocol.characters import check_line
from pbem.protocol.digest import tagged
from pbem.protocol.errors import Refusal
from pbem.protocol.limits import MAX_ITEM, MAX_SECONDS
from pbem.umpire import UmpireError, wrong_file
from pbem.umpire.standings import DEFAULT_ORDER, check_order

if TYPE_CHECKING:
    from pbem.engine.definition import Game, OptionValue

MAX_TERMS: Final = 64 << 10
MAX_DATA: Final = 2 << 20
DAYS: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""Bit 0 of `days_off` is Monday (GEN-1)."""
Action = Literal["ask", "forfeit"]
Seeding = Literal["", "rating", "lot", "given"]

_ALWAYS: Final = ("format", "game", "mirrored", "mode", "seed", "title")
_IF_SAID: Final = ("name", "rounds", "seeding")
_TIMES: Final = frozenset({"accept", "ask", "bank", "grace", "move", "remind", "undelivered"})
_TIME: Final = re.compile("".join(rf"(?:(?P<{unit}>[0-9]{{1,9}}){unit})?" for unit in "wdhms"))
_UNITS: Final = {"w": 7 * DAY, "d": DAY, "h": 3_600, "m": 60, "s": 1}
_MOST_FAULTS: Final = 5


@dataclass(frozen=True, slots=True)
class ClockTerms:
    """Seconds; a `move` and `bank` of 0 together: there is no clock. `days_off`: bit 0 is Monday."""

    move: int = 0
    bank: int = 0
    days_off: int = 0
    accept: int = 7 * DAY
    """How long an offer waits for its players."""

    def __post_init__(self) -> None:
        if self.move < 0 or self.bank < 0 or not 0 <= self.days_off < 127:
            raise ValueError("a clock has times of at least 0 and at least one day that counts")

    @property
    def runs(self) -> bool:
        return self.move + self.bank > 0


@dataclass(frozen=True, slots=True)
class KeeperTerms:
    """The keeper's unattended work."""

    remind: int = 3 * DAY
    """A player who owes something is reminded after this time, and again after every such period; 0: never."""
    grace: int = DAY
    """The time between the fall of a flag and the action that follows."""
    ask: int = 3_600
    """How long the desk waits for a player's own mail to bring a question before the desk's mail asks it."""
    undelivered: int = 3 * DAY
    """After this time, a question that no mail has delivered is a case for the umpire."""
    on_flag: Action = "ask"
    no_show: Action = "ask"
    auto: bool = False
    """The next round is paired and offered when the current one is complete."""


@dataclass(frozen=True, slots=True)
class RatingTerms:
    start: int = 1_500
    deviation: int = 350


@dataclass(frozen=True, slots=True)
class SiteTerms:
    archives: bool = False
    """Archives are published, which hold the players' cards with their addresses."""


@dataclass(frozen=True, slots=True)
class Terms:
    title: str
    game: str
    format: str
    name: str = ""
    scenario: str | None = None
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    """Data files of the umpire's own that the terms name by kind, as long as nobody has read them (`with_files`)."""
    data: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """What was in them, packed: it stands in place of the game's own, and travels with every offer."""
    mode: str = "strict"
    sides: tuple[str, str] = ("", "")
    """What the first and the second player of a pairing play."""
    rounds: int = 0
    """0: as many as the format needs."""
    mirrored: bool = False
    seeding: Seeding = ""
    """How the first entrants are numbered: by rating, by lot, or in the order given; empty: by rating if any of them
    has one, else by lot."""
    seed: str = ""
    """Decides what the pairing leaves open; empty: the tournament's key."""
    standings: tuple[str, ...] = DEFAULT_ORDER
    clock: ClockTerms = ClockTerms()
    keeper: KeeperTerms = KeeperTerms()
    rating: RatingTerms = RatingTerms()
    site: SiteTerms = SiteTerms()

    @property
    def pins(self) -> dict[str, str]:
        """The digests of the data files of the umpire's own, in hex, as offers have them (STA-7)."""
        return {kind: tagged("pbem1/value", raw).hex() for kind, raw in sorted(self.data.items())}

    def plain(self) -> dict[str, Plain]:
        """As `terms_of` reads it."""
        days_off: list[Plain] = [day for bit, day in enumerate(DAYS) if self.clock.days_off >> bit & 1]
        value: dict[str, Plain] = {
            **{name: getattr(self, name) for name in _ALWAYS},
            **{name: getattr(self, name) for name in _IF_SAID if getattr(self, name)},
            "clock": {**asdict(self.clock), "days_off": days_off},
            "keeper": asdict(self.keeper),
            "options": dict(self.options),
            "rating": asdict(self.rating),
            "standings": list(self.standings),
            "v": 1,
        }
        if self.data:
            value["data"] = dict(self.data)
        if self.scenario is not None:
            value["scenario"] = self.scenario
        if all(self.sides):
            value["sides"] = list(self.sides)
        if self.site.archives:
            value["site"] = {"archives": True}
        return value


def wrong(sentence: str) -> UmpireError:
    return wrong_file("E-UMPIRE-TERMS", sentence)


def parse(raw: bytes) -> Terms:
    """The terms in a TOML file."""
    if len(raw) > MAX_TERMS:
        raise wrong(f"The terms are larger than {MAX_TERMS:,} bytes.")
    from pbem.kit.datafile import read_toml

    try:
        value = read_toml(raw)
    except ValueError as error:
        raise wrong(f"The terms are not TOML: {error}.") from None
    return parse_plain(value)


def parse_plain(value: Any) -> Terms:
    faults = _faults(value)
    if faults:
        raise wrong(f"The terms of the tournament are not valid:  {'; '.join(faults)}.")
    try:
        check_line(value["title"], 1, 60, "The title", "ENC-9")
    except Refusal as refusal:
        raise wrong(refusal.sentence) from None
    odd = [kind for kind, held in value.get("data", {}).items() if not isinstance(held, str | bytes)]
    if odd:
        raise wrong(f'A data file is named by its path, such as {odd[0]} = "my-{odd[0]}.toml".')
    return terms_of(value)


def terms_of(value: Any) -> Terms:
    """Of terms that were checked against their schema."""
    own = value.get("data", {})
    first, second = value.get("sides", ("", ""))
    clock = {**value.get("clock", {})}
    clock["days_off"] = sum(1 << DAYS.index(day) for day in clock.get("days_off", ()))
    return Terms(
        **{name: value[name] for name in (*_ALWAYS, *_IF_SAID, "options", "scenario") if name in value},
        files={kind: held for kind, held in own.items() if isinstance(held, str)},
        data={kind: held for kind, held in own.items() if isinstance(held, bytes)},
        sides=(first, second),
        standings=tuple(value.get("standings", DEFAULT_ORDER)),
        clock=ClockTerms(**_timed(clock)),
        keeper=KeeperTerms(**_timed(value.get("keeper", {}))),
        rating=RatingTerms(**value.get("rating", {})),
        site=SiteTerms(**value.get("site", {})),
    )


def _timed(section: Mapping[str, Any]) -> dict[str, Any]:
    return {name: seconds(value) if name in _TIMES else value for name, value in section.items()}


def with_files(terms: Terms, read: Callable[[str], bytes]) -> Terms:
    """With what is in the data files that the terms name. Refuses one that does not match its schema (E-DATA)."""
    from pbem.kit.datafile import read_data_file

    data = {kind: pack(read_data_file(kind, read(name))) for kind, name in sorted(terms.files.items())}
    if sum(map(len, data.values())) > MAX_DATA:
        raise wrong(f"The data files are larger than {MAX_DATA:,} bytes together, and could not travel with an offer.")
    return replace(terms, files={}, data={**terms.data, **data})


def completed(terms: Terms, game: Game[Any]) -> Terms:
    """The terms checked against the installed game: its scenario, options and two sides exist."""
    if terms.files:
        raise wrong(f"The data file {next(iter(terms.files.values()))!r} has not been read.")
    sides = tuple(dict.fromkeys(seat.side for seat in game.seats))
    if len(sides) != 2:
        raise wrong(f"{game.title} has {len(sides)} sides; a pairing needs a game of two.")
    chosen = terms.sides if all(terms.sides) else sides
    if sorted(chosen) != sorted(sides):
        raise wrong(f"The sides of {game.title} are {sides[0]} and {sides[1]}.")
    check_order(terms.standings)
    if terms.clock.bank and not terms.clock.move:
        raise wrong("A bank of time needs a time per move: set clock.move.")
    try:
        own = {kind: unpack(raw, MAX_ITEM) for kind, raw in terms.data.items()}
        setup = game.setup_of(terms.scenario, terms.options, game.data_with(own) if own else game.data)
    except Refusal as refusal:
        raise wrong(refusal.sentence) from None
    return replace(terms, sides=chosen, scenario=setup.scenario, options=dict(setup.options))


def seconds(value: int | str) -> int:
    """A time as the terms write it: seconds, or `3d`, `12h30m`, `2w`."""
    if isinstance(value, int):
        total = value
    else:
        parts = _TIME.fullmatch(value)
        if parts is None or not value:
            raise wrong(f"{value!r} is not a time. Write it as 3d, 12h or 1d12h.")
        total = sum(int(count) * _UNITS[unit] for unit, count in parts.groupdict("0").items())
    if not 0 <= total <= MAX_SECONDS:
        raise wrong(f"{value} is longer than a game may wait: a year at most.")
    return total


def _faults(value: Any) -> list[str]:
    from jsonschema import Draft202012Validator

    from pbem.kit.datafile import schema

    found = []
    for error in islice(Draft202012Validator(schema("tournament")).iter_errors(value), _MOST_FAULTS):
        where = "/".join(map(str, error.absolute_path)) or "the file"
        found.append(f"{where}: {error.message[:150]}")
    return sorted(found)
