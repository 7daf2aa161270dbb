/* What is raised, handled, and shown of exceptions; rpy_records.h says what is known of each. */
#include "rpy_records.h"

void *rpy_exc;

static void start(void *exc)
{
    set_current(make_record(exc));
    set_context(current);
}

void rpy_raise_fresh(void *exc)
{
    void *twin, *oldest = exc;
    for (twin = rpy_exception_twin(exc); twin != NULL && twin != exc; twin = rpy_exception_twin(twin))
        if (*rpy_exception_trace(twin) < *rpy_exception_trace(oldest))
            oldest = twin;
    rpy_exc = oldest;
    start(oldest);
}

static void raise_new(void *exc)
{
    rpy_exc = exc;
    start(exc);
}

/* Make the record of `exc` the current one; true if it has one. */
static Bool resume(void *exc)
{
    int number = find(exc);
    if (number != NONE)
        set_current(number);
    return number != NONE;
}

void rpy_raise(void *exc)
{
    if (resume(exc))
        rpy_exc = exc;
    else
        raise_new(exc);
}

void rpy_reraise(void *exc, const rpy_location *where)
{
    if (resume(exc)) {
        rpy_exc = exc;
    } else {
        raise_new(exc);
        if (where != NULL)
            rpy_traceback_add(where);
    }
}

void rpy_raised_here(void *exc, const rpy_location *where)
{
    if (resume(exc))
        set_context(current);
    else
        start(exc);
    if (where != NULL)
        rpy_traceback_add(where);
}

void rpy_forget_traceback(void *exc)
{
    int number = find(exc);
    if (number != NONE)
        records[number].entries = 0;
}

void rpy_set_cause(void *exc, void *cause)
{
    int number = NONE, before;
    if (cause != NULL) {
        number = find(cause);
        if (number == NONE)
            number = make_record(cause);
        hold(number);
    }
    if (!resume(exc))
        start(exc);
    if (current == NONE) {
        let_go(number);
        return;
    }
    records[current].own_cause = number == current;
    if (number == current) {
        let_go(number);
        number = NONE;
    }
    before = records[current].cause;
    records[current].cause = number;
    records[current].suppressed = 1;
    let_go(before);
}

/* The record of an exception, a new one if there is none; NONE if there is no memory for it. */
static int find_or_make(void *exc)
{
    int number = find(exc);
    return number != NONE ? number : make_record(exc);
}

void rpy_set_context(void *exc, void *context)
{
    int number = find_or_make(exc), i = NONE, before;
    hold(number); /* so that it stays while the other is made */
    if (context != NULL && context != exc)
        i = find_or_make(context);
    if (number == NONE)
        return;
    hold(i);
    before = records[number].context;
    records[number].context = i;
    records[number].untold = records[number].lost = 0;
    let_go(before);
    let_go(number);
}

void *rpy_exception_context(void *exc)
{
    int number = find(exc);
    record *r;
    if (number == NONE)
        return NULL;
    r = &records[number];
    if (r->lost)
        rpy_fatal_error("e.__context__: too many exceptions are being handled at once");
    r->untold = 0;
    return r->context == NONE ? NULL : records[r->context].exc;
}

void rpy_handler_enter(void *exc, Signed height)
{
    int number = find(exc);
    if (number == NONE)
        number = make_record(exc);
    hold(number);
    rpy_handler_leave(height);
    if (rpy_handled == handled_room) {
        Signed room = 2 * handled_room + 16;
        int *larger = realloc(handled, (size_t)room * sizeof *larger);
        if (larger == NULL) {
            let_go(number);
            return;
        }
        handled = larger;
        handled_room = room;
    }
    handled[rpy_handled++] = number;
}

void rpy_handler_leave(Signed height)
{
    while (rpy_handled > height)
        let_go(handled[--rpy_handled]);
}

void rpy_forget_last_exception(void)
{
    if (rpy_exc == NULL)
        set_current(NONE);
}

void rpy_traceback_add(const rpy_location *where)
{
    record *r;
    if (current == NONE)
        return;
    r = &records[current];
    if (r->entries >= FIRST + LAST) {
        r->places[FIRST + (r->entries++ - FIRST) % LAST] = where;
        return;
    }
    if (r->entries == r->room) {
        Signed room = r->room == 0 ? 8 : 2 * r->room;
        const rpy_location **larger = realloc(r->places, (size_t)room * sizeof *larger);
        if (larger == NULL)
            return;
        r->places = larger;
        r->room = room;
    }
    r->places[r->entries++] = where;
}

/* ---- for printing ---- */

Signed rpy_traceback_size(void)
{
    int number = shown != NONE ? shown : current;
    return number == NONE ? 0 : records[number].entries;
}

const rpy_location *rpy_traceback_entry(Signed index)
{
    const record *r = &records[shown != NONE ? shown : current];
    if (index < 0 || index >= rpy_traceback_size())
        return NULL;
    if (index < FIRST)
        return r->places[index];
    if (index < r->entries - LAST)
        return NULL;
    return r->places[FIRST + (index - FIRST) % LAST];
}

