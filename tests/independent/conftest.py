"""The helpers of the tests of protocol, table and engine serve here, too."""

import sys
from pathlib import Path

for other in ("protocol", "home", "engine"):
    sys.path.append(str(Path(__file__).parent.parent / other))
