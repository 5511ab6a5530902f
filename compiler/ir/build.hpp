// In: a model without errors, which is freed while the IR is built, as memory may not suffice for
// both.
// Out: the IR: the requested types, and as external types those they refer to.
#pragma once

#include "diagnostics/source.hpp"
#include "ir/ir.hpp"
#include "sema/model.hpp"

namespace shinar::ir {

inline constexpr std::uint32_t kSchema = 2;

// `files` are the sources that Span.file of the IR may name, in its order; types from other
// sources (the standard library inside sidlc) have no spans.
Module build(model::Model model, const Sources& sources, const std::vector<std::uint32_t>& files);

}  // namespace shinar::ir
