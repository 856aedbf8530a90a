"""A game's sequences looked up by name and type, prepared once, so that the machine's loop only indexes tuples."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any

from pbem.engine.definition import Game
from pbem.engine.notation import Notation, without_text
from pbem.engine.policy import LEAVE, Policy, parse
from pbem.engine.step import Ask, Choice, Decide, Frame, GameError, Listing, Sequence, Step
from pbem.protocol.errors import Refusal

_NAME = re.compile(r"[a-z][a-z0-9_]{0,23}", re.ASCII)  # kind/seat/serial stays a slot name (HID-2)


class Compiled:
    """One sequence: its steps by place, by class and by name.

    `line`: of each step its form, whether it is conditional, and itself. `last`: the place of the last one.
    `conditional`: has the step at this place a `when`? `open`: is it a decision that is answered openly, by its
    player?
    `opening`: are slots opened with its orders? `unasked`: may the engine answer it where nobody has standing orders?
    """

    __slots__ = ("at", "by_name", "conditional", "frame", "kind", "last", "line", "open", "opening", "steps", "unasked")

    def __init__(self, game: Game[Any], sequence: Sequence[Any, Any]) -> None:
        self.frame = sequence.frame
        self.kind: str = sequence.frame.kind
        self.steps: tuple[Step[Any, Any], ...] = sequence.steps
        self.conditional = tuple(type(step).when is not Step.when for step in self.steps)
        self.line: tuple[tuple[int, bool, Any], ...] = tuple(
            (step.form, given, step) for step, given in zip(self.steps, self.conditional, strict=True)
        )
        self.last = len(self.steps) - 1
        self.open = tuple(_open(step) for step in self.steps)
        self.opening = tuple(_opens(step) for step in self.steps)
        self.unasked = tuple(isinstance(step, Decide) and (step.forced or not _asks(step)) for step in self.steps)
        self.at: dict[type, int] = {type(step): number for number, step in enumerate(self.steps)}
        self.by_name = {step.name: number for number, step in enumerate(self.steps)}
        if not self.steps or len(self.at) != len(self.steps) or len(self.by_name) != len(self.steps):
            raise GameError(game.name, "", f"the sequence {self.kind} needs steps, each of another class and name")


def _asks(step: Decide[Any, Any, Any]) -> bool:
    """A seat that is asked here is always asked."""
    return type(step).asks is Decide.asks


def _open(step: Step[Any, Any]) -> bool:
    return isinstance(step, Decide) and _asks(step) and not (step.sealed or step.secret or step.forced)


def _opens(step: Step[Any, Any]) -> bool:
    """Can there be slots to open with its orders?"""
    if not isinstance(step, Decide):
        return False
    return type(step).opens is not Decide.opens or any(each.opens is not Choice.opens for each in step.choices)


def _lists(kind: type[Listing[Any, Any, Any]], base: type[Listing[Any, Any, Any]]) -> bool:
    """Does it say which orders are legal?"""
    written = {name for name in ("legal", "first", "picked") if getattr(kind, name) is not getattr(base, name)}
    return "legal" in written or written == {"first", "picked"}


class Program:
    """All sequences of a game, and its decisions."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        sequences = [Compiled(game, each) for each in game.sequences]
        self.by_frame: dict[type, Compiled] = {each.frame: each for each in sequences}
        self.by_kind = {each.kind: each for each in sequences}
        if len(self.by_frame) != len(sequences) or len(self.by_kind) != len(sequences):
            raise GameError(game.name, "", "every sequence needs a frame type and a kind of its own")
        self.decisions: dict[str, Decide[Any, Any, Any]] = {}
        self.asked: dict[str, frozenset[str]] = {}  # by decision: the seats that it can ask
        self.defaults: dict[str, Policy] = {}
        self.preset: dict[str, Policy] = {}  # the standing orders with which every seat begins
        for frame, step in ((each.frame, step) for each in sequences for step in each.steps):
            if not _NAME.fullmatch(step.name):
                raise GameError(game.name, "", f"{step.name!r} is not the name of a step")
            if isinstance(step, Decide):
                self._add(game, frame, step)

    def _add(self, game: Game[Any], frame: type[Frame], step: Decide[Any, Any, Any]) -> None:
        kind = type(step)
        written = [name for name in ("check", "apply") if getattr(kind, name) is not getattr(Decide, name)]
        if not step.choices and not (_lists(kind, Decide) and len(written) == 2):
            raise GameError(
                game.name,
                step.name,
                "a decision has legal (or first and picked), check and apply, or a list of choices",
            )
        for choice in step.choices:
            if not _lists(choice, Choice):
                raise GameError(game.name, step.name, f"{choice.__name__} needs legal, or first and picked")
        taken = [order for each in step.choices for order in each.takes]
        if not all(each.takes for each in step.choices) or len(set(taken)) < len(taken):
            raise GameError(game.name, step.name, "each of its choices takes an order, and no other choice takes that")
        if (
            kind.by is Decide.by
            and not hasattr(frame, "seat")
            and "seat" not in getattr(frame, "__dataclass_fields__", {})
        ):
            raise GameError(
                game.name, step.name, f"it does not say whom it asks: write by, or give {frame.__name__} a field seat"
            )
        if isinstance(step, Ask) and (step.sealed or step.secret or kind.opens is not Decide.opens):
            raise GameError(
                game.name, step.name, "an Ask is open: what is sealed, secret or opens slots is a Decide with a check"
            )
        if self.decisions.setdefault(step.name, step).__class__ is not step.__class__:
            raise GameError(game.name, step.name, "another decision has the same name")
        everybody = frozenset(each.name for each in game.seats)
        self.asked[step.name] = frozenset(step.seats) or everybody
        if unknown := self.asked[step.name] - everybody:
            raise GameError(game.name, step.name, f"its seats name {min(unknown)!r}, which is not a seat of the game")
        if step.secret and (step.sealed or step.forced or step.window):
            raise GameError(game.name, step.name, "a secret decision is not sealed, forced or a window besides")
        if not step.takes:
            raise GameError(game.name, step.name, "it does not say which orders it takes: write takes = (...)")
        if type(game.notation) is Notation:  # one that is loaded later says it itself
            for order in step.takes:
                if order not in game.notation.verb_of:
                    raise GameError(game.name, step.name, without_text(order))
        if step.default is not None:
            self.defaults[step.name] = _policy(game, step, step.default)
        if step.stance and (step.sealed or step.secret or step.window or kind.answers is Decide.answers):
            raise GameError(game.name, step.name, "a stance has answers, and is not sealed, secret or a window besides")
        if step.preset and step.name not in self.preset:
            if step.default is None or step.secret or type(step).answers is Decide.answers:
                raise GameError(game.name, step.name, "what is preset has a default and answers")
            self.preset[step.name] = LEAVE if step.preset is True else _policy(game, step, str(step.preset))

    @cached_property
    def presets(self) -> Mapping[str, Mapping[str, Policy | None]]:
        """By name, the standing orders for each kind of decision that can ask; None: the player is asked.

        Stances are chosen, not asked for: only presets of the game's own have any.
        """
        game, kinds = self._game, dict[str, Decide[Any, Any, Any]]()
        for kind, step in sorted(self.decisions.items()):
            if not step.secret and type(step).answers is not Decide.answers:
                kinds[kind] = step
        matters = {kind: self.preset.get(kind) for kind, step in kinds.items() if not step.stance}
        found: dict[str, Mapping[str, Policy | None]] = {
            MATTERS: matters,
            NOTHING: {kind: LEAVE if kind in self.defaults and not kinds[kind].phase else None for kind in matters},
            EVERYTHING: dict.fromkeys(matters),
        }
        for name, preset in game.presets.items():
            unknown = sorted(set(preset.policies) - set(kinds))
            if unknown or name in found:
                why = f"{unknown[0]!r} takes no standing orders" if unknown else "every game has one of this name"
                raise GameError(game.name, "", f"the preset {name!r}: {why}")
            texts = preset.policies.items()
            found[name] = {**matters, **{kind: _policy(game, kinds[kind], text) for kind, text in texts}}
        return found


MATTERS, NOTHING, EVERYTHING = "ask-what-matters", "ask-nothing", "ask-everything"
_TEXTS = {
    MATTERS: "You are asked about what matters; pbem answers the rest. Games by mail begin this way.",
    NOTHING: "pbem answers everything that has a usual answer; you still play the phases of your own turn.",
    EVERYTHING: "You are asked about everything, which costs the most mails.",
}


def preset_texts(game: Game[Any]) -> Mapping[str, str]:
    """What each preset of a game is for, by name."""
    return {**_TEXTS, **{name: preset.text for name, preset in game.presets.items()}}


def _policy(game: Game[Any], step: Decide[Any, Any, Any], text: str) -> Policy:
    try:
        return parse(text)
    except Refusal as refusal:
        raise GameError(game.name, step.name, f"its standing orders {text!r}: {refusal.sentence}") from refusal


@lru_cache(64)  # with data of the players' own a game is another
def program(game: Game[Any]) -> Program:
    return Program(game)
