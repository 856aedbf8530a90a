"""A machine as plain data and as a digest (docs/spec/state.md)."""

from __future__ import annotations

from typing import Any

from pbem.engine.compiled import Compiled, Program
from pbem.engine.need import Result
from pbem.engine.plain import Codec, codec, load, members, unfit
from pbem.engine.policy import Policy, SealedPolicy, from_plain
from pbem.engine.rows import Rows
from pbem.engine.step import Frame, Step
from pbem.protocol.canonical import Plain, pack
from pbem.protocol.digest import be32, tagged, tagged_list

Standing = dict[str, dict[str, Policy | SealedPolicy]]
ONWARDS, AGAIN = 1, 2  # after a called sequence: to the next step, or to the same one


class Place:
    """One entry of the stack: a sequence, where it stands, and its frame. `calling`: it waits for the entry above."""

    __slots__ = ("at", "calling", "frame", "seq")

    def __init__(self, seq: Compiled, frame: Frame, at: int = 0, calling: int = 0) -> None:
        self.seq = seq
        self.frame = frame
        self.at = at
        self.calling = calling

    @property
    def step(self) -> Step[Any, Any]:
        return self.seq.steps[self.at]


def dump_stack(stack: list[Place]) -> Plain:
    return [
        [place.seq.kind, place.step.name, codec(place.seq.frame).dump(place.frame), place.calling] for place in stack
    ]


def load_stack(program: Program, plain: Plain) -> list[Place]:
    stack = []
    for entry in array(plain):
        kind, name, frame, calling = array(entry, 4)
        seq = program.by_kind.get(kind) if isinstance(kind, str) else None
        at = seq.by_name.get(name) if seq and isinstance(name, str) else None
        if seq is None or at is None or calling not in (0, ONWARDS, AGAIN) or type(calling) is not int:
            raise unfit(f"this game has no step {name!r} of {kind!r}")
        stack.append(Place(seq, load(seq.frame, frame), at, calling))
    if not stack:
        raise unfit("a machine without a stack")
    return stack


def dump_standing(standing: Standing) -> Plain:
    return [
        [kind, seat, policy.plain() if isinstance(policy, Policy) else policy.commitment]
        for kind, by_seat in sorted(standing.items())
        for seat, policy in sorted(by_seat.items())
    ]


def load_standing(plain: Plain) -> Standing:
    standing: Standing = {}
    for entry in array(plain):
        kind, seat, policy = array(entry, 3)
        if not isinstance(kind, str) or not isinstance(seat, str):
            raise unfit("standing orders without a kind and a seat")
        held = SealedPolicy(policy) if isinstance(policy, bytes) else from_plain(policy)
        standing.setdefault(kind, {})[seat] = held
    return standing


def array(plain: Plain, size: int | None = None) -> list[Plain]:
    if not isinstance(plain, list) or (size is not None and len(plain) != size):
        raise unfit("an array of another shape")
    return plain


class Digests:
    """The digests of a state's fields. Those of tables and of frozen values are kept until the value changes."""

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: dict[str, tuple[object, bytes]] = {}

    def state(self, state: Any) -> bytes:
        """STA-3: the sections of all fields that differ from their default, by name."""
        sections = []
        for member in members(type(state)):
            value = getattr(state, member.name)
            kept = self._kept.get(member.name)
            if kept is not None and kept[0] is value and member.codec.fixed:
                sections.append(kept[1])
                continue
            if member.left_out(value):
                continue
            section = tagged("pbem1/section", member.name, _value(member.codec, value))
            if member.codec.fixed:
                self._kept[member.name] = (value, section)
            sections.append(section)
        return tagged_list(sections)


def _value(held: Codec[Any], value: Any) -> bytes:
    if held.rows is not None and isinstance(value, Rows):
        keys, rows = held.rows
        return value.digest(keys.dump, rows.dump)
    return tagged("pbem1/value", pack(held.dump(value)))


def machine_digest(
    digests: Digests, state: Any, stack: list[Place], standing: Standing, serial: int, over: Result | None
) -> bytes:
    """STA-2."""
    return tagged(
        "pbem1/machine",
        digests.state(state),
        pack(dump_stack(stack)),
        pack(dump_standing(standing)),
        be32(serial),
        None if over is None else pack(over.plain()),
    )
