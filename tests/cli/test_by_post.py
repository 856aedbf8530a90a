"""Whole games through the command line, carried by a post office that delays, repeats, reorders and mangles."""

from __future__ import annotations

import re

from homes import Player, begin, exchange, meet, newest, pbem, settle
from post import PostOffice
from shapes import fits


class Carried:
    """Homes that only meet through the post office."""

    def __init__(self, office: PostOffice, *players: Player) -> None:
        self.office = office
        self.players = players
        self.posted: set[tuple[str, str]] = set()

    def post_all(self) -> None:
        """Everything new in anybody's outbox goes to everybody else, as armoured text."""
        for writer in self.players:
            for path in writer.outbox():
                if (writer.name, path.name) in self.posted:
                    continue
                self.posted.add((writer.name, path.name))
                text = armoured(path)
                for reader in self.players:
                    if reader is not writer:
                        self.office.post(reader.name, text)

    def run(self, name: str, seed_bot: str = "sensible", most: int = 600) -> None:
        """Until nobody is to move and nothing is under way."""
        for _ in range(most):
            self.post_all()
            if self.office.waiting:
                for to, text in self.office.deliver():
                    reader = next(player for player in self.players if player.name == to)
                    reader("open", "-", stdin=text)
                continue
            moving = [player for player in self.players if status(player, name)["my_move"]]
            if not moving:
                return
            moving[0]("bot", name, "--level", seed_bot, "--send")
        raise AssertionError("the game does not end")


def armoured(path):
    from pbem.protocol.armour import wrap

    return f"My turn.\n\n{wrap(path.read_bytes())}\n-- \nme\n"


def status(player, name):
    return fits("list", player("status", name, "--json").json)["games"][0]


def check(players, name, folder):
    archives = []
    for player in players:
        assert status(player, name)["stage"] == "over", player.name
        path = folder / f"{player.home.name}.pbem"
        player("archive", name, "-o", str(path), "--no-messages")
        archives.append(path.read_bytes())
    assert len(set(archives)) == 1
    verdict = fits("verify", pbem("verify", str(path), "--json", home=folder / "nobody").json)
    assert verdict["ok"]
    assert verdict["audited"]
    return verdict


def test_two_homes_and_a_bad_post_office(two, tmp_path):
    alice, bob, name = two
    office = PostOffice(seed=3)
    Carried(office, alice, bob).run(name)
    assert office.carried > 40
    verdict = check((alice, bob), name, tmp_path)
    assert verdict["game"]["mode"] == "strict"


def test_three_homes_the_third_is_the_umpire(tmp_path):
    alice, bob, carla = (settle(tmp_path, each) for each in ("Alice Kern", "Bob Silva", "Carla Umm"))
    meet(alice, bob, carla)
    options = ("--mode", "umpire", "--seat", "blue=alice", "--seat", "red=bob")
    name = begin(carla, alice, bob, *options)
    Carried(PostOffice(seed=4, delay=0.2), alice, bob, carla).run(name, "random")
    verdict = check((alice, bob, carla), name, tmp_path)
    assert verdict["game"]["umpire"]["name"] == "Carla Umm"


def test_the_umpire_rules(tmp_path):
    alice, bob, carla = (settle(tmp_path, each) for each in ("Alice Kern", "Bob Silva", "Carla Umm"))
    meet(alice, bob, carla)
    name = begin(carla, alice, bob, "--seat", "blue=alice", "--seat", "red=bob")
    office = Carried(PostOffice(seed=5, mangle=False), alice, bob, carla)
    carla("rule", name, "extension", "--player", "bob", "--days", "7", "--why", "He is ill", "--yes")
    assert "rules extension by 7 days: He is ill" in carla("log", name).out
    assert "He is ill" in alice("open", str(newest(carla))).out
    bob("open", str(newest(carla)))
    assert alice("rule", name, "forfeit", "--seat", "red", "--yes", code=1).reason
    carla("rule", name, "forfeit", "--seat", "red", "--why", "No answer since May", "--yes")
    office.run(name)
    assert check((alice, bob, carla), name, tmp_path)["result"]["winner"] == "blue"


