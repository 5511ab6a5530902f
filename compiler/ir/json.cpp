#include "ir/json.hpp"

#include <google/protobuf/util/json_util.h>

namespace shinar::ir {

std::string to_json(const Module& module) {
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  std::string text;
  // Fails only on invalid UTF-8, which the front end does not let through, and on deep nesting,
  // which the analysis of contracts does not.
  const auto status = google::protobuf::util::MessageToJsonString(module, &text, options);
  return status.ok() ? text : std::string();
}

}  // namespace shinar::ir
