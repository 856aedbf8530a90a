"""How orders are typed and written."""

from __future__ import annotations

import pytest
from axis_positions import position, where
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.engine.notation import NotationError
from pbem.engine.order import Order
from pbem_rules.axis1941 import game
from pbem_rules.axis1941.chart import PLACES
from pbem_rules.axis1941.names import CHART, TYPED
from pbem_rules.axis1941.orders import NO_SHIP, Buy, Divert, First, Land, Load, Lose, Move, Promise, Put, piece
from pbem_rules.axis1941.units import KINDS, POWERS, Kind, Power, ship_code

N = game.notation


@pytest.fixture(scope="module")
def context():
    units = (
        "uk: 3 infantry 1 tank United Kingdom; transport SZ8; 2 infantry in transport 1 SZ8; transport SZ7; "
        "transport SZ7; fighter London; infantry Middle East | germany: infantry Germany | ussr: tank Russia"
    )
    driver = position("purchase", "uk", units)
    return driver.context("uk")


def typed(text: str, context) -> list[str]:
    return [N.write(order) for order in N.parse(text, context)]


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("buy 3 infantry 1 tank", ["buy infantry"] * 3 + ["buy tank"]),
        ("buy 2 inf, tank and fig", ["buy infantry", "buy infantry", "buy tank", "buy fighter"]),
        ("buy 2 infantry 1 transport 1 tank", ["buy infantry"] * 2 + ["buy transport", "buy tank"]),
        ("BUY ac bb dd sub tra bmb", ["buy carrier", "buy battleship", "buy destroyer", "buy submarine",
                                      "buy transport", "buy bomber"]),
        ("move 2 infantry 1 tank Ukraine > Caucasus",
         ["move infantry Ukraine > Caucasus"] * 2 + ["move tank Ukraine > Caucasus"]),
        ("move inf ukr cau", ["move infantry Ukraine > Caucasus"]),
        ("move 1 tank West Russia -> Russia", ["move tank West-Russia > Russia"]),
        ("move tank wru to rus", ["move tank West-Russia > Russia"]),
        ("move tank ukr > wru > rus", ["move tank Ukraine > West-Russia > Russia"]),
        ("move tank germany>eastern europe>karelia", ["move tank Germany > Eastern-Europe > Karelia"]),
        ("move transport 1 sz8 > sz7", ["move transport-1 SZ8 > SZ7"]),
        ("move transport sz 8 > sea zone 7", ["move transport-1 SZ8 > SZ7"]),
        ("move 2 transports sz7 > sz8", ["move transport-2 SZ7 > SZ8", "move transport-3 SZ7 > SZ8"]),
        ("sortie fighter london sz6", ["move fighter United-Kingdom > SZ6"]),
        ("move sub sz8 > sz9 > sz10", ["move submarine SZ8 > SZ9 > SZ10"]),
        ("load 2 infantry United Kingdom > transport 2", ["load infantry United-Kingdom uk-transport-2"] * 2),
        ("load tank london usa transport 1", ["load tank United-Kingdom usa-transport-1"]),
        ("land 2 inf transport 1 > norway", ["land infantry uk-transport-1 Norway-Finland"] * 2),
        ("land transport 1 > norway", ["land infantry uk-transport-1 Norway-Finland"] * 2),
        ("move tra1 sz8 > sz7", ["move transport-1 SZ8 > SZ7"]),
        ("move transport-1 sz8 > sz7", ["move transport-1 SZ8 > SZ7"]),
        ("move transport#1 sz8 > sz7", ["move transport-1 SZ8 > SZ7"]),
        ("land all tra1 > germany", ["land infantry uk-transport-1 Germany"] * 2),
        ("move transport 1 > sz7", ["move transport-1 SZ8 > SZ7"]),
        ("move transport 1 sz7", ["move transport-1 SZ8 > SZ7"]),
        ("move tra1 > sz9 > sz10", ["move transport-1 SZ8 > SZ9 > SZ10"]),
        ("move transport-1 transport-2 > sz9", ["move transport-1 SZ8 > SZ9", "move transport-2 SZ7 > SZ6 > SZ9"]),
        ("move inf mi > india", ["move infantry Middle-East > India"]),  # Midway holds none
        ("attack sz5 sz16", ["attack SZ5", "attack SZ16"]),
        ("ignore sz5", ["ignore SZ5"]),
        ("first ukraine, sz5", ["first Ukraine", "first SZ5"]),
        ("first west russia", ["first West-Russia"]),
        ("promise carrier 1 sz40", ["promise uk-carrier-1 SZ40"]),
        ("promise new carrier sz8", ["promise - SZ8"]),
        ("lose 2 infantry 1 tank", ["lose infantry", "lose infantry", "lose tank"]),
        ("lose damage", ["lose damage"]),
        ("submerge 2", ["submerge", "submerge"]),
        ("retreat to west russia", ["retreat West-Russia"]),
        ("retreat", ["retreat United-Kingdom"]),  # nobody asks for it: the rules say what is asked
        ("divert gibraltar", ["divert Gibraltar -"]),
        ("place 2 infantry 1 tank london", ["place infantry United-Kingdom United-Kingdom"] * 2
         + ["place tank United-Kingdom United-Kingdom"]),
        ("place transport sz8", ["place transport SZ8 United-Kingdom"]),
        ("place destroyer sz29 by india", ["place destroyer SZ29 India"]),
        ("forbid usa deck", ["share deck usa no"]),
        ("buy 2inf 1xtank", ["buy infantry"] * 2 + ["buy tank"]),
        ("move inf ukr > uk", ["move infantry Ukraine >> United-Kingdom"]),
        ("move tank wr > ee", ["move tank West-Russia > Eastern-Europe"]),
        ("place infantry uk", ["place infantry United-Kingdom United-Kingdom"]),
        ("load tank uk > uk transport 1", ["load tank United-Kingdom uk-transport-1"]),
        ("move inf ukr > ukr", ["move infantry Ukraine >> Ukraine"]),
        ("buy tank; buy 2 inf; done", ["buy tank", "buy infantry", "buy infantry", "done"]),
    ],
)  # fmt: skip
def test_what_players_type(context, text, orders):
    assert typed(text, context) == orders


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("share deck usa no", "forbid usa deck"),
        ("share hold usa yes", "allow usa hold"),
        ("load infantry United-Kingdom uk-transport-1", "load infantry United-Kingdom > uk-transport-1"),
        ("land infantry uk-transport-1 Norway-Finland", "land infantry uk-transport-1 > Norway-Finland"),
        ("promise - SZ8", "promise new carrier SZ8"),
        ("promise uk-carrier-1 SZ40", "promise uk-carrier-1 SZ40"),
        ("divert Gibraltar -", "divert Gibraltar"),
        ("divert SZ14 uk-carrier-1", "divert SZ14 uk-carrier-1"),
        ("place infantry United-Kingdom United-Kingdom", "place infantry United-Kingdom"),
        ("place transport SZ8 United-Kingdom", "place transport SZ8 by United-Kingdom"),
        ("move tank West-Russia > Russia", "move tank West-Russia > Russia"),
        ("done", "done"),
    ],
)
def test_orders_are_shown_as_a_player_would_write_them(context, text, shown):
    order = N.read(text)
    assert N.show(order) == shown
    if not text.startswith("divert SZ14"):  # the carrier is not there
        assert N.parse(shown, context) == (order,)


