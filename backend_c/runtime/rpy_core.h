/* The part of the runtime that only hand-written C and the interface unit use. */
#ifndef RPY_CORE_H
#define RPY_CORE_H

#include "rpy_base.h"

/* AddressSanitizer is told what memory nobody may look at (it is free), and what again may be
 * used; without it that says nothing. */
#if defined(__SANITIZE_ADDRESS__)
#define RPY_ASAN 1
#elif defined(__has_feature)
#define RPY_ASAN __has_feature(address_sanitizer)
#endif
#if RPY_ASAN
extern void __asan_poison_memory_region(const volatile void *memory, Unsigned size);
extern void __asan_unpoison_memory_region(const volatile void *memory, Unsigned size);
#define RPY_MEMORY_IS_FREE(memory, size) __asan_poison_memory_region((memory), (size))
#define RPY_MEMORY_IS_USED(memory, size) __asan_unpoison_memory_region((memory), (size))
#else
#define RPY_MEMORY_IS_FREE(memory, size) ((void)0)
#define RPY_MEMORY_IS_USED(memory, size) ((void)0)
#endif
#include "rpy_traceback.h"

/* A number of bytes, which may end in k, M or G; `otherwise` where the variable is not set. */
extern RPY_HIDDEN Unsigned rpy_size_from_environment(const char *name, Unsigned otherwise);

/* Print the pending exception with its traceback on stderr, and forget it. */
extern RPY_HIDDEN void rpy_report_exception(void);

/* ---- defined by the generated interface unit ---- */

/* The class name of an exception instance. */
extern RPY_HIDDEN const char *rpy_exception_class_name(void *exc);
/* What tracebacks call its class: with the module. */
extern RPY_HIDDEN const char *rpy_exception_full_name(void *exc);
/* The number of its class: subclassrange_min of its vtable. */
extern RPY_HIDDEN Signed rpy_exception_class_number(void *exc);
/* The field of the exception that says which traceback is its own; NULL: it has none. */
extern RPY_HIDDEN Signed *rpy_exception_trace(void *exc);
/* Of a prebuilt exception: the next one like it, and so on in a circle; else NULL. */
extern RPY_HIDDEN void *rpy_exception_twin(void *exc);
/* Is it a KeyboardInterrupt itself, not an instance of a subclass? */
extern RPY_HIDDEN Bool rpy_exception_is_interrupt(void *exc);
/* What str(exc) gives, `*length` bytes; NULL when the program cannot say. */
extern RPY_HIDDEN const char *rpy_exception_message(void *exc, Signed *length);
/* Its notes, a line for each; NULL: the program has none. */
extern RPY_HIDDEN const char *rpy_exception_note_lines(void *exc, Signed *length);
/* C code that took an object from the program (an exception, the result of a call) does not need
 * it any more; NULL: it has none now, so that counts of references can be checked. */
extern void rpy_give_back(void *object);
/* The program: its entry point, what calls the finalizers that are left when it has ended, and what
 * flushes its output (both may do nothing). */
extern RPY_HIDDEN Signed rpy_program_run(void);
extern RPY_HIDDEN void rpy_program_finalize(void);
extern RPY_HIDDEN void rpy_program_flush(void);

#endif
