/* The executable's main: run the program, report an uncaught exception as CPython does. */
#include <signal.h>
#include <stdio.h>

#include "rpy_args.h"
#include "rpy_break.h"
#include "rpy_core.h"
#include "rpy_os.h"
#include "rpy_gil.h"

#if RPY_ASAN
/* AddressSanitizer does not look for leaks: it does not see what the collector's memory refers
 * to, and a program need not release anything at its end.  Memory that there is not makes a
 * MemoryError. */
__attribute__((used)) const char *__asan_default_options(void)
{
    return "detect_leaks=0:allocator_may_return_null=1";
}
#endif

static int args_count;
static char **args;

Signed rpy_argc(void)
{
    return args_count;
}

char *rpy_argv(Signed index)
{
    return args[index];
}

/* The end of the program: false when its output could not be written. */
static Bool finish(void)
{
    if (rpy_before_exit != NULL)
        rpy_before_exit();
    rpy_program_finalize();
    rpy_program_flush();
    if (rpy_exc == NULL)
        return 1;
    fputs("Exception ignored in: <_io.TextIOWrapper name='<stdout>' mode='w' encoding='utf-8'>\n",
          stderr);
    rpy_report_exception();
    return 0;
}

int main(int argc, char **argv)
{
    Signed status;
    Bool is_interrupt;
    args_count = argc;
    args = argv;
    signal(SIGPIPE, SIG_IGN); /* as CPython: writing to a closed pipe is an error like others */
    rpy_os_start();
    rpy_interrupts_start();
    status = rpy_program_run();
    is_interrupt = rpy_exc != NULL && rpy_exception_is_interrupt(rpy_exc);
    if (rpy_exc != NULL) {
        status = 1;
        rpy_exception_set_aside();
        rpy_program_flush();
        rpy_exception_put_back();
        rpy_report_exception();
    }
    if (!finish())
        status = 120; /* as CPython */
    if (is_interrupt)
        rpy_interrupts_die(); /* so that a shell knows and stops, too */
    return (int)(status & 0xff);
}
