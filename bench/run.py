"""`make bench`: measures everything, prints a table and writes it into bench/README.md. No timing gates CI."""

from __future__ import annotations

import os
import platform
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # runs as a script

from bench import (  # noqa: E402
    accept,
    axis,
    board,
    botgame,
    clicking,
    desk,
    intake,
    jobs,
    kit,
    march,
    noretreat,
    pictures,
    publish,
    rules,
    size,
    start,
    umpire,
    whole,
)
from bench.endless import game as endless  # noqa: E402
from bench.timing import Ratio  # noqa: E402
from pbem.engine.registry import find, names  # noqa: E402
from pbem.engine.testing.inmemory import Table  # noqa: E402
from pbem.protocol.container import write  # noqa: E402
from tools.browser import lacking  # noqa: E402

README = Path(__file__).with_name("README.md")
BEGIN, END = "<!-- results -->", "<!-- end of results -->"
ARCHIVES = 200


@dataclass(frozen=True, slots=True)
class Line:
    """One row. `good` is None where nothing is wanted, only told."""

    what: str
    measured: str
    wanted: str = ""
    good: bool | None = None


def at_most(what: str, ratio: Ratio, bound: float, more: str = "") -> Line:
    return Line(what, f"{ratio}{more}", f"<= {bound:.2f}", ratio.ratio <= bound)


def micro(seconds: float) -> str:
    return f"{seconds * 1e6:.0f} us"


def accepting() -> Iterator[Line]:
    for orders, rounds in ((10, 25), (100, 25), (1_000, 7)):
        found = accept.accept(orders, rounds)
        parts = (
            f"; accept {micro(found.accept)}, rules {micro(found.rules)}, "
            f"state hash {micro(found.state_hash)}, floor {micro(found.floor)}"
        )
        what = f"accept, {orders:,} orders: (accept - rules - state hash) / floor"
        yield at_most(what, found.ratio, 1.5, parts) if orders == 100 else Line(what, f"{found.ratio}{parts}")


def growing() -> Iterator[Line]:
    yield at_most("growth: accept turn 1,000 / turn 10", accept.growth(), 1.1)
    audit = accept.audit()
    spread = ", ".join(f"{count:,} turns {seconds:.2f} s" for count, seconds in audit.seconds)
    yield Line("audit: log-log slope", f"{audit.slope:.3f} ({spread})", "1.00 +- 0.03", abs(audit.slope - 1) <= 0.03)
    late, early = accept.memory(2_000), accept.memory(200)
    ratio = late / early
    yield Line("memory: peak at 2,000 turns / at 200", f"{ratio:.3f} ({late / 1024:.1f} MiB)", "<= 1.20", ratio <= 1.2)


def replaying() -> Iterator[Line]:
    speed = rules.rules()
    rate = f"{speed.ratio}; {speed.orders:,.0f} orders/s, python-chess {speed.moves:,.0f} moves/s"
    yield Line("rules of Bridgehead / python-chess push_uci", rate, ">= 0.30", speed.ratio.ratio >= 0.3)
    plain = accept.table_of(10)
    accept.play(plain, 100)
    bridgehead = find("bridgehead")
    games = [("endless", endless, plain)]
    for mode in ("strict", "umpire", "open"):  # cards by a deck of two players' keys, by a dealer, by the dice's key
        table = Table(bridgehead, mode=mode, umpire=mode == "umpire", seed="whole")
        table.play()
        games.append((f"Bridgehead {mode}", bridgehead, table))
    for name, game, played in games:
        keys = {number: peer.player.keys.sign_public for number, peer in played.peers.items()}
        found = whole.measure(game, played.archive(), keys)
        parts = (
            f"; {found.records} records, {found.orders} orders: {found.whole * 1e3:.1f} ms, signatures "
            f"{found.signatures * 1e3:.1f}, rules and state hashes {found.rules * 1e3:.1f}, level 2 "
            f"{found.level2 * 1e3:.1f}"
        )
        yield at_most(f"verify, {name}: whole / (signatures + rules + state hash)", found.ratio, 1.3, parts)
        yield Line(f"verify, {name}: the same with level 2 among the parts", str(found.with_level2))


