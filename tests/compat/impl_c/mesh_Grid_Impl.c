/*
 * File:          mesh_Grid_Impl.c
 * Symbol:        mesh.Grid-v1.0
 * Symbol Type:   class
 * Babel Version: 2.0.0
 * Description:   Server-side implementation for mesh.Grid
 *
 * WARNING: Automatically generated; only changes within splicers preserved
 */

/*
 * DEVELOPERS ARE EXPECTED TO PROVIDE IMPLEMENTATIONS
 * FOR THE FOLLOWING METHODS BETWEEN SPLICER PAIRS.
 */

#include "mesh_Grid_Impl.h"
#include "sidl_NotImplementedException.h"
#include "sidl_Exception.h"

/* DO-NOT-DELETE splicer.begin(mesh.Grid._includes) */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "mesh_DeepError.h"
#include "sidl_BaseException.h"
#include "sidl_MemAllocException.h"
#include "sidl_String.h"

#ifdef SIDL_USE_UCXX
#error this is C
#endif

static int32_t s_count = 0;

#define CHECK_NAME(NAME) \
  if (!(NAME) || !*(NAME)) SIDL_THROW(*_ex, mesh_MeshError, "a grid needs a name")
/* DO-NOT-DELETE splicer.end(mesh.Grid._includes) */

/*
 * Method:  _load
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid__load"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid__load(
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid._load) */
    s_count = 0;
    /* DO-NOT-DELETE splicer.end(mesh.Grid._load) */
  }
}

/*
 * Method:  _ctor
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid__ctor"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid__ctor(
  /* in */ mesh_Grid self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid._ctor) */
    struct mesh_Grid__data *dptr;
    dptr = (struct mesh_Grid__data*)
      sidl_malloc(sizeof(struct mesh_Grid__data), "Out of memory in mesh.Grid",
                  __FILE__, __LINE__, __FUNC__, _ex);
    SIDL_CHECK(*_ex);
    memset(dptr, 0, sizeof(struct mesh_Grid__data));
    mesh_Grid__set_data(self, dptr);
    ++s_count;
  EXIT:
    return;
    /* DO-NOT-DELETE splicer.end(mesh.Grid._ctor) */
  }
}

/*
 * Method:  _ctor2
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid__ctor2"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid__ctor2(
  /* in */ mesh_Grid self,
  /* in */ void* private_data,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid._ctor2) */
    mesh_Grid__set_data(self, (struct mesh_Grid__data*)private_data);
    ++s_count;
    /* DO-NOT-DELETE splicer.end(mesh.Grid._ctor2) */
  }
}

/*
 * Method:  _dtor
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid__dtor"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid__dtor(
  /* in */ mesh_Grid self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid._dtor) */
    struct mesh_Grid__data *dptr = mesh_Grid__get_data(self);
    if (dptr) {
      if (dptr->d_values) sidl_double__array_deleteRef(dptr->d_values);
      sidl_String_free(dptr->d_name);
      free(dptr);
      mesh_Grid__set_data(self, NULL);
    }
    --s_count;
    /* DO-NOT-DELETE splicer.end(mesh.Grid._dtor) */
  }
}

/*
 * Method:  byName
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_byName"

#ifdef __cplusplus
extern "C"
#endif
mesh_Grid
impl_mesh_Grid_byName(
  /* in */ const char* name,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.byName) */
    mesh_Grid result = NULL;
    CHECK_NAME(name);
    result = mesh_Grid__create(_ex); SIDL_CHECK(*_ex);
    mesh_Grid__get_data(result)->d_name = sidl_String_strdup(name);
    return result;
  EXIT:
    return NULL;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.byName) */
  }
}

/*
 * Method:  count
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_count"

#ifdef __cplusplus
extern "C"
#endif
int32_t
impl_mesh_Grid_count(
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.count) */
    return s_count;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.count) */
  }
}

