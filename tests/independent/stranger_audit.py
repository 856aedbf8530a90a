"""What an author makes from their secret gs, and the audit that makes it again (HID-40..45)."""

from __future__ import annotations

from hmac import digest as hmac

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from stranger_forms import ELL, Bad, L, T, X, be, clamp, is_sealed, need, number, scalar
from stranger_game import Level2, card_point, commitment, down, key_promise, padded, stream

# encoding.md: key derivation


def expand(prk, info, size):
    """HKDF-Expand (RFC 5869)."""
    out = last = b""
    for n in range(1, 3):
        last = hmac(prk, last + info + bytes((n,)), "sha256")
        out += last
    return out[:size]


def derive(key, info, *fields, size=32):  # ENC-3
    return expand(hmac(bytes(32), key, "sha256"), T("pbem1/kdf", info, *fields), size)


# Boxes and seals


def box(k, context, value):  # HID-3
    return ChaCha20Poly1305(derive(k, "own", context)).encrypt(bytes(12), value, None)


def unbox(k, context, boxed):
    try:
        return ChaCha20Poly1305(derive(k, "own", context)).decrypt(bytes(12), boxed, None)
    except (InvalidTag, ValueError):
        raise Bad("E-BOX", "HID-3") from None


KEM, SUITE = b"KEM\x00\x20", b"HPKE\x00\x20\x00\x01\x00\x03"
BASE = be(1, 9) + bytes(31)


def extract(suite, salt, label, ikm):
    return hmac(salt, b"HPKE-v1" + suite + label + ikm, "sha256")


def labeled(suite, prk, label, info, size):
    return expand(prk, be(2, size) + b"HPKE-v1" + suite + label + info, size)


def hpke(dh, enc, public, purpose):
    """HID-5, RFC 9180 base mode: the key and nonce of the one message."""
    need(dh != bytes(32), "E-BOX", "HID-5")
    shared = extract(KEM, bytes(32), b"eae_prk", dh)
    shared = labeled(KEM, shared, b"shared_secret", enc + public, 32)
    info = extract(SUITE, b"", b"info_hash", f"pbem1/{purpose}".encode())
    context = b"\x00" + extract(SUITE, b"", b"psk_id_hash", b"") + info
    secret = extract(SUITE, shared, b"secret", b"")
    key = labeled(SUITE, secret, b"key", context, 32)
    return ChaCha20Poly1305(key), labeled(SUITE, secret, b"base_nonce", context, 12)


def seal(gs, public, purpose, aad, value):
    ikm = derive(gs, "eph", purpose, aad)
    private = labeled(KEM, extract(KEM, b"", b"dkp_prk", ikm), b"sk", b"", 32)
    enc = X(private, BASE)
    cipher, nonce = hpke(X(private, public), enc, public, purpose)
    return enc + cipher.encrypt(nonce, value, aad)


def unseal(private, purpose, aad, sealed):
    enc = sealed[:32]
    cipher, nonce = hpke(X(private, enc), enc, X(private, BASE), purpose)
    try:
        return cipher.decrypt(nonce, sealed[32:], aad)
    except InvalidTag:
        raise Bad("E-BOX", "HID-5") from None


# Chains and decks


def top(gs, cid):  # CHA-3
    return T("pbem1/top", derive(gs, "dice", cid), cid)


def secret(gs, deck, epoch, name, j):
    """HID-11: s(name, j)."""
    t, found = 0, None
    while found is None:
        raw = derive(gs, "deck", deck, be(4, epoch), name, be(4, j), be(4, t), size=64)
        found, t = clamp(number(raw) % ELL), t + 1
    return found


def prod(x, y):
    return clamp(x * y)


def slot_key(gs, deck, epoch, by, long, j):
    """HID-12, HID-17: r_A or r_B."""
    own = secret(gs, deck, epoch, "slot", j)
    return prod(secret(gs, deck, epoch, "mask", 0), own) if by or long else own


def make_pass(gs, game, deck, epoch, stage, by, long, before, cards, back):
    """HID-12, HID-13, HID-17; `back` has (S_u, the author's key) of each unopened slot."""
    mask, opened = secret(gs, deck, epoch, "mask", 0), len(cards)
    returned = [prod(pow(key, -1, ELL), mask) for _, key in back]
    points = before
    if stage == 1:
        points = [X(mask, card_point(deck, c)) for c in cards]
        points += [X(k, S) for k, (S, _) in zip(returned, back)]
    elif long and stage == 2:
        points = [X(mask, u) for u in before[:opened]]
        points += [X(k, u) for k, u in zip(returned, before[opened:])]
    if stage in ((2, 3) if long else (1, 2)):
        order = derive(gs, "perm", deck, be(4, epoch), be(1, stage))
        points = [points[k] for k in permutation(order, len(points))]
    promised = []
    if stage >= 2 + long:
        points = [X(secret(gs, deck, epoch, "slot", j), u) for j, u in enumerate(points)]
        keys = (slot_key(gs, deck, epoch, by, long, j) for j in range(len(points)))
        promised = [
            key_promise(game, deck, epoch, j, by, scalar(key)) for j, key in enumerate(keys)
        ]
    return b"".join(points), b"".join(promised)


