// In: a Module that is complete except for its digests.
// Out: the digests by which separately built code and peers are compared.
//
// The digest of a method covers the types of all its values: structs with their members, enums with
// their enumerators, ranks and orders of arrays, extents of raw ones. Classes and interfaces count
// by name: their methods are checked when they are called.
//
// The layout of a type covers everything that generated code using the type depends on: its methods
// and their order, its bases, and the layouts of all types it refers to, directly or indirectly, as
// pointers to them are passed between libraries without further checks. Documentation, the
// package's version and attributes are in neither; types of package sidl, which only libsidl
// implements, count by name.
#pragma once

#include "ir/ir.hpp"

namespace shinar::ir {

// Fills Method.digest and Type.layout, in linear time.
void set_digests(Module& module);

}  // namespace shinar::ir
