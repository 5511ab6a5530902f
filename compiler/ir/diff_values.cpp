// Enums and structs.

#include <algorithm>

#include "ir/diff_parts.hpp"
#include "ir/text.hpp"

namespace shinar::ir {
namespace {

using Members = google::protobuf::RepeatedPtrField<Member>;

void compare_enums(const Type& before, const Type& after, Findings& findings) {
  const Named<Enumerator> present(after.enumeration().enumerators());
  for (const Enumerator& item : before.enumeration().enumerators()) {
    const Enumerator* found = present.find(item.name());
    const std::string what = "the enumerator '" + before.name() + "." + item.name() + "'";
    if (found == nullptr) {
      findings.gone(Rule::ENUMERATOR_DELETED, item.span(), what + " is gone");
    } else if (found->value() != item.value()) {
      findings.changed(Rule::ENUMERATOR_VALUE_CHANGED, found->span(),
                       what + " is " + std::to_string(found->value()) + ", and was " +
                           std::to_string(item.value()));
    }
  }
  const Named<Enumerator> past(before.enumeration().enumerators());
  for (const Enumerator& item : after.enumeration().enumerators()) {
    if (past.find(item.name()) != nullptr) continue;
    findings.changed(Rule::ENUMERATOR_ADDED, item.span(),
                     "the enumerator '" + before.name() + "." + item.name() + "' is new");
  }
}

// A struct's members, in order and by name.
struct Side {
  explicit Side(const Type& type) : list(type.structure().members()), by_name(list) {
    for (const Member& member : list) names.emplace_back(member.name());
  }

  const Members& list;
  const Named<Member> by_name;
  std::vector<std::string_view> names;
};

class StructDiff {
 public:
  StructDiff(const Type& before, const Type& after, Findings& findings)
      : name_(before.name()), old_(before), new_(after), after_(after), findings_(findings) {}

  void run();

 private:
  bool is_renamed(int i) const;
  void member(const Member& before, const Member& after);
  std::string text(const Member& member) const {
    return "the member '" + name_ + "." + member.name() + "'";
  }

  const std::string& name_;
  const Side old_;
  const Side new_;
  const Type& after_;
  Findings& findings_;
};

// True if a removed name was replaced by a new one at the same position.
bool StructDiff::is_renamed(int i) const {
  if (old_.list.size() != new_.list.size()) return false;
  const Member& before = old_.list[i];
  const Member& after = new_.list[i];
  return !new_.by_name.contains(before.name()) && !old_.by_name.contains(after.name()) &&
         type_text(before.type()) == type_text(after.type());
}

void StructDiff::member(const Member& before, const Member& after) {
  const std::string old_type = type_text(before.type());
  const std::string type = type_text(after.type());
  const std::string old_extents = extents_text(before.type(), old_.names);
  const std::string extents = extents_text(after.type(), new_.names);
  if (type != old_type) {
    findings_.changed(Rule::MEMBER_TYPE_CHANGED, after.span(),
                      text(before) + " is of type " + type + ", and was of type " + old_type);
  } else if (extents != old_extents) {
    findings_.changed(
        Rule::EXTENT_CHANGED, after.span(),
        text(before) + " has the extents (" + extents + "), and had (" + old_extents + ")");
  }
}

void StructDiff::run() {
  std::vector<std::string_view> old_order;  // of those that remain
  std::vector<std::string_view> order;
  for (int i = 0; i < old_.list.size(); ++i) {
    const Member& item = old_.list[i];
    if (const Member* found = new_.by_name.find(item.name())) {
      old_order.emplace_back(item.name());
      member(item, *found);
    } else if (is_renamed(i)) {
      const Member& now = new_.list[i];
      findings_.changed(Rule::MEMBER_RENAMED, now.span(),
                        text(item) + " is called '" + now.name() + "' now");
    } else {
      findings_.gone(Rule::MEMBER_DELETED, item.span(), text(item) + " is gone");
    }
  }
  for (int i = 0; i < new_.list.size(); ++i) {
    const Member& item = new_.list[i];
    if (old_.by_name.contains(item.name())) {
      order.emplace_back(item.name());
    } else if (!is_renamed(i)) {
      findings_.changed(Rule::MEMBER_ADDED, item.span(), text(item) + " is new");
    }
  }
  if (order == old_order) return;
  findings_.changed(Rule::MEMBER_ORDER_CHANGED, after_.span(),
                    "the members of '" + name_ + "' stand in another order");
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
  if (before.has_structure()) StructDiff(before, after, findings).run();
}

}  // namespace shinar::ir
