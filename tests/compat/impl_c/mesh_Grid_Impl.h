/*
 * File:          mesh_Grid_Impl.h
 * Symbol:        mesh.Grid-v1.0
 * Symbol Type:   class
 * Babel Version: 2.0.0
 * Description:   Server-side implementation for mesh.Grid
 *
 * WARNING: Automatically generated; only changes within splicers preserved
 */

#ifndef included_mesh_Grid_Impl_h
#define included_mesh_Grid_Impl_h

#ifndef included_sidl_header_h
#include "sidl_header.h"
#endif
#ifndef included_mesh_Grid_h
#include "mesh_Grid.h"
#endif
#ifndef included_mesh_Cell_h
#include "mesh_Cell.h"
#endif
#ifndef included_mesh_Field_h
#include "mesh_Field.h"
#endif
#ifndef included_mesh_Kind_h
#include "mesh_Kind.h"
#endif
#ifndef included_mesh_MeshError_h
#include "mesh_MeshError.h"
#endif
#ifndef included_mesh_Grid_h
#include "mesh_Grid.h"
#endif
#ifndef included_sidl_BaseClass_h
#include "sidl_BaseClass.h"
#endif
#ifndef included_sidl_BaseInterface_h
#include "sidl_BaseInterface.h"
#endif
#ifndef included_sidl_ClassInfo_h
#include "sidl_ClassInfo.h"
#endif
#ifndef included_sidl_RuntimeException_h
#include "sidl_RuntimeException.h"
#endif
/* DO-NOT-DELETE splicer.begin(mesh.Grid._hincludes) */
/* DO-NOT-DELETE splicer.end(mesh.Grid._hincludes) */

/*
 * Private data for class mesh.Grid
 */

