// In: the bytes of a compiled package (.sidlir), which may come from anyone.
// Out: the module in it, or in one sentence why there is none. Its consistency is checked by
// validate().
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "ir/ir.hpp"

namespace shinar::ir {

std::optional<Module> from_binary(std::string_view bytes, std::string& error);
std::string to_binary(const Module& module);

}  // namespace shinar::ir
