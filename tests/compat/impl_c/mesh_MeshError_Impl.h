/*
 * File:          mesh_MeshError_Impl.h
 * Symbol:        mesh.MeshError-v1.0
 * Symbol Type:   class
 * Babel Version: 2.0.0
 * Description:   Server-side implementation for mesh.MeshError
 *
 * WARNING: Automatically generated; only changes within splicers preserved
 */

#ifndef included_mesh_MeshError_Impl_h
#define included_mesh_MeshError_Impl_h

#ifndef included_sidl_header_h
#include "sidl_header.h"
#endif
#ifndef included_mesh_MeshError_h
#include "mesh_MeshError.h"
#endif
#ifndef included_mesh_MeshError_h
#include "mesh_MeshError.h"
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
/* DO-NOT-DELETE splicer.begin(mesh.MeshError._hincludes) */
/* DO-NOT-DELETE splicer.end(mesh.MeshError._hincludes) */

/*
 * Private data for class mesh.MeshError
 */

struct mesh_MeshError__data {
  /* DO-NOT-DELETE splicer.begin(mesh.MeshError._data) */
    int32_t d_code;
  /* DO-NOT-DELETE splicer.end(mesh.MeshError._data) */
};

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Access functions for class private data and built-in methods
 */

extern struct mesh_MeshError__data*
mesh_MeshError__get_data(
  mesh_MeshError);

extern void
mesh_MeshError__set_data(
  mesh_MeshError,
  struct mesh_MeshError__data*);

extern
void
impl_mesh_MeshError__load(
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_MeshError__ctor(
  /* in */ mesh_MeshError self,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_MeshError__ctor2(
  /* in */ mesh_MeshError self,
  /* in */ void* private_data,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_MeshError__dtor(
  /* in */ mesh_MeshError self,
  /* out */ sidl_BaseInterface *_ex);

extern
void
impl_mesh_MeshError_setCode(
  /* in */ mesh_MeshError self,
  /* in */ int32_t code,
  /* out */ sidl_BaseInterface *_ex);

extern
int32_t
impl_mesh_MeshError_getCode(
  /* in */ mesh_MeshError self,
  /* out */ sidl_BaseInterface *_ex);

#ifdef WITH_RMI
extern struct sidl_BaseInterface__object* impl_mesh_MeshError_fconnect_sidl_BaseInterface(const char* url, sidl_bool ar, sidl_BaseInterface *_ex);
extern struct sidl_BaseInterface__object* impl_mesh_MeshError_fcast_sidl_BaseInterface(void* bi, sidl_BaseInterface* _ex);
#endif /*WITH_RMI*/

/* DO-NOT-DELETE splicer.begin(_hmisc) */
/* DO-NOT-DELETE splicer.end(_hmisc) */

#ifdef __cplusplus
}
#endif
#endif
