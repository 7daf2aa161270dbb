import time
from concurrent.futures import ThreadPoolExecutor, as_completed


def is_prime(n):
    if n < 2:
        return False
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return True


def slow(n):
    time.sleep(0.01 * n)
    if n == 3:
        raise ValueError("three is bad")
    return n * n


def main():
    numbers = [2, 15, 97, 1009, 1001, 7919]
    with ThreadPoolExecutor(max_workers=4) as pool:
        for number, prime in zip(numbers, pool.map(is_prime, numbers)):
            print(number, prime)
    with ThreadPoolExecutor(max_workers=2) as pool:
        futures = {pool.submit(slow, n): n for n in range(5)}
        results = []
        for future in as_completed(futures):
            n = futures[future]
            try:
                results.append((n, str(future.result())))
            except ValueError as e:
                results.append((n, f"error {e}"))
    print(sorted(results))
    pool = ThreadPoolExecutor()
    f = pool.submit(pow, 2, 10)
    print(f.result(timeout=5), f.done())
    pool.shutdown(wait=True)


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    raise SystemExit(entry_point([]))
