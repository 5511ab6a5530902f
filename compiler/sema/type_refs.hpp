// In: types and dimensions as written.
// Out: their model.
#pragma once

#include <optional>

#include "diagnostics/diagnostic.hpp"
#include "sema/model.hpp"

namespace shinar::sema {

model::Kind kind_of(ast::Basic basic);

// 1 where none is written; zero, and a diagnostic, when the dimension is not possible.
std::uint32_t dimension_of(const std::optional<ast::Integer>& dimension, Diagnostics& diagnostics);

}  // namespace shinar::sema
