"""Beyond levels 1 and 2: calls and cases of umpires (call.md, case.md), for the second verifier."""

from __future__ import annotations

from stranger_forms import (
    NAMED,
    L,
    T,
    be,
    card,
    check_signature,
    decode,
    envelope,
    need,
    record,
    shapes,
)
from stranger_game import fork_proof

shapes("""
place = int 1..65535
tournament = {key bin 16..16, title line 1..80}
call = {at time, board place, decks array 0..16 name, expires time, kind `call`, clock clock,
  mode `strict|umpire|open`, options map 0..64 line 0..64 | number | bool, players array 2..5 card,
  replaced array 0..64 [slot, id], round place, scenario name,
  rules {behaviour int 0..65535, data id, module name}, seats array 1..16 [name, name, player],
  title line 0..80, tournament tournament,
  umpire card, v version}
call_answer = {at time, by int 0..7, call id, kind `answer`, v version, why why, yes bool}
count = int 0..9223372036854775807
half = nil | int 0..2
case = {answered array 0..4096 [player, name, time, time, time, count, id], at time,
  call nil | id, clock clock, clocks array 0..256 [player, count, count, nil | count, nil | time],
  evidence id, extensions array 0..256 [player, int 0..31622400, time, id],
  flags array 0..256 [player, time, time], game nil | id, head [count, id],
  journal array 0..4096 [count, time, line 0..80, name, id, why], kind `case`,
  label [place, place, int 0..2], odd array 0..256 [nil | player, name, int 0..9, time, why],
  offer nil | id, owed array 0..256 [int 0..7, name, time, bool],
  players array 1..5 [player, place, id, line 1..64],
  result [`paired|called|offered|playing|over|decided`, line 0..16, half, half, time, why],
  rulings array 0..256 [name, time, id], tournament tournament, umpire id, v version}
""")
SAME = "clock decks mode options replaced scenario seats title umpire".split()


def call(raw):  # CAL-1..3
    body, signature = envelope(raw, 32768, "CAL-1")
    c = decode(body)
    need(NAMED["call"](c), "E-CALL", "CAL-2")
    umpire, players = card(c["umpire"]), [card(each) for each in c["players"]]
    c |= {
        "id": T("pbem1/call", body),
        "sign": umpire["sign"],
        "signs": [p["sign"] for p in players],
    }
    check_signature(umpire["sign"], c["id"], signature)
    people, seats = [p["identity"] for p in players], c["seats"]
    c["people"] = people
    good = c["expires"] >= c["at"] and len({umpire["identity"], *people}) == len(players) + 1
    good = good and len({s[0] for s in seats}) == len(seats)
    good = good and {s[2] for s in seats} == set(range(len(players)))
    for names in (c["decks"], [name for name, _ in c["replaced"]]):
        good = good and names == sorted(set(names))
    if c["mode"] == "strict":
        sides = [{s[1] for s in seats if s[2] == p} for p in range(len(players))]
        good = good and len(set().union(*sides)) > 1 and all(len(s) == 1 for s in sides)
    need(good, "E-CALL", "CAL-3")
    return c


def answer(c, raw):  # CAL-5
    body, signature = envelope(raw, 8192, "CAL-5")
    a = decode(body)
    by_player = NAMED["call_answer"](a) and a["call"] == c["id"] and a["by"] < len(c["people"])
    need(by_player or (a.get("by") == 7 and a["yes"] is False), "E-CALL", "CAL-5")
    sign = c["sign"] if a["by"] == 7 else c["signs"][a["by"]]
    check_signature(sign, T("pbem1/answer", body), signature)
    return a


def answers(c, offer):
    """CAL-4. `offer` is the payload of a good offer."""
    right = offer.get("call") == c["id"] and offer["players"] == c["people"]
    right = right and all(repr(offer[key]) == repr(c[key]) for key in SAME)  # 1 and true differ
    rules = c["rules"].items() <= offer["rules"].items()
    need(right and rules, "E-CALL-TERMS", "CAL-4")


def case(items):  # CAS-1..6
    (first, raw), *items = items
    need(first == 11, "E-CASE", "CAS-3")
    body, signature = envelope(raw, 2**21, "CAS-1")
    c = decode(body)
    need(NAMED["case"](c), "E-CASE", "CAS-2")
    c["id"], e, called, replies, held, games = T("pbem1/case", body), bytes(32), None, 0, [], set()
    for n, (kind, raw) in enumerate(items):
        e = T("pbem1/evidence", e, be(1, kind), raw)
        placed = {9: n == 0, 10: called and not held and replies < 64}
        need(placed.get(kind, kind in (1, 4, 5, 6)), "E-CASE", "CAS-3")
        if kind == 9:
            called = call(raw)
        elif kind == 10:
            replies += bool(answer(called, raw))
        elif kind == 6 and fork_proof(raw):
            games.add(record(decode(raw)[1])["game"])
        elif kind == 1:
            held.append(record(raw))
    need(e == c["evidence"], "E-CASE", "CAS-3")
    offer = held[0]["data"] if held else None
    need(offer or called, "E-CASE", "CAS-4")
    sign = card(offer["umpire"] if offer else called["umpire"])
    for r in held:
        if r["kind"] == "rekey" and r["by"] == 7:
            sign = card(r["data"]["card"])
    need(sign["identity"] == c["umpire"], "E-CASE", "CAS-4")
    check_signature(sign["sign"], c["id"], signature)
    start = next((r for r in held if r["kind"] == "start"), None)
    joins = start and L(start["data"]["joins"])
    game = T("pbem1/game", held[0]["id"], joins, start["id"]) if start else None
    ids = called and called["id"], held[0]["id"] if held else None, game
    need((c["call"], c["offer"], c["game"]) == ids and games <= {game}, "E-CASE", "CAS-5")
    if called:
        label = called["tournament"], called["round"], called["board"]
        need(label == (c["tournament"], *c["label"][:2]), "E-CASE", "CAS-5")
        need(not offer or offer.get("call") == called["id"], "E-CASE", "CAS-5")
    named = called["people"] if called else offer["players"]
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