/*
 * Method:  resize
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_resize"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid_resize(
  /* in */ mesh_Grid self,
  /* in */ int32_t m,
  /* in */ int32_t n,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.resize) */
    struct mesh_Grid__data *dptr = mesh_Grid__get_data(self);
    int32_t i, j;
    if (m < 0 || n < 0 || m > MESH_GRID_MAX) {
      mesh_MeshError ex = mesh_MeshError__create(_ex); SIDL_CHECK(*_ex);
      mesh_MeshError_setNote(ex, "negative size", _ex); SIDL_CHECK(*_ex);
      mesh_MeshError_setCode(ex, m, _ex); SIDL_CHECK(*_ex);
      mesh_MeshError_add(ex, __FILE__, __LINE__, __FUNC__, _ex); SIDL_CHECK(*_ex);
      *_ex = sidl_BaseInterface__cast(ex, _ex);
      {
        sidl_BaseInterface throwaway = NULL;
        mesh_MeshError_deleteRef(ex, &throwaway);
      }
      return;
    }
    if (dptr->d_values) {
      sidl_double__array_deleteRef(dptr->d_values);
    }
    dptr->d_m = m;
    dptr->d_n = n;
    dptr->d_values = sidl_double__array_create2dCol(m, n);
    for (j = 0; j < n; ++j) {
      for (i = 0; i < m; ++i) {
        sidlArrayElem2(dptr->d_values, i, j) = 10.0 * i + j;
      }
    }
  EXIT:;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.resize) */
  }
}

/*
 * Method:  values
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_values"

#ifdef __cplusplus
extern "C"
#endif
struct sidl_double__array*
impl_mesh_Grid_values(
  /* in */ mesh_Grid self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.values) */
    struct mesh_Grid__data *dptr = mesh_Grid__get_data(self);
    if (dptr->d_values) sidl_double__array_addRef(dptr->d_values);
    return dptr->d_values;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.values) */
  }
}

/*
 * Method:  keep
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_keep"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid_keep(
  /* in */ mesh_Grid self,
  /* in array<double,2> */ struct sidl_double__array* a,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.keep) */
    struct mesh_Grid__data *dptr = mesh_Grid__get_data(self);
    if (dptr->d_values) sidl_double__array_deleteRef(dptr->d_values);
    dptr->d_values = sidl_double__array_smartCopy(a);
    dptr->d_m = sidl_double__array_length(a, 0);
    dptr->d_n = sidl_double__array_length(a, 1);
    /* DO-NOT-DELETE splicer.end(mesh.Grid.keep) */
  }
}

/*
 * Method:  fill
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_fill"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid_fill(
  /* in */ mesh_Grid self,
  /* inout array<double,2,column-major> */ struct sidl_double__array** a,
  /* in */ double v,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.fill) */
    int32_t i, j;
    if (!*a) *a = sidl_double__array_create2dCol(2, 2);
    for (i = sidlLower(*a, 0); i <= sidlUpper(*a, 0); ++i)
      for (j = sidlLower(*a, 1); j <= sidlUpper(*a, 1); ++j)
        sidl_double__array_set2(*a, i, j, v);
    /* DO-NOT-DELETE splicer.end(mesh.Grid.fill) */
  }
}

/*
 * Method:  names
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_names"

#ifdef __cplusplus
extern "C"
#endif
struct sidl_string__array*
impl_mesh_Grid_names(
  /* in */ mesh_Grid self,
  /* in array<string> */ struct sidl_string__array* more,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.names) */
    const int32_t len = sidl_string__array_length(more, 0);
    const int32_t low = sidl_string__array_lower(more, 0);
    int32_t i;
    struct sidl_string__array *result = sidl_string__array_create1d(len + 1);
    sidl_string__array_set1(result, 0, mesh_Grid__get_data(self)->d_name);
    for (i = 0; i < len; ++i) {
      char *s = sidl_string__array_get1(more, low + i);
      sidl_string__array_set1(result, i + 1, s);
      sidl_String_free(s);
    }
    return result;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.names) */
  }
}

/*
 * Method:  any
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_any"

#ifdef __cplusplus
extern "C"
#endif
struct sidl__array*
impl_mesh_Grid_any(
  /* in */ mesh_Grid self,
  /* in array<> */ struct sidl__array* a,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.any) */
    return sidl__array_smartCopy(a);
    /* DO-NOT-DELETE splicer.end(mesh.Grid.any) */
  }
}

/*
 * Method:  fields
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_fields"

#ifdef __cplusplus
extern "C"
#endif
struct mesh_Field__array*
impl_mesh_Grid_fields(
  /* in */ mesh_Grid self,
  /* in */ mesh_Field extra,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.fields) */
    struct mesh_Field__array *result = mesh_Field__array_create1d(2);
    mesh_Field me = mesh_Field__cast(self, _ex); SIDL_CHECK(*_ex);
    mesh_Field__array_set1(result, 0, me);
    mesh_Field__array_set1(result, 1, extra);
    mesh_Field_deleteRef(me, _ex); SIDL_CHECK(*_ex);
    return result;
  EXIT:
    mesh_Field__array_deleteRef(result);
    return NULL;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.fields) */
  }
}

