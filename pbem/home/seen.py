"""A game as somebody sees it at a moment, with the events that led there: for pictures and reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine.definition import Game
from pbem.engine.event import Event
from pbem.engine.match import Match
from pbem.engine.need import Known, Orders
from pbem.engine.obligation import ORDERS
from pbem.engine.view import View
from pbem.home import describe
from pbem.home.disk import HomeError
from pbem.home.gamefile import GameFile, my_place, own_count, player_of
from pbem.home.orders import Move
from pbem.home.outbox import lacking
from pbem.home.root import Home
from pbem.kit.scene import Part, Pictures, Scene, TurnSeen
from pbem.protocol.log import Vector
from pbem.protocol.record import Record, parse_record


@dataclass(frozen=True, slots=True)
class Gist:
    """The subject of one's last file, as everybody may read it: nothing that only one player may know."""

    what: str
    """The game as people call it, and the turn: "Barbarossa, turn 3"."""
    did: str
    """What its sender has done, as a verb: "moved"."""
    happened: tuple[str, ...]
    """What came of it."""
    asked: tuple[tuple[str, str], ...]
    """The players who are asked next ("" for oneself), and what for ("" if it is simply their turn)."""
    whole: bool
    """Does the file hold all that its receivers have not answered?"""
    by: str = ""
    """The name of its sender."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A view of these seats, and the events up to it that they may know, oldest first."""

    game: Game[Any]
    view: View[Any]
    events: tuple[Event, ...]

    def scene(self, *, covered: bool = False) -> Scene:
        """What is drawn: the view, and what happened last. `covered`: of others' stacks, only the top unit."""
        pictures = pictures_of(self.game)
        scene = pictures.scene(self.view, pictures.last(self.events))
        if not covered:
            return scene
        if not pictures.covering:
            raise HomeError("E-LACKS", f"In {self.game.title} no unit lies on top of another.")
        return scene.covered({seat.side for seat in self.game.seats if seat.name in self.view.seats})


def pictures_of(game: Game[Any]) -> Pictures:
    if game.pictures is None:
        raise HomeError("E-LACKS", f"{game.title} has no pictures. Its board as text: pbem board GAME")
    found: Pictures = game.pictures()
    return found


def seen(home: Home, name: str, *, seats: Sequence[str] | None = None, at: str | None = None) -> Seen:
    """After the record `at` (`BY:SEQ`), or now, with the draft. `seats` None: one's own; once the game is
    over, nobody's."""
    game = home.load(name)
    eyes = _eyes(game, seats)
    told = _told(game)
    count = len(told) if at is None else _number(game, told, at)
    match = game.match if at is None else _match(game, told, count)
    happened = tuple(event for each in told[:count] for event in each.events)
    if at is None and eyes and match.result is None:
        move = Move(home, game)
        eyes = move.eyes() if seats is None else eyes
        view = move.draft.view(eyes)
        happened = (*happened, *move.draft.events())
    else:
        view = _view(home, game, match, eyes)
    return Seen(match.game, view, tuple(event for event in happened if event.seen_by(eyes)))


def turn_seen(
    home: Home, name: str, *, seats: Sequence[str] | None = None, turn: int | None = None, sent: bool = False
) -> TurnSeen:
    """A turn as these seats saw it, or the last part of the game in which something happened. `sent`: that part as
    everybody saw it with one's own last record."""
    game = home.load(name)
    past = last_sent(game) if sent else None
    eyes = _eyes(game, () if sent else seats)
    rules, pictures = game.match.game, pictures_of(game.match.game)
    told = _told(game, past)
    events = [(event, n) for n, each in enumerate(told) for event in each.events if event.seen_by(eyes)]
    only = [event for event, _ in events]
    parts = [pictures.latest(only)] if turn is None else [part for part in pictures.parts(only) if part.turn == turn]
    if not parts:
        last = max(part.turn for part in pictures.parts(only))
        raise HomeError("E-UNKNOWN", f"{game.name} has no turn {turn}; its turns so far are 1 to {max(last, 0)}.")
    first, after = parts[0].first, parts[-1].after
    opened, closed = (events[n][1] if events else len(told) - 1 for n in (first, max(first, after - 1)))
    # A part mostly begins with the end of another's record: what that one did is not part of it.
    opening = opened + 1 if closed > opened else opened
    before = _match(game, told, opening) if any(each.start for each in told[:opening]) else None
    end = _match(game, told, closed + 1)
    return TurnSeen(
        title=_title(rules, pictures.turn, parts, only),
        before=pictures.scene(_view(home, game, before, eyes), ()) if before is not None else None,
        after=pictures.scene(_view(home, game, end, eyes), tuple(only[first:after])),
        parts=tuple(rules.tell(pictures.prose(only[part.first : part.after])) for part in parts),
    )


