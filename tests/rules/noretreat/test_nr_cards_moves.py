"""NR-13 Events that move units, one by one."""

from __future__ import annotations

from noretreat_cards import refused
from noretreat_positions import CODES, asked, position, reaches, rule_of, table, where

from pbem_rules.noretreat.cards.moves import Disperse, EndOfRoom
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import Retreated
from pbem_rules.noretreat.state import Effect
from pbem_rules.noretreat.windows import OpenMoved, OpenPrelude


def moved(card, units, *, side=SOVIET, **kept):
    """At the end of the Movement phase of `side`; the other holds the card."""
    return table(
        units, OpenMoved, side=side, **{AXIS if side == SOVIET else SOVIET: (card, *kept.pop("spare", ()))}, **kept
    )


def test_nr_13_10s_surprise_move():
    units = {"4": "2109", "NW": "2209", "Res": "2412", "Cen": "2411", "Mos": ("Moscow", "+")}
    d = table(units, OpenPrelude, soviet=(10,), turn=1)
    d.order("soviet", "event 10")
    assert asked(d) == "surprise soviet"
    assert rule_of(d, "unload Mos Saratov") == "NR-13.10S"  # not mobile
    assert rule_of(d, "unload Res 2110") == "NR-8.21"  # beside the enemy
    d.order("soviet", "unload NW Saratov")
    assert rule_of(d, "unload NW Gorki") == "NR-13.10S"
    d.order("soviet", "unload Res Gorki")
    assert (where(d, "NW"), where(d, "Res")) == ("2311", "2105")
    assert asked(d) != "surprise soviet"
    assert refused(position({"4": "2109", "Mos": ("Moscow", "+")}), SOVIET, 10, "cards") == "NR-13.10S"
    assert refused(position({"4": "2109", "NW": "2209"}, cut=("NW",)), SOVIET, 10, "cards") == "NR-13.10S"


def test_nr_13_14s_prepared_offensive():
    units = {"4": "2109", "NW": "2309", "Res": "2310", "Cen": "2410"}
    d = table(units, side=SOVIET, soviet=(14,), turn=8, initiative=SOVIET)
    assert 2309 not in reaches(d, "Res")
    assert rule_of(d, "event 14 2309 2412") == "NR-13.14S"  # they do not touch
    assert rule_of(d, "event 14 2309 2109") == "NR-13.14S"  # an enemy stands there
    d.order("soviet", "event 14 2309 2310")
    d.order("soviet", "move Res 2309")
    assert (where(d, "NW"), where(d, "Res")) == ("2309", "2309")
    assert rule_of(d, "move Cen 2309") == "NR-8.8"
    early = table(units, side=SOVIET, soviet=(14,), turn=8)
    assert rule_of(early, "event 14 2309") == "NR-5.12"
    enemy = table(units, OpenMoved, turn=14, soviet=(14, 41))
    assert refused(enemy, SOVIET, 14, "move", (2309,)) == "NR-13.14S"


def test_nr_13_14s_who_is_too_many_retreats_after_combat():
    units = {"4": "2109", "NW": "2209", "Res": "2209", "Cen": "2211"}
    effects = (Effect("room", SOVIET, 2209, 1, "phase"), Effect("room", SOVIET, 2211, 1, "phase"))
    d = table(units, EndOfRoom, side=SOVIET, turn=14, effects=effects)
    assert asked(d) == "disperse soviet"
    assert rule_of(d, "leave Cen") == "NR-13.14S"
    d.order("soviet", "leave Res")
    assert asked(d) == "retreat soviet"
    d.order("soviet", next(iter(d.legal("soviet"))))
    assert where(d, "NW") == "2209"
    assert where(d, "Res") not in ("2209", "Shattered", "Destroyed")
    assert [event.unit for event in d.events(Retreated)] == ["Res"]
    assert Disperse.rule == "NR-13.14S"


