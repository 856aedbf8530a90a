"""NR-13 Events that bring units back, upgrade them, take steps, or lay markers, one by one."""

from __future__ import annotations

from noretreat_cards import refused
from noretreat_positions import CODES, asked, place, position, rule_of, shifts, table, where

from pbem.engine.rows import Rows
from pbem_rules.noretreat.chart import AXIS, SOVIET
from pbem_rules.noretreat.events import StepLost
from pbem_rules.noretreat.orders import UNIT
from pbem_rules.noretreat.organise import Organise
from pbem_rules.noretreat.turns import Remove
from pbem_rules.noretreat.windows import OpenDealt, OpenMoved, OpenPrelude

FRONT = {"4": "2109", "NW": "2409"}


def organise(card, units, *, soviet=False, **kept):
    """The Organisation phase of whoever holds the card."""
    side = SOVIET if soviet else AXIS
    triggers = kept.pop("triggers_at", None)
    if triggers:
        kept["triggers"] = Rows(triggers)
    return table(units, Organise, side=side, **{side: (card, *kept.pop("spare", ()))}, **kept)


def dealt(card, units, *, soviet=False, **kept):
    """After the Supply phase of whoever holds the card."""
    side = SOVIET if soviet else AXIS
    return table(units, OpenDealt, side=side, **{side: (card, *kept.pop("spare", ()))}, **kept)


def prelude(card, units, *, side, **kept):
    """After the Supply phase of `side`; the other holds the card."""
    hand = {AXIS if side == SOVIET else SOVIET: (card, *kept.pop("spare", ()))}
    return table(units, OpenPrelude, side=side, **hand, **kept)


def test_nr_13_02s_men_for_the_front():
    units = {**FRONT, "Res": "Destroyed", "Cen": "Captured", "Bry": "Shattered", "Cri": "Rail", "Kal": "Rail"}
    d = organise(2, units, soviet=True)
    assert rule_of(d, "event 2 Res Cen") == "NR-13.02S"  # the box holds three
    assert rule_of(d, "event 2 NW") == "NR-13.02S"
    d.order("soviet", "event 2 Cen")
    assert where(d, "Cen") == "Rail"
    assert d.state.event_vp == 0
    two = organise(2, {**FRONT, "Res": "Destroyed", "Bry": "Shattered"}, soviet=True).order("soviet", "event 2 Res Bry")
    assert (where(two, "Res"), where(two, "Bry")) == ("Rail", "Rail")
    assert rule_of(organise(2, units, soviet=True, turn=14), "event 2 Cen") == "NR-5.12"
    enemy = table(units, OpenMoved, soviet=(2, 41))
    assert rule_of(enemy, "event 2 Cen") == ""  # at any time


def test_nr_13_03a_troops_from_elsewhere():
    units = {**FRONT, "6": ("Captured", "-"), "9": "Destroyed", "3Rum": "Destroyed"}
    d = organise(3, units, turn=2)
    assert rule_of(d, "event 3 4 Berlin") == "NR-13.03A"
    assert rule_of(d, "event 3 6 2409") == "NR-13.03A"
    d.order("axis", "event 3 6 Berlin")
    assert where(d, "6") == "0210-"
    assert d.state.is_tired(CODES["6"])
    assert d.state.event_vp == 0
    assert rule_of(organise(3, units, turn=14), "event 3 6 Berlin") == "NR-5.12"
    assert refused(position(units, active=SOVIET), AXIS, 3, "organise") == "NR-13.03A"


def test_nr_13_05s_cavalry_raid():
    d = prelude(5, {"4": "0511", "6": "0611", "NW": "2409"}, side=AXIS)
    assert rule_of(d, "event 5 NW") == "NR-13.05S"
    d.order("soviet", "event 5 4")
    assert not d.state.supplied(CODES["4"])
    assert d.state.supplied(CODES["6"])
    s = position({"4": "0511", "NW": "2409"}, active=SOVIET)
    assert refused(s, SOVIET, 5, "before", (UNIT + CODES["4"],)) == "NR-13.05S"


def test_nr_13_05s_the_marker_goes_when_supply_is_checked_again():
    d = table({"4": "0511", "NW": "2409"}, Remove, cut=("4",))
    assert d.state.supplied(CODES["4"])


def test_nr_13_06s_partisans():
    d = organise(6, {**FRONT, "6": "0611"}, soviet=True).order("soviet", "event 6")
    assert asked(d) == "loss axis"
    assert rule_of(d, "lose NW") == "NR-1.7"
    d.order("axis", "lose 6")
    assert where(d, "6") == "0611-"
    assert len(d.events(StepLost)) == 1
    assert asked(d) == "organise soviet"
    assert refused(position({"NW": "2409"}, active=SOVIET), SOVIET, 6, "organise") == "NR-13.06S"
    assert refused(position(FRONT, active=AXIS), SOVIET, 6, "organise") == "NR-13.06S"


