"""pyperformance==1.11.0/raytrace pyperf==2.8.1: rays."""

from run_benchmark import Canvas, Point, Scene, SimpleSurface, Sphere, Vector


def main():
    canvas = Canvas(8, 8)
    scene = Scene()
    scene.addLight(Point(30, 30, 10))
    scene.lookAt(Point(0, 3, 0))
    scene.addObject(Sphere(Point(1, 3, -10), 2), SimpleSurface(baseColour=(1, 1, 0)))
    scene.addObject(Sphere(Point(-3, 3, -8), 1.5), SimpleSurface(baseColour=(0, 1, 1)))
    scene.render(canvas)
    print(list(canvas.bytes), Vector(1, 2, 3).cross(Vector(4, 5, 6)))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
