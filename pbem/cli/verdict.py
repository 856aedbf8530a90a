"""A verdict on an archive, as JSON and in words."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from pbem.cli.out import say
from pbem.cli.text import clean, plural

if TYPE_CHECKING:
    from pbem.fairplay.verify import Bad, Verdict
    from pbem.protocol.changes import Change, Said

UMPIRE = 7
OWES = {
    "answer": "an answer to a proposal",
    "end": "the signature of the result",
    "join": "an answer to the offer",
    "nonce": "the number for the first dice",
    "open_all": "the opening of all secrets",
    "orders": "orders",
    "release": "cards",
    "reveal": "a reveal",
    "start": "the start",
}
MODES = {"open": "open dice (anyone can look ahead)", "strict": "strict dice", "umpire": "dice by the umpire"}


def described(name: str, verdict: Verdict) -> dict[str, Any]:
    game, counts = verdict.game, verdict.counts
    names = {by: game.card(by).name for by in game.authors} if game else {}
    desync = verdict.desync
    return {
        "audited": verdict.audit is not None and not verdict.audit.missing,
        "cards": counts.cards,
        "changes": [change_json(each, names) for each in verdict.changes],
        "desync": bad_json(desync, names),
        "dice": counts.dice,
        "draws": counts.draws,
        "file": name,
        "first_bad": bad_json(verdict.first_bad, names) or missing_json(verdict.incomplete),
        "forks": list(verdict.forks),
        "game": None
        if game is None
        else {
            "behaviour": game.offer.rules.behaviour,
            "id": game.game_id.hex(),
            "mode": game.mode,
            "module": game.offer.rules.module,
            "players": [
                {
                    "identity": game.card(n).identity.hex(),
                    "name": game.card(n).name,
                    "by": n,
                    "seats": list(game.seats_of(n)),
                }
                for n in game.players
            ],
            "scenario": game.offer.scenario,
            "silence": game.offer.silence,
            "title": game.offer.title,
            "umpire": {"identity": game.umpire.identity.hex(), "name": game.umpire.card.name} if game.umpire else None,
            "version": game.offer.rules.version,
        },
        "holds": "",
        "incomplete": [record.hex() for record in verdict.incomplete],
        "level": verdict.level,
        "messages": counts.messages,
        "ok": verdict.ok,
        "orders": counts.orders,
        "pending": [{"by": by, "name": names.get(by, ""), "what": what} for by, what in verdict.pending],
        "records": counts.records,
        "result": result_json(verdict.result),
        "state": verdict.state.hex() if verdict.state else None,
        "turns": counts.turns,
        "unaudited": [
            {"by": by, "name": names.get(by, "")} for by in (verdict.audit.missing if verdict.audit is not None else ())
        ],
    }


def change_json(change: Change, names: dict[int, str]) -> dict[str, Any]:
    return {
        "at": change.at,
        "by": change.by,
        "claim": said_json(change.claim, names) if change.claim is not None else None,
        "crossed": [said_json(each, names) for each in change.crossed],
        "holds": change.holds,
        "identity": change.identity.hex() if change.identity else None,
        "name": names.get(change.by, ""),
        "new_name": change.name,
        "players": [{"by": by, "name": names.get(by, "")} for by in change.players],
        "record": change.record.hex(),
        "what": change.what,
        "why": change.why,
    }


def said_json(said: Said, names: dict[int, str]) -> dict[str, Any]:
    return {
        "at": said.at,
        "by": said.by,
        "kind": said.kind,
        "name": names.get(said.by, ""),
        "record": said.record.hex(),
    }


def result_json(result: Any) -> Any:
    """What `end` records say may be anything, below level 3; bytes are written in hex."""
    match result:
        case bytes():
            return result.hex()
        case list():
            return [result_json(each) for each in result]
        case dict():
            return {key: result_json(value) for key, value in result.items()}
    return result


def bad_json(bad: Bad | None, names: dict[int, str]) -> dict[str, Any] | None:
    if bad is None:
        return None
    return {
        "author": bad.author,
        "code": bad.code,
        "name": names.get(bad.author, "") if bad.author is not None else "",
        "record": bad.record.hex() if bad.record else None,
        "sentence": bad.sentence,
        "step": bad.step,
    }


def missing_json(records: Sequence[bytes]) -> dict[str, Any] | None:
    """An archive that cites what it does not hold is whole nowhere; it is nobody's fault in particular."""
    if not records:
        return None
    sentence = f"{plural(len(records), 'record')} cited in this file {'is' if len(records) == 1 else 'are'} not in it."
    return {
        "author": None,
        "code": "E-INCOMPLETE",
        "name": "",
        "record": records[0].hex(),
        "sentence": sentence,
        "step": "LOG-5",
    }


