"""Calls, answers and offers that answer calls, for the second verifier (call.md)."""

from __future__ import annotations

from stranger_forms import (
    BOOL,
    CARD,
    ID,
    NAME,
    PLAYER,
    SECONDS,
    SLOT,
    WHY,
    WORD,
    T,
    any_map,
    array,
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
    row,
    same,
    word,
)

PLACE = integer(1, 65535)
CALL = is_map({
    "at": SECONDS, "board": PLACE, "decks": array(NAME, 0, 16), "expires": SECONDS, "kind": same("call"),
    "clock": is_map({"move": integer(0, 31622400), "bank": integer(0, 31622400), "days_off": integer(0, 127)}),
    "mode": word("strict|umpire|open"), "options": any_map(64, either(line(0, 64), integer(-(2**31), 2**31 - 1), BOOL)),
    "players": array(CARD, 2, 5), "replaced": array(row(SLOT, ID), 0, 64), "round": PLACE, "scenario": NAME,
    "rules": is_map({"behaviour": integer(0, 65535), "data": ID, "module": NAME}),
    "seats": array(row(WORD, WORD, PLAYER), 1, 16), "title": line(0, 80),
    "tournament": is_map({"key": bins(16), "title": line(1, 80)}), "umpire": CARD, "v": integer(1, 1)})  # fmt: skip
ANSWER = is_map({
    "at": SECONDS, "by": integer(0, 7), "call": ID, "kind": same("answer"), "v": integer(1, 1), "why": WHY, "yes": BOOL
})  # fmt: skip
SAME = ("clock", "decks", "mode", "options", "replaced", "scenario", "seats", "title", "umpire")


def call(raw):
    """CAL-1..3."""
    need(len(raw) <= 32768, "CAL-1")
    body, signature = envelope(raw, 32768, "CAL-1")
    c = decode(body)
    need(CALL(c), "CAL-2")
    umpire, players = card(c["umpire"]), [card(each) for each in c["players"]]
    c["id"] = T("pbem1/call", body)
    check_signature(umpire["sign"], c["id"], signature)
    c["people"], c["signs"], c["sign"] = [p["identity"] for p in players], [p["sign"] for p in players], umpire["sign"]
    seats = c["seats"]
    need(c["expires"] >= c["at"] and len({umpire["identity"], *c["people"]}) == len(players) + 1, "CAL-3")
    need(len({s[0] for s in seats}) == len(seats) and {s[2] for s in seats} == set(range(len(players))), "CAL-3")
    for names in (c["decks"], [name for name, _ in c["replaced"]]):
        need(names == sorted(set(names)), "CAL-3")
    if c["mode"] == "strict":
        need(len({s[1] for s in seats}) > 1, "CAL-3")
        need(all(len({s[1] for s in seats if s[2] == p}) == 1 for p in range(len(players))), "CAL-3")
    return c


def answer(c, raw):
    """CAL-5."""
    need(len(raw) <= 8192, "CAL-5")
    body, signature = envelope(raw, 8192, "CAL-5")
    a = decode(body)
    need(ANSWER(a) and a["call"] == c["id"], "CAL-5")
    need(a["by"] < len(c["people"]) or (a["by"] == 7 and not a["yes"]), "CAL-5")
    sign = c["sign"] if a["by"] == 7 else c["signs"][a["by"]]
    check_signature(sign, T("pbem1/answer", body), signature)
    return a


def answers(c, offer):
    """CAL-4. `offer` is the payload of a good offer."""
    need(offer.get("call") == c["id"] and offer["players"] == c["people"], "CAL-4")
    need(all(repr(offer[key]) == repr(c[key]) for key in SAME), "CAL-4")  # 1 and true differ
    need(all(offer["rules"][key] == c["rules"][key] for key in ("behaviour", "data", "module")), "CAL-4")
