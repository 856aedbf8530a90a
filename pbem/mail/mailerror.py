"""What can go wrong between a player and his mailbox.

A `MailError` is about an account or a line as a whole: nothing was lost, and the next try does it again. What a server
says is quoted short, and no secret is ever part of it.
"""

from __future__ import annotations

from pbem.table.tableerror import TableError

MOST_QUOTED = 200


class MailError(TableError):
    """A way in or out does not work as things stand. `lasting`: not before a person has changed something."""

    def __init__(self, code: str, sentence: str, *, lasting: bool = False) -> None:
        super().__init__(code, sentence)
        self.lasting = lasting


def quoted(said: object, *secrets: str) -> str:
    """What a server or a command said: one short printable line, without the secrets that it may have echoed."""
    if isinstance(said, Exception) and any(isinstance(each, bytes) for each in said.args):
        said = b" ".join(each for each in said.args if isinstance(each, bytes))
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
    for secret in secrets:
        if secret:
            text = text.replace(secret, "****")
    text = "".join(sign if sign.isprintable() else " " for sign in text[: 4 * MOST_QUOTED])
    text = " ".join(text.split()).rstrip(".")
    return text if len(text) <= MOST_QUOTED else text[: MOST_QUOTED - 1] + "…"
