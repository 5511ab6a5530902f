#ifndef CLIENTS_H
#define CLIENTS_H
#ifdef __cplusplus
extern "C" {
#endif
/* Counts what is not so, and says it. */
void check(int holds, const char *what, const char *file, int line);
void test_arrays(void);
void test_calls(void);
void test_runtime(void);
#ifdef __cplusplus
}
#endif
#endif
