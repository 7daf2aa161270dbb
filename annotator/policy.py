"""What RPython asks about the rules of annotation.  Here the rules are the same for every program:
a target may return a policy, and nobody asks it."""

from __future__ import annotations


class AnnotatorPolicy:
    """The rules as they are."""
