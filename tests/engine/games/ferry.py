"""Ferry, as the tutorial in docs/write-a-game.md has it."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs/write-a-game.md"
TUTORIAL = PAGE.read_text(encoding="utf-8").partition("## A hex game to change")[0]

exec(compile("\n".join(re.findall(r"```python\n(.*?)```", TUTORIAL, flags=re.DOTALL)), str(PAGE), "exec"))
Load, game = globals()["Load"], globals()["game"]
