"""Makes the map of a game: `python -m tools.mapmaking noretreat [--check] [--pictures]`."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from tools.mapmaking import emit, picture
from tools.mapmaking.build import Built, build
from tools.mapmaking.spec import read

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def main() -> None:
    games = sorted(path.stem for path in (HERE / "games").glob("*.toml"))
    parser = argparse.ArgumentParser(prog="python -m tools.mapmaking", description=__doc__)
    parser.add_argument("game", nargs="*", choices=[*games, []], help=f"one of {', '.join(games)}; all if none")
    parser.add_argument("--check", action="store_true", help="write nothing; report whether the files are up to date")
    parser.add_argument(
        "--pictures", action="store_true", help="also draw the maps into pictures/, to compare them with an atlas"
    )
    asked = parser.parse_args()
    for game in asked.game or games:
        spec = read(HERE / "games" / f"{game}.toml")
        built = build(spec)
        if asked.pictures:
            picture.draw(built, HERE / "pictures" / f"{game}.png")
        if built.faults:
            raise SystemExit("\n".join(built.faults))
        made = emit.text(emit.page(built))
        out = ROOT / spec.out
        if asked.check:
            if not out.exists() or out.read_text(encoding="utf-8") != made:
                raise SystemExit(f"{spec.out} is not what its specification makes: run `make maps`.")
            continue
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(made, encoding="utf-8")
        print(f"{spec.out}: {summary(built)}")


def summary(built: Built) -> str:
    kinds = Counter(built.terrain.values())
    ground = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    features: Counter[str] = Counter()
    for group in built.sides:
        features[group.feature] += len(group.sides)
    sides = ", ".join(f"{count} {feature}" for feature, count in sorted(features.items()))
    return f"{len(built.terrain)} hexes ({ground}); hexsides: {sides}; {len(built.places)} places"


if __name__ == "__main__":
    main()