def test_nr_13_07s_scorched_earth():
    units = {"4": "1911", "NW": "Voronezh"}
    d = prelude(7, units, side=AXIS)
    assert rule_of(d, "event 7 Warsaw") == "NR-13.07S"
    assert rule_of(d, "event 7 2409") == "NR-13.07S"
    d.order("soviet", "event 7 Voronezh")
    assert d.state.scorched == (1912,)
    s = position({**units, "6": "1911"}, scorched=(1912,))
    assert shifts(s, "4 6", "1912") == {"scorched city": -1}
    assert not s.is_city(1912)
    assert refused(position(units, active=SOVIET), SOVIET, 7, "cards", (1912,)) == "NR-13.07S"
    assert refused(position(units, turn=14), SOVIET, 7, "cards", (1912,)) == "NR-5.12"


def test_nr_13_07s_until_the_turn_after_it_is_taken():
    d = table({"4": "Voronezh", "NW": "2409"}, Remove, scorched=(1912,), taken=(1912,))
    assert d.state.scorched == (1912,)
    d = table({"4": "Voronezh", "NW": "2409"}, Remove, scorched=(1912,))
    assert d.state.scorched == ()


def test_nr_13_08s_lend_lease():
    units = {**FRONT, "Len": "Leningrad", "West": "2410", "Res": "2411"}
    d = organise(8, units, soviet=True)
    assert rule_of(d, "event 8 West") == "NR-7.5"  # a shock front has its price, so has a fortress
    assert rule_of(d, "event 8 Len") == "NR-7.5"
    assert rule_of(d, "event 8 =2") == "NR-13.08S"
    d.order("soviet", "event 8 NW")
    assert where(d, "NW") == "2409+"
    d.order("soviet", "upgrade Res")  # the free one is still there
    cards = organise(8, units, soviet=True)
    cards.order("soviet", "event 8 =1")
    assert len(cards.state.hand(SOVIET)) == 2
    assert rule_of(organise(8, units, soviet=True, turn=5), "event 8 =1") == "NR-13.08S"
    cut = organise(8, units, soviet=True, cut=("NW",))
    assert rule_of(cut, "event 8 NW") == "NR-7.1"


def test_nr_13_10a_the_pocket_is_cleared():
    units = {"4": "2109", "NW": "2409", "Ost": "2410"}
    d = dealt(10, units, cut=("NW",))
    assert asked(d) == "supply_window axis"
    assert rule_of(d, "event 10 Ost") == "NR-13.10A"
    d.order("axis", "event 10 NW")
    assert where(d, "NW") == "Captured"
    assert d.state.event_vp == 1
    theirs = table(units, OpenPrelude, side=SOVIET, axis=(10,), cut=("NW",)).order("axis", "event 10 NW")
    assert where(theirs, "NW") == "Captured"
    later = position(units, turn=14, cut=("NW",))
    assert refused(later, AXIS, 10, "supply", (20000 + CODES["NW"],)) == "NR-5.12"
    assert rule_of(organise(10, units, cut=("NW",)), "event 10 NW") == "NR-13.10A"  # the Supply phase is over
    assert refused(position(units), AXIS, 10, "supply", (20000 + CODES["NW"],)) == "NR-13.10A"  # in supply


def test_nr_13_25a_improvised_units():
    units = {**FRONT, "KG1": "Available Cadres", "KG2": "Available Cadres"}
    d = organise(25, units, turn=14)
    assert rule_of(d, "event 25 KG1 Kiev") == "NR-13.25A"
    d.order("axis", "event 25 KG1 Warsaw KG2 Berlin")
    assert (where(d, "KG1"), where(d, "KG2")) == ("0611", "0210")
    assert not d.state.is_tired(CODES["KG1"])
    both = organise(25, units, turn=14).order("axis", "event 25 KG1 Warsaw KG2 Warsaw")
    assert where(both, "KG2") == "0611"
    full = organise(25, {**units, "6": "0611"}, turn=14)
    assert rule_of(full, "event 25 KG1 Warsaw KG2 Warsaw") == "NR-13.25A"
    assert rule_of(organise(25, units), "event 25 KG1 Warsaw") == "NR-5.12"


def test_nr_13_30a_the_last_reserves():
    units = {**FRONT, "6": "Destroyed", "9": "Captured", "11": "Destroyed"}
    d = prelude(30, units, side=SOVIET, turn=14).order("axis", "event 30")
    assert d.state.event_vp == 1  # a point for the Soviets, who have the initiative
    assert asked(d) == "bring_back axis"
    d.order("axis", "place 6 Berlin", "place 9 Breslau")
    assert asked(d) != "bring_back axis"
    assert (where(d, "6"), where(d, "9"), where(d, "11")) == ("0210-", "0412-", "Destroyed")
    assert d.state.is_tired(CODES["6"])
    last = dealt(30, units, turn=25, spare=(21,)).order("axis", "event 30")
    assert rule_of(organise(30, units, turn=25), "event 30") == "NR-13.30A"  # the Card phase is over
    last.order("axis", "place 6 Berlin")
    assert where(last, "6") == "0210-"
    assert refused(position(FRONT, turn=14), AXIS, 30, "cards") == "NR-13.30A"
    assert refused(position(units, turn=8), AXIS, 30, "cards") == "NR-5.12"


