/* Where a program spends its time, and where it allocates: samples, for `rpython profile`.
 *
 * A program that is built to be sampled (RPY_SAMPLED) looks at its start for RPY_SAMPLES, the file
 * to write to, and RPY_SAMPLED_EVENT: what to take samples of, "time" or "allocation".
 */
#ifndef RPY_SAMPLER_H
#define RPY_SAMPLER_H

#include "rpy_base.h"

#ifdef RPY_SAMPLED
/* To be called by each thread but the first. */
extern RPY_HIDDEN void rpy_sampler_begin_thread(void);
/* About so many bytes were allocated since the last call. */
extern RPY_HIDDEN void rpy_sampler_allocation(Unsigned bytes);
#else
#define rpy_sampler_begin_thread() ((void)0)
#define rpy_sampler_allocation(bytes) ((void)0)
#endif

#endif
