"""Answers to the page's requests, as plain dicts: a click chooses a word of the notation, and the finished order goes
into the draft as if typed.

Nothing is kept that the disk does not hold: `pbem play` and the mail may work beside it. `rev` is the revision that the
page has seen; a request with another one is refused (E-STALE).
"""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from importlib import import_module
from inspect import cleandoc
from itertools import chain, islice, product, repeat, takewhile
from pathlib import Path
from typing import Any

from pbem.browser.film import Film
from pbem.engine import registry
from pbem.engine.clicks import Way, endings, index, match, needed, together
from pbem.engine.compiled import program
from pbem.engine.counts import all_of, many
from pbem.engine.definition import Reckoning
from pbem.engine.draft import Draft
from pbem.engine.event import Event, Taken
from pbem.engine.legal import Legal
from pbem.engine.machine import Machine
from pbem.engine.match import Match
from pbem.engine.need import Known, Orders
from pbem.engine.notation import MAX_TIMES, Names, Verb, Words
from pbem.engine.order import Order, Violation, bare
from pbem.home import Home, HomeError, orders, sending, summary
from pbem.home.orders import PRESET, DraftLine, Move
from pbem.home.seen import pictures_of
from pbem.kit.board import Board
from pbem.kit.scene import AreaGround, Battle, Explained, HexGround, Piece, Scene, Side
from pbem.pictures.differences import cards_changed, changes, place_name
from pbem.pictures.levels import CLOSE, LEVELS
from pbem.pictures.live import Live, live
from pbem.pictures.picture import middle_of
from pbem.pictures.pieces import KEPT, told
from pbem.protocol.errors import Refusal

Data = dict[str, Any]
SHOWN = 60  # completions of a line
FEW = 30  # words among which one is chosen
SHOWN = 8  # units that a refusal lists
MOST_GROUNDS = 3
DIGITS = 16  # of a digest
RESULT = re.compile("[A-Z0-9]+:")  # letters of a result, with what they mean
_QUESTIONS = {"u": ("reach", "supply"), "p": ("to", "reach", "bonds")}
"""Words with which games are asked about units and places, as far as they know them (`pbem look`)."""


_VERBS = re.compile(r"`([a-z]+)`(?: or `([a-z]+)`)?(?= (?:at least|with) )")
_COMMAND = re.compile(
    r"(?:\s*[,;:]|(?:^|\s+)(?:or|and|then|end|go on|more|with|by|first)\b)*\s*\0[^,;:(.?!\0]*", re.IGNORECASE
)

_STALE = "The game or your draft has changed meanwhile. The board has been brought up to date."


def in_words(prompt: str) -> str:
    """Without what is typed, which stands between backticks, and the words that lead to it: there are buttons for that.

    `Turn 2, combat: list attacks with `attack HEX`; end with `done`.`: "Turn 2, combat: list attacks."
    """
    text = _VERBS.sub(lambda verbs: " or ".join(filter(None, verbs.groups())), prompt)
    text = re.sub("`[^`]*`", "\0", re.sub("`[^`]*` of ", "", text))
    found = list[str]()
    for sentence in re.split(r"(?<=[.?!]) +", text):
        said = re.sub("^\0(?!:).*", "", sentence).removeprefix("\0: ")
        said = re.sub(r"(?<=\w)\(", " (", _COMMAND.sub("", said)) if "\0" in said else said
        said = said.lstrip(" ,;:")
        if re.search(r"\w", said):
            found.append(said[0].upper() + said[1:] if re.match("[a-z]+ ", said) else said)
    return " ".join(found)


@dataclass
class _Now:
    """The player's move as it stands, with what has been found out about it."""

    rev: str
    move: Move

    def __post_init__(self) -> None:
        self._ways: dict[str, tuple[Way, ...]] = {}
        self.before: dict[int, _Now] = {}

    @cached_property
    def legal(self) -> Legal:
        return self.move.may_order()

    @cached_property
    def view(self) -> Any:
        return self.move.draft.view(self.move.eyes())

    @cached_property
    def all(self) -> tuple[Way, ...]:
        """All that may be ordered, where that is not too much."""
        return () if self.legal.stepwise else self._index(self.legal)

    @cached_property
    def verbs(self) -> tuple[Verb, ...]:
        """Of the orders that the decision takes."""
        machine, verb_of = self.move.draft.machine, self.move.match.game.notation.verb_of
        if self.plans:
            return tuple(sorted((verb_of[each] for each in machine.ahead()), key=lambda verb: verb.word))
        return tuple(verb_of[each] for each in machine.decision.takes) if self.move.seat is not None else ()

    @property
    def plans(self) -> bool:
        """Can only what follows chance be ordered?"""
        draft = self.move.draft
        return draft.seat is None and draft.can_plan and bool(draft.entries)

    def ways(self, key: str) -> tuple[Way, ...]:
        if key not in self._ways:
            self._ways[key] = self._index(self.legal.picked(key)) if key else self.all
        return self._ways[key]

    def _index(self, orders: Iterable[Order]) -> tuple[Way, ...]:
        """What is added to a fight (air units, artillery) is set in its fields; clicks say who takes part."""
        notation = self.move.match.game.notation
        plain = (each for each in orders if not (verb := notation.verb_of[type(each)]).gathers or not verb.said(each))
        return needed(index(plain, notation, self.view))


