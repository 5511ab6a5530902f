// Structs are passed by value: each language that a call passes through has its own copy on the
// stack, and stacks of threads are small (1 MiB in a JVM).

#include <algorithm>
#include <cstdint>
#include <unordered_map>

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

using model::Kind;

constexpr std::int64_t kMostInStruct = 64 << 10;   // bytes
constexpr std::int64_t kMostInMethod = 256 << 10;  // bytes of structs

struct Extent {
  std::int64_t size = 8;  // bytes; pointers have 8
  std::int64_t alignment = 8;
};

std::int64_t rounded(std::int64_t offset, std::int64_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

Extent extent_of(Kind kind) {
  switch (kind) {
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) \
  case Kind::identifier:                                                         \
    return {bytes, alignment};
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    case Kind::Rarray:  // and the array that owns the memory
      return {16, 8};
    default:
      return {};
  }
}

class StackLimits {
 public:
  explicit StackLimits(Context& context);

  void method(const model::Method& method);

 private:
  Extent member(const model::Member& member) const;
  Extent structure(const model::Type& type) const;
  std::int64_t bytes(const model::TypeRef& type) const;

  Diagnostics& diagnostics_;
  std::unordered_map<const model::Type*, Extent> structs_;
};

// Members come before structs in the order. A struct that is too large counts as a small one in
// others, so that it is reported once.
StackLimits::StackLimits(Context& context) : diagnostics_(context.diagnostics) {
  for (const model::Type* type : context.model.order) {
    if (type->kind != Kind::Struct) continue;
    Extent extent = structure(*type);
    if (extent.size > kMostInStruct && !type->is_external) {
      diagnostics_.report(Code::LargeStruct, type->span,
                          "the struct " + in_quotes(type->local_name) + " has " +
                              std::to_string(extent.size) + " bytes, and structs have at most " +
                              std::to_string(kMostInStruct) +
                              ", as they are on stacks; put large parts into an array<>");
      extent = {};
    }
    structs_.emplace(type, extent);
  }
}

Extent StackLimits::member(const model::Member& member) const {
  if (member.inline_size > 0) {
    const Extent element = extent_of(member.type.element);
    return {member.inline_size * element.size, element.alignment};
  }
  if (member.type.kind != Kind::Struct) return extent_of(member.type.kind);
  const auto found = structs_.find(member.type.type);
  return found == structs_.end() ? Extent{} : found->second;
}

Extent StackLimits::structure(const model::Type& type) const {
  Extent all{0, 1};
  for (const model::Member& item : type.members) {
    const Extent extent = member(item);
    all.alignment = std::max(all.alignment, extent.alignment);
    all.size = rounded(all.size, extent.alignment) + extent.size;
  }
  all.size = rounded(all.size, all.alignment);
  return all;
}

std::int64_t StackLimits::bytes(const model::TypeRef& type) const {
  if (type.kind != Kind::Struct) return 0;
  const auto found = structs_.find(type.type);
  return found == structs_.end() ? 0 : found->second.size;
}

void StackLimits::method(const model::Method& method) {
  std::int64_t all = bytes(method.result);
  for (const model::Argument& argument : method.arguments) all += bytes(argument.type);
  if (all <= kMostInMethod) return;
  diagnostics_.report(Code::LargeArguments, method.span,
                      "the structs that are arguments and result of " +
                          in_quotes(method.long_name) + " have " + std::to_string(all) +
                          " bytes together, and may have " + std::to_string(kMostInMethod) +
                          ", as they are on stacks; pass an array<> of them");
}

}  // namespace

void limit_structs(Context& context) {
  StackLimits limits(context);
  for (const model::Type* type : context.model.order) {
    if (type->is_external) continue;
    for (const auto& method : type->methods) {
      if (!method->from_implements_all) limits.method(*method);
    }
  }
}

}  // namespace shinar::sema
