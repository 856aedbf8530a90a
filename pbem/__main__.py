"""The `pbem` command. `pbem --version` is answered before anything heavy is imported."""

from __future__ import annotations

import gc
import sys


def main() -> int:
    """Runs the command line of this process; the exit code is documented in pbem/cli/run.py."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from pbem import __version__

        sys.stdout.write(f"pbem {__version__}\n")
        return 0
    gc.set_threshold(50_000, 20, 20)  # imports leave no garbage: looking for some takes a twentieth of a start
    from pbem.cli.run import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
