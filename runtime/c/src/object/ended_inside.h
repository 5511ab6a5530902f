/*
 * ended_inside.h: reports that a process ends because a method called exit().
 */
#ifndef OBJECT_ENDED_INSIDE_H
#define OBJECT_ENDED_INSIDE_H

#pragma GCC visibility push(hidden)

/*
 * Checks at exit whether a method is running. To be called when the first user-written class is
 * made ready, as exit handlers registered while libraries were loaded cannot be told from methods
 * by the stack.
 */
void ended_inside_watch(void);

#pragma GCC visibility pop
#endif
