//
// File:          mesh_Grid_Impl.cxx
// Symbol:        mesh.Grid-v1.0
// Symbol Type:   class
// Babel Version: 2.0.0
// Description:   Server-side implementation for mesh.Grid
//
// WARNING: Automatically generated; only changes within splicers preserved
//
#include "mesh_Grid_Impl.hxx"

//
// Includes for all method dependencies.
//
#ifndef included_sidl_BaseInterface_hxx
#include "sidl_BaseInterface.hxx"
#endif
#ifndef included_sidl_NotImplementedException_hxx
#include "sidl_NotImplementedException.hxx"
#endif
// DO-NOT-DELETE splicer.begin(mesh.Grid._includes)
#include <sstream>
#include "mesh_DeepError.hxx"
#include "sidl_MemAllocException.hxx"
#include "sidl_BaseClass.hxx"
#ifdef SIDL_USE_UCXX
using namespace ucxx;
#endif
using namespace std;

int mesh::Grid_impl::s_count = 0;
// DO-NOT-DELETE splicer.end(mesh.Grid._includes)

// special constructor, used for data wrapping(required).  Do not put code here unless you really know what you're doing!
mesh::Grid_impl::Grid_impl() : StubBase(reinterpret_cast< void*>(::mesh::Grid::_wrapObj(
  reinterpret_cast< void*>(this))),false) , _wrapped(true){
  // DO-NOT-DELETE splicer.begin(mesh.Grid._ctor2)
  d_m = d_n = 0;
  ++s_count;
  // DO-NOT-DELETE splicer.end(mesh.Grid._ctor2)
}

// user defined constructor
void mesh::Grid_impl::_ctor() {
  // DO-NOT-DELETE splicer.begin(mesh.Grid._ctor)
  d_m = d_n = 0;
  ++s_count;
  // DO-NOT-DELETE splicer.end(mesh.Grid._ctor)
}

// user defined destructor
void mesh::Grid_impl::_dtor() {
  // DO-NOT-DELETE splicer.begin(mesh.Grid._dtor)
  --s_count;
  // DO-NOT-DELETE splicer.end(mesh.Grid._dtor)
}

// static class initializer
void mesh::Grid_impl::_load() {
  // DO-NOT-DELETE splicer.begin(mesh.Grid._load)
  // Insert-Code-Here {mesh.Grid._load}
  // DO-NOT-DELETE splicer.end(mesh.Grid._load)
}

/**
 * Method:  byName[]
 */
::mesh::Grid
mesh::Grid_impl::byName_impl (
  /* in */const ::std::string& name
)
throw (
  ::mesh::MeshError,
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.byName)
  if (name.empty()) {
    ::mesh::MeshError ex = ::mesh::MeshError::_create();
    ex.setNote("a grid needs a name");
    ex.add(__FILE__, __LINE__, "byName");
    throw ex;
  }
  ::mesh::Grid result = ::mesh::Grid::_create();
  mesh::Grid_impl* impl = static_cast< mesh::Grid_impl* >(result._get_ior()->d_data);
  impl->d_name = name;
  return result;
  // DO-NOT-DELETE splicer.end(mesh.Grid.byName)
}

/**
 * Method:  count[]
 */
int32_t
mesh::Grid_impl::count_impl (
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.count)
  return s_count;
  // DO-NOT-DELETE splicer.end(mesh.Grid.count)
}

/**
 * Method:  resize[]
 */
void
mesh::Grid_impl::resize_impl (
  /* in */int32_t m,
  /* in */int32_t n
)
throw (
  ::mesh::MeshError,
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.resize)
  if (m < 0 || n < 0) {
    MeshError ex = MeshError::_create();
    ex.setNote("negative size");
    ex.setCode(m);
    throw ex;
  }
  d_m = m;
  d_n = n;
  d_values = ::sidl::array<double>::create2dCol(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      d_values.set(i, j, 10.0 * i + j);
  // DO-NOT-DELETE splicer.end(mesh.Grid.resize)
}

/**
 * Method:  values[]
 */
::sidl::array<double>
mesh::Grid_impl::values_impl (
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.values)
  return d_values;
  // DO-NOT-DELETE splicer.end(mesh.Grid.values)
}

/**
 * Method:  keep[]
 */
void
mesh::Grid_impl::keep_impl (
  /* in array<double,2> */::sidl::array<double>& a
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.keep)
  d_values = a;
  d_values.smartCopy();
  d_m = a.length(0);
  d_n = a.length(1);
  // DO-NOT-DELETE splicer.end(mesh.Grid.keep)
}

