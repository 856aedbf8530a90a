"""The `pbem` group. A command's module is imported only when that command runs, or when help is shown."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

# Command, and the module of pbem.cli that holds it. In the order in which help lists them.
SECTIONS: dict[str, dict[str, str]] = {
    "Start here": {"demo": "demo", "games": "games", "app": "browsing"},
    "People": {"id": "identity", "contact": "identity", "backup": "recovery", "restore": "recovery"},
    "Games and mail": {
        "new": "games",
        "join": "games",
        "decline": "games",
        "open": "turnfiles",
        "list": "games",
        "status": "games",
        "send": "turnfiles",
        "outbox": "turnfiles",
        "log": "turnfiles",
        "note": "turnfiles",
        "mail": "mailbox",
    },
    "Your move": {
        "board": "drawing",
        "report": "turnpage",
        "legal": "move",
        "order": "move",
        "play": "move",
        "odds": "move",
        "look": "move",
        "draft": "move",
        "undo": "move",
        "standing": "move",
        "plan": "move",
        "bot": "bot",
    },
    "Agreements": {
        "resign": "agreements",
        "tie": "agreements",
        "takeback": "agreements",
        "claim": "agreements",
        "rule": "agreements",
        "rekey": "agreements",
        "migrate": "agreements",
    },
    "Tournaments": {"umpire": "umpiring"},
    "Checking": {"verify": "verifying", "replay": "stepping", "dice": "dice", "archive": "verifying"},
    "Writing games": {"new-game": "newgame", "check-game": "checkgame"},
}


class Commands(click.Group):
    """A group that knows its commands by name and module."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return [name for section in SECTIONS.values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        for section in SECTIONS.values():
            if cmd_name in section:
                module = import_module(f"pbem.cli.{section[cmd_name]}")
                command: Any = getattr(module, f"{cmd_name.replace('-', '_')}_command")
                assert isinstance(command, click.Command)
                return command
        return None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            from difflib import get_close_matches

            from pbem.cli.text import clean

            near = get_close_matches(args[0], self.list_commands(ctx), 1)
            hint = f" Did you mean `pbem {near[0]}`?" if near else " `pbem --help` lists the commands."
            ctx.fail(f"There is no command {clean(args[0], 40)!r}.{hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, section in SECTIONS.items():
            rows = []
            for name in section:
                command = self.get_command(ctx, name)
                assert command is not None
                rows.append((name, command.get_short_help_str(80)))
            with formatter.section(title):
                formatter.write_dl(rows)


@click.group(
    cls=Commands,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 refused or not verified, 2 wrong usage, 70 a fault in pbem or in a game, "
    "130 interrupted.",
)
@click.version_option(package_name="pbem", message="pbem %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Play board wargames by email with strangers, honestly.

    Your identities, contacts and games live in PBEM_HOME (default: your system's application folder). Programs give
    the passphrase in PBEM_PASSPHRASE. NO_COLOR switches colours off.
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
