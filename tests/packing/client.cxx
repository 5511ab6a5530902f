// client.cxx: passes a bag of the class that is named by value, within this process and, if there
// is a URL, to a server and back: client CLASS [URL] [--python]. Says what has come back as
// something else, and nothing if all is well.
#include <complex>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "bags.hxx"
#include "pk_Carrier.hxx"
#include "pk_Finder.hxx"
#include "pk_Flat.hxx"
#include "pk_Named.hxx"
#include "sidl_header.h"
#include "sidl_io_IOException.hxx"
#include "sidl_rmi_NetworkException.hxx"

namespace {

using sidl::basearray;

int wrong = 0;

void check(bool is_right, const std::string& what) {
  if (is_right) return;
  std::printf("%s\n", what.c_str());
  ++wrong;
}

/** Whether arrays of pointers are passed as arrays of any type, which Python does not do. */
bool has_any_pointers = true;

/** A bag by value. */
using Way = std::function<pk::Bag(const pk::Bag&)>;

pk::Bag copied(const pk::Bag& bag) {
  sidl::exception_slot ex;
  void* const copy = sidl_copy_object(bag._get_self(), ex.ptr());
  ex.check<>();
  return sidl::babel_cast<pk::Bag>(sidl::BaseInterface(sidl::as_base(copy)));
}

// ---- arrays ------------------------------------------------------------------------------------

/** Calls each(indices) for all elements. */
template <class Each>
void for_each(const basearray& array, Each each) {
  std::vector<int64_t> at;
  for (int d = 0; d < array.dimen(); ++d) at.push_back(array.lower64(d));
  if (sidl__array_element_count(array._get_ior()) == 0) return;
  for (int d = 0; d < array.dimen();) {
    each(at.data());
    for (d = 0; d < array.dimen() && ++at[d] > array.upper64(d); ++d) at[d] = array.lower64(d);
  }
}

template <class T>
sidl::array<T> filled(bool in_rows, const std::vector<T>& values) {
  const int64_t lower[] = {-1, 2};
  const int64_t upper[] = {1, 3};
  auto array = in_rows ? sidl::array<T>::createRow(2, lower, upper)
                       : sidl::array<T>::createCol(2, lower, upper);
  std::size_t i = 0;
  for_each(array, [&](const int64_t* at) { array.set(at, values[i++ % values.size()]); });
  return array;
}

pk::Flat flat(int32_t n, double x) {
  pk::Flat made;
  made.n = n;
  made.x = x;
  return made;
}

pk::Named named(const std::string& name, int32_t n) {
  pk::Named made;
  made.set_name(name);
  made.n = n;
  return made;
}

template <class T>
bool same(const T& a, const T& b) {
  return a == b;
}
bool same(const pk::Flat& a, const pk::Flat& b) {
  return a.n == b.n && a.x == b.x;
}
bool same(const pk::Named& a, const pk::Named& b) {
  return a.n == b.n && a.get_name() == b.get_name();
}
bool same(const sidl::BaseInterface& a, const sidl::BaseInterface& b) {
  return a._is_nil() ? b._is_nil() : a.isSame(b);
}

/** Whether type, bounds, elements and, where it is kept, the order are the same. */
template <class T>
bool is_same(const basearray& before, const basearray& after, bool has_order = true) {
  if (sidl__array_type(before._get_ior()) != sidl__array_type(after._get_ior())) return false;
  if (before.dimen() != after.dimen()) return false;
  for (int d = 0; d < before.dimen(); ++d) {
    if (before.lower64(d) != after.lower64(d) || before.upper64(d) != after.upper64(d))
      return false;
  }
  const bool in_rows = sidl__array_isRowOrder(before._get_ior()) != 0;
  if (has_order && in_rows != (sidl__array_isRowOrder(after._get_ior()) != 0)) return false;
  const sidl::array<T> a = before;
  const sidl::array<T> b = after;
  bool all = true;
  for_each(a, [&](const int64_t* at) { all = all && same(a.get(at), b.get(at)); });
  return all;
}

template <class T>
void pass(const char* what, const std::string& name, const Way& way, const std::vector<T>& values,
          bool has_order = true) {
  for (const bool in_rows : {true, false}) {
    const sidl::array<T> given = filled<T>(in_rows, values);
    pk::Bag bag = make_bag(name);
    bag.fill(1, {}, given);
    const std::string which = std::string(what) + (in_rows ? " in rows" : " in columns");
    try {
      check(is_same<T>(given, way(bag).any(), has_order), which);
    } catch (const sidl::BaseException& thrown) {
      check(false, which + ": " + thrown.getNote());
    }
  }
}

void pass_arrays(const std::string& name, const Way& way) {
  pass<bool>("bools", name, way, {true, false, false});
  pass<char>("chars", name, way, {'a', '\0', 'z'});
  pass<int32_t>("ints", name, way, {1, -2, 3});
  pass<int64_t>("longs", name, way, {int64_t{1} << 40, -2});
  pass<float>("floats", name, way, {0.5F, -2});
  pass<double>("doubles", name, way, {0.5, -2, 3});
  pass<std::complex<float>>("fcomplexes", name, way, {{1, 2}, {3, 4}});
  pass<std::complex<double>>("dcomplexes", name, way, {{1, 2}, {3, 4}});
  pass<std::string>("strings", name, way, {"one", "", std::string(20000, 'x')});
  if (has_any_pointers) pass<void*>("null pointers", name, way, {nullptr});
  pass<pk::Flat>("structs of numbers", name, way, {flat(1, 0.5), flat(2, 1.5)}, false);
  pass<pk::Named>("structs with strings", name, way, {named("one", 1), named("", 2)}, false);
  const sidl::BaseInterface object = make_bag(name);
  pass<sidl::BaseInterface>("objects", name, way, {object, sidl::BaseInterface()}, false);
  pk::Bag bag = make_bag(name);
  bag.fill(1, {}, {});
  check(way(bag).any()._is_nil(), "a null array of any type");
  check(way(bag).parts()._is_nil(), "a null array of objects");
  const int64_t lower[] = {5}, upper[] = {4};
  const sidl::array<double> empty = sidl::array<double>::createRow(1, lower, upper);
  bag.fill(1, {}, empty);
  check(is_same<double>(empty, way(bag).any(), false), "an array without elements");
}

/** What has been packed is not what the caller does to the array afterwards. */
void pass_parts(const std::string& name, const Way& way) {
  pk::Bag inner = make_bag(name);
  inner.fill(7, {}, filled<int32_t>(true, {1}));
  auto parts = sidl::array<sidl::io::Serializable>::create1d(3);
  parts.set(0, inner);
  parts.set(2, inner);
  pk::Bag bag = make_bag(name);
  bag.fill(3, parts, {});
  const pk::Bag after = way(bag);
  check(after.number() == 3, "the number");
  check(after.pointing() == "none", "pointers that are null");
  const auto got = after.parts();
  if (got._is_nil() || got.length64() != 3) return check(false, "how many parts there are");
  const int64_t first = got.lower64(0);
  check(got.get(first + 1)._is_nil(), "a part that is null");
  const auto a = sidl::babel_cast<pk::Bag>(got.get(first));
  const auto b = sidl::babel_cast<pk::Bag>(got.get(first + 2));
  if (a._is_nil() || b._is_nil()) return check(false, "the parts");
  check(a.number() == 7 && b.number() == 7, "the numbers of parts");
  check(a.any().dimen() == 2, "the array in a part");
  check(!a.isSame(b) && !a.isSame(inner), "parts by value");
  check(a._isLocal() && after._isLocal(), "where they are");
}

/** A bag that contains itself has no end. */
void pass_itself(const std::string& name, const Way& way) {
  pk::Bag bag = make_bag(name);
  auto parts = sidl::array<sidl::io::Serializable>::create1d(1);
  parts.set(0, bag);
  bag.fill(3, parts, {});
  try {
    way(bag);
    check(false, "a bag that contains itself has arrived");
  } catch (const sidl::BaseException& thrown) {
    check(thrown.getNote().find("64") != std::string::npos, "itself: " + thrown.getNote());
  }
  bag.fill(3, {}, {});
}

// ---- pointers ----------------------------------------------------------------------------------

const sidl::array<void*>& pointers() {
  static int here = 0;
  static const auto made = filled<void*>(true, {nullptr, &here});
  return made;
}

/** Within the process they are passed on. */
void keep_pointers(const std::string& name) {
  for (const char* const what : {"pointer", "pointers"}) {
    pk::Bag bag = make_bag(name);
    bag.point(what);
    check(copied(bag).pointing() == what, std::string("kept: ") + what);
  }
  if (!has_any_pointers) return;
  pk::Bag bag = make_bag(name);
  bag.fill(1, {}, pointers());
  check(is_same<void*>(pointers(), copied(bag).any()), "kept: an array of any type");
}

/** To another process they are not: the key is named, and nothing was run. */
template <class Call>
void refuse(const std::string& key, sidl::rmi::RequestFate fate, Call call) {
  try {
    call();
    check(false, key + " has arrived");
  } catch (const sidl::rmi::NetworkException& thrown) {
    const std::string note = thrown.getNote();
    check(note.find(key + " is ") != std::string::npos, key + " is refused: " + note);
    check(note.find("no meaning in another process") != std::string::npos, note);
    check(thrown.getFate() == fate, key + ": its fate is " + std::to_string(thrown.getFate()));
  } catch (const sidl::BaseException& thrown) {
    check(false, key + ": " + thrown.getNote());
  }
}

void refuse_pointers(const std::string& name, const pk::Carrier& carrier) {
  const int32_t calls = carrier.calls();
  for (const char* const what : {"pointer", "pointers"}) {
    pk::Bag bag = make_bag(name);
    bag.point(what);
    refuse(what, sidl::rmi::RequestFate_notSent, [&] { carrier.through(bag); });
    refuse(what, sidl::rmi::RequestFate_executed, [&] { carrier.make(name, what); });
  }
  if (has_any_pointers) {
    pk::Bag bag = make_bag(name);
    bag.fill(1, {}, pointers());
    refuse("any", sidl::rmi::RequestFate_notSent, [&] { carrier.through(bag); });
  }
  check(carrier.calls() == calls, "a call that was refused has been run");
  check(carrier.make(name, "none").pointing() == "none", "the server goes on");
}

// ---- references --------------------------------------------------------------------------------

/** What packObj has the only handle to lives until the receiver has it: its release does not come
 * first. */
void find_what_was_let_go(const pk::Carrier& carrier, const std::string& url) {
  constexpr int often = 10;
  for (const bool in_array : {false, true}) {
    const std::string how = in_array ? " in an array" : "";
    const pk::Finder here = pk::Finder::_create();
    const pk::Finder there = pk::Finder::_create(url);
    for (pk::Finder finder : {here, there}) {
      finder.look(url, in_array);
      int found = 0;
      for (int i = 0; i < often; ++i) found += carrier.find(finder);
      check(found == often, "objects found" + how + ": " + std::to_string(found));
    }
    const int before = carrier.found_later();
    for (int i = 0; i < often; ++i) carrier.find_later(here);
    const int later = carrier.found_later() - before;
    check(later == often, "objects found later" + how + ": " + std::to_string(later));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  has_any_pointers = std::string(argv[argc - 1]) != "--python";
  if (!has_any_pointers) --argc;
  try {
    pass_arrays(name, copied);
    pass_parts(name, copied);
    pass_itself(name, copied);
    keep_pointers(name);
    if (argc > 2) {
      const pk::Carrier carrier = pk::Carrier::_create(argv[2]);
      const Way there_and_back = [&](const pk::Bag& bag) { return carrier.through(bag); };
      carrier.structs({}, {});
      pass_arrays(name, there_and_back);
      pass_parts(name, there_and_back);
      pass_itself(name, there_and_back);
      refuse_pointers(name, carrier);
      find_what_was_let_go(carrier, argv[2]);
    }
  } catch (const sidl::BaseException& thrown) {
    check(false, thrown.getNote() + "\n" + thrown.getTrace());
  } catch (const std::exception& thrown) {
    check(false, thrown.what());
  }
  return wrong == 0 ? 0 : 1;
}