class GameBoard:
    """One game of one player's."""

    def __init__(self, home: Home, name: str) -> None:
        self.home = home
        self.name = name
        self._held: _Now | None = None
        self._settled = False
        self._films: dict[tuple[tuple[int, ...], bool], Film] = {}
        self._parts_said: dict[str, tuple[Any, str]] = {}
        """The parts of the picture that were answered last, each with its digest."""
        self._places: tuple[Any, Mapping[int, str], Mapping[str, str]] = None, {}, {}
        self.grounds: dict[str, str] = {}
        """The pictures of the ground that have been named last, by their digests: a page asks for those it lacks."""

    def now(self, rev: str | None = None) -> _Now:
        found = orders.rev(self.home, self.name)
        if rev is not None and rev != found:
            raise HomeError("E-STALE", _STALE)
        if self._held is None or self._held.rev != found:
            self._held = _Now(found, orders.move(self.home, self.name))
        return self._held

    def _change(self, rev: str, change: Callable[[Move], list[str]]) -> list[str]:
        """A change of the draft; the move goes on to be used, unless it was refused in the middle."""
        with self.home.writing():
            now = self.now(rev)
            self._held = None
            said = change(now.move)
            self._held = _Now(orders.rev(self.home, self.name), now.move)
            return said

    # What there is

    def state(self, have: Mapping[str, str] | None = None) -> Data:
        """All that is to be seen. Parts of the picture of which the page has this digest are left out; `level` among
        them says how closely a large map is looked at.
        """
        answer = self.answer(have, self._played())
        if not self._settled:  # maps and tables stay: a click need not wait while they are searched for garbage
            self._settled = True
            gc.collect()
            gc.freeze()
        return answer

    def _played(self) -> list[str]:
        """Before the player's first turn: that others have played, as bots do at once."""
        move = self.now().move
        if move.draft.entries or move.seat is None or move.game.own_turn() is not None:
            return []
        film = self.filmed(whole=True)
        movers = film.movers() if film.told() else ()
        titles = all_of([move.match.game.seat(each).title for each in movers])
        return [f"Already played: {titles}. Press Last turn to see what happened."] if movers else []

    def answer(
        self,
        have: Mapping[str, str] | None = None,
        said: Sequence[str] = (),
        heard: tuple[Event, ...] = (),
        before: tuple[Event, ...] = (),
    ) -> Data:
        """`said`: what came of the last call, in words; `heard`: what happened with it, to be shown with its dice;
        `before`: what had happened in the fight or turn that it goes on with.
        """
        now = self.now()
        move, row = now.move, summary.row(self.home, self.name)
        draft, drafted = move.draft, move.drafted()
        seat, need = move.seat, draft.machine.need
        answer: Data = {
            "rev": now.rev,
            "name": self.name,
            "title": row.game,
            "moment": row.moment,
            "owed": [each.sentence for each in row.owed],
            "notices": [each for each in (row.proposed, row.notice, row.stuck) if each],
            "result": row.result,
            "seat": seat and move.match.game.seat(seat).title,
            "prompt": in_words(draft.machine.prompt(seat)) if seat is not None else "",
            "odds": _odds_of_question(now),
            "question": draft.machine.decision.name if seat is not None else "",
            "sealed": seat is not None and isinstance(need, Orders) and (need.sealed or need.secret),
            "answer": _answer(now),
            "stop": _stop(move),
            "plans": now.plans,
            "facts": list(draft.machine.facts(next(e.seat for e in draft.entries if not e.plan))) if now.plans else [],
            "draft": [_line(each) | {"edits": _edits(now, each)} for each in drafted.lines],
            "plan": [_line(each) for each in drafted.plan],
            "left": drafted.left and {"stopped": drafted.left.stopped, "waiting": drafted.left.waiting},
            "note": orders.note(self.home, self.name),
            "seals": move.seals() and move.unanswered() in (None, *move.bots),
            "first": list(now.legal.first) if seat is not None else [],
            "kinds": _kinds(now),
            "verbs": [] if now.plans else list(_verbs(now)),
            "ahead": list(_verbs(now)) if now.plans else [],
            "said": list(said),
        }
        answer["parts"] = self._fresh(self._parts(now, answer, _level(have), heard, before), have)
        return answer

    def _parts(self, now: _Now, answer: Data, level: str, heard: tuple[Event, ...], before: tuple[Event, ...]) -> Data:
        game, draft = now.move.match.game, now.move.draft
        if game.pictures is None:
            answer |= {
                "head": "",
                "lines": [],
                "at": {},
                "labels": _words(now),
                "aims": [],
                "own": [],
                "acting": [],
                "able": {},
                "fights": [],
                "news": [],
            }
            return {"text": now.move.board()}
        pictures = pictures_of(game)
        eyes = now.move.eyes()
        part, latest = ((*before, *heard), ()) if heard else self.going_on(now)
        events = (*(part or latest), *(event for event in draft.events() if event.seen_by(eyes)))
        scene = pictures.scene(now.view, pictures.last(events) if events else ())
        decided = sum(isinstance(each, pictures.fights) for each in before)
        fought = pictures.scene(now.view, part).battles[decided:] if heard else ()
        if part and any(isinstance(each, (*pictures.fights, *pictures.inside)) for each in latest):
            fought = scene.battles[-1:]
        ends, news = pictures.ends(heard)
        made = live(scene, level)
        aims = list(dict.fromkeys(_aims(now, scene)))
        sides = {*eyes, *(game.seat(seat).side for seat in eyes)}
        own, acting = (_held(scene, by) for by in (sides, {now.move.seat}))
        answer |= {"head": _head(scene, answer["title"]), "lines": list(scene.lines), "at": _stacks(scene)}
        answer |= {
            "labels": {**_words(now), **self._names(scene), **_labels(scene)},
            "aims": aims,
            "own": own,
            "acting": acting or own,
            "able": {row.key: row.able for panel in scene.panels for row in panel.rows if row.able is not None},
            "fights": [
                {**_fight(scene, each, game.tell(after)), "asks": list(_asks(after, eyes, now.move.when_asked))}
                for each, after in zip(fought, chain(ends, repeat([])), strict=False)  # what goes on comes last
            ],
            "news": [
                " ".join(game.tell(e for e in news if type(e) is kind)) for kind in dict.fromkeys(map(type, news))
            ],
        }
        return _drawn(made, scene)

    def going_on(self, now: _Now) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
        """In the middle of a fight, or of another's turn: what has happened in this part of the game, and what last."""
        return self._so_far(now, now.move.draft.machine) if now.move.seat is not None else ((), ())

    def _so_far(self, now: _Now, machine: Machine[Any]) -> tuple[tuple[Event, ...], tuple[Event, ...]]:
        if not machine.turn or (machine.frame.turn and machine.turn_of in now.move.eyes()):
            return (), ()
        film = self.filmed(whole=False)
        while not film.told():
            pass
        return film.part, film.latest

    def _names(self, scene: Scene) -> Mapping[str, str]:
        """What places are called; hexes without a name are called as orders write them, which the page knows. They are
        the same as the last time, if ground and keys are.
        """
        ground = scene.ground.map if isinstance(scene.ground, HexGround) else scene.ground.spots
        if (known := self._places)[0] is not ground or known[1] != scene.keys:
            board = scene.ground.map.board if isinstance(scene.ground, HexGround) else None
            named = {p: key for p, key in scene.keys.items() if board is None or not _is_plain(board, p, key)}
            self._places = ground, dict(scene.keys), {key: place_name(scene, place) for place, key in named.items()}
        return self._places[2]

    def _fresh(self, parts: Data, have: Mapping[str, str] | None) -> Data:
        """Each part with its digest; those that the page has, and the ground, by the digest alone."""
        found = {}
        for name, value in parts.items():
            if name == "ground":
                found[name] = [_named(value), None]
                self.grounds = {**self.grounds, _named(value): value}
                while len(self.grounds) > MOST_GROUNDS:
                    del self.grounds[next(iter(self.grounds))]
                continue
            last, digest = self._parts_said.get(name, (None, ""))
            if last != value:
                digest = sha256((value if isinstance(value, str) else repr(value)).encode()).hexdigest()[:DIGITS]
                self._parts_said[name] = value, digest
            found[name] = [digest, None if have and have.get(name) == digest else value]
        return found

    # Clicks

    def pick(
        self,
        rev: str,
        picks: Sequence[str],
        verb: str = "",
        group: Mapping[str, int] | None = None,
        line: int | None = None,
    ) -> Data:
        """What may be clicked after these picks: `next`, with how many orders that leaves; `ends`: those of them that
        say an order in full, with the lines to be typed for it; `ready`: what is said already. `why`, if it is nothing.

        `group`: so many of each of these units go together. `line`: as it was before this line of the draft.
        `lacks`: why the things picked are not an order yet, though more may be picked.
        """
        now = self.now(rev)
        if line is not None:
            now = self._before(now, line)
        if group is not None:
            return _grouped(now, group, verb)
        if now.plans:
            return _planned(now, picks, verb)
        if now.move.seat is None:
            return {"next": {}, "ends": {}, "ready": [], "verbs": {}, "why": "Nothing can be ordered now."}
        if not picks and now.legal.stepwise:
            said = [_ready(now, way) for way in (now.ways(f"v:{verb}") if verb else ())]
            kind = next((each.order for each in now.verbs if each.word == verb), None)
            keys = () if said else now.legal.first if kind is None else now.legal.keys(kind)
            why = "" if said or keys else _barred(now, picks, verb)
            return {"next": dict.fromkeys(keys, 1), "ends": {}, "ready": said, "verbs": {}, "why": why}
        ways = now.ways(picks[0] if picks else "")
        found = match(ways, picks, verb)
        ready = list(found.ready)
        why = ""
        if picks and not ready:
            spelled, why = _spelled(now, ways, picks, verb)
            ready += spelled
            if not ways and not verb:  # the reason of the thing itself comes before that of one order
                own = now.move.draft.bars(picks[0].partition(":")[2])
                why = why if own is None else f"{own}."
        ends = {key: [_short(way) for way in done] for key, done in endings(ways, picks, verb).items()}
        return {
            "next": found.next,
            "ends": ends,
            "names": _names_of(now, ways, [*found.next, *ends]),
            "ready": [_ready(now, way) for way in ready],
            "verbs": found.verbs,
            "lacks": why if found.next else "",
            "why": "" if ready or found.next else why or _misplaced(now, picks) or _barred(now, picks, verb),
        }

    def room(self, rev: str, group: Mapping[str, int], ends: Mapping[str, str]) -> Data:
        """`ends`: goals that all of the group share, each with a verb. Of those to which not all can go together: how
        many can (`many`), and why the first of the others cannot. This takes a trial for each goal.
        """
        now, found = self.now(), dict[str, Data]()
        if now.rev != rev:  # the page has gone on meanwhile
            return {"room": found}
        held = {key: now.ways(key) for key in group}
        shared = {verb: together(held, verb) for verb in set(ends.values())}
        for goal, verb in ends.items():
            ways = shared[verb].get(goal, {})
            many, why = now.move.draft.tried_together(way.order for key, way in ways.items() for _ in range(group[key]))
            if why is not None:
                found[goal] = {"many": many, "why": f"{why}."}
        return {"room": found}

    def gather(
        self, rev: str, picks: Sequence[str], keys: Sequence[str], verb: str = "", line: int | None = None
    ) -> Data:
        """`picks`, with as many of these keys as go together with them, one after another."""
        chosen = list(picks)
        for key in keys:
            if not self.pick(rev, [*chosen, key], verb, line=line)["why"]:
                chosen.append(key)
        return {"picks": chosen}

    def _before(self, now: _Now, line: int) -> _Now:
        """As it was before this line of the draft."""
        if line not in now.before:
            drafted = now.move.drafted()
            if not 0 <= line < len(drafted.lines):
                raise HomeError("E-UNKNOWN", f"The draft has no line {line + 1}.")
            move = orders.move(self.home, self.name)
            move.draft.undo(len(drafted.lines) - line + len(drafted.plan))
            now.before[line] = _Now(now.rev, move)
        return now.before[line]

    def edit(self, rev: str, line: int) -> Data:
        """A line of the draft, to be changed in place: what was clicked for it, and what stands in its fields."""
        now = self.now(rev)
        then = self._before(now, line)
        order, *more = (bare(each.order) for each in now.move.own()[line])
        if more:
            raise HomeError("E-NOTATION", "This line contains several orders. Undo it, and give them again one by one.")
        verb = now.move.match.game.notation.verb_of[type(order)]
        picks = [key for step in verb.picked(order, then.view) for key in step.keys]
        return {
            "line": line,
            "verb": verb.word,
            "picks": picks,
            "values": verb.said(order),
            "verbs": list(_verbs(then)),
        }

    def change(self, rev: str, line: int, text: str, have: Mapping[str, str] | None = None) -> Data:
        """Another order in the place of a line of the draft."""
        return self.answer(have, self._change(rev, lambda move: move.change(line, text)))

    def order(self, rev: str, line: str, *, plan: bool = False, have: Mapping[str, str] | None = None) -> Data:
        """Types a line: orders of the draft, or of the plan behind the dice; all of it or nothing."""

        def add(move: Move) -> list[str]:
            if not plan:
                return move.order((line,))
            move.plan((line,))
            return ["Planned for after the dice."]

        return self.answer(have, self._change(rev, add))

    def follows(self, rev: str, verb: str) -> Data:
        """What an order that names nothing (`done`) would leave undone, and what would come after it."""
        now = self.now(rev)
        found = now.ways(f"v:{verb}") if now.move.seat is not None else ()
        undone, then = now.move.follows(found[0].order) if found else ([], [])
        return {"undone": undone, "then": list(map(in_words, then))}

    def values(self, rev: str, text: str, line: int | None = None) -> Data:
        """What may be set in the fields of this order. `barred`: of the words of a field, where they are few, those
        that it may not have, and why; `open`: those that it may have, of units, places and earlier entries.
        """
        now = self.now(rev)
        now = now if line is None else self._before(now, line)
        move, barred, free = now.move, dict[str, dict[str, str]](), dict[str, list[str]]()
        order, *more = move.meant(text) if move.seat is not None else [None]
        if order is None or more:
            return {"barred": barred, "open": free}
        verb = move.match.game.notation.verb_of[type(order)]
        base, given = verb.write(order).split(" "), verb.said(order)
        keys = [key for step in verb.picked(order, now.view) for key in step.keys]
        like = [verb.said(way.order) for way in now.ways(keys[0]) if way.verb == verb.word] if keys else []
        for part, (name, names, joined, _) in zip(_parts_of(verb), verb.parts, strict=True):
            if part["thing"] == "p" and not joined and name not in given:  # places that the orders of this click name
                listed = sorted({str(said[name]) for said in like if name in said})
                free |= {name: listed} if len(listed) <= FEW else {}
                continue
            words = list(_candidates(names, joined, keys, len(move.drafted().lines)))
            if name in given or not words:
                continue
            whys = {word: move.draft.why(verb.read([*base, name, word])) for word in words}
            # one reason for all of them is about another field, or about how many they are
            alike = len(words) > 1 and None not in whys.values() and len(set(map(str, whys.values()))) == 1
            if part["kind"] == "words" or len(words) <= FEW:
                barred[name] = {} if alike else {word: f"{why}." for word, why in whys.items() if why is not None}
            if part["kind"] != "words":  # units of which several are needed are those of the order
                own = [key[2:] for key in keys if key.startswith("u:") and key[2:] in whys]
                free[name] = own if alike else [word for word, why in whys.items() if why is None]
        return {"barred": barred, "open": free}

    def sentence(self, rev: str, text: str, line: int | None = None) -> Data:
        """An order in words, with all that is set in its fields."""
        now = self.now(rev)
        move = (now if line is None else self._before(now, line)).move
        said = [] if move.seat is None else [move.draft.sentence(move.seat, each) for each in move.meant(text)]
        return {"said": " ".join(said)}

    def undo(
        self, rev: str, count: int | None = 1, *, units: bool = False, have: Mapping[str, str] | None = None
    ) -> Data:
        """Takes back the last lines, or with None all of the turn."""

        def take(move: Move) -> list[str]:
            return [f"Taken back: {line.typed}" for line in move.undo(count, units=units)]

        return self.answer(have, self._change(rev, take))

    def complete(self, line: str) -> Data:
        """How a line that is half typed may go on."""
        found: list[str] = []
        with suppress(Refusal, HomeError):
            for text, _ in zip(orders.move(self.home, self.name).completions(line), range(SHOWN), strict=False):
                found.append(text)
        return {"lines": found}

    # Looking

    def odds(self, text: str) -> Data:
        """The chances of a fight, as the game tells them, and what its results mean; of an order, by its text without
        the verb.

        `party`: who could take part, to be asked about others: `head`, then so many of each word. `ways`: those back.
        """
        verb, _, rest = text.partition(" ")
        found = orders.move(self.home, self.name).odds(
            rest if rest and verb in orders.verbs(self.home, self.name) else text
        )
        takers = [] if found.party is None else [each._asdict() for each in found.party.takers]
        game, means = self.now().move.match.game, list[str]()
        if game.pictures is not None:
            explained = pictures_of(game).scene(self.now().view, ()).explained
            means = [
                _meaning(each)
                for each in explained
                if re.search(rf"(?<![\w/]){re.escape(each.word)}(?![\w/])", found.text)
            ]
        text = "\n".join((found.text, *(each for each in means if RESULT.match(each) and each not in found.text)))
        party = found.party and {"head": found.party.head, "takers": takers}
        return {"text": text, "party": party, "ways": self._named(found)["ways"] if found.ways else []}

    def look(self, text: str = "") -> Data:
        return self._named(orders.move(self.home, self.name).look(text))

    def about(self, key: str) -> Data:
        """What the game can tell about a unit or a place: who reaches what, supply, threats. Nothing: it does not say.

        A game that does not know a question answers how to ask; that is left out.
        """
        thing, _, word = key.partition(":")
        return self._asked(f"{question} {word}" for question in _QUESTIONS.get(thing, ()))

    def notes(self, key: str) -> Data:
        """What the game says of the places that a unit may go to: costs, where it stops."""
        return {"places": self._asked([f"reach {key.partition(':')[2]}"])["places"]}

    def _asked(self, questions: Iterable[str]) -> Data:
        move = self.now().move
        if move.match.game.look is None:
            return {"text": "", "places": {}, "ways": []}
        usage = "Ask `" + move.look("?").text.partition("Ask `")[2]
        told = {found.text: found for found in map(move.look, questions) if not found.text.endswith(usage)}
        return self._named(*told.values())

    def rules(self) -> Data:
        """What the package of the game tells of it: the text that its author wrote for players."""
        module = import_module(registry.module(self.now().move.match.game.name))
        texts = [Path(module.__file__ or "").with_name(name) for name in ("RULES.md", "README.md")]
        found = [each.read_text(encoding="utf-8") for each in texts if each.is_file()]
        return {"text": found[0] if found else "The package of this game contains no rules to show here."}

    def measure(self, start: str, goal: str) -> Data:
        """How far it is from one place to another."""
        now = self.now()
        scene = self._scene(now)
        if scene is None:
            return {"text": "Without a map there is nothing to measure."}
        ground, cells = scene.ground, {key: cell for cell, key in scene.keys.items()}
        ends = [cells.get(key, -1) for key in (start, goal)]
        grid = ground.map.board.grid if isinstance(ground, HexGround) else ground.near
        if grid is None or not all(cell in grid for cell in ends):
            return {
                "text": "That is not a hex." if isinstance(ground, HexGround) else "That is not a place on the map."
            }
        names = [place_name(scene, cell) for cell in ends]
        if isinstance(ground, HexGround):
            assert ground.map.board.grid is not None
            far = many(ground.map.board.grid.distance(*ends), "hex", "hexes")
        else:
            far = _apart(ground, *ends)
        return {"text": f"From {names[0]} to {names[1]}: {far}."}

    @staticmethod
    def _scene(now: _Now) -> Scene | None:
        """As things stand, without what has just happened; None: the game has no pictures."""
        game = now.move.match.game
        return None if game.pictures is None else pictures_of(game).scene(now.view, ())

    def _named(self, *answers: Reckoning) -> Data:
        """With the places that are named, and what is said of them; and with lines, to be shown on the map."""
        now = self.now()
        text = "\n".join(each.text for each in answers)
        scene = self._scene(now)
        if scene is None:
            return {"text": text, "places": {}, "ways": []}
        keys = {key.partition(":")[2]: key for key in scene.keys.values()}
        found: dict[str, str] = {}
        for each in answers:
            told = each.places or dict.fromkeys([] if each.ways else re.findall(r"[\w-]+", each.text), "")
            found |= {keys[word]: note for word, note in told.items() if word in keys}
        ways = [[keys[word] for word in way if word in keys] for each in answers for way in each.ways]
        return {"text": text, "places": found, "ways": ways}

    def past(self, number: int | None = None, *, whole: bool = False, have: Mapping[str, str] | None = None) -> Data:
        """A step of the game so far, up to what is sealed. Without a number: where what others did last begins, or in
        the player's own turn what came of their last orders, with what has changed since (`changed`).

        At first only what came after the player's last turn began is told, or with `whole` all of the game; `progress`
        says how far it is: records, and of how many.
        """
        film = self.filmed(whole=whole)
        if not film.told():
            return {"progress": [film.done, film.of]}
        last = film.others_last() or film.since_own()
        if not whole and (not film.steps or (number is None and not last)):
            return self.past(number, whole=True, have=have)
        at = min(max(last.start if number is None else number, 0), len(film.steps) - 1)
        opens = number is None and bool(last)
        ends = (at - 1, last[-1]) if opens and at else ()
        step = film.step(at, *ends, *(film.closes(last) if opens else ()))
        scene = step.scene
        if opens and scene is not None:
            scene = replace(scene, arrows=film.arrows(last))
        parts = _drawn(live(scene, _level(have)), scene) if scene is not None else {"text": step.board}
        return {
            "middle": step.scene and middle_of(step.scene),
            "number": at,
            "count": len(film.steps),
            "earlier": not film.whole,
            "part": step.part,
            "all": film.parts(at),
            "lines": step.lines,
            "changed": list(_changed(*(film.step(each).scene for each in ends))) if ends else [],
            "means": list(dict.fromkeys(filter(None, (_means(step.scene, each) for each in step.scene.battles))))
            if step.scene is not None
            else [],
            "parts": self._fresh(parts, have),
        }

    def filmed(self, *, whole: bool) -> Film:
        move = self.now().move
        key = (move.game.log.vector, whole)
        if key not in self._films:
            eyes = () if move.match.finished else move.eyes()

            def known(match: Match[Any]) -> Known:
                return match.known_to(eyes, move.player.own_values(match))

            since = None if whole else move.game.own_turn()
            self._films = {old: film for old, film in self._films.items() if old[0] == key[0]}
            self._films[key] = self._films.get((key[0], since is None)) or Film(move.game.replay, eyes, known, since)
        return self._films[key]

    # Standing orders and the message

    def standing(self) -> Data:
        """Standing orders and presets, with what may be chosen, in words."""
        move = self.now().move
        stances = {kind for kind, step in program(move.match.game).decisions.items() if step.stance}
        rows = [
            {
                "seat": seat,
                "kind": kind,
                "text": text,
                "state": state,
                "now": list(move.sentences(kind, text)),
                "stance": kind in stances,
                "limit": move.when_asked(kind),
                "begins": (begins := move.begins(kind)),
                "first": list(move.sentences(kind, begins)),
                **move.explained(kind)._asdict(),
            }
            for seat, kind, text, state in move.standing_rows()
        ]
        presets: dict[Any, Data] = {}
        for each in move.presets():  # of those that set the same, the first stands for all
            alike = presets.setdefault(each.standing, {"name": each.name, "text": each.text, "seats": each.seats})
            if alike["name"] != each.name:
                alike["text"] += f" In this game “{each.name.replace('-', ' ')}” would be the same."
        return {"rows": rows, "presets": list(presets.values()), "several": len(move.game.played) > 1}

    def set_standing(self, rev: str, seat: str, kind: str, text: str | None) -> Data:
        """Without a seat: of the one that is asked, or has ordered last."""
        with self.home.writing():
            move = self.now(rev).move
            whose = seat or move.seat or move.last_seat() or ""
            orders.set_standing(self.home, self.name, whose, kind, text or None)
        return {"rev": orders.rev(self.home, self.name), **self.standing()}

    def set_preset(self, rev: str, preset: str) -> Data:
        with self.home.writing():
            self.now(rev)
            orders.set_preset(self.home, self.name, None, preset)
        return {"rev": orders.rev(self.home, self.name), **self.standing()}

    def set_note(self, rev: str, text: str) -> Data:
        with self.home.writing():
            self.now(rev)
            orders.set_note(self.home, self.name, text)
        return {"rev": orders.rev(self.home, self.name)}

    # The end of the turn

    def preview(self) -> Data:
        """What would be sealed, what is left undone, what others may read, who is next."""
        found = sending.preview(self.home, self.name)
        if found is None:
            return {"seals": False}
        drafted, move = found.drafted, self.now().move
        return {
            "seals": True,
            "rev": orders.rev(self.home, self.name),
            "draft": [_line(each) for each in drafted.lines],
            "plan": [_line(each) for each in drafted.plan],
            "standing": [
                [*row, "" if row.kind == PRESET else " ".join(move.sentences(row.kind, row.policy))]
                for row in found.standing
            ],
            "note": found.note,
            "undone": found.left_undone,
            "after": list(map(in_words, found.after)),
        }

    def send(self, rev: str, have: Mapping[str, str] | None = None) -> Data:
        """Seals the draft; then the bots play the seats that are theirs."""
        with self.home.writing():
            now = self.now(rev)
            before, (part, _) = self._scene(now), self._so_far(now, now.move.match.machine)
            ordered = now.move.match.game.tell(now.move.draft.events())
            sent = sending.send(self.home, self.name)
            came = [sent, *sending.let_bots(self.home, self.name)]
        files = [] if sent.posted is None else [{"path": str(sent.posted.path), "to": sent.posted.to}]
        said, heard = [line for each in came for line in each.happened], [e for each in came for e in each.events]
        known = takewhile(lambda pair: pair[0] == pair[1], zip(said, ordered, strict=False))
        del said[: sum(1 for _ in known)]  # it was said when it was ordered
        said += [f"{each.side}: {each.what}." for each in cards_changed(before, self._scene(self.now()))]
        return {**self.answer(have, said, tuple(heard), part), "posted": files}


