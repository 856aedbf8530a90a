"""A turn of fights between two homes: what is mailed, what is sealed, what a player reads before sealing."""

import pytest
from desks import start, took, two
from games.redoubt import game

from pbem.home import intake, orders, sending, summary

MOVES = ("move r2 0301", "move r3 0301", "move r4 0302", "halt")
LIST = ("attack 0402 with r4 gun advance r4", "break 0502 with r4 go after 1", "attack 0401 with r2,r3 at 1:1", "done")


def started(tmp_path, **options):
    desks = two(tmp_path, find_game=lambda _: game)
    name = start(*desks, "redoubt", {"red": "me", "blue": "bob"}, mode="strict", options=options)
    return *desks, name


def state(desk, name, kind="defence"):
    return next((text, how) for _, decision, text, how in orders.move(desk, name).standing_rows() if decision == kind)


def mail(sender, other, name):
    """One file is sent; the files that programs send by themselves because of it."""
    (opened,) = took(intake.open_bytes(other, sending.send(sender, name).posted.raw))
    answers = list(opened.posted)
    for answer in answers:
        assert answer.automatic
        took(intake.open_bytes(sender, answer.raw))
    return answers


def in_the_middle(tmp_path):
    """Blue is asked in the middle of Red's list."""
    red, blue, name = started(tmp_path, asked="combats")
    orders.order(red, name, ["halt"])
    mail(red, blue, name)
    orders.order(blue, name, ["halt"])
    mail(blue, red, name)
    orders.order(red, name, [*MOVES, *LIST])
    mail(red, blue, name)
    return red, blue, name


@pytest.mark.parametrize("asked", ["no", "combats"])
def test_a_turn_of_fights_is_one_mail_and_its_dice_come_with_the_answer(tmp_path, asked):
    red, blue, name = started(tmp_path, asked=asked)
    orders.order(red, name, ["halt"])
    assert mail(red, blue, name) == []
    orders.set_standing(blue, name, None, "defence", "when hex in kell, 0402 then flexible; then hold")
    orders.set_standing(blue, name, None, "retreating", "then default")
    orders.set_standing(blue, name, None, "losing", "then default")
    assert state(blue, name) == ("when hex in Kell, 0402 then flexible; then hold", "sealed with your next orders")
    orders.order(blue, name, ["halt"])
    mail(blue, red, name)
    assert state(blue, name)[1] == "sealed"
    unasked = asked == "no"
    assert state(red, name) == (("then flexible", "default") if unasked else ("", ""))
    usual = "then weakest", "default; you are asked only in attacks of yours with “ask”"
    assert state(red, name, "losing") == (usual if unasked else ("", ""))
    (preset,) = (row for row in orders.move(red, name).presets() if row.name == "ask-everything")
    assert dict(preset.standing)["defence"] == "unchanged"
    assert dict(preset.standing)["losing"] == ("then weakest" if unasked else "")
    orders.order(red, name, [*MOVES, *LIST])
    after = sending.preview(red, name).after
    warned = (
        "A defender who is asked in the middle of this fight will have read the 2 entries that follow in your list."
    )
    assert (warned in after) == (asked == "combats")
    assert mail(red, blue, name) == []  # stances and dice travel with Blue's orders
    assert summary.row(blue, name).my_move
    assert state(blue, name)[1] == "public"  # opened with the dice

    # Blue changes nothing; with the end of Blue's turn the stances are sealed anew.
    orders.order(blue, name, ["halt", "done"])
    assert mail(blue, red, name) == []
    assert state(blue, name)[1] == "sealed"
    assert summary.row(red, name).my_move


def test_a_stance_given_in_the_enemys_turn_waits_for_ones_own(tmp_path):
    red, blue, name = in_the_middle(tmp_path)
    assert orders.move(blue, name).asked() == ("blue",)  # in the middle of Red's list
    orders.set_standing(blue, name, None, "defence", "then hold")
    orders.set_standing(blue, name, None, "losing", "then strongest")
    orders.order(blue, name, ["defend flexible"])
    mail(blue, red, name)
    assert state(blue, name) == ("then hold", "sealed with your next orders")
    assert state(blue, name, "losing") == ("then strongest", "public")
    for _ in range(9):
        if summary.row(blue, name).my_move and "halt" in orders.move(blue, name).legal("h"):
            break
        mover, other = (blue, red) if summary.row(blue, name).my_move else (red, blue)
        orders.order(mover, name, [next(iter(orders.move(mover, name).legal("")))])
        mail(mover, other, name)
    orders.order(blue, name, ["halt", "done"])
    mail(blue, red, name)
    assert state(blue, name) == ("then hold", "sealed")


def test_a_stance_that_waits_survives_a_stop_right_after_sealing(tmp_path, monkeypatch):
    red, blue, name = in_the_middle(tmp_path)
    orders.set_standing(blue, name, None, "defence", "then hold")
    orders.set_standing(blue, name, None, "losing", "then strongest")
    orders.order(blue, name, ["defend flexible"])
    save = orders.save

    def stop(store, draft):
        if draft.sealing is None:
            raise KeyboardInterrupt
        save(store, draft)

    with monkeypatch.context() as cut:
        cut.setattr(orders, "save", stop)
        with pytest.raises(KeyboardInterrupt):
            sending.send(blue, name)
    mail(blue, red, name)
    assert state(blue, name) == ("then hold", "sealed with your next orders")  # not sealed with the other one
    assert state(blue, name, "losing") == ("then strongest", "public")
    assert orders.move(blue, name).drafted().orders == []


def test_a_stance_may_be_public(tmp_path):
    red, blue, name = started(tmp_path)
    orders.order(red, name, ["halt"])
    mail(red, blue, name)
    orders.set_standing(blue, name, None, "defence", "then hold", sealed=False)
    orders.order(blue, name, ["halt"])
    mail(blue, red, name)
    assert state(blue, name) == ("then hold", "public")
    orders.order(red, name, ["halt"])
    mail(red, blue, name)
    orders.order(blue, name, ["halt"])
    mail(blue, red, name)
    assert state(blue, name) == ("then hold", "public")
