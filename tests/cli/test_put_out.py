"""From the claim to the forfeit between two players, through the real commands; and what each of them is shown."""

import json
import os
import time

import pytest
from homes import pbem
from shapes import fits

from pbem.protocol.container import read
from pbem.protocol.record import parse_record

DAY = 86_400


class Pair:
    """Alice and Bob at Bridgehead without an umpire."""

    def __init__(self, folder, *options):
        self.folder = folder
        for name in ("alice", "bob"):
            self(name, "id", "new", name.title(), "--email", f"{name}@example.org")
            self(name, "id", "export", "-o", folder / f"{name}.card")
        self("alice", "open", folder / "bob.card")
        self("bob", "open", folder / "alice.card")
        seats = ("--seat", "blue=me", "--seat", "red=bob")
        self.offered = self("alice", "new", "bridgehead", *seats, *options, "-o", folder / "offer.pbem")
        self.seen = self("bob", "open", folder / "offer.pbem")
        self.game = json.loads(self("bob", "list", "--json").out)["games"][0]["name"]
        self.joined = self("bob", "join", self.game)
        self.post("bob", "alice")
        self.post("alice", "bob")
        self.post("bob", "alice")

    def __call__(self, name, *arguments, code=0):
        done = pbem(*map(str, arguments), home=self.folder / name)
        assert done.code == code, (name, arguments, done)
        return done

    def post(self, sender, to):
        """Everything that the sender has mailed so far; what the last file told."""
        return [self(to, "open", path) for path in sorted(self.outbox(sender), key=os.path.getmtime)][-1]

    def outbox(self, name):
        return (self.folder / name / "outbox").glob("*.pbem")

    def later(self, name, days):
        """All records that this home holds came so many days earlier."""
        for record in (self.folder / name / "games").glob("*/records/*"):
            os.utime(record, (time.time() - days * DAY,) * 2)

    def waits_for_alice(self):
        """Both choose where they begin; Bob has."""
        assert "nothing can be claimed now" in self("bob", "claim", self.game, code=1).err
        self("bob", "bot", self.game, "--send")
        self.post("bob", "alice")


def test_a_claim_a_forfeit_and_an_answer_that_crossed_it(tmp_path):
    table = Pair(tmp_path, "--silence", "3")
    silent, other, seat = "alice", "bob", "blue"
    assert "Back up your key" in table.offered.err
    assert "your opponent wins by forfeit" in table.offered.err
    assert "Only an umpire can let you in again" in table.joined.err
    assert "a player who has not answered for 3 days after a claim" in table.seen.out
    table.waits_for_alice()
    rule = ("rule", table.game, "forfeit", "--seat", seat, "--why", "No word", "--yes")
    assert "pbem claim" in table(other, *rule, code=1).err
    table(other, "claim", table.game)
    assert f"claims orders for {seat}" in table.post(other, silent).out
    assert "claimed what you owe" in table(silent, "status", table.game).out
    assert f"forfeit --seat {seat}" in table(other, "status", table.game).out
    assert "3 days of silence" in table(other, *rule, code=1).err
    table.later(other, 4)
    table(silent, "bot", table.game, "--send")  # which crosses the forfeit
    table(other, *rule)
    told = table.post(other, silent)
    name = other.title()
    assert f"You were removed from the game by {name}" in told.out
    assert f"you were removed from the game by {name}" in table(silent, "list").out
    assert f"you were removed from the game by {name}" in table(silent, "status", table.game).out
    refused = table(silent, "order", table.game, "reserve 0104", code=1).err
    assert f"is over. You were removed from the game by {name}." in refused
    table.post(silent, other)
    assert "Alice sent orders without having seen it (dated 20" in table(other, "status", table.game).out
    assert table(other, "log", table.game).out.count("(here since 20") == 2
    for home in (silent, other):
        archive = tmp_path / f"{home}.pbem"
        table(home, "archive", table.game, "-o", archive)
        verdict = fits("verify", pbem("verify", str(archive), "--json", home=tmp_path / "nobody").json)
        assert verdict["ok"]
        assert verdict["result"]["how"].endswith(", claimed by the others")
        assert verdict["game"]["silence"] == 3
        (change,) = verdict["changes"]
        records = {record.id.hex(): record for record in parsed(archive)}
        claim = records[change["claim"]["record"]]
        assert (claim.kind, claim.at, change["claim"]["name"]) == ("claim", change["claim"]["at"], name)
        assert records[change["record"]].at == change["at"]
        assert [records[each["record"]].kind for each in change["crossed"]] == ["orders"]
        assert {each["name"] for each in change["crossed"]} == {silent.title()}
        text = pbem("verify", str(archive), home=tmp_path / "nobody").out
        assert f"on the claim by {name} dated 20" in text
        assert "agreed on: 3 days of silence" in text
        assert f"{silent.title()} sent orders dated 20" in text


def parsed(archive):
    for item in read(archive.read_bytes()):
        if item.type == 1:
            yield parse_record(item.raw)


def test_an_offer_says_what_silence_costs(tmp_path):
    table = Pair(tmp_path, "--silence", "0")
    assert "no forfeits: nobody loses by not answering" in table.seen.out
    assert "the game never ends" in table.offered.err
    table.waits_for_alice()
    assert "its offer excludes forfeits" in table("bob", "claim", table.game, code=1).err
    rule = ("rule", table.game, "forfeit", "--seat", "blue", "--yes")
    assert "offered without forfeits" in table("bob", *rule, code=1).err
    assert "--silence is 0" in table("alice", "new", "bridgehead", "--silence", "2", code=2).err
    seats = ("--seat", "blue=me", "--seat", "red=bob")
    again = table("alice", "new", "bridgehead", *seats)
    assert "backup" not in again.err


@pytest.mark.parametrize("what", ["rekey", "join"])
def test_between_two_there_is_no_way_back_without_key_or_phrase(tmp_path, what):
    table = Pair(tmp_path)
    table("bob", "archive", table.game, "-o", tmp_path / "whole.pbem")
    if what == "rekey":
        table("alice", "id", "new", "Alice Two", "--email", "")
        done = table("alice", "rekey", table.game, "--to", "Alice Two", "--lost", "--yes", code=1)
    else:
        table("carla", "id", "new", "Carla", "--email", "")
        done = table("carla", "join", tmp_path / "whole.pbem", "--instead-of", "alice", code=1)
    assert "E-RULING" in done.err
    assert "Between two players without an umpire" in done.err
