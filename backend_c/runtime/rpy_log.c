/* The log that PYPYLOG asks for: rpy_log.h. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "rpy_log.h"

#define NOT_ASKED (-2)

static Signed log_fd = NOT_ASKED;
static char *prefixes; /* separated by commas; NULL: the log shows where sections begin and end */

/* The file with this name, in which %d is the number of the process; standard error when there is
 * none. */
static Signed open_log(const char *name)
{
    char path[4096];
    size_t length = 0;
    int fd;
    if (strcmp(name, "-") == 0)
        return 2;
    while (*name != '\0' && length < sizeof path - 24) {
        if (name[0] == '%' && name[1] == 'd') {
            length += (size_t)sprintf(path + length, "%ld", (long)getpid());
            name += 2;
        } else {
            path[length++] = *name++;
        }
    }
    path[length] = '\0';
    fd = *name != '\0' ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    return fd < 0 ? 2 : fd;
}

Signed rpy_log_fd(void)
{
    const char *wish, *colon;
    if (log_fd != NOT_ASKED)
        return log_fd;
    wish = getenv("PYPYLOG");
    if (wish == NULL || *wish == '\0')
        return log_fd = -1;
    colon = strrchr(wish, ':');
    if (colon != NULL)
        prefixes = strndup(wish, (size_t)(colon - wish));
    return log_fd = open_log(colon == NULL ? wish : colon + 1);
}

/* Does the category begin like one of the prefixes? */
static int is_wanted(const char *category)
{
    const char *prefix = prefixes, *end;
    for (;; prefix = end + 1) {
        end = strchrnul(prefix, ',');
        if (strncmp(category, prefix, (size_t)(end - prefix)) == 0)
            return 1;
        if (*end == '\0')
            return 0;
    }
}

/* The log is no reason to stop: where it cannot be written it ends. */
static void write_line(const char *line, int length)
{
    if (write((int)log_fd, line, (size_t)length) != length)
        log_fd = -1;
}

static void mark(const char *before, const char *category, const char *after)
{
    char line[200];
    struct timespec t;
    int length;
    clock_gettime(CLOCK_MONOTONIC, &t);
    length = snprintf(line, sizeof line, "[%lx] %s%s%s\n",
                      (Unsigned)t.tv_sec * 1000000000UL + (Unsigned)t.tv_nsec, before, category,
                      after);
    write_line(line, length);
}

enum rpy_log_level rpy_log_begin(const char *category)
{
    if (rpy_log_fd() < 0 || (prefixes != NULL && !is_wanted(category)))
        return RPY_LOG_NOTHING;
    mark("{", category, "");
    return prefixes == NULL ? RPY_LOG_MARKS : RPY_LOG_PRINTS;
}

void rpy_log_end(const char *category, enum rpy_log_level level)
{
    if (level != RPY_LOG_NOTHING && log_fd >= 0)
        mark("", category, "}");
}

void rpy_log_print(enum rpy_log_level level, const char *format, ...)
{
    char line[202];
    int length;
    va_list arguments;
    if (level != RPY_LOG_PRINTS || log_fd < 0)
        return;
    va_start(arguments, format);
    length = vsnprintf(line, sizeof line - 1, format, arguments);
    va_end(arguments);
    if (length > (int)sizeof line - 2)
        length = (int)sizeof line - 2;
    line[length++] = '\n';
    write_line(line, length);
}
