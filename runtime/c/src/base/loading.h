/*
 * loading.h: fork handlers for sidl_begin_loading (sidl_process.h).
 */
#ifndef BASE_LOADING_H
#define BASE_LOADING_H

#pragma GCC visibility push(hidden)

/* In the parent, after sidl_await_loading. */
void loading_after_fork(void);

void loading_begin_as_child(void);

#pragma GCC visibility pop

#endif
