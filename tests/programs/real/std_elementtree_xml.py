"""xml.etree.ElementTree: XML made and written."""

import xml.etree.ElementTree as ET


def main():
    root = ET.Element("data", version="1")
    ET.SubElement(root, "item", name="x").text = "a < b"
    print(ET.tostring(root, encoding="unicode"), root.find("item").attrib)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