def sizes() -> Iterator[Line]:
    for count, bound in ((20, 1.5), (100, 1.15)):
        found = size.measure(count)
        more = (
            f"{found.ratio:.2f}; {found.ours:.1f} bytes an order, .zip {found.zipped:.1f}, its deflate stream alone "
            f"{found.deflated:.1f}"
        )
        yield Line(f"size, {count} orders: mailed turn / zipped JSON", more, f"<= {bound:.2f}", found.ratio <= bound)


def starting() -> Iterator[Line]:
    found = start.version()
    yield at_most("start: pbem --version / bare interpreter", found, 2.5, f"; {found.ours * 1e3:.0f} ms")
    with TemporaryDirectory() as folder:
        archive, turn = start.one_turn(Path(folder))
        for what, file in (("an archive with one turn", archive), ("a turn alone", turn)):
            found = start.verify(file)
            more = f"; {found.ours * 1e3:.0f} ms, imports {found.theirs * 1e3:.0f} ms"
            yield at_most(f"start: pbem verify of {what} / imports", found, 1.5, more)


def sharing() -> Iterator[Line]:
    with TemporaryDirectory() as folder:
        raws = []
        for seed in range(10):
            table = Table(find("bridgehead"), seed=f"jobs {seed}")
            for _ in range(180):
                table.step()
            table.settle()
            raws.append(write(table.archive()))
        paths = [Path(folder) / f"{number:03}.pbem" for number in range(ARCHIVES)]
        for number, path in enumerate(paths):
            path.write_bytes(raws[number % len(raws)])
        found = jobs.measure(paths)
    more = f"{found.ratio:.2f}; gain {found.gain:.2f} of {found.ceiling:.2f}, {found.one:.1f} s and {found.two:.1f} s"
    yield Line(f"jobs: {ARCHIVES} archives by two processes / ceiling", more, ">= 0.95", found.ratio >= 0.95)


def searching() -> Iterator[Line]:
    found = kit.measure()

    ground = f"kit, {kit.COLUMNS * kit.ROWS:,} hexes, {2 * kit.UNITS} units"

    def within(what: str, seconds: float, bound: float) -> Line:
        return Line(f"{ground}: {what}", f"{seconds * 1e3:.2f} ms", f"<= {bound:.0f} ms", seconds <= bound / 1e3)

    yield within("zones and bonds of a side", found.zones + found.bonds, 3)
    yield within("supply of a side, with its zones, bonds and two stages", found.supply, 3)
    yield within(f"one unit's destinations, {found.places} hexes", found.march, 1)
    yield within(f"the same at twice the points, {found.far_places} hexes", found.far, 1)
    yield within("retreats of four hexes, ranked", found.retreat, 2)
    parts = f"what cuts a line {micro(found.why)}, threats {micro(found.threat)}, an attack {micro(found.attack)}"
    yield Line(f"{ground}: other pieces", f"{parts}, the map from its file {kit.opening() * 1e3:.0f} ms")


def ordering() -> Iterator[Line]:
    name = f"legal orders, {march.UNITS} units on {len(march.BOARD.places):,} hexes"
    yield from legal_lines(name, march.legality(march.begun(), march.WEST))


def legal_lines(name: str, found: march.Legality) -> Iterator[Line]:
    for what, seconds, bound in (
        ("first steps", found.first, 20),
        ("the orders of one unit, the slowest", found.picked, 5),
        ("the check of one order, the slowest", found.check, 2),
    ):
        yield Line(f"{name}: {what}", f"{seconds * 1e3:.2f} ms", f"<= {bound} ms", seconds <= bound / 1e3)
    yield Line(f"{name}: all {found.orders:,} of them", f"{found.every * 1e3:.0f} ms")