def test_nr_13_18a_operational_reserve():
    units = {"4": "1910", "6": "1911", "2": "1813", "NW": "2010", "Res": "2412"}
    d = moved(18, units, blows={"1813": SOVIET})
    assert rule_of(d, "event 18 4") == "NR-13.18A"  # in an enemy zone
    assert rule_of(d, "event 18 2") == "NR-13.18A"  # under a counterblow marker
    d = moved(18, {"4": "0611", "6": "0613", "NW": "2412"}).order("axis", "event 18 4")
    assert asked(d) == "manoeuvre axis"
    assert not reaches(d, "6")
    assert {511, 411} <= reaches(d, "4")  # half of four points
    assert 311 not in reaches(d, "4")
    d.order("axis", "move 4 0411")
    assert where(d, "4") == "0411"
    quick = moved(18, {"2": "0611", "NW": "2412"}).order("axis", "event 18 2")
    assert 311 in reaches(quick, "2")  # half of five, rounded up
    assert refused(position(units, active=AXIS), AXIS, 18, "moved", (20000 + CODES["6"],)) == "NR-13.18A"


def test_nr_13_18a_supply_is_checked_at_once():
    # Marked as out of supply before, in supply now; and the other way round.
    d = moved(18, {"4": "0611", "NW": "2412"}, cut=("4",))
    assert rule_of(d, "event 18 4") == ""
    lost = moved(18, {"4": "2310", "NW": "2412", "6": "0611"})
    assert rule_of(lost, "event 18 4") == "NR-13.18A"


def test_nr_13_36a_sudden_attack():
    units = {"4": "2008", "6": "2008", "NW": "2209", "Res": "2412"}
    d = moved(36, units)
    assert rule_of(d, "event 36 2008 2007") == "NR-13.36A"  # not beside a Soviet unit
    assert rule_of(d, "event 36 2008 2311") == "NR-13.36A"  # too far
    d.order("axis", "event 36 2008 2109")
    assert (where(d, "4"), where(d, "6")) == ("2109", "2109")
    assert d.state.blows == {2109: SOVIET}
    assert d.state.active == SOVIET
    late = moved(36, units, turn=14, spare=(18,))
    assert refused(late, AXIS, 36, "moved", (2008, 2109)) == "NR-5.12"


def test_nr_13_39a_operational_manoeuvre():
    units = {"4": "1910", "6": "1808", "9": "1812", "NW": "2010", "Res": "2412"}
    d = moved(39, units, blows={"1812": SOVIET})
    d.order("axis", "event 39")
    assert asked(d) == "manoeuvre axis"
    assert (reaches(d, "4"), reaches(d, "9")) == (set(), set())
    assert reaches(d, "6") == {1807, 1908, 1809, 1709, 1708, 1707}
    d.order("axis", "move 6 1908")
    assert asked(d) != "manoeuvre axis"  # nobody else can
    assert where(d, "6") == "1908"
    none = moved(39, {"4": "1910", "NW": "2010"}, spare=(18,))
    assert refused(none, AXIS, 39, "moved") == "NR-13.39A"


def test_nr_13_41s_central_command():
    units = {"4": "2109", "NW": "2209", "Res": "2410", "Cen": "2411", "Bry": "2412", "Cri": "2413", "Kal": "2407"}
    d = moved(41, units, side=AXIS)
    d.order("soviet", "event 41")
    assert asked(d) == "manoeuvre soviet"
    assert not reaches(d, "NW")  # in an enemy zone
    for code, goal in (("Res", "2310"), ("Cen", "2311"), ("Bry", "2312"), ("Cri", "2313")):
        d.order("soviet", f"move {code} {goal}")
    assert asked(d) != "manoeuvre soviet"  # four at most
    assert where(d, "Kal") == "2407"
    none = moved(41, {"4": "2109", "NW": "2209"}, side=AXIS, spare=(1,))
    assert refused(none, SOVIET, 41, "moved") == "NR-13.41S"


def test_nr_13_43a_panzer_breakthrough():
    units = {"1Pz": "0611", "2Pz": "2109", "4": "0612", "NW": "2209"}
    d = moved(43, units)
    d.order("axis", "event 43")
    assert asked(d) == "manoeuvre axis"
    assert (reaches(d, "4"), reaches(d, "2Pz")) == (set(), set())
    assert 411 in reaches(d, "1Pz")
    assert 311 not in reaches(d, "1Pz")
    d.order("axis", "move 1Pz 0411")
    assert where(d, "1Pz") == "0411"
    mud = moved(43, units, turn=9, weather="mud", spare=(18,))
    assert refused(mud, AXIS, 43, "moved") == "NR-13.43A"
    assert refused(moved(43, units, turn=14, spare=(18,)), AXIS, 43, "moved") == "NR-5.12"
    infantry = moved(43, {"4": "0612", "NW": "2412"}, spare=(18,))
    assert refused(infantry, AXIS, 43, "moved") == "NR-13.43A"
