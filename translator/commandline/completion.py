"""Scripts that make a shell complete the commands of ``rpython``.

bash and fish look at the words themselves, zsh has ``_arguments``.  At the place of a program,
files that end with .py are offered, and folders; behind the last place, files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from rpython.translator.commandline.commandmodel import Argument, Command

# -- bash -----------------------------------------------------------------------------------------

_BASH = """\
# Completion of rpython for bash, made by `rpython completion bash`.
_rpython_words() {
    mapfile -t COMPREPLY < <(compgen -W "$1" -- "$word")
}

_rpython_files() {
    compopt -o filenames
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word")
}

_rpython_programs() {
    compopt -o filenames
    mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
        compgen -f -X '!*.py' -- "$word"
        compgen -d -- "$word"
    )
}

_rpython() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
    local command=${COMP_WORDS[1]} first=2 place=0 rest=99 i options= valued=
    COMPREPLY=()
    if [[ $word == = ]]; then
        word=
    elif [[ $before == = ]]; then
        before=${COMP_WORDS[COMP_CWORD-2]}
    fi
    if ((COMP_CWORD == 1)); then
        _rpython_words '@COMMANDS@ --help --version'
        _rpython_programs
        return
    fi
    case $command in
    @PATTERN@) ;;
    *) command=build first=1 ;;
    esac
    case $command in
@OPTIONS@
    esac
    for ((i = first; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        --) _rpython_files; return ;;
        =) ((i++)) ;;
        -*)
            if [[ " $valued " == *" ${COMP_WORDS[i]} "* && ${COMP_WORDS[i+1]} != = ]]; then
                ((i++))
            fi
            ;;
        *) ((place++)) ;;
        esac
    done
    if ((place >= rest)); then
        _rpython_files
        return
    fi
    case $command/$before in
@VALUES@
    esac
    if [[ $word == -* ]]; then
        _rpython_words "$options"
        return
    fi
    case $command/$place in
@PLACES@
    *) _rpython_files ;;
    esac
}

complete -F _rpython rpython
"""


def bash(commands: Sequence[Command]) -> str:
    """The script for bash."""
    options, values, places = [], [], []
    for command in commands:
        valued = [flag for option in command.options if option.value for flag in option.flags]
        settings = [f"options='{' '.join(_offered(command))}'", f"valued='{' '.join(valued)}'"]
        settings += [f"rest={i}" for i, place in enumerate(command.places) if place.is_rest]
        body = "\n        ".join([f"{command.name})", *settings, ";;"])
        options.append(f"    {body}")
        for option in command.options:
            if option.value:
                patterns = "|".join(f"{command.name}/{flag}" for flag in option.flags)
                values.append(f"    {patterns}) {_bash_values(option)}; return ;;")
        for number, place in enumerate(command.places):
            places.append(f"    {command.name}/{number}) {_bash_values(place)} ;;")
            if place.repeats and not place.is_rest:
                places.append(f"    {command.name}/*) {_bash_values(place)} ;;")
        if not command.places:
            places.append(f"    {command.name}/*) ;;")
    names = [command.name for command in commands]
    parts = {
        "COMMANDS": " ".join(names), "PATTERN": "|".join(names), "OPTIONS": "\n".join(options),
        "VALUES": "\n".join(values), "PLACES": "\n".join(places),
    }  # fmt: skip
    return _filled(_BASH, parts)


def _bash_values(argument: Argument) -> str:
    if argument.choices:
        return f"_rpython_words '{' '.join(argument.choices)}'"
    if argument.is_program:
        return "_rpython_programs"
    return "_rpython_files" if argument.is_path or argument.is_rest else ":"


def _offered(command: Command) -> Iterator[str]:
    """The options as they are typed: -O0 to -O3 in place of -O."""
    for option in command.options:
        for flag in option.flags:
            if option.choices and not flag.startswith("--"):
                yield from (flag + choice for choice in option.choices)
            else:
                yield flag


def _filled(script: str, parts: dict[str, str]) -> str:
    for name, text in parts.items():
        script = script.replace(f"@{name}@", text)
    return script


# -- zsh ------------------------------------------------------------------------------------------

_ZSH = """\
#compdef rpython
# Completion of rpython for zsh, made by `rpython completion zsh`.
_rpython() {
    local -a commands=(
@COMMANDS@
    )
    if ((CURRENT == 2)); then
        _describe command commands
        _arguments '--help[list the commands]' '--version[print the version]'
        _files -g '*.py'
        return
    fi
    local command=$words[2]
    case $command in
    @PATTERN@) shift words; ((CURRENT--)) ;;
    *) command=build ;;
    esac
    case $command in
