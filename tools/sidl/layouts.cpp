#include "layouts.hpp"

#include <algorithm>

#include "answers.hpp"

namespace sidl_tool {
namespace {

/** sidlc's limit: what a server describes may contain others, which contain others, … */
constexpr std::size_t largest = std::size_t{64} << 10;
constexpr int deepest = 256;

struct Extent {
  std::size_t size, alignment;
};

Extent extent_of(sidl_kind kind) {
  switch (kind) {
#define SIDL_BASIC(name, number, array, ctype, Name, numpy) \
  case number:                                              \
    return {sizeof(ctype), alignof(ctype)};
#include "sidl_kinds.def"
    case sidl_kind_enum:
      return {sizeof(std::int64_t), alignof(std::int64_t)};
    default:
      return {sizeof(void*), alignof(void*)};
  }
}

/** As deep as a value is, what reads or writes it calls itself. */
void check_depth(int depth) {
  if (depth <= deepest) return;
  throw WrongAnswer("structs are nested more than " + std::to_string(deepest) + " deep");
}

std::size_t rounded(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

}  // namespace

const Members& members_of(const TypeInfo& types, const std::string& name) {
  const auto found = types.structs.find(name);
  if (found == types.structs.end()) {
    throw WrongAnswer("it does not describe struct " + name);
  }
  return found->second;
}

void Layouts::add(Table& to, const std::string& name, const Type& type) {
  Extent extent = extent_of(type.kind);
  sidl_member_info member{};
  member.name = name.c_str();
  member.type.kind = static_cast<std::uint8_t>(type.kind);
  if (type.kind == sidl_kind_struct) {
    const Table& inner = table(type.name);
    member.type.structure = &inner.info;
    extent = {inner.info.size, inner.alignment};
    to.depth = std::max(to.depth, inner.depth + 1);
    check_depth(to.depth);
  } else if (type.is_inline()) {
    member.type.kind = sidl_kind_inline;
    member.type.element = static_cast<std::uint8_t>(type.element);
    member.type.dimension = static_cast<std::uint8_t>(type.dimension);
    member.type.lengths = type.lengths.data();
    extent = extent_of(type.element);
    extent.size *= type.count();
  }
  member.offset = rounded(to.info.size, extent.alignment);
  to.info.size = member.offset + extent.size;
  if (to.info.size > largest)
    throw WrongAnswer("a struct has more than " + std::to_string(largest) + " bytes");
  to.alignment = std::max(to.alignment, extent.alignment);
  to.members.push_back(member);
}

const Layouts::Table& Layouts::table(const std::string& name) {
  const auto [found, is_new] = tables_.try_emplace(name);
  Table& made = found->second;
  if (is_new) {
    check_depth(++depth_);
    const Members& members = members_of(types_, name);
    for (const auto& [member, type] : members) add(made, member, type);
    made.info.name = found->first.c_str();
    made.info.size = rounded(std::max<std::size_t>(made.info.size, 1), made.alignment);
    made.info.members = made.members.data();
    made.info.member_count = static_cast<std::int32_t>(made.members.size());
    --depth_;
  } else if (made.info.name == nullptr) {
    throw WrongAnswer("struct " + name + " contains itself");
  }
  return made;
}

const sidl_struct_info& Layouts::find(const std::string& name) {
  return table(name).info;
}

}  // namespace sidl_tool
