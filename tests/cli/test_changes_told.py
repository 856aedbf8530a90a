"""A stranger is told who ruled, and who came to play for whom."""

import json

from homes import pbem
from shapes import fits

HOMES = ("alice", "bob", "dora")


class Table:
    """Alice and Bob at Bridgehead, Dora their umpire, through the real commands; every file goes to everybody."""

    def __init__(self, folder):
        self.folder = folder
        self.seen = set()
        self.homes = [*HOMES]
        for name in HOMES:
            self(name, "id", "new", name.title(), "--email", f"{name}@example.org")
        cards = [self.file(f"{name}.card", name, "id", "export") for name in HOMES]
        for name in HOMES:
            self(name, "open", *(card for card in cards if name not in card))
        seats = ("--seat", "blue=alice", "--seat", "red=bob")
        self.game = json.loads(self("dora", "umpire", "new", "bridgehead", *seats, "--json").out)["game"]
        self.post()
        self("alice", "join", self.game)
        self("bob", "join", self.game)
        self.post()

    def __call__(self, name, *arguments):
        done = pbem(*map(str, arguments), home=self.folder / name)
        assert done.code == 0, (name, arguments, done)
        return done

    def file(self, path, name, *arguments):
        self(name, *arguments, "-o", self.folder / path)
        return str(self.folder / path)

    def outgoing(self):
        return [path for name in self.homes for path in sorted((self.folder / name / "outbox").iterdir())]

    def post(self):
        while fresh := [path for path in self.outgoing() if path not in self.seen]:
            for path in fresh:
                self.seen.add(path)
                for name in self.homes:
                    if name != path.parts[-3]:
                        self(name, "open", path)

    def verdict(self, path):
        archive = self.file(path, "alice", "archive", self.game)
        return fits("verify", pbem("verify", archive, "--json", home=self.folder / "nobody").json), pbem(
            "verify", archive, home=self.folder / "nobody"
        ).out


def test_new_keys_and_players_are_told_with_record_and_reason(tmp_path):
    table = Table(tmp_path)
    before, text = table.verdict("before.pbem")
    assert (before["ok"], before["changes"]) == (True, [])

    table("alice", "id", "new", "Alice Kern", "--email", "new@example.org")
    held = json.loads(table("alice", "id", "list", "--json").out)["identities"]
    (key,) = (each["identity"] for each in held if each["name"] == "Alice Kern")
    table("alice", "rekey", table.game, "--to", key, "--yes")
    table.post()
    table("dora", "rule", table.game, "extension", "--player", "bob", "--days", "2", "--why", "He is ill", "--yes")
    table.post()
    archive = table.file("whole.pbem", "alice", "archive", table.game)
    pbem("id", "new", "Emil Frei", "--email", "emil@example.org", home=tmp_path / "emil")
    done = pbem("join", archive, "--instead-of", "bob", "-o", str(tmp_path / "standin.pbem"), home=tmp_path / "emil")
    assert done.code == 0, done
    why = "Bob has gone to sea"
    place = ("--player", "bob", "--file", tmp_path / "standin.pbem")
    table("dora", "rule", table.game, "substitute", *place, "--why", why, "--yes")
    table.post()

    verdict, text = table.verdict("after.pbem")
    assert verdict["ok"]
    rekey, extension, substitute = verdict["changes"]
    assert (rekey["what"], rekey["name"], rekey["identity"], rekey["why"]) == ("rekey", "Alice", key, "")
    assert (extension["what"], extension["name"], extension["why"]) == ("extension", "Dora", "He is ill")
    assert extension["players"] == [{"by": 1, "name": "Bob"}]
    assert (substitute["what"], substitute["new_name"], substitute["why"]) == ("substitute", "Emil Frei", why)
    assert all(each["holds"] for each in verdict["changes"])
    log = json.loads(table("alice", "log", table.game, "--json").out)["records"]
    records = {each["id"]: each["kind"] for each in log}
    assert [records[each["record"]] for each in verdict["changes"]] == ["rekey", "ruling", "ruling"]
    assert f"New key: Alice signs with a new key (identity {key[:16]}). Record {rekey['record'][:16]}." in text
    assert "Ruling by Dora: more time for Bob. Reason: He is ill." in text
    assert f"Emil Frei (identity {substitute['identity'][:16]}) plays in place of Bob. Reason: {why}." in text
    assert "replaced: Dora ruled that Emil Frei plays in your place" in table("bob", "list").out

    table("emil", "open", archive)
    table.homes.append("emil")
    table.seen = {path for path in (tmp_path / "emil" / "outbox").iterdir() if "standin" in path.name}
    table.post()
    table("emil", "resign", table.game, "--yes")
    table.post()
    verdict, text = table.verdict("over.pbem")
    assert (verdict["audited"], verdict["pending"]) == (False, [])
    assert verdict["unaudited"] == [{"by": 1, "name": "Bob"}]
    assert "Result: blue wins (forfeit" in text
    assert "Bob was replaced before the end: nobody can open what Bob had sealed or shuffled." in text
