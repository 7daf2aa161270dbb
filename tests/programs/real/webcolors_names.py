"""webcolors==25.10.0: names, hexadecimal and decimal forms of colours."""

import webcolors


def main():
    print(webcolors.name_to_hex("navy"), webcolors.hex_to_name("#daa520"))
    print(webcolors.name_to_rgb("goldenrod"), webcolors.hex_to_rgb("#fff"))
    print(webcolors.rgb_to_hex((255, 255, 0)), webcolors.normalize_hex("#0099CC"))
    print(webcolors.rgb_percent_to_hex(("100%", "0%", "50%")))
    print(webcolors.html5_parse_legacy_color("chucknorris"))
    try:
        webcolors.name_to_hex("nothing")
    except ValueError as error:
        print(error)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
