"""What standing orders are for: a half-turn with several attacks costs one mail by a person and one by a program."""

from desks import carry, start, took, two

POLICIES = {
    "advance": "then default",
    "answer": "then pass",
    "counter": "then decline",
    "react": "then pass",
    "retreat": "then default",
}
SEALED = ("answer", "react")


def prepare(desk, name):
    for seat, decision, text, _ in desk.standing(name):
        if not text:
            desk.set_standing(name, seat, decision, POLICIES[decision], sealed=decision in SEALED)


def attack(desk, name):
    """A bot's moves, then every attack that can be declared; how many."""
    moves = desk.bot(name, "sensible")
    if "done" not in moves:
        return 0
    desk.undo(name, None)
    desk.order(name, moves[: moves.index("done") + 1])
    count = 0
    while desk.asked(name):
        attacks = list(desk.legal(name, "attack"))
        if not attacks:
            desk.order(name, ["done"])
            break
        desk.order(name, attacks[:1])
        count += 1
    return count


def battles(desk, name):
    history = desk._context.load(name).replay.history()
    return sum(draw.label.endswith("/crt") for _, accepted in history for draw in accepted.draws)


def test_four_attacks_cost_one_mail_and_one_answer(tmp_path):
    desks = two(tmp_path)
    name = start(*desks, scenario="crossing")
    most = 0
    while most < 4:
        mover = next(desk for desk in desks if desk.row(name).my_move)
        other = desks[0] if mover is desks[1] else desks[1]
        prepare(mover, name)
        declared, before = attack(mover, name), battles(mover, name)
        sealed = mover.send(name)
        (opened,) = took(other.open(sealed.raw))
        if declared:
            (answer,) = opened.posted
            assert answer.automatic
            took(mover.open(answer.raw))
            fought = battles(mover, name) - before
            assert fought <= declared
            most = max(most, fought)
            assert not any(word in each.text for each in mover.row(name).owed for word in POLICIES)
            carry(*desks, [(other, answer)])
        else:
            carry(*desks, [(other, each) for each in opened.posted])
