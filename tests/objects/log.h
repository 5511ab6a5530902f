/* log.h: what happens in the process of the implementations, and what is to go wrong there. */
#ifndef OB_LOG_H
#define OB_LOG_H

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Notes that a hook ("ctor L3") runs. True if it is the one that is to fail. Constructors that do
 * not fail and destructors change the count of levels alive.
 */
int ob_enter(const char* hook);

/* Notes what an object says while a hook runs; frees it. */
void ob_note(char* text);

/* The hook that is to fail from now on. */
void ob_fail_at(const char* hook);

int ob_alive(void);

/* The hooks since the last call, one in a line; free. */
char* ob_take_log(void);

/* `text` before `rest`, which is freed; NULL if there is no rest. */
char* ob_before(const char* text, char* rest);

#ifdef __cplusplus
}
#endif
#endif
