"""xml.etree.ElementTree: XML read, searched, changed and written."""

import xml.etree.ElementTree as ET

TEXT = """<?xml version="1.0"?>
<data>
    <country name="Liechtenstein"><rank>1</rank><year>2008</year></country>
    <country name="Singapore"><rank>4</rank><year>2011</year></country>
</data>
"""


def main():
    root = ET.fromstring(TEXT)
    for country in root.findall("country"):
        print(country.get("name"), country.find("rank").text, country.findtext("year"))
    for rank in root.iter("rank"):
        rank.text = str(int(rank.text) + 1)
        rank.set("updated", "yes")
    print([year.text for year in root.findall(".//country[@name='Singapore']/year")])
    print(ET.tostring(root, encoding="unicode"))
    try:
        ET.fromstring("<a><b></a>")
    except ET.ParseError as error:
        print(error, error.position)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