/*
 * Method:  kinds
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_kinds"

#ifdef __cplusplus
extern "C"
#endif
struct mesh_Kind__array*
impl_mesh_Grid_kinds(
  /* in */ mesh_Grid self,
  /* in array<mesh.Kind> */ struct mesh_Kind__array* k,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.kinds) */
    int32_t i, len = mesh_Kind__array_length(k, 0);
    struct mesh_Kind__array *result = mesh_Kind__array_create1d(len);
    for (i = 0; i < len; ++i) {
      mesh_Kind__array_set1(result, len - 1 - i, mesh_Kind__array_get1(k, i));
    }
    return result;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.kinds) */
  }
}

/*
 * Method:  next
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_next"

#ifdef __cplusplus
extern "C"
#endif
enum mesh_Kind__enum
impl_mesh_Grid_next(
  /* in */ mesh_Grid self,
  /* in */ enum mesh_Kind__enum k,
  /* inout */ enum mesh_Kind__enum* io,
  /* out */ enum mesh_Kind__enum* o,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.next) */
    *o = *io;
    *io = k;
    return k == mesh_Kind_fine ? mesh_Kind_coarse : mesh_Kind_fine;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.next) */
  }
}

/*
 * Method:  describe
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_describe"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid_describe(
  /* in */ mesh_Grid self,
  /* out */ char** text,
  /* inout */ char** more,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.describe) */
    char buffer[80];
    struct mesh_Grid__data *dptr = mesh_Grid__get_data(self);
    char *old = *more;
    sprintf(buffer, "%d by %d", (int)dptr->d_m, (int)dptr->d_n);
    *text = sidl_String_strdup(buffer);
    *more = sidl_String_concat2(old, "!");
    sidl_String_free(old);
    /* DO-NOT-DELETE splicer.end(mesh.Grid.describe) */
  }
}

/*
 * Method:  cell
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_cell"

#ifdef __cplusplus
extern "C"
#endif
struct mesh_Cell__data
impl_mesh_Grid_cell(
  /* in */ mesh_Grid self,
  /* in */ const struct mesh_Cell__data* c,
  /* inout */ struct mesh_Cell__data* io,
  /* out */ struct mesh_Cell__data* o,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.cell) */
    struct mesh_Cell__data result;
    mesh_Cell__init(&result);
    mesh_Cell__copy(c, &result, _ex); SIDL_CHECK(*_ex);
    mesh_Cell__copy(io, o, _ex); SIDL_CHECK(*_ex);
    ++io->id;
    sidl_String_free(io->name);
    io->name = sidl_String_strdup("changed");
    io->on = !io->on;
    io->corner[2] += 1;
    RarrayElem2(io->modes, 0, 1, 2).imaginary = 7;
  EXIT:
    return result;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.cell) */
  }
}

/*
 * Method:  dot
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_dot"

#ifdef __cplusplus
extern "C"
#endif
double
impl_mesh_Grid_dot(
  /* in */ mesh_Grid self,
  /* in rarray[n] */ double* x,
  /* in rarray[n] */ double* y,
  /* in */ int32_t n,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.dot) */
    double sum = 0;
    int i;
    for (i = 0; i < n; ++i) sum += RarrayElem1(x, i) * y[i];
    return sum;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.dot) */
  }
}

/*
 * Method:  scale
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_scale"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid_scale(
  /* in */ mesh_Grid self,
  /* inout rarray[m,n] */ double* a,
  /* in */ int32_t m,
  /* in */ int32_t n,
  /* in */ double f,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.scale) */
    int i, j;
    for (j = 0; j < n; ++j)
      for (i = 0; i < m; ++i)
        RarrayElem2(a, i, j, m) *= f;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.scale) */
  }
}

/*
 * Method:  add
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_add"

#ifdef __cplusplus
extern "C"
#endif
int64_t
impl_mesh_Grid_add(
  /* in */ mesh_Grid self,
  /* in */ int32_t i,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.add) */
    return (int64_t)i + mesh_Grid__get_data(self)->d_m;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.add) */
  }
}

/*
 * Method:  addText
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_addText"

#ifdef __cplusplus
extern "C"
#endif
int64_t
impl_mesh_Grid_addText(
  /* in */ mesh_Grid self,
  /* in */ const char* s,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.addText) */
    return sidl_String_strlen(s);
    /* DO-NOT-DELETE splicer.end(mesh.Grid.addText) */
  }
}

/*
 * Method:  flip
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_flip"

#ifdef __cplusplus
extern "C"
#endif
sidl_bool
impl_mesh_Grid_flip(
  /* in */ mesh_Grid self,
  /* in */ sidl_bool b,
  /* inout */ sidl_bool* io,
  /* out */ sidl_bool* o,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.flip) */
    *o = *io;
    *io = b ? FALSE : TRUE;
    return !b;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.flip) */
  }
}