# Made of the desk's values


def _odds_of_question(now: _Now) -> str:
    """The chances of the fight in the middle of which the player is asked, if the game can tell them."""
    odds = now.move.match.game.odds
    told = odds(now.view, "") if odds is not None and now.move.seat is not None else ""
    return told.text if isinstance(told, Reckoning) else ""


def _stop(move: Move) -> str | None:
    """What ends the draft: a bot that orders in its own turn, one that only answers (`reply`), or what else it is."""
    if move.draft.seat not in move.bots:
        return move.draft.stop
    return "bots" if move.draft.machine.turn_of in move.bots else "reply"


def _changed(before: Scene | None, after: Scene | None) -> Iterator[str]:
    """What one scene has otherwise than the other, a sentence for each side and kind of change."""
    for each in changes(before, after) if before is not None and after is not None else ():
        yield f"{each.side}: {each.what}."


def _drawn(made: Live, scene: Scene) -> Data:
    names = ("width", "height", "spots", "shapes", "cell", "levels")
    area = {name: getattr(made, name) for name in names}
    layers = {f"layer-{name}": markup for name, markup in made.layers.items()}
    ground = {"ground": made.ground, "defs": made.defs, "css": made.css, "area": area}
    return {**ground, **layers, "panels": list(_panels(made, scene))}


