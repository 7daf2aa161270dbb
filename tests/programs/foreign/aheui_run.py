"""aheui's interpreter with a command line of its own: ``aheui_run FILE [OPTIMISATION]``.

The package's ``entry_point`` cannot be translated: its table of options has str and bytes as
values, and it gives str to ``os.write``, which is an error in Python 3.  So is the one line of its
big-integer form that is replaced here.
"""

import os
import sys

from aheui import aheui as vm
from aheui import compile as aheui_compile
from aheui._compat import bigint


def write_text(text):
    os.write(vm.outfp, text.encode("ascii"))


if bigint.NAME == "bigint":
    vm.write_number = write_text


def entry_point(argv):
    fd = os.open(argv[1], os.O_RDONLY, 0o777)
    contents = aheui_compile.read(fd)
    os.close(fd)
    level = int(argv[2]) if len(argv) > 2 else 2
    compiler = vm.prepare_compiler(contents, level, "text", None, False)
    program = vm.Program(compiler.lines, compiler.label_map)
    return vm.mainloop(program, compiler.debug)


if __name__ == "__main__":
    sys.exit(entry_point(sys.argv))
