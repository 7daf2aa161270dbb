/* The source lines in tracebacks. */
#ifndef RPY_SOURCE_H
#define RPY_SOURCE_H

#include <stdio.h>
#include <string.h>

#include "rpy_core.h"

static void rpy_print_columns(FILE *out, char mark, int count)
{
    while (count-- > 0)
        fputc(mark, out);
}

/* Print the text of the line, without its indentation, and the marks under it; nothing if the file
 * is gone. */
static void rpy_print_source_line(FILE *out, const rpy_location *where)
{
    char text[1024];
    int line = 1, begun = 0, printed = 0;
    FILE *file = fopen(where->file, "r");
    if (file == NULL)
        return;
    while (line <= where->line && fgets(text, sizeof text, file) != NULL) {
        size_t length = strlen(text);
        if (line == where->line) { /* or a part of it */
            const char *start = begun ? text : text + strspn(text, " \t\f");
            size_t shown = strcspn(start, "\r\n");
            if (shown > 0)
                fprintf(out, "%s%.*s", printed ? "" : "    ", (int)shown, start);
            printed |= shown > 0;
            begun = 1;
        }
        line += length > 0 && text[length - 1] == '\n';
    }
    fclose(file);
    if (printed)
        fputc('\n', out);
    if (printed && where->marks.carets > 0) {
        rpy_print_columns(out, ' ', 4 + where->marks.blanks);
        rpy_print_columns(out, '~', where->marks.before);
        rpy_print_columns(out, '^', where->marks.carets);
        rpy_print_columns(out, '~', where->marks.after);
        fputc('\n', out);
    }
}

#endif
