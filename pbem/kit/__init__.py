"""The pieces that hex wargames share: maps, movement, supply, odds, retreats, pictures. `from pbem.kit import ...`;
docs/kit.md.

A module is loaded when one of its names is first used, so judging an archive loads no pictures.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pbem.kit.advancing import *  # noqa: F403
    from pbem.kit.arrivals import *  # noqa: F403
    from pbem.kit.arrows import *  # noqa: F403
    from pbem.kit.board import *  # noqa: F403
    from pbem.kit.botcraft import *  # noqa: F403
    from pbem.kit.cards import *  # noqa: F403
    from pbem.kit.combat import *  # noqa: F403
    from pbem.kit.control import *  # noqa: F403
    from pbem.kit.counters import *  # noqa: F403
    from pbem.kit.datafile import *  # noqa: F403
    from pbem.kit.fights import *  # noqa: F403
    from pbem.kit.finders import *  # noqa: F403
    from pbem.kit.flowing import *  # noqa: F403
    from pbem.kit.hexes import *  # noqa: F403
    from pbem.kit.hexmap import *  # noqa: F403
    from pbem.kit.looking import *  # noqa: F403
    from pbem.kit.losses import *  # noqa: F403
    from pbem.kit.marching import *  # noqa: F403
    from pbem.kit.rails import *  # noqa: F403
    from pbem.kit.ranges import *  # noqa: F403
    from pbem.kit.retreat import *  # noqa: F403
    from pbem.kit.roster import *  # noqa: F403
    from pbem.kit.scene import *  # noqa: F403
    from pbem.kit.search import *  # noqa: F403
    from pbem.kit.stacking import *  # noqa: F403
    from pbem.kit.supply import *  # noqa: F403
    from pbem.kit.telling import *  # noqa: F403
    from pbem.kit.turns import *  # noqa: F403
    from pbem.kit.zones import *  # noqa: F403

_HOME = {
    "advancing": "UNIT AdvanceWords advance named_ways paces pursuits",
    "arrivals": "Gate entrance refuse_entry",
    "arrows": "happened",
    "board": "AREA FIRST_AREA NOTHING Board EdgeCost EdgeTest Features HexWords Links Place PlaceNames board_of "
    "slowest text_of",
    "botcraft": "FAR Distances Foray Memory Steps default_answer forays gather menace pulls send",
    "cards": "CardEvent CardKind CardList cards_of",
    "combat": "HALF Factor Odds Reckoned Rounding Shift Table chances describe_chances describe_odds labelled odds_of "
    "percentages reckon rounded rows_of strength table_of",
    "control": "held_by take",
    "counters": "Counters Face Unit UnitType counters_of",
    "datafile": "folder",
    "fights": "ASKED COMBATS LEAST_ODDS Assault Clash Defence Defend Done EntryKind Fate FightList Fights InFight "
    "InMiddle ListEntry MOST_ENTRIES NextFight Strike Struck",
    "flowing": "Flow flow flows",
    "hexes": "Grid axial_distance hex_id hex_name parse_hex place_key",
    "hexmap": "Entry HexMap Region Way hexmap_of",
    "looking": "begin_with_target describe_cut describe_line describe_places describe_reach describe_supply goals_at "
    "line_ways reach_notes",
    "losses": "Losses TakeSteps foremost victims",
    "marching": "March Marches",
    "finders": "PlaceFinder UnitFinder clauses listed stops_of typed units_first",
    "rails": "Track extended onward thrown_back",
    "ranges": "Ranges",
    "retreat": "Bounds Distance Rank WayBack best ends_in farthest fewest_zones first_possible longer "
    "refuse_retreat safest together ways",
    "roster": "NOWHERE Deployed Fielded Force Roster Stacks",
    "scene": "AreaGround Arrow Battle Course Dice Explained HexGround Luck Mark Panel Part Pictures Piece Row Scene "
    "Side Spot Strength Throw",
    "search": "NO_LINKS Reasons Terms Trail Why adjusted goals goes_anywhere path reach refuse why_not",
    "stacking": "Cap each excess fits",
    "supply": "ISOLATED OUT_OF_SUPPLY SUPPLIED Cut Hindrance Line Lines Stage Trace bar cut reach_of shut trace worse "
    "zone_after_zone",
    "telling": "Assailed DrivenBack StepLost SupplyJudged Told Went all_of last_steps many",
    "turns": "Arrival Turn TurnTrack turns_of",
    "zones": "OFF_MAP Barrier Bond Bonds Zones",
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names.split()}

__all__ = [*_MODULE_OF]  # noqa: PLE0604


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        module = _MODULE_OF.get(name)
        if module is None:
            raise AttributeError(f"pbem.kit has no {name}")
        found = globals()[name] = getattr(import_module(f"pbem.kit.{module}"), name)
        return found
