/*
 * File:          mesh_MeshError_Impl.c
 * Symbol:        mesh.MeshError-v1.0
 * Symbol Type:   class
 * Babel Version: 2.0.0
 * Description:   Server-side implementation for mesh.MeshError
 *
 * WARNING: Automatically generated; only changes within splicers preserved
 */

/*
 * DEVELOPERS ARE EXPECTED TO PROVIDE IMPLEMENTATIONS
 * FOR THE FOLLOWING METHODS BETWEEN SPLICER PAIRS.
 */

#include "mesh_MeshError_Impl.h"
#include "sidl_NotImplementedException.h"
#include "sidl_Exception.h"

/* DO-NOT-DELETE splicer.begin(mesh.MeshError._includes) */
#include <stdlib.h>
/* DO-NOT-DELETE splicer.end(mesh.MeshError._includes) */

/*
 * Method:  _load
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_MeshError__load"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_MeshError__load(
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.MeshError._load) */
    /* nothing */
    /* DO-NOT-DELETE splicer.end(mesh.MeshError._load) */
  }
}

/*
 * Method:  _ctor
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_MeshError__ctor"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_MeshError__ctor(
  /* in */ mesh_MeshError self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.MeshError._ctor) */
    struct mesh_MeshError__data *data =
      (struct mesh_MeshError__data *) malloc(sizeof(struct mesh_MeshError__data));
    if (data) {
      data->d_code = 0;
    }
    mesh_MeshError__set_data(self, data);
    /* DO-NOT-DELETE splicer.end(mesh.MeshError._ctor) */
  }
}

/*
 * Method:  _ctor2
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_MeshError__ctor2"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_MeshError__ctor2(
  /* in */ mesh_MeshError self,
  /* in */ void* private_data,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.MeshError._ctor2) */
    /* nothing */
    /* DO-NOT-DELETE splicer.end(mesh.MeshError._ctor2) */
  }
}

/*
 * Method:  _dtor
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_MeshError__dtor"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_MeshError__dtor(
  /* in */ mesh_MeshError self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.MeshError._dtor) */
    struct mesh_MeshError__data *data = mesh_MeshError__get_data(self);
    if (data) {
      free((void*)data);
      mesh_MeshError__set_data(self, NULL);
    }
    /* DO-NOT-DELETE splicer.end(mesh.MeshError._dtor) */
  }
}

/*
 * Method:  setCode
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_MeshError_setCode"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_MeshError_setCode(
  /* in */ mesh_MeshError self,
  /* in */ int32_t code,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.MeshError.setCode) */
    mesh_MeshError__get_data(self)->d_code = code;
    /* DO-NOT-DELETE splicer.end(mesh.MeshError.setCode) */
  }
}

/*
 * Method:  getCode
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_MeshError_getCode"

#ifdef __cplusplus
extern "C"
#endif
int32_t
impl_mesh_MeshError_getCode(
  /* in */ mesh_MeshError self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.MeshError.getCode) */
    return mesh_MeshError__get_data(self)->d_code;
    /* DO-NOT-DELETE splicer.end(mesh.MeshError.getCode) */
  }
}

/* Babel internal methods, Users should not edit below this line. */
#ifdef WITH_RMI
struct sidl_BaseInterface__object* impl_mesh_MeshError_fconnect_sidl_BaseInterface(const char* url, sidl_bool ar, sidl_BaseInterface *_ex) {
  return sidl_BaseInterface__connectI(url, ar, _ex);
}
struct sidl_BaseInterface__object* impl_mesh_MeshError_fcast_sidl_BaseInterface(void* bi, sidl_BaseInterface* _ex) {
  return sidl_BaseInterface__cast(bi, _ex);
}
#endif /*WITH_RMI*/
/* DO-NOT-DELETE splicer.begin(_misc) */
/* DO-NOT-DELETE splicer.end(_misc) */