static int start_chain(int number)
{
    int i;
    chain_length = 0;
    hold(number);
    while (number != NONE && chain_length < CHAIN) {
        const record *r = &records[number];
        for (i = 0; i < chain_length; i++)
            if (chain[i].record == number)
                return chain_length; /* a circle of causes */
        chain[chain_length].record = number;
        chain[chain_length].before = RPY_NO_EXCEPTION_BEFORE;
        number = r->cause;
        if (number != NONE) {
            chain[chain_length].before = RPY_CAUSE_BEFORE;
        } else if (r->context != NONE && !r->suppressed) {
            number = r->context;
            chain[chain_length].before = RPY_CONTEXT_BEFORE;
        }
        chain_length++;
    }
    return chain_length;
}

int rpy_chain_start(void)
{
    return start_chain(current);
}

int rpy_chain_start_handled(void)
{
    return chain_length == 0 && innermost() != LOST ? start_chain(innermost()) : 0;
}

int rpy_chain_start_of(void *exc)
{
    int number = find(exc);
    if (number == NONE && (rpy_exception_trace(exc) == NULL || *rpy_exception_trace(exc) == 0))
        number = make_record(exc); /* it was never raised */
    return chain_length == 0 && number != NONE ? start_chain(number) : 0;
}

rpy_before rpy_chain_look(int number)
{
    shown = chain[chain_length - 1 - number].record;
    return number == 0 ? RPY_NO_EXCEPTION_BEFORE : chain[chain_length - 1 - number].before;
}

static int family_number(int record)
{
    int i;
    for (i = 0; i < chain_length; i++)
        if (chain[i].record == record)
            return i;
    return NONE;
}

static void join_family(int record)
{
    if (record != NONE && chain_length < CHAIN && family_number(record) == NONE)
        chain[chain_length++].record = record;
}

int rpy_family_start(void)
{
    int i;
    chain_length = 0;
    hold(current);
    join_family(current);
    for (i = 0; i < chain_length; i++) {
        join_family(records[chain[i].record].cause);
        join_family(records[chain[i].record].context);
    }
    return chain_length;
}

void rpy_family_look(int number, int *cause, int *context)
{
    shown = chain[number].record;
    *cause = records[shown].own_cause ? number : family_number(records[shown].cause);
    *context = family_number(records[shown].context);
}

void *rpy_chain_exception(void)
{
    return records[shown].exc;
}

Bool rpy_chain_suppressed(void)
{
    return records[shown].suppressed;
}

Bool rpy_look_at(void *exc)
{
    shown = exc != NULL ? find(exc) : NONE;
    return shown != NONE;
}

void rpy_chain_end(void)
{
    shown = NONE;
    if (chain_length > 0)
        let_go(chain[0].record);
    chain_length = 0;
}

/* ---- for the rest of the runtime ---- */

void rpy_exception_set_aside(void)
{
    saved_exc = rpy_exc;
    set_aside = current;
    hold(current);
    rpy_exc = NULL;
}

void rpy_exception_put_back(void)
{
    set_current(set_aside);
    let_go(set_aside);
    set_aside = NONE;
    rpy_exc = saved_exc;
    saved_exc = NULL;
}

void rpy_trace_put_away(void)
{
    put_away = current;
    hold(current);
}

void rpy_trace_take_back(void)
{
    set_current(put_away);
    let_go(put_away);
    put_away = NONE;
}

void **rpy_next_exception_root(void **last)
{
    int i;
    if (last == NULL)
        return &rpy_exc;
    if (last == &rpy_exc)
        return &saved_exc;
    i = last == &saved_exc ? 0 : (int)((record *)last - records) + 1;
    while (i < RECORDS && records[i].exc == NULL)
        i++;
    return i < RECORDS ? &records[i].exc : NULL;
}

void **rpy_next_owned_exception(void **last)
{
    int i;
    if (last == NULL)
        return &saved_exc;
    i = last == &saved_exc ? 0 : (int)((record *)last - records) + 1;
    while (i < RECORDS && records[i].holders == 0)
        i++;
    return i < RECORDS ? &records[i].exc : NULL;
}

void rpy_exception_died(void *exc)
{
    int number = find(exc);
    if (number == NONE)
        return;
    if (records[number].holders == 0 && records[number].threads == 0)
        empty(&records[number]);
    else
        records[number].exc = NULL;
}

/* ---- threads: the records are shared ---- */

const rpy_thread_global rpy_thread_globals[] = {
    { &rpy_exc, sizeof rpy_exc, 0 },
    { &saved_exc, sizeof saved_exc, 0 },
    { &current, sizeof current, 0xff }, /* NONE */
    { &set_aside, sizeof set_aside, 0xff },
    { &put_away, sizeof put_away, 0xff },
    { &shown, sizeof shown, 0xff },
    { &chain, sizeof chain, 0 },
    { &chain_length, sizeof chain_length, 0 },
    { &rpy_handled, sizeof rpy_handled, 0 },
    { &handled, sizeof handled, 0 },
    { &handled_room, sizeof handled_room, 0 },
    { &rpy_reported, sizeof rpy_reported, 0 },
    { NULL, 0, 0 },
};

void **rpy_thread_exception_root(rpy_thread *thread, int number)
{
    return number < 2 ? (void **)thread->saved + number : NULL; /* the first two above */
}

void rpy_thread_exceptions_end(void)
{
    rpy_handler_leave(0);
    set_current(NONE);
    free(handled);
    handled = NULL;
    handled_room = 0;
    free(rpy_reported);
    rpy_reported = NULL;
}