/**
 * Method:  fill[]
 */
void
mesh::Grid_impl::fill_impl (
  /* inout array<double,2,column-major> */::sidl::array<double>& a,
  /* in */double v
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.fill)
  if (a._is_nil()) a = ::sidl::array<double>::create2dCol(2, 2);
  for (int32_t i = a.lower(0); i <= a.upper(0); ++i)
    for (int32_t j = a.lower(1); j <= a.upper(1); ++j)
      a.set(i, j, v);
  // DO-NOT-DELETE splicer.end(mesh.Grid.fill)
}

/**
 * Method:  names[]
 */
::sidl::array< ::std::string>
mesh::Grid_impl::names_impl (
  /* in array<string> */::sidl::array< ::std::string>& more
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.names)
  ::sidl::array< ::std::string> result = ::sidl::array< ::std::string>::create1d(more.length(0) + 1);
  result.set(0, d_name);
  for (int32_t i = 0; i < more.length(0); ++i)
    result.set(i + 1, more.get(more.lower(0) + i));
  return result;
  // DO-NOT-DELETE splicer.end(mesh.Grid.names)
}

/**
 * Method:  any[]
 */
::sidl::basearray
mesh::Grid_impl::any_impl (
  /* in array<> */::sidl::basearray& a
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.any)
  ::sidl::basearray result = a;
  result.smartCopy();
  return result;
  // DO-NOT-DELETE splicer.end(mesh.Grid.any)
}

/**
 * Method:  fields[]
 */
::sidl::array< ::mesh::Field>
mesh::Grid_impl::fields_impl (
  /* in */::mesh::Field& extra
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.fields)
  ::sidl::array< ::mesh::Field> result = ::sidl::array< ::mesh::Field>::create1d(2);
  ::mesh::Field me = ::sidl::babel_cast< ::mesh::Field>(*this);
  result.set(0, me);
  result.set(1, extra);
  return result;
  // DO-NOT-DELETE splicer.end(mesh.Grid.fields)
}

/**
 * Method:  kinds[]
 */
::sidl::array< ::mesh::Kind>
mesh::Grid_impl::kinds_impl (
  /* in array<mesh.Kind> */::sidl::array< ::mesh::Kind>& k
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.kinds)
  const int32_t len = k.length(0);
  ::sidl::array< ::mesh::Kind> result = ::sidl::array< ::mesh::Kind>::create1d(len);
  for (int32_t i = 0; i < len; ++i) result.set(len - 1 - i, k.get(i));
  return result;
  // DO-NOT-DELETE splicer.end(mesh.Grid.kinds)
}

/**
 * Method:  next[]
 */
::mesh::Kind
mesh::Grid_impl::next_impl (
  /* in */::mesh::Kind k,
  /* inout */::mesh::Kind& io,
  /* out */::mesh::Kind& o
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.next)
  o = io;
  io = k;
  return k == ::mesh::Kind_fine ? ::mesh::Kind_coarse : ::mesh::Kind_fine;
  // DO-NOT-DELETE splicer.end(mesh.Grid.next)
}

/**
 * Method:  describe[]
 */
void
mesh::Grid_impl::describe_impl (
  /* out */::std::string& text,
  /* inout */::std::string& more
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.describe)
  ostringstream out;
  out << d_m << " by " << d_n;
  text = out.str();
  more += "!";
  // DO-NOT-DELETE splicer.end(mesh.Grid.describe)
}

/**
 * Method:  cell[]
 */
::mesh::Cell
mesh::Grid_impl::cell_impl (
  /* in */const ::mesh::Cell& c,
  /* inout */::mesh::Cell& io,
  /* out */::mesh::Cell& o
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.cell)
  ::mesh::Cell result(c);
  o = io;
  ++io.id;
  io.set_name("changed");
  io.corner[2] += 1;
  RarrayElem2(io.modes, 0, 1, 2).imaginary = 7;
  io.set_on(!io.get_on());
  return result;
  // DO-NOT-DELETE splicer.end(mesh.Grid.cell)
}

/**
 * Method:  dot[]
 */
double
mesh::Grid_impl::dot_impl (
  /* in rarray[n] */double* x,
  /* in rarray[n] */double* y,
  /* in */int32_t n
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.dot)
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += RarrayElem1(x, i) * y[i];
  return sum;
  // DO-NOT-DELETE splicer.end(mesh.Grid.dot)
}

/**
 * Method:  scale[]
 */
