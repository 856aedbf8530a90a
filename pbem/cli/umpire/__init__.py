"""`pbem umpire`: tournaments of hundreds of games. Commands import the desk only when they run.

Each module here adds its commands to the group.
"""

from pbem.cli.umpire import auditing, case, demo, publish, records, ruling, running, setup, standing
from pbem.cli.umpire.group import umpire_command

__all__ = [
    "auditing",
    "case",
    "demo",
    "publish",
    "records",
    "ruling",
    "running",
    "setup",
    "standing",
    "umpire_command",
]
