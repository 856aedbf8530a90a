"""What the games show that an umpire should look at, each noted once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256

from pbem.engine.obligation import ORDERS
from pbem.mail.state import News
from pbem.table.facts import Facts
from pbem.umpire import anomalies
from pbem.umpire.anomalies import Anomaly, Answer, OwedFact
from pbem.umpire.db import models, queries
from pbem.umpire.db.database import Writing
from pbem.umpire.deskrows import PairingRow, TournamentRow
from pbem.umpire.progress import entrant_at


def note(writing: Writing, names: Mapping[int, str], pairing: PairingRow, facts: Facts) -> None:
    """What the records show: forks, times that do not fit, an audit that found something."""
    found: list[tuple[Anomaly, int, str]] = []
    for by in facts.forked:
        entrant = entrant_at(pairing, by) or 0
        each = anomalies.Anomaly(
            "fork", facts.name, names[entrant], f"{names[entrant]} signed two different records: a fork.", 5
        )
        found.append((each, entrant, "fork"))
    if facts.audited:
        text = f"The audit found a fault: {facts.audited}"[:500]
        found.append((Anomaly("audit", facts.name, "", text, 5), 0, "audit"))
    if facts.notice:
        found.append((Anomaly("notice", facts.name, "", facts.notice[:500], 3), 0, "notice"))
    for by, entrant in enumerate(pairing.entrants):  # by number: a name is whatever a player calls himself
        answers = [
            Answer(
                facts.name,
                names[entrant],
                each.question.arose_at,
                each.answered_at,
                each.signed_at,
                each.question.what != ORDERS,
            )
            for each in facts.answered
            if each.question.by == by
        ]
        for odd in anomalies.timing(answers):
            # How often is told once: the count in the text grows with the game.
            about = odd.kind if odd.kind in ("too_fast", "regular") else f"{odd.kind} {odd.text}"
            found.append((odd, entrant, about))
    for each, entrant, about in found:
        _write(writing, pairing, each, entrant, about)


def heard(
    writing: Writing,
    names: Mapping[int, str],
    pairing: PairingRow,
    facts: Facts,
    outbox: Collection[str],
    refusals: Sequence[News],
) -> None:
    """What came for the game and is no record of it: questions for what somebody lacks, records that were refused."""
    for by, entrant in enumerate(pairing.entrants):
        if f"{facts.name}-for-{by}" in outbox:  # the answer to such a question
            text = (
                f"What {names[entrant]} lacks was asked for: he has brought back a backup, or lost mail; or somebody "
                "else asked, for nobody signs such a question."
            )
            _write(writing, pairing, Anomaly("restored", facts.name, names[entrant], text, 2), entrant, "restored")
    for each in refusals:
        kind, weight = ("desync", 2) if each.code == "E-DESYNC" else ("refused", 3)
        text = f"A record was refused, {each.code}: {each.what}"[:500]
        _write(writing, pairing, Anomaly(kind, facts.name, "", text, weight), 0, text)


def watch(writing: Writing, tournament: TournamentRow, names: Mapping[int, str], pairing: PairingRow) -> None:
    """What only time shows: automatic items that do not come."""
    owed = queries.owed(writing.session, tournament.id, pairing.id)
    for entrant in pairing.entrants:
        own = [each for each in owed if each.entrant == entrant and each.since]
        facts = [
            OwedFact(
                pairing.game,
                names[entrant],
                f"{'an' if each.what[0] in 'aeiou' else 'a'} {each.what}",
                each.since,
                each.automatic,
            )
            for each in own
        ]
        for odd in anomalies.withheld(facts, writing.at):
            since = min(each.since for each in own if each.automatic)
            _write(writing, pairing, odd, entrant, f"withheld {since} {odd.weight}")


def _write(writing: Writing, pairing: PairingRow, each: Anomaly, entrant: int, about: str) -> None:
    mark = f"{each.kind}/{entrant}/{sha256(about.encode()).hexdigest()[:16]}"
    if writing.session.get(models.Anomaly, (pairing.id, mark)) is None:
        writing.record(
            "anomaly",
            {
                "entrant": entrant,
                "kind": each.kind,
                "mark": mark,
                "pairing": pairing.id,
                "text": each.text,
                "weight": each.weight,
            },
        )
