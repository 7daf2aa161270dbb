/* What every generated unit includes: the primitive types, the exception state, the
 * traceback and the stack check.  No system header except <stddef.h>-like builtins:
 * an empty program must compile in a few milliseconds.
 */
#ifndef RPY_BASE_H
#define RPY_BASE_H

typedef long Signed;
typedef unsigned long Unsigned;
typedef signed char Int8;
typedef short Int16;
typedef int Int32;
typedef unsigned char UInt8;
typedef unsigned short UInt16;
typedef unsigned int UInt32;
/* Memory of the collector is aligned to 8 bytes. */
typedef __int128 Int128 __attribute__((aligned(8)));
typedef unsigned __int128 UInt128 __attribute__((aligned(8)));
typedef double Float;
typedef float SingleFloat;
typedef unsigned char Char;
typedef unsigned int UniChar;
typedef _Bool Bool;
typedef void *Address;
typedef long Offset;

#ifndef NULL
#define NULL ((void *)0)
#endif

#define RPY_LIKELY(x) __builtin_expect(!!(x), 1)
#define RPY_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define RPY_COLD __attribute__((cold, noinline))
#define RPY_NOINLINE __attribute__((noinline))
#ifndef RPY_HIDDEN /* tests of the runtime make everything visible */
#define RPY_HIDDEN __attribute__((visibility("hidden")))
#endif
/* A thread-local variable of an executable is at an offset that the linker knows; GCC would load it
 * from a table. */
#if !defined(__PIC__) || defined(__PIE__)
#define RPY_OWN_THREAD __attribute__((tls_model("local-exec")))
#else
#define RPY_OWN_THREAD
#endif
#define RPY_EXPORTED __attribute__((visibility("default")))

#define RPY_SIGNED_MIN (-__LONG_MAX__ - 1L)
#define RPY_SIGNED_MAX __LONG_MAX__

/* ---- exceptions: the pending instance, NULL when there is none ---- */

extern RPY_HIDDEN void *rpy_exc;

/* The pending instance, which then is none. */
static inline void *rpy_exc_fetch(void)
{
    void *exc = rpy_exc;
    rpy_exc = NULL;
    return exc;
}

/* Promises to the C compiler at the ends of small functions: once such a function is
 * inlined, what its caller tests is known and the test disappears. */
#define RPY_NO_EXCEPTION()               \
    do {                                 \
        if (rpy_exc != NULL)             \
            __builtin_unreachable();     \
    } while (0)
#define RPY_HAS_EXCEPTION()              \
    do {                                 \
        if (rpy_exc == NULL)             \
            __builtin_unreachable();     \
    } while (0)

/* Raise the program's prebuilt instance (set rpy_exc, restart the traceback).  Defined in
 * the generated interface unit. */
extern RPY_HIDDEN RPY_COLD void rpy_raise_OverflowError(void);
extern RPY_HIDDEN RPY_COLD void rpy_raise_MemoryError(void);
extern RPY_HIDDEN RPY_COLD void rpy_raise_RecursionError(void);
extern RPY_HIDDEN RPY_COLD void rpy_raise_KeyboardInterrupt(void);

/* ---- traceback ---- */

typedef struct {
    const char *file;
    int line;
    const char *function;
    struct {
        int blanks, before, carets, after;
    } marks; /* under the text of the line: how many columns of each */
} rpy_location;

/* Make `exc` pending; it starts a new traceback unless the current one is its own. */
extern RPY_HIDDEN RPY_COLD void rpy_raise(void *exc);
/* Make the prebuilt `exc`, or one like it, pending with a new traceback. */
extern RPY_HIDDEN RPY_COLD void rpy_raise_fresh(void *exc);
/* Make `exc` pending again in the function that caught it: only a different exception
 * (then `where` may be non-NULL) is a new raise. */
extern RPY_HIDDEN RPY_COLD void rpy_reraise(void *exc, const rpy_location *where);
/* The pending (or just caught) exception passed through `where`. */
extern RPY_HIDDEN RPY_COLD void rpy_traceback_add(const rpy_location *where);

/* The exception is raised at `where`, to be caught in the same function or to leave it. */
extern RPY_HIDDEN RPY_COLD void rpy_raised_here(void *exc, const rpy_location *where);
/* It gets a traceback anew: exc.with_traceback(None). */
extern RPY_HIDDEN RPY_COLD void rpy_forget_traceback(void *exc);
/* Print the exception that is being handled, and those from which it came, on stderr. */
/* What an uncaught exception would print, that is being handled, or any: the length of the text, whose
 * bytes are there until the next one; -1: it is not known. */