def _level(have: Mapping[str, str] | None) -> str:
    level = (have or {}).get("level", CLOSE)
    return level if level in LEVELS else CLOSE


@lru_cache(maxsize=2 * MOST_GROUNDS)
def _named(ground: str) -> str:
    """A picture of the ground is large, and mostly the same one."""
    return sha256(ground.encode()).hexdigest()[:DIGITS]


def _apart(ground: AreaGround, start: int, goal: int) -> str:
    """`3 spaces, over land 4`: the shortest way of all, and the one without a change between land and sea."""
    far = ground.apart(start, goal)
    if far is None:
        return "there is no way"
    sea = ground.spots[start].sea
    alike = ground.apart(start, goal, sea=sea) if ground.spots[goal].sea == sea else far
    over = "by sea" if sea else "over land"
    rest = (
        f", {over} {alike}" if alike not in (None, far) else f"; there is no way {over} alone" if alike is None else ""
    )
    return f"{many(far, 'space', 'spaces')}{rest}"


def _answer(now: _Now) -> str:
    """Is a single order asked for, in a window or in another's turn? `only`: there is just one, and nothing follows."""
    draft, seat = now.move.draft, now.move.seat
    need, machine = draft.machine.need, draft.machine
    if seat is None or draft.entries or not isinstance(need, Orders) or need.sealed or need.secret:
        return ""
    if need.seats != (seat,) or not (need.window or machine.mover not in ("", *now.move.game.played)):
        return ""
    first, *more = islice(now.legal, 2)
    tried = draft.tried(first) if not more else None
    return "only" if isinstance(tried, Draft) and tried.seat is None else "one"


