"""Values and cards, for the second verifier: what has been promised and what is shown (chance.md, hidden.md)."""

from __future__ import annotations

import re

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from stranger_forms import ELL, ID, SLOT, L, P, T, array, be, decode, integer, is_map, need, record, row

N = 65_536


# chance.md


def roll(key, label, occurrence, sides, count):
    """CHA-8."""
    out, j, width = [], 0, 1 if sides <= 256 else 4
    while len(out) < count:
        block = T("pbem1/roll", key, label, be(4, occurrence), be(8, j))
        for at in range(0, 32, width):
            n = int.from_bytes(block[at : at + width], "big")
            if n < 256**width - 256**width % sides:
                out.append(1 + n % sides)
        j += 1
    return out[:count]


def down(cid, i, x, to):
    """CHA-3."""
    while i > to:
        x, i = T("pbem1/step", cid, be(4, i), x), i - 1
    return x


# hidden.md


def X(k, u):
    try:
        key = X25519PrivateKey.from_private_bytes(k.to_bytes(32, "little"))
        return key.exchange(X25519PublicKey.from_public_bytes(u))
    except ValueError:
        return bytes(32)


def clamp(v):
    for w in (v % ELL, -v % ELL):
        for s in range(w + (2**254 - w + ELL - 1) // ELL * ELL, 2**255, ELL):
            if s % 8 == 0:
                return s
    return None


F = clamp(1)


def card_point(deck, c):
    """HID-10."""
    n = 0
    while True:
        u = int.from_bytes(T("pbem1/cardpoint", deck, be(4, c), be(4, n)), "little") % 2**255
        if (
            u < P
            and pow(u**3 + 486662 * u * u + u, (P - 1) // 2, P) == 1
            and X(F, u.to_bytes(32, "little")) != bytes(32)
        ):
            return X(F, u.to_bytes(32, "little"))
        n += 1


class Deck:
    def __init__(self, name):
        self.name, self.slots, self.epoch, self.stage, self.new = name, {}, 0, 0, None

    def begin(self, epoch, cards, back):
        """HID-17, HID-19."""
        order = [tuple(map(int, b.rsplit("/", 2)[1:])) for b in back if re.fullmatch(r".+/\d+/\d+", b)]
        need(self.stage == 0 and epoch == self.epoch + 1 and cards == sorted(set(cards)), "HID-19")
        need(all(b in self.slots and self.slots[b]["card"] is None for b in back), "HID-17")
        need(order == sorted(set(order)) and len(order) == len(back) and 0 < len(cards) + len(back) <= 512, "HID-17")
        can = set(cards).union(*(self.slots[b]["can"] for b in back))
        self.new = {"cards": cards, "back": back, "can": can, "promised": {}}

    def finish(self, epoch, points):
        """HID-20."""
        new = self.new
        gone = set(new["back"]) | {
            s for s, v in self.slots.items() if v["card"] in new["cards"] and v["card"] is not None
        }
        self.slots = {s: v for s, v in self.slots.items() if s not in gone}
        for j, point in enumerate(points):
            promised = {by: all_of[32 * j : 32 * j + 32] for by, all_of in new["promised"].items()}
            slot = {"S": point, "can": new["can"], "promised": promised, "keys": {}, "card": None, "at": (epoch, j)}
            self.slots[f"{self.name}/{epoch}/{j}"] = slot
        self.epoch, self.stage = epoch, 0

    def passing(self, by, epoch, stage, points, promised, cards, back):
        """HID-12..14, HID-17."""
        if stage == 1:
            self.begin(epoch, cards, back)
        else:
            need(self.stage and epoch == self.epoch + 1 and not cards and not back, "HID-19")
        need(stage == self.stage + 1, "HID-19")
        long = bool(self.new["back"])
        need(stage <= (4 if long else 3) and by == (stage + long) % 2, "HID-19")
        size = len(self.new["cards"]) + len(self.new["back"])
        row = [points[k : k + 32] for k in range(0, len(points), 32)]
        need(len(points) == 32 * size and len(set(row)) == size, "HID-14")
        need(all(int.from_bytes(u, "little") < P and X(F, u) == u for u in row), "HID-14")
        last = stage >= (3 if long else 2)
        need(len(promised) == (32 * size if last else 0), "HID-13")
        if last:
            self.new["promised"][by] = promised
        self.stage = stage
        if stage == (4 if long else 3):
            self.finish(epoch, row)

    def show(self, slot, c):
        slot["card"] = c if c in slot["can"] else -1  # otherwise: spoiled (HID-18)


class Level2:
    def __init__(self, game):
        self.game, self.parts = game, dict(game.parts)
        is_open = game.d["mode"] == "open"
        self.nonces = {by: p["nonce"] for by, p in self.parts.items()} if is_open else {}
        self.chains, self.turns, self.hidden, self.standing, self.agreed = {}, {}, {}, {}, {}
        self.decks = {name: Deck(name) for name in game.d["decks"]}
        for by in self.parts:
            self.promise(by)

    def promise(self, by):
        for chooser, anchor in self.parts[by]["chains"]:
            self.chains[self.cid(by, chooser)] = (0, anchor)

    def cid(self, witness, chooser):
        return T("pbem1/cid", self.parts[witness]["gs"], be(1, witness), be(1, chooser), be(4, 0))

    def key(self, group):
        """CHA-6."""
        if not group:
            need(len(self.nonces) == len(self.game.authors), "FIL-6")
            return T("pbem1/dice0", self.game.game, L([self.nonces[by] for by in self.game.authors]))
        parts, last = [], -1
        for o in group:
            turn = self.turns.get(o)
            need(turn and "x" in turn and last < turn["by"], "FIL-6")
            last = turn["by"]
            parts.append(T("pbem1/part", o, be(1, self.game.witness(turn["by"])), be(4, turn["seq"]), turn["x"]))
        return T("pbem1/dice", self.game.game, L(parts))

    def draws(self, raw):
        d = decode(raw)
        draw = row(array(ID, 0, 5), SLOT, integer(0, 2**32 - 1), integer(2, 2**31), array(integer(1, 2**31), 1, 1024))
        need(is_map({"draws": array(draw, 0, 4096), "moot": array(ID, 0, 4096)})(d), "FIL-6")
        for group, label, occurrence, sides, results in d["draws"]:
            need(len(set(group)) == len(group), "FIL-6")
            need(roll(self.key(group), label, occurrence, sides, len(results)) == results, "CHA-8")
        return d["moot"]

    def slot(self, name):
        """Deck and slot, if this is the name of a card (HID-16)."""
        m = re.fullmatch(r"(.+)/([1-9]\d*)/(0|[1-9]\d*)", name)
        if not m or m[1] not in self.decks:
            return None, None
        return self.decks[m[1]], self.decks[m[1]].slots.get(name)

    def take(self, r):
        by, d = r["by"], r["data"]
        if r["kind"] == "orders":
            for name, opened in d.get("open", ()):
                self.open(by, name, opened[:32], opened[32:])
            for name, seat, commitment, _ in d.get("hide", ()):
                need(seat in self.game.seats(by), "HID-1")
                need(self.slot(name)[0] is None, "HID-2")
                before = self.hidden.get(name)
                need(before is None or before[:2] == (by, seat), "HID-2")
                self.hidden[name] = (by, seat, commitment)
                need(sum(h[0] == by for h in self.hidden.values()) <= 512, "HID-2")
            for seat, kind, policy in d.get("standing", ()):
                need(seat in self.game.seats(by), "HID-1")
                self.standing.pop((seat, kind), None)
                if type(policy) is list:
                    self.standing[seat, kind] = (by, policy[0])
                need(len(self.standing) <= 256, "HID-6")
            w = self.game.witness(by) if by != 7 else None
            if w is not None:
                self.turns[r["id"]] = {"by": by, "seq": r["seq"], "cid": self.cid(w, by)}
        elif r["kind"] == "reveal":
            for what, *rest in d["items"]:
                getattr(self, what)(by, *rest)
        elif r["kind"] == "release":
            for what, *rest in d["items"]:
                self.release(by, what, *rest)
        elif r["kind"] in ("tie", "takeback", "answer"):
            for what, *rest in d.get("items", ()):
                {"nonce": self.promised, "dice": self.due}[what](by, *rest)
        elif r["kind"] == "open_all":
            need(T("pbem1/gs", d["gs"]) == self.parts[by]["gs"], "HID-40")
        elif r["kind"] == "ruling" and d["what"] == "escrow":
            self.dice(d["witness"], d["orders"], d["x"])
        elif r["kind"] == "ruling" and d["what"] == "substitute":
            who, needed = self.agreed.setdefault(d["join"], set()), {7} if self.game.umpire else set(range(self.game.n))
            again = by in who
            who.add(by)
            if not again and who >= needed - {d["player"]}:
                need(self.game.d["mode"] == "open" or d["player"] in self.nonces, "GEN-8")
                self.parts[d["player"]] = self.game.part(record(d["join"]))
                self.promise(d["player"])

    def promised(self, by, nonce):
        need(T("pbem1/nonce", nonce) == self.parts[by]["nonce"], "GEN-8")

    def nonce(self, by, nonce):
        self.promised(by, nonce)
        need(by not in self.nonces, "GEN-8")
        self.nonces[by] = nonce

    def due(self, witness, orders, x):
        """CHA-4."""
        turn = self.turns.get(orders)
        need(turn and self.game.witness(turn["by"]) == witness, "CHA-4")
        i, (at, known) = turn["seq"], self.chains[turn["cid"]]
        need(
            1 <= i < N and (down(turn["cid"], i, x, at) == known if i >= at else down(turn["cid"], at, known, i) == x),
            "CHA-4",
        )
        return turn, (i, x), (at, known)

    def dice(self, witness, orders, x):
        turn, new, old = self.due(witness, orders, x)
        self.chains[turn["cid"]] = max(old, new)
        turn["x"] = x

    def commitment(self, seat, name, nonce, value):
        return T("pbem1/hide", self.game.game, seat, name, nonce, value)

    def open(self, by, name, nonce, value):
        deck, slot = self.slot(name)
        if deck is not None:
            need(slot and self.game.d["mode"] != "open", "HID-15")
            if self.game.umpire:
                need(by in slot["keys"], "HID-31")
                self.dealt(name, slot, nonce, value)
            else:
                need(value == b"", "HID-15")
                self.unlock(deck, name, slot, by, nonce)
            return
        own = self.hidden.get(name)
        need(own and own[0] == by and self.commitment(own[1], name, nonce, value) == own[2], "HID-4")
        del self.hidden[name]

    def answer(self, by, _label, _order, proof):
        """HID-6."""
        fits = (
            self.commitment(seat, f"standing/{seat}/{kind}", proof[:32], proof[32:]) == c
            for (seat, kind), (owner, c) in self.standing.items()
            if proof is not None and owner == by and len(proof) >= 32
        )
        need(proof is None or any(fits), "HID-6")

    def unlock(self, deck, name, slot, by, key):
        """HID-15."""
        s, (epoch, j) = int.from_bytes(key, "little"), slot["at"]
        promised = T("pbem1/slot", self.game.game, deck.name, be(4, epoch), be(4, j), be(1, by), key)
        need(slot["card"] is None and by not in slot["keys"] and slot["promised"].get(by) == promised, "HID-15")
        need(2**254 <= s < 2**255 and s % 8 == 0, "HID-15")
        slot["keys"][by] = s
        if len(slot["keys"]) == 2:
            a, b = slot["keys"].values()
            found = X(clamp(pow(a * b, -1, ELL)), slot["S"])
            deck.show(slot, next((c for c in slot["can"] if card_point(deck.name, c) == found), -1))

    def dealt(self, name, slot, nonce, value):
        """HID-31."""
        need(slot["card"] is None and len(value) == 4, "HID-31")
        need(slot["promised"][7] == self.commitment("deck", name, nonce, value), "HID-31")
        self.slot(name)[0].show(slot, int.from_bytes(value, "big"))

    def release(self, by, what, name, *rest):
        need((by == 7) == (what in ("deal", "give", "show")) and self.game.d["mode"] != "open", "HID-32")
        need((what in ("deal", "give", "show")) == bool(self.game.umpire), "HID-32")
        if what in ("pass", "deal"):
            need(name in self.decks, "HID-13")
            deck = self.decks[name]
            if what == "pass":
                deck.passing(by, *rest)
                return
            epoch, promised, cards, back = rest
            need(all(p in self.nonces for p in range(self.game.n)), "HID-30")
            deck.begin(epoch, cards, back)
            need(len(promised) == 32 * (len(cards) + len(back)), "HID-30")
            deck.new["promised"][7] = promised
            deck.finish(epoch, [None] * (len(cards) + len(back)))
            return
        deck, slot = self.slot(name)
        need(slot, "HID-15")
        if what == "slot":
            self.unlock(deck, name, slot, by, rest[0])
        elif what == "give":
            need(rest[0] in [s[0] for s in self.game.d["seats"]] and slot["card"] is None, "HID-31")
            slot["keys"][next(s[2] for s in self.game.d["seats"] if s[0] == rest[0])] = 0
        else:
            self.dealt(name, slot, *rest)
