//
// A client in C++, as one was written in 2010.
//
#include <algorithm>
#include <complex>
#include <iostream>
#include <string>
#include "mesh.hxx"
#include "sidl.hxx"
#include "sidl_cxx.hxx"
#include "sidl_BaseClass.hxx"
#include "sidl_CastException.hxx"
#include "sidl_SIDLException.hxx"
#include "babel_config.h"
#ifdef SIDL_USE_UCXX
using namespace ucxx;
#endif
#ifndef included_mesh_Grid_hxx
#error no include guard
#endif
using namespace std;

static int failures = 0;
#define sidlAssert(COND)                                                     \
  if (!(COND)) {                                                             \
    ++failures;                                                              \
    cerr << __FILE__ << ":" << __LINE__ << ": not so: " << #COND << endl;    \
  }

static void test_handles(mesh::Grid grid) {
  mesh::Grid nil;
  sidlAssert(nil._is_nil() && !nil._not_nil() && !nil && grid._not_nil());
  mesh::Grid copy(grid), assigned;
  assigned = copy;
  sidlAssert(assigned._get_ior() == grid._get_ior() && assigned.isSame(grid));
  mesh::Field field = grid;
  sidl::BaseInterface base = field;
  sidl::BaseClass object = ::sidl::babel_cast< sidl::BaseClass >(base);
  mesh::Grid back = babel_cast< mesh::Grid >(field);
  mesh::FineGrid none = ::sidl::babel_cast<mesh::FineGrid>(field);
  sidlAssert(object._not_nil() && back.isSame(grid) && none._is_nil());
  sidlAssert(string(mesh::Grid::type_name()) == "mesh.Grid");
  sidlAssert(grid._isLocal() && !grid._isRemote());
  sidlAssert(field.isType("mesh.Field") && grid.getClassInfo().getName() == "mesh.Grid");
  mesh::Grid::ior_t *ior = mesh::Grid::_cast(field._get_ior());
  sidlAssert(ior == grid._get_ior());
  mesh::Grid taken(ior);
  mesh::Grid weak(grid._get_ior(), true);
  mesh::Grid::ext_t *external = 0;
  const mesh::Grid::sepv_t *statics = 0;
  sidlAssert(!external && !statics);
  grid.addRef();
  nil._set_ior(grid._get_ior());
  sidlAssert(nil.label() == "first" && weak.label() == field.label());
  sidl::StubBase &root = grid;
  sidlAssert(root._not_nil());
  try {
    mesh::Grid().label();
    sidlAssert(!"reached");
  } catch (::sidl::NullIORException &ex) {
    sidlAssert(ex.what() != 0);
  }

  mesh::FineGrid fine = mesh::FineGrid::_create();
  fine.resize(4, 2);
  mesh::Grid up = fine;
  sidlAssert(up.label() == "fine(nameless)" && up.value(1) == 10.0);
  sidl::BaseInterface out;
  grid.clone(field, up, out);
  sidlAssert(out.isSame(grid) && !up.isSame(fine) && up.label() == "nameless");
}

static void test_switches(mesh::Grid grid) {
  grid._set_hooks(true);
  mesh::Grid::_set_hooks_static(false);
  grid._set_contracts(true, "", true);
  mesh::Grid::_set_contracts_static(false, "", false);
  grid._dump_stats("grid_cxx.stats", "one");
  mesh::Grid::_dump_stats_static("grid_cxx.stats", "two");
  mesh::Field field = grid;
  field._set_hooks(false);
  try {
    field._dump_stats("/no/such/folder/stats", "");
    sidlAssert(!"reached");
  } catch (::sidl::io::IOException ex) {
    sidlAssert(ex.getNote() != "");
  }
}

