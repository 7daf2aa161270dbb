import sys
import traceback
import warnings


def old_api(x):
    warnings.warn("old_api is deprecated", DeprecationWarning, stacklevel=2)
    return x * 2


def parse(text):
    try:
        return int(text)
    except ValueError as e:
        raise RuntimeError(f"bad number {text!r}") from e


def main():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        print(old_api(4))
        warnings.warn("watch out")
    for w in caught:
        print(w.category.__name__, w.message)
    try:
        parse("x1")
    except RuntimeError as e:
        text = traceback.format_exc()
        print(text.splitlines()[-1])
        print("".join(traceback.format_exception_only(type(e), e)), end="")
        print(type(e.__cause__).__name__)
    try:
        parse("zz")
    except RuntimeError:
        traceback.print_exc(file=sys.stdout)
    warnings.simplefilter("error")
    try:
        warnings.warn("now an error", UserWarning)
    except UserWarning as e:
        print("raised", e)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