_DID = {**describe.DOES, "orders": "sent orders", "reveal": "answered", "release": "answered"}
_AGREES = {"tie": "a draw", "takeback": "go back", "migrate": "newer rules"}


def _did(game: GameFile, record: Record) -> str:
    if record.kind != "answer":
        return _DID.get(record.kind, "sends a file")
    place = game.log.find(record.data["to"])
    asked = parse_record(game.raw_of(*place)).kind if place is not None else ""
    if asked not in _AGREES:
        return _DID["answer"]
    if not record.data["yes"]:
        return f"does not agree to {_AGREES[asked]}"
    gone = asked == "takeback" and record.data["to"] not in game.match.position.proposals
    return f"agrees to {_AGREES[asked]}{': the game has gone back' if gone else ''}"


def gist(home: Home, name: str, *, brief: bool = False, automatic: bool = False) -> Gist:
    """What one's last file is about: what it did, as everybody saw it, and who is asked now.

    `brief`: not what it did to the position, which needs a replay. `automatic`: the program has made it by itself.
    """
    game = home.load(name)
    offer, rules = game.offer, home.find_game(game.offer.rules.module)
    scenario = next((each.title for each in rules.scenarios if each.name == offer.scenario), rules.title)
    what = offer.title or (scenario if len(rules.scenarios) > 1 else rules.title)
    me = my_place(game)
    count = own_count(game, me)
    did = "answered"
    if not automatic:
        raws = (game.store.record(me.by, seq) for seq in range(count - 1, -1, -1))
        records = (parse_record(raw) for raw in raws if raw is not None)
        # The reveals that come with orders are not what a person did.
        acted = next((record for record in records if record.kind not in ("reveal", "release")), None)
        did = "sends a file" if acted is None else _did(game, acted)
    past = last_sent(game) if game.replay.match is not None else None
    if past is None:
        return Gist(what, did, (), (), whole=True, by=game.player_name(me.by))
    fresh: tuple[Event, ...] = ()
    if not brief:
        told = _told(game, past)
        theirs = max((n for n, each in enumerate(told, 1) if each.by != me.by), default=0)
        events = tuple(event for each in told for event in each.events if event.seen_by(()))
        fresh = tuple(event for each in told[theirs:] for event in each.events if event.seen_by(()))
        if rules.pictures is not None:
            pictures = pictures_of(game.match.game)
            turn = max((part.turn for part in pictures.parts(events)), default=0)
            what = f"{what}, {pictures.turn.lower()} {turn}" if turn > 0 else what
    machine, asked = game.match.machine, []
    for each in game.match.pending():
        if each.what == ORDERS and isinstance(machine.need, Orders):
            moves = machine.mover in each.seats and not machine.need.window
            kind = "" if moves else machine.need.kind.replace("_", " ")
            asked.append((game.player_name(each.by) if each.by != me.by else "", kind))
    others = [by for by in game.log.authors if by != me.by]
    whole = lacking(game.log, me.by, count - 1, others) == lacking(game.log, me.by, count - 1, others, again=None)
    return Gist(what, did, game.match.game.tell(fresh), tuple(asked), whole, game.player_name(me.by))


