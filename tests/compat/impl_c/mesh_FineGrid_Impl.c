/*
 * File:          mesh_FineGrid_Impl.c
 * Symbol:        mesh.FineGrid-v1.0
 * Symbol Type:   class
 * Babel Version: 2.0.0
 * Description:   Server-side implementation for mesh.FineGrid
 *
 * WARNING: Automatically generated; only changes within splicers preserved
 */

/*
 * DEVELOPERS ARE EXPECTED TO PROVIDE IMPLEMENTATIONS
 * FOR THE FOLLOWING METHODS BETWEEN SPLICER PAIRS.
 */

#include "mesh_FineGrid_Impl.h"
#include "sidl_NotImplementedException.h"
#include "sidl_Exception.h"

/* DO-NOT-DELETE splicer.begin(mesh.FineGrid._includes) */
#include "sidl_String.h"
/* DO-NOT-DELETE splicer.end(mesh.FineGrid._includes) */

/*
 * Method:  _load
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_FineGrid__load"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_FineGrid__load(
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.FineGrid._load) */
    /* DO-NOT-DELETE splicer.end(mesh.FineGrid._load) */
  }
}

/*
 * Method:  _ctor
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_FineGrid__ctor"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_FineGrid__ctor(
  /* in */ mesh_FineGrid self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.FineGrid._ctor) */
    (void)self;
    /* DO-NOT-DELETE splicer.end(mesh.FineGrid._ctor) */
  }
}

/*
 * Method:  _ctor2
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_FineGrid__ctor2"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_FineGrid__ctor2(
  /* in */ mesh_FineGrid self,
  /* in */ void* private_data,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.FineGrid._ctor2) */
    mesh_FineGrid__set_data(self, (struct mesh_FineGrid__data*)private_data);
    /* DO-NOT-DELETE splicer.end(mesh.FineGrid._ctor2) */
  }
}

/*
 * Method:  _dtor
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_FineGrid__dtor"

#ifdef __cplusplus
extern "C"
#endif
void
impl_mesh_FineGrid__dtor(
  /* in */ mesh_FineGrid self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.FineGrid._dtor) */
    (void)self;
    /* DO-NOT-DELETE splicer.end(mesh.FineGrid._dtor) */
  }
}

/*
 * Method:  label
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_FineGrid_label"

#ifdef __cplusplus
extern "C"
#endif
char*
impl_mesh_FineGrid_label(
  /* in */ mesh_FineGrid self,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.FineGrid.label) */
    char *base = super_label(self, _ex); SIDL_CHECK(*_ex);
    {
      char *result = sidl_String_concat3("fine(", base, ")");
      sidl_String_free(base);
      return result;
    }
  EXIT:
    return NULL;
    /* DO-NOT-DELETE splicer.end(mesh.FineGrid.label) */
  }
}

/*
 * Method:  value
 */

#undef __FUNC__
#define __FUNC__ "impl_mesh_FineGrid_value"

#ifdef __cplusplus
extern "C"
#endif
double
impl_mesh_FineGrid_value(
  /* in */ mesh_FineGrid self,
  /* in */ int32_t i,
  /* out */ sidl_BaseInterface *_ex)
{
  *_ex = 0;
  {
    /* DO-NOT-DELETE splicer.begin(mesh.FineGrid.value) */
    double v = super_value(self, 2 * i, _ex); SIDL_CHECK(*_ex);
    return v / 2;
  EXIT:
    return 0.0;
    /* DO-NOT-DELETE splicer.end(mesh.FineGrid.value) */
  }
}

/* Babel internal methods, Users should not edit below this line. */
#ifdef WITH_RMI
struct mesh_Grid__object* impl_mesh_FineGrid_fconnect_mesh_Grid(const char* url, sidl_bool ar, sidl_BaseInterface *_ex) {
  return mesh_Grid__connectI(url, ar, _ex);
}
struct mesh_Grid__object* impl_mesh_FineGrid_fcast_mesh_Grid(void* bi, sidl_BaseInterface* _ex) {
  return mesh_Grid__cast(bi, _ex);
}
#endif /*WITH_RMI*/
/* DO-NOT-DELETE splicer.begin(_misc) */
/* DO-NOT-DELETE splicer.end(_misc) */
