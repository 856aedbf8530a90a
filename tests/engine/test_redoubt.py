"""A list of fights, stances and the option `asked`, in a whole small game: by script, under the protocol, by mail."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from cheating import Cheats
from games.redoubt import START, TABLE, Attack, Break, Fight, Rest, Turn, game

from pbem.engine.event import Skipped
from pbem.engine.order import Order
from pbem.engine.player import NewStanding
from pbem.engine.policy import SealedPolicy, parse
from pbem.engine.testing import Chance, Driver, ScriptedChance, Table, random_game
from pbem.engine.testing.driver import IllegalOrderError
from pbem.fairplay.items import prove_standing
from pbem.kit.fights import ASKED, Defend, Fate
from pbem.protocol.errors import Refusal

AT_ONCE = ("move r1 0202", "halt")  # Red stands beside nobody yet
FIRST = ("move r2 0301", "move r3 0301", "move r4 0302", "halt")
STANCES = "when hex in 0401 then hold; when hex = 0402 and column > 1 then give; then flexible"


def driver(dice=(), **options) -> Driver:
    found = Driver(game, options=options, chance=ScriptedChance(dict(dice)))
    found.order("red", *FIRST)
    return found


def turn_of(found: Driver) -> Turn:
    frame = next(frame for frame in found.machine.frames if isinstance(frame, Turn))
    assert isinstance(frame, Turn)
    return frame


def skipped(found: Driver) -> list[tuple[int, str, str]]:
    return [(event.number, event.why, event.rule) for event in found.events(Skipped)]


# The list


def test_every_entry_reads_back():
    for text, order in (
        ("attack 0401 with r2,r3", Attack(401, (2, 3))),
        ("attack 0401 with r2 at 2:1 gun advance r2 after 1 unless 2 ask",
         Attack(401, (2,), least=2, gun=True, advance=2, after=1, unless=2, ask=True)),
        ("break 0501 with r2 at 1:1 go after 1", Break(501, 2, least=1, go=True, after=1)),
        ("rest r1 unless 2", Rest(1, unless=2)),
    ):  # fmt: skip
        assert game.notation.read(text) == order
        assert game.notation.write(order) == text
        assert game.orders.read(game.orders.write(order)) == order


def test_entries_are_carried_out_in_their_order_and_what_fails_is_skipped_by_rule():
    found = driver({"t1/0402": 5, "t1/0401": 1})
    found.state.worn.add(1)
    found.order(
        "red",
        "attack 0402 with r4 advance r4",  # ad: both lose a step
        "break 0502 with r4 after 1",
        "attack 0401 with r2,r3 unless 1",  # 1:1, a: Red loses a step
        "rest r1 after 3",
        "rest r1 unless 3",
        "done",
    )
    assert skipped(found) == [(2, "entry 1 was not won", "RD-3"), (4, "entry 3 was not won", "RD-3")]
    assert found.asked == ("blue",)
    assert 1 not in found.state.worn
    assert found.state.worn == {2, 4, 5}


def test_odds_that_have_fallen_and_rules_that_forbid_skip_an_entry():
    found = driver({"t1/0401": 1})
    found.state.worn.update((6, 7))  # 4 defend
    found.order(
        "red",
        "attack 0401 with r2,r3 at 1:1",
        "attack 0402 with r4 at 3:1 after 1",
        "attack 0402 with r4 at 3:1",
        "done",
    )
    assert skipped(found) == [
        (2, "entry 1 was not won", "RD-3"),
        (3, "the odds are 2:1, less than 3:1", "RD-3"),
    ]
    assert "Red: entry 3, attack 0402 with r4 at 3:1, is skipped: the odds are 2:1, less than 3:1 (RD-3)." in [
        line.text for line in found.lines
    ]
    assert found.state.advanced == 0


def test_a_breakthrough_follows_its_attack():
    found = driver({"t1/0402": 4, "t1/0502": 4})
    found.stand("blue", "defence", "then flexible", sealed=True)
    found.order("red", "attack 0402 with r4 gun advance r4", "break 0502 with r4 go after 1", "done")
    assert found.events(Skipped) == ()
    assert found.state.at[4] == 502  # it advanced, and broke through from there
    assert found.state.at[5] == 501


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("attack 0401 with r3,r2", "names its units, each once"),
        ("attack 0401 with b5", "Units of yours attack"),
        ("attack 0501 with r2", "r2 does not stand beside 0501"),
        ("attack 0401 with r2 after 1", "There is no entry 1 before this one"),
        ("attack 0401 with r2 unless -1", "There is no entry -1 before this one"),
        ("attack 0401 with r2 advance r3", "One of the attackers advances"),
        ("break 0501 with r2", "names the attack in which its unit advances"),
        ("rest r2", "r2 has fought, or has lost no step"),
        ("strike 1", "There is no entry 1 that could be struck off"),
    ],
)
def test_what_cannot_be_listed_is_refused_at_once(text, says):
    with pytest.raises(IllegalOrderError) as caught:
        driver().order("red", text)
    assert says in str(caught.value)


def test_a_list_is_bounded():
    found = driver()
    for _ in range(64):
        found.order("red", "attack 0402 with r4")
    assert str(found.why_not("red", "attack 0402 with r4")).startswith("A list has at most 64 entries")


def test_only_an_entry_that_asks_gives_its_owner_the_list_back():
    found = driver({"t1/0402": 4, "t1/0401": 4})
    found.state.worn.add(1)
    found.order("red", "attack 0402 with r4", "attack 0401 with r2,r3 at 1:1 advance r2 ask", "rest r1", "done")
    assert (found.asked, found.need.kind) == (("red",), "listing")
    assert turn_of(found).current == 2
    assert "Entry 2 would be next" in found.machine.prompt("red")
    assert "The list goes back to Red. Still on it: 2 attack 0401 with r2,r3 at 1:1 advance r2 ask; 3 rest r1." in [
        line.text for line in found.lines
    ]
    # What has been fought cannot be changed, nor fought again; what waits can be given up.
    assert str(found.why_not("red", "strike 1")).startswith("There is no entry 1 that could be struck off")
    assert str(found.why_not("red", "attack 0402 with r4")).startswith("r4 has attacked in this turn")
    found.order("red", "strike 3", "rest r1 after 2", "done")
    assert found.asked == ("blue",)
    assert (found.state.at[2], 1 in found.state.worn) == (401, False)
    assert skipped(found) == []


def test_who_asks_is_asked_in_the_middle_of_that_fight_too():
    found = driver({"t1/0402": 1, "t1/0401": 1})
    found.order("red", "attack 0402 with r4 ask", "attack 0401 with r2,r3", "done")
    assert found.state.worn == {4} or found.need.kind == "losing"
    if found.need.kind == "losing":
        found.order("red", "lose r4")
    assert found.asked == ("blue",)
    assert len(found.state.worn) == 2


def test_the_list_comes_back_only_after_something_has_been_fought():
    found = driver({"t1/0402": 1, "t1/0401": 1})
    found.state.worn.add(1)
    found.order("red", "attack 0402 with r4 ask", "rest r1 ask", "done")
    assert found.need.kind != "listing"  # with nothing fought there is nothing to ask about
    if found.need.kind == "losing":
        found.order("red", "lose r4")
    assert (found.asked, turn_of(found).current) == (("red",), 2)
    found.order("red", "strike 2", "attack 0401 with r2,r3 ask", "done")
    assert found.need.kind != "listing"  # the new entry was listed after the fight


# Stances


def test_stances_decide_what_a_result_does():
    for stance, worn, at in (("hold", True, 402), ("flexible", False, 502), ("give", False, 502)):
        found = driver({"t1/0402": 4})
        found.stand("blue", "defence", f"then {stance}", sealed=True)
        found.order("red", "attack 0402 with r4", "done")
        assert (5 in found.state.worn, found.state.at[5]) == (worn, at), stance


def test_a_stance_goes_by_hex_and_column_and_by_name():
    policy = game.policy("defence", "when hex in Kell, 0402 then hold; then give")
    assert str(policy) == "when hex in 501, 402 then hold; then give"
    assert game.policy_text(policy) == "when hex in Kell, 0402 then hold; then give"
    found = driver({"t1/0402": 4})
    found.stand("blue", "defence", "when hex in kell, 0402 then hold; then give")
    found.order("red", "attack 0402 with r4", "done")
    assert 5 in found.state.worn


def test_nobody_is_asked_unless_the_offer_says_so():
    assert game.options == (ASKED,)
    found = driver({"t1/0402": 4})
    found.stand("blue", "defence", "then ask")
    found.stand("blue", "retreating", "then ask")
    found.order("red", "attack 0402 with r4", "done")
    assert found.need.kind == "moving"  # the default has answered
    assert found.state.at[5] == 502
    found = driver({"t1/0402": 4}, asked="combats")
    found.state.at[6] = 502  # so that there is room behind
    found.order("red", "attack 0402 with r4", "done")
    assert (found.asked, found.need.kind) == (("blue",), "defence")
    found.order("blue", "defend flexible")
    assert (found.asked, found.need.kind) == (("blue",), "retreating")
    found.order("blue", "back b5 0401")
    assert found.state.at[5] == 401


def test_nobody_is_asked_in_the_enemys_movement():
    found = Driver(game, options={"asked": "combats"})
    found.state.at = {2: 302, 3: 302, 5: 402, 8: 501}
    found.stand("blue", "falling_back", "then ask")
    found.order("red", "drive 0402")
    assert (found.asked, found.state.at[5]) == (("red",), 401)


# Under the protocol


class Play:
    """A game between two, by script; every record is a mail."""

    def __init__(self, *, mode="strict", umpire=False, seed="0", **options):
        self.table = Table(game, 2, mode=mode, umpire=umpire, seed=seed, options=options)
        self.table.settle()

    @property
    def match(self):
        return self.table.peers[0].match

    def say(
        self, seat: str, texts: Sequence[str | Order], stances: str | None = None, *, sealed=True
    ) -> list[tuple[int, str]]:
        """One record of orders and what programs answer; who wrote what since."""
        number = self.match.genesis.player_of(seat)
        before = len(self.table.records)
        orders = [game.notation.read(text) if isinstance(text, str) else text for text in texts]
        player, match = self.table.peers[number].player, self.table.peers[number].match
        new = [NewStanding(seat, "defence", game.policy("defence", stances), sealed)] if stances else []
        renewed = player.renewed(match) if player.draft(match, orders).seat is None and not new else []
        self.table.order(number, orders, [*new, *renewed])
        self.table.settle()
        assert self.table.agree()
        return [(record.by, record.kind) for record in self.table.records[before:]]

    def standing(self, seat: str):
        return self.match.machine.standing(seat).get("defence")


LIST = (*FIRST, "attack 0402 with r4", "attack 0401 with r2,r3", "rest r1 after 1", "done")


@pytest.mark.parametrize(
    ("mode", "umpire", "expected"),
    [
        ("strict", False, [(0, "orders"), (1, "reveal")]),  # one proof and all dice in one answer
        ("umpire", True, [(0, "orders"), (1, "reveal"), (7, "reveal")]),  # the umpire's program throws
        ("open", False, [(0, "orders"), (1, "reveal")]),
    ],
)
def test_a_turn_of_fights_against_sealed_stances_is_one_mail_and_its_automatic_answer(mode, umpire, expected):
    play = Play(mode=mode, umpire=umpire)
    play.say("red", ["halt", "done"] if play.match.machine.need.kind == "listing" else ["halt"])
    play.say("blue", ["halt"], STANCES)
    sealed = play.standing("blue")
    assert isinstance(sealed, SealedPolicy)
    play.say("red", LIST[:4])
    assert play.match.machine.need.kind == "listing"
    said = play.say("red", LIST[4:])
    assert said == expected
    assert play.standing("blue") == parse(str(game.policy("defence", STANCES)))
    # Blue's own turn seals them anew, unseen, changed or not.
    play.say("blue", ["halt"])
    assert play.match.machine.need.seats == ("blue",)
    play.say("blue", ["done"])
    assert isinstance(play.standing("blue"), SealedPolicy)
    assert play.standing("blue") != sealed


def test_movement_and_list_go_in_one_record():
    play = Play()
    play.say("red", ["halt"])
    play.say("blue", ["halt"], STANCES)
    assert play.say("red", LIST) == [(0, "orders"), (1, "reveal")]
    assert play.match.machine.need.seats == ("blue",)


def test_a_plan_goes_on_behind_a_stance():
    play = Play()
    play.say("red", ["halt"])
    play.say("blue", ["halt"], STANCES)
    asking = (*FIRST, "attack 0402 with r4", "attack 0401 with r2,r3 ask", "done")
    play.say("red", [*asking, "done"])  # the last one for when the list comes back
    assert play.match.machine.need.seats == ("blue",)


def test_a_stance_that_was_opened_is_sealed_again_by_a_takeback():
    play = Play()
    play.say("red", ["halt"])
    play.say("blue", ["halt"], STANCES)
    log = play.table.peers[0].replay.log
    before = [[by, count] for by, count in zip(log.authors, log.vector, strict=True)]
    play.say("red", LIST)
    assert not isinstance(play.standing("blue"), SealedPolicy)
    proposal = play.table.send(0, "takeback", {"to": before})
    play.table.deliver()
    play.table.send(1, "answer", {"to": proposal.id, "yes": True})
    play.table.settle()
    assert play.match.machine.need.seats == ("red",)
    assert isinstance(play.standing("blue"), SealedPolicy)
    assert play.say("red", (*FIRST, "attack 0402 with r4", "done")) == [(0, "orders"), (1, "reveal")]


def test_the_list_does_not_lapse_when_the_defender_is_asked():
    play = Play(asked="combats")
    play.say("red", ["halt"])
    play.say("blue", ["halt"])
    play.say("red", LIST)
    for _ in range(12):
        kind, seats = play.match.machine.need.kind, play.match.machine.need.seats
        if kind == "moving":
            break
        assert seats == ("blue",)
        play.say("blue", [next(iter(play.match.machine.legal("blue")))])
    assert (kind, seats) == ("moving", ("blue",))
    assert not play.match.machine.frame.waiting()  # type: ignore[union-attr]


def test_stances_do_not_change_while_the_enemys_list_is_carried_out():
    play = Play(asked="combats")
    play.say("red", ["halt"])
    play.say("blue", ["halt"])
    play.say("red", LIST)
    assert play.match.machine.need.seats == ("blue",)
    before = play.match.state_hash()
    with pytest.raises(Refusal, match="given in the player's own turn") as caught:
        play.say("blue", ["defend hold"], "then hold")
    assert (caught.value.code, caught.value.author, caught.value.step) == ("E-POLICY", 1, "POL-11")
    assert play.table.peers[0].match.state_hash() == before


def test_the_draft_says_what_an_asked_defender_will_read():
    for asked, told in (
        ("no", ()),
        (
            "combats",
            (
                "A defender who is asked in the middle of this fight will have read "
                "the 2 entries that follow in your list.",
            ),
        ),
    ):
        play = Play(asked=asked)
        play.say("red", ["halt"])
        play.say("blue", ["halt"])
        peer = play.table.peers[0]
        draft = peer.player.draft(peer.match, [game.notation.read(text) for text in LIST])
        assert draft.ahead() == told


# Cheats


class Liar(Cheats):
    """Only what the base class gives for sending bad records."""


@pytest.fixture
def caught() -> Liar:
    """Red's list has been sealed; Blue's program is to open its stances with the dice."""
    play = Play()
    play.say("red", ["halt"])
    play.say("blue", ["halt"], STANCES)
    liar = Liar()
    liar.table = play.table
    orders = [game.notation.read(text) for text in LIST]
    play.table.order(0, orders)
    play.table.deliver()
    return liar


def test_a_defender_who_opens_another_stance_is_refused_and_named(caught):
    caught.cheater = 1
    peer = caught.me
    ((kind, data),) = peer.player.owed(peer.match)
    (answer, *dice) = data["items"]
    what, label, order, proof = answer
    assert (kind, what, order) == ("reveal", "answer", ["defend", "give"])
    hold = game.orders.write(Defend("hold"))
    caught.cheat(caught.make("reveal", {"items": [[what, label, hold, proof], *dice]}), "E-ANSWER")
    caught.cheat(caught.make("reveal", {"items": [[what, label, None, proof], *dice]}), "E-ANSWER")
    caught.cheat(caught.make("reveal", {"items": [[what, label, order, None], *dice]}), "E-ANSWER")
    # Another policy than the one that was committed, though it gives the order claimed.
    nonce, raw = proof[:32], parse("then hold").pack()
    padded = raw + b"\x80" + bytes(1024 - len(raw) - 1)
    caught.cheat(caught.make("reveal", {"items": [[what, label, hold, nonce + padded], *dice]}), "E-ANSWER")
    caught.cheat(caught.make("reveal", {"items": dice}), "E-UNASKED")
    assert prove_standing(peer.match.ledger, peer.player.secrets, "blue", "defence") == proof
    caught.table.settle()
    assert caught.table.agree()


def test_an_attacker_who_changes_the_list_after_a_look_is_refused_and_named(caught):
    caught.cheater = 0
    for text in ("attack 0401 with r2,r3", "done", "strike 2", "halt"):
        caught.cheat(caught.make("orders", caught.orders(game.notation.read(text))), "E-TURN")
    caught.table.settle()  # the fights are over
    for text in ("attack 0401 with r2,r3", "done"):
        data = caught.orders(game.notation.read(text), state=caught.me.match.state_hash())
        caught.cheat(caught.make("orders", data), "E-TURN")


def test_an_attacker_who_asked_may_neither_attack_again_nor_touch_what_was_fought():
    play = Play()
    play.say("red", ["halt"])
    play.say("blue", ["halt"], STANCES)
    play.say("red", (*FIRST, "attack 0402 with r4", "attack 0401 with r2,r3 ask", "done"))
    assert play.match.machine.need.kind == "listing"
    liar = Liar()
    liar.table, liar.cheater = play.table, 0
    for text in ("attack 0402 with r4", "strike 1", "strike 3", "attack 0401 with r2,r3 after 3", "halt"):
        liar.cheat(liar.make("orders", liar.orders(game.notation.read(text), game.notation.read("done"))), "E-ORDER")


# Whole games


@pytest.mark.parametrize("asked", ["no", "combats"])
@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
def test_whole_games_in_every_mode(mode, asked):
    table = Table(game, 2, mode=mode, umpire=mode == "umpire", options={"asked": asked}, seed=mode, careful=True)
    table.play()
    table.check_end()


POLICIES = (
    "then hold", "then give, flexible", "when hex in 401, 402 then hold; then default",
    "when column > 1 then give; then ask", "when hex in 501 then ask; then flexible",
)  # fmt: skip


def restless(mode, asked, seed):
    """A game in which stances change all the time, sealed or public, new or sealed anew; how often one was opened."""
    table = Table(game, 2, mode=mode, umpire=mode == "umpire", options={"asked": asked}, seed=seed, careful=True)
    chosen = Chance(seed)
    for _ in range(400):
        table.settle()
        number = next((by for by in (0, 1) if table.peers[by].match.asked(by)), None)
        if number is None:
            break
        match, player = table.peers[number].match, table.peers[number].player
        (seat,) = match.genesis.seats_of(number)
        orders, new = table.choose(number), player.renewed(match)
        if match.machine.may_change(seat, "defence") and chosen.below(2):
            policy = game.policy("defence", POLICIES[chosen.below(len(POLICIES))])
            new = [NewStanding(seat, "defence", policy, bool(chosen.below(4)))]
        done = player.draft(match, orders).seat is None
        table.order(number, orders, new if done else [])
    table.settle()
    table.check_end()  # with the audit, which looks at all of them
    items = [item for record in table.records if record.kind == "reveal" for item in record.data["items"]]
    return sum(item[0] == "answer" for item in items)


@pytest.mark.parametrize("asked", ["no", "combats"])
@pytest.mark.parametrize("mode", ["strict", "umpire", "open"])
def test_whole_games_in_which_stances_change_all_the_time(mode, asked):
    assert sum(restless(mode, asked, f"{mode}{number}") for number in range(3)) > 1


@pytest.mark.parametrize("seed", "abcde")
def test_random_games_keep_the_contract(seed):
    random_game(game, seed, options={"asked": "combats" if seed < "c" else "no"})


def test_the_dice_of_the_table_can_do_everything():
    assert {sign for row in TABLE.values() for face in row for sign in face} == set("adr")
    assert sorted(START) == list(range(1, 9))
    assert {Fate.WAITING, Fate.STRUCK} < set(Fate)
    assert Fight.kind == "fight"