void
mesh::Grid_impl::scale_impl (
  /* inout rarray[m,n] */double* a,
  /* in */int32_t m,
  /* in */int32_t n,
  /* in */double f
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.scale)
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) RarrayElem2(a, i, j, m) *= f;
  // DO-NOT-DELETE splicer.end(mesh.Grid.scale)
}

/**
 * Method:  add[]
 */
int64_t
mesh::Grid_impl::add_impl (
  /* in */int32_t i
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.add)
  return static_cast<int64_t>(i) + d_m;
  // DO-NOT-DELETE splicer.end(mesh.Grid.add)
}

/**
 * Method:  add[Text]
 */
int64_t
mesh::Grid_impl::add_impl (
  /* in */const ::std::string& s
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.addText)
  return static_cast<int64_t>(s.size());
  // DO-NOT-DELETE splicer.end(mesh.Grid.addText)
}

/**
 * Method:  flip[]
 */
bool
mesh::Grid_impl::flip_impl (
  /* in */bool b,
  /* inout */bool& io,
  /* out */bool& o
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.flip)
  o = io;
  io = !b;
  return !b;
  // DO-NOT-DELETE splicer.end(mesh.Grid.flip)
}

/**
 * Method:  letter[]
 */
char
mesh::Grid_impl::letter_impl (
  /* in */char c,
  /* inout */char& io,
  /* out */char& o
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.letter)
  o = io;
  io = c;
  return static_cast<char>(c + 1);
  // DO-NOT-DELETE splicer.end(mesh.Grid.letter)
}

/**
 * Method:  mul[]
 */
::std::complex<double>
mesh::Grid_impl::mul_impl (
  /* in */const ::std::complex<float>& a,
  /* in */const ::std::complex<double>& b,
  /* out */::std::complex<float>& o
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.mul)
  o = ::std::complex<float>(a.imag(), a.real());
  return ::std::complex<double>(a.real(), a.imag()) * b;
  // DO-NOT-DELETE splicer.end(mesh.Grid.mul)
}

/**
 * Method:  through[]
 */
void*
mesh::Grid_impl::through_impl (
  /* in */void* p
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.through)
  return p;
  // DO-NOT-DELETE splicer.end(mesh.Grid.through)
}

/**
 * Method:  fail[]
 */
void
mesh::Grid_impl::fail_impl (
  /* in */int32_t how
)
throw (
  ::mesh::MeshError,
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.fail)
  if (how == 1) {
    ::mesh::MeshError ex = ::mesh::MeshError::_create();
    ex.setNote("as declared");
    throw ex;
  }
  if (how == 2) {
    ::mesh::DeepError ex = ::mesh::DeepError::_create();
    ex.setNote("derived");
    ex.add(__FILE__, __LINE__, "fail");
    throw ex;
  }
  if (how == 3) {
    ::sidl::MemAllocException ex = ::sidl::MemAllocException::_create();
    ex.setNote("not declared");
    throw ex;
  }
  if (how == 4) resize(-7, 0);
  if (how == 5) throw std::string("of C++ alone");
  // DO-NOT-DELETE splicer.end(mesh.Grid.fail)
}

/**
 * Method:  clone[]
 */
void
mesh::Grid_impl::clone_impl (
  /* in */::mesh::Field& f,
  /* inout */::mesh::Grid& g,
  /* out */::sidl::BaseInterface& o
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.clone)
  g = ::mesh::Grid::_create();
  o = f;
  // DO-NOT-DELETE splicer.end(mesh.Grid.clone)
}

/**
 * Method:  value[]
 */
double
mesh::Grid_impl::value_impl (
  /* in */int32_t i
)
throw (
  ::mesh::MeshError,
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.value)
  if (i < 0 || i >= d_m) {
    ::mesh::MeshError ex = ::mesh::MeshError::_create();
    ex.setNote("no such value");
    throw ex;
  }
  return d_values.get(i, 0);
  // DO-NOT-DELETE splicer.end(mesh.Grid.value)
}

/**
 * Method:  label[]
 */
::std::string
mesh::Grid_impl::label_impl (
)
throw (
  ::sidl::RuntimeException
)
{
  // DO-NOT-DELETE splicer.begin(mesh.Grid.label)
  return d_name.empty() ? std::string("nameless") : d_name;
  // DO-NOT-DELETE splicer.end(mesh.Grid.label)
}

// DO-NOT-DELETE splicer.begin(mesh.Grid._misc)
// Nothing here.
// DO-NOT-DELETE splicer.end(mesh.Grid._misc)