def accepted(game: str, taken: accept.Accept) -> Line:
    parts = (
        f"; accept {micro(taken.accept)}, rules {micro(taken.rules)}, state hash {micro(taken.state_hash)}, "
        f"floor {micro(taken.floor)}"
    )
    return at_most(
        f"{game}: accept, {taken.orders} orders: (accept - rules - state hash) / floor", taken.ratio, 1.5, parts
    )


def sized(game: str, found: size.Size, orders: int, bound: float) -> Line:
    more = f"{found.ratio:.2f}; {found.ours:.1f} bytes an order, .zip {found.zipped:.1f}"
    what = f"{game}: size, {orders} orders: mailed turn / zipped JSON"
    return Line(what, more, f"<= {bound:.2f}", found.ratio <= bound)


def verified(game: str, found: whole.Whole) -> Line:
    parts = (
        f"; {found.records} records, {found.orders} orders: {found.whole * 1e3:.1f} ms, signatures "
        f"{found.signatures * 1e3:.1f}, rules and state hashes {found.rules * 1e3:.1f}, "
        f"level 2 {found.level2 * 1e3:.1f}"
    )
    return at_most(f"{game}: verify, whole / (signatures + rules + state hash)", found.ratio, 1.3, parts)


def axis_lines() -> Iterator[Line]:
    """The same bars for Axis & Allies 1941."""
    speed = axis.rules()
    rate = f"{speed.diplomacy}; {speed.orders:,.0f} orders/s, diplomacy {speed.theirs:,.0f} orders/s"
    yield Line("axis1941: rules / diplomacy engine", rate, ">= 4.00", speed.diplomacy.ratio >= 4)
    rate = f"{speed.unread}; diplomacy {speed.theirs_unread:,.0f} orders/s"
    yield Line("axis1941: the same, diplomacy given exact texts that it does not read", rate)
    hand = f"{speed.by_hand}; {speed.by_hand.ours:,.0f} orders/s"
    yield Line("axis1941: the same, every decision of a battle given by hand / diplomacy engine", hand)
    yield Line("axis1941: rules / python-chess push_uci", f"{speed.chess}; python-chess {speed.moves:,.0f} moves/s")
    yield verified("axis1941", axis.verify())
    yield accepted("axis1941", axis.accept())
    yield at_most("axis1941: growth, a turn accepted in round 12 / in round 2", axis.growth(), 1.1)
    for least, most, bound in ((10, 20, 1.5), (20, 60, 1.5)):
        size_ = axis.size(least, most)
        yield sized("axis1941", size_, round(size_.orders), bound)


def noretreat_lines() -> Iterator[Line]:
    """The same bars for No Retreat!, and what a campaign of 28 turns costs."""
    speed = noretreat.rules()
    rate = f"{speed.ratio}; {speed.orders:,.0f} orders/s, python-chess {speed.moves:,.0f} moves/s"
    yield Line("noretreat: rules / python-chess push_uci", rate)
    yield accepted("noretreat", noretreat.accept())
    yield at_most("noretreat: growth, a record accepted in turn 20 / in turn 2", noretreat.growth(), 1.1)
    for count, bound in ((20, 1.5), (100, 1.15)):
        yield sized("noretreat", noretreat.size(count), count, bound)
    audit = noretreat.audit()
    of = f"noretreat: a campaign of 28 turns, {audit.records:,} records, {audit.orders:,} orders"
    yield Line(f"{of}: audit", f"{audit.seconds:.2f} s", "<= 5.00 s", audit.seconds <= 5)
    yield Line(f"{of}: size", f"{audit.size / 1024:.0f} KiB", "<= 1024 KiB", audit.size <= 1 << 20)
    yield verified("noretreat", noretreat.verify())


def stargard_lines() -> Iterator[Line]:
    """The same bars for Stargard Solstice, and what a game of ten turns costs."""
    yield from botgame_lines(botgame.STARGARD, "ten turns", many=1_000, seconds=3)


