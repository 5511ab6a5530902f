// Enums and structs.

#include <algorithm>

#include "ir/diff_parts.hpp"
#include "ir/text.hpp"

namespace shinar::ir {
namespace {

using Members = google::protobuf::RepeatedPtrField<Member>;

void compare_enums(const Type& before, const Type& after, Findings& findings) {
  const auto& present = after.enumeration().enumerators();
  for (const Enumerator& item : before.enumeration().enumerators()) {
    const auto found = find_named(present, item.name());
    const std::string what = "the enumerator '" + before.name() + "." + item.name() + "'";
    if (found == present.end()) {
      findings.gone(Rule::ENUMERATOR_DELETED, item.span(), what + " is gone");
    } else if (found->value() != item.value()) {
      findings.changed(Rule::ENUMERATOR_VALUE_CHANGED, found->span(),
                       what + " is " + std::to_string(found->value()) + ", and was " +
                           std::to_string(item.value()));
    }
  }
}

std::vector<std::string_view> names_of(const Members& members) {
  std::vector<std::string_view> names;
  for (const Member& member : members) names.emplace_back(member.name());
  return names;
}

// A name nobody had before stands where a name is that nobody has any more.
bool is_renamed(const Members& before, const Members& after, int i) {
  return before.size() == after.size() && find_named(after, before[i].name()) == after.end() &&
         find_named(before, after[i].name()) == before.end() &&
         type_text(before[i].type()) == type_text(after[i].type());
}

void compare_member(const std::string& what, const Member& before, const Members& old_members,
                    const Member& after, const Members& members, Findings& findings) {
  const std::string old_type = type_text(before.type());
  const std::string type = type_text(after.type());
  const std::string old_extents = extents_text(before.type(), names_of(old_members));
  const std::string extents = extents_text(after.type(), names_of(members));
  if (type != old_type) {
    findings.changed(Rule::MEMBER_TYPE_CHANGED, after.span(),
                     what + " is of type " + type + ", and was of type " + old_type);
  } else if (extents != old_extents) {
    findings.changed(Rule::EXTENT_CHANGED, after.span(),
                     what + " has the extents (" + extents + "), and had (" + old_extents + ")");
  }
}

void compare_structs(const Type& before, const Type& after, Findings& findings) {
  const Members& old_members = before.structure().members();
  const Members& members = after.structure().members();
  std::vector<std::string_view> old_order;  // of those that stay
  std::vector<std::string_view> order;
  for (int i = 0; i < old_members.size(); ++i) {
    const Member& item = old_members[i];
    const std::string what = "the member '" + before.name() + "." + item.name() + "'";
    const auto found = find_named(members, item.name());
    if (found != members.end()) {
      old_order.emplace_back(item.name());
      compare_member(what, item, old_members, *found, members, findings);
    } else if (is_renamed(old_members, members, i)) {
      findings.changed(Rule::MEMBER_RENAMED, members[i].span(),
                       what + " is called '" + members[i].name() + "' now");
    } else {
      findings.gone(Rule::MEMBER_DELETED, item.span(), what + " is gone");
    }
  }
  for (int i = 0; i < members.size(); ++i) {
    const Member& item = members[i];
    if (find_named(old_members, item.name()) != old_members.end()) {
      order.emplace_back(item.name());
    } else if (!is_renamed(old_members, members, i)) {
      findings.changed(Rule::MEMBER_ADDED, item.span(),
                       "the member '" + before.name() + "." + item.name() + "' is new");
    }
  }
  if (order != old_order) {
    findings.changed(Rule::MEMBER_ORDER_CHANGED, after.span(),
                     "the members of '" + before.name() + "' stand in another order");
  }
}

}  // namespace

std::string extents_text(const TypeRef& type, const std::vector<std::string_view>& names) {
  std::string result;
  for (const Expression& extent : type.extents()) {
    result += (result.empty() ? "" : ", ") + expression_text(extent, names);
  }
  return result;
}

void compare_values(const Type& before, const Type& after, Findings& findings) {
  if (before.has_enumeration()) compare_enums(before, after, findings);
  if (before.has_structure()) compare_structs(before, after, findings);
}

}  // namespace shinar::ir
