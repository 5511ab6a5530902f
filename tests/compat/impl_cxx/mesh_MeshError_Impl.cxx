//
// File:          mesh_MeshError_Impl.cxx
// Symbol:        mesh.MeshError-v1.0
// Symbol Type:   class
// Babel Version: 2.0.0
// Description:   Server-side implementation for mesh.MeshError
//
// WARNING: Automatically generated; only changes within splicers preserved
//
#include "mesh_MeshError_Impl.hxx"

//
// Includes for all method dependencies.
//
#ifndef included_sidl_BaseInterface_hxx
#include "sidl_BaseInterface.hxx"
#endif
#ifndef included_sidl_NotImplementedException_hxx
#include "sidl_NotImplementedException.hxx"
#endif
// DO-NOT-DELETE splicer.begin(mesh.MeshError._includes)
// DO-NOT-DELETE splicer.end(mesh.MeshError._includes)

// special constructor, used for data wrapping(required).  Do not put code here unless you really know what you're doing!
mesh::MeshError_impl::MeshError_impl() : StubBase(reinterpret_cast< void*>(::mesh::MeshError::_wrapObj(
  reinterpret_cast< void*>(this))),false) , _wrapped(true){
  // DO-NOT-DELETE splicer.begin(mesh.MeshError._ctor2)
  // Insert-Code-Here {mesh.MeshError._ctor2}
  // DO-NOT-DELETE splicer.end(mesh.MeshError._ctor2)
}

// user defined constructor
void mesh::MeshError_impl::_ctor() {
  // DO-NOT-DELETE splicer.begin(mesh.MeshError._ctor)
  d_code = 0;
  // DO-NOT-DELETE splicer.end(mesh.MeshError._ctor)
}

// user defined destructor
void mesh::MeshError_impl::_dtor() {
  // DO-NOT-DELETE splicer.begin(mesh.MeshError._dtor)
  // Insert-Code-Here {mesh.MeshError._dtor}
  // DO-NOT-DELETE splicer.end(mesh.MeshError._dtor)
}

// static class initializer
void mesh::MeshError_impl::_load() {
  // DO-NOT-DELETE splicer.begin(mesh.MeshError._load)
  // Insert-Code-Here {mesh.MeshError._load}
  // DO-NOT-DELETE splicer.end(mesh.MeshError._load)
}

/**
 * Method:  setCode[]
 */
void
mesh::MeshError_impl::setCode_impl (
  /* in */int32_t code
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.MeshError.setCode)
  d_code = code;
  // DO-NOT-DELETE splicer.end(mesh.MeshError.setCode)
}

/**
 * Method:  getCode[]
 */
int32_t
mesh::MeshError_impl::getCode_impl (
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.MeshError.getCode)
  return d_code;
  // DO-NOT-DELETE splicer.end(mesh.MeshError.getCode)
}

// DO-NOT-DELETE splicer.begin(mesh.MeshError._misc)
// DO-NOT-DELETE splicer.end(mesh.MeshError._misc)
