// bags.hxx: objects by the names of their classes, in whatever language those are.
#ifndef PACKING_BAGS_HXX
#define PACKING_BAGS_HXX

#include <stdexcept>
#include <string>

#include "pk_Bag.hxx"
#include "sidl_BaseClass.hxx"
#include "sidl_DLL.hxx"
#include "sidl_Loader.hxx"

inline pk::Bag make_bag(const std::string& name) {
  const sidl::DLL library =
      sidl::Loader::findLibrary(name, "ior/impl", sidl::Scope_SCLSCOPE, sidl::Resolve_SCLRESOLVE);
  if (library._is_nil()) throw std::runtime_error("no library has " + name);
  return sidl::babel_cast<pk::Bag>(library.createClass(name));
}

#endif
