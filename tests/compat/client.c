/*
 * A client in C, as one was written in 2010.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mesh.h"
#include "sidl.h"
#include "sidl_BaseException.h"
#include "sidl_ClassInfo.h"
#include "sidl_Exception.h"
#include "sidl_header.h"
#include "sidl_Loader.h"
#include "sidl_String.h"
#include "babel_config.h"
#include "clients.h"

#ifndef WITH_RMI
#error there is no RMI
#endif
#if !defined(HAVE_PTHREAD) || !defined(SIDL_C_HAS_INLINE)
#error not configured
#endif
#ifndef included_mesh_Grid_h
#error no include guard
#endif
#ifdef SIDL_USE_UCXX
#error not C++
#endif

#define sidlAssert(COND) check((COND), #COND, __FILE__, __LINE__)

static int failures = 0;

void check(int holds, const char *what, const char *file, int line) {
  if (holds) return;
  ++failures;
  fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
}

static void report(sidl_BaseInterface ex, const char *class_name, const char *note) {
  sidl_BaseInterface exception = NULL;
  sidl_BaseException base = sidl_BaseException__cast(ex, &exception);
  char *text = sidl_BaseException_getNote(base, &exception);
  char *trace = sidl_BaseException_getTrace(base, &exception);
  sidlAssert(SIDL_CATCH(ex, class_name));
  sidlAssert(sidl_String_equals(text, note));
  sidlAssert(strlen(trace) > 0);
  sidl_String_free(text);
  sidl_String_free(trace);
  sidl_BaseException_deleteRef(base, &exception);
}

static void test_failures(mesh_Grid grid) {
  sidl_BaseInterface ex = NULL, throwaway = NULL;
  mesh_MeshError error;
  mesh_Grid_fail(grid, 1, &ex);
  sidlAssert(ex != NULL && !SIDL_CATCH(ex, "mesh.DeepError"));
  report(ex, "mesh.MeshError", "as declared");
  SIDL_CLEAR(ex);
  sidlAssert(ex == NULL);
  mesh_Grid_fail(grid, 2, &ex);
  report(ex, "mesh.DeepError", "derived");
  sidlAssert(SIDL_CATCH(ex, "mesh.MeshError") && SIDL_CATCH(ex, "sidl.BaseException"));
  SIDL_CLEAR(ex);
  mesh_Grid_fail(grid, 3, &ex);
  report(ex, "sidl.MemAllocException", "not declared");
  sidlAssert(SIDL_CATCH(ex, "sidl.RuntimeException"));
  SIDL_CLEAR(ex);
  mesh_Grid_fail(grid, 4, &ex);
  error = mesh_MeshError__cast(ex, &throwaway);
  sidlAssert(mesh_MeshError_getCode(error, &throwaway) == -7);
  mesh_MeshError_deleteRef(error, &throwaway);
  SIDL_CLEAR(ex);
  mesh_Grid_fail(grid, 0, &ex);
  SIDL_CHECK(ex);
  mesh_Grid_byName("", &ex);
  if (ex) {
    SIDL_REPORT(ex);
  }
  sidlAssert(!"reached");
EXIT:
  sidlAssert(SIDL_CATCH(ex, "mesh.MeshError"));
  SIDL_CLEAR(ex);
}

static void test_objects(mesh_Grid grid) {
  sidl_BaseInterface ex = NULL, base;
  mesh_Field field;
  mesh_FineGrid fine;
  mesh_Grid up;
  sidl_ClassInfo info;
  char *s;
  void *v;
  field = mesh_Field__cast(grid, &ex);
  SIDL_CHECK(ex);
  sidlAssert(mesh_Field_isType(field, "mesh.Grid", &ex) && mesh_Field_isSame(field, (sidl_BaseInterface)grid, &ex));
  s = mesh_Field_label(field, &ex);
  SIDL_CHECK(ex);
  sidlAssert(sidl_String_equals(s, "first"));
  sidl_String_free(s);
  v = mesh_Grid__cast2(field, "mesh.Grid", &ex);
  SIDL_CHECK(ex);
  sidlAssert(v == (void *)grid);
  mesh_Grid_deleteRef((mesh_Grid)v, &ex);
  sidlAssert(mesh_FineGrid__cast(field, &ex) == NULL && ex == NULL);
  sidlAssert(mesh_Grid__cast(NULL, &ex) == NULL && ex == NULL);
  mesh_Field_deleteRef(field, &ex);
  sidlAssert(mesh_Grid__isLocal(grid, &ex) && !mesh_Grid__isRemote(grid, &ex));
  mesh_Grid__raddRef(grid, &ex);
  SIDL_CHECK(ex);
  mesh_Grid_deleteRef(grid, &ex);
  SIDL_CHECK(ex);
  info = mesh_Grid_getClassInfo(grid, &ex);
  s = sidl_ClassInfo_getName(info, &ex);
  sidlAssert(sidl_String_equals(s, "mesh.Grid"));
  sidl_String_free(s);
  sidl_ClassInfo_deleteRef(info, &ex);

  fine = mesh_FineGrid__create(&ex);
  SIDL_CHECK(ex);
  mesh_FineGrid_resize(fine, 4, 2, &ex);
  SIDL_CHECK(ex);
  up = mesh_Grid__cast(fine, &ex);
  SIDL_CHECK(ex);
  s = mesh_Grid_label(up, &ex);
  sidlAssert(sidl_String_equals(s, "fine(nameless)"));
  sidl_String_free(s);
  sidlAssert(mesh_Grid_value(up, 1, &ex) == 10.0);
  base = NULL;
  mesh_Grid_clone(grid, NULL, &up, &base, &ex);
  SIDL_CHECK(ex);
  sidlAssert(base == NULL && up != NULL && up != (mesh_Grid)fine);
  mesh_Grid_deleteRef(up, &ex);
  mesh_FineGrid_deleteRef(fine, &ex);
EXIT:
  sidlAssert(ex == NULL);
}

static void test_switches(mesh_Grid grid) {
  sidl_BaseInterface ex = NULL;
  mesh_Field field = mesh_Field__cast(grid, &ex);
  mesh_Grid__set_hooks(grid, TRUE, &ex);
  SIDL_CHECK(ex);
  mesh_Field__set_hooks(field, FALSE, &ex);
  SIDL_CHECK(ex);
  mesh_Grid__set_hooks_static(TRUE, &ex);
  SIDL_CHECK(ex);
  mesh_Grid__set_contracts(grid, TRUE, "", TRUE, &ex);
  SIDL_CHECK(ex);
  mesh_Grid__set_contracts_static(FALSE, NULL, FALSE, &ex);
  SIDL_CHECK(ex);
  mesh_Grid__dump_stats(grid, "grid.stats", "after the first", &ex);
  SIDL_CHECK(ex);
  mesh_Grid__dump_stats_static("grid.stats", "static", &ex);
  SIDL_CHECK(ex);
  mesh_Field__dump_stats(field, "/no/such/folder/stats", "", &ex);
  sidlAssert(ex && SIDL_CATCH(ex, "sidl.io.IOException"));
  SIDL_CLEAR(ex);
  sidlAssert(mesh_Grid_add(grid, 1, &ex) == 4);
EXIT:
  mesh_Field_deleteRef(field, &ex);
  sidlAssert(ex == NULL);
}

static void test_values(mesh_Grid grid) {
  sidl_BaseInterface ex = NULL;
  enum mesh_Kind__enum kind, io = mesh_Kind_plain, o;
  sidl_bool bio = TRUE, bo = FALSE, b;
  char cio = 'x', co, c, *text = NULL, *more = sidl_String_strdup("more");
  struct sidl_fcomplex a = {1, 2}, fo;
  struct sidl_dcomplex d = {3, 4}, r;
  struct mesh_Cell__data in, inout, out, result;
  double x[] = {1, 2, 3}, y[] = {4, 5, 6};

  kind = mesh_Grid_next(grid, mesh_Kind_fine, &io, &o, &ex);
  SIDL_CHECK(ex);
  sidlAssert(kind == mesh_Kind_coarse && io == mesh_Kind_fine && o == mesh_Kind_plain);
  sidlAssert(mesh_Kind_plain == 0 && mesh_Kind_fine == 5 && mesh_Kind_coarse == 1);
  b = mesh_Grid_flip(grid, TRUE, &bio, &bo, &ex);
  sidlAssert(!b && !bio && bo);
  c = mesh_Grid_letter(grid, 'a', &cio, &co, &ex);
  sidlAssert(c == 'b' && cio == 'a' && co == 'x');
  r = mesh_Grid_mul(grid, a, d, &fo, &ex);
  sidlAssert(r.real == -5 && r.imaginary == 10 && fo.real == 2 && fo.imaginary == 1);
  sidlAssert(mesh_Grid_through(grid, x, &ex) == x);
  sidlAssert(mesh_Grid_add(grid, 4, &ex) == 7 && mesh_Grid_addText(grid, "four", &ex) == 4);
  mesh_Grid_describe(grid, &text, &more, &ex);
  SIDL_CHECK(ex);
  sidlAssert(sidl_String_equals(text, "3 by 2") && sidl_String_equals(more, "more!"));
  sidl_String_free(text);
  sidl_String_free(more);
  sidlAssert(mesh_Grid_dot(grid, x, y, 3, &ex) == 32);
  mesh_Grid_scale(grid, x, 3, 1, 2.0, &ex);
  sidlAssert(x[0] == 2 && x[2] == 6);

  mesh_Cell__init(&in);
  mesh_Cell__init(&inout);
  mesh_Cell__init(&out);
  in.id = 1;
  in.on = TRUE;
  in.size = 0.5;
  in.phase.imaginary = 1;
  in.name = sidl_String_strdup("cell");
  in.kind = mesh_Kind_coarse;
  in.weights = sidl_double__array_create1dInit(3, y);
  in.owner = sidl_BaseClass__cast(grid, &ex);
  memcpy(in.corner, y, sizeof in.corner);
  RarrayElem2(in.modes, 1, 0, 2).real = 3;
  mesh_Cell__copy(&in, &inout, &ex);
  SIDL_CHECK(ex);
  result = mesh_Grid_cell(grid, &in, &inout, &out, &ex);
  SIDL_CHECK(ex);
  sidlAssert(result.id == 1 && result.on && result.size == 0.5 && result.phase.imaginary == 1);
  sidlAssert(result.kind == mesh_Kind_coarse && sidl_String_equals(result.name, "cell"));
  sidlAssert(sidl_double__array_get1(result.weights, 2) == 6 && result.owner == in.owner);
  sidlAssert(inout.id == 2 && !inout.on && sidl_String_equals(inout.name, "changed"));
  sidlAssert(result.corner[2] == 6 && inout.corner[1] == 5 && inout.corner[2] == 7);
  sidlAssert(inout.modes[1].real == 3 && inout.modes[2].imaginary == 7 && out.modes[1].real == 3);
  sidlAssert(out.id == 1 && sidl_String_equals(out.name, "cell"));
  mesh_Cell__destroy(&in, &ex);
  mesh_Cell__destroy(&inout, &ex);
  mesh_Cell__destroy(&out, &ex);
  mesh_Cell__destroy(&result, &ex);
EXIT:
  sidlAssert(ex == NULL);
}

static void test_array_arguments(mesh_Grid grid) {
  sidl_BaseInterface ex = NULL;
  int32_t lower[] = {1, 1}, upper[] = {2, 3}, stride[] = {3, 1};
  double memory[] = {1, 2, 3, 4, 5, 6};
  struct sidl_double__array *borrowed, *values, *none = NULL;
  struct sidl_string__array *names, *more;
  struct mesh_Field__array *fields;
  struct mesh_Kind__array *kinds, *back;
  struct sidl__array *any;
  mesh_Field field;
  char *s;

  values = mesh_Grid_values(grid, &ex);
  SIDL_CHECK(ex);
  sidlAssert(sidlArrayElem2(values, 2, 1) == 21 && sidl_double__array_isColumnOrder(values));
  sidl_double__array_deleteRef(values);
  borrowed = sidl_double__array_borrow(memory, 2, lower, upper, stride);
  mesh_Grid_keep(grid, borrowed, &ex);
  SIDL_CHECK(ex);
  memory[0] = -1;
  values = mesh_Grid_values(grid, &ex);
  sidlAssert(sidl_double__array_isColumnOrder(values));
  sidlAssert(sidl_double__array_get2(values, 1, 1) == 1 && sidl_double__array_get2(values, 2, 3) == 6);
  mesh_Grid_fill(grid, &values, 9, &ex);
  sidlAssert(sidl_double__array_get2(values, 2, 2) == 9);
  sidl_double__array_deleteRef(values);
  sidl_double__array_deleteRef(borrowed);
  mesh_Grid_fill(grid, &none, 9, &ex);
  sidlAssert(sidl_double__array_length(none, 1) == 2);
  sidl_double__array_deleteRef(none);

  more = sidl_string__array_create1d(2);
  sidl_string__array_set1(more, 0, "a");
  sidl_string__array_set1(more, 1, "");
  names = mesh_Grid_names(grid, more, &ex);
  SIDL_CHECK(ex);
  s = sidl_string__array_get1(names, 0);
  sidlAssert(sidl_String_equals(s, "first") && sidl_string__array_length(names, 0) == 3);
  sidl_String_free(s);
  any = mesh_Grid_any(grid, (struct sidl__array *)names, &ex);
  sidlAssert(any == (struct sidl__array *)names && sidl__array_type(any) == sidl_string_array);
  sidl__array_deleteRef(any);
  sidl_string__array_deleteRef(names);
  sidl_string__array_deleteRef(more);

  fields = mesh_Grid_fields(grid, NULL, &ex);
  SIDL_CHECK(ex);
  field = mesh_Field__array_get1(fields, 0);
  sidlAssert(mesh_Field_isSame(field, (sidl_BaseInterface)grid, &ex));
  sidlAssert(mesh_Field__array_get1(fields, 1) == NULL);
  mesh_Field_deleteRef(field, &ex);
  mesh_Field__array_deleteRef(fields);

  kinds = mesh_Kind__array_create1d(2);
  mesh_Kind__array_set1(kinds, 0, mesh_Kind_fine);
  mesh_Kind__array_set1(kinds, 1, mesh_Kind_coarse);
  back = mesh_Grid_kinds(grid, kinds, &ex);
  sidlAssert(mesh_Kind__array_get1(back, 1) == mesh_Kind_fine);
  mesh_Kind__array_deleteRef(kinds);
  mesh_Kind__array_deleteRef(back);
EXIT:
  sidlAssert(ex == NULL);
}

void test_calls(void) {
  sidl_BaseInterface ex = NULL;
  mesh_Grid grid = mesh_Grid_byName("first", &ex);
  SIDL_CHECK(ex);
  mesh_Grid_resize(grid, 3, 2, &ex);
  SIDL_CHECK(ex);
  sidlAssert(mesh_Grid_count(&ex) >= 1);
  test_objects(grid);
  test_switches(grid);
  test_values(grid);
  test_failures(grid);
  test_array_arguments(grid);
  mesh_Grid_deleteRef(grid, &ex);
EXIT:
  sidlAssert(ex == NULL);
}

int main(void) {
  sidl_BaseInterface ex = NULL;
  test_arrays();
  test_calls();
  test_runtime();
  sidlAssert(mesh_Grid_count(&ex) == 0);
  if (failures == 0) printf("ok\n");
  return failures != 0;
}
