"""Levels 1 and 2: the log, and what it shows, for the second verifier.

The pages are genesis.md, record.md, chance.md and hidden.md.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque

from stranger_forms import (
    CARD,
    ELL,
    ID,
    OPENING,
    PLAY,
    SLOT,
    F,
    L,
    Missing,
    P,
    T,
    X,
    be,
    binary,
    card,
    check_data,
    check_signature,
    clamp,
    decode,
    fits,
    is_sealed,
    many,
    need,
    num,
    number,
    record,
    scalar,
    sound,
)

# genesis.md, record.md


class Game:
    """What offer, joins and start say (GEN-1..9)."""

    def __init__(self, r):
        d = self.d = r["data"]
        first = r["kind"] == "offer" and r["seq"] == r["pin"] == 0 and not r["heads"]
        need(first and r["by"] in (0, 7), "E-OFFER", "GEN-1")
        self.offer, self.first = r["id"], [r]
        self.id = self.nonce = None
        self.starter = r["by"]
        self.parts = {self.starter: self.part(r)}
        self.umpire = self.parts.get(7)
        players, seats, mode = d["players"], d["seats"], d["mode"]
        n, known = len(players), [p for p in players if p is not None]
        need(self.umpire or players[0] == self.parts[0]["identity"], "E-OFFER", "GEN-1")
        need(len(set(known)) == len(known), "E-OFFER", "GEN-1")
        need(self.umpire or not {"tournament", "expires"} & d.keys(), "E-OFFER", "GEN-3")
        need(not self.umpire or self.umpire["identity"] not in known, "E-OFFER", "GEN-3")
        need(d.get("expires", r["at"]) >= r["at"], "E-OFFER", "GEN-3")
        need(self.umpire or mode != "umpire", "E-OFFER", "GEN-1")
        need("silence" not in d or (n > 1 and not self.umpire), "E-OFFER", "GEN-1")
        need(n > 1 or mode == "open", "E-OFFER", "GEN-7")
        self.seats = {s[0]: s[2] for s in seats}
        need(len(self.seats) == len(seats), "E-OFFER", "GEN-1")
        need(not any("-" in s[0] + s[1] for s in seats), "E-OFFER", "GEN-1")
        need(set(self.seats.values()) == set(range(n)), "E-OFFER", "GEN-7")
        for names in (d["decks"], [name for name, _ in d["replaced"]]):
            need(names == sorted(set(names)), "E-OFFER", "GEN-1")
        self.sides = [{s[1] for s in seats if s[2] == p} for p in range(n)]
        if mode == "strict":
            enough = len(set().union(*self.sides)) > 1 and all(len(s) == 1 for s in self.sides)
            need(enough, "E-OFFER", "GEN-6")
            need(not d["decks"] or n == 2 or self.umpire, "E-OFFER", "GEN-9")
        self.players = range(n)
        self.authors = [*self.players] + ([7] if self.umpire else [])
        self.joiners = [p for p in self.players if p != self.starter]
        self.chains(r)

    def part(self, r):
        """A first record is signed by the card that it carries."""
        need(type(r["data"].get("card")) is bytes, "E-FORM", "GEN-1")
        own = card(r["data"]["card"])
        check_signature(own["sign"], r["id"], r["signature"])
        check_data(r)
        return r["data"] | {key: own[key] for key in ("sign", "seal", "identity")} | {"id": r["id"]}

    def witness(self, c):  # GEN-6
        if self.d["mode"] != "strict" or c == 7:
            return 7 if self.d["mode"] == "umpire" and c != 7 else None
        n = len(self.players)
        after = ((c + k) % n for k in range(1, n))
        return next(w for w in after if not self.sides[c] & self.sides[w])

    def chains(self, r):
        wanted = [c for c in self.players if self.witness(c) == r["by"]]
        need([c for c, _ in r["data"]["chains"]] == wanted, "E-OFFER", "GEN-6")
        due = self.d["mode"] == "strict" and self.umpire and r["by"] != 7 and wanted
        need((r["data"].get("escrow") is not None) == bool(due), "E-PROMISE", "GEN-2")

    def begin(self, r):
        """The records before the game: joins by number, then the start (FIL-4)."""
        if r["game"] not in (None, self.offer):
            raise Missing(r["game"])
        last = max([x["by"] for x in self.first[1:]], default=-1)
        if r["kind"] == "start":
            self.start(r)
        else:
            need(r["kind"] == "join" and r["by"] > last, "E-ARCHIVE", "FIL-4")
            self.join(r)
        self.first.append(r)

    def join(self, r):  # GEN-2
        by = r["by"]
        need(r["seq"] == r["pin"] == 0, "E-PREV", "GEN-2")
        need(by in self.joiners, "E-GAME", "GEN-2")
        need(r["heads"] == {self.starter: self.offer}, "E-HEADS", "GEN-2")
        who = self.part(r)["identity"]
        others = [p for k, p in enumerate(self.d["players"]) if k != by]
        need(self.d["players"][by] in (None, who) and who not in others, "E-IDENTITY", "GEN-2")
        need(who != self.parts[self.starter]["identity"], "E-IDENTITY", "GEN-2")
        need(who not in [p["identity"] for p in self.parts.values()], "E-FORK", "LOG-6")
        self.chains(r)
        self.parts[by] = self.part(r)

    def start(self, r):  # GEN-4
        place = r["by"], r["seq"], r["pin"], r["prev"]
        need(place == (self.starter, 1, 0, self.offer), "E-START", "GEN-4")
        joins = {x["id"]: x["by"] for x in self.first[1:]}
        missing = set(r["heads"].values()) - set(joins)
        if missing:
            raise Missing(*missing)
        whole = list(r["heads"]) == self.joiners == [joins[h] for h in r["heads"].values()]
        need(whole, "E-HEADS", "GEN-4")
        mine = self.parts[self.starter]
        check_signature(mine["sign"], r["id"], r["signature"])
        check_data(r)
        self.id, self.nonce = r["id"], r["data"].get("nonce")
        need(bool(self.umpire) == bool(self.nonce), "E-START", "GEN-4")
        if self.umpire:
            shown = self.nonce if self.d["mode"] == "open" else T("pbem1/nonce", self.nonce)
            need(shown == mine["nonce"], "E-PROMISE", "GEN-4")


class Log:
    """The records of a game by id, each with its past as a set of ids (LOG-1..11)."""

    def __init__(self, game):
        self.game, self.held, self.places, self.order = game, {}, {}, []
        self.sides = {}  # the second record of each fork, and its place
        self.rulings, self.came = {}, []
        for r in game.first:
            past = set(r["heads"].values()) | ({r["prev"], game.offer} - {None, r["id"]})
            key = game.parts[r["by"]]["sign"]
            self.keep(r | {"past": past, "key": key, "next": key, "top": 0, "side": None})

    def keep(self, r):
        self.held[r["id"]] = r
        self.places.setdefault((r["by"], r["seq"]), []).append(r)

    def add(self, r):
        """Judge and take in. Whether it counts as a record, and whether it has an effect."""
        by, seq, game, held = r["by"], r["seq"], self.game, self.held
        need(by in game.authors, "E-GAME", "REC-4")
        need(r["kind"] not in OPENING, "E-FORM", "REC-5")
        rivals = self.rivals(r)  # LOG-1
        need(all(a in game.authors for a in r["heads"]), "E-HEADS", "LOG-3")
        missing = [h for h in r["heads"].values() if h not in held]
        if missing:
            raise Missing(*missing)
        before = held[r["prev"]]
        cited = [before, *(held[h] for h in r["heads"].values())]
        past = r["past"] = set().union(*({x["id"]} | x["past"] for x in cited))  # LOG-2
        on = r["side"] = r["id"] if rivals else before["side"]
        void, whole, r["behind"] = False, past, set()
        for side, place in self.sides.items():  # LOG-9
            if side in past or side == on:
                if self.drops(side, whole):
                    need(side != on, "E-BRANCH", "LOG-9")
                    past = r["past"] = {h for h in past if held[h]["side"] != side}
                else:
                    void = r["void"] = True
                    beside = {x["id"] for x in self.places[place]} - {side}
                    need(not beside & past, "E-BRANCH", "LOG-9")
                    r["behind"] |= beside & {h for h in self.main if not held[h].get("void")}
        due = {}
        for h in past:
            x = held[h]
            if x["by"] != by and x["seq"] >= due.get(x["by"], x)["seq"]:
                due[x["by"]] = x
        need(r["heads"] == {a: x["id"] for a, x in due.items()}, "E-HEADS", "LOG-3")
        need(game.first[-1]["id"] in past, "E-HEADS", "LOG-11")
        r["key"] = r["next"] = self.key(r, before)
        check_signature(r["key"], r["id"], r["signature"])
        top = max(x["top"] for x in cited)
        need(top <= r["pin"] <= top + 1, "E-PINS", "LOG-8")
        r["top"] = r["pin"]
        check_data(r)
        if r["kind"] == "rekey":
            r["next"] = self.consents(r, by, seq)
        elif r["kind"] == "ruling":
            self.ruling(r)
        self.one_number(r)
        self.keep(r)
        if not on:
            self.in_order(r)
        return not rivals, not void

    def rivals(self, r):
        """LOG-1, LOG-6: others that follow the same record."""
        by, seq, before = r["by"], r["seq"], self.held.get(r["prev"])
        there = self.places.get((by, seq), ())
        rivals = [x for x in there if x["prev"] == r["prev"] and seq > 0]
        follows = before and (before["by"], before["seq"]) == (by, seq - 1)
        if before is None and seq > 0:
            raise Missing(r["prev"])
        if rivals or not follows:
            last = next(self.places[by, k] for k in range(seq, -1, -1) if (by, k) in self.places)
            key = (rivals or last)[0]["key" if there else "next"]
            check_signature(key, r["id"], r["signature"])
            need(follows and not before["side"], "E-PREV", "LOG-1")
            self.sides[r["id"]] = by, seq
            need(len(self.sides) <= 64, "E-LARGE", "LOG-9")
        return rivals

    def key(self, r, before):  # LOG-7
        last, ruling = -1, None
        for u in self.rulings.values():
            if u["key"] and u["player"] == r["by"] and self.holds(u, r["past"]):
                first = min(u["needed"])
                made = [x["seq"] for x in u["votes"] if x["by"] == first and x["id"] in r["past"]]
                if min(made) > last:
                    last, ruling = min(made), u
        fresh = ruling and not self.holds(ruling, before["past"])
        return ruling["key"] if fresh else before["next"]

    def consents(self, r, player, seq):
        """LOG-7: the key that a rekey record or ruling brings."""
        new = consenting(r, player, seq)
        self.came.append((r["id"], player, new["identity"]))
        return new["sign"]

    def one_number(self, r):
        """LOG-7: whoever signs it or comes in by it has no other number in its past."""
        came = [(a, p["identity"]) for a, p in self.game.parts.items()]
        came += [(a, who) for h, a, who in self.came if h in r["past"] or h == r["id"]]
        for who in {T("pbem1/id", r["key"]), *(who for h, _, who in self.came if h == r["id"])}:
            need(len({a for a, other in came if other == who}) == 1, "E-IDENTITY", "LOG-7")

    def ruling(self, r):  # MEA-10
        d, game, what, step = r["data"], self.game, r["data"]["what"], "MEA-10"
        players, key = set(game.players), None
        if what == "adjudge":
            sides = set().union(*game.sides)
            good = game.umpire and d["winner"] in {None} | sides
            need(good and set(d["scores"]) <= sides | set(game.seats), "E-RULING", step)
            concerned = players
        elif what == "forfeit":
            need(set(d["seats"]) <= set(game.seats), "E-RULING", step)
            concerned = {game.seats[s] for s in d["seats"]}
            cited = "silence" in game.d and d.get("claim") in r["past"]
            need("claim" not in d if game.umpire else cited, "E-RULING", step)
        elif what == "branch":
            concerned = {self.branch(r)}
        elif what == "escrow":
            need(game.umpire, "E-RULING", step)
            concerned = {d["witness"]}
        else:
            concerned = {d["player"]}
            need(concerned <= players, "E-RULING", step)
            need(what == "extension" or game.umpire or len(players) > 2, "E-RULING", step)
            if what == "rekey":
                key = self.consents(r, d["player"], 0)
            elif what == "substitute":
                new = substitute(game, d)
                key = new["sign"]
                self.came.append((r["id"], d["player"], new["identity"]))
        together = what == "adjudge" and r["by"] != 7
        needed = set(players) if together else rulers(game, concerned)
        need(r["by"] in needed, "E-RULING", step)
        u = {"needed": needed, "votes": [], "player": d.get("player"), "key": key}
        u = self.rulings.setdefault(subject(d), u | {"drop": d.get("drop"), "keep": d.get("keep")})
        u["votes"].append(r)
        if what == "branch" and not r["side"] and self.holds(u, self.main | {r["id"]}):
            other = record(d["other"])
            kept = self.places[other["by"], other["seq"]][0]
            need(kept["id"] == d["keep"], "E-ARCHIVE", "FIL-4")

    @property
    def main(self):
        return {h for h, x in self.held.items() if not x["side"]}

    def holds(self, u, past):
        return u["needed"] <= {x["by"] for x in u["votes"] if x["id"] in past}

    def drops(self, side, past):
        """LOG-9: a ruling that drops this branch holds."""
        return any(u["drop"] == side and self.holds(u, past) for u in self.rulings.values())

    def branch(self, r):
        d, other = r["data"], record(r["data"]["other"])
        pair = {d["keep"], d["drop"]}
        seen = self.held.get(*(pair - {other["id"]}) or {None}) if other["id"] in pair else None
        good = seen and len(pair) == 2 and seen["id"] in r["past"] and other["game"] == r["game"]
        good = good and (seen["by"], seen["seq"]) == (other["by"], other["seq"])
        need(good, "E-RULING", "MEA-10")
        check_signature(seen["key"], other["id"], other["signature"])
        for u in self.rulings.values():
            differs = u["keep"] and u["keep"] != d["keep"] and pair & {u["keep"], u["drop"]}
            mine = any(x["by"] == r["by"] and x["id"] in r["past"] for x in u["votes"])
            need(not (differs and mine), "E-RULING", "MEA-10")
        return other["by"]

    def in_order(self, r):
        """MEA-1, FIL-4: every record comes last in the canonical order so far."""
        rank = (r["kind"] not in PLAY, r["by"])
        for other in reversed(self.order):
            if other["id"] in r["past"] | r["behind"]:
                break
            need((other["kind"] not in PLAY, other["by"]) < rank, "E-ARCHIVE", "FIL-4")
        self.order.append(r)

    def finish(self):
        need(all(self.drops(side, self.main) for side in self.sides), "E-FORK", "LOG-6")


def rulers(game, concerned):
    return {7} if game.umpire and 7 not in concerned else set(game.players) - concerned


def subject(d):
    """Two rulings with one subject say the same."""
    return repr(sorted((k, v) for k, v in d.items() if k not in ("why", "state", "other")))


def substitute(game, d):
    """What the join in a ruling brings (MEA-10)."""
    j = record(d["join"])
    place = ("join", game.id, d["player"], 0, 0, {})
    found = tuple(j[key] for key in ("kind", "game", "by", "seq", "pin", "heads"))
    need(found == place, "E-PREV", "MEA-10")
    part = game.part(j)
    game.chains(j)
    return part


def consenting(r, player, seq):
    """LOG-7: the card that a record brings in, whose key agrees."""
    new = card(r["data"]["card"])
    said = T("pbem1/rekey", r["game"], be(1, player), be(4, seq), new["id"])
    check_signature(new["sign"], said, r["data"]["proof"])
    return new


RAW = binary(1, 262_216)


def fork_proof(raw):
    """LOG-10: the identity of the forker."""
    step = "LOG-10"
    v = decode(raw)
    need(fits([CARD, RAW, RAW], v), "E-PROOF", step)
    own, one, two = card(v[0]), record(v[1]), record(v[2])
    need(one["id"] < two["id"] and one["game"], "E-PROOF", step)
    need((one["game"], one["seq"]) == (two["game"], two["seq"]), "E-PROOF", step)
    answers = one["seq"] == 0 and {one["kind"], two["kind"]} <= {"join", "decline"}
    need(one["by"] == two["by"] or answers, "E-PROOF", step)
    for r in (one, two):
        check_signature(own["sign"], r["id"], r["signature"])
    return own["identity"]


# chance.md


def stream(key, label, occurrence):
    """CHA-8: a function that gives one result for a die of n sides after another."""
    j, left = 0, b""

    def result(n):
        nonlocal j, left
        size = 1 if n <= 256 else 4
        while True:
            if len(left) < size:
                left += T("pbem1/roll", key, label, be(4, occurrence), be(8, j))
                j += 1
            b, left = int.from_bytes(left[:size], "big"), left[size:]
            if b < 256**size - 256**size % n:
                return 1 + b % n

    return result


def roll(key, label, occurrence, sides, count):
    result = stream(key, label, occurrence)
    return [result(sides) for _ in range(count)]


def down(cid, i, x, to):  # CHA-3
    for k in range(i, to, -1):
        x = T("pbem1/step", cid, be(4, k), x)
    return x


def check_value(cid, i, x, at, known):  # CHA-4
    good = down(cid, i, x, at) == known if i >= at else down(cid, at, known, i) == x
    need(good, "E-PROMISE", "CHA-4")


def group_key(game, parts):
    """CHA-6: from (orders id, witness, i, x)."""
    inner = [T("pbem1/part", o, be(1, w), be(4, i), x) for o, w, i, x in parts]
    return T("pbem1/dice", game, L(inner))


# hidden.md


def card_point(deck, c):  # HID-10
    n = 0
    while True:
        u = number(T("pbem1/cardpoint", deck, be(4, c), be(4, n))) % 2**255
        on_curve = u < P and pow(u**3 + 486662 * u * u + u, (P - 1) // 2, P) == 1
        if on_curve and X(F, scalar(u)) != bytes(32):
            return X(F, scalar(u))
        n += 1


def key_promise(game, deck, epoch, j, by, key):  # HID-13
    return T("pbem1/slot", game, deck, be(4, epoch), be(4, j), be(1, by), key)


def card_of(deck, cards, S, a, b):
    """HID-15: the card of a slot with these two keys, or None."""
    found = X(clamp(pow(a * b, -1, ELL)), S)
    return next((c for c in cards if card_point(deck, c) == found), None)


def padded(value):  # HID-1
    n = int.from_bytes(value[:2], "big") + 2
    size = next((s for s in (64, 128, 256, 512, 1024, 2048, 4096) if n <= s), 0)
    return len(value) == size and not any(value[n:])


def commitment(game, seat, slot, nonce, value):  # HID-1, HID-31
    return T("pbem1/hide", game, seat, slot, nonce, value)


def split(points):
    return [points[k : k + 32] for k in range(0, len(points), 32)]


def check_pass(points, promised, n, last):  # HID-14
    need(len(points) == 32 * n and len(set(split(points))) == n, "E-DECK", "HID-14")
    need(all(map(sound, split(points))), "E-DECK", "HID-14")
    need(len(promised) == (32 * n if last else 0), "E-DECK", "HID-14")


class Deck:
    """The slots of one deck, and the epoch that is under way."""

    def __init__(self, name):
        self.name, self.slots, self.epoch, self.stage, self.new = name, {}, 0, 0, None

    def begin(self, epoch, cards, back):  # HID-13, HID-15, HID-17, HID-19
        need(epoch == self.epoch + 1, "E-DECK", "HID-19")
        need(cards == sorted(set(cards)), "E-DECK", "HID-13")
        slots = [self.slots.get(b) for b in back]
        need(all(s and s["card"] is None for s in slots), "E-DECK", "HID-17")
        order = [s["at"] for s in slots]
        need(order == sorted(set(order)), "E-DECK", "HID-13")
        can = set(cards).union(*(s["can"] for s in slots))
        size = len(cards) + len(back)
        need(1 <= size <= 512 and len(can) <= 512, "E-DECK", "HID-15")
        self.new = {"cards": cards, "back": back, "can": can, "size": size, "promised": {}}
        self.new["points"] = []

    def finish(self, points):  # HID-20
        new, self.epoch, self.stage = self.new, self.epoch + 1, 0
        for name, s in list(self.slots.items()):
            if name in new["back"] or s["card"] in new["cards"]:
                del self.slots[name]
        need(len(self.slots) <= 1024, "E-LARGE", "HID-20")
        for j, point in enumerate(points):
            promised = {by: split(all_of)[j] for by, all_of in new["promised"].items()}
            slot = {"S": point, "can": new["can"], "promised": promised, "keys": {}, "card": None}
            slot |= {"at": (self.epoch, j), "long": bool(new["back"])}
            self.slots[f"{self.name}/{self.epoch}/{j}"] = slot

    def take_pass(self, by, epoch, stage, points, promised, cards, back):  # HID-12..14, HID-17
        need(stage == self.stage + 1 and epoch == self.epoch + 1, "E-DECK", "HID-19")
        if stage == 1:
            self.begin(epoch, cards, back)
        need(stage == 1 or not (cards or back), "E-DECK", "HID-13")
        long = bool(self.new["back"])
        need(by == (stage + long) % 2, "E-DECK", "HID-12")
        last = stage >= 2 + long
        check_pass(points, promised, self.new["size"], last)
        self.stage, self.new["points"] = stage, split(points)
        if last:
            self.new["promised"][by] = promised
        if stage == 3 + long:
            self.finish(split(points))

    def deal(self, epoch, promised, cards, back):  # HID-30
        self.begin(epoch, cards, back)
        need(len(promised) == 32 * self.new["size"], "E-DEAL", "HID-31")
        self.new["promised"][7] = promised
        self.finish([None] * self.new["size"])


DRAW = [many(0, 5, ID), SLOT, num(0, 2**32 - 1), num(2, 2**31), many(1, 1024, num(1, 2**31))]
LISTING = {"draws": many(0, 4096, DRAW), "moot": many(0, 4096, ID)}


def listing(raw):
    """FIL-6, level 1."""
    v = decode(raw)
    good = fits(LISTING, v) and all(len(set(d[0])) == len(d[0]) for d in v["draws"])
    need(good, "E-DRAW", "FIL-6")
    return v


class Level2:
    def __init__(self, game):
        self.game, self.parts, self.opened = game, dict(game.parts), {}
        self.is_open = game.d["mode"] == "open"
        self.nonces = {by: p["nonce"] for by, p in self.parts.items()} if self.is_open else {}
        self.nonces |= {7: game.nonce} if game.nonce else {}
        self.chains, self.hidden, self.standing, self.agreed, self.moot = {}, {}, {}, {}, set()
        self.ruled, self.turns, self.latest = {}, {}, defaultdict(lambda: deque(maxlen=32))
        self.decks = {name: Deck(name) for name in game.d["decks"]}
        for by in self.parts:
            self.promise(by)

    def promise(self, by):
        for chooser, anchor in self.parts[by]["chains"]:
            self.chains[self.cid(by, chooser)] = (0, anchor)

    def cid(self, witness, chooser):
        return T("pbem1/cid", self.parts[witness]["gs"], be(1, witness), be(1, chooser), be(4, 0))

    def take(self, r):
        """A record that has an effect."""
        if r["id"] in self.moot:
            self.moot.remove(r["id"])
            return
        by, d, kind = r["by"], r["data"], r["kind"]
        if kind == "orders":
            self.orders(r, by, d)
        elif kind in ("reveal", "release"):
            for what, *rest in d["items"]:
                getattr(self, "take_" + what)(by, *rest)
        elif kind in ("tie", "takeback", "answer"):
            for what, *rest in d.get("items", ()):
                {"nonce": self.promised, "dice": self.shown}[what](by, *rest)
        elif kind == "open_all":
            need(T("pbem1/gs", d["gs"]) == self.parts[by]["gs"], "E-PROMISE", "HID-40")
            self.opened[by] = d["gs"]
        elif kind == "rekey" and r["key"] == self.parts[by]["sign"]:  # MEA-10
            self.new_card(by, card(d["card"]))
        elif kind == "ruling":
            self.ruling(r, by, d)

    def new_card(self, by, new):
        self.parts[by] = self.parts[by] | {"sign": new["sign"]}

    def orders(self, r, by, d):  # HID-1, HID-2, HID-6
        for name, opened in d.get("open", ()):
            self.take_open(by, name, opened[:32], opened[32:])
        for name, seat, promise, _ in d.get("hide", ()):
            need(self.game.seats.get(seat) == by, "E-SEAT", "HID-1")
            before = self.hidden.get(name, (by, seat))
            need(not self.slot(name) and before[:2] == (by, seat), "E-SEALED", "HID-2")
            self.hidden[name] = (by, seat, promise)
            need(sum(h[0] == by for h in self.hidden.values()) <= 512, "E-LARGE", "HID-2")
        for seat, kind, policy in d.get("standing", ()):
            need(self.game.seats.get(seat) == by, "E-SEAT", "HID-1")
            self.standing.pop((seat, kind), None)
            if is_sealed(policy):
                self.standing[seat, kind] = (by, policy[0])
        need(len(self.standing) <= 256, "E-LARGE", "HID-6")
        w = self.game.witness(by)
        if w is not None:
            self.turns[r["id"]] = {"by": by, "seq": r["seq"], "cid": self.cid(w, by), "w": w}
            self.latest[by].append(r["id"])

    def promised(self, by, nonce):  # GEN-8
        right = not self.is_open and T("pbem1/nonce", nonce) == self.parts[by]["nonce"]
        need(right, "E-PROMISE", "GEN-8")

    def take_nonce(self, by, nonce):
        self.promised(by, nonce)
        self.nonces.setdefault(by, nonce)

    def shown(self, witness, orders, x):  # CHA-4
        turn = self.turns.get(orders)
        right = turn and turn["w"] == witness and orders in self.latest[turn["by"]]
        need(right, "E-PROMISE", "CHA-4")
        check_value(turn["cid"], turn["seq"], x, *self.chains[turn["cid"]])
        return turn

    def take_dice(self, witness, orders, x):
        turn = self.shown(witness, orders, x)
        self.chains[turn["cid"]] = max(self.chains[turn["cid"]], (turn["seq"], x))
        turn["x"] = x

    def draws(self, raw):  # FIL-6
        v = listing(raw)
        self.moot |= set(v["moot"])
        need(len(self.moot) <= 65_536, "E-DRAW", "FIL-6")
        for group, label, occurrence, sides, results in v["draws"]:
            made = roll(self.key(group), label, occurrence, sides, len(results))
            need(made == results, "E-DRAW", "CHA-8")

    def key(self, group):  # CHA-6
        if not group:
            need(len(self.nonces) == len(self.game.authors), "E-DRAW", "FIL-6")
            nonces = [self.nonces[by] for by in self.game.authors]
            return T("pbem1/dice0", self.game.id, L(nonces))
        turns = [self.turns.get(o) for o in group]
        known = all(t and "x" in t and o in self.latest[t["by"]] for o, t in zip(group, turns))
        need(known, "E-DRAW", "FIL-6")
        authors = [t["by"] for t in turns]
        need(authors == sorted(set(authors)), "E-DRAW", "FIL-6")
        parts = [(o, t["w"], t["seq"], t["x"]) for o, t in zip(group, turns)]
        return group_key(self.game.id, parts)

    def slot(self, name):
        """HID-16: deck and slot, if this is the name of a card."""
        m = re.fullmatch(r"(.+)/([1-9]\d{0,4})/(0|[1-9]\d{0,2})", name)
        if not m or m[1] not in self.decks or int(m[2]) > 65535 or int(m[3]) > 511:
            return None
        return self.decks[m[1]], self.decks[m[1]].slots.get(name)

    def placed(self, name, code, step):
        """A card that is there and not public."""
        deck, slot = self.slot(name) or (None, None)
        need(slot and slot["card"] is None, code, step)
        return deck, slot

    def take_open(self, by, name, nonce, value):  # HID-4, HID-16, HID-31
        if self.slot(name) and self.game.umpire and not self.is_open:
            _, slot = self.placed(name, "E-DEAL", "HID-31")
            need(by == 7 or by in slot["keys"], "E-DEAL", "HID-31")
            self.public(name, nonce, value)
        elif self.slot(name):
            need(not value, "E-PROMISE", "HID-16")
            self.take_slot(by, name, nonce)
        else:
            owner, seat, promise = self.hidden.get(name, (None, None, None))
            made = commitment(self.game.id, seat or "", name, nonce, value)
            need(owner == by and made == promise, "E-PROMISE", "HID-4")
            need(padded(value), "E-PROMISE", "HID-1")
            del self.hidden[name]

    def take_answer(self, by, _label, _order, proof):  # HID-6
        for (seat, kind), (owner, promise) in self.standing.items():
            name = f"standing/{seat}/{kind}"
            if proof is None or owner != by:
                continue
            if commitment(self.game.id, seat, name, proof[:32], proof[32:]) == promise:
                need(padded(proof[32:]), "E-ANSWER", "HID-6")
                return
        need(proof is None, "E-ANSWER", "HID-6")

    def take_slot(self, by, name, key):  # HID-15, HID-18
        deck, slot = self.placed(name, "E-PROMISE", "HID-15")
        promise = key_promise(self.game.id, deck.name, *slot["at"], by, key)
        right = by not in slot["keys"] and slot["promised"].get(by) == promise
        s = number(key)
        need(right and 2**254 <= s < 2**255 and s % 8 == 0, "E-PROMISE", "HID-15")
        slot["keys"][by] = s
        if len(slot["keys"]) == 2:
            slot["card"] = card_of(deck.name, slot["can"], slot["S"], *slot["keys"].values())

    def take_pass(self, by, name, *rest):
        fits = not self.game.umpire and not self.is_open and name in self.decks
        need(fits, "E-DECK", "HID-32")
        self.decks[name].take_pass(by, *rest)

    def dealer(self, by):
        need(by == 7 and not self.is_open, "E-DEAL", "HID-32")

    def take_deal(self, by, name, *rest):
        self.dealer(by)
        need(all(p in self.nonces for p in self.game.players), "E-DEAL", "HID-30")
        need(name in self.decks, "E-DECK", "HID-30")
        self.decks[name].deal(*rest)

    def take_give(self, by, name, seat, _box):  # HID-31
        self.dealer(by)
        need(seat in self.game.seats, "E-SEAT", "HID-31")
        _, slot = self.placed(name, "E-DEAL", "HID-31")
        slot["keys"][self.game.seats[seat]] = None

    def take_show(self, by, name, nonce, value):
        self.dealer(by)
        self.public(name, nonce, value)

    def public(self, name, nonce, value):  # HID-31, HID-18
        _, slot = self.placed(name, "E-DEAL", "HID-31")
        made = commitment(self.game.id, "deck", name, nonce, value)
        need(len(value) == 4 and made == slot["promised"][7], "E-DEAL", "HID-31")
        n = int.from_bytes(value, "big")
        slot["card"] = n if n in slot["can"] else None

    def ruling(self, r, by, d):  # MEA-10
        if d["what"] == "escrow":
            self.take_dice(d["witness"], d["orders"], d["x"])
        if d["what"] not in ("substitute", "rekey"):
            return
        player, made = d["player"], self.agreed.setdefault(subject(d), {})
        needed = rulers(self.game, {player})
        if by in made or made.keys() | {by} != needed:
            made.setdefault(by, r["seq"])
            return
        made[by] = r["seq"]
        if made[min(needed)] < self.ruled.get(player, 0):
            return
        self.ruled[player] = made[min(needed)]
        if d["what"] == "rekey":
            self.new_card(player, card(d["card"]))
            return
        need(self.is_open or player in self.nonces, "E-RULING", "GEN-8")
        self.parts[player] = substitute(self.game, d)
        self.promise(player)
        self.opened.pop(player, None)
        self.new_card(player, self.parts[player])
        for deck in self.decks.values() if self.game.umpire else ():
            for slot in deck.slots.values():
                slot["keys"].pop(player, None)
