/* from_c.c: calls of Fortran from C, through the generated C stubs and bare; callgrind's requests.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#endif

#include "benchf.h"

void counting_begin(void);
void counting_end(const char* name);
void bare_fortran_noop(void);
int32_t bare_fortran_add(int32_t a, int32_t b);

void from_c_bare_noop(int64_t calls) {
  for (int64_t i = 0; i < calls; ++i) bare_fortran_noop();
}

int32_t from_c_bare_add(int64_t calls) {
  int32_t sum = 0;
  for (int64_t i = 0; i < calls; ++i) sum = bare_fortran_add(sum, 1);
  return sum;
}

void from_c_noop(benchf_Target target, int64_t calls) {
  sidl_BaseInterface ex = NULL;
  for (int64_t i = 0; i < calls; ++i) {
    benchf_Target_noop(target, &ex);
    if (ex) abort();
  }
}

int32_t from_c_add(benchf_Target target, int64_t calls) {
  sidl_BaseInterface ex = NULL;
  int32_t sum = 0;
  for (int64_t i = 0; i < calls; ++i) {
    sum = benchf_Target_add(target, sum, 1, &ex);
    if (ex) abort();
  }
  return sum;
}

#ifdef CALLGRIND_ZERO_STATS
void counting_begin(void) {
  CALLGRIND_ZERO_STATS;
}

void counting_end(const char* name) {
  CALLGRIND_DUMP_STATS_AT(name);
}
#else
void counting_begin(void) {
  fputs("bench_fortran: built without valgrind/callgrind.h\n", stderr);
  exit(2);
}

void counting_end(const char* name) {
  (void)name;
}
#endif
