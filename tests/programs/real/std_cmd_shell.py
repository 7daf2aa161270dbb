"""cmd: a shell with commands."""

import cmd
import io


class Shell(cmd.Cmd):
    prompt = "> "

    def do_add(self, line):
        print(sum(map(int, line.split())))

    def do_quit(self, line):
        return True


def main():
    shell = Shell(stdin=io.StringIO("add 1 2\nquit\n"))
    shell.use_rawinput = False
    shell.cmdloop()


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