extern RPY_HIDDEN RPY_COLD Signed rpy_report_handled(void);
extern RPY_HIDDEN RPY_COLD Signed rpy_report_of(void *exc);
extern RPY_HIDDEN RPY_COLD Signed rpy_report_byte(Signed index);
/* Print its traceback on stderr, if it has one. */
extern RPY_HIDDEN RPY_COLD void rpy_print_traceback(void *exc);
/* `raise exc from cause`; NULL: from None. */
extern RPY_HIDDEN RPY_COLD void rpy_set_cause(void *exc, void *cause);
/* `exc.__context__ = context`; NULL: None. */
extern RPY_HIDDEN RPY_COLD void rpy_set_context(void *exc, void *context);

/* How many exceptions are being handled.  Enter a handler of `exc` when so many others are; leave
 * handlers until there are only so many. */
extern RPY_HIDDEN Signed rpy_handled;
extern RPY_HIDDEN RPY_COLD void rpy_handler_enter(void *exc, Signed height);
/* What was being handled when it was raised; NULL: nothing. */
extern RPY_HIDDEN void *rpy_exception_context(void *exc);
extern RPY_HIDDEN RPY_COLD void rpy_handler_leave(Signed height);
/* Where nothing is raised: the last exception may be freed. */
extern RPY_HIDDEN void rpy_forget_last_exception(void);

/* ---- identities ---- */

/* The number of an object that does not move, at a multiple of 8: no other object has it, and
 * neighbours do not share a hash bucket. */
#define RPY_IDENTITY(object) ((Signed)((Unsigned)(object) >> 4 | ((Unsigned)(object) & 8) << 57))

/* ---- stack ---- */

/* Addresses below the limit are out of bounds for checked functions.  It starts at the
 * top of the address space, so that the first check of every thread computes it. */
extern RPY_HIDDEN __thread char *rpy_stack_limit RPY_OWN_THREAD;
/* How far down the stack reaches, and is that below the limit?  The stack pointer says so in one
 * instruction; to ask for the frame's address would make each function keep a frame pointer. */
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && defined(__OPTIMIZE__)
#define RPY_FRAME() (__extension__({                                                      \
        char *top_;                                                                       \
        __asm__("movq %%rsp, %0" : "=r"(top_));                                           \
        top_;                                                                             \
    }))
/* The C compiler knows the variable for the stack pointer: where it inlines calls into each other,
 * one check does for all. */
register char *rpy_stack_pointer __asm__("rsp");
#define RPY_STACK_IS_LOW() (rpy_stack_pointer < rpy_stack_limit)
#else
#define RPY_FRAME() ((char *)__builtin_frame_address(0))
#define RPY_STACK_IS_LOW() (RPY_FRAME() < rpy_stack_limit)
#endif
/* What a check does below the limit: computes it on first use, does what is asked for (see
 * below), raises RecursionError when the stack really is exhausted.  True: it raised. */
extern RPY_HIDDEN RPY_COLD Bool rpy_stack_low(char *frame);

/* ---- breaks: what signals and other threads ask of the running thread ---- */

/* Set when there is something to do at the next safe point. */
extern RPY_HIDDEN volatile int rpy_break_flag;
/* Is it?  GCC loads what is volatile before it compares it. */
#if defined(__x86_64__) && defined(__GCC_ASM_FLAG_OUTPUTS__) && defined(__OPTIMIZE__)
#define RPY_BREAK_ASKED() (__extension__({                                                \
        Bool asked_;                                                                      \
        __asm__ volatile("cmpl $0, %1" : "=@ccne"(asked_) : "m"(rpy_break_flag));         \
        asked_;                                                                           \
    }))
#else
#define RPY_BREAK_ASKED() rpy_break_flag
#endif
/* Does it; may raise KeyboardInterrupt.  True: it did. */
extern RPY_HIDDEN RPY_COLD Bool rpy_break(void);

/* Print `message` on stderr and abort: a broken invariant, never a user's error. */
extern RPY_HIDDEN RPY_COLD __attribute__((noreturn)) void rpy_fatal_error(const char *message);
/* What the empty places of tables of functions lead to. */
extern RPY_HIDDEN RPY_COLD __attribute__((noreturn)) void rpy_no_function(void);

#endif
