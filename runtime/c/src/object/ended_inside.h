/* ended_inside.h: says so when a process ends because a method ended it. */
#ifndef OBJECT_ENDED_INSIDE_H
#define OBJECT_ENDED_INSIDE_H

#pragma GCC visibility push(hidden)

/*
 * Looks, when the process ends, whether it does so in the midst of a method. To be called when the
 * first class is made ready that users have written: what exit handlers do that were registered
 * while libraries were loaded cannot be told from the stack.
 */
void ended_inside_watch(void);

#pragma GCC visibility pop
#endif
