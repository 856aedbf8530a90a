"""What an umpire needs to know of a game, from its records and when they came."""

from desks import carry, desk_at, introduce, start, two, umpired
from games.duel import duel

from pbem.home import acts, describe, offers, orders, sending, summary
from pbem.umpire import facts


def fresh(desk, name):
    """Without what is kept beside the game."""
    key = desk.key(name)
    (desk.paths.games / key.hex() / "cache" / "facts").unlink(missing_ok=True)
    return facts.facts(desk, key)


def three(tmp_path):
    """Alice and Bob, with Una as their umpire."""
    homes = [desk_at(tmp_path / name, name, find_game=lambda _: duel()) for name in ("alice", "bob", "una")]
    for home, name in zip(homes, ("Alice Kern", "Bob Silva", "Una Umpire"), strict=True):
        home.new_identity(name, f"{name.split()[0].casefold()}@example.org", "")
    introduce(*homes)
    alice, bob, una = homes
    name = umpired(una, (alice, bob), "duel", {"ann": "alice", "bob": "bob"}, mode="umpire")
    return alice, bob, una, name


def order(desk, name):
    while orders.move(desk, name).asked():
        orders.order(desk, name, [next(orders.move(desk, name).legal())])
    return sending.send(desk, name).posted


def test_before_the_start_nobody_was_asked_anything(tmp_path):
    alice, _ = two(tmp_path)
    name, _ = offers.offer(alice, "bridgehead", seats={"blue": "me", "red": "bob"})
    found = facts.facts(alice, alice.key(name))
    assert (found.began_at, found.answered, found.over, found.sides) == (0, (), False, ("blue", "red"))
    assert [(due.by, due.what) for due in found.due] == [(1, "join")]


def test_a_game_that_is_not_here(tmp_path):
    assert facts.facts(two(tmp_path)[0], bytes(32)) is None


def test_every_order_is_an_answer_to_what_was_asked_before_it_came(tmp_path):
    alice, bob, una, name = three(tmp_path)
    desks = (alice, bob, una)
    for _ in range(60):
        mover = next((desk for desk in (alice, bob) if summary.row(desk, name).my_move), None)
        if mover is None:
            break
        carry(*desks, [(mover, order(mover, name))])
        found = fresh(una, name)
        assert found == facts.facts(una, una.key(name)), "what is kept is what is made"
        assert facts.facts(una, una.key(name)) == found
    log = describe.log(una, name)
    orders = [line for line in log if line.kind == "orders"]
    answered = [each for each in found.answered if each.question.what == "orders"]
    assert [each.record.hex() for each in answered] == [line.id for line in orders]
    for each, line in zip(answered, orders, strict=True):
        earlier = [other.arrived for other in log[: log.index(line)]]
        assert each.answered_at == line.arrived
        assert each.question.arose_at in earlier
        assert each.question.arose_at <= each.question.cited_at <= each.answered_at
    assert found.over
    assert found.audited == ""
    assert found.ended_by in ("orders", "reveal")
    assert found.players == (alice.people.me().identity, bob.people.me().identity)


def test_rulings_that_count_are_told_with_their_reasons(tmp_path):
    alice, bob, una, name = three(tmp_path)
    posted = acts.rule(una, name, "extension", player="bob", seconds=500, why="A storm")
    carry(alice, bob, una, [(una, posted)])
    posted = acts.rule(una, name, "forfeit", seats=["bob"], why="He left")
    carry(alice, bob, una, [(una, posted)])
    found = fresh(alice, name)
    assert [(each.what, each.player, each.seconds, each.why) for each in found.ruled] == [
        ("extension", 1, 500, "A storm"),
        ("forfeit", None, 0, "He left"),
    ]
    assert (found.over, found.winner, found.ended_by) == (True, duel().seats[0].side, "forfeit")
    assert found.answered == ()


def test_what_a_program_owes_counts_only_when_it_took_long(played):
    alice, _, name = played
    quick = fresh(alice, name)
    assert {each.question.what for each in quick.answered} == {"orders"}
    assert sum(each.question.by == 0 for each in quick.answered) > 3


def test_a_reveal_that_took_two_hours_is_told(tmp_path):
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    for _ in range(20):
        mover = alice if summary.row(alice, name).my_move else bob
        orders.bot(mover, name, "random")
        posted = sending.send(mover, name).posted
        before = mover.clock
        late = before() + 7_200
        mover.clock = lambda: late  # noqa: B023 - used within this turn
        carry(alice, bob, [(mover, posted)])
        slow = [each for each in fresh(mover, name).answered if each.question.what != "orders"]
        mover.clock = before
        if slow:
            break
    assert slow[0].question.by == (1 if mover is alice else 0)
    assert slow[0].answered_at - slow[0].question.arose_at >= 3_600


def test_a_cache_that_is_damaged_is_no_cache(tmp_path):
    alice, bob = two(tmp_path)
    name = start(alice, bob)
    found = facts.facts(alice, alice.key(name))
    assert {each.question.what for each in found.answered} <= {"orders"}
    path = alice.paths.games / alice.key(name).hex() / "cache" / "facts"
    for raw in (b"", b"\x93\x01\x02\x03", b"\xff" * 50):
        path.write_bytes(raw)
        assert facts.facts(alice, alice.key(name)) == found
