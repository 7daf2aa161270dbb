#include "rpy_gil.h"

rpy_thread *rpy_threads;
void (*rpy_before_exit)(void);
const rpy_lock *rpy_the_lock;

void rpy_thread_link(rpy_thread *thread)
{
    thread->next = rpy_threads;
    if (rpy_threads != NULL)
        rpy_threads->previous = &thread->next;
    thread->previous = &rpy_threads;
    rpy_threads = thread;
}

void rpy_thread_unlink(rpy_thread *thread)
{
    *thread->previous = thread->next;
    if (thread->next != NULL)
        thread->next->previous = thread->previous;
}

void rpy_lock_release(void)
{
    if (rpy_the_lock != NULL)
        rpy_the_lock->release();
}

void rpy_lock_take(void)
{
    if (rpy_the_lock != NULL)
        rpy_the_lock->take();
}

int rpy_lock_enter(void)
{
    return rpy_the_lock != NULL && rpy_the_lock->enter();
}

void rpy_lock_leave(int entered)
{
    if (entered)
        rpy_the_lock->release();
}
