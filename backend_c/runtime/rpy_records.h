/* The records of exceptions, a part of rpy_traceback.c. A *record* is there for each exception that
 * somebody may still want to see: the pending or last one, those being handled, and those from which
 * these came.
 *
 *     handled:  [A] [C]           C was raised while A was handled, and is being handled itself
 *     records:  A <- C <- D       D is pending: `before` leads to what was being handled
 *
 * A record that nobody needs for the moment is *retired*: the program may have kept the exception, and
 * raise it again.  It does not refer to it any more, so it does not keep it alive; the exception has
 * the record's serial number.  When a new record is needed the next of these in turn is used for it.
 *
 * What is being handled is a stack.  A function that handles exceptions remembers how high it was
 * at its start, so handlers that were left by an exception need not take anything off.
 */
#ifndef RPY_RECORDS_H
#define RPY_RECORDS_H

#include <stdlib.h>
#include <string.h>

#include "rpy_core.h"
#include "rpy_gil.h"

/* The first FIRST entries of a traceback are kept, and the last LAST in a ring: a deep recursion
 * shows both of its ends. */
#define FIRST 256
#define LAST 256
/* In static memory, so that every collector finds the exceptions. */
#define RECORDS 256
/* A longer chain loses its end. */
#define CHAIN 64
#define NONE (-1)
/* In place of what was being handled, where that had to be forgotten. */
#define LOST (-2)

typedef struct {
    void *exc;      /* NULL: retired, or dead */
    Signed serial;  /* its remainder by RECORDS is the number of the record; 0: free */
    Signed entries, room;
    const rpy_location **places;
    int cause, context; /* numbers of records */
    int suppressed;     /* `raise ... from` hides the context */
    int own_cause;      /* `raise e from e`: nobody holds the record for that */
    int untold;         /* the program may still ask for the context */
    int lost;           /* and it was something that had to be forgotten */
    int holders;        /* handlers and other records: they own the exception */
    int threads;        /* where it is the current one, which owns nothing */
} record;

static record records[RECORDS];
static Signed last_serial; /* without the remainder */
static int next_record;

/* The record of the pending or last exception of the running thread. */
static int current = NONE;
static int set_aside = NONE;
static int put_away = NONE;
static void *saved_exc;
/* Which record the functions for printing tell of. */
static int shown = NONE;

static struct {
    int record;
    rpy_before before;
} chain[CHAIN]; /* the last exception first */
static int chain_length;

Signed rpy_handled;
static int *handled;
static Signed handled_room;

__attribute__((weak)) void rpy_exception_acquire(void *exc)
{
    (void)exc;
}

__attribute__((weak)) void rpy_exception_release(void *exc)
{
    (void)exc;
}

static void hold(int number)
{
    if (number != NONE && records[number].holders++ == 0 && records[number].exc != NULL)
        rpy_exception_acquire(records[number].exc);
}

/* Nobody needs it for the moment. */
static void let_go(int number)
{
    record *r;
    void *exc;
    if (number < 0 || --records[number].holders > 0)
        return;
    r = &records[number];
    exc = r->exc;
    if (r->threads == 0)
        r->exc = NULL;
    if (exc != NULL)
        rpy_exception_release(exc);
}

/* Nobody will need it again. */
static void empty(record *r)
{
    int cause = r->cause, context = r->context;
    r->cause = r->context = NONE;
    r->suppressed = r->own_cause = r->untold = r->lost = 0;
    r->entries = 0;
    r->exc = NULL;
    r->serial = 0;
    let_go(cause);
    let_go(context);
}

static void set_current(int number)
{
    int before = current;
    if (before == number)
        return;
    if (number != NONE)
        records[number].threads++;
    current = number;
    if (before != NONE && --records[before].threads == 0 && records[before].holders == 0)
        records[before].exc = NULL;
}

static int find_free(void)
{
    int tries;
    for (tries = 0; tries < RECORDS; tries++) {
        int number = next_record;
        next_record = (number + 1) % RECORDS;
        if (records[number].holders == 0 && records[number].threads == 0) {
            if (records[number].serial != 0)
                empty(&records[number]);
            return number;
        }
    }
    return NONE;
}

/* Let the oldest exception of the longest chains go. */
static void forget_oldest(void)
{
    int i;
    for (i = 0; i < RECORDS; i++) {
        record *r = &records[i];
        int context = r->context;
        if (context != NONE && records[context].context == NONE && records[context].holders == 1) {
            r->context = NONE;
            r->lost = r->untold;
            let_go(context);
            return;
        }
    }
    /* Nothing but handlers: forget the outermost. */
    for (i = 0; i < rpy_handled; i++) {
        int number = handled[i];
        if (number >= 0) {
            handled[i] = LOST;
            let_go(number);
            return;
        }
    }
}

/* A record of `exc` without entries; NONE if there is no memory for it. */
static int make_record(void *exc)
{
    int number = find_free(), tries;
    Signed *trace = rpy_exception_trace(exc);
    record *r;
    for (tries = 0; number == NONE && tries < 2 * RECORDS; tries++) {
        forget_oldest();
        number = find_free();
    }
    if (number == NONE)
        return NONE;
    r = &records[number];
    r->exc = exc;
    r->entries = 0;
    r->cause = r->context = NONE;
    r->suppressed = r->own_cause = r->untold = r->lost = 0;
    last_serial += RECORDS;
    r->serial = last_serial + number;
    if (trace != NULL)
        *trace = r->serial;
    return number;
}

static int innermost(void)
{
    return rpy_handled > 0 ? handled[rpy_handled - 1] : NONE;
}

/* The record of an exception, if there still is one. */
static int find(void *exc)
{
    Signed i, *trace = rpy_exception_trace(exc);
    if (trace != NULL) {
        int number = (int)(*trace % RECORDS);
        if (*trace == 0 || records[number].serial != *trace)
            return NONE;
        records[number].exc = exc; /* it may be retired */
        return number;
    }
    if (current != NONE && records[current].exc == exc)
        return current;
    for (i = rpy_handled - 1; i >= 0; i--)
        if (handled[i] >= 0 && records[handled[i]].exc == exc)
            return handled[i];
    return NONE;
}

/* `number` is raised while something is being handled. */
static void set_context(int number)
{
    int context = innermost(), i, steps;
    if (number == NONE || context == NONE || context == number)
        return;
    records[number].lost = context == LOST;
    records[number].untold = 1;
    if (context == LOST || context == records[number].context)
        return;
    hold(context);
    for (i = context, steps = 0; i != NONE && steps < RECORDS; i = records[i].context, steps++) {
        if (records[i].context == number) { /* a circle otherwise */
            records[i].context = NONE;
            let_go(number);
            break;
        }
    }
    i = records[number].context;
    records[number].context = context;
    let_go(i);
}

#endif