static void test_exceptions(mesh::Grid grid) {
  try {
    grid.fail(1);
    sidlAssert(!"reached");
  } catch (mesh::DeepError ex) {
    sidlAssert(!"derived");
  } catch (mesh::MeshError ex) {
    sidlAssert(ex.getNote() == "as declared" && ex.getTrace() != "");
  }
  try {
    grid.fail(2);
    sidlAssert(!"reached");
  } catch (::mesh::MeshError ex) {
    mesh::DeepError deep = ::sidl::babel_cast< mesh::DeepError >(ex);
    sidlAssert(deep._not_nil() && deep.getNote() == "derived");
  }
  try {
    grid.fail(2);
  } catch (::mesh::DeepError &ex) {
    sidlAssert(string(ex.what()) == "derived");
  }
  try {
    grid.fail(3);
    sidlAssert(!"reached");
  } catch (::sidl::RuntimeException ex) {
    sidlAssert(ex.getNote() == "not declared");
  }
  try {
    grid.fail(3);
  } catch (::sidl::MemAllocException &ex) {
    sidlAssert(ex.getNote() == "not declared");
  }
  try {
    grid.fail(4);
    sidlAssert(!"reached");
  } catch (::mesh::MeshError &ex) {
    sidlAssert(ex.getCode() == -7);
  }
  try {
    mesh::Grid::byName("");
    sidlAssert(!"reached");
  } catch (::sidl::BaseException &ex) {
    sidlAssert(ex.getNote() == "a grid needs a name");
  }
  try {
    sidl::SIDLException ex = sidl::SIDLException::_create();
    ex.setNote("our own");
    ex.add(__FILE__, __LINE__, "test_exceptions");
    ex.add("one more line");
    throw ex;
  } catch (sidl::SIDLException ex) {
    sidlAssert(ex.getTrace().find("client.cxx") != string::npos);
    sidlAssert(ex.getTrace().find("one more line") != string::npos);
  }
}

static void test_values(mesh::Grid grid) {
  mesh::Kind io = mesh::Kind_plain, o;
  sidlAssert(grid.next(mesh::Kind_fine, io, o) == mesh::Kind_coarse);
  sidlAssert(io == mesh::Kind_fine && o == mesh::Kind_plain);
  bool bio = true, bo = false;
  sidlAssert(!grid.flip(true, bio, bo) && !bio && bo);
  char cio = 'x', co;
  sidlAssert(grid.letter('a', cio, co) == 'b' && cio == 'a' && co == 'x');
  ::sidl::fcomplex fo;
  const ::sidl::dcomplex r = grid.mul(complex<float>(1, 2), complex<double>(3, 4), fo);
  sidlAssert(r == ::sidl::dcomplex(-5, 10) && fo == ::sidl::fcomplex(2, 1));
  sidlAssert(grid.through(&io) == &io);
  sidlAssert(grid.add(4) == 7 && grid.add("four") == 4);
  string text, more = "more";
  grid.describe(text, more);
  sidlAssert(text == "3 by 2" && more == "more!");

  double x[] = {1, 2, 3}, y[] = {4, 5, 6};
  sidlAssert(grid.dot(x, y, 3) == 32);
  ::sidl::array<double> ax = ::sidl::array<double>::create1d(3, x);
  ::sidl::array<double> ay = ::sidl::array<double>::create1dInit(3, y);
  sidlAssert(grid.dot(ax, ay) == 32);
  ::sidl::array<double> m = ::sidl::array<double>::create2dCol(2, 2);
  fill(m.begin(), m.end(), 1.5);
  grid.scale(m, 2.0);
  sidlAssert(m.get(1, 1) == 3 && count(m.begin(), m.end(), 3.0) == 4);

  mesh::Cell in, inout, out;
  in.id = 1;
  in.size = 0.5;
  in.set_on(true);
  in.set_name("cell");
  in.set_kind(mesh::Kind_coarse);
  in.set_weights(ay);
  in.set_owner(grid);
  in.corner[2] = 6;
  in.modes[1].real = 3;
  inout = in;
  mesh::Cell result = grid.cell(in, inout, out);
  sidlAssert(result.id == 1 && result.get_on() && result.size == 0.5);
  sidlAssert(result.get_kind() == mesh::Kind_coarse && result.get_name() == "cell");
  sidlAssert(result.get_weights().get(2) == 6 && result.get_owner().isSame(grid));
  sidlAssert(inout.id == 2 && !inout.get_on() && inout.get_name() == "changed" && out.id == 1);
  sidlAssert(result.corner[2] == 6 && inout.corner[2] == 7 && inout.modes[1].real == 3);
  sidlAssert(inout.modes[2].imaginary == 7 && out.modes[1].real == 3);
  sidlAssert(inout.toIOR() != 0);
  inout._destroy();
}

