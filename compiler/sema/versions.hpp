// In: versions as written.
// Out: whether they are versions (numbers separated by dots), and whether two are the same.
#pragma once

#include "diagnostics/diagnostic.hpp"
#include "frontend/ast.hpp"

namespace shinar::sema {

bool check_version(const ast::Version& version, Diagnostics& diagnostics);
// Zeros at the end do not count: 1, 1.0 and 1.0.0 are one version.
bool same_version(const std::string& a, const std::string& b);
// 1.9 comes before 1.10; what is no version comes first.
bool earlier_version(const std::string& a, const std::string& b);

}  // namespace shinar::sema
