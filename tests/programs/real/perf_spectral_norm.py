"""pyperformance==1.11.0/spectral_norm pyperf==2.8.1: a matrix."""

from run_benchmark import eval_AtA_times_u


def main():
    u = [1] * 20
    for _ in range(3):
        v = eval_AtA_times_u(u)
        u = eval_AtA_times_u(v)
    print(sum(a * b for a, b in zip(u, v)), u[:2])


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
