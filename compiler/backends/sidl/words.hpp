// In: parts of the IR that mention no types.
// Out: the words SIDL has for them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/ir.hpp"

namespace shinar::backends::sidl {

// "%attrib{key, other = \"value\"} ", or nothing.
std::string attribute_words(const google::protobuf::RepeatedPtrField<ir::Attribute>& attributes);

// "oneway static ", with what %attrib adds. In an interface `abstract` goes without saying.
std::string method_words(const ir::Method& method, bool in_class);

// What a from clause names in the interface: "area[Exact]".
std::string renamed(const ir::Method& method);

// "positive: x > 0;"
std::vector<std::string> assertion_lines(
    const google::protobuf::RepeatedPtrField<ir::Assertion>& assertions,
    const std::vector<std::string_view>& variables);

std::vector<std::string_view> argument_names(const ir::Method& method);
std::vector<std::string_view> member_names(const ir::Struct& structure);

}  // namespace shinar::backends::sidl