def _line(line: DraftLine) -> Data:
    return {"typed": line.typed, "orders": line.orders, "said": line.said, "left": line.left}


def _edits(now: _Now, line: DraftLine) -> bool:
    """Is it one order with more to say than its clicks, so that it is worth changing in place?"""
    word = line.orders[0].partition(" ")[0]
    like = (verb for verb in now.move.match.game.notation.verbs if verb.word == word)
    return len(line.orders) == 1 and any(verb.gathers or any(verb.parts) for verb in like)


def _verbs(now: _Now) -> Iterator[Data]:
    """Buttons: a verb that says all is its order, the others narrow what may be clicked. `parts`: what may be added."""
    for verb in now.verbs:
        alone = f"v:{verb.word}" in now.legal.first
        if now.plans or verb.order in now.legal.kinds:
            parts = list(_parts_of(verb))
            yield {
                "word": verb.word,
                "about": verb.about,
                "alone": alone,
                "says": _says(now, verb) if alone and not now.plans else "",
                "parts": parts,
                "gathers": verb.gathers,
                "help": _reflowed(verb.order.__doc__ or "") if parts else "",
            }


def _says(now: _Now, verb: Verb) -> str:
    """What the order does that this verb is alone."""
    assert now.move.seat is not None
    return now.move.draft.sentence(now.move.seat, next(now.legal.picked(f"v:{verb.word}")))