def say_verdict(document: dict[str, Any], *, named: bool) -> None:
    """The verdict in a few lines."""
    if named:
        say(clean(document["file"]), style="bold")
    if "case" in document:
        from pbem.cli.casetext import say_case

        say_case(document["case"])
    for sentence in document["forks"]:
        say(f"Proof of a fork, and it holds. {clean(sentence)}")
    game = document["game"]
    if game is not None:
        say(headline(game))
    for change in document["changes"]:
        say(change_line(change, game["silence"] if game else 0), style="" if change["holds"] else "dim")
    what = [
        plural(document["records"], "record"),
        plural(document["orders"], "order"),
        plural(document["dice"], "die", "dice"),
        plural(document["cards"], "card"),
    ]
    fault = document["desync"] or document["first_bad"]
    if document["holds"]:
        say(clean(document["holds"]), style="" if document["ok"] else "wait")
        if fault is None or fault["code"] == "E-INCOMPLETE" or fault["record"] is None:
            say_pending(document)
            return
    if fault is not None:
        word = "Desync" if document["desync"] else "Not verified"
        author = clean(fault["name"]) or fault["author"]
        by = f" by {author}" if author is not None else ""
        whose = f" Record {fault['record'][:16]}{by}." if fault["record"] else ""
        step = f" [{fault['step']}]" if fault["step"] else ""
        say(f"{word}: {fault['code']}. {clean(fault['sentence'])}{step}{whose}", style="bad")
        if document["records"]:
            say(f"Up to there: {', '.join(what)}.")
        return
    if game is None and (document["forks"] or (document["ok"] and "case" in document)):
        return
    if not document["ok"]:
        say("Not verified: there is no game in this file.", style="bad")
        return
    checked = {
        1: "all signatures and chains",
        2: "all signatures, dice and cards",
        3: "all signatures, orders, dice and cards",
    }
    audit = " Audit of all secrets complete." if document["audited"] else ""
    say(f"{', '.join(what)}: {checked[document['level']]} check.{audit}", style="good")
    if document["result"] is not None:
        gone = replaced_players(document)
        final = document["audited"] or bool(gone)
        word = "Result" if final else "Result, provisional until everything is opened and audited"
        say(f"{word}: {result_text(document['result'])}.")
        for name in gone:
            say(f"{name} was replaced before the end: what {name} had sealed or shuffled is opened by nobody.")
    say_pending(document)
    if document["state"]:
        say(f"State {document['state'][:8]}...{document['state'][-8:]}")


def replaced_players(document: dict[str, Any]) -> list[str]:
    """The players whose secrets alone are missing in the audit, when nobody is left who owes any (MEA-12)."""
    gone = {
        each["by"] for c in document["changes"] if c["what"] == "substitute" and c["holds"] for each in c["players"]
    }
    lacking = document["unaudited"]
    if document["pending"] or not {each["by"] for each in lacking} <= gone:
        return []
    return [clean(each["name"]) or f"Player {each['by'] + 1}" for each in lacking]


def say_pending(document: dict[str, Any]) -> None:
    for pending in document["pending"]:
        by = pending["by"]
        name = clean(pending["name"]) or ("the umpire" if by == UMPIRE else f"player {by + 1}")
        say(f"Pending: {name} owes {OWES.get(pending['what'], pending['what'])}.")


def headline(game: dict[str, Any]) -> str:
    players = " v ".join(f"{clean(each['name'])} ({', '.join(map(clean, each['seats']))})" for each in game["players"])
    umpire = f", umpire {clean(game['umpire']['name'])}" if game["umpire"] else ""
    title = f' "{clean(game["title"])}"' if game["title"] else ""
    return f"{clean(game['module'])}{title}, {clean(game['scenario'])}: {players}, {MODES[game['mode']]}{umpire}."


def dated(at: int) -> str:
    """A date as a record gives it itself."""
    return f"{datetime.fromtimestamp(at, tz=UTC):%Y-%m-%d %H:%M} UTC"


def speaker(said: dict[str, Any]) -> str:
    return clean(said["name"]) or f"player {said['by'] + 1}"


def change_line(change: dict[str, Any], silence: int) -> str:
    """`Ruling by Dora: Carla Moss plays in place of Bob Silva (...). Reason: he has moved away. Record 0a1b...`"""
    whom = ", ".join(clean(each["name"]) or f"player {each['by'] + 1}" for each in change["players"])
    who = clean(change["name"]) or f"player {change['by'] + 1}"
    new = f"identity {change['identity'][:16]}" if change["identity"] else ""
    said = {
        "adjudge": "the umpire decides the game",
        "branch": f"which of two records of {whom} counts",
        "escrow": f"the umpire shows dice in place of {whom}",
        "extension": f"more time for {whom}",
        "forfeit": f"{whom} forfeits",
        "rekey": f"{whom} signs with a new key ({new})",
        "substitute": f"{clean(change['new_name'])} ({new}) plays in place of {whom}",
    }[change["what"]]
    if change["claim"] is not None:
        claim = change["claim"]
        said += f", dated {dated(change['at'])}, on the claim by {speaker(claim)} dated {dated(claim['at'])}"
        said += f" (agreed on: {silence} days of silence between them)"
    for each in change["crossed"]:
        said += f". {speaker(each)} sent {each['kind']} dated {dated(each['at'])} without sight of it"
    own = change["what"] == "rekey" and [each["by"] for each in change["players"]] == [change["by"]]
    reason = f" Reason: {clean(change['why'])}." if change["why"] else ""
    open_ = "" if change["holds"] else " It does not hold: not all whose say it needs have ruled so."
    return f"{'New key' if own else f'Ruling by {who}'}: {said}.{reason}{open_} Record {change['record'][:16]}."


def result_text(result: Any) -> str:
    """`blue wins: ...; blue 7, red 4`."""
    if not isinstance(result, dict):
        return clean(str(result))
    winner = result.get("winner")
    scores = result.get("scores")
    text = f"{clean(str(winner))} wins" if winner is not None else "a draw"
    if result.get("how"):
        text += f" ({clean(str(result['how']))})"
    if isinstance(scores, dict) and scores:
        text += "; " + ", ".join(f"{clean(str(who))} {points}" for who, points in sorted(scores.items()))
    return text
