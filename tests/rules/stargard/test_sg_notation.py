"""What players may type, and what they are told if it cannot be read."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine.notation import Context, NotationError
from pbem.game import View
from pbem.kit import UNIT
from pbem_rules.stargard import orders as o
from pbem_rules.stargard.notation import NOTATION, READ
from tests.rules.stargard.sg_positions import number, position

S = position(("22/10SS", 1016), ("21/10SS", 1216))


def read(text: str) -> tuple[object, ...]:
    def legal() -> object:
        raise AssertionError("what can be read needs no list of legal orders")

    texts = NOTATION.with_texts([o.Done, o.Decline, *READ])
    return texts.parse(text, Context(S, None, "german", legal))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "exact"),
    [
        ("move 22/10ss stargard", ["move 22/10SS 1714"]),
        ("move 22/10ss 21/10SS 1115-Altdamm", ["move 22/10SS 1115-0716", "move 21/10SS 1115-0716"]),
        ("move 22/10ss,21/10ss 1115", ["move 22/10SS 1115", "move 21/10SS 1115"]),
        ("move klein alt storkow", ["move Klein/Den 2718"]),
        ("MOVE 61 2906", ["move 61-HQ 2906"]),
        ("drive lang Gollnow", ["drive Lang/10SS 1122"]),
        ("rail voigt hessenii Pyritz", ["rail Voigt 1307", "rail HessenII 1307"]),
        ("enter 310 3721", ["enter 310/163 3721"]),
        ("rebuild 212 2906 2", ["rebuild 212/80 2906 2"]),
        ("rebuild 212 alt storkow 1", ["rebuild 212/80 2718 1"]),
        ("exit voigt 503ss", ["exit Voigt", "exit 503SS"]),
        ("restore 212 356", ["restore 212/80", "restore 356/80"]),
        ("top f-bahn", ["top F-Bahn"]),
        ("activate 61", ["activate army61"]),
        ("activate 61-hq", ["activate army61"]),
        ("activate 61st army", ["activate army61"]),
        ("activate GC2", ["activate gc2"]),
        ("aside #3", ["aside #3"]),
        ("place konst nantikow", ["place Konst-HQ 3011"]),
        ("retreat 22/10ss 21/10ss 1015-0915", ["retreat 22/10SS,21/10SS 1015-0915"]),
        ("advance kausch 1203 1204", ["advance Kausch 1203-1204"]),
        ("reform 61 woldenberg", ["reform 61-HQ 3401"]),
        ("lose klein", ["lose Klein/Den"]),
        ("fire 23/11ss", ["fire 23/11SS"]),
        ("attack pyritz with rein klein", ["attack 1307 with Klein/Den,Rein/Den"]),
        ("attack bad polzin with kausch at 2:1 air 1jg", ["attack 4329 with Kausch at 2:1 air 1JG"]),
        (
            "attack 1307 with rein,klein at 7:1+ power rudel 2JG advance klein pyritz 1306 after 1 ask",
            ["attack 1307 with Klein/Den,Rein/Den at 7:1 power Rudel,2JG advance Klein/Den,1307,1306 after 1 ask"],
        ),
        ("lose klein; exit voigt", ["lose Klein/Den", "exit Voigt"]),
    ],
)
def test_what_is_typed(typed, exact):
    assert [NOTATION.write(order) for order in read(typed)] == exact  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        ("move nobody 1714", "'nobody' is not a unit"),
        ("move 22/10SX 1714", "Did you mean 22/10SS"),
        ("move 22/10ss starkard", "Did you mean Stargard?"),
        ("move 22/10ss gr", "'gr' is not a place on the map"),
        ("move 22/10ss gross", "'gross' may be "),
        ("move 22/10ss 9999", "Hexes have four digits."),
        ("move 22/10ss", "write it as: move UNIT PATH"),
        ("activate 62", "'62' is not a formation. There are "),
        ("aside 2gt", "2GT is not among the chits of which you can lay one aside"),
        ("aside 62", "'62' is not a chit. There are 10SS, "),
        ("attack pyritz with klein air 9JG", "'9JG' is not an air unit. There are 1JG, "),
        ("attack pyritz klein", "'pyritz_klein' is not a place"),
        ("attack pyritz with", "write it as: attack TARGET with UNITS"),
        ("attack pyritz with klein at 9:1", "'9:1' is not one of the odds"),
        ("attack pyritz with klein after", "write it as: attack TARGET with UNITS"),
        ("rebuild 212 2906 two", "'two' is no"),
        ("retreat 1015", "'1015' is not a unit"),
    ],
)
def test_what_cannot_be_read_says_why(typed, says):
    with pytest.raises(NotationError) as caught:
        read(typed)
    assert says in str(caught.value)


def test_an_advance_is_written_with_its_units_and_hexes():
    order = o.Attack(1307, (1,), advance=(UNIT + number("Kausch"), 1307, 1306))
    assert NOTATION.write(order) == "attack 1307 with Pommern advance Kausch,1307,1306"
    assert NOTATION.show(order) == "attack 1307 with Pommern advance Kausch 1307 1306"
    assert read(NOTATION.show(order)) == (order,)
    said = NOTATION.sentence(order, View(S))
    assert said.endswith(", and advance Kausch to 1307 > 1306.")
    two = replace(order, advance=(*order.advance, UNIT + number("22/10SS"), 1307))
    assert NOTATION.sentence(two, View(S)).endswith(", and advance Kausch to 1307 > 1306 and 22/10SS to 1307.")


def test_a_formation_is_shown_by_the_code_of_its_chit():
    shown = {key: NOTATION.show(o.Activate(key)) for key in o.FORMATIONS.words}
    assert shown["stell_ii"] == "activate StellII"
    assert shown["gc2"] == "activate GC2"  # it has no chit
    assert all(read(text) == (o.Activate(key),) for key, text in shown.items())
    with pytest.raises(NotationError, match=r"There are 10SS, .*StellII"):
        read("activate nobody")
