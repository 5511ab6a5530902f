// In: a Module that is complete but for its digests.
// Out: what code and peers that were built apart are compared by.
//
// The digest of a method covers all that its values are made of: structs down to their members,
// enums down to their enumerators, ranks and orders of arrays, extents of raw ones. Classes and
// interfaces count by name: what they can do is asked of each method when it is called.
//
// The layout of a type covers all that generated code which uses the type relies on: its methods
// and their order, its bases, and the layouts of all types that it mentions, directly or not, for
// pointers to them go from one library to another without being looked at again. Documentation, the
// version of the package and attributes are in neither; types of package sidl, which are libsidl's
// alone, count by name.
#pragma once

#include "ir/ir.hpp"

namespace shinar::ir {

// Fills Method.digest and Type.layout, in time linear in what the module says.
void set_digests(Module& module);

}  // namespace shinar::ir