@pytest.mark.parametrize(
    ("text", "what", "says"),
    [
        ("buy 2 cruisers", "invalid", "infantry, tank"),
        ("buy", "invalid", "buy 3 infantry"),
        ("buy 3", "invalid", "buy 3 infantry"),
        ("buy 0 infantry", "invalid", "give at least one unit"),
        ("buy 1 artillery", "invalid", "'artillery' is not a unit"),
        ("move tank ws > rus", "unknown", "'ws'"),
        ("move infantry ukrain > caucasis", "unknown", "Caucasus"),
        ("move infantry north > russia", "ambiguous", "North-Africa"),
        ("move infantry", "invalid", "move UNITS FROM > TO"),
        ("move transport sz7 > sz8", "invalid", "transport 2, transport 3"),
        ("move transport 9 > sz8", "invalid", "you have no transport 9"),
        ("move transport > sz8", "invalid", "A place is missing"),
        ("move transport 1", "invalid", "move UNITS FROM > TO"),
        ("move tank east > karelia", "ambiguous", "Eastern-Europe"),
        ("load infantry london", "invalid", "transport 1, transport 2, transport 3"),
        ("land transport 2 > norway", "invalid", "nothing of yours is aboard transport 2: name"),
        ("attack sz50", "unknown", "no place"),
        ("promise carrier sz40", "invalid", "promise carrier N"),
        ("lose cruiser", "invalid", "is not a loss"),
        ("share deck uk", "invalid", "share deck"),
        ("buy 999 infantry", "invalid", "200"),
        ("conquer berlin", "unknown", "Orders now begin with: done, "),
        ("buy 3 inf 1 ar", "invalid", "'ar' is not a unit"),
        ("buy 3 inf 2", "invalid", "no unit follows 2"),
        ("allow usa", "invalid", "allow POWER deck|hold"),
        ("move tank berlin > warsaw", "unknown", "There is no place 'warsaw' on the map. Zones are"),
        ("move tank berlin > karelja", "unknown", "Did you mean Karelia?"),
    ],
)
def test_errors_say_what_was_meant(context, text, what, says):
    with pytest.raises(NotationError) as caught:
        N.parse(text, context)
    assert caught.value.what == what
    assert says in str(caught.value)


