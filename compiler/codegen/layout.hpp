// In: a class or an interface of the IR.
// Out: what its objects, or the proxies of the interface, are made of (docs/ior.md): for all that
// lay them out and all that look into them.
#pragma once

#include <cstddef>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::codegen {

// One interface that a class (or the proxy of an interface) has a facet for.
struct Facet {
  const ir::Type* interface = nullptr;
  const ir::Type* holder = nullptr;  // the class whose object struct has the facet as a member
  const ir::Facet* slots = nullptr;  // which of the class's slots it has; nullptr: of a proxy
};

// All facets of a class, its parent's first, or of an interface's proxy, the interface first.
std::vector<Facet> facets(const TypeIndex& index, const ir::Type& type);

// Those that the class adds to its parent's, in the order of the object; of an interface: those of
// its proxy.
std::vector<const ir::Type*> added_facets(const TypeIndex& index, const ir::Type& type);

// Which word of its objects points to the data of a class. Each class in the line of its ancestors
// has its facets there, of two words each, and then its data.
std::size_t data_word(const TypeIndex& index, const ir::Type& type);

}  // namespace shinar::codegen
