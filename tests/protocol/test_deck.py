"""The arithmetic of the deck: scalars, points, passes (HID-10..HID-17)."""

import random
from math import gcd

import pytest
from deckplay import opened
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.fairplay import deck
from pbem.fairplay.deck import Pass, Plan, Returned
from pbem.protocol.errors import Refusal
from pbem.protocol.montgomery import FIX, L, P, clamp, clamped, is_sound

A24 = (486_662 - 2) // 4
TWIST = 2**253 - 55484635554744707071703875581767296995


def ladder(k: int, u: int) -> int | None:
    """k times the point with this u, for any k, unclamped; None for the point at infinity. As in RFC 7748."""
    x2, z2, x3, z3 = 1, 0, u, 1
    for t in range(k.bit_length() - 1, -1, -1):
        bit = k >> t & 1
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
        a, b, c, d = x2 + z2, x2 - z2, x3 + z3, x3 - z3
        aa, bb, da, cb = a * a, b * b, d * a, c * b
        e = aa - bb
        x3, z3 = (da + cb) ** 2 % P, u * (da - cb) ** 2 % P
        x2, z2 = aa * bb % P, e * (aa + A24 * e) % P
        if bit:
            x2, z2, x3, z3 = x3, z3, x2, z2
    return None if z2 % P == 0 else x2 * pow(z2, -1, P) % P


def write(u: int) -> bytes:
    return u.to_bytes(32, "little")


def read(raw: bytes) -> int:
    return int.from_bytes(raw, "little")


def on_curve(u: int) -> bool:
    return pow(u**3 + 486_662 * u * u + u, (P - 1) // 2, P) == 1


def mixed_point() -> int:
    """A point of the curve with a part of order 8."""
    u = 2
    while not (on_curve(u) and ladder(4 * L, u) is not None):
        u += 1
    return u


def small_orders() -> list[int]:
    eighth = ladder(L, mixed_point())
    return [0, P - 1, eighth, ladder(3, eighth), ladder(2, eighth)]


# Scalars


@given(st.integers(min_value=2**130, max_value=L - 2**130))
def test_a_residue_has_one_clamped_form_up_to_sign(v):
    s = clamp(v)
    assert 2**254 <= s < 2**255
    assert s % 8 == 0
    assert s % L in (v, L - v)
    assert clamp(L - v) == s
    forms = [w + k * L for w in (v, L - v) for k in range(12)]
    assert [w for w in forms if 2**254 <= w < 2**255 and w % 8 == 0] == [s]


@given(st.integers(2**130, L - 2**130), st.integers(2**130, L - 2**130))
def test_products_and_inverses_hold_up_to_sign(v, w):
    x, y = clamp(v), clamp(w)
    assert deck.product(x, y) % L in (v * w % L, -v * w % L)
    assert deck.product(x, deck.inverse(x)) == FIX


def test_x25519_multiplies_by_the_scalar_itself():
    u = deck.card_point("deck", 0)
    scalar = clamp(12345)
    assert read(deck.multiply(scalar, u)) == ladder(scalar, read(u)) == ladder(12345, read(u))


@given(st.binary(min_size=0, max_size=40))
def test_keys_from_outside_are_clamped_forms_or_refused(raw):
    s = read(raw)
    if len(raw) == 32 and 2**254 <= s < 2**255 and s % 8 == 0:
        assert deck.read_scalar(raw) == s
    else:
        with pytest.raises(Refusal) as caught:
            deck.read_scalar(raw)
        assert (caught.value.code, caught.value.step) == ("E-PROMISE", "HID-15")


def test_keys_at_the_edges():
    assert deck.read_scalar(write(2**254)) == 2**254
    assert not any(k * L % 8 == 0 and 2**254 <= k * L < 2**255 for k in range(10))  # no key is zero mod l
    for s in (*range(9), 2**254 - 8, 2**254 + 4, 2**255 - 1, 2**255, 2**256 - 8):
        with pytest.raises(Refusal, match="E-PROMISE"):
            deck.read_scalar(write(s))


def test_secret_scalars_differ_in_every_field():
    gs = bytes(32)
    fields = [("deck", 1, "mask", 0), ("dock", 1, "mask", 0), ("deck", 2, "mask", 0), ("deck", 1, "slot", 0)]
    fields.append(("deck", 1, "mask", 1))
    made = {deck.secret_scalar(gs, *each) for each in fields}
    made.add(deck.secret_scalar(b"\x01" + bytes(31), *fields[0]))
    assert len(made) == 6
    assert all(deck.read_scalar(deck.write_scalar(s)) == s for s in made)


# Points


def test_the_fixed_scalar_tells_points_of_order_l_from_all_others():
    """What makes X(f, u) = u a complete test: on the twist no point but infinity is its own f-fold, up to sign."""
    assert 8 * L + 4 * TWIST == 2 * P + 2  # both orders: every u is on the curve or on its twist
    assert FIX % 8 == 0
    assert FIX % L in (1, L - 1)
    assert gcd(FIX - 1, 4 * TWIST) == gcd(FIX + 1, 4 * TWIST) == 1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, P - 1))
def test_soundness_is_membership_of_the_prime_order_group(u):
    assert is_sound(write(u)) == (on_curve(u) and ladder(L, u) is None)
    cleared = ladder(8, u)
    if on_curve(u) and cleared is not None:
        assert is_sound(write(cleared))


@pytest.mark.parametrize("u", [*small_orders(), mixed_point(), P + 9, 2**255 - 1])
def test_points_that_must_not_pass(u):
    assert not is_sound(write(u))


