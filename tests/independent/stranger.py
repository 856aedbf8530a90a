"""A second verifier of levels 1 and 2, written from docs/spec alone: it imports nothing of pbem.

It says yes or names a step that failed. Left out, as a stranger might: proofs of forks, the audit, branch rulings.
"""

from __future__ import annotations

import re
import sys
import zlib
from hashlib import sha256
from pathlib import Path

from stranger_forms import (
    ID,
    PLAY,
    Bad,
    L,
    Missing,
    T,
    be,
    bins,
    card,
    check_data,
    check_signature,
    decode,
    lines,
    need,
    record,
    row,
)
from stranger_level2 import Level2

FILES = (Path(__file__).parents[2] / "docs/spec/files.md").read_text()
DICTIONARY = bytes.fromhex(re.search(r"```\n([0-9a-f\n]+)```", FILES[FILES.index("**FIL-9**") :]).group(1))


# genesis.md
ASIDE = {2: 256, 5: 64, 6: 256}
MOST = {1: 262_216, 2: 2_048, 3: 40_064, 6: 592_080}


class Game:
    def __init__(self, r):
        d = self.d = r["data"]
        need(r["kind"] == "offer" and r["by"] == r["seq"] == r["pin"] == 0 and not r["heads"], "GEN-1")
        self.offer, self.first = r["id"], [r]
        self.umpire = self.game = None
        self.parts = {0: self.part(r)}
        players, seats = d["players"], d["seats"]
        n = self.n = len(players)
        known = [p for p in players if p is not None]
        need(players[0] == self.parts[0]["identity"] and len(set(known)) == len(known), "GEN-1")
        if d["umpire"] is not None:
            self.umpire = card(d["umpire"])
            need(self.umpire["identity"] not in known, "GEN-1")
        need(self.umpire or (d["mode"] != "umpire" and "call" not in d), "GEN-1")
        need("silence" not in d or (n > 1 and not self.umpire), "GEN-1")
        need(2 <= n <= 5 or (n == 1 and d["mode"] == "open"), "GEN-7")
        need(len({s[0] for s in seats}) == len(seats), "GEN-1")
        need({s[2] for s in seats} == set(range(n)), "GEN-7")
        for names in (d["decks"], [name for name, _ in d["replaced"]]):
            need(names == sorted(set(names)), "GEN-1")
        self.sides = [{s[1] for s in seats if s[2] == p} for p in range(n)]
        if d["mode"] == "strict":
            need(len(set().union(*self.sides)) >= 2 and all(len(s) == 1 for s in self.sides), "GEN-6")
            need(not d["decks"] or n == 2 or self.umpire, "GEN-9")
        self.authors = [*range(n)] + ([7] if self.umpire else [])
        self.chains(r)

    def part(self, r):
        """A first record is signed by the card that it carries."""
        need(type(r["data"].get("card")) is bytes, "GEN-1")
        own = card(r["data"]["card"])
        check_signature(own["sign"], r["id"], r["signature"])
        check_data(r)
        return r["data"] | {"id": r["id"], "sign": own["sign"], "identity": own["identity"]}

    def witness(self, c):
        if self.d["mode"] != "strict":
            return 7 if self.d["mode"] == "umpire" else None
        return next(w for w in ((c + k) % self.n for k in range(1, self.n)) if not self.sides[c] & self.sides[w])

    def chains(self, r):
        wanted = [c for c in range(self.n) if self.witness(c) == r["by"]]
        need([c for c, _ in r["data"]["chains"]] == wanted, "GEN-6")
        due = self.d["mode"] == "strict" and self.umpire and r["by"] != 7 and wanted
        need((r["data"].get("escrow") is not None) == bool(due), "GEN-1")

    def join(self, r):
        by = r["by"]
        need(r["game"] == self.offer and r["seq"] == r["pin"] == 0 and by in self.authors and by, "GEN-2")
        heads = (
            {0: self.offer}
            if by != 7
            else {0: self.offer} | {p: self.parts[p]["id"] for p in range(1, self.n) if p in self.parts}
        )
        need(r["heads"] == heads and (by != 7 or len(heads) == self.n), "GEN-2")
        part = self.part(r)
        others = [p for k, p in enumerate(self.d["players"]) if k != by]
        if by == 7:
            due = [self.parts[p]["id"] for p in range(self.n) if self.parts[p]["escrow"] is not None]
            need(part["card"] == self.d["umpire"] and part.get("checked") == due, "GEN-3")
        else:
            need(self.d["players"][by] in (None, part["identity"]) and part["identity"] not in others, "GEN-2")
            need(not self.umpire or part["identity"] != self.umpire["identity"], "GEN-2")
            need("checked" not in part, "GEN-2")
        self.chains(r)
        need(by not in self.parts, "LOG-6")
        self.parts[by] = part
        self.first.append(r)

    def start(self, r):
        cited = [self.parts[by]["id"] for by in self.authors[1:] if by in self.parts]
        need(r["by"] == 0 and r["seq"] == 1 and r["pin"] == 0 and r["game"] == r["prev"] == self.offer, "GEN-4")
        need(list(r["heads"].values()) == cited and list(r["heads"]) == self.authors[1:], "GEN-4")
        check_signature(self.parts[0]["sign"], r["id"], r["signature"])
        check_data(r)
        need(r["data"]["joins"] == cited and [x["by"] for x in self.first] == self.authors, "GEN-4")
        need(len({p["identity"] for p in self.parts.values()}) == len(self.authors), "GEN-2")
        self.game = T("pbem1/game", self.offer, L(cited), r["id"])
        self.first.append(r)

    def seats(self, by):
        return [s[0] for s in self.d["seats"] if s[2] == by]


