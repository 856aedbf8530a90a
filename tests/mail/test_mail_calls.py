"""A tournament by mail: an umpire calls, two players accept once, and everything after that needs nobody."""

import json
import sys
from pathlib import Path

from mailhomes import Office, at_home, parsed

sys.path.append(str(Path(__file__).parent.parent / "cli"))

from homes import pbem
from shapes import fits

from pbem.mail.opening import MAX_STRANGERS
from pbem.table.calling import CallTerms

FAR = 4_000_000_000


def people(tmp_path, *names):
    return [at_home(tmp_path, name) for name in names]


def call(umpire, players, *, key=bytes(16), number=1, **changed):
    terms = {
        "game": "bridgehead",
        "players": [player.person.card for player in players],
        "seats": {"blue": 0, "red": 1},
        "tournament": key,
        "name": "Spring Cup",
        "round": number,
        "board": 1,
        "expires": FAR,
        "clock": {"move": 3 * 86_400, "bank": 86_400, "days_off": 96},
    }
    return umpire.desk.call(CallTerms(**{**terms, **changed}))[0]


def at(home, *words, code=0):
    done = pbem(*words, home=home.desk.home.root)
    assert done.code == code, done.err
    return done


def to_the_end(office, players, name):
    for _ in range(300):
        mover = next((home for home in players if home.desk.row(name).my_move), None)
        if mover is None:
            return
        mover.desk.bot(name, "random")
        mover.desk.send(name)
        office.run()
    raise AssertionError("the game does not end")


def test_a_tournament_of_two_rounds(tmp_path):
    alice, bob, carla = homes = people(tmp_path, "Alice Kern", "Bob Silva", "Carla Roth")
    office = Office(*homes)
    first = call(carla, (alice, bob))
    carla.round()
    office.carry()
    alice.round()
    (news,) = alice.heard
    assert "Beyond that each player has 1 day in the bank." in news.lines
    assert "The clocks stand still on Saturday and Sunday (UTC)." in news.lines
    office.run()
    name = alice.desk.call_row(first).name
    assert news.todo == (f"You may accept or decline: pbem join {name}, or: pbem decline {name}",)
    text = parsed(next(raw for raw in carla.out().values())).get_body().get_content()
    assert "Spring Cup, round 1, board 1" in text
    assert f"pbem join {name}" in text
    assert "Carla Roth calls you, until 2096-10-02" in at(alice, "list").out
    assert "Spring Cup, round 1, board 1" in at(alice, "status").out
    assert "Seats:" in at(bob, "status", name).out
    listed = fits("list", at(bob, "list", "--json").json)
    assert [(each["stage"], each["umpire"]) for each in listed["calls"]] == [("called", "Carla Roth")]
    assert "You are in Spring Cup" in at(bob, "join", name).err
    office.run()
    assert "Bob Silva accepts" in at(carla, "list").out
    assert "accepted, waiting for the offer" in at(bob, "status", name).out
    at(alice, "join", name)
    office.run()
    assert [home.desk.row(name).stage for home in homes] == ["playing"] * 3
    second = call(carla, (bob, alice), number=2)
    office.run()
    later = alice.desk.call_row(second).played_as
    mails = {home.name: [parsed(raw) for raw in home.out().values()] for home in homes}
    marked = {
        name: [
            (part.get_filename() or "").rpartition("-")[2]
            for mail in sent
            if mail["Auto-Submitted"]
            for part in mail.walk()
        ]
        for name, sent in mails.items()
    }
    assert "yes.pbem" in marked["Alice Kern"], "a yes that nobody was asked for is marked as one"
    assert "offer.pbem" in marked["Bob Silva"]
    assert "call.pbem" not in marked["Carla Roth"]
    assert [home.desk.row(later).stage for home in homes] == ["playing"] * 3
    to_the_end(office, (alice, bob), name)
    assert [home.desk.row(name).stage for home in homes] == ["over"] * 3
    at(carla, "rule", later, "extension", "--player", "alice", "--days", "4", "--why", "Ill", "--yes")
    office.run()
    at(carla, "rule", later, "adjudge", "--winner", "red", "--score", "red=2", "--why", "Time is up", "--yes")
    office.run()
    assert {home.desk.row(later).result for home in homes} == {"red wins: adjudged, ruled by the umpire"}
    for home in (alice, bob, carla):
        file = home.folder / "game.pbem"
        at(home, "archive", later, "-o", str(file))
        said = at(home, "verify", str(file)).out
        assert "the umpire decides the game. Reason: Time is up." in said
        assert "more time for Alice Kern" in said
    fits("verify", json.loads(at(alice, "verify", str(alice.folder / "game.pbem"), "--json").out))
    third = call(carla, (alice, bob), number=3)
    office.run()
    last = alice.desk.call_row(third).played_as
    at(carla, "rule", last, "forfeit", "--seat", "blue", "--why", "No answer", "--yes")
    office.run()
    assert {home.desk.row(last).stage for home in homes} == {"over"}
    assert {home.desk.row(last).result for home in homes} == {"red wins: forfeit, ruled by the umpire"}


def test_an_umpire_who_is_a_stranger(tmp_path):
    """He counts among strangers, and nothing is signed before a person has accepted his tournament."""
    alice, bob, carla = people(tmp_path, "Alice Kern", "Bob Silva", "Carla Roth")
    office = Office(alice, bob, carla)
    for number in range(MAX_STRANGERS + 3):
        call(carla, (alice, bob), key=number.to_bytes(16, "big"), number=1)
    for home in (alice, bob, carla):
        home.round()
    office.carry()
    alice.round()
    assert len(alice.desk.calls()) == MAX_STRANGERS
    assert sum("Too many strangers" in news.what for news in alice.heard) == 3
    assert alice.out() == {}
    assert alice.desk.people.known(carla.person.identity) is None
    at(alice, "join", alice.desk.calls()[0].name)
    assert alice.desk.people.known(carla.person.identity) is not None
    assert [each.stage for each in alice.desk.calls()].count("offered") == 1


def test_a_call_that_nobody_answers_is_told_again(tmp_path):
    alice, bob, carla = people(tmp_path, "Alice Kern", "Bob Silva", "Carla Roth")
    call(carla, (alice, bob))
    office = Office(alice, bob, carla)
    office.run()
    later = at_home(tmp_path, "Alice Kern", start=1_800_000_000 + 4 * 86_400)
    later.round()
    assert [news.todo for news in later.heard] == [
        (f"You may accept or decline: pbem join {(name := alice.desk.calls()[0].name)}, or: pbem decline {name}",)
    ]


def test_a_call_for_somebody_else_is_refused(tmp_path):
    alice, bob, carla, dora = people(tmp_path, "Alice Kern", "Bob Silva", "Carla Roth", "Dora Lund")
    call(carla, (alice, bob))
    carla.round()
    (raw,) = carla.out().values()
    file = tmp_path / "call.eml"
    file.write_bytes(raw)
    told = at(dora, "verify", str(file), code=1)
    assert "A call by the umpire Carla Roth, fingerprint" in told.out + told.err
    dora.receive("1.mail", raw)
    dora.round()
    assert [(news.code, "names nobody of this home" in news.what) for news in dora.heard] == [("E-NOT-YOURS", True)]
    assert dora.desk.calls() == []
    assert dora.out() == {}
    assert dora.desk.people.contacts() == []
