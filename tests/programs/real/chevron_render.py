"""chevron==0.14.0: Mustache templates."""

import chevron


def main():
    data = {"name": "Ann", "items": [{"n": "a"}, {"n": "b"}], "none": []}
    print(chevron.render("Hi {{name}}! {{#items}}<{{n}}>{{/items}}{{^none}}empty{{/none}}", data))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
