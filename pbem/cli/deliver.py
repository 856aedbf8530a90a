"""How a sealed file leaves: as it is, as text, or as a whole mail."""

from __future__ import annotations

from collections.abc import Callable
from email.message import EmailMessage
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any

import click

from pbem.cli.common import write_output
from pbem.cli.out import note, say
from pbem.cli.show import posted_line
from pbem.cli.text import clean

if TYPE_CHECKING:
    from pbem.table.values import Posted


def delivery(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options --armor, --eml and --output."""
    for option in (
        click.option("-o", "--output", metavar="FILE", help="Write the file here too; - is standard output."),
        click.option("--eml", is_flag=True, help="As a whole mail that a mail program can open and send."),
        click.option("--armor", is_flag=True, help="As text that can be pasted into a mail."),
    ):
        function = option(function)
    return function


def mail(posted: Posted, subject: str, text: str) -> bytes:
    """A mail with the turn as armoured text in its body: any mail program leaves that alone."""
    from pbem.protocol.armour import wrap

    message = EmailMessage()
    people = [parseaddr(person) for person in posted.to]
    addresses = [address for _, address in people if address.isascii() and "@" in address]
    if addresses:
        message["To"] = ", ".join(addresses)
    message["Subject"] = clean(subject, 200)
    message.set_content(f"{clean(text)}\n\n{wrap(posted.raw)}", cte="7bit" if text.isascii() else "base64")
    return message.as_bytes()


def deliver(posted: Posted, game: str, *, armor: bool, eml: bool, output: str | None) -> None:
    """Writes what was asked for. Without any option the file in the outbox is what to mail."""
    if armor and eml:
        raise click.UsageError("--armor and --eml exclude each other: a mail holds the armoured text already.")
    raw = posted.raw
    if armor:
        from pbem.protocol.armour import wrap

        raw = wrap(raw).encode("ascii")
    elif eml:
        raw = mail(posted, f"[pbem] {game}", f"A pbem file of the game {game}. Open it with: pbem open")
    if output is None and not (armor or eml):
        say(posted_line(posted))
        return
    target = output or str(posted.path.with_suffix(".txt" if armor else ".eml"))
    write_output(target, raw)
    if target == "-":
        note(posted_line(posted))
    else:
        say(f"{posted_line(posted)}")
        say(f"Written to {clean(target)}.")