def _kinds(now: _Now) -> dict[str, str]:
    """Of the words with which an order may begin: its verb."""
    if now.move.seat is None:
        return {}
    words = [key for key in now.legal.first if key.startswith("w:")]
    return {key: next((way.verb for way in now.ways(key)), "") for key in words[:FEW]}


def _words(now: _Now) -> dict[str, str]:
    """What the words with which an order may begin stand for."""
    words = [key for key in now.legal.first if key.startswith("w:")] if now.move.seat is not None else []
    return _names_of(now, [way for key in words[:FEW] for way in now.ways(key)], words)


def _reflowed(text: str) -> str:
    """Its paragraphs, each as one line."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", cleandoc(text)).replace("`", "")


def _parts_of(verb: Verb) -> Iterator[Data]:
    """`kind`: what is shown to set it; lists, and words of which there are many, are filled by clicks on the map, on
    things of this kind (`thing`: `u` a unit, `p` a place) if the field takes but one.
    """
    for word, names, joined, part in verb.parts:
        words = list(names.words) if isinstance(names, Words) and not joined and len(names.words) <= FEW else []
        kind = "flag" if names is None else "words" if words else "text"
        thing = "" if names is None or hasattr(names, "key") else getattr(names, "thing", "w")
        label, about = part.label or word, part.help
        yield {
            "word": word,
            "kind": kind,
            "words": words,
            "joined": joined,
            "thing": thing,
            "label": label,
            "help": about,
            "weighs": part.weighs,
        }


def _candidates(names: Names | None, joined: str, keys: Sequence[str], entries: int) -> Iterator[str]:
    """Words that could stand in a field of an order with these clicks: all that there are; the number of an earlier
    entry; or, of lists of units and ways, each unit with the order's goal.
    """
    if isinstance(names, Words):
        yield from names.words
    elif names is not None and not joined:
        yield from (word for word in map(str, range(1, entries + 1)) if _is_word(names, word))
    elif names is not None and keys and keys[0].startswith("p:"):
        ways = (f"{key[2:]}{joined}{keys[0][2:]}" for key in keys if key.startswith("u:"))
        yield from (way for way in ways if all(_is_word(names, word) for word in way.split(joined)))


def _is_word(names: Names, word: str) -> bool:
    try:
        names.value(word)
    except ValueError:
        return False
    return True


def _short(way: Way) -> list[str]:
    return [way.verb, way.text]


def _ready(now: _Now, way: Way) -> Data:
    """An order that is said in full."""
    seat = now.move.seat
    return {"verb": way.verb, "text": way.text, "said": now.move.draft.sentence(seat, way.order) if seat else ""}


def _spelled(now: _Now, ways: Sequence[Way], picks: Sequence[str], verb: str) -> tuple[list[Way], str]:
    """Orders that the clicks say though no list has them, as the rules admit them; else why they do not."""
    notation, draft = now.move.match.game.notation, now.move.draft
    likes = {way.verb: way for way in reversed(ways)}
    verbs = sorted(now.verbs, key=lambda each: each.word not in likes)
    found: list[Way] = []
    whys: list[str] = []
    for each in verbs:
        if (verb and each.word != verb) or each.order not in now.legal.kinds:
            continue
        like = likes.get(each.word)
        order = each.spelled(picks, like and like.order)
        if order is None:
            continue
        violation = draft.why(order)
        if violation is None:
            found.append(Way(order, each.word, notation.show(order), ()))
        else:
            whys.append(f"{violation}.")
    return found, next(iter(whys), "")


def _names_of(now: _Now, ways: Sequence[Way], keys: Sequence[str]) -> dict[str, str]:
    """What the words that may be clicked next stand for."""
    words = {key for key in keys if key.startswith("w:")}
    found: dict[str, str] = {}
    for way in ways if 0 < len(words) <= FEW else ():
        verb = now.move.match.game.notation.verb_of[type(way.order)]
        found |= {key: said for key, said in verb.called(way.order, now.view).items() if key in words - found.keys()}
    return found


def _barred(now: _Now, picks: Sequence[str], verb: str) -> str:
    """Why nothing can be ordered that begins so; of a place, what bars each of the player's own units there."""
    kind = next((each.order for each in now.verbs if each.word == verb), None)
    game = now.move.match.game
    scene = pictures_of(game).scene(now.view, ()) if game.pictures is not None else None
    standing = _standing(scene, picks[0], now.move.seat) if scene is not None and len(picks) == 1 else []
    able = set(standing) & {*(now.legal.first if kind is None else now.legal.keys(kind))}
    if scene is not None and able:
        named = ", ".join(_in_a_sentence(scene, key) for key in standing if key in able)
        return f"Click one unit of the stack: {named}."
    alike = dict[str, list[str]]()
    for key in standing or picks[:1]:
        word = key.partition(":")[2]
        name = (word if scene is None else _in_a_sentence(scene, key)) or "that"
        why = _without_prompt(now, now.move.draft.barred(word, kind, name))
        alike.setdefault(why.replace(name, "{}"), []).append(name)
    said = [f"{why.replace('{}', one)}{_also(rest)}" for why, (one, *rest) in alike.items()]
    told = " ".join(said) or _without_prompt(now, now.move.draft.barred("", kind))
    return told if standing else f"{told}{_units_first(now, picks, scene)}"


