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


def letter(posted: Posted, game: str, report: str | None = None) -> bytes:
    """A mail with the file attached, and a page about the turn if there is one. The same file makes the same mail."""
    message = EmailMessage()
    people = [parseaddr(person) for person in posted.to]
    addresses = [address for _, address in people if address.isascii() and "@" in address]
    if addresses:
        message["To"] = ", ".join(addresses)
    message["Subject"] = f"[pbem] {game}: {posted.path.stem}"
    message.set_content(f"A pbem file of the game {game}. Open this mail, or the file, with: pbem open FILE\n")
    message.add_attachment(posted.raw, maintype="application", subtype="octet-stream", filename=posted.path.name)
    if report is not None:
        message.add_attachment(report, subtype="html", filename=f"{posted.path.stem}-report.html")
    message.set_boundary(f"=_pbem_{posted.path.stem}")
    return message.as_bytes()


def formed(
    posted: Posted, game: str, *, armor: bool, eml: bool, report: Callable[[], str | None] | None = None
) -> tuple[bytes, str]:
    """The bytes to write, and the suffix of their file name."""
    if armor and eml:
        raise click.UsageError("--armor and --eml exclude each other: a mail holds the file already.")
    if armor:
        from pbem.protocol.armour import wrap

        return wrap(posted.raw).encode("ascii"), ".txt"
    if eml:
        return letter(posted, game, report() if report is not None else None), ".eml"
    return posted.raw, posted.path.suffix


def write_delivery(
    posted: Posted,
    game: str,
    *,
    armor: bool,
    eml: bool,
    output: str | None,
    report: Callable[[], str | None] | None = None,
) -> str:
    """Writes what was asked for; where it went. Without any option the file in the outbox is what to mail."""
    raw, suffix = formed(posted, game, armor=armor, eml=eml, report=report)
    if output is None and not (armor or eml):
        return str(posted.path)
    target = output or str(posted.path.with_suffix(suffix))
    write_output(target, raw)
    return target


def deliver(
    posted: Posted | None,
    game: str,
    *,
    armor: bool,
    eml: bool,
    output: str | None,
    report: Callable[[], str | None] | None = None,
) -> None:
    """Writes the file, and says where it is and whom it is for. A game for oneself alone has none."""
    if posted is None:
        return
    target = write_delivery(posted, game, armor=armor, eml=eml, output=output, report=report)
    if target == "-":
        note(posted_line(posted))
        return
    say(posted_line(posted))
    if target != str(posted.path):
        say(f"Written to {clean(target)}.")
