"""Lists of fights, whatever they hold: they end, in their order, and nobody is asked who need not be."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.append(str(Path(__file__).parent.parent / "engine"))

from games.redoubt import Attack, Break, Rest, Turn, game

from pbem.engine.event import Skipped
from pbem.engine.need import Orders
from pbem.engine.testing import Chance, Driver
from pbem.kit.fights import ASK, Done, Fate, ListEntry
from pbem.protocol.canonical import pack

RED = st.integers(1, 4)
HEXES = st.sampled_from([201, 301, 302, 401, 402, 501, 502])
BOUND = {"after": st.integers(0, 6), "unless": st.integers(0, 6), "ask": st.booleans()}
ENTRIES = st.one_of(
    st.builds(
        Attack,
        HEXES,
        st.lists(RED, min_size=1, max_size=4, unique=True).map(sorted).map(tuple),
        least=st.none() | st.integers(0, 3),
        advance=RED | st.just(0),
        gun=st.booleans(),
        **BOUND,
    ),
    st.builds(Break, HEXES, RED, least=st.none() | st.integers(0, 3), go=st.booleans(), **BOUND),
    st.builds(Rest, RED, **BOUND),
)
LISTS = st.lists(ENTRIES, max_size=10)


def listed(entries: list[ListEntry], seed: str) -> Driver:
    """A position in which Red has listed what may be listed of these."""
    found = Driver(game, chance=Chance(seed))
    found.state.at.update({1: 302, 2: 301, 3: 301, 4: 302})
    found.state.worn.update((1, 5, 7))
    found.stand(
        "blue", "defence", "when hex in 401, 501 then hold; when column > 1 then give; then flexible", sealed=True
    )
    found.order("red", "halt")
    for entry in entries:
        if found.check("red", entry) is None:
            found.give("red", entry)
    return found


def frame_of(found: Driver) -> Turn:
    return next(frame for frame in found.machine.frames if isinstance(frame, Turn))


@settings(max_examples=150, deadline=None)
@given(LISTS, st.integers(0, 99))
def test_every_list_ends_in_its_order_and_asks_only_where_it_says_so(entries, seed):
    found = listed(entries, str(seed))
    frame = frame_of(found)
    asked = []
    found.events()
    found.give("red", Done())
    while isinstance(found.need, Orders) and found.asked == ("red",):
        entry = frame.entries[frame.current - 1]
        assert entry.ask
        if found.need.kind == "listing":
            assert frame.fates[frame.current - 1] is Fate.WAITING
            asked.append(frame.current)
            found.give("red", Done())
        else:
            found.give("red", found.legal("red")[0])
    assert asked == sorted(set(asked))  # once each
    assert found.asked in ((), ("blue",))
    assert Fate.WAITING not in frame.fates
    skipped = {event.number: event.why for event in found.events(Skipped)}
    assert list(skipped) == sorted(skipped)
    assert set(skipped) == {number for number, fate in enumerate(frame.fates, start=1) if fate is Fate.SKIPPED}
    held = 1  # the entry before which the owner has last held the list
    for number, (entry, fate) in enumerate(zip(frame.entries, frame.fates, strict=True), start=1):
        if fate in (Fate.WON, Fate.FOUGHT):
            assert not entry.after or frame.fates[entry.after - 1] is Fate.WON
            assert not entry.unless or frame.fates[entry.unless - 1] is not Fate.WON
            since = frame.fates[held - 1 : number - 1]
            assert (number in asked) == (entry.ask and not {Fate.WON, Fate.FOUGHT}.isdisjoint(since))
        held = number if number in asked else held
    thrown = [line.text.split()[0] for line in found.lines if line.what == "dice"]
    fought = [f"t1/{e.target:04d}" for e, fate in zip(frame.entries, frame.fates, strict=True)
              if not isinstance(e, Rest) and fate in (Fate.WON, Fate.FOUGHT)]  # fmt: skip
    assert [label for label in fought if label in thrown] == thrown  # `give` throws no die
    units = [unit for e, fate in zip(frame.entries, frame.fates, strict=True) if isinstance(e, Attack)
             and fate in (Fate.WON, Fate.FOUGHT) for unit in e.units]  # fmt: skip
    assert len(units) == len(set(units))  # nobody attacks twice


@settings(max_examples=60, deadline=None)
@given(LISTS, st.integers(0, 99))
def test_a_list_that_was_saved_goes_on_as_it_would_have(entries, seed):
    one, other = listed(entries, str(seed)), listed(entries, str(seed))
    other.restore(other.save())
    frame = frame_of(other)
    assert frame.entries == frame_of(one).entries
    assert pack(one.machine.dump()) == pack(other.machine.dump())
    for each in (one, other):
        each.give("red", Done())
    assert pack(one.machine.dump()) == pack(other.machine.dump())
    assert one.machine.digest() == other.machine.digest()


def test_the_help_of_ask_says_what_is_asked_with_it_alone_and_its_price():
    assert "Without this you are not asked in the middle of the entry, not even about the losses" in ASK.help
    assert "costs a mail" in ASK.help
