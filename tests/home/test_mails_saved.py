"""What standing orders are for: a half-turn with several attacks costs one mail by a person and one by a program."""

from desks import carry, start, took, two

from pbem.home import intake, orders, sending, summary
from tests.bounded import attempts

POLICIES = {
    "advance": "then default",
    "answer": "then pass",
    "counter": "then decline",
    "react": "then pass",
    "retreat": "then default",
}
SEALED = ("answer", "react")


def prepare(desk, name):
    for seat, decision, text, _ in orders.move(desk, name).standing_rows():
        if not text:
            orders.set_standing(desk, name, seat, decision, POLICIES[decision], sealed=decision in SEALED)


def attack(desk, name):
    """A bot's moves, then every attack that can be declared; how many."""
    moves = orders.bot(desk, name, "sensible")
    if "done" not in moves:
        return 0
    orders.undo(desk, name, None)
    orders.order(desk, name, moves[: moves.index("done") + 1])
    count = 0
    while orders.move(desk, name).asked():
        attacks = list(orders.move(desk, name).legal("attack"))
        if not attacks:
            orders.order(desk, name, ["done"])
            break
        orders.order(desk, name, attacks[:1])
        count += 1
    return count


def battles(desk, name):
    history = desk.load(name).replay.history()
    return sum(draw.label.endswith("/crt") for _, accepted in history for draw in accepted.draws)


def test_four_attacks_cost_one_mail_and_one_answer(tmp_path):
    desks = two(tmp_path)
    name = start(*desks, scenario="crossing")
    most = 0
    for _ in attempts(200, "nobody attacks four times in a turn"):
        if most >= 4:
            break
        mover = next(desk for desk in desks if summary.row(desk, name).my_move)
        other = desks[0] if mover is desks[1] else desks[1]
        prepare(mover, name)
        declared, before = attack(mover, name), battles(mover, name)
        sealed = sending.send(mover, name).posted
        (opened,) = took(intake.open_bytes(other, sealed.raw))
        if declared:
            (answer,) = opened.posted
            assert answer.automatic
            took(intake.open_bytes(mover, answer.raw))
            fought = battles(mover, name) - before
            assert fought <= declared
            most = max(most, fought)
            assert not any(word in each.text for each in summary.row(mover, name).owed for word in POLICIES)
            carry(*desks, [(other, answer)])
        else:
            carry(*desks, [(other, each) for each in opened.posted])