/*
 * Method:  letter
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_letter"

#ifdef __cplusplus
extern "C"
#endif
char
impl_mesh_Grid_letter(
  /* in */ mesh_Grid self,
  /* in */ char c,
  /* inout */ char* io,
  /* out */ char* o,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.letter) */
    *o = *io;
    *io = c;
    return (char)(c + 1);
    /* DO-NOT-DELETE splicer.end(mesh.Grid.letter) */
  }
}

/*
 * Method:  mul
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_mul"

#ifdef __cplusplus
extern "C"
#endif
struct sidl_dcomplex
impl_mesh_Grid_mul(
  /* in */ mesh_Grid self,
  /* in */ struct sidl_fcomplex a,
  /* in */ struct sidl_dcomplex b,
  /* out */ struct sidl_fcomplex* o,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.mul) */
    struct sidl_dcomplex r;
    r.real = a.real * b.real - a.imaginary * b.imaginary;
    r.imaginary = a.real * b.imaginary + a.imaginary * b.real;
    o->real = a.imaginary;
    o->imaginary = a.real;
    return r;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.mul) */
  }
}

/*
 * Method:  through
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_through"

#ifdef __cplusplus
extern "C"
#endif
void*
impl_mesh_Grid_through(
  /* in */ mesh_Grid self,
  /* in */ void* p,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.through) */
    return p;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.through) */
  }
}

/*
 * Method:  fail
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_fail"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid_fail(
  /* in */ mesh_Grid self,
  /* in */ int32_t how,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.fail) */
    if (how == 1) SIDL_THROW(*_ex, mesh_MeshError, "as declared");
    if (how == 2) SIDL_THROW(*_ex, mesh_DeepError, "derived");
    if (how == 3) SIDL_THROW(*_ex, sidl_MemAllocException, "not declared");
    if (how == 4) { mesh_Grid_resize(self, -7, 0, _ex); SIDL_CHECK(*_ex); }
  EXIT:;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.fail) */
  }
}

/*
 * Method:  clone
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_clone"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_Grid_clone(
  /* in */ mesh_Grid self,
  /* in */ mesh_Field f,
  /* inout */ mesh_Grid* g,
  /* out */ sidl_BaseInterface* o,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.clone) */
    mesh_Grid fresh = mesh_Grid__create(_ex); SIDL_CHECK(*_ex);
    if (*g) { mesh_Grid_deleteRef(*g, _ex); SIDL_CHECK(*_ex); }
    *g = fresh;
    *o = (sidl_BaseInterface) f;
    if (f) { mesh_Field_addRef(f, _ex); SIDL_CHECK(*_ex); }
  EXIT:;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.clone) */
  }
}

/*
 * Method:  value
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_value"

#ifdef __cplusplus
extern "C"
#endif
double
impl_mesh_Grid_value(
  /* in */ mesh_Grid self,
  /* in */ int32_t i,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.value) */
    struct mesh_Grid__data *dptr = mesh_Grid__get_data(self);
    if (i < 0 || i >= dptr->d_m) SIDL_THROW(*_ex, mesh_MeshError, "no such value");
    return sidlArrayElem2(dptr->d_values, i, 0);
  EXIT:
    return 0;
    /* DO-NOT-DELETE splicer.end(mesh.Grid.value) */
  }
}

/*
 * Method:  label
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_Grid_label"

#ifdef __cplusplus
extern "C"
#endif
char*
impl_mesh_Grid_label(
  /* in */ mesh_Grid self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.Grid.label) */
    struct mesh_Grid__data *dptr = mesh_Grid__get_data(self);
    return sidl_String_strdup(dptr->d_name ? dptr->d_name : "nameless");
    /* DO-NOT-DELETE splicer.end(mesh.Grid.label) */
  }
}

/* Babel internal methods, Users should not edit below this line. */
#ifdef WITH_RMI
struct mesh_Field__object* impl_mesh_Grid_fconnect_mesh_Field(const char* url, sidl_bool ar, sidl_BaseInterface *_ex) {
  return mesh_Field__connectI(url, ar, _ex);
}
struct mesh_Field__object* impl_mesh_Grid_fcast_mesh_Field(void* bi, sidl_BaseInterface* _ex) {
  return mesh_Field__cast(bi, _ex);
}
#endif /*WITH_RMI*/
/* DO-NOT-DELETE splicer.begin(_misc) */
/* here is nothing */
/* DO-NOT-DELETE splicer.end(_misc) */
