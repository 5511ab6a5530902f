/**
 * Packs values of a call from JSON with a sidl.io.Serializer.
 */
#ifndef SIDL_TOOL_PACK_VALUE_HPP
#define SIDL_TOOL_PACK_VALUE_HPP

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sidl_io_Serializer.hxx"
#include "types.hpp"

namespace sidl_tool {

/**
 * Packs a value of a type of `types`. Structs are JSON objects with all their members, arrays are
 * nested lists or {"lower": [...], "order": "column-major", "data": ...}, objects are URLs; generic
 * arrays are {"type": "double", "data": ...}. Throws UsageError, prefixed with `where`, for
 * anything else.
 */
void pack_value(const sidl::io::Serializer& to, const TypeInfo& types, const std::string& key,
                const Type& type, const nlohmann::ordered_json& value, const std::string& where);

}  // namespace sidl_tool
#endif
