#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "rpy_signal.h"

#define MOST 65

static volatile sig_atomic_t any_flag;
static volatile sig_atomic_t flags[MOST];

static void set_flag(int number)
{
    flags[number] = 1;
    any_flag = 1;
}

static void install(Signed number, void (*handler)(int))
{
    struct sigaction action;
    if (number < 1 || number >= MOST)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction((int)number, &action, NULL);
}

void rpy_signal_ignore(Signed number)
{
    install(number, SIG_IGN);
}

void rpy_signal_default(Signed number)
{
    install(number, SIG_DFL);
}

void rpy_signal_setflag(Signed number)
{
    install(number, set_flag);
}

Signed rpy_signal_poll(void)
{
    int number;
    if (!any_flag)
        return -1;
    any_flag = 0; /* before looking: one that comes meanwhile sets it again */
    for (number = 1; number < MOST; number++) {
        if (flags[number]) {
            flags[number] = 0;
            any_flag = 1; /* there may be more */
            return number;
        }
    }
    return -1;
}

Signed rpy_signal_alarm(Signed seconds)
{
    return alarm((unsigned int)seconds);
}

void rpy_signal_pause(void)
{
    pause();
}
