"""chess==1.11.2 --int=big: positions, legal moves and their notation."""

import chess


def perft(board, depth):
    if depth == 0:
        return 1
    count = 0
    for move in list(board.legal_moves):
        board.push(move)
        count += perft(board, depth - 1)
        board.pop()
    return count


def main():
    board = chess.Board()
    for move in ("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7"):
        board.push_san(move)
    print(board)
    print(board.is_checkmate(), board.fen())
    for depth in (1, 2, 3):
        print(perft(chess.Board(), depth))


def entry_point(argv):
    main()
    return 0


if __name__ == "__main__":
    main()
