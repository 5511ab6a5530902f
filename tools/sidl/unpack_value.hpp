/**
 * Unpacks values of an answer with a sidl.io.Deserializer into JSON.
 */
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
 * The value in the format of pack_value. Arrays contain their lower bounds unless all are 0.
 * Objects are also added to `objects`, as they live only as long as they are referenced.
 */
nlohmann::ordered_json unpack_value(const sidl::io::Deserializer& from, const TypeInfo& types,
                                    const std::string& key, const Type& type,
                                    std::vector<sidl::BaseInterface>& objects);

}  // namespace sidl_tool
#endif
