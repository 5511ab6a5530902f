// In: versions as written.
// Out: whether they are versions (numbers separated by dots), and whether two are the same.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"

namespace shinar::sema {

bool check_version(const ast::Version& version, Diagnostics& diagnostics);
// Trailing zeros do not count: 1, 1.0 and 1.0.0 are the same version.
bool same_version(const std::string& a, const std::string& b);
// 1.9 is before 1.10; invalid versions come first.
bool earlier_version(const std::string& a, const std::string& b);

}  // namespace shinar::sema
