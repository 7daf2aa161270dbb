/* Samples: for each, who was running, or who allocated, and how much that stands for.
 *
 * A sample is written at once, so that nothing is lost however the program ends:
 *
 *     weight, n, address 1, ..., address n          each a word; the innermost function's first
 *
 * The weight is microseconds of CPU time, or bytes.  Each thread has a timer of its own, whose signal
 * it gets itself; a child of fork() has none, and exec() ends it.
 *
 * The addresses are found by frame pointers.  Functions of the C library have none, and may use the
 * register for something else: there the stack is searched for what a call of the program has left on
 * it.  Memory is only read where there is some.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "rpy_sampler.h"

#define MOST_FRAMES 256
#define MICROSECONDS 1000 /* between samples; the kernel's clock may tick less often */
#define PAGE ((Unsigned)4096)
#define SEARCHED ((Unsigned)2048) /* bytes of the stack */

static int file = -1;
static int samples_time, samples_allocation;

extern char __executable_start, etext; /* of the linker */

static int is_code(Unsigned address)
{
    return address >= (Unsigned)&__executable_start && address < (Unsigned)&etext;
}

/* Can two words be read there, as at every frame?  `known`: a page in which they can. */
static int is_memory(Unsigned address, Unsigned *known)
{
    Unsigned page = address & ~(PAGE - 1);
    unsigned char resident;
    if (address % (2 * sizeof(Unsigned)) != 0)
        return 0;
    if (page != *known && mincore((void *)page, PAGE, &resident) != 0)
        return 0;
    *known = page;
    return 1;
}

static int is_memory_of_word(Unsigned address, Unsigned *known)
{
    return is_memory(address & ~(2 * sizeof(Unsigned) - 1), known);
}

/* Where the return address of a function of the program is, when its frame is not made yet, or is gone
 * already; 0: in its frame. */
static Unsigned frameless(Unsigned address, Unsigned stack)
{
    const unsigned char *code = (const unsigned char *)address;
    if (code[0] == 0x55 || code[0] == 0xc3) /* push %rbp; ret */
        return stack;
    if (code[-1] == 0x55 && code[0] == 0x48 && code[1] == 0x89 && code[2] == 0xe5)
        return stack + sizeof(Unsigned); /* mov %rsp,%rbp */
    return 0;
}

static int is_frame(Unsigned frame, Unsigned stack, Unsigned *known)
{
    return frame > stack && is_memory(frame, known) && is_code(((Unsigned *)frame)[1]);
}

/* Where the return address is with which the C library goes back to the program, or 0.  `frame`: what
 * the register holds; it becomes that of the caller, which the C library has saved if it uses it. */
static Unsigned called_from(Unsigned stack, Unsigned *frame)
{
    Unsigned known = 0, saved = 0, place;
    for (place = stack; place < stack + SEARCHED && is_memory_of_word(place, &known); place += sizeof place) {
        Unsigned word = *(Unsigned *)place;
        if (is_code(word) && ((unsigned char *)word)[-5] == 0xe8) { /* call */
            if (!is_frame(*frame, place, &known))
                *frame = saved;
            return place;
        }
        if (is_frame(word, place, &known))
            saved = word;
    }
    return 0;
}

static int add_callers(Unsigned *frames, int n, Unsigned frame, Unsigned stack)
{
    Unsigned known = 0;
    while (n < MOST_FRAMES && frame >= stack && is_memory(frame, &known)) {
        Unsigned *words = (Unsigned *)frame;
        if (!is_code(words[1]))
            break; /* the start of the program, or of the thread */
        frames[n++] = words[1];
        stack = frame + 1;
        frame = words[0];
    }
    return n;
}

static void write_sample(Unsigned weight, const Unsigned *frames, int n)
{
    Unsigned record[2 + MOST_FRAMES];
    ssize_t written;
    record[0] = weight;
    record[1] = (Unsigned)n;
    memcpy(record + 2, frames, (size_t)n * sizeof *frames);
    written = write(file, record, (size_t)(n + 2) * sizeof *record);
    (void)written; /* a full disk loses samples */
}

static void on_tick(int number, siginfo_t *info, void *context)
{
    const greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    Unsigned frames[MOST_FRAMES];
    Unsigned stack = (Unsigned)registers[REG_RSP], frame = (Unsigned)registers[REG_RBP];
    Unsigned place, known = 0;
    int n = 0, before = errno;
    (void)number;
    frames[n++] = (Unsigned)registers[REG_RIP];
    place = is_code(frames[0]) ? frameless(frames[0], stack) : called_from(stack, &frame);
    if (place != 0 && is_memory_of_word(place, &known) && is_code(*(Unsigned *)place))
        frames[n++] = *(Unsigned *)place;
    n = add_callers(frames, n, frame, stack);
    write_sample((Unsigned)(1 + info->si_overrun) * MICROSECONDS, frames, n);
    errno = before;
}

void rpy_sampler_begin_thread(void)
{
    struct sigevent event;
    struct itimerspec every;
    sigset_t signals;
    timer_t timer;
    if (!samples_time)
        return;
    memset(&event, 0, sizeof event);
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGPROF;
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    every.it_interval.tv_sec = 0;
    every.it_interval.tv_nsec = MICROSECONDS * 1000;
    every.it_value = every.it_interval;
    sigemptyset(&signals);
    sigaddset(&signals, SIGPROF);
    pthread_sigmask(SIG_UNBLOCK, &signals, NULL);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer) == 0)
        timer_settime(timer, 0, &every, NULL);
}

void rpy_sampler_allocation(Unsigned bytes)
{
    Unsigned frames[MOST_FRAMES];
    Unsigned frame = (Unsigned)__builtin_frame_address(0);
    int n;
    if (!samples_allocation)
        return;
    n = add_callers(frames, 0, frame, frame);
    frames[0]--; /* who allocates is in a call, too; where the others are the reader knows */
    write_sample(bytes, frames, n);
}

static void __attribute__((constructor)) begin(void)
{
    const char *name = getenv("RPY_SAMPLES"), *event = getenv("RPY_SAMPLED_EVENT");
    struct sigaction action;
    if (name == NULL || event == NULL)
        return;
    file = open(name, O_WRONLY | O_APPEND | O_CLOEXEC);
    samples_time = file >= 0 && strcmp(event, "time") == 0;
    samples_allocation = file >= 0 && !samples_time;
    unsetenv("RPY_SAMPLES"); /* the program and its children need not know */
    unsetenv("RPY_SAMPLED_EVENT");
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_tick;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    if (samples_time && sigaction(SIGPROF, &action, NULL) == 0)
        rpy_sampler_begin_thread();
}
