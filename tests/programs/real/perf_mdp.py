"""pyperformance==1.11.0/mdp pyperf==2.8.1: a game as a Markov decision process."""

from run_benchmark import Battle, topoSort


def main():
    print(topoSort([1, 2], lambda n: [n + 2] if n < 5 else []))
    print(round(Battle().evaluate(0.192), 6))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
