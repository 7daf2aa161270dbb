import subprocess
import sys


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    return result.returncode, result.stdout.strip(), result.stderr.strip()


def main():
    print(run("echo", "hello", "world"))
    print(run("sh", "-c", "echo out; echo err >&2; exit 3"))
    print(subprocess.check_output(["printf", "a b c"]).decode().split())
    p = subprocess.Popen(["tr", "a-z", "A-Z"], stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, text=True)
    out, _ = p.communicate("shout\n")
    print(out, p.returncode)
    try:
        subprocess.run(["false"], check=True)
    except subprocess.CalledProcessError as e:
        print("failed:", e.returncode, e)
    try:
        subprocess.run(["no-such-command-here"])
    except FileNotFoundError as e:
        print("not found:", e.filename)
    done = subprocess.run("echo $((6 * 7))", shell=True, stdout=subprocess.PIPE, text=True)
    print(done.stdout, end="")
    print(subprocess.run(["cat"], input="piped", text=True, capture_output=True).stdout)
    try:
        subprocess.run(["sleep", "5"], timeout=0.2)
    except subprocess.TimeoutExpired as e:
        print("timeout", round(e.timeout, 1))
    return subprocess.call(["true"])


def entry_point(argv):
    return main()


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
