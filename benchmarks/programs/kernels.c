// The same in C, as C is written.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long fib(long n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static long sieve(long n)
{
    bool *flags = malloc(n + 1);
    memset(flags, true, n + 1);
    for (long i = 2; i * i <= n; i++)
        if (flags[i])
            for (long j = i * i; j <= n; j += i)
                flags[j] = false;
    long count = 0;
    for (long i = 2; i <= n; i++)
        count += flags[i];
    free(flags);
    return count;
}

static double flat(long n)
{
    double *a = malloc(n * n * sizeof(double));
    double *b = malloc(n * n * sizeof(double));
    double *c = malloc(n * n * sizeof(double));
    for (long i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5;
    }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double total = 0;
            for (long k = 0; k < n; k++)
                total += a[i * n + k] * b[k * n + j];
            c[i * n + j] = total;
        }
    double last = c[n * n - 1];
    free(a);
    free(b);
    free(c);
    return last;
}

static double **new_rows(long n)
{
    double **rows = malloc(n * sizeof(double *));
    for (long i = 0; i < n; i++)
        rows[i] = malloc(n * sizeof(double));
    return rows;
}

static double rows(long n)
{
    double **a = new_rows(n), **b = new_rows(n), **c = new_rows(n);
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            a[i][j] = (i + j) % 7;
            b[i][j] = (i * j) % 5;
        }
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++) {
            double total = 0;
            for (long k = 0; k < n; k++)
                total += a[i][k] * b[k][j];
            c[i][j] = total;
        }
    return c[n - 1][n - 1];  // the process ends
}