def stalingrad_lines() -> Iterator[Line]:
    """The same bars for Fall Blau, and what its players wait for."""
    bench = botgame.STALINGRAD
    yield from botgame_lines(bench, "eight turns", many=2_000, seconds=5)
    yield from legal_lines("stalingrad42, the Axis in turn 2", bench.legal(2, "movement"))
    for what, size_, bound in (("the longest record", bench.longest(), 12), ("the state saved", bench.saved(), 64)):
        yield Line(f"stalingrad42: {what}", f"{size_ / 1024:.1f} KiB", f"<= {bound} KiB", size_ <= bound << 10)


def campaign_lines() -> Iterator[Line]:
    """Stalingrad '42, all of it: 36 turns on all maps. Bots end it in autumn, so winter is measured from the set-up."""
    bench, name = botgame.CAMPAIGN, "stalingrad42, the campaign"
    audit = bench.audit(rounds=1)
    of = f"{name}: {bench.turns} turns, {audit.records:,} records, {audit.orders:,} orders"
    yield Line(f"{of}: audit", f"{audit.seconds:.1f} s", "<= 30.0 s", audit.seconds <= 30)
    yield Line(f"{of}: size", f"{audit.size / 1024:.0f} KiB", "<= 1536 KiB", audit.size <= 1536 << 10)
    behind = bench.behind(many=2_000)
    what = f"{name}: the same record accepted with {behind.many:,} records behind it / with {behind.few}"
    yield at_most(what, behind.ratio, 1.05)
    early, late = bench.legal(2, "movement"), botgame.WINTER.legal(30, "movement")
    yield from legal_lines(f"{name}, the Axis in turn 2", early)
    ratio = late.each / early.each
    more = f"{ratio:.2f}; {early.each * 1e6:.0f} and {late.each * 1e6:.0f} us"
    yield Line(f"{name}: all orders of a unit, turn 30 / turn 2", more, "<= 1.30", ratio <= 1.3)
    for what, size_, bound in (("the longest record", bench.longest(), 12), ("the state saved", bench.saved(), 64)):
        yield Line(f"{name}: {what}", f"{size_ / 1024:.1f} KiB", f"<= {bound} KiB", size_ <= bound << 10)


def botgame_lines(bench: botgame.BotGame, length: str, *, many: int, seconds: float) -> Iterator[Line]:
    name, speed = bench.name, bench.rules()
    rate = f"{speed.ratio}; {speed.orders:,.0f} orders/s, python-chess {speed.moves:,.0f} moves/s"
    yield Line(f"{name}: rules / python-chess push_uci", rate)
    yield accepted(name, bench.accept())
    behind = bench.behind(many=many)
    what = f"{name}: the same record accepted with {behind.many:,} records behind it / with {behind.few}"
    yield at_most(what, behind.ratio, 1.05)
    for count, bound in ((20, 1.5), (100, 1.15)):
        yield sized(name, bench.size(count), count, bound)
    audit = bench.audit()
    of = f"{name}: a game of {length}, {audit.records:,} records, {audit.orders:,} orders"
    yield Line(f"{of}: audit", f"{audit.seconds:.2f} s", f"<= {seconds:.2f} s", audit.seconds <= seconds)
    yield Line(f"{of}: size", f"{audit.size / 1024:.0f} KiB", "<= 256 KiB", audit.size <= 256 << 10)
    yield verified(name, bench.verify())


