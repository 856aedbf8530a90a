"""Cases of umpires, for the second verifier (case.md)."""

from __future__ import annotations

from stranger_calls import PLACE, answer, call
from stranger_forms import (
    BOOL,
    ID,
    NAME,
    PLAYER,
    SECONDS,
    WHY,
    L,
    T,
    array,
    be,
    bins,
    card,
    check_signature,
    decode,
    either,
    envelope,
    integer,
    is_map,
    line,
    need,
    record,
    row,
    same,
    word,
)

NUMBER, NIL = integer(0, 2**63 - 1), same(None)
POINTS = either(integer(0, 2), NIL)


def some(member):
    return array(member, 0, 256)


CASE = is_map({
    "answered": array(row(PLAYER, NAME, SECONDS, SECONDS, SECONDS, NUMBER, ID), 0, 4096), "at": SECONDS,
    "call": either(ID, NIL), "offer": either(ID, NIL), "game": either(ID, NIL), "evidence": ID, "umpire": ID,
    "clock": is_map({"move": integer(0, 31622400), "bank": integer(0, 31622400), "days_off": integer(0, 127)}),
    "clocks": some(row(PLAYER, NUMBER, NUMBER, either(NUMBER, NIL), either(SECONDS, NIL))),
    "extensions": some(row(PLAYER, integer(0, 31622400), SECONDS, ID)), "flags": some(row(PLAYER, SECONDS, SECONDS)),
    "head": row(NUMBER, ID), "journal": array(row(NUMBER, SECONDS, line(0, 80), NAME, ID, WHY), 0, 4096),
    "kind": same("case"), "label": row(PLACE, PLACE, integer(0, 2)),
    "odd": some(row(either(PLAYER, NIL), NAME, integer(0, 9), SECONDS, WHY)),
    "owed": some(row(integer(0, 7), NAME, SECONDS, BOOL)), "rulings": some(row(NAME, SECONDS, ID)),
    "players": array(row(PLAYER, PLACE, ID, line(1, 64)), 1, 5),
    "result": row(word("paired|called|offered|playing|over|decided"), line(0, 16), POINTS, POINTS, SECONDS, WHY),
    "tournament": is_map({"key": bins(16), "title": line(1, 80)}), "v": integer(1, 1)})  # fmt: skip


def case(items):
    """CAS-1..6. Proofs of forks are read only as far as their game."""
    items = list(items)
    need(items and items[0][0] == 11 and len(items[0][1]) <= 2**21, "CAS-1")
    body, signature = envelope(items[0][1], 2**21, "CAS-1")
    c = decode(body)
    need(CASE(c), "CAS-2")
    c["id"], e, called, answers, held, games = T("pbem1/case", body), bytes(32), None, 0, [], set()
    for n, (kind, raw) in enumerate(items[1:]):
        e = T("pbem1/evidence", e, be(1, kind), raw)
        need(kind in (1, 4, 5, 6, 9, 10), "CAS-3")
        if kind == 9:
            need(n == 0, "CAS-3")
            called = call(raw)
        elif kind == 10:
            need(called and not held and answers < 64, "CAS-3")
            answers += bool(answer(called, raw))
        elif kind == 6:
            games.add(record(decode(raw)[1])["game"])
        elif kind == 1:
            held.append(record(raw))
    need(e == c["evidence"], "CAS-3")
    offer = held[0]["data"] if held else None
    need(offer or called, "CAS-4")
    sign = card(offer["umpire"] if offer else called["umpire"])
    for r in held:
        if r["kind"] == "rekey" and r["by"] == 7:
            sign = card(r["data"]["card"])
    need(sign["identity"] == c["umpire"], "CAS-4")
    check_signature(sign["sign"], c["id"], signature)
    start = next((r for r in held if r["kind"] == "start"), None)
    game = T("pbem1/game", held[0]["id"], L(start["data"]["joins"]), start["id"]) if start else None
    need(
        (c["call"], c["offer"], c["game"]) == (called and called["id"], held[0]["id"] if held else None, game), "CAS-5"
    )
    need(games <= {game}, "CAS-5")
    if called:
        need((called["tournament"], called["round"], called["board"]) == (c["tournament"], *c["label"][:2]), "CAS-5")
        need(not offer or offer.get("call") == called["id"], "CAS-5")
    named = called["people"] if called else offer["players"]
    need(all(p[0] < len(named) and named[p[0]] in (None, p[2]) for p in c["players"]), "CAS-5")
    found = {r["id"]: r for r in held}
    for by, _, asked, answered, signed, charged, key in c["answered"]:
        r = found.get(key)
        need(r and (r["by"], r["at"]) == (by, signed) and answered >= asked and charged <= answered - asked, "CAS-6")
    for what, key in [("extension", x[3]) for x in c["extensions"]] + [(x[0], x[2]) for x in c["rulings"]]:
        r = found.get(key)
        need(r and r["kind"] == "ruling" and (r["by"], r["data"]["what"]) == (7, what), "CAS-6")
    return c
