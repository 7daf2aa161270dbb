/* What is done at safe points (rpy_break.h), and the threads that run native code.
 *
 * The clock of rpy_module_suspend.c asks for a safe point, and the handler of SIGINT here: CPython's
 * own only notes a signal.  There other threads may run Python for a moment.  Then, in the main
 * thread, Python's handlers run, and what they raise leaves native code as a KeyboardInterrupt.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "rpy_module_suspend.h"

/* Not every collector has them. */
extern __attribute__((weak)) int rpy_gc_thread_prepare(rpy_thread *thread);
extern __attribute__((weak)) void rpy_gc_thread_end(rpy_thread *thread);
extern __attribute__((weak)) int rpy_gc_host_thread(void);

static struct sigaction pythons;
static PyObject *raised[3]; /* by a handler: the type, the value, the traceback */

static void handle(int number, siginfo_t *info, void *context)
{
    rpy_break_request();
    if (pythons.sa_flags & SA_SIGINFO)
        pythons.sa_sigaction(number, info, context);
    else
        pythons.sa_handler(number);
}

static void forget(void)
{
    int i;
    for (i = 0; i < 3; i++)
        Py_CLEAR(raised[i]);
}

static void look(void)
{
    int before = rpm_keep_others_out();
    rpm_yield();
    if (rpm_look_for_signals() < 0) {
        forget();
        PyErr_Fetch(&raised[0], &raised[1], &raised[2]);
        rpy_raise_KeyboardInterrupt();
    }
    rpm_let_others_in(before);
}

/* Is this Python's main thread?  Where nobody has imported threading yet, which takes longer than all
 * else that an import does, it is that of the process. */
static int is_main_thread(void)
{
    PyObject *name = PyUnicode_FromString("threading"), *main = NULL, *current = NULL;
    PyObject *module = name == NULL ? NULL : PyImport_GetModule(name);
    int result = syscall(SYS_gettid) == getpid();
    if (module != NULL) {
        main = PyObject_CallMethod(module, "main_thread", NULL);
        current = PyObject_CallMethod(module, "current_thread", NULL);
        result = main != NULL && main == current;
    }
    PyErr_Clear();
    Py_XDECREF(main);
    Py_XDECREF(current);
    Py_XDECREF(module);
    Py_XDECREF(name);
    return result;
}

void rpm_breaks_start(void)
{
    struct sigaction action;
    rpm_clock_start();
    rpy_break_hook = look;
    if (is_main_thread() && sigaction(SIGINT, NULL, &action) == 0 &&
        action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
        pythons = action;
        action.sa_sigaction = handle;
        action.sa_flags |= SA_SIGINFO;
        sigaction(SIGINT, &action, NULL);
    }
}

void rpm_breaks_end(void)
{
    rpm_stop_ticking();
    rpy_break_hook = NULL;
}

int rpm_break_restore(void)
{
    if (raised[0] == NULL)
        return 0;
    PyErr_Restore(raised[0], raised[1], raised[2]);
    memset(raised, 0, sizeof raised);
    return 1;
}

/* ---- threads ---- */

__thread int rpm_thread_is_known;
static pthread_key_t ending;

static void end_thread(void *value)
{
    (void)value;
    rpy_gc_thread_end(NULL);
}

void rpm_threads_start(void)
{
    if (!rpm_this.knows_threads)
        return;
    rpy_gc_thread_prepare(NULL);
    pthread_key_create(&ending, end_thread);
    rpm_thread_is_known = 1;
}

void rpm_thread_begin(void)
{
    rpm_thread_is_known = 1;
    if (rpy_gc_host_thread())
        pthread_setspecific(ending, &rpm_this); /* anything: the thread will call end_thread */
}
