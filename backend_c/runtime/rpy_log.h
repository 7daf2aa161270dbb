/* The log that the environment variable PYPYLOG asks for, whose form rpython/rlib/_debuglog.py
 * explains: sections of the collector, and the file in which the program has its own.
 */
#ifndef RPY_LOG_H
#define RPY_LOG_H

#include "rpy_base.h"

/* How much of a section is shown. */
enum rpy_log_level { RPY_LOG_NOTHING, RPY_LOG_MARKS, RPY_LOG_PRINTS };

/* The file descriptor of the log, -1: nothing asks for one. */
extern RPY_HIDDEN Signed rpy_log_fd(void);
/* A section begins, and ends. */
extern RPY_HIDDEN enum rpy_log_level rpy_log_begin(const char *category);
extern RPY_HIDDEN void rpy_log_end(const char *category, enum rpy_log_level level);
/* A line in it; as printf has it, at most 200 characters. */
extern RPY_HIDDEN void rpy_log_print(enum rpy_log_level level, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
