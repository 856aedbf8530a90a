"""For rules authors: play a game in a test, with scripted or seeded dice, and check it against the engine's
contract.
"""

from pbem.engine.testing.contract import Earlier, check_player, check_position
from pbem.engine.testing.driver import Driver, IllegalOrderError
from pbem.engine.testing.gamecheck import Report, check_game
from pbem.engine.testing.golden import check_golden, check_perft, perft
from pbem.engine.testing.inmemory import Peer, Table, seating
from pbem.engine.testing.play import Crash, random_game, read_crash, replay_crash, write_crash
from pbem.engine.testing.positions import at_step
from pbem.engine.testing.scripted import Chance, ScriptedChance
from pbem.engine.testing.watched import Finding

__all__ = [
    "Chance",
    "Crash",
    "Driver",
    "Earlier",
    "Finding",
    "IllegalOrderError",
    "Peer",
    "Report",
    "ScriptedChance",
    "Table",
    "at_step",
    "check_game",
    "check_golden",
    "check_perft",
    "check_player",
    "check_position",
    "perft",
    "random_game",
    "read_crash",
    "replay_crash",
    "seating",
    "write_crash",
]
