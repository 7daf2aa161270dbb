"""mistune==3.4.0: Markdown to HTML."""

import mistune

TEXT = """\
# Title

Some *text* with **bold** and `code`, a [link](http://example.com).

* one
* two

> quoted

```python
print(1)
```
"""


def main():
    print(mistune.html(TEXT))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