@ARGUMENTS@
    esac
}

if [[ $funcstack[1] == _rpython ]]; then
    _rpython "$@"
else
    compdef _rpython rpython
fi
"""


def zsh(commands: Sequence[Command]) -> str:
    """The script for zsh."""
    arguments = []
    for command in commands:
        lines = [_zsh_option(option) for option in command.options]
        for number, place in enumerate(command.places, 1):
            where = "*" if place.repeats else str(number)
            where = "*:" if place.is_rest else where
            lines.append(_quoted(f"{where}:{_zsh_text(place.value)}:{_zsh_values(place)}"))
        if command.places and not command.places[-1].repeats:
            lines.append("'*:argument:_files'")
        body = " \\\n            ".join(["_arguments -s", *lines])
        arguments.append(f"    {command.name})\n        {body}\n        ;;")
    names = [command.name for command in commands]
    described = [f"        {_quoted(f'{command.name}:{command.summary}')}" for command in commands]
    parts = {
        "COMMANDS": "\n".join(described), "PATTERN": "|".join(names),
        "ARGUMENTS": "\n".join(arguments),
    }  # fmt: skip
    return _filled(_ZSH, parts)


def _zsh_option(option: Argument) -> str:
    others = f"({' '.join(option.flags)})"
    end = f"[{_zsh_text(option.help)}]"
    if option.value:
        end += f":{_zsh_text(option.value)}:{_zsh_values(option)}"
    lines = []
    for flag in option.flags:
        glue = "" if not option.value else "=" if flag.startswith("--") else "+"
        lines.append(_quoted(f"{others}{flag}{glue}{end}"))
    return " ".join(lines)


def _zsh_values(argument: Argument) -> str:
    if argument.choices:
        return f"({' '.join(argument.choices)})"
    if argument.is_program:
        return '_files -g "*.py"'
    return "_files" if argument.is_path or argument.is_rest else " "


def _zsh_text(text: str) -> str:
    for character in "\\[]:":
        text = text.replace(character, "\\" + character)
    return text


# -- fish -----------------------------------------------------------------------------------------


def fish(commands: Sequence[Command]) -> str:
    """The script for fish."""
    lines = ["# Completion of rpython for fish, made by `rpython completion fish`."]
    names = " ".join(command.name for command in commands)
    none = f"not __fish_seen_subcommand_from {names}"
    programs = "-k -a '(__fish_complete_suffix .py)'"
    lines += [
        "complete -c rpython -f",
        f"complete -c rpython -n '{none}' {programs}",
        f"complete -c rpython -n '{none}' -l help -d 'list the commands'",
        f"complete -c rpython -n '{none}' -l version -d 'print the version'",
    ]
    for command in commands:
        lines.append(
            f"complete -c rpython -n '{none}' -a {command.name} -d {_quoted(command.summary)}"
        )
        start = f"complete -c rpython -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            flags = " ".join(
                f"-l {flag[2:]}" if flag.startswith("--") else f"-s {flag[1:]}"
                for flag in option.flags
            )
            value = f" {_fish_values(option)}" if option.value else ""
            lines.append(f"{start} {flags}{value} -d {_quoted(option.help)}")
        for place in command.places:
            lines.append(f"{start} {programs if place.is_program else _fish_values(place)}")
    return "\n".join(lines) + "\n"


def _fish_values(argument: Argument) -> str:
    if argument.choices:
        return f"-x -a '{' '.join(argument.choices)}'"
    return "-r -F" if argument.is_path or argument.is_rest else "-x"


def _quoted(text: str) -> str:
    """In single quotes, as all three shells read it."""
    return "'" + text.replace("'", "'\\''") + "'"


SCRIPTS: dict[str, Callable[[Sequence[Command]], str]] = {"bash": bash, "zsh": zsh, "fish": fish}
"""A shell -> what writes its script."""
