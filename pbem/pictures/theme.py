"""The look of every class, by day and by night. Hues can be told apart with all common kinds of colour-blindness,
and nothing is shown by hue alone: sides also differ by the shape of their counters, arrows by their dashes."""

from __future__ import annotations

from collections.abc import Iterable

PAPER = ("#fbfaf6", "#15181c")
INK = ("#1d2023", "#e8e6e0")
FAINT = ("#62635f", "#a3a4a1")
RIM = ("#20201e", "#0b0c0d")

# colour: counter by day and night, ink on it, tint of places by day and night
SIDES = {
    "blue": (("#2563b8", "#3a74c8"), ("#ffffff", "#ffffff"), ("#a9c4ec", "#29497a")),
    "red": (("#a83a22", "#b8452b"), ("#ffffff", "#ffffff"), ("#e8b5a4", "#56261a")),
    "grey": (("#414b57", "#8795a4"), ("#ffffff", "#15181c"), ("#b1b7bc", "#4b5058")),
    "sand": (("#e3b93f", "#d8ab35"), ("#1d1a10", "#1d1a10"), ("#f3e6b0", "#5a4f22")),
    "violet": (("#b193cc", "#c0a3da"), ("#1d1a10", "#1d1a10"), ("#d3b9e4", "#43295c")),
    "green": (("#35a07c", "#3fb890"), ("#1d1a10", "#1d1a10"), ("#b5dfb9", "#27543f")),
}
ROUND = frozenset({"blue", "grey", "green"})  # whose counters have round corners

Value = str | tuple[str, str]


def _stroke(colour: Value, wide: str, **more: Value) -> dict[str, Value]:
    """A line with round joins and ends, unless `more` says otherwise."""
    found: dict[str, Value] = {"fill": "none", "stroke": colour, "stroke-width": wide}
    found.update({"stroke-linejoin": "round", "stroke-linecap": "round"})
    found.update({name.replace("_", "-"): value for name, value in more.items()})
    return found