# record.md: the log; meaning.md: the order, rulings


class Log:
    def __init__(self, game):
        self.game, self.rulings, self.votes = game, [], {}
        self.rows = {by: [] for by in game.authors}  # (id, past as {author: count}, pin)
        self.keys = {by: game.parts[by]["sign"] for by in game.authors}
        self.order = []
        for r in game.first:
            past = dict.fromkeys(game.authors, 0) | dict.fromkeys(r["heads"], 1) | {r["by"]: r["seq"]}
            self.place(r, past)
            self.rows[r["by"]].append((r["id"], past, 0))

    def add(self, r):
        game, rows = self.game, self.rows
        need(r["game"] == game.game, "GEN-5")
        by, seq = r["by"], r["seq"]
        need(by in rows, "REC-4")
        need(r["kind"] not in ("offer", "join", "decline", "start"), "LOG-11")
        known = {row[0] for chain in rows.values() for row in chain}
        need(r["id"] not in known, "FIL-4")
        missing = [x for x in (r["prev"], *r["heads"].values()) if x not in known]
        if missing:
            raise Missing(missing)
        need(seq == len(rows[by]), "LOG-6")
        need(rows[by][-1][0] == r["prev"], "LOG-1")
        _, before, pin = rows[by][-1]
        past, heads = dict(before), dict.fromkeys(rows, 0)
        for a, head in r["heads"].items():
            at = next((k for k, row in enumerate(rows.get(a, ())) if row[0] == head), None)
            need(at is not None, "LOG-3")
            heads[a] = at + 1
            pin = max(pin, rows[a][at][2])
            past = {k: max(past[k], rows[a][at][1][k], at + 1 if k == a else 0) for k in past}
        past[by] = seq
        need(all(heads[a] == past[a] for a in rows if a != by), "LOG-3")
        need(past[0] > 1, "LOG-11")
        for members, player, key in self.rulings:  # LOG-7
            if player == by and all(past[a] > s for a, s in members) and not all(before[a] > s for a, s in members):
                self.keys[by] = key
        check_signature(self.keys[by], r["id"], r["signature"])
        need(pin <= r["pin"] <= pin + 1, "LOG-8")
        check_data(r)
        self.place(r, past)
        rows[by].append((r["id"], past, r["pin"]))
        if r["kind"] == "rekey":
            others = {p["identity"] for n, p in self.game.parts.items() if n != by}
            need(card(r["data"]["card"])["identity"] not in others, "LOG-7")
            self.keys[by] = self.consent(r, by, seq)
        elif r["kind"] == "ruling":
            self.ruling(r)

    def consent(self, r, by, seq):
        new = card(r["data"]["card"])
        said = T("pbem1/rekey", self.game.game, be(1, by), be(4, seq), T("pbem1/card", decode(r["data"]["card"])[0]))
        check_signature(new["sign"], said, r["data"]["proof"])
        return new["sign"]

    def ruling(self, r):
        """MEA-10."""
        d, game, key = r["data"], self.game, None
        if d["what"] == "forfeit":
            need(set(d["seats"]) <= {s[0] for s in game.d["seats"]}, "MEA-10")
            concerned = {s[2] for s in game.d["seats"] if s[0] in d["seats"]}
            past = self.rows[r["by"]][-1][1]
            cited = (a for a, chain in self.rows.items() for row in chain[: past[a]] if row[0] == d.get("claim"))
            need(("claim" not in d) if game.umpire else "silence" in game.d and any(True for _ in cited), "MEA-10")
        elif d["what"] == "adjudge":
            sides, seats = {s[1] for s in game.d["seats"]}, {s[0] for s in game.d["seats"]}
            need(game.umpire and d["winner"] in {None} | sides and set(d["scores"]) <= sides | seats, "MEA-10")
            concerned = set(range(game.n))
        elif d["what"] == "escrow":
            need(game.umpire, "MEA-10")
            concerned = {d["witness"]}
        else:
            need(d["player"] < game.n, "MEA-10")
            need(d["what"] == "extension" or game.umpire or game.n > 2, "MEA-10")
            concerned = {d["player"]}
        if d["what"] == "rekey":
            key, who = self.consent(r, d["player"], 0), card(d["card"])["identity"]
        elif d["what"] == "substitute":
            j = record(d["join"])
            need(j["kind"] == "join" and j["game"] == game.game and j["by"] == d["player"] and not j["heads"], "MEA-10")
            need(j["seq"] == j["pin"] == 0 and "checked" not in j["data"], "MEA-10")
            key, who = (game.part(j)[k] for k in ("sign", "identity"))
            game.chains(j)
        if key:
            need(who not in {p["identity"] for k, p in game.parts.items() if k != d["player"]}, "MEA-10")
        needed = {7} if game.umpire else set(range(game.n)) - concerned
        need(r["by"] in needed, "MEA-10")
        subject = repr(sorted((k, v) for k, v in d.items() if k not in ("why", "state")))
        votes = self.votes.setdefault(subject, {})
        if r["by"] not in votes:
            votes[r["by"]] = (r["by"], r["seq"])
            if set(votes) == needed and key:
                self.rulings.append((list(votes.values()), d["player"], key))

    def place(self, r, past):
        """MEA-1, FIL-4: in an archive every record comes last in the canonical order so far."""
        rank = (r["kind"] not in PLAY, r["by"])
        for other, place in reversed(self.order):
            if past[place[0]] > place[1]:
                break
            need(other < rank, "FIL-4")
        self.order.append((rank, (r["by"], r["seq"])))


