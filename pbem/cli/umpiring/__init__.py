"""`pbem umpire`: tournaments of hundreds of games. Commands import the desk only when they run.

Each module here adds its commands to the group.
"""

from pbem.cli.umpiring import deciding, entering, records, rehearse, rejudge, running, standing, website, writecase
from pbem.cli.umpiring.group import umpire_command

__all__ = [
    "deciding",
    "entering",
    "records",
    "rehearse",
    "rejudge",
    "running",
    "standing",
    "umpire_command",
    "website",
    "writecase",
]
