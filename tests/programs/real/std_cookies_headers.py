"""http.cookies: cookies made and read."""

from http import cookies


def main():
    c = cookies.SimpleCookie()
    c["fig"] = "newton"
    c["sugar"] = "wafer"
    c["fig"]["path"] = "/x"
    print(c.output())
    d = cookies.SimpleCookie("chips=ahoy; vienna=finger")
    print(d["chips"].value, sorted(d))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
