"""The helpers of the tests of protocol and table serve here, too."""

import sys
from pathlib import Path

for other in ("protocol", "table"):
    sys.path.append(str(Path(__file__).parent.parent / other))
