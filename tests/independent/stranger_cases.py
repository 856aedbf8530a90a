"""Beyond levels 1 and 2: cases of umpires (case.md), for the second verifier."""

from __future__ import annotations

from stranger_forms import (
    CLOCK,
    EPOCH,
    ID,
    NAME,
    PLAYER,
    TIME,
    WHY,
    T,
    be,
    binary,
    boolean,
    card,
    check_signature,
    decode,
    envelope,
    fits,
    line,
    many,
    need,
    num,
    record,
    version,
)
from stranger_game import fork_proof

COUNT, HALF, SOME = num(0, 2**63 - 1), (None, num(0, 2)), 256
CASE = {
    "answered": many(0, 4096, [PLAYER, NAME, TIME, TIME, TIME, COUNT, ID]), "at": TIME,
    "clock": CLOCK, "evidence": ID, "game": (None, ID), "head": [COUNT, ID], "kind": "case",
    "clocks": many(0, SOME, [PLAYER, COUNT, COUNT, (None, COUNT), (None, TIME)]),
    "extensions": many(0, SOME, [PLAYER, num(0, 31_622_400), TIME, ID]),
    "flags": many(0, SOME, [PLAYER, TIME, TIME]), "label": [EPOCH, EPOCH, num(0, 2)],
    "journal": many(0, 4096, [COUNT, TIME, line(0, 80), NAME, ID, WHY]),
    "odd": many(0, SOME, [(None, PLAYER), NAME, num(0, 9), TIME, WHY]), "offer": ID,
    "owed": many(0, SOME, [num(0, 7), NAME, TIME, boolean]),
    "players": many(1, 5, [PLAYER, EPOCH, ID, line(1, 64)]),
    "result": ["offered|playing|over|decided", line(0, 16), HALF, HALF, TIME, WHY],
    "rulings": many(0, SOME, [NAME, TIME, ID]), "twins": many(0, SOME, ID), "umpire": ID,
    "tournament": {"key": binary(16, 16), "title": line(1, 80)}, "v": version,
}  # fmt: skip


def case(items):  # CAS-1..6
    (first, raw), *items = items
    need(first == 9, "E-CASE", "CAS-3")
    body, signature = envelope(raw, 2**21, "CAS-1")
    c = decode(body)
    need(fits(CASE, c), "E-CASE", "CAS-2")
    c["id"], e, held, games = T("pbem1/case", body), bytes(32), [], set()
    for kind, raw in items:
        e = T("pbem1/evidence", e, be(1, kind), raw)
        need(kind in (1, 4, 5, 6), "E-CASE", "CAS-3")
        if kind == 6 and fork_proof(raw):
            games.add(record(decode(raw)[1])["game"])
        elif kind == 1:
            held.append(record(raw))
    need(e == c["evidence"], "E-CASE", "CAS-3")
    umpires = held and held[0]["kind"] == "offer" and held[0]["by"] == 7
    need(umpires, "E-CASE", "CAS-4")
    offer = held[0]["data"]
    sign = card(offer["card"])
    for r in held:
        if r["kind"] == "rekey" and r["by"] == 7:
            sign = card(r["data"]["card"])
    need(sign["identity"] == c["umpire"], "E-CASE", "CAS-4")
    check_signature(sign["sign"], c["id"], signature)
    game = next((r["id"] for r in held if r["kind"] == "start"), None)
    right = (c["offer"], c["game"]) == (held[0]["id"], game)
    need(right and games <= {game, held[0]["id"]}, "E-CASE", "CAS-5")
    board = c["tournament"] | {"round": c["label"][0], "board": c["label"][1]}
    need(offer.get("tournament") == board, "E-CASE", "CAS-5")
    named = offer["players"]
    known = all(p[0] < len(named) and named[p[0]] in (None, p[2]) for p in c["players"])
    need(known, "E-CASE", "CAS-5")
    found = {r["id"]: r for r in held}
    for by, _, asked, answered, signed, charged, key in c["answered"]:
        r = found.get(key)
        right = r and (r["by"], r["at"]) == (by, signed) and asked <= answered
        need(right and charged <= answered - asked, "E-CASE", "CAS-6")
    rows = [("extension", x[3]) for x in c["extensions"]] + [(x[0], x[2]) for x in c["rulings"]]
    for what, key in rows:
        r = found.get(key)
        right = r and r["kind"] == "ruling" and (r["by"], r["data"]["what"]) == (7, what)
        need(right, "E-CASE", "CAS-6")
    return c