def permutation(key, m):  # CHA-10
    things, result = list(range(m)), stream(key, "perm", 0)
    for k in range(m - 1, 0, -1):
        at = result(k + 1) - 1
        things[k], things[at] = things[at], things[k]
    return things


def deal_order(gs, game, deck, epoch, nonces, things):  # HID-30
    own = derive(gs, "deal", deck, be(4, epoch))
    key = T("pbem1/deal", game, deck, be(4, epoch), own, L(nonces))
    return [things[k] for k in permutation(key, len(things))]


def open_order(key, deck, epoch, things):  # HID-50
    order = permutation(T("pbem1/opendeck", key, deck, be(4, epoch)), len(things))
    return [things[k] for k in order]


class Audit(Level2):
    """Goes through the records once more and makes again what the open secrets make."""

    def __init__(self, game, secrets):
        self.secrets = {T("pbem1/gs", gs): gs for gs in secrets}
        self.missing = set()
        self.seals = {by: [p["seal"]] for by, p in game.parts.items()}
        super().__init__(game)

    def gs(self, by, due=True):
        """The secret of whoever holds the number; without it their records pass unaudited."""
        found = self.secrets.get(self.parts[by]["gs"])
        if found is None and due:
            self.missing.add(by)
        return found

    def new_card(self, by, new):
        super().new_card(by, new)
        self.seals[by].append(new["seal"])

    def promise(self, by):  # HID-41
        super().promise(by)
        part = self.parts[by]
        gs = self.gs(by, due=bool(part["chains"]))
        if gs is None:
            return
        tops = [(c, top(gs, self.cid(by, c))) for c, _ in part["chains"]]
        anchors = [[c, down(self.cid(by, c), 65_536, x, 0)] for c, x in tops]
        need(anchors == part["chains"], "E-AUDIT", "CHA-3")
        if part.get("escrow") is not None:
            aad = L([anchor for _, anchor in anchors])
            value = be(1, 0x90 + len(tops))
            value += b"".join(b"\x92" + be(1, c) + b"\xc4\x20" + x for c, x in tops)
            made = seal(gs, self.game.umpire["seal"], "escrow", aad, value)
            need(made == part["escrow"], "E-AUDIT", "CHA-9")

    def orders(self, r, by, d):  # HID-42
        super().orders(r, by, d)
        gs = self.gs(by)
        if gs is None:
            return
        salt = derive(gs, "salt", be(4, r["seq"]), size=16)
        need(salt == d["salt"], "E-AUDIT", "CHA-5")
        sealed = [(name, *rest) for name, *rest in d.get("hide", ())]
        for seat, kind, policy in d.get("standing", ()):
            if is_sealed(policy):
                sealed.append((f"standing/{seat}/{kind}", seat, *policy))
        for name, seat, promise, boxed in sealed:
            try:
                value = unbox(gs, promise, boxed)
            except Bad:
                raise Bad("E-AUDIT", "HID-3") from None
            nonce = derive(gs, "hide", be(4, r["seq"]), name)
            made = commitment(self.game.id, seat, name, nonce, value)
            need(made == promise and padded(value), "E-AUDIT", "HID-1")

    def take_pass(self, by, name, *rest):  # HID-43
        deck, gs = self.decks[name], self.gs(by)
        epoch, stage, points, promised, cards, back = rest
        before, slots = [], deck.slots
        if stage > 1:
            before, cards, back = (deck.new[key] for key in ("points", "cards", "back"))
        if gs is not None:
            own = []
            for u in (slots[b] for b in back):
                old, j = u["at"]
                own.append((u["S"], slot_key(gs, name, old, by, u["long"], j)))
            made = make_pass(
                gs, self.game.id, name, epoch, stage, by, bool(back), before, cards, own
            )
            need(made[0] == points, "E-AUDIT", "HID-17" if back else "HID-12")
            need(made[1] == promised, "E-AUDIT", "HID-13")
        super().take_pass(by, name, *rest)

    def take_deal(self, by, name, epoch, promised, cards, back):  # HID-44
        slots, gs = self.decks[name].slots, self.gs(by)
        things = list(cards) + [slots[b].get("was") for b in back]
        super().take_deal(by, name, epoch, promised, cards, back)
        if gs is None:
            return
        nonces = [self.nonces[p] for p in self.game.players]
        made = b""
        for j, c in enumerate(deal_order(gs, self.game.id, name, epoch, nonces, things)):
            slot = f"{name}/{epoch}/{j}"
            nonce = derive(gs, "dealt", slot)
            made += commitment(self.game.id, "deck", slot, nonce, be(4, c))
            self.decks[name].slots[slot]["was"] = c
        need(made == promised, "E-AUDIT", "HID-30")

    def take_give(self, by, name, seat, boxed):
        super().take_give(by, name, seat, boxed)
        gs = self.gs(by)
        if gs is not None:
            value = derive(gs, "dealt", name) + be(4, self.slot(name)[1]["was"])
            keys = self.seals[self.game.seats[seat]]
            made = [seal(gs, public, "card", name.encode(), value) for public in keys]
            need(boxed in made, "E-AUDIT", "HID-31")
