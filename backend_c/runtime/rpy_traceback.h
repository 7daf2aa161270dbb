/* Exceptions as people see them: each with its traceback, and with the one that caused it or that
 * was being handled when it was raised.
 */
#ifndef RPY_TRACEBACK_H
#define RPY_TRACEBACK_H

#include "rpy_base.h"

/* The exception looked at, the pending or last one if rpy_chain_look was not called: the number of
 * entries of its traceback, and entry `index` counted from the innermost frame (NULL where the
 * bounded buffer dropped it). */
extern RPY_HIDDEN Signed rpy_traceback_size(void);
extern RPY_HIDDEN const rpy_location *rpy_traceback_entry(Signed index);

/* What the exception before one has to do with it. */
typedef enum { RPY_NO_EXCEPTION_BEFORE, RPY_CAUSE_BEFORE, RPY_CONTEXT_BEFORE } rpy_before;

/* Keep the pending or last exception and those that led to it, until rpy_chain_end; how many they
 * are. */
extern RPY_HIDDEN int rpy_chain_start(void);
/* The same for the exception that is being handled; 0: none is, or these functions are in use. */
extern RPY_HIDDEN int rpy_chain_start_handled(void);
/* The same for any exception; 0: nothing is known of its traceback any more. */
extern RPY_HIDDEN int rpy_chain_start_of(void *exc);
extern RPY_HIDDEN void rpy_chain_end(void);
/* Look at one of them; 0 is the first that was raised. */
extern RPY_HIDDEN rpy_before rpy_chain_look(int number);
extern RPY_HIDDEN void *rpy_chain_exception(void);

/* The same in place of those two, with what is not shown: the contexts of those that have a cause, or
 * were raised `from None`.  Number 0 is the pending or last one; `cause`, `context`: numbers, or -1. */
extern RPY_HIDDEN int rpy_family_start(void);
extern RPY_HIDDEN void rpy_family_look(int number, int *cause, int *context);

/* Look at this one instead, until NULL is to be looked at; has it a traceback? */
extern RPY_HIDDEN Bool rpy_look_at(void *exc);
/* Was it raised `from` something, None perhaps? */
extern RPY_HIDDEN Bool rpy_chain_suppressed(void);

/* Put the pending exception aside while the program runs once more, and make it pending again,
 * whatever that raised.  Does not nest. */
extern RPY_HIDDEN void rpy_exception_set_aside(void);
extern RPY_HIDDEN void rpy_exception_put_back(void);

/* Keep the traceback of the last exception while finalizers run.  Does not nest. */
extern RPY_HIDDEN void rpy_trace_put_away(void);
extern RPY_HIDDEN void rpy_trace_take_back(void);

/* The text that the program asked for last. */
extern RPY_HIDDEN char *rpy_reported;

/* The places where exceptions are kept: the one after `last` (NULL: the first), or NULL. */
extern RPY_HIDDEN void **rpy_next_exception_root(void **last);

/* The same for those that own a reference of theirs, besides rpy_exc. */
extern RPY_HIDDEN void **rpy_next_owned_exception(void **last);

/* It is no more: for collectors that know at once. */
extern RPY_HIDDEN void rpy_exception_died(void *exc);

/* Own a reference of an exception, and give it back; for collectors that count them. */
extern RPY_HIDDEN void rpy_exception_acquire(void *exc);
extern RPY_HIDDEN void rpy_exception_release(void *exc);

#endif
