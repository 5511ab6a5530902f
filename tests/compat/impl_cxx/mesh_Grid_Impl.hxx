//
// File:          mesh_Grid_Impl.hxx
// Symbol:        mesh.Grid-v1.0
// Symbol Type:   class
// Babel Version: 2.0.0
// Description:   Server-side implementation for mesh.Grid
//
// WARNING: Automatically generated; only changes within splicers preserved
//

#ifndef included_mesh_Grid_Impl_hxx
#define included_mesh_Grid_Impl_hxx

#ifndef included_sidl_cxx_hxx
#include "sidl_cxx.hxx"
#endif
#ifndef included_mesh_Grid_IOR_h
#include "mesh_Grid_IOR.h"
#endif
#ifndef included_mesh_MeshError_hxx
#include "mesh_MeshError.hxx"
#endif
#ifndef included_mesh_Grid_hxx
#include "mesh_Grid.hxx"
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

// DO-NOT-DELETE splicer.begin(mesh.Grid._hincludes)
#include <string>
#include <vector>
// DO-NOT-DELETE splicer.end(mesh.Grid._hincludes)

namespace mesh {

  /**
   * Symbol "mesh.Grid" (version 1.0)
   */
  class Grid_impl : public virtual ::mesh::Grid
  // DO-NOT-DELETE splicer.begin(mesh.Grid._inherits)
  // DO-NOT-DELETE splicer.end(mesh.Grid._inherits)
  {

  // All data marked protected will be accessable by
  // descendant Impl classes
  protected:

    bool _wrapped;

    // DO-NOT-DELETE splicer.begin(mesh.Grid._implementation)
    static int s_count;
    int d_m, d_n;
    ::sidl::array<double> d_values;
    std::string d_name;
    // DO-NOT-DELETE splicer.end(mesh.Grid._implementation)

  public:
    // default constructor, used for data wrapping(required)
    Grid_impl();
    // sidl constructor (required)
    // Note: alternate Skel constructor doesn't call addref()
    Grid_impl( struct mesh_Grid__object * ior ) : StubBase(ior,true),
      ::sidl::BaseInterface((ior==NULL) ? NULL : &((*ior).d_sidl_baseclass.d_sidl_baseinterface)),
      ::sidl::BaseClass((ior==NULL) ? NULL : &((*ior).d_sidl_baseclass)),
      ::mesh::Field((ior==NULL) ? NULL : &((*ior).d_mesh_field)),
      _wrapped(false) {
      _ctor();
    }

    // user defined construction
    void _ctor();

    // virtual destructor (required)
    virtual ~Grid_impl() { _dtor(); }

    // user defined destruction
    void _dtor();

    // true if this object was created by a user newing the impl
    inline bool _isWrapped() {return _wrapped;}

    // static class initializer
    static void _load();

  public:

    /**
     * Method:  byName[]
     */
    static ::mesh::Grid
    byName_impl (
      /* in */const ::std::string& name
    )
    throw (
      ::mesh::MeshError,
      ::sidl::RuntimeException
    );

    /**
     * Method:  count[]
     */
    static int32_t
    count_impl (
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  resize[]
     */
    void
    resize_impl (
      /* in */int32_t m,
      /* in */int32_t n
    )
    throw (
      ::mesh::MeshError,
      ::sidl::RuntimeException
    );

    /**
     * Method:  values[]
     */
    ::sidl::array<double>
    values_impl (
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  keep[]
     */
    void
    keep_impl (
      /* in array<double,2> */::sidl::array<double>& a
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  fill[]
     */
    void
    fill_impl (
      /* inout array<double,2,column-major> */::sidl::array<double>& a,
      /* in */double v
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  names[]
     */
    ::sidl::array< ::std::string>
    names_impl (
      /* in array<string> */::sidl::array< ::std::string>& more
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  any[]
     */
    ::sidl::basearray
    any_impl (
      /* in array<> */::sidl::basearray& a
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  fields[]
     */
    ::sidl::array< ::mesh::Field>
    fields_impl (
      /* in */::mesh::Field& extra
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  kinds[]
     */
    ::sidl::array< ::mesh::Kind>
    kinds_impl (
      /* in array<mesh.Kind> */::sidl::array< ::mesh::Kind>& k
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  next[]
     */
    ::mesh::Kind
    next_impl (
      /* in */::mesh::Kind k,
      /* inout */::mesh::Kind& io,
      /* out */::mesh::Kind& o
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  describe[]
     */
    void
    describe_impl (
      /* out */::std::string& text,
      /* inout */::std::string& more
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  cell[]
     */
    ::mesh::Cell
    cell_impl (
      /* in */const ::mesh::Cell& c,
      /* inout */::mesh::Cell& io,
      /* out */::mesh::Cell& o
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  dot[]
     */
    double
    dot_impl (
      /* in rarray[n] */double* x,
      /* in rarray[n] */double* y,
      /* in */int32_t n
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  scale[]
     */
    void
    scale_impl (
      /* inout rarray[m,n] */double* a,
      /* in */int32_t m,
      /* in */int32_t n,
      /* in */double f
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  add[]
     */
    int64_t
    add_impl (
      /* in */int32_t i
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  add[Text]
     */
    int64_t
    add_impl (
      /* in */const ::std::string& s
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  flip[]
     */
    bool
    flip_impl (
      /* in */bool b,
      /* inout */bool& io,
      /* out */bool& o
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  letter[]
     */
    char
    letter_impl (
      /* in */char c,
      /* inout */char& io,
      /* out */char& o
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  mul[]
     */
    ::std::complex<double>
    mul_impl (
      /* in */const ::std::complex<float>& a,
      /* in */const ::std::complex<double>& b,
      /* out */::std::complex<float>& o
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  through[]
     */
    void*
    through_impl (
      /* in */void* p
    )
    throw (
      ::sidl::RuntimeException
    );

    /**
     * Method:  fail[]
     */
    void
    fail_impl (
      /* in */int32_t how
    )
    throw (
      ::mesh::MeshError,
      ::sidl::RuntimeException
    );

    /**
     * Method:  clone[]
     */
    void
    clone_impl (
      /* in */::mesh::Field& f,
      /* inout */::mesh::Grid& g,
      /* out */::sidl::BaseInterface& o
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

    /**
     * Method:  label[]
     */
    ::std::string
    label_impl (
    )
    throw (
      ::sidl::RuntimeException
    );

  };  // end class Grid_impl

} // end namespace mesh

// DO-NOT-DELETE splicer.begin(mesh.Grid._hmisc)
// Insert-Code-Here {mesh.Grid._hmisc} (miscellaneous things)
// DO-NOT-DELETE splicer.end(mesh.Grid._hmisc)

#endif
