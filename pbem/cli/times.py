"""Times and days of the week as a person types them."""

from __future__ import annotations

import re

import click

from pbem.protocol.limits import MAX_SECONDS


def seconds_of(text: str, option: str) -> int:
    """`3d`, `36h`, `90m`, `3d12h`."""
    parts = re.fullmatch(r"(?:(\d{1,3})d)?(?:(\d{1,4})h)?(?:(\d{1,6})m)?", text.strip(), re.ASCII)
    if parts is None or not text.strip():
        raise click.UsageError(f"{option} is a time such as 3d, 36h or 90m, not {text!r}.")
    days, hours, minutes = (int(part or 0) for part in parts.groups())
    seconds = days * 86_400 + hours * 3_600 + minutes * 60
    if seconds > MAX_SECONDS:
        raise click.UsageError(f"{option} is at most {MAX_SECONDS // 86_400} days.")
    return seconds


WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def days_of(text: str) -> int:
    """`sat,sun` as bits, Monday the first."""
    bits = 0
    for day in text.split(","):
        if day.strip().casefold()[:3] not in WEEK:
            raise click.UsageError(f"--days-off names days of the week such as sat,sun, not {day.strip()!r}.")
        bits |= 1 << WEEK.index(day.strip().casefold()[:3])
    return bits
