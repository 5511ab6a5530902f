/* catch_c URL: asks what the server throws for all of its types, and for what its class knows. */
#include <stdio.h>
#include <string.h>

#include "faults.h"
#include "sidl_BaseException.h"
#include "sidl_Exception.h"
#include "sidl_String.h"

#define CHECK(condition)                                           \
  do {                                                             \
    if (!(condition)) {                                            \
      printf("line %d: %s does not hold\n", __LINE__, #condition); \
      return 1;                                                    \
    }                                                              \
  } while (0)

int main(int argc, char** argv) {
  sidl_BaseInterface ex = NULL;
  sidl_BaseInterface other = NULL;
  CHECK(argc == 2);
  faults_Solver solver = faults_Solver__createRemote(argv[1], &ex);
  CHECK(ex == NULL);
  faults_Solver_run(solver, 7, &ex);
  CHECK(SIDL_CATCH(ex, "faults.Unstable"));
  CHECK(SIDL_CATCH(ex, "faults.Fault"));
  CHECK(SIDL_CATCH(ex, "faults.Explained"));
  CHECK(SIDL_CATCH(ex, "sidl.RuntimeException"));
  faults_Unstable thrown = faults_Unstable__cast(ex, &other);
  CHECK(thrown != NULL);
  char* note = faults_Unstable_getNote(thrown, &other);
  CHECK(strcmp(note, "diverged") == 0);
  char* trace = faults_Unstable_getTrace(thrown, &other);
  CHECK(strstr(trace, "faults.Solver.run") != NULL);
  faults_Unstable_getStep(thrown, &other);
  CHECK(SIDL_CATCH(other, "sidl.NotImplementedException"));
  SIDL_CLEAR(other);
  faults_Unstable_severity(thrown, &other);
  CHECK(SIDL_CATCH(other, "sidl.NotImplementedException"));
  SIDL_CLEAR(other);
  sidl_String_free(note);
  sidl_String_free(trace);
  faults_Unstable_deleteRef(thrown, &other);
  SIDL_CLEAR(ex);
  faults_Solver_deleteRef(solver, &ex);
  puts("ok");
  return 0;
}