@pytest.mark.parametrize("raw", [b"", bytes(31), bytes(33), write(2**255 + read(deck.card_point("deck", 0)))])
def test_other_spellings_of_points_do_not_pass(raw):
    assert not is_sound(raw)


def test_card_points_are_sound_and_differ():
    points = {deck.card_point(name, card) for name in ("deck", "dock") for card in range(60)}
    assert len(points) == 120
    assert all(is_sound(point) for point in points)


# Passes

GAME = b"g" * 32


def shuffle(plan, secrets, back=()):
    """All passes of a plan by A (0) and B (1): the points of the slots."""
    before = ()
    for stage, side in enumerate(plan.stages, 1):
        by = "AB".index(side)
        made = deck.make_pass(secrets[by].gs, plan, stage, by, before, [each[by] for each in back])
        before = deck.check_pass(plan, stage, made)
    return before


def own(secrets, plan, j):
    return tuple(deck.own_key(secrets[by].gs, plan, "AB"[by], j) for by in (0, 1))


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.integers(1, 12))
def test_every_slot_decodes_to_its_own_card(number, size):
    secrets = [opened(number, by) for by in (0, 1)]
    plan = Plan(GAME, "deck", 1, tuple(range(size)))
    points = shuffle(plan, secrets)
    cards = [deck.decode("deck", plan.cards, point, *own(secrets, plan, j)) for j, point in enumerate(points)]
    assert sorted(cards) == list(plan.cards)


def test_a_deck_of_54_with_a_reshuffle():
    secrets = [opened("whole", by) for by in (0, 1)]
    first = Plan(GAME, "deck", 1, tuple(range(54)))
    points = shuffle(first, secrets)
    cards = [deck.decode("deck", first.cards, point, *own(secrets, first, j)) for j, point in enumerate(points)]
    back = [[Returned(points[j], key) for key in own(secrets, first, j)] for j in range(20)]
    second = Plan(GAME, "deck", 2, tuple(sorted(cards[30:])), 20)
    again = shuffle(second, secrets, back)
    found = [deck.decode("deck", first.cards, point, *own(secrets, second, j)) for j, point in enumerate(again)]
    assert sorted(found) == sorted(cards[:20] + cards[30:])
    assert found != cards[30:] + cards[:20]
    assert set(again).isdisjoint(points)


def test_both_players_shuffle_matters():
    """With one player's secret unchanged and the other's new, the order is another: neither decides it alone."""
    plan = Plan(GAME, "deck", 1, tuple(range(20)))
    orders = set()
    for pair in (("a", "b"), ("x", "b"), ("a", "x")):
        secrets = [opened(word) for word in pair]
        points = shuffle(plan, secrets)
        orders.add(tuple(deck.decode("deck", plan.cards, u, *own(secrets, plan, j)) for j, u in enumerate(points)))
    assert len(orders) == 3


def test_one_key_alone_says_nothing_that_decodes():
    secrets = [opened(by) for by in (0, 1)]
    plan = Plan(GAME, "deck", 1, tuple(range(20)))
    for j, point in enumerate(shuffle(plan, secrets)):
        for key in own(secrets, plan, j):
            assert deck.decode("deck", plan.cards, point, key, FIX) is None


def test_decoding_with_keys_whose_product_has_no_clamped_form():
    """Two players in league can choose such keys; the result is that of the definition."""
    v = next(v for v in range(1, 100) if clamped(v) is None and clamped(L - v) is None)
    one = clamp(random.Random(1).randrange(L))
    other = clamp(pow(v * one, -1, L))
    with pytest.raises(ArithmeticError):
        deck.inverse(one * other)
    point = deck.multiply(one, deck.multiply(other, deck.card_point("deck", 3)))
    assert deck.decode("deck", tuple(range(5)), point, one, other) == 3
    assert deck.decode("deck", (0, 1), point, one, other) is None


def refused(plan, stage, made):
    with pytest.raises(Refusal) as caught:
        deck.check_pass(plan, stage, made)
    return caught.value.code, caught.value.step


def test_one_card_passed_off_as_two_points_is_refused():
    """With a point of small order added, two points differ until the next lock makes them one: a card twice over."""
    mixed = mixed_point()
    clean = read(deck.multiply(FIX, write(mixed)))
    mask = clamp(777)
    odd = next(mask + k * L for k in range(8) if (mask + k * L) % 8 == 1)  # the same mod l, and odd
    one, two = ladder(mask, clean), ladder(odd, mixed)
    assert one != two
    assert on_curve(two)
    lock = clamp(999)
    assert deck.multiply(lock, write(one)) == deck.multiply(lock, write(two))
    plan = Plan(GAME, "deck", 1, (0, 1))
    assert refused(plan, 1, Pass(write(one) + write(two), b"")) == ("E-DECK", "HID-14")


def test_a_commitment_binds_every_field():
    plans = [Plan(GAME, "deck", 1, (0,)), Plan(GAME, "dock", 1, (0,)), Plan(GAME, "deck", 2, (0,))]
    made = {deck.release_commitment(plan, 0, 0, bytes(32)) for plan in (*plans, Plan(b"h" * 32, "deck", 1, (0,)))}
    made |= {deck.release_commitment(plans[0], *of) for of in ((1, 0, bytes(32)), (0, 1, bytes(32)), (0, 0, b"k" * 32))}
    assert len(made) == 7


def test_secrets_do_not_show():
    assert "9999" not in repr(Returned(bytes(32), 9999))
