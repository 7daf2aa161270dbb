"""pystache==0.6.8: Mustache templates."""

import pystache


def main():
    view = {"name": "Ann", "items": [{"n": "a"}, {"n": "b"}], "none": []}
    print(pystache.render("Hi {{name}}! {{#items}}<{{n}}>{{/items}}{{^none}}empty{{/none}}", view))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
