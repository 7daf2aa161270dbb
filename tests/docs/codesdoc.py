"""``docs/codes.md``, made from the entries of the codes.

python -m tests.docs.codesdoc      writes the page again
"""

from __future__ import annotations

import re
from pathlib import Path

from rpython.translator.ir.codes import FOLDER, entries

PAGE = Path(__file__).parents[2] / "docs" / "codes.md"
START = """# Errors and warnings by code

Made from `translator/codes/` by `python -m tests.docs.codesdoc`; `tests/docs/test_codes.py`
holds it true, and checks the programs. `rpython explain R0201` prints an entry. The lists show the
messages; what is in braces stands for any text.
"""


def _first_code(text: str) -> str:
    return min(re.findall(r"^## (R\d{4})", text, re.MULTILINE))


def page() -> str:
    """The text of the page: a family of codes each."""
    texts = sorted(
        (path.read_text(encoding="utf-8") for path in FOLDER.glob("*.md")), key=_first_code
    )
    contents = "".join(f"- {code}: {entry.title}\n" for code, entry in entries().items())
    return "\n".join(
        [
            START,
            contents,
            *(text.replace("\n## ", "\n### ").replace("# ", "## ", 1) for text in texts),
        ]
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
