"""How a sealed file leaves: as it is, as text, or as a whole mail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parseaddr
from functools import wraps
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from pbem.cli.common import write_output
from pbem.cli.out import note, say, say_json
from pbem.cli.show import posted_json, posted_line
from pbem.cli.text import clean

if TYPE_CHECKING:
    from pbem.table.values import Posted


class Covering(NamedTuple):
    """What a person reads in the mail that carries a file."""

    subject: str
    text: str
    page: str | None
    """About the turn, as everybody may see it."""


@dataclass(frozen=True, slots=True)
class Delivery:
    """The forms in which a player wants a sealed file: as text, as a whole mail, under a name of its own."""

    armor: bool
    eml: bool
    output: str | None

    def write(self, posted: Posted, game: str, covering: Callable[[Posted], Covering] | None = None) -> str:
        """Write the file in the forms asked for and return where; without an option, return its place in the outbox."""
        raw, suffix = posted.raw, posted.path.suffix
        if self.armor:
            from pbem.protocol.armour import wrap

            raw, suffix = wrap(posted.raw).encode("ascii"), ".txt"
        elif self.eml:
            raw, suffix = letter(posted, game, covering(posted) if covering is not None else None), ".eml"
        elif self.output is None:
            return str(posted.path)
        target = self.output or str(posted.path.with_suffix(suffix))
        write_output(target, raw)
        return target


AS_IT_IS = Delivery(armor=False, eml=False, output=None)


def delivery(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options --armor, --eml and --output, which the command gets as one `how`."""

    @wraps(function)
    def command(*given: Any, armor: bool, eml: bool, output: str | None, **named: Any) -> Any:
        if armor and eml:
            raise click.UsageError("--armor and --eml exclude each other: a mail holds the file already.")
        return function(*given, how=Delivery(armor, eml, output), **named)

    for option in (
        click.option("-o", "--output", metavar="FILE", help="Write the file here too; - is standard output."),
        click.option("--eml", is_flag=True, help="As a whole mail that a mail program can open and send."),
        click.option("--armor", is_flag=True, help="As text that can be pasted into a mail."),
    ):
        command = option(command)
    return command


def letter(posted: Posted, game: str, covering: Covering | None = None) -> bytes:
    """A mail with the file attached, and a page about the turn if there is one. The same file makes the same mail."""
    plain = f"A pbem file of the game {game}. Open this mail, or the file, with: pbem open FILE"
    subject, text, page = covering or Covering(f"{game}: {posted.path.stem}", plain, None)
    message = EmailMessage()
    people = [parseaddr(person) for person in posted.to]
    addresses = [address for _, address in people if address.isascii() and "@" in address]
    if addresses:
        message["To"] = ", ".join(addresses)
    message["Subject"] = f"[pbem] {subject}"
    message.set_content(f"{text}\n")
    message.add_attachment(posted.raw, maintype="application", subtype="octet-stream", filename=posted.path.name)
    if page is not None:
        message.add_attachment(page, subtype="html", filename=f"{posted.path.stem}-report.html")
    message.set_boundary(f"=_pbem_{posted.path.stem}")
    return message.as_bytes()


def deliver(posted: Posted, game: str, how: Delivery, covering: Callable[[Posted], Covering] | None = None) -> None:
    """Writes the file, and says where it is and whom it is for."""
    target = how.write(posted, game, covering)
    if target == "-":
        note(posted_line(posted))
        return
    say(posted_line(posted))
    if target != str(posted.path):
        say(f"Written to {clean(target)}.")


def show_posted(game: str, posted: Posted | None, how: Delivery, *, as_json: bool) -> None:
    """Write what an act has sealed in the forms asked for. A game against oneself has no file."""
    if as_json:
        if posted is not None:
            how.write(posted, game)
        say_json({"game": game, "posted": posted_json(posted) if posted else None})
        return
    (note if how.output == "-" else say)(f"Game {game}.")
    if posted is not None:
        deliver(posted, game, how)