def _misplaced(now: _Now, picks: Sequence[str]) -> str:
    """Why a card cannot be used on the place that is clicked after it, or where the unit stands that is."""
    game = now.move.match.game
    if len(picks) < 2 or not picks[0].startswith("c:") or game.pictures is None:
        return ""
    scene = pictures_of(game).scene(now.view, ())
    where = (
        scene.keys.get(cell, "") for cell, stack in scene.stacks.items() if picks[-1] in [one.key for one in stack]
    )
    thing = next(where, picks[-1]).partition(":")[2]
    kinds = dict.fromkeys(type(way.order) for way in now.ways(picks[0]))
    found = next(filter(None, (now.move.draft.bars(thing, kind) for kind in kinds)), None)
    return "" if found is None else f"{found}."


def _units_first(now: _Now, picks: Sequence[str], scene: Scene | None) -> str:
    """For a player who clicks a place first, where orders begin with a unit and none with a place."""
    first = [key.partition("|")[0].partition(":") for key in now.legal.first]
    units = [unit for kind, _, unit in first if kind == "u"]
    if not units or "p" in {kind for kind, _, _ in first} or not picks or not picks[0].startswith("p:"):
        return ""
    if len(units) > SHOWN:
        return " Click a unit first."
    named = dict.fromkeys(unit if scene is None else _in_a_sentence(scene, f"u:{unit}") for unit in units)
    return f" Click a unit first: {', '.join(named)}."


def _without_prompt(now: _Now, why: Violation) -> str:
    """The prompt stands above it on the board."""
    return f"{why}.".replace(f". {now.move.asks().rstrip('.')}", "")


def _standing(scene: Scene, place: str, seat: str | None) -> list[str]:
    """The pieces of the seat that is asked, in a place that is not itself a thing to click."""
    stacks = (scene.stacks.get(cell, ()) for cell, key in scene.keys.items() if key == place)
    return [piece.key for stack in stacks for piece in stack if piece.side == seat and piece.key.startswith("u:")]


def _in_a_sentence(scene: Scene, key: str) -> str:
    """What players call a thing: by what its counter prints, or else whose it is, and where; a card by its title."""
    for place, stack in scene.stacks.items():
        for piece in stack:
            if piece.key == key and not piece.code:
                side = next(each for each in scene.sides if each.key == piece.side)
                return f"{side.name}'s {_kind(piece)} in {place_name(scene, place)}"
    rows = (row.text.partition(":")[0] for panel in scene.panels for row in panel.rows if row.key == key)
    places = (place_name(scene, place) for place, found in scene.keys.items() if found == key)
    return next(iter((*rows, *places)), "that" if key.startswith("w:") else key.partition(":")[2])


def _also(words: Sequence[str]) -> str:
    return f" The same holds for {all_of(words)}." if words else ""


def _planned(now: _Now, picks: Sequence[str], verb: str) -> Data:
    """Orders for after chance that these clicks say: nobody knows what will be legal then. A click may name several
    things, as `u:B1|p:0404`.
    """
    notation, ready = now.move.match.game.notation, dict[str, Data]()
    for each in now.verbs if verb else ():
        for keys in islice(product(*(pick.split("|") for pick in picks)), MAX_TIMES) if each.word == verb else ():
            order = each.spelled(keys)
            if order is not None:
                text = notation.show(order)
                ready.setdefault(text, {"verb": verb, "text": text, "said": notation.sentence(order, now.view)})
    lacks = "" if ready else "Click the units and places of the order, one after another."
    return {"next": {}, "ends": {}, "ready": list(ready.values()), "verbs": {}, "lacks": lacks, "why": ""}


