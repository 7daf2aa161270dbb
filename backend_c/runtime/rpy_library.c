/* See rpy_library.h. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rpy_args.h"
#include "rpy_break.h"
#include "rpy_core.h"
#include "rpy_library.h"
#include "rpy_source.h"
#include "rpy_gil.h"

#define FRAMES 32

/* An error is kept outside of the collector's memory: nobody has to give it back. */
typedef struct {
    const char *name; /* NULL: the last call succeeded */
    char *message, *text;
    Signed entries, shown;
    const rpy_location *frames[FRAMES]; /* innermost first */
} library_error;

static __thread library_error error;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t ends_with_thread;

/* At the end of a thread. */
static void drop_error(void *its_error)
{
    free(((library_error *)its_error)->message);
    free(((library_error *)its_error)->text);
}

static void make_key(void)
{
    pthread_key_create(&ends_with_thread, drop_error);
}

static void keep_error(void)
{
    void *exc = rpy_exc;
    const char *message;
    Signed length = 0;
    rpy_exc = NULL;
    pthread_once(&once, make_key);
    pthread_setspecific(ends_with_thread, &error);
    error.name = rpy_exception_class_name(exc);
    error.entries = rpy_traceback_size();
    error.shown = error.entries < FRAMES ? error.entries : FRAMES;
    for (Signed i = 0; i < error.shown; i++)
        error.frames[i] = rpy_traceback_entry(i);
    message = rpy_exception_message(exc, &length);
    if (message == NULL)
        length = 0;
    error.message = malloc((size_t)length + 1);
    if (error.message != NULL) {
        if (length > 0)
            memcpy(error.message, message, (size_t)length);
        error.message[length] = '\0';
    }
    rpy_give_back(exc);
}

static void forget_error(void)
{
    free(error.message);
    free(error.text);
    error.message = error.text = NULL;
    error.name = NULL;
}

/* The host's threads are one thread to the program (rpy_gil.h): they take turns here, and the
 * program's lock is free while none of them is in the library. */
static pthread_mutex_t calls = PTHREAD_MUTEX_INITIALIZER;
static int lock_is_free;
static __thread int depth; /* of this thread's calls, which come back through C functions */

#define FROM_OUTSIDE 2

int rpy_library_enter(void)
{
    int ours = rpy_the_lock != NULL && rpy_the_lock->started_here();
    int entered = FROM_OUTSIDE;
    if (depth++ > 0 || ours) {
        entered = rpy_lock_enter();
    } else {
        pthread_mutex_lock(&calls);
        if (lock_is_free)
            rpy_lock_take();
        lock_is_free = 0;
        rpy_running_stack_limit = &rpy_stack_limit;
    }
    if (RPY_UNLIKELY(error.name != NULL))
        forget_error();
    return entered;
}

void rpy_library_leave(int entered)
{
    if (RPY_UNLIKELY(error.name != NULL))
        forget_error(); /* of a call that this one made through C */
    if (RPY_UNLIKELY(rpy_exc != NULL))
        keep_error();
    rpy_library_flush();
    if (RPY_UNLIKELY(rpy_exc != NULL)) {
        if (error.name == NULL)
            keep_error();
        rpy_exc = NULL;
    }
    depth--;
    if (entered == FROM_OUTSIDE) {
        rpy_running_stack_limit = NULL;
        rpy_lock_release();
        lock_is_free = 1;
        pthread_mutex_unlock(&calls);
    } else {
        rpy_lock_leave(entered);
    }
}

const char *rpy_library_error(void)
{
    return error.name;
}

const char *rpy_library_error_message(void)
{
    return error.name != NULL && error.message != NULL ? error.message : "";
}

const char *rpy_library_error_traceback(void)
{
    size_t size;
    FILE *file;
    if (error.name == NULL)
        return "";
    if (error.text == NULL && (file = open_memstream(&error.text, &size)) != NULL) {
        fputs("Traceback (most recent call last):\n", file);
        if (error.entries > error.shown)
            fprintf(file, "  [%ld more calls]\n", error.entries - error.shown);
        for (Signed i = error.shown - 1; i >= 0; i--) {
            const rpy_location *where = error.frames[i];
            if (where != NULL) {
                fprintf(file, "  File \"%s\", line %d, in %s\n", where->file, where->line,
                        where->function);
                rpy_print_source_line(file, where);
            }
        }
        fputs(error.name, file);
        if (error.message != NULL && *error.message != '\0')
            fprintf(file, ": %s", error.message);
        fputc('\n', file);
        if (fclose(file) != 0)
            error.text = NULL;
    }
    return error.text != NULL ? error.text : "";
}

int rpy_library_startup(void)
{
    return 0; /* the collector and everything else start by themselves */
}

int rpy_library_teardown(void)
{
    int entered = rpy_library_enter();
    if (rpy_before_exit != NULL)
        rpy_before_exit();
    rpy_library_finalize();
    rpy_library_leave(entered);
    pthread_once(&once, make_key);
    pthread_key_delete(ends_with_thread); /* the library may be unloaded while threads go on */
    return error.name != NULL;
}

/* A library has no command line. */
Signed rpy_argc(void)
{
    return 0;
}

char *rpy_argv(Signed index)
{
    (void)index;
    return NULL;
}