def drawing() -> Iterator[Line]:
    for name in pictures.ORDERS:
        found = pictures.measure(name)
        more = f"; page {found.page * 1e3:.1f} ms; {found.size:,} bytes"
        yield Line(f"SVG of {name}, warm", f"{found.warm * 1e3:.1f} ms{more}", "<= 50 ms", found.warm <= 0.05)
        yield Line(f"SVG of {name}, cold", f"{found.cold * 1e3:.0f} ms", "<= 300 ms", found.cold <= 0.3)
    page = pictures.replayed()
    spread = ", ".join(f"{records} records {seconds:.2f} s" for records, seconds in page.seconds)
    yield Line("replay page: log-log slope over records", f"{page.slope:.2f} ({spread})", "<= 1.15", page.slope <= 1.15)
    size = f"{page.size / (1 << 20):.2f} MiB, {page.steps} steps"
    yield Line("replay page, ten rounds of axis1941: size", size, "<= 3 MiB", page.size <= 3 << 20)
    if page.opened is not None:
        yield Line("the same: opened in Chromium", f"{page.opened:.2f} s", "<= 2.00 s", page.opened <= 2)


def umpire_lines() -> Iterator[Line]:
    """The umpire's desk: what grows with a tournament."""
    found = publish.measure()
    spread = ", ".join(f"{count:,} games {seconds:.1f} s" for count, seconds in found.seconds)
    good = found.slope <= 1.05
    yield Line("umpire: publish, log-log slope over games", f"{found.slope:.3f} ({spread})", "<= 1.05", good)
    count = found.seconds[-1][0]
    yield Line(
        f"umpire: publish of {count:,} games again, nothing changed",
        f"{found.again:.1f} s, {found.written} of {found.files:,} files written ({found.bytes / (1 << 20):.0f} MiB)",
        "0 files",
        found.written == 0,
    )
    yield Line("umpire: publish, a whole game of Bridgehead checked and drawn", f"{found.whole:.2f} s")
    yield from taking_in(100, 1_000)
    yield from auditing(400, 1)


def desk_lines() -> Iterator[Line]:
    """What a mail costs the umpire's desk, early and late in a game."""
    found = desk.growth()
    yield Line(
        "umpire: CPU of a mail that is answered, last quarter of a game / first (Bridgehead, mode umpire)",
        f"{found.ratio:.3f} ({found.early * 1e3:.1f} and {found.late * 1e3:.1f} ms; {found.mails} mails)",
        "<= 1.10",
        found.ratio <= 1.10,
    )


def umpire_full() -> Iterator[Line]:
    """The same as large as a season: 1,000 games, 10,000 mails, 400 archives."""
    yield from taking_in(1_000, 10_000)
    yield from auditing(400, 3)


def taking_in(games: int, mails: int) -> Iterator[Line]:
    found = intake.measure(games, mails)
    what = f"umpire: intake of {mails:,} turn mails, {games:,} games"
    more = (
        f"{found.rate:.0f} mails/s, {found.cpu / mails * 1e3:.1f} ms of CPU each; written through "
        f"{found.flushed * 1e3:.0f} ms each; a pass without mail {found.empty_pass / games * 1e3:.1f} ms a game"
    )
    yield Line(what, more)
    memory = f"{found.flat:.3f} ({found.peak / 1024:.1f} MiB)"
    yield Line(f"{what}: peak memory / at {found.first:,} mails", memory, "<= 1.20", found.flat <= 1.2)


def auditing(archives: int, rounds: int) -> Iterator[Line]:
    found = umpire.audits(archives, rounds)
    more = f"{found.ratio:.2f}; gain {found.gain:.2f} of {found.ceiling:.2f}, {found.one:.1f} s and {found.two:.1f} s"
    yield Line(f"umpire: audit of {archives} archives, two processes / ceiling", more, ">= 0.95", found.ratio >= 0.95)
    more = f"{found.dask:.2f} ({found.two:.1f} s and {found.cluster:.1f} s)"
    yield Line(
        f"umpire: audit of {archives} archives, two Dask workers / two processes", more, ">= 0.90", found.dask >= 0.9
    )


CAMPAIGN = "stalingrad42/campaign"


