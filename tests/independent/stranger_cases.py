"""Beyond levels 1 and 2: cases of umpires (case.md), for the second verifier."""

from __future__ import annotations

from stranger_forms import (
    NAMED,
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
case_of = {key bin 16..16, title line 1..80}
count = int 0..9223372036854775807
half = nil | int 0..2
case = {answered array 0..4096 [player, name, time, time, time, count, id], at time,
  clock clock, clocks array 0..256 [player, count, count, nil | count, nil | time],
  evidence id, extensions array 0..256 [player, int 0..31622400, time, id],
  flags array 0..256 [player, time, time], game nil | id, head [count, id],
  journal array 0..4096 [count, time, line 0..80, name, id, why], kind `case`,
  label [place, place, int 0..2], odd array 0..256 [nil | player, name, int 0..9, time, why],
  offer id, owed array 0..256 [int 0..7, name, time, bool],
  players array 1..5 [player, place, id, line 1..64],
  result [`offered|playing|over|decided`, line 0..16, half, half, time, why],
  rulings array 0..256 [name, time, id], tournament case_of,
  twins array 0..256 id, umpire id, v version}
""")


def case(items):  # CAS-1..6
    (first, raw), *items = items
    need(first == 9, "E-CASE", "CAS-3")
    body, signature = envelope(raw, 2**21, "CAS-1")
    c = decode(body)
    need(NAMED["case"](c), "E-CASE", "CAS-2")
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
