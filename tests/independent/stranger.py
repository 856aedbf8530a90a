"""A second verifier of levels 1 and 2, written from docs/spec alone: it imports nothing of pbem.

Read stranger_forms (bytes), stranger_game (levels 1 and 2) and stranger_audit, in this order.
"""

from __future__ import annotations

import sys
from pathlib import Path

from stranger_audit import Audit
from stranger_forms import Missing, card, containers, message, need, record
from stranger_game import Game, Level2, Log, fork_proof, listing


def verify(items, level=2, audited=True):
    """FIL-4, FIL-10: how many records, and the authors whose audit is incomplete."""
    game = log = second = None
    notes, seen, effective, count, proofs = {}, set(), [], 0, 0
    for kind, raw in items:
        need(kind in (1, 2, 3, 4, 5, 6), "E-ARCHIVE", "FIL-4")
        if kind == 2:
            card(raw)
        elif kind == 3:
            owner, note = message(raw)
            need(notes.get(owner) == note, "E-FORM", "FIL-8")
        elif kind == 4:
            listing(raw)
            effective.append(raw)
            if level == 2:
                need(second, "E-DRAW", "FIL-6")
                second.draws(raw)
        elif kind == 6:
            proofs += bool(fork_proof(raw))
        elif kind == 1:
            r = record(raw)
            need(r["id"] not in seen, "E-ARCHIVE", "FIL-4")
            counts = effect = True
            if game is None:
                if r["kind"] != "offer":
                    raise Missing(r["prev"], r["game"], *r["heads"].values())
                game = Game(r)
            elif log is None:
                game.begin(r)
                if game.id:
                    log, second = Log(game), Level2(game)
                effect = False
            else:
                need(r["game"] == game.id, "E-GAME", "GEN-5")
                counts, effect = log.add(r)
            seen.add(r["id"])
            notes[r["id"]] = r["note"]
            count += counts
            if log and effect:
                effective.append(r)
                if level == 2:
                    second.take(r)
    need(game or proofs, "E-INCOMPLETE", "FIL-4")
    if log:
        log.finish()
    if log and level == 2 and second.opened and audited:
        audit = Audit(game, second.opened.values())
        for found in effective:
            audit.draws(found) if type(found) is bytes else audit.take(found)
        return count, sorted(audit.missing)
    return count, []


if __name__ == "__main__":
    print(verify(containers(Path(sys.argv[1]).read_bytes())))