struct mesh_Grid__data {
  /* DO-NOT-DELETE splicer.begin(mesh.Grid._data) */
    int32_t d_m, d_n;
    struct sidl_double__array *d_values;
    char *d_name;
  /* DO-NOT-DELETE splicer.end(mesh.Grid._data) */
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Access functions for class private data and built-in methods
 */

extern struct mesh_Grid__data*
mesh_Grid__get_data(
  mesh_Grid);

extern void
mesh_Grid__set_data(
  mesh_Grid,
  struct mesh_Grid__data*);

extern
void
impl_mesh_Grid__load(
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid__ctor(
  /* in */ mesh_Grid self,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid__ctor2(
  /* in */ mesh_Grid self,
  /* in */ void* private_data,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid__dtor(
  /* in */ mesh_Grid self,
  /* out */ sidl_BaseInterface *_ex);

extern
mesh_Grid
impl_mesh_Grid_byName(
  /* in */ const char* name,
  /* out */ sidl_BaseInterface *_ex);

extern
int32_t
impl_mesh_Grid_count(
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid_resize(
  /* in */ mesh_Grid self,
  /* in */ int32_t m,
  /* in */ int32_t n,
  /* out */ sidl_BaseInterface *_ex);

extern
struct sidl_double__array*
impl_mesh_Grid_values(
  /* in */ mesh_Grid self,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid_keep(
  /* in */ mesh_Grid self,
  /* in array<double,2> */ struct sidl_double__array* a,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid_fill(
  /* in */ mesh_Grid self,
  /* inout array<double,2,column-major> */ struct sidl_double__array** a,
  /* in */ double v,
  /* out */ sidl_BaseInterface *_ex);

extern
struct sidl_string__array*
impl_mesh_Grid_names(
  /* in */ mesh_Grid self,
  /* in array<string> */ struct sidl_string__array* more,
  /* out */ sidl_BaseInterface *_ex);

extern
struct sidl__array*
impl_mesh_Grid_any(
  /* in */ mesh_Grid self,
  /* in array<> */ struct sidl__array* a,
  /* out */ sidl_BaseInterface *_ex);

extern
struct mesh_Field__array*
impl_mesh_Grid_fields(
  /* in */ mesh_Grid self,
  /* in */ mesh_Field extra,
  /* out */ sidl_BaseInterface *_ex);

extern
struct mesh_Kind__array*
impl_mesh_Grid_kinds(
  /* in */ mesh_Grid self,
  /* in array<mesh.Kind> */ struct mesh_Kind__array* k,
  /* out */ sidl_BaseInterface *_ex);

extern
enum mesh_Kind__enum
impl_mesh_Grid_next(
  /* in */ mesh_Grid self,
  /* in */ enum mesh_Kind__enum k,
  /* inout */ enum mesh_Kind__enum* io,
  /* out */ enum mesh_Kind__enum* o,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid_describe(
  /* in */ mesh_Grid self,
  /* out */ char** text,
  /* inout */ char** more,
  /* out */ sidl_BaseInterface *_ex);

extern
struct mesh_Cell__data
impl_mesh_Grid_cell(
  /* in */ mesh_Grid self,
  /* in */ const struct mesh_Cell__data* c,
  /* inout */ struct mesh_Cell__data* io,
  /* out */ struct mesh_Cell__data* o,
  /* out */ sidl_BaseInterface *_ex);

extern
double
impl_mesh_Grid_dot(
  /* in */ mesh_Grid self,
  /* in rarray[n] */ double* x,
  /* in rarray[n] */ double* y,
  /* in */ int32_t n,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid_scale(
  /* in */ mesh_Grid self,
  /* inout rarray[m,n] */ double* a,
  /* in */ int32_t m,
  /* in */ int32_t n,
  /* in */ double f,
  /* out */ sidl_BaseInterface *_ex);

extern
int64_t
impl_mesh_Grid_add(
  /* in */ mesh_Grid self,
  /* in */ int32_t i,
  /* out */ sidl_BaseInterface *_ex);

extern
int64_t
impl_mesh_Grid_addText(
  /* in */ mesh_Grid self,
  /* in */ const char* s,
  /* out */ sidl_BaseInterface *_ex);

extern
sidl_bool
impl_mesh_Grid_flip(
  /* in */ mesh_Grid self,
  /* in */ sidl_bool b,
  /* inout */ sidl_bool* io,
  /* out */ sidl_bool* o,
  /* out */ sidl_BaseInterface *_ex);

extern
char
impl_mesh_Grid_letter(
  /* in */ mesh_Grid self,
  /* in */ char c,
  /* inout */ char* io,
  /* out */ char* o,
  /* out */ sidl_BaseInterface *_ex);

extern
struct sidl_dcomplex
impl_mesh_Grid_mul(
  /* in */ mesh_Grid self,
  /* in */ struct sidl_fcomplex a,
  /* in */ struct sidl_dcomplex b,
  /* out */ struct sidl_fcomplex* o,
  /* out */ sidl_BaseInterface *_ex);

extern
void*
impl_mesh_Grid_through(
  /* in */ mesh_Grid self,
  /* in */ void* p,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid_fail(
  /* in */ mesh_Grid self,
  /* in */ int32_t how,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_Grid_clone(
  /* in */ mesh_Grid self,
  /* in */ mesh_Field f,
  /* inout */ mesh_Grid* g,
  /* out */ sidl_BaseInterface* o,
  /* out */ sidl_BaseInterface *_ex);

extern
double
impl_mesh_Grid_value(
  /* in */ mesh_Grid self,
  /* in */ int32_t i,
  /* out */ sidl_BaseInterface *_ex);

extern
char*
impl_mesh_Grid_label(
  /* in */ mesh_Grid self,
  /* out */ sidl_BaseInterface *_ex);

#ifdef WITH_RMI
extern struct mesh_Field__object* impl_mesh_Grid_fconnect_mesh_Field(const char* url, sidl_bool ar, sidl_BaseInterface *_ex);
extern struct mesh_Field__object* impl_mesh_Grid_fcast_mesh_Field(void* bi, sidl_BaseInterface* _ex);
#endif /*WITH_RMI*/

/* DO-NOT-DELETE splicer.begin(_hmisc) */
#define MESH_GRID_MAX 1000
/* DO-NOT-DELETE splicer.end(_hmisc) */

#ifdef __cplusplus
}
#endif
#endif
