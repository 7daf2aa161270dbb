import gzip
import io
import os
import tempfile
import zlib


def stream_compress(chunks):
    c = zlib.compressobj(6)
    out = b""
    for chunk in chunks:
        out += c.compress(chunk)
    return out + c.flush()


def main():
    data = "line of text\n" * 100
    blob = gzip.compress(data.encode())
    print(blob[:2], gzip.decompress(blob).decode() == data)
    path = os.path.join(tempfile.gettempdir(), f"rp-{os.getpid()}.gz")
    with gzip.open(path, "wt") as f:
        f.write("first\nsecond\n")
    with gzip.open(path, "rt") as f:
        for line in f:
            print(line.rstrip())
    with gzip.open(path, "rb") as f:
        print(f.read())
    os.remove(path)
    packed = stream_compress([b"abc" * 50, b"def" * 50])
    d = zlib.decompressobj()
    print(len(d.decompress(packed) + d.flush()))
    buffer = io.BytesIO()
    with gzip.GzipFile(fileobj=buffer, mode="wb") as g:
        g.write(b"in memory")
    print(gzip.decompress(buffer.getvalue()))
    try:
        gzip.decompress(b"xx")
    except (OSError, EOFError) as e:
        print("bad:", e)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
