"""semver==3.0.4: versions, compared and raised."""

from semver import Version


def main():
    version = Version.parse("1.2.3-rc.4+build.5")
    print(
        version,
        version.major,
        version.prerelease,
        version.bump_minor(),
        version.next_version("patch"),
    )
    names = ["1.0.0", "0.9.1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-beta"]
    print([str(v) for v in sorted(map(Version.parse, names))])
    print(
        Version.parse("2.0.0").compare("1.9.9"), Version.is_valid("1.2"), version.match(">=1.0.0")
    )


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