static void test_arrays(mesh::Grid grid) {
  int32_t lower[] = {1, 1}, upper[] = {2, 3}, stride[] = {3, 1};
  double memory[] = {1, 2, 3, 4, 5, 6};
  ::sidl::array<double> nil;
  sidlAssert(nil._is_nil() && !nil && nil.dimen() == 0 && nil.upper(0) == -1);
  ::sidl::array<double> borrowed;
  borrowed.borrow(memory, 2, lower, upper, stride);
  sidlAssert(borrowed._not_nil() && borrowed.get(2, 3) == 6 && borrowed.stride(0) == 3);
  sidlAssert(borrowed.isRowOrder() && !borrowed.isColumnOrder() && !borrowed.is1dPacked());
  grid.keep(borrowed);
  memory[0] = -1;
  ::sidl::array<double> values = grid.values();
  sidlAssert(values.get(1, 1) == 1 && values.isColumnOrder());
  grid.fill(values, 9);
  const int32_t at[] = {2, 2};
  sidlAssert(values.get(at) == 9);
  values.set(at, 8);
  values.copy(borrowed);
  sidlAssert(values.get(2, 2) == 5);
  grid.fill(nil, 4);
  sidlAssert(nil.length(1) == 2 && nil.length(0) == 2);
  values.ensure(2, ::sidl::row_major_order);
  sidlAssert(values.isRowOrder() && values.lower(0) == 1);
  int32_t num[] = {0, 3}, start[] = {2, 1}, step[] = {1, 1}, fresh[] = {0};
  ::sidl::array<double> row = values.slice(1, num, start, step, fresh);
  sidlAssert(row.dimen() == 1 && row.get(2) == 6 && row[1] == 5);
  row[0] = 7;
  sidlAssert(values.get(2, 1) == 7 && row.first() != 0);
  row.smartCopy();
  row.addRef();
  sidlAssert(row.arrayType() == sidl_double_array && row._get_ior() != 0);
  sidl__array_deleteRef(row._get_baseior());
  ::sidl::basearray any = row;
  ::sidl::basearray same = grid.any(any);
  ::sidl::array<double> doubles = same;
  ::sidl::array<int32_t> ints = same;
  sidlAssert(doubles._not_nil() && ints._is_nil());
  ::sidl::array<double> seven = ::sidl::array<double>::createRow(2, lower, upper);
  ::sidl::array<double> eight = ::sidl::array<double>::createCol(2, lower, upper);
  sidlAssert(seven.isRowOrder() && eight.isColumnOrder());
  seven.deleteRef();
  ::sidl::array<double> held;
  held._set_ior(eight._get_ior());
  held.addRef();

  ::sidl::array<string> more = ::sidl::array<string>::create1d(2);
  more.set(0, "a");
  more.set(1, string("b"));
  ::sidl::array<string> names = grid.names(more);
  sidlAssert(names.length(0) == 3 && names.get(0) == "first" && names.get(2) == "b");
  ::sidl::array<mesh::Field> fields = grid.fields(mesh::Field());
  mesh::Field field = fields.get(0);
  sidlAssert(field.isSame(grid) && fields.get(1)._is_nil());
  ::sidl::array<mesh::Kind> kinds = ::sidl::array<mesh::Kind>::create1d(2);
  kinds.set(0, mesh::Kind_fine);
  kinds.set(1, mesh::Kind_coarse);
  sidlAssert(grid.kinds(kinds).get(1) == mesh::Kind_fine);
}

int main() {
  {
    mesh::Grid grid = mesh::Grid::byName("first");
    grid.resize(3, 2);
    sidlAssert(mesh::Grid::count() == 1);
    test_handles(grid);
    test_switches(grid);
    test_exceptions(grid);
    test_values(grid);
    test_arrays(grid);
  }
  sidlAssert(mesh::Grid::count() == 0);
  if (failures == 0) cout << "ok" << endl;
  return failures != 0;
}
