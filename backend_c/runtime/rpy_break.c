#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rpy_break.h"

volatile int rpy_break_flag;
char **volatile rpy_running_stack_limit;
void (*rpy_break_hook)(void);

static volatile sig_atomic_t interrupted;
static volatile time_t interrupted_at;
static pthread_t main_thread;

void rpy_break_request(void)
{
    char **limit = rpy_running_stack_limit;
    rpy_break_flag = 1;
    if (limit != NULL)
        *limit = (char *)~(Unsigned)0;
}

Bool rpy_break(void)
{
    Bool is_main = pthread_equal(pthread_self(), main_thread) != 0;
    rpy_break_flag = 0; /* before looking: what comes meanwhile sets it again */
    if (interrupted && !is_main)
        rpy_break_flag = 1; /* for the main thread, which raises it, perhaps in the hook */
    if (rpy_break_hook != NULL)
        rpy_break_hook();
    if (rpy_exc != NULL)
        return 1;
    if (!interrupted || !is_main)
        return 0;
    interrupted = 0;
    rpy_raise_KeyboardInterrupt();
    return 1;
}

static time_t seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

static void handle_interrupt(int number)
{
    if (interrupted) {
        /* The program does not come to a safe point: a user who insists gets what they want. */
        if (seconds() - interrupted_at >= 2) {
            signal(number, SIG_DFL);
            raise(number); /* takes effect on return */
        }
        return;
    }
    interrupted_at = seconds();
    interrupted = 1;
    rpy_break_request();
}

void rpy_interrupts_start(void)
{
    struct sigaction action;
    main_thread = pthread_self();
    rpy_running_stack_limit = &rpy_stack_limit;
    if (sigaction(SIGINT, NULL, &action) != 0 || action.sa_handler != SIG_DFL)
        return; /* started in the background */
    memset(&action, 0, sizeof action);
    action.sa_handler = handle_interrupt; /* system calls are to be interrupted */
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
}

Bool rpy_interrupt_pending(void)
{
    return interrupted && pthread_equal(pthread_self(), main_thread);
}

void rpy_interrupts_die(void)
{
    sigset_t set;
    signal(SIGINT, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    kill(getpid(), SIGINT);
}