# class: properties; a value in a pair is that of day and of night
LOOK: dict[str, dict[str, Value]] = {
    "paper": {"fill": PAPER},
    "ink": {"fill": INK},
    "title": {"fill": INK, "font-weight": "700"},
    "faint": {"fill": FAINT},
    "mid": {"text-anchor": "middle"},
    "end": {"text-anchor": "end"},
    "bold": {"font-weight": "700"},
    "ital": {"font-style": "italic"},
    "halo": {"paint-order": "stroke", "stroke": PAPER, "stroke-width": "4", "stroke-linejoin": "round"},
    "rule": {"stroke": ("#d5d2c8", "#33383e"), "stroke-width": "1", "fill": "none"},
    "card": {"fill": ("#ffffff", "#1d2126"), "stroke": ("#d5d2c8", "#33383e"), "stroke-width": "1"},
    # ground
    "t-clear": {"fill": ("#efe9d6", "#33352f")},
    "t-forest": {"fill": ("#cfdcb4", "#2d3b29")},
    "t-swamp": {"fill": ("#cfe0d6", "#2a3c3a")},
    "t-dense": {"fill": ("#b3c98f", "#233020")},
    "t-bog": {"fill": ("#b8cfab", "#243529")},
    "t-islet": {"fill": ("#d9d6cc", "#2d3235")},
    "t-passage": {"fill": ("#d9d6cc", "#2d3235")},
    "t-hill": {"fill": ("#e3d3ae", "#423c2c")},
    "t-mountain": {"fill": ("#d6c3a3", "#463d30")},
    "t-town": {"fill": ("#e6dfd2", "#3d3c3a")},
    "t-water": {"fill": ("#b9d5e6", "#1c3346")},
    "t-lake": {"fill": ("#c5deeb", "#20394c")},
    "t-off": {"fill": ("#e4e2dc", "#22262a")},
    "t-ice": {"fill": ("#d7e4ea", "#1d2b36")},
    "t-other": {"fill": ("#eadfea", "#3a323c")},
    "t-area": {"fill": ("#e9dfc4", "#3a382e")},
    "even": {"fill-rule": "evenodd"},
    "g-forest": {"fill": ("#8fab6c", "#4c6642")},
    "g-swamp": _stroke(("#6d9c8c", "#4f7d72"), "3"),
    "g-dense": {"fill": ("#6f9150", "#5d7d50")},
    "g-bog": _stroke(("#5b8a5f", "#5a7d62"), "3"),
    "g-passage": _stroke(("#8c887d", "#7d8284"), "3"),
    "g-hill": _stroke(("#ad9460", "#7b6b46"), "3"),
    "g-mountain": {"fill": ("#a98c62", "#7c6a4d")},
    "g-town": {"fill": ("#a39a8a", "#77726a")},
    "g-water": _stroke(("#9cc0d6", "#284a63"), "2"),
    "g-off": {"stroke": ("#d3d0c8", "#2c3136"), "stroke-width": "2"},
    "grid": _stroke(("#b9b3a0", "#50534c"), "1.5"),
    "shore": _stroke(("#5f8dac", "#4c7ea2"), "4"),
    "river": _stroke(("#3f7fb5", "#4f93c9"), "9"),
    "minor_river": _stroke(("#6ba3cd", "#3d719b"), "4"),
    "strait": _stroke(("#a9cbe0", "#1d3a51"), "13"),
    "impassable": _stroke(("#8a3d34", "#c0675c"), "7"),
    "border": _stroke(("#9a3f5f", "#c77393"), "4", stroke_dasharray="14 7", stroke_linecap="butt"),
    "bridge": _stroke(("#4b4438", "#c9c1b2"), "4"),
    "deck": _stroke(("#efe9d6", "#33352f"), "14"),
    "track": _stroke(("#b58a54", "#8e7047"), "3", stroke_dasharray="9 7", stroke_linecap="butt"),
    "motorway": _stroke(("#a3562a", "#b5703f"), "9"),
    "median": _stroke(("#fbfaf6", "#15181c"), "2.5"),
    "road": _stroke(("#b58a54", "#8e7047"), "5"),
    "rail": _stroke(("#77736a", "#8b8880"), "3"),
    "main_rail": _stroke(("#4f463a", "#b3aa9c"), "4"),
    "ties": _stroke(("#4f463a", "#b3aa9c"), "11", stroke_dasharray="2 10", stroke_linecap="butt"),
    "gauge": _stroke("currentColor", "3"),
    "gauge-under": _stroke(PAPER, "7"),
    "front": _stroke("currentColor", "18"),
    "trail": _stroke("currentColor", "12", stroke_opacity=".7"),
    "outside": _stroke("currentColor", "14", stroke_opacity=".55"),
    "sleepers": _stroke(("#77736a", "#8b8880"), "9", stroke_dasharray="2 12", stroke_linecap="butt"),
    "n-id": {"fill": ("#57523f", "#a9aca2"), "text-anchor": "middle"},
    "n-town": {"fill": INK, "text-anchor": "middle", "font-weight": "600"},
    "n-small": {"fill": INK, "text-anchor": "middle"},
    "n-water": {"fill": ("#1b4a72", "#8fc0e6"), "text-anchor": "middle", "font-style": "italic"},
    "town": {"fill": ("#1d2023", "#e8e6e0"), "stroke": ("#fbfaf6", "#15181c"), "stroke-width": "3"},
    "city": {"fill": ("#3a3630", "#d9d3c6"), "stroke": ("#fbfaf6", "#15181c"), "stroke-width": "3"},
    "goal": {"fill": ("#f2c230", "#e3b62c"), "stroke": ("#3a3014", "#15181c"), "stroke-width": "2"},
    "on-goal": {"fill": "#2a2208", "text-anchor": "middle", "font-weight": "700"},
    # counters
    "shade": {"fill": ("#000000", "#000000"), "fill-opacity": ".25"},
    "edge": {"stroke": ("#20201e", "#0b0c0d"), "stroke-width": "1.5"},
    "box": _stroke("currentColor", "2.5"),
    "solid": {"fill": "currentColor", "stroke": "none"},
    "c-text": {"fill": "currentColor", "text-anchor": "middle", "font-weight": "700"},
    "pip": {"fill": "currentColor"},
    "pip-lost": _stroke("currentColor", "1.5"),
    "worn": {"fill": "#ffffff", "fill-opacity": ".22"},
    "badge": {"fill": ("#fff6d8", "#f4e3a6"), "stroke": "#20201e", "stroke-width": "1.5"},
    "badge-ink": {"fill": "#20201e", "text-anchor": "middle", "font-weight": "700"},
    "badge-line": _stroke("#20201e", "2"),
    # what happened
    "under": {"fill": "none", "stroke": PAPER, "stroke-opacity": ".85", "stroke-linejoin": "round"},
    "rim": {"fill": "none", "stroke": RIM, "stroke-linejoin": "round"},
    "arrow": {"fill": "none", "stroke": "currentColor", "stroke-linejoin": "round", "stroke-linecap": "butt"},
    "gap": {"fill": "none", "stroke": PAPER, "stroke-linejoin": "round", "stroke-linecap": "butt"},
    "head": {"fill": "currentColor"},
    "burst": {**_stroke(("#7b1d12", "#15181c"), "2.5"), "fill": ("#f6d24a", "#e8c23a")},
    "lead": _stroke("#3b2a12", "2"),
    "tag": {"fill": ("#ffffff", "#f2efe6"), "stroke": "#3b2a12", "stroke-width": "2"},
    "tag-ink": {"fill": "#20201e", "font-weight": "700"},
    "die": {"fill": "#20201e"},
    "die-pip": {"fill": "#ffffff"},
    "hit": {"stroke": "#20201e", "stroke-width": "1"},
    "hit-pip": {"fill": "currentColor"},
    "miss": {"fill": "#ffffff", "stroke": "#9a958a", "stroke-width": "1"},
    "miss-pip": {"fill": "#77736a"},
    "m-target": _stroke(("#c0392b", "#e2685a"), "5", stroke_dasharray="10 6", stroke_linecap="butt"),
    "m-blow": _stroke(("#a3562a", "#d98a58"), "5"),
    "m-works": _stroke(("#5a4a2f", "#c9b48a"), "6", stroke_dasharray="10 4", stroke_linecap="butt"),
    "m-digging": _stroke(("#5a4a2f", "#c9b48a"), "4", stroke_dasharray="4 8", stroke_linecap="butt"),
    "m-railhead": {"fill": ("#4f463a", "#b3aa9c"), "stroke": PAPER, "stroke-width": "2"},
    "m-source": _stroke(("#1b7a4b", "#54c489"), "5"),
    "m-other": _stroke(("#3a3630", "#d9d3c6"), "5"),
    # curves
    "axis": _stroke(FAINT, "1.5"),
    "curve": _stroke("currentColor", "3"),
    "curve-name": {"fill": "currentColor", "font-weight": "700"},
    "band": {"fill": "currentColor", "fill-opacity": ".13", "stroke": "none"},
    "now": _stroke(INK, "2"),
    # areas
    "z-line": _stroke(("#7fa9c4", "#3a617d"), "2"),
    "a-line": _stroke(("#4f4b42", "#a9a598"), "2.5"),
    "a-neutral": {"fill": "url(#hatch)"},
    "hatch-ground": {"fill": ("#e4e1d8", "#34352f")},
    "hatch-line": _stroke(("#b9b4a6", "#54554e"), "2"),
    "link-under": _stroke(PAPER, "9"),
    "link": {**_stroke(INK, "3"), "fill": INK},
    "n-edge": {"fill": ("#3a3630", "#d9d3c6"), "text-anchor": "middle", "font-style": "italic"},
    "edge-tip": {"fill": ("#3a3630", "#d9d3c6")},
    "capital": {"fill": ("#f7cf3c", "#f0c431"), "stroke": "#20201e", "stroke-width": "1.5", "stroke-linejoin": "round"},
    "n-zone": {"fill": ("#27597f", "#8dbbdd"), "text-anchor": "middle", "font-style": "italic"},
    "worth": {"fill": ("#ffffff", "#0f1113"), "stroke": ("#4f4b42", "#a9a598"), "stroke-width": "2"},
    "worth-ink": {"fill": INK, "text-anchor": "middle", "font-weight": "700"},
}  # fmt: skip