def clicking_lines() -> Iterator[Line]:
    for name in (*names(), CAMPAIGN):
        found, large = clicking.measure(name), name.startswith("stalingrad42")
        rows = (
            ("a pick, 95th percentile", found.pick, 30, f"{found.pick:.1f} ms (most {found.pick_most:.1f})"),
            ("an order and the new state", found.order, 60, f"{found.order:.1f} ms (most {found.order_most:.1f})"),
            (
                "first answer, gzip",
                found.packed,
                450 if large else 300,
                f"{found.packed:.0f} KB of {found.first:.0f} (ground {found.ground:.0f} KB; {found.opened:.0f} ms)",
            ),
            ("memory of the server", found.memory, 140 if large else 80, f"{found.memory:.0f} MiB"),
        )
        for what, value, bound, told in rows:
            unit = told.partition("(")[0].split()[1]
            yield Line(f"board, {name}: {what}", told, f"<= {bound} {unit}", value <= bound)
        more = f"{found.clicks:.0f} clicks, {found.keys:.0f} keys as exact texts; {found.turns} records"
        yield Line(f"board, {name}: a bot's record", more)
    for name in () if lacking() else (*names(), CAMPAIGN):
        seen = board.measure(name)
        rest = f" (at rest {seen.idle:.0f} ms)"
        for what, took, most, unit, more in (
            ("a click until it is lit", seen.lit, 60, "ms", ""),
            ("a frame while the map moves, 95th percentile", seen.frame, 20, "ms", rest),
            ("the map drawn anew after that, at most", seen.anew, 250, "ms", ""),
            ("memory of the map in the browser", seen.raster, 64, "MiB", ""),
        ):
            yield Line(f"board, {name}: {what}", f"{took:.0f} {unit}{more}", f"<= {most} {unit}", took <= most)


PARTS: dict[str, Callable[[], Iterator[Line]]] = {
    "size": sizes,
    "start": starting,
    "accept": accepting,
    "replay": replaying,
    "growth": growing,
    "jobs": sharing,
    "kit": searching,
    "legal": ordering,
    "pictures": drawing,
    "axis": axis_lines,
    "noretreat": noretreat_lines,
    "stargard": stargard_lines,
    "stalingrad": stalingrad_lines,
    "umpire": umpire_lines,
    "desk": desk_lines,
    "board": clicking_lines,
}
LONG: dict[str, Callable[[], Iterator[Line]]] = {"campaign": campaign_lines, "umpire-full": umpire_full}
"""Only run when they are named."""


def machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line.partition(":")[2].strip() for line in info.read_text().splitlines() if "model name" in line]
        model = names[0] if names else model
    return f"{model}, {os.cpu_count()} processors, {platform.system()}, Python {platform.python_version()}"


def table_of(lines: list[Line]) -> str:
    marks = {True: "yes", False: "no", None: ""}
    rows = ["| what | wanted | measured | met |", "|---|---|---|---|"]
    rows += [f"| {line.what} | {line.wanted} | {line.measured} | {marks[line.good]} |" for line in lines]
    return "\n".join(rows)


def write_results(text: str) -> None:
    page = README.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    _, _, tail = rest.partition(END)
    README.write_text(f"{head}{BEGIN}\n{text}\n{END}{tail}", encoding="utf-8")


def main(wanted: list[str]) -> int:
    """All parts, or those that are named; only a whole run is written down."""
    lines = []
    begun = time.monotonic()
    for name in wanted or PARTS:
        for line in {**PARTS, **LONG}[name]():
            lines.append(line)
            mark = "" if line.good is None else "ok   " if line.good else "NOT  "
            sys.stdout.write(f"{mark or '     '}{line.what}: {line.measured} {line.wanted and f'[{line.wanted}]'}\n")
            sys.stdout.flush()
    if not wanted:
        day = time.strftime("%Y-%m-%d", time.gmtime())
        load = f"; load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
        took = f"{time.monotonic() - begun:.0f} s"
        write_results(f"{machine()}; {day}, in {took}{load}.\n\n{table_of(lines)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
