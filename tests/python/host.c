/* A program in C that uses a class in Python: from the main thread, from others, and to the end. */
#include <pthread.h>
#include <stdio.h>

#include "sidl_ior.h"
#include "snake_Odd_IOR.h"
#include "snake_Worker_IOR.h"

enum { THREADS = 4, ROUNDS = 50 };

static int failed(struct sidl_BaseInterface__object* ex) {
  if (ex == NULL) return 0;
  fprintf(stderr, "an exception\n");
  return 1;
}

static void* ask(void* data) {
  struct snake_Worker__object* const worker = data;
  intptr_t wrong = 0;
  for (int32_t i = 0; i < ROUNDS; ++i) {
    struct sidl_BaseInterface__object* ex = NULL;
    struct snake_Odd__object* const odd = sidl_create(&snake_Odd__info, &ex);
    if (failed(ex)) return (void*)1;
    odd->d_epv->f_setNumber(odd, i, &ex);
    void* const numbered = sidl_cast_borrowed(odd, &ty_Numbered__info);
    wrong += worker->d_epv->f_ask(worker, numbered, &ex) != i + 1001 || failed(ex);
    odd->d_epv->f_deleteRef(odd, &ex);
  }
  return (void*)wrong;
}

int main(void) {
  struct sidl_BaseInterface__object* ex = NULL;
  struct snake_Worker__object* const worker = sidl_create(&snake_Worker__info, &ex);
  if (failed(ex)) return 1;
  const struct snake_Worker__sepv* const statics = sidl_static_epv(&snake_Worker__info, &ex);
  if (failed(ex) || statics->f_answer(&ex) != 42 || failed(ex)) return 2;

  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, ask, worker);
  intptr_t wrong = 0;
  for (int i = 0; i < THREADS; ++i) {
    void* result = NULL;
    pthread_join(threads[i], &result);
    wrong += (intptr_t)result;
  }
  if (wrong != 0) return 3;
  puts("fine");
  return 0; /* the worker is still there: the end of the program is its end */
}
