"""`pbem umpire`: tournaments of hundreds of games. Commands import the desk only when they run.

Each module here adds its commands to the group.
"""

from pbem.cli.umpiring import entering, records, rehearse, running, standing, website
from pbem.cli.umpiring.shared import umpire_command

__all__ = ["entering", "records", "rehearse", "running", "standing", "umpire_command", "website"]