def test_a_key_is_changed_in_a_running_game(two, tmp_path):
    alice, bob, name = two
    alice("id", "new", "Alice Kern (new)", "--no-passphrase")
    alice("rekey", name, "--to", "Alice Kern (new)", "--yes")
    assert alice("rekey", name, "--to", "Alice Kern (new)", "--yes", code=1).reason == "E-NO-NEED"
    office = Carried(PostOffice(seed=6, mangle=False), alice, bob)
    alice("bot", name, "--send")
    bob("bot", name, "--send")
    exchange(alice, bob)
    bob("resign", name, "--yes")
    office.run(name)
    assert check((alice, bob), name, tmp_path)["ok"]


def test_there_is_nothing_to_migrate_to(two):
    alice, _, name = two
    assert alice("migrate", name, code=1).reason == "E-NO-NEED"
    assert alice("migrate", name, "--accept", code=1).reason == "E-NO-NEED"


def test_somebody_takes_over_by_a_ruling(tmp_path):
    alice, bob, carla, dora = (settle(tmp_path, each) for each in ("Alice Kern", "Bob Silva", "Carla Umm", "Dora Lind"))
    meet(alice, bob, carla, dora)
    name = begin(carla, alice, bob, "--seat", "blue=alice", "--seat", "red=bob")
    archive = tmp_path / "running.pbem"
    alice("archive", name, "-o", str(archive))
    wish = fits("join", dora("join", str(archive), "--instead-of", "bob", "--json").json)
    carla("rule", name, "substitute", "--player", "bob", "--file", wish["posted"]["path"], "--yes", "--why", "Bob left")
    assert carla("open", wish["posted"]["path"], code=1).reason == "E-FORM"
    dora("open", str(newest(carla)))
    alice("open", str(newest(carla)))
    exchange(alice, carla)
    dora("bot", dora("list", "--json").json["games"][0]["name"], "--send")
    alice("open", str(newest(dora)))
    assert "Dora Lind" in alice("log", name).out
    alice("resign", name, "--yes")
    for _ in range(3):
        for writer in (alice, carla, dora):
            for reader in (alice, carla, dora):
                if reader is not writer:
                    reader("open", str(newest(writer)))
    for player in (alice, carla, dora):
        assert status(player, name)["stage"] == "over"
    last = tmp_path / "last.pbem"
    dora("archive", name, "-o", str(last))
    verdict = fits("verify", dora("verify", str(last), "--json").json)
    assert verdict["ok"]
    assert verdict["result"]["winner"] == "red"
    assert not verdict["audited"], "Bob has opened nothing"


def test_a_game_with_data_of_the_players_own(tmp_path):
    from importlib.resources import files

    alice, bob = settle(tmp_path, "Alice Kern"), settle(tmp_path, "Bob Silva")
    meet(alice, bob)
    cards = (files("pbem_rules.bridgehead") / "data" / "cards.toml").read_text(encoding="utf-8")
    own = tmp_path / "cards.toml"
    own.write_text(cards.replace("Barrage", "Drumfire"))
    assert "Drumfire" in own.read_text()
    name = begin(alice, bob, "--seat", "blue=me", "--seat", "red=bob", "--data", f"cards={own}")
    offered = alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=bob", "--data", f"cards={own}")
    bob("open", str(newest(alice)))
    joined = bob("join", next(word for word in offered.out.split() if word.startswith("bridgehead-")).strip(".:,"))
    for said in (offered, joined):  # both see which file it is, and what is different in it
        assert re.search(r"Alice Kern's own, digest [0-9a-f]{16}: .*'Drumfire' instead of 'Barrage'", said.err), (
            said.err
        )
    for player in (alice, bob):
        player("bot", name, "--send")
    exchange(alice, bob)
    bob("resign", name, "--yes")
    exchange(alice, bob)
    check((alice, bob), name, tmp_path)
    own.write_text("nonsense = 1.5")
    wrong = alice("new", "bridgehead", "--seat", "blue=me", "--seat", "red=bob", "--data", f"cards={own}", code=1)
    assert wrong.reason == "E-DATA"
