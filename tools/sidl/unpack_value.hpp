/** Values out of an answer: sidl.io.Deserializer on one side, JSON on the other. */
#ifndef SIDL_TOOL_UNPACK_VALUE_HPP
#define SIDL_TOOL_UNPACK_VALUE_HPP

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sidl_BaseInterface.hxx"
#include "sidl_io_Deserializer.hxx"
#include "types.hpp"

namespace sidl_tool {

/**
 * The value as pack_value would take it. Arrays whose lowest indices are not all 0 say so. The
 * objects among the values are added to `objects`: they live as long as somebody has a reference.
 */
nlohmann::ordered_json unpack_value(const sidl::io::Deserializer& from, const TypeInfo& types,
                                    const std::string& key, const Type& type,
                                    std::vector<sidl::BaseInterface>& objects);

}  // namespace sidl_tool
#endif