for _name, (_fill, _on, _tint) in SIDES.items():
    LOOK[f"s-{_name}"] = {"fill": _fill, "color": _on}
    LOOK[f"k-{_name}"] = {"color": (_fill[0], _fill[1])}  # what is drawn in the side's colour
    LOOK[f"a-{_name}"] = {"fill": _tint}
    LOOK[f"e-{_name}"] = {"border-color": (f"{_fill[0]}!important", f"{_fill[1]}!important")}
    LOOK[f"h-{_name}"] = {"fill": "none", "stroke": _fill, "stroke-width": "5", "stroke-linejoin": "round"}


def _rules(names: Iterable[str], night: int, only: bool) -> str:
    out = []
    for name in names:
        held = {
            key: value if isinstance(value, str) else value[night]
            for key, value in LOOK[name].items()
            if not only or isinstance(value, tuple)
        }
        if held:
            out.append(f".{name}{{{';'.join(f'{key}:{value}' for key, value in held.items())}}}")
    return "".join(out)


def sheet(used: Iterable[str], look: str = "auto") -> str:
    """The style sheet of these classes."""
    names = sorted(used)
    if look == "auto":
        night = _rules(names, 1, only=True)
        return f"{_rules(names, 0, only=False)}@media screen and (prefers-color-scheme:dark){{{night}}}"
    return _rules(names, int(look == "dark"), only=False)
