"""Players made of code: `quick` looks at little, `sensible` at more; the engine's `random` knows nothing."""

from pbem_rules.stalingrad42.bot.bots import QUICK, SENSIBLE, StalingradBot

__all__ = ["QUICK", "SENSIBLE", "StalingradBot"]
