"""quads==1.1.0: points in a quadtree."""

import quads


def main():
    tree = quads.QuadTree((0, 0), 100, 100)
    for x in range(-40, 41, 16):
        tree.insert((x, x // 2), data=str(x))
    print(len(tree), tree.find((8, 4)).data)
    box = quads.BoundingBox(min_x=0, min_y=0, max_x=30, max_y=30)
    print(sorted((p.x, p.y) for p in tree.within_bb(box)))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