def _grouped(now: _Now, group: Mapping[str, int], verb: str) -> Data:
    """What all of these units reach in one more click: a line that orders each as often as it is chosen."""
    if not all(0 < count <= MAX_TIMES for count in group.values()):
        raise Refusal("E-NOTATION", f"A group has 1 to {MAX_TIMES} of a unit.")
    ends: dict[str, list[list[str]]] = {}
    ways = {key: now.ways(key) for key in group}
    verbs = [verb] if verb else list(dict.fromkeys(way.verb for each in ways.values() for way in each))
    for word in verbs:
        for goal, found in together(ways, word).items():
            texts = [f"{group[key]} x {way.text}" if group[key] > 1 else way.text for key, way in found.items()]
            ends.setdefault(goal, []).append([word, "; ".join(texts)])
    why = "" if ends else "There is nothing that all of these can do together."
    return {
        "next": {goal: len(found) for goal, found in ends.items()},
        "ends": ends,
        "ready": [],
        "verbs": {},
        "why": why,
    }


def _aims(now: _Now, scene: Scene) -> Iterator[tuple[str, str]]:
    """From where to where fights are ordered that have not been fought: from each who takes part to the goal."""
    notation, view = now.move.match.game.notation, now.view
    place_of = {piece.key: key for place, key in scene.keys.items() for piece in scene.stacks.get(place, ())}
    for entry in now.move.draft.entries:
        if entry.seat not in now.move.bots and notation.verb_of[type(bare(entry.order))].gathers:
            (goal,), *parties = (step.keys for step in notation.clicks(bare(entry.order), view))
            for each in parties[0] if parties else ():
                start = place_of.get(each, each)
                if start.startswith("p:"):
                    yield start, goal


def _head(scene: Scene, title: str) -> str:
    """What the title of the picture says besides the game's and the first line: scenario, turn, date."""
    said = " ".join((title, *scene.lines[:1]))
    parts = re.sub(r"^[^:.!]*[:.!] ", "", scene.title).split(". ")
    return ". ".join(part for part in parts if part not in said)


def _fight(scene: Scene, battle: Battle, ends: Sequence[str]) -> Data:
    """A battle that was fought, with all its dice, those of many that have hit, and what came of it."""
    thrown = [(die, hit) for throw in battle.throws for die, hit in zip(throw.dice, throw.hits, strict=True)]
    dice = thrown or [(die, False) for die in battle.dice]
    brief = " ".join(filter(None, (battle.odds, battle.result)))
    return {
        "key": scene.keys.get(battle.place, ""),
        "brief": ": ".join(filter(None, (place_name(scene, battle.place), brief))),
        "text": " ".join((battle.text, *ends)),
        "dice": dice,
        "means": _means(scene, battle),
    }


def _asks(ends: Iterable[Event], eyes: Container[str], when_asked: Callable[[str], str]) -> Iterator[str]:
    """What the usual answer decided for the player after a battle: how to be asked about it, or to change it."""
    for kind in dict.fromkeys(
        e.decision for e in ends if isinstance(e, Taken) and e.how == "default" and e.seat in eyes
    ):
        if when_asked(kind):
            yield f"You were not asked; to have this decided otherwise next time, change the standing order for {kind}."
        else:
            yield f"To decide this yourself next time, set the standing order for {kind}: `standing {kind} then ask`."


def _means(scene: Scene, battle: Battle) -> str:
    """What the result of a battle means, if the game explains it and the text of the battle does not say it."""
    found = next((each for each in scene.explained if each.word == battle.result), None)
    return "" if found is None or found.text in battle.text else _meaning(found)


def _meaning(each: Explained) -> str:
    return f"{each.word}: {each.text.rstrip('.')}."


def _held(scene: Scene, sides: Container[str | None]) -> list[str]:
    """Where pieces of one of these sides stand."""
    held = (place for place, stack in scene.stacks.items() if any(piece.side in sides for piece in stack))
    return [scene.keys[place] for place in held if place in scene.keys]


def _stacks(scene: Scene) -> Data:
    sides = {side.key: side for side in scene.sides}
    return {
        scene.keys[place]: [_piece(piece, sides[piece.side]) for piece in stack if piece.side in sides]
        for place, stack in scene.stacks.items()
        if place in scene.keys and stack
    }


def _piece(piece: Piece, side: Side) -> Data:
    return {"key": piece.key, "label": _called(piece, side), "many": piece.many, "able": piece.able}


@lru_cache(maxsize=KEPT)
def _called(piece: Piece, side: Side) -> str:
    """As orders name it, and in words."""
    _, _, word = piece.key.partition(":")
    if not piece.code:  # it has no name of its own; how many there are is told beside it
        return f"{side.name} {_kind(piece)}"
    first, *more = told(piece, side).split(", ")
    if word in more:
        more.remove(word)
    words = ", ".join((first, *more))
    return f"{word}: {words}" if word else words


def _kind(piece: Piece) -> str:
    """`transport 2`, `battleship damaged`."""
    return " ".join((piece.name or piece.symbol, *piece.marks))


def _is_plain(board: Board, place: int, key: str) -> bool:
    return not board[place].name and key[2:].isdigit()


def _labels(scene: Scene) -> dict[str, str]:
    """What units and rows are called, in words."""
    sides, found = {side.key: side for side in scene.sides}, dict[str, str]()
    rows = [row for panel in scene.panels for row in panel.rows]
    for stack in (*scene.stacks.values(), *(row.pieces for row in rows)):
        found |= {piece.key: _called(piece, sides[piece.side]) for piece in stack if piece.key}
    return found | {row.key: row.text for row in rows if row.key}


def _panels(made: Live, scene: Scene) -> Iterator[Data]:
    sides = {side.key: side for side in scene.sides}
    for panel in made.panels:
        rows = [
            {
                "text": row.text,
                "key": row.key,
                "about": row.about,
                "pieces": [{**_piece(piece, sides[piece.side]), "svg": picture} for piece, picture in row.pieces],
            }
            for row in panel.rows
        ]
        yield {"title": panel.title, "colour": panel.colour, "rows": rows}