def test_nr_13_33s_industry_grows():
    units = {**FRONT, "Res": "Destroyed", "Cen": "Captured"}
    d = organise(33, units, soviet=True, turn=14).order("soviet", "event 33")
    assert len(d.state.hand(SOVIET)) == 2
    if asked(d) == "reveal soviet":
        d.order("soviet", "done")
    assert asked(d) == "bring_back soviet"
    d.order("soviet", "place Cen Saratov")
    assert where(d, "Cen") == "2311"
    assert asked(d) == "organise soviet"
    assert rule_of(organise(33, units, soviet=True), "event 33") == "NR-5.12"
    assert refused(position(units, turn=14, active=AXIS), SOVIET, 33, "any") == "NR-13.33S"


def test_nr_13_35a_their_manpower_is_spent():
    units = {"4": "2109", "NW": "2409", "West": ("2410", "+"), "Ost": "2411", "Res": "2412"}
    d = organise(35, units, turn=19, cut=("Res",)).order("axis", "event 35")
    assert asked(d) == "loss soviet"
    assert rule_of(d, "lose Ost") == "NR-1.7"
    assert rule_of(d, "lose Res") == "NR-1.7"
    d.order("soviet", "lose West", "lose NW")
    assert (where(d, "West"), where(d, "NW")) == ("2410", "Destroyed")
    assert asked(d) == "organise axis"
    assert rule_of(organise(35, units, turn=14), "event 35") == "NR-13.35A"
    assert rule_of(organise(35, units, turn=8), "event 35") == "NR-5.12"


def test_nr_13_38s_a_new_draft():
    units = {"4": "2109", "Ost": "2409", "Res": "Destroyed", "Cen": "Captured", "NW": "2410"}
    d = organise(38, units, soviet=True)
    assert rule_of(d, "event 38 NW Res") == "NR-13.38S"
    assert rule_of(d, "event 38 Ost NW") == "NR-13.38S"
    d.order("soviet", "event 38 Ost Cen")
    assert (where(d, "Cen"), where(d, "Ost")) == ("2409", "turn track")
    assert d.state.is_tired(CODES["Cen"])
    assert d.state.pieces[CODES["Ost"]].due == 9
    assert rule_of(organise(38, units, soviet=True, turn=14), "event 38 Ost Cen") == "NR-5.12"


def test_nr_13_41a_works_in_depth():
    d = organise(41, FRONT, turn=14)
    assert rule_of(d, "event 41 2409") == "NR-13.41A"
    assert rule_of(d, "event 41 Moscow") == "NR-13.41A"
    d.order("axis", "event 41 2109")
    assert d.state.works == (2109,)
    s = position({"4": "2109", "NW": "2209"}, works=(2109,))
    assert shifts(s, "NW", "2109") == {"defence works": -1}
    assert shifts(s, "NW", "2109", forced=True) == {"defence works": -1}
    assert rule_of(organise(41, FRONT), "event 41 2109") == "NR-5.12"


def test_nr_13_41a_until_the_soviets_take_the_hex():
    d = table({"4": "1807", "NW": "2209"}, side=SOVIET, works=(2109,), held={"2109": AXIS}).order(
        "soviet", "move NW 2109"
    )
    assert d.state.works == ()


def test_nr_13_48a_fortress_germany():
    units = {**FRONT, "Fest2": "Berlin"}
    d = organise(48, units, turn=27, triggers_at={"gg": 20})
    assert rule_of(d, "event 48 Fest2 Berlin") == "NR-13.48A"  # it is on the map
    assert rule_of(d, "event 48 Fest1 Warsaw") == "NR-13.48A"
    d.order("axis", "event 48 Fest1 Breslau")
    assert where(d, "Fest1") == "0412"
    early = organise(48, units, turn=27)  # they have not come yet
    assert rule_of(early, "event 48 Fest1 Breslau") == "NR-13.48A"
    garrison = organise(48, FRONT, turn=25).order("axis", "event 48 BerG Berlin")
    assert where(garrison, "BerG") == "0210"
    assert refused(position(units, turn=27, active=SOVIET), AXIS, 48, "organise") == "NR-13.48A"


def test_nr_13_49a_volkssturm():
    units = {**FRONT, "VPos": "Volkssturm out", "VBre": "Volkssturm out", "VVie": "Vienna", "VKoe": "Volkssturm out"}
    d = organise(49, units, turn=27, held={"Koenigsberg": SOVIET})
    assert rule_of(d, "event 49 VVie") == "NR-13.49A"
    assert rule_of(d, "event 49 VKoe") == "NR-13.49A"  # the city is lost
    d.order("axis", "event 49 VBre VPos")
    assert (where(d, "VBre"), where(d, "VPos")) == ("0412", "0410")
    assert refused(position(units, turn=27, active=SOVIET), AXIS, 49, "organise") == "NR-13.49A"
    assert place("Posen") == 410
