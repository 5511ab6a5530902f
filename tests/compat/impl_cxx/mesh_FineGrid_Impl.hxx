//
// File:          mesh_FineGrid_Impl.hxx
// Symbol:        mesh.FineGrid-v1.0
// Symbol Type:   class
// Babel Version: 2.0.0
// Description:   Server-side implementation for mesh.FineGrid
//
// WARNING: Automatically generated; only changes within splicers preserved
//

#ifndef included_mesh_FineGrid_Impl_hxx
#define included_mesh_FineGrid_Impl_hxx

#ifndef included_sidl_cxx_hxx
#include "sidl_cxx.hxx"
#endif
#ifndef included_mesh_FineGrid_IOR_h
#include "mesh_FineGrid_IOR.h"
#endif
#ifndef included_mesh_MeshError_hxx
#include "mesh_MeshError.hxx"
#endif
#ifndef included_mesh_FineGrid_hxx
#include "mesh_FineGrid.hxx"
#endif
#ifndef included_sidl_BaseClass_hxx
#include "sidl_BaseClass.hxx"
#endif
#ifndef included_sidl_BaseInterface_hxx
#include "sidl_BaseInterface.hxx"
#endif
#ifndef included_sidl_ClassInfo_hxx
#include "sidl_ClassInfo.hxx"
#endif
#ifndef included_sidl_RuntimeException_hxx
#include "sidl_RuntimeException.hxx"
#endif

// DO-NOT-DELETE splicer.begin(mesh.FineGrid._hincludes)
// Insert-Code-Here {mesh.FineGrid._hincludes} (includes or arbitrary code)
// DO-NOT-DELETE splicer.end(mesh.FineGrid._hincludes)

namespace mesh {

  /**
   * Symbol "mesh.FineGrid" (version 1.0)
   */
  class FineGrid_impl : public virtual ::mesh::FineGrid
  // DO-NOT-DELETE splicer.begin(mesh.FineGrid._inherits)
  // Insert-Code-Here {mesh.FineGrid._inherits} (optional inheritance here)
  // DO-NOT-DELETE splicer.end(mesh.FineGrid._inherits)
  {

  // All data marked protected will be accessable by
  // descendant Impl classes
  protected:

    bool _wrapped;

    // DO-NOT-DELETE splicer.begin(mesh.FineGrid._implementation)
    int d_unused;
    // DO-NOT-DELETE splicer.end(mesh.FineGrid._implementation)

  public:
    // default constructor, used for data wrapping(required)
    FineGrid_impl();
    // sidl constructor (required)
    // Note: alternate Skel constructor doesn't call addref()
    FineGrid_impl( struct mesh_FineGrid__object * ior ) : StubBase(ior,true),
      _wrapped(false) {
      _ctor();
    }

    // user defined construction
    void _ctor();

    // virtual destructor (required)
    virtual ~FineGrid_impl() { _dtor(); }

    // user defined destruction
    void _dtor();

    // true if this object was created by a user newing the impl
    inline bool _isWrapped() {return _wrapped;}

    // static class initializer
    static void _load();

  public:

    /**
     * Method:  label[]
     */
    ::std::string
    label_impl (
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  value[]
     */
    double
    value_impl (
      /* in */int32_t i
    )
    throw (
      ::mesh::MeshError,
      ::sidl::RuntimeException
    );

  };  // end class FineGrid_impl

} // end namespace mesh

// DO-NOT-DELETE splicer.begin(mesh.FineGrid._hmisc)
// Insert-Code-Here {mesh.FineGrid._hmisc} (miscellaneous things)
// DO-NOT-DELETE splicer.end(mesh.FineGrid._hmisc)

#endif
