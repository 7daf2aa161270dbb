"""``python -m rpython``: the command ``rpython``."""

import sys

from rpython.translator.commandline.command import main

if __name__ == "__main__":
    sys.exit(main())
