/* How long the program waits for its collector, which includes this: what RPYTHON_GC_STATS tells.
 */
#ifndef RPY_GC_PAUSES_H
#define RPY_GC_PAUSES_H

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static struct {
    Unsigned number, total, longest; /* times in nanoseconds */
    Unsigned of_length[256];         /* by the first three binary digits, of 2**(i / 4) or so */
} pauses;

static clockid_t pause_clock = CLOCK_MONOTONIC;

/* Does RPYTHON_GC_STATS ask for statistics?  2: with the time that the program itself took. */
static int statistics_wanted(void)
{
    const char *text = getenv("RPYTHON_GC_STATS");
    if (text == NULL || (*text != '1' && *text != '2'))
        return 0;
    if (*text == '2')
        pause_clock = CLOCK_THREAD_CPUTIME_ID;
    return 1;
}

static Unsigned now(void)
{
    struct timespec t;
    clock_gettime(pause_clock, &t);
    return (Unsigned)t.tv_sec * 1000000000UL + (Unsigned)t.tv_nsec;
}

/* The program waited since `before`. */
static void note_pause(Unsigned before)
{
    Unsigned length = now() - before, digits;
    pauses.number++;
    pauses.total += length;
    if (length > pauses.longest)
        pauses.longest = length;
    length |= 4;
    digits = 63 - __builtin_clzl(length);
    pauses.of_length[4 * digits + (length >> (digits - 2) & 3)]++;
}

/* Of a hundred pauses, so many were no longer; in milliseconds, a quarter too much at most. */
static double pause_percentile(Unsigned percent)
{
    Unsigned i, bound, seen = 0;
    for (i = 0; i < 255; i++) {
        seen += pauses.of_length[i];
        if (seen * 100 >= pauses.number * percent)
            break;
    }
    bound = (Unsigned)(5 + i % 4) << (i / 4 > 2 ? i / 4 - 2 : 0);
    return (double)(bound < pauses.longest ? bound : pauses.longest) * 1e-6;
}

static void print_pauses(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    fprintf(stderr,
            "gc: %.3f ms in all, pauses p50 %.3f ms, p99 %.3f ms, longest pause %.3f ms,"
            " peak memory %ld kB\n",
            (double)pauses.total * 1e-6, pause_percentile(50), pause_percentile(99),
            (double)pauses.longest * 1e-6, usage.ru_maxrss);
}

#endif
