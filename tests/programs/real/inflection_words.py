"""inflection==0.5.1: plurals, cases and ordinals of words."""

import inflection


def main():
    for word in ("post", "octopus", "sheep", "CamelOctopus", "category", "person", "ox"):
        plural = inflection.pluralize(word)
        print(word, plural, inflection.singularize(plural), inflection.underscore(word))
    print(inflection.camelize("device_type"), inflection.camelize("device_type", False))
    print(inflection.titleize("man from the boondocks"), inflection.humanize("author_id"))
    print(inflection.ordinalize(1), inflection.ordinalize(112), inflection.dasherize("a_b"))
    print(inflection.parameterize("Donald E. Knuth"), inflection.tableize("RawScaledScorer"))
    print(inflection.transliterate("älämölö"))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
