//
// File:          mesh_FineGrid_Impl.cxx
// Symbol:        mesh.FineGrid-v1.0
// Symbol Type:   class
// Babel Version: 2.0.0
// Description:   Server-side implementation for mesh.FineGrid
//
// WARNING: Automatically generated; only changes within splicers preserved
//
#include "mesh_FineGrid_Impl.hxx"

//
// Includes for all method dependencies.
//
#ifndef included_sidl_BaseInterface_hxx
#include "sidl_BaseInterface.hxx"
#endif
#ifndef included_sidl_NotImplementedException_hxx
#include "sidl_NotImplementedException.hxx"
#endif
// DO-NOT-DELETE splicer.begin(mesh.FineGrid._includes)
// DO-NOT-DELETE splicer.end(mesh.FineGrid._includes)

// special constructor, used for data wrapping(required).  Do not put code here unless you really know what you're doing!
mesh::FineGrid_impl::FineGrid_impl() : StubBase(reinterpret_cast< void*>(::mesh::FineGrid::_wrapObj(
  reinterpret_cast< void*>(this))),false) , _wrapped(true){
  // DO-NOT-DELETE splicer.begin(mesh.FineGrid._ctor2)
  // Insert-Code-Here {mesh.FineGrid._ctor2}
  // DO-NOT-DELETE splicer.end(mesh.FineGrid._ctor2)
}

// user defined constructor
void mesh::FineGrid_impl::_ctor() {
  // DO-NOT-DELETE splicer.begin(mesh.FineGrid._ctor)
  // Insert-Code-Here {mesh.FineGrid._ctor}
  // DO-NOT-DELETE splicer.end(mesh.FineGrid._ctor)
}

// user defined destructor
void mesh::FineGrid_impl::_dtor() {
  // DO-NOT-DELETE splicer.begin(mesh.FineGrid._dtor)
  // Insert-Code-Here {mesh.FineGrid._dtor}
  // DO-NOT-DELETE splicer.end(mesh.FineGrid._dtor)
}

// static class initializer
void mesh::FineGrid_impl::_load() {
  // DO-NOT-DELETE splicer.begin(mesh.FineGrid._load)
  // Insert-Code-Here {mesh.FineGrid._load}
  // DO-NOT-DELETE splicer.end(mesh.FineGrid._load)
}

/**
 * Method:  label[]
 */
::std::string
mesh::FineGrid_impl::label_impl (
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.FineGrid.label)
  return "fine(" + super.label() + ")";
  // DO-NOT-DELETE splicer.end(mesh.FineGrid.label)
}

/**
 * Method:  value[]
 */
double
mesh::FineGrid_impl::value_impl (
  /* in */int32_t i
)
throw (
  ::mesh::MeshError,
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.FineGrid.value)
  return super.value(2 * i) / 2;
  // DO-NOT-DELETE splicer.end(mesh.FineGrid.value)
}

// DO-NOT-DELETE splicer.begin(mesh.FineGrid._misc)
// DO-NOT-DELETE splicer.end(mesh.FineGrid._misc)