def board(home: Home, name: str, *, public: bool = False) -> str:
    """As the player sees it, with their draft; or as anybody sees it."""
    game = home.load(name)
    return game.match.game.board(game.match.machine.view()) if public else Move(home, game).board()


def known_of(home: Home, offer: bytes, seats: Sequence[str]) -> Callable[[Match[Any]], Known]:
    """What these seats know at any moment of the game of an offer: one's own seats only, of a game that is here."""
    if not home.store(offer).name:
        raise HomeError("E-UNKNOWN", "The game of this archive is not here, so nobody's hidden values are known.")
    game = home.load_folder(offer)
    eyes, player = _eyes(game, seats), player_of(home, game)
    return lambda match: match.known_to(eyes, player.own_values(match))


def last_sent(game: GameFile) -> Vector | None:
    """The past of one's own last record with itself; None before there is one."""
    me, log = game.me, game.log
    if me is None or me.by not in log.authors or not log.count(me.by):
        return None
    seq = log.count(me.by) - 1
    past = dict(zip(log.authors, log.past_at(me.by, seq), strict=True))
    return tuple({**past, me.by: seq + 1}.values())


def _title(rules: Game[Any], word: str, parts: Sequence[Part], events: Sequence[Event]) -> str:
    if len(parts) > 1:
        return f"{rules.title}: {word} {parts[0].turn}"
    line = next(iter(rules.tell(events[parts[0].first : parts[0].first + 1])), "")
    return f"{rules.title}: {line.rstrip('.:')}" if line else rules.title


def _eyes(game: GameFile, seats: Sequence[str] | None) -> tuple[str, ...]:
    """Whose eyes: one's own seats only."""
    own = game.seats
    if seats is None:
        asked = game.match.asked(game.me.by) if game.me is not None else ()
        return () if game.match.finished else game.eyes(asked[0] if asked else None)
    if any(seat not in own for seat in seats):
        yours = f"yours are {', '.join(own)}" if own else "you have none"
        said = f"You can see the game only from your own seats: {yours}. For everybody's view: --public"
        raise HomeError("E-SEAT", said)
    return tuple(seats)


def _view(home: Home, game: GameFile, match: Match[Any], eyes: tuple[str, ...]) -> View[Any]:
    known = match.known_to(eyes, player_of(home, game).own_values(match)) if eyes else {}
    return match.machine.view(eyes, known)


@dataclass(frozen=True, slots=True)
class _Told:
    """One record and what it did. `past` counts each author's records up to it."""

    by: int
    seq: int
    start: bool
    past: Vector
    events: tuple[Event, ...]


def _told(game: GameFile, past: Vector | None = None) -> list[_Told]:
    """All records in the order in which they took effect, or those of a past."""
    match = game.match  # E-NOT-NOW
    assert match is not None
    authors = game.log.authors
    counts = dict.fromkeys(authors, 0)
    most = dict(zip(authors, past, strict=True)) if past is not None else {}
    found = []
    for record, accepted in game.replay.history():
        if game.log.id_at(record.by, record.seq) != record.id:
            continue  # of a side branch: it did nothing
        if past is None or record.seq < most[record.by]:
            counts[record.by] = record.seq + 1
            vector = tuple(counts.values())
            found.append(_Told(record.by, record.seq, record.kind == "start", vector, accepted.events))
    return found


def _number(game: GameFile, told: Sequence[_Told], at: str) -> int:
    """How many records there were with that one."""
    for number, each in enumerate(told, 1):
        if at == f"{each.by}:{each.seq}":
            if not any(earlier.start for earlier in told[:number]):
                raise HomeError("E-NOT-NOW", f"{game.name} had not started yet with record {at}.")
            return number
    raise HomeError("E-UNKNOWN", f"{game.name} has no record {at!r}. Records are named as in: pbem log {game.name}")


def _match(game: GameFile, told: Sequence[_Told], count: int) -> Match[Any]:
    past = told[count - 1].past
    return game.match if past == game.log.vector else game.replay.fold(past)
