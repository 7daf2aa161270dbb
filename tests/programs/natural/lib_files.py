import glob
import os
import shutil
import tempfile
from pathlib import Path


def tree(root):
    for path in sorted(glob.glob(os.path.join(root, "**", "*.txt"), recursive=True)):
        yield os.path.relpath(path, root), os.path.getsize(path)


def main():
    root = tempfile.mkdtemp()
    try:
        os.makedirs(os.path.join(root, "a", "b"))
        for i, name in enumerate(["one.txt", "a/two.txt", "a/b/three.txt", "a/b/four.dat"]):
            with open(os.path.join(root, name), "w") as f:
                f.write("x" * (i + 1))
        for name, size in tree(root):
            print(name, size)
        shutil.copy(os.path.join(root, "one.txt"), os.path.join(root, "a", "copy.txt"))
        shutil.copytree(os.path.join(root, "a"), os.path.join(root, "c"))
        shutil.move(os.path.join(root, "one.txt"), os.path.join(root, "c"))
        print(sorted(os.path.relpath(p, root) for p in glob.iglob(root + "/c/*")))
        print(sorted(p.name for p in Path(root).rglob("*.txt")))
        with open(root + "/one.bin", "wb") as out, open(root + "/a/two.txt", "rb") as src:
            shutil.copyfileobj(src, out)
        print(Path(root, "one.bin").read_bytes())
        print(shutil.which("sh") is not None, shutil.disk_usage(root).total > 0)
    finally:
        shutil.rmtree(root)
    print(os.path.exists(root))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