# files.md


def containers(raw):
    """FIL-1..3: the items of a file."""
    need(raw, "FIL-1")
    unpacked, counted = 0, {}
    while raw:
        need(len(raw) >= 20 and raw[:5] == b"pbem\x01" and raw[5] < 2, "FIL-1")
        count, size, stored = (int.from_bytes(raw[a:b], "big") for a, b in ((6, 8), (8, 12), (12, 16)))
        body, check = raw[20 : 20 + stored], raw[16:20]
        need(len(body) == stored and 1 <= count <= 8192 and size <= 2**22 - 64 and 20 + stored <= 2**22, "FIL-1")
        need(stored < size if raw[5] else stored == size, "FIL-1")
        need(sha256(body).digest()[:4] == check, "FIL-1")
        raw, packed = raw[20 + stored :], raw[5]
        if packed:
            z = zlib.decompressobj(-15, zdict=DICTIONARY)
            try:
                body = z.decompress(body, size + 1)
            except zlib.error:
                raise Bad("FIL-3") from None
            need(len(body) == size and z.eof and not z.unused_data and not z.unconsumed_tail, "FIL-3")
        at = 0
        for _ in range(count):
            need(at + 5 <= size, "FIL-2")
            n = int.from_bytes(body[at + 1 : at + 5], "big")
            need(1 <= n <= size - at - 5 and 1 <= body[at] <= 11 and n <= MOST.get(body[at], size), "FIL-2")
            unpacked += n
            many, large = counted.get(body[at], (0, 0))
            counted[body[at]] = many, large = many + 1, large + n
            need(unpacked <= 2**27 and sum(c for c, _ in counted.values()) <= 2**19, "FIL-4")
            need(many <= ASIDE.get(body[at], 2**19) and (body[at] in (1, 3, 4) or large <= 2**22), "FIL-4")
            yield body[at], body[at + 5 : at + 5 + n]
            at += 5 + n
        need(at == size, "FIL-2")


def verify(items, level=2):
    """The number of records, or Bad or Missing."""
    game = log = second = None
    notes, moot, count = {}, set(), 0
    for kind, raw in items:
        need(kind in (1, 2, 3, 4, 5), "FIL-4")
        if kind == 2:
            card(raw)
        elif kind == 3:
            message = decode(raw)
            need(row(ID, bins(16), lines(10_000))(message), "FIL-8")
            need(notes.get(message[0]) == T("pbem1/note", *message[1:]), "FIL-8")
        elif kind == 4 and level == 2:
            need(second, "FIL-6")
            moot |= set(second.draws(raw))
        elif kind == 1:
            r = record(raw)
            count += 1
            if r["note"]:
                notes[r["id"]] = r["note"]
            if game is None:
                if r["kind"] != "offer":
                    raise Missing([r["prev"], r["game"]])
                game = Game(r)
            elif log is None:
                need(r["game"] == game.offer, "GEN-5")
                missing = [h for h in r["heads"].values() if h not in [x["id"] for x in game.first]]
                if missing:
                    raise Missing(missing)
                need(r["kind"] in ("join", "start"), "GEN-5")
                game.start(r) if r["kind"] == "start" else game.join(r)
                if game.game:
                    log, second = Log(game), Level2(game)
            else:
                log.add(r)
                if level == 2 and r["id"] not in moot:
                    second.take(r)
    need(game, "FIL-4")
    return count


if __name__ == "__main__":
    print(verify(containers(Path(sys.argv[1]).read_bytes())))