static double element(long i, long j)
{
    return 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

static double spectral(long n)
{
    double *u = malloc(n * sizeof(double)), *v = malloc(n * sizeof(double));
    for (long i = 0; i < n; i++)
        u[i] = 1;
    for (int round = 0; round < 5; round++) {
        for (long i = 0; i < n; i++) {
            double total = 0;
            for (long j = 0; j < n; j++)
                total += element(i, j) * u[j];
            v[i] = total;
        }
        for (long i = 0; i < n; i++) {
            double total = 0;
            for (long j = 0; j < n; j++)
                total += element(j, i) * v[j];
            u[i] = total;
        }
    }
    double result = u[0] + v[n - 1];
    free(u);
    free(v);
    return result;
}

static void swap(long *p, long i, long j)
{
    long x = p[i];
    p[i] = p[j];
    p[j] = x;
}

static long fannkuch(long n)
{
    long p[16], q[16], s[16];
    long sign = 1, most = 0, total = 0;
    for (long i = 0; i < n; i++)
        p[i] = s[i] = i;
    for (;;) {
        long q0 = p[0];
        if (q0 != 0) {
            for (long i = 1; i < n; i++)
                q[i] = p[i];
            long flips = 1;
            for (;;) {
                long qq = q[q0];
                if (qq == 0) {
                    total += sign * flips;
                    if (flips > most)
                        most = flips;
                    break;
                }
                q[q0] = q0;
                for (long i = 1, j = q0 - 1; i < j; i++, j--)
                    swap(q, i, j);
                q0 = qq;
                flips++;
            }
        }
        if (sign == 1) {
            swap(p, 0, 1);
            sign = -1;
        } else {
            swap(p, 1, 2);
            sign = 1;
            for (long i = 2; i < n; i++) {
                if (s[i] != 0) {
                    s[i]--;
                    break;
                }
                if (i == n - 1)
                    return total * 100 + most;
                s[i] = i;
                long first = p[0];
                for (long k = 0; k <= i; k++)
                    p[k] = p[k + 1];
                p[i + 1] = first;
            }
        }
    }
}

static long insertion(long n)
{
    long *a = malloc(n * sizeof(long));
    for (long i = 0; i < n; i++)
        a[i] = i * 7919 % n;
    for (long i = 1; i < n; i++) {
        long x = a[i], j = i;
        for (; j > 0 && a[j - 1] > x; j--)
            a[j] = a[j - 1];
        a[j] = x;
    }
    long middle = a[n / 2];
    free(a);
    return middle;
}

static long hashed(long n)
{
    unsigned int x = 5381;
    for (long i = 0; i < n; i++)
        x = x * 33 ^ (unsigned int)i;
    return x;
}

typedef struct {
    double x, y, z, vx, vy, vz, mass;
} Body;

static void advance(Body *bodies, int count, double dt)
{
    for (int i = 0; i < count; i++) {
        Body *a = &bodies[i];
        for (int j = i + 1; j < count; j++) {
            Body *b = &bodies[j];
            double dx = a->x - b->x, dy = a->y - b->y, dz = a->z - b->z;
            double square = dx * dx + dy * dy + dz * dz;
            double much = dt / (square * sqrt(square));
            a->vx -= dx * b->mass * much;
            a->vy -= dy * b->mass * much;
            a->vz -= dz * b->mass * much;
            b->vx += dx * a->mass * much;
            b->vy += dy * a->mass * much;
            b->vz += dz * a->mass * much;
        }
    }
    for (int i = 0; i < count; i++) {
        Body *body = &bodies[i];
        body->x += dt * body->vx;
        body->y += dt * body->vy;
        body->z += dt * body->vz;
    }
}

static double nbody(long n)
{
    Body bodies[] = {
        {0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 39.5},
        {4.8, -1.2, -0.1, 0.6, 2.8, -0.02, 0.037},
        {8.3, 4.1, -0.4, -1.0, 1.8, 0.008, 0.011},
        {12.9, -15.1, -0.2, 1.1, 0.9, -0.01, 0.0017},
        {15.4, -25.9, 0.2, 1.0, 0.6, -0.03, 0.002},
    };
    for (long i = 0; i < n; i++)
        advance(bodies, 5, 0.01);
    return bodies[0].x + bodies[1].y + bodies[4].z;
}

static long mandelbrot(long n)
{
    long inside = 0;
    for (long row = 0; row < n; row++) {
        double cy = 2.0 * row / n - 1.0;
        for (long column = 0; column < n; column++) {
            double cx = 3.0 * column / n - 2.0, x = 0, y = 0;
            int steps = 0;
            while (steps < 50 && x * x + y * y <= 4.0) {
                double next = x * x - y * y + cx;
                y = 2.0 * x * y + cy;
                x = next;
                steps++;
            }
            if (steps == 50)
                inside++;
        }
    }
    return inside;
}

static long place(long n, long row, bool *columns, bool *up, bool *down)
{
    if (row == n)
        return 1;
    long found = 0;
    for (long column = 0; column < n; column++)
        if (!(columns[column] || up[row + column] || down[row - column + n])) {
            columns[column] = up[row + column] = down[row - column + n] = true;
            found += place(n, row + 1, columns, up, down);
            columns[column] = up[row + column] = down[row - column + n] = false;
        }
    return found;
}

static long queens(long n)
{
    bool columns[16] = {0}, up[32] = {0}, down[33] = {0};
    return place(n, 0, columns, up, down);
}

enum { LOAD, ADD, SUB, LESS, JUMP_IF, MOVE, STOP };

typedef struct {
    long op, x, y, z;
} Instruction;

static long machine(long n)
{
    Instruction code[] = {
        {LOAD, 0, 0, 0}, {LOAD, 1, 0, 0}, {LOAD, 2, n, 0}, {LOAD, 3, 1, 0},
        {ADD, 4, 0, 0}, {ADD, 4, 4, 0}, {SUB, 4, 4, 3}, {ADD, 1, 1, 4}, {ADD, 0, 0, 3},
        {LESS, 5, 0, 2}, {JUMP_IF, 5, 4, 0}, {MOVE, 6, 1, 0}, {STOP, 6, 0, 0},
    };
    long registers[8] = {0};
    for (long pc = 0;;) {
        Instruction *i = &code[pc++];
        switch (i->op) {
        case LOAD: registers[i->x] = i->y; break;
        case ADD: registers[i->x] = registers[i->y] + registers[i->z]; break;
        case SUB: registers[i->x] = registers[i->y] - registers[i->z]; break;
        case LESS: registers[i->x] = registers[i->y] < registers[i->z]; break;
        case JUMP_IF:
            if (registers[i->x])
                pc = i->y;
            break;
        case MOVE: registers[i->x] = registers[i->y]; break;
        default: return registers[i->x];
        }
    }
}

static const char SQUARES[] =
    "++++[>+++++<-]>[<+++++>-]+<+[>[>+>+<<-]++>>[<<+>>-]>>>[-]++>[-]+>>>+[[-]++++++>>>]<<<"
    "[[<++++++++<++>>-]+<.<[>----<-]<]<<[>>>>>[>>>[-]+++++++++<[>-<-]+++++++++>[-[<->-]+"
    "[<<<]]<[>+<-]>]<<-]<<-]";

static long brainfuck(long n)
{
    long length = strlen(SQUARES), partner[sizeof SQUARES], opened[32], depth = 0, total = 0;
    for (long i = 0; i < length; i++)
        if (SQUARES[i] == '[') {
            opened[depth++] = i;
        } else if (SQUARES[i] == ']') {
            long j = opened[--depth];
            partner[i] = j;
            partner[j] = i;
        }
    for (long round = 0; round < n; round++) {
        unsigned char tape[1000] = {0};
        long at = 0;
        for (long pc = 0; pc < length; pc++)
            switch (SQUARES[pc]) {
            case '>': at++; break;
            case '<': at--; break;
            case '+': tape[at]++; break;
            case '-': tape[at]--; break;
            case '.': total += tape[at]; break;
            case '[':
                if (tape[at] == 0)
                    pc = partner[pc];
                break;
            case ']':
                if (tape[at] != 0)
                    pc = partner[pc];
                break;
            }
    }
    return total;
}

typedef struct {
    char *chars;
    size_t length, room;
} Text;

static void append(Text *text, const char *piece, size_t length)
{
    if (text->length + length > text->room) {
        text->room = 2 * (text->length + length);
        text->chars = realloc(text->chars, text->room);
    }
    memcpy(text->chars + text->length, piece, length);
    text->length += length;
}

static long text(long n)
{
    long total = 0;
    for (long i = 0; i < n; i++) {
        Text line = {0};
        for (long j = 0; j < 20; j++) {
            char number[24];
            append(&line, "item ", 5);
            append(&line, number, snprintf(number, sizeof number, "%ld", i + j));
            append(&line, ", ", 2);
        }
        total += line.length + line.chars[i % line.length];
        free(line.chars);
    }
    return total;
}

static double run(const char *name, long n)
{
    if (!strcmp(name, "fib"))
        return fib(n);
    if (!strcmp(name, "sieve"))
        return sieve(n);
    if (!strcmp(name, "flat"))
        return flat(n);
    if (!strcmp(name, "rows"))
        return rows(n);
    if (!strcmp(name, "spectral"))
        return spectral(n);
    if (!strcmp(name, "fannkuch"))
        return fannkuch(n);
    if (!strcmp(name, "insertion"))
        return insertion(n);
    if (!strcmp(name, "hashed"))
        return hashed(n);
    if (!strcmp(name, "nbody"))
        return nbody(n);
    if (!strcmp(name, "mandelbrot"))
        return mandelbrot(n);
    if (!strcmp(name, "queens"))
        return queens(n);
    if (!strcmp(name, "machine"))
        return machine(n);
    if (!strcmp(name, "brainfuck"))
        return brainfuck(n);
    if (!strcmp(name, "text"))
        return text(n);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 1;
    printf("%.17g\n", run(argv[1], atol(argv[2])));
}
