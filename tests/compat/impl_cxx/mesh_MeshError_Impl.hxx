//
// File:          mesh_MeshError_Impl.hxx
// Symbol:        mesh.MeshError-v1.0
// Symbol Type:   class
// Babel Version: 2.0.0
// Description:   Server-side implementation for mesh.MeshError
//
// WARNING: Automatically generated; only changes within splicers preserved
//

#ifndef included_mesh_MeshError_Impl_hxx
#define included_mesh_MeshError_Impl_hxx

#ifndef included_sidl_cxx_hxx
#include "sidl_cxx.hxx"
#endif
#ifndef included_mesh_MeshError_IOR_h
#include "mesh_MeshError_IOR.h"
#endif
#ifndef included_mesh_MeshError_hxx
#include "mesh_MeshError.hxx"
#endif
#ifndef included_mesh_MeshError_hxx
#include "mesh_MeshError.hxx"
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

// DO-NOT-DELETE splicer.begin(mesh.MeshError._hincludes)
// Insert-Code-Here {mesh.MeshError._hincludes} (includes or arbitrary code)
// DO-NOT-DELETE splicer.end(mesh.MeshError._hincludes)

namespace mesh {

  /**
   * Symbol "mesh.MeshError" (version 1.0)
   */
  class MeshError_impl : public virtual ::mesh::MeshError
  // DO-NOT-DELETE splicer.begin(mesh.MeshError._inherits)
  // Insert-Code-Here {mesh.MeshError._inherits} (optional inheritance here)
  // DO-NOT-DELETE splicer.end(mesh.MeshError._inherits)
  {

  // All data marked protected will be accessable by
  // descendant Impl classes
  protected:

    bool _wrapped;

    // DO-NOT-DELETE splicer.begin(mesh.MeshError._implementation)
    int d_code;
    // DO-NOT-DELETE splicer.end(mesh.MeshError._implementation)

  public:
    // default constructor, used for data wrapping(required)
    MeshError_impl();
    // sidl constructor (required)
    // Note: alternate Skel constructor doesn't call addref()
    MeshError_impl( struct mesh_MeshError__object * ior ) : StubBase(ior,true),
      ::sidl::BaseInterface((ior==NULL) ? NULL : &((*ior).d_sidl_sidlexception.d_sidl_baseclass.d_sidl_baseinterface)),
      ::sidl::BaseException((ior==NULL) ? NULL : &((*ior).d_sidl_sidlexception.d_sidl_baseexception)),
      ::sidl::io::Serializable((ior==NULL) ? NULL : &((*ior).d_sidl_sidlexception.d_sidl_io_serializable)),
      ::sidl::BaseClass((ior==NULL) ? NULL : &((*ior).d_sidl_sidlexception.d_sidl_baseclass)),
      ::sidl::SIDLException((ior==NULL) ? NULL : &((*ior).d_sidl_sidlexception)),
      _wrapped(false) {
      _ctor();
    }

    // user defined construction
    void _ctor();

    // virtual destructor (required)
    virtual ~MeshError_impl() { _dtor(); }

    // user defined destruction
    void _dtor();

    // true if this object was created by a user newing the impl
    inline bool _isWrapped() {return _wrapped;}

    // static class initializer
    static void _load();

  public:

    /**
     * Method:  setCode[]
     */
    void
    setCode_impl (
      /* in */int32_t code
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  getCode[]
     */
    int32_t
    getCode_impl (
    )
    throw (
      ::sidl::RuntimeException
    );

  };  // end class MeshError_impl

} // end namespace mesh

// DO-NOT-DELETE splicer.begin(mesh.MeshError._hmisc)
// Insert-Code-Here {mesh.MeshError._hmisc} (miscellaneous things)
// DO-NOT-DELETE splicer.end(mesh.MeshError._hmisc)

#endif
