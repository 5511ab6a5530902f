/*
 * File:          mesh_FineGrid_Impl.h
 * Symbol:        mesh.FineGrid-v1.0
 * Symbol Type:   class
 * Babel Version: 2.0.0
 * Description:   Server-side implementation for mesh.FineGrid
 *
 * WARNING: Automatically generated; only changes within splicers preserved
 */

#ifndef included_mesh_FineGrid_Impl_h
#define included_mesh_FineGrid_Impl_h

#ifndef included_sidl_header_h
#include "sidl_header.h"
#endif
#ifndef included_mesh_FineGrid_h
#include "mesh_FineGrid.h"
#endif
#ifndef included_mesh_Grid_h
#include "mesh_Grid.h"
#endif
#ifndef included_mesh_MeshError_h
#include "mesh_MeshError.h"
#endif
#ifndef included_mesh_FineGrid_h
#include "mesh_FineGrid.h"
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
/* DO-NOT-DELETE splicer.begin(mesh.FineGrid._hincludes) */
/* DO-NOT-DELETE splicer.end(mesh.FineGrid._hincludes) */

/*
 * Private data for class mesh.FineGrid
 */

struct mesh_FineGrid__data {
  /* DO-NOT-DELETE splicer.begin(mesh.FineGrid._data) */
    int ignore;
  /* DO-NOT-DELETE splicer.end(mesh.FineGrid._data) */
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Access functions for class private data and built-in methods
 */

extern struct mesh_FineGrid__data*
mesh_FineGrid__get_data(
  mesh_FineGrid);

extern void
mesh_FineGrid__set_data(
  mesh_FineGrid,
  struct mesh_FineGrid__data*);

extern
void
impl_mesh_FineGrid__load(
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_FineGrid__ctor(
  /* in */ mesh_FineGrid self,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_FineGrid__ctor2(
  /* in */ mesh_FineGrid self,
  /* in */ void* private_data,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_FineGrid__dtor(
  /* in */ mesh_FineGrid self,
  /* out */ sidl_BaseInterface *_ex);

extern
char*
impl_mesh_FineGrid_label(
  /* in */ mesh_FineGrid self,
  /* out */ sidl_BaseInterface *_ex);

extern
double
impl_mesh_FineGrid_value(
  /* in */ mesh_FineGrid self,
  /* in */ int32_t i,
  /* out */ sidl_BaseInterface *_ex);

#ifdef WITH_RMI
extern struct mesh_Grid__object* impl_mesh_FineGrid_fconnect_mesh_Grid(const char* url, sidl_bool ar, sidl_BaseInterface *_ex);
extern struct mesh_Grid__object* impl_mesh_FineGrid_fcast_mesh_Grid(void* bi, sidl_BaseInterface* _ex);
#endif /*WITH_RMI*/

/* DO-NOT-DELETE splicer.begin(_hmisc) */
/* DO-NOT-DELETE splicer.end(_hmisc) */

#ifdef __cplusplus
}
#endif
#endif
