"""`pbem umpire`: tournaments of hundreds of games. Commands import the desk only when they run.

Each module here adds its commands to the group.
"""

from pbem.cli.umpiring import directing, entering, records, rehearse, running, website
from pbem.cli.umpiring.shared import umpire_command

__all__ = ["directing", "entering", "records", "rehearse", "running", "umpire_command", "website"]
