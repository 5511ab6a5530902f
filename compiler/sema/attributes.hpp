// In: the attributes and %attrib lists before a declaration.
// Out: the entries of the lists, each key once.
#pragma once

#include <vector>

#include "diagnostics/diagnostic.hpp"
#include "sema/model.hpp"

namespace shinar::sema {

std::vector<model::Attribute> read_attributes(const std::vector<ast::Attribute>& attributes,
                                              Diagnostics& diagnostics);

}  // namespace shinar::sema
