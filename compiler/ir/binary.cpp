#include "ir/binary.hpp"

#include <limits>

#include "ir/build.hpp"
#include "ir/wire.hpp"

namespace shinar::ir {
namespace {

// Limits nested expressions, so that recursion over them cannot overflow the stack. sidlc itself
// stays far below.
constexpr int kMaxDepth = 2000;

}  // namespace

std::optional<Module> from_binary(std::string_view bytes, std::string& error) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    error = "it is larger than 2 GiB";
    return std::nullopt;
  }
  // Protocol Buffers would log parse errors to standard error.
  const google::protobuf::LogSilencer silence;
  google::protobuf::io::CodedInputStream input(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                                               static_cast<int>(bytes.size()));
  input.SetRecursionLimit(kMaxDepth);
  Module module;
  if (!module.ParseFromCodedStream(&input) || !input.ConsumedEntireMessage()) {
    error = "it is damaged, or not a compiled package at all";
    return std::nullopt;
  }
  if (module.schema() == 0 || module.types_size() == 0) {
    error = "it is not a compiled package";
    return std::nullopt;
  }
  if (module.schema() > kSchema) {
    error = "it was made by a newer sidlc (schema " + std::to_string(module.schema()) +
            "; this one reads schemas up to " + std::to_string(kSchema) + ")";
    return std::nullopt;
  }
  return module;
}

std::string to_binary(const Module& module) {
  return module.SerializeAsString();
}

}  // namespace shinar::ir
