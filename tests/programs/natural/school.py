"""Grades: mixed records, statistics and a report card."""
import statistics
from collections import defaultdict, namedtuple
from textwrap import dedent, indent

Score = namedtuple("Score", ["subject", "points", "weight"], defaults=[1])

RAW = dedent(
    """
    # name; class; subject=points[*weight], ...
    Ann Lee; 7A; math=91, art=78.5, history=85*2
    Bo Chen; 7B; math=67, art=88
    Cy Dunn; 7A; math=45, history=59.5*2, art=absent
    Di Ewing; 7B; math=100, art=95, history=99*2, music=90*0.5
    Ed; 7C
    """
)


class Student:
    passing = 60

    def __init__(self, name, group, scores=None):
        self.name = name
        self.group = group
        self.scores = scores if scores is not None else []

    def add(self, *scores, **named):
        self.scores.extend(scores)
        for subject, points in named.items():
            self.scores.append(Score(subject, points))

    @property
    def average(self):
        if not self.scores:
            return None
        total = sum(s.points * s.weight for s in self.scores)
        return total / sum(s.weight for s in self.scores)

    @property
    def grade(self):
        if self.average is None:
            return "-"
        for limit, letter in ((90, "A"), (80, "B"), (70, "C"), (self.passing, "D")):
            if self.average >= limit:
                return letter
        return "F"

    def __repr__(self):
        return f"{self.__class__.__name__}({self.name!r}, {self.group!r}, {len(self.scores)} scores)"


def parse_line(line):
    parts = [p.strip() for p in line.split(";")]
    if len(parts) < 3:
        raise ValueError(f"incomplete record for {parts[0]}")
    name, group, scores = parts
    student = Student(name, group)
    for chunk in scores.split(","):
        subject, _, value = chunk.strip().partition("=")
        points, star, weight = value.partition("*")
        try:
            number = float(points) if "." in points else int(points)
        except ValueError:
            continue
        if star:
            student.add(Score(subject, number, float(weight)))
        else:
            student.add(**{subject: number})
    return student


def main():
    students, problems = [], []
    for line in RAW.splitlines():
        if not line or line.startswith("#"):
            continue
        try:
            students.append(parse_line(line))
        except ValueError as e:
            problems.append(str(e))
    for s in sorted(students, key=lambda s: s.average, reverse=True):
        print(f"{s.name:<10} {s.group:>3} {s.average:6.2f} {s.grade}")
    print("problems:", problems)
    by_subject = defaultdict(list)
    for s in students:
        for score in s.scores:
            by_subject[score.subject].append(score.points)
    for subject, points in sorted(by_subject.items()):
        line = f"{subject}: n={len(points)} mean={statistics.fmean(points):.1f}"
        if len(points) > 1:
            line += f" sd={statistics.pstdev(points):.2f} median={statistics.median(points)}"
        print(indent(line, "  * "))
    groups = {}
    for s in students:
        groups.setdefault(s.group, []).append(s)
    print({g: [s.name.split()[0] for s in members] for g, members in groups.items()})
    new = Student("Flo", "7C")
    print(new, new.average, new.grade)
    new.add(Score("math", 61), art=59.5, music=62)
    print(f"{new.average:.3f}", new.grade, [tuple(x) for x in new.scores])
    top = max(students, key=lambda s: max(sc.points for sc in s.scores))
    print(top, statistics.mode([s.group for s in students]))
    quartiles = statistics.quantiles([p for ps in by_subject.values() for p in ps], n=4)
    print([round(q, 2) for q in quartiles])


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
