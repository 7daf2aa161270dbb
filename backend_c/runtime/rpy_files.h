/* Files, directories, the process, clocks: what they give or, when they fail, -errno. */
#ifndef RPY_FILES_H
#define RPY_FILES_H

#include "rpy_base.h"

extern RPY_HIDDEN Signed rpy_files_lseek(Signed fd, Signed offset, Signed whence);
extern RPY_HIDDEN Signed rpy_files_ftruncate(Signed fd, Signed length);
extern RPY_HIDDEN Signed rpy_files_fsync(Signed fd);
extern RPY_HIDDEN Signed rpy_files_dup(Signed fd);
extern RPY_HIDDEN Signed rpy_files_isatty(Signed fd);
extern RPY_HIDDEN Signed rpy_files_unlink(Char *path);
extern RPY_HIDDEN Signed rpy_files_rmdir(Char *path);
extern RPY_HIDDEN Signed rpy_files_mkdir(Char *path, Signed mode);
extern RPY_HIDDEN Signed rpy_files_access(Char *path, Signed mode);
extern RPY_HIDDEN Signed rpy_files_getcwd(Char *path, Signed size);
extern RPY_HIDDEN Signed rpy_files_kill(Signed process, Signed number);
extern RPY_HIDDEN Signed rpy_files_getpid(void);
extern RPY_HIDDEN double rpy_files_time(void);
extern RPY_HIDDEN double rpy_files_monotonic(void);
extern RPY_HIDDEN double rpy_files_process_time(void);
extern RPY_HIDDEN void rpy_files_sleep(double seconds);

#endif