def test_every_place_is_found_by_its_word_and_its_short_forms():
    for place, word in enumerate(CHART.words):
        assert where(word) == place
    for each in CHART.territories:
        for text in (each.name, each.name.lower(), *each.short, *filter(None, [each.capital])):
            assert where(text) == each.place


def test_abbreviations_are_distinct():
    texts = [short for each in CHART.territories for short in each.short]
    assert len(texts) == len(set(texts))
    assert TYPED.kind("tr") is Kind.TRANSPORT


places = st.integers(0, PLACES - 1)
kinds = st.sampled_from(KINDS)
ships = st.one_of(
    st.just(NO_SHIP),
    st.builds(ship_code, st.sampled_from(POWERS), st.sampled_from([Kind.TRANSPORT, Kind.CARRIER]), st.integers(1, 99)),
)
orders = st.one_of(
    st.builds(Buy, kinds),
    st.builds(Move, st.builds(piece, kinds, st.integers(0, 99)), st.lists(places, min_size=1, max_size=4).map(tuple)),
    st.builds(Load, kinds, places, ships),
    st.builds(Land, kinds, ships, places),
    st.builds(First, places),
    st.builds(Promise, ships, places),
    st.builds(Divert, places, ships),
    st.builds(Put, kinds, places, places),
    st.builds(Lose, st.integers(0, 9)),
)


@settings(max_examples=200)
@given(orders)
def test_texts_and_bytes_read_back(order):
    assert N.read(N.write(order)) == order
    assert game.orders.unpack(game.orders.pack(order)) == order


@settings(max_examples=200)
@given(text=st.text(st.sampled_from("buymove land load plce1234 >;,-szuktra#"), max_size=40))
def test_nonsense_is_refused_in_words(text):
    try:
        orders = N.parse(text, POSITION.context("uk"))
    except NotationError:
        return
    assert all(isinstance(order, Order) for order in orders)


POSITION = position("purchase", "uk", "uk: infantry London; transport SZ8 | germany: infantry Germany")


def test_powers_have_names():
    assert {TYPED.power(word) for word in ("Soviet", "germans", "british", "japanese", "us")} == set(Power)
