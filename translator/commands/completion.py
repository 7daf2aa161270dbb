"""``rpython completion SHELL``: print what makes a shell complete commands and options."""

from __future__ import annotations

import argparse

from rpython.translator.commandline.commandmodel import commands
from rpython.translator.commandline.completion import SCRIPTS

EXAMPLES = (
    (
        "rpython completion bash > ~/.local/share/bash-completion/completions/rpython",
        "read when bash first completes rpython, where the package bash-completion is installed",
    ),
    ("rpython completion zsh > ~/.zfunc/_rpython", "in a folder of zsh's fpath"),
    ("rpython completion fish > ~/.config/fish/completions/rpython.fish", "read by fish"),
)
STATUSES = {"1": "the output could not be written"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("shell", choices=list(SCRIPTS), help="for which shell")


def run(options: argparse.Namespace) -> int:
    """Print the script."""
    print(SCRIPTS[options.shell](list(commands())), end="")
    return 0
