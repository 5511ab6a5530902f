/* The heat equation on three grids, against the analytic solution: a client in C.
 *
 *   client_c [--url URL] [--field FILE]
 *
 * With a URL the solver is created on the server there, otherwise in this process. One line is
 * printed for each grid; FILE gets the final field of the finest grid as comma-separated values.
 *
 * Errors: the last argument of every call is an exception slot; SIDL_CHECK jumps to EXIT when it
 * is filled. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "heat.h"
#include "sidl_Exception.h"

static const double pi = 3.14159265358979323846;
static const double end_time = 0.05;
static const double step_factor = 0.2; /* dt / h^2; 0.25 is the limit of stability */

static double exact(double x, double y, double t) {
  return sin(pi * x) * sin(pi * y) * exp(-2 * pi * pi * t);
}

static double now_us(void) {
  struct timespec now;
  timespec_get(&now, TIME_UTC);
  return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static heat_Solver make_solver(const char* url, sidl_BaseInterface* _ex) {
  return url ? heat_Solver__createRemote(url, _ex) : heat_Solver__create(_ex);
}

static struct sidl_double__array* initial_field(int n) {
  struct sidl_double__array* field = sidl_double__array_create2dRow(n, n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      sidl_double__array_set2(field, i, j, exact(i / (n - 1.0), j / (n - 1.0), 0));
    }
  }
  return field;
}

static double largest_error(const struct sidl_double__array* field, int n, double time) {
  double error = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const double wanted = exact(i / (n - 1.0), j / (n - 1.0), time);
      error = fmax(error, fabs(sidl_double__array_get2(field, i, j) - wanted));
    }
  }
  return error;
}

/* Asks for a step that is too long; true if the solver refuses it by name. */
static int refuses_unstable_step(heat_Solver solver, sidl_BaseInterface* _ex) {
  const double limit = heat_Solver_stableStep(solver, _ex);
  if (*_ex) return 0;
  heat_Solver_step(solver, 2 * limit, 1, _ex);
  if (SIDL_CATCH(*_ex, "heat.UnstableStep")) {
    SIDL_CLEAR(*_ex);
    return 1;
  }
  return 0;
}

static int write_field(const struct sidl_double__array* field, int n, const char* path) {
  FILE* out = fopen(path, "w");
  if (!out) {
    perror(path);
    return 0;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      fprintf(out, "%s%.17g", j ? "," : "", sidl_double__array_get2(field, i, j));
    }
    fputc('\n', out);
  }
  return fclose(out) == 0;
}

/* One grid; returns true if all went well. */
static int run(int n, const char* url, const char* field_path) {
  int ok = 0;
  sidl_BaseInterface _ex = NULL;
  struct sidl_double__array* start_field = initial_field(n);
  struct sidl_double__array* field = NULL;
  struct heat_Stats__data stats;
  heat_Solver solver = make_solver(url, &_ex);
  SIDL_CHECK(_ex);

  heat_Solver_setup(solver, n, n, 1.0, 1.0, 1.0, &_ex);
  SIDL_CHECK(_ex);
  heat_Solver_setBoundary(solver, heat_Boundary_fixed, &_ex);
  SIDL_CHECK(_ex);
  heat_Solver_setField(solver, start_field, &_ex);
  SIDL_CHECK(_ex);

  const double dt = step_factor / ((n - 1.0) * (n - 1.0));
  const int steps = (int)lround(end_time / dt);
  const double start = now_us();
  for (int i = 0; i < steps; ++i) {
    heat_Solver_step(solver, dt, 1, &_ex);
    SIDL_CHECK(_ex);
  }
  const double elapsed = now_us() - start;

  stats = heat_Solver_stats(solver, &_ex);
  SIDL_CHECK(_ex);
  field = heat_Solver_field(solver, &_ex);
  SIDL_CHECK(_ex);
  const int refuses = refuses_unstable_step(solver, &_ex);
  SIDL_CHECK(_ex);
  printf("grid %d steps %lld time %.17g error %.17g us_per_step %.3f refuses %s\n", n,
         (long long)stats.steps, stats.time, largest_error(field, n, stats.time), elapsed / steps,
         refuses ? "yes" : "no");
  ok = !field_path || write_field(field, n, field_path);

EXIT:
  sidl_report_exception(_ex);
  SIDL_CLEAR(_ex);
  sidl_double__array_deleteRef(start_field);
  sidl_double__array_deleteRef(field);
  if (solver) heat_Solver_deleteRef(solver, &_ex);
  return ok;
}

int main(int argc, char** argv) {
  const char* url = NULL;
  const char* field_path = NULL;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--url") == 0) url = argv[i + 1];
    if (strcmp(argv[i], "--field") == 0) field_path = argv[i + 1];
  }
  return run(17, url, NULL) && run(33, url, NULL) && run(65, url, field_path) ? 0 : 1;
}
