"""Shapes: abstract classes, operators, visitors and drawing."""
import math
from abc import ABC, abstractmethod
from functools import singledispatch


class Vector:
    __slots__ = ("x", "y")

    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vector(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __abs__(self):
        return math.hypot(self.x, self.y)

    def __eq__(self, other):
        return (self.x, self.y) == (other.x, other.y)

    def __hash__(self):
        return hash((self.x, self.y))

    def __iter__(self):
        return iter((self.x, self.y))

    def __repr__(self):
        return f"Vector({self.x:g}, {self.y:g})"


class Shape(ABC):
    count = 0

    def __init__(self, center=Vector(0, 0)):
        self.center = center
        Shape.count += 1

    @abstractmethod
    def area(self):
        raise NotImplementedError

    @abstractmethod
    def perimeter(self):
        raise NotImplementedError

    def move(self, delta):
        self.center = self.center + delta
        return self

    def __lt__(self, other):
        return self.area() < other.area()

    def describe(self):
        return f"{type(self).__name__:<10} area {self.area():8.3f} perimeter {self.perimeter():7.3f}"


class Circle(Shape):
    def __init__(self, radius, **kwargs):
        super().__init__(**kwargs)
        self.radius = radius

    def area(self):
        return math.pi * self.radius ** 2

    def perimeter(self):
        return 2 * math.pi * self.radius


class Rectangle(Shape):
    def __init__(self, width, height, **kwargs):
        super().__init__(**kwargs)
        self.width, self.height = width, height

    def area(self):
        return self.width * self.height

    def perimeter(self):
        return 2 * (self.width + self.height)


class Square(Rectangle):
    def __init__(self, side, **kwargs):
        super().__init__(side, side, **kwargs)


class Polygon(Shape):
    def __init__(self, *points):
        n = len(points)
        super().__init__(Vector(sum(p.x for p in points) / n, sum(p.y for p in points) / n))
        self.points = points

    def edges(self):
        return zip(self.points, self.points[1:] + self.points[:1])

    def area(self):
        return abs(sum(a.x * b.y - b.x * a.y for a, b in self.edges())) / 2

    def perimeter(self):
        return sum(abs(b - a) for a, b in self.edges())


@singledispatch
def to_svg(shape):
    raise TypeError(f"cannot draw {type(shape).__name__}")


@to_svg.register
def _(shape: Circle):
    return f'<circle cx="{shape.center.x}" cy="{shape.center.y}" r="{shape.radius}"/>'


@to_svg.register
def _(shape: Rectangle):
    return f'<rect width="{shape.width}" height="{shape.height}"/>'


def main():
    shapes = [
        Circle(1.5),
        Rectangle(2, 3.5),
        Square(2, center=Vector(1, 1)),
        Polygon(Vector(0, 0), Vector(4, 0), Vector(0, 3)),
    ]
    for s in sorted(shapes):
        print(s.describe())
    print("total area:", round(sum(s.area() for s in shapes), 2))
    print(Shape.count, "shapes;", sum(isinstance(s, Rectangle) for s in shapes), "rectangles")
    for s in shapes:
        try:
            print(to_svg(s))
        except TypeError as e:
            print("!", e)
    print(shapes[2].move(Vector(2, -0.5)).center)
    v = Vector(3, 4)
    print(abs(v), 2 * v, v * 0.5, v - Vector(1, 1), v == Vector(3.0, 4.0))
    x, y = v
    print(x + y, len({Vector(1, 2), Vector(1, 2), Vector(2, 1)}))


def entry_point(argv):
    main()
    return 0



if __name__ == "__main__":
    main()
