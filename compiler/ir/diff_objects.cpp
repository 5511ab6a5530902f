// Classes, interfaces and their methods.

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "ir/diff_parts.hpp"
#include "ir/text.hpp"

namespace shinar::ir {
namespace {

template <typename List>
std::unordered_set<std::string_view> set_of(const List& list) {
  return {list.begin(), list.end()};
}

bool is_interface(const Type& type) {
  return type.object().kind() == Object::INTERFACE;
}

// A type with its callable methods.
class Callable {
 public:
  Callable(const Type& type, const TypeTable& types) : type_(type), types_(types) {
    for (const Slot& slot : type.object().slots()) {
      const Method* method = at(slot.owner(), slot.owner_method());
      if (method != nullptr) methods_.emplace(method->long_name(), method);
      if (method != nullptr && slot.introducer() == type.name()) {
        introduced_.insert(method->long_name());
      }
    }
    add_statics(type);
    for (const std::string& name : type.object().ancestors()) {
      if (const Type* ancestor = types.find(name)) add_statics(*ancestor);
    }
  }

  const Method* find(const std::string& long_name) const {
    const auto found = methods_.find(long_name);
    return found == methods_.end() ? nullptr : found->second;
  }

  bool introduces(const Method& method) const {
    return method.is_static() || introduced_.contains(method.long_name());
  }

  // What the type adds to its table after its parent's part: ".method" for each of its own, the
  // interface's name for those of an interface.
  std::vector<std::string> order() const;
  std::vector<std::string> static_order() const;

 private:
  const Method* at(const std::string& owner, std::uint32_t index) const {
    const Type* type = types_.find(owner);
    if (type == nullptr || index >= static_cast<std::uint32_t>(type->object().methods_size())) {
      return nullptr;
    }
    return &type->object().methods(static_cast<int>(index));
  }
  void add_statics(const Type& type) {
    for (const Method& method : type.object().methods()) {
      if (method.is_static()) methods_.emplace(method.long_name(), &method);
    }
  }

  const Type& type_;
  const TypeTable& types_;
  std::unordered_map<std::string_view, const Method*> methods_;  // by long name
  std::unordered_set<std::string_view> introduced_;
};

std::vector<std::string> Callable::order() const {
  const Object& object = type_.object();
  const bool has_first = is_interface(type_) && object.direct_interfaces_size() > 0;
  const Type* parent = types_.find(has_first ? object.direct_interfaces(0) : object.parent());
  const int inherited = parent == nullptr ? 0 : parent->object().slots_size();
  std::vector<std::string> result;
  std::unordered_set<std::string> seen;
  for (int i = inherited; i < object.slots_size(); ++i) {
    const Slot& slot = object.slots(i);
    const Method* method = at(slot.owner(), slot.owner_method());
    const bool own = method != nullptr && slot.introducer() == type_.name();
    const std::string key = own ? "." + method->long_name() : slot.introducer();
    if (seen.insert(key).second) result.push_back(key);
  }
  return result;
}

std::vector<std::string> Callable::static_order() const {
  std::vector<std::string> result;
  for (const Method& method : type_.object().methods()) {
    if (method.is_static()) result.push_back("." + method.long_name());
  }
  return result;
}

// True if the entries of `before` that remain do not come first in `after`, or not in the same
// order. Added and removed interfaces are reported separately.
bool is_reordered(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const auto is_after = set_of(after);
  std::vector<std::string> expected;
  for (const std::string& item : before) {
    if (is_after.contains(item)) expected.push_back(item);
  }
  const auto is_before = set_of(before);
  std::vector<std::string> present;
  for (const std::string& item : after) {
    if (item.starts_with('.') || is_before.contains(item)) present.push_back(item);
  }
  return !std::equal(
      expected.begin(), expected.end(), present.begin(),
      present.begin() + static_cast<std::ptrdiff_t>(std::min(expected.size(), present.size())));
}

class ObjectDiff {
 public:
  ObjectDiff(const Type& before, const TypeTable& old_types, const Type& after,
             const TypeTable& new_types, Findings& findings)
      : before_(before),
        after_(after),
        old_(before, old_types),
        new_(after, new_types),
        findings_(findings) {}

  void run();

 private:
  void parents();
  void class_words();
  void old_methods();
  void new_methods();
  void method(const Method& before, const Method& after);
  void signature(const Method& before, const Method& after);
  void words(const Method& before, const Method& after);
  void throws(const Method& before, const Method& after);
  void contract(const Method& before, const Method& after);
  void invariants();
  void compare_word(Rule rule, const Method& after, bool was, bool is, const std::string& word);
  std::string name(const Method& method) const {
    return "the method '" + before_.name() + "." + method.long_name() + "'";
  }

  const Type& before_;
  const Type& after_;
  const Callable old_;
  const Callable new_;
  Findings& findings_;
};

void ObjectDiff::run() {
  parents();
  class_words();
  invariants();
  old_methods();
  new_methods();
  if (is_reordered(old_.order(), new_.order()) ||
      is_reordered(old_.static_order(), new_.static_order())) {
    findings_.changed(Rule::SLOT_ORDER_CHANGED, after_.span(),
                      "the methods of '" + before_.name() + "' stand in another order");
  }
}

void ObjectDiff::parents() {
  const Object& old_object = before_.object();
  const Object& object = after_.object();
  const std::string what = "'" + before_.name() + "'";
  const std::string& parent = old_object.parent();
  if (!parent.empty() && object.parent() != parent) {
    const bool inserted = set_of(object.ancestors()).contains(parent);
    findings_.changed(inserted ? Rule::PARENT_INSERTED : Rule::PARENT_CHANGED, after_.span(),
                      what + " extends '" + object.parent() + "', and extended '" + parent + "'");
  }
  const auto interfaces = set_of(object.interfaces());
  for (const std::string& item : old_object.direct_interfaces()) {
    if (item == "sidl.BaseInterface" || interfaces.contains(item)) continue;
    findings_.changed(Rule::INTERFACE_REMOVED, after_.span(),
                      what + " is no '" + item + "' any more");
  }
  const auto old_interfaces = set_of(old_object.interfaces());
  for (const std::string& item : object.direct_interfaces()) {
    if (item == "sidl.BaseInterface" || old_interfaces.contains(item)) continue;
    findings_.changed(Rule::INTERFACE_ADDED, after_.span(), what + " is a '" + item + "' now");
  }
}

void ObjectDiff::class_words() {
  const Object& object = after_.object();
  if (object.abstract() && !before_.object().abstract() && !is_interface(after_)) {
    findings_.changed(Rule::ABSTRACT_ADDED, after_.span(),
                      "the class '" + after_.name() + "' is abstract now");
  }
}

void ObjectDiff::old_methods() {
  for (const Method& item : before_.object().methods()) {
    if (item.from_implements_all()) continue;  // reported for its interface
    const Method* present = new_.find(item.long_name());
    if (present == nullptr && !old_.introduces(item)) continue;  // removed with its interface
    if (present == nullptr) {
      findings_.gone(Rule::METHOD_DELETED, item.span(), name(item) + " is gone");
    } else {
      method(item, *present);
    }
  }
}

void ObjectDiff::new_methods() {
  for (const Method& item : after_.object().methods()) {
    if (item.from_implements_all() || old_.find(item.long_name()) != nullptr) continue;
    if (item.is_static()) continue;  // only the type's own table grows
    const Rule rule = is_interface(after_) ? Rule::METHOD_ADDED_TO_INTERFACE
                      : item.abstract()    ? Rule::ABSTRACT_METHOD_ADDED
                                           : Rule::METHOD_ADDED_TO_CLASS;
    findings_.changed(rule, item.span(), name(item) + " is new");
  }
}

void ObjectDiff::method(const Method& before, const Method& after) {
  if (before.is_static() != after.is_static()) {
    const std::string now = after.is_static() ? " is static now" : " is not static any more";
    findings_.changed(Rule::METHOD_STATIC_CHANGED, after.span(), name(before) + now);
    return;
  }
  // An overriding method must have the signature of the overridden one, where changes are reported.
  if (old_.introduces(before)) signature(before, after);
  throws(before, after);
  contract(before, after);
  const bool in_class = !is_interface(before_);
  if (in_class && after.abstract() && !before.abstract()) {
    findings_.changed(Rule::METHOD_ABSTRACT_ADDED, after.span(), name(before) + " is abstract now");
  }
  if (after.final() && !before.final()) {
    findings_.changed(Rule::METHOD_FINAL_ADDED, after.span(), name(before) + " is final now");
  }
}

std::string signature_text(const Method& method) {
  std::string result = type_text(method.result()) + " (";
  for (const Argument& item : method.arguments()) {
    if (!result.ends_with('(')) result += ", ";
    result += std::string(mode_text(item.mode())) + " " + type_text(item.type());
  }
  return result + ")";
}

void ObjectDiff::signature(const Method& before, const Method& after) {
  if (signature_text(before) != signature_text(after)) {
    findings_.changed(
        Rule::METHOD_SIGNATURE_CHANGED, after.span(),
        name(before) + " is " + signature_text(after) + ", and was " + signature_text(before));
    return;
  }
  words(before, after);
  std::vector<std::string_view> positions;  // extents do not change when arguments are renamed
  for (const Argument& item : before.arguments()) positions.emplace_back(item.name());
  for (int i = 0; i < before.arguments_size(); ++i) {
    const Argument& old_argument = before.arguments(i);
    const Argument& argument = after.arguments(i);
    const std::string what = "the argument '" + old_argument.name() + "' of " + name(before);
    if (old_argument.name() != argument.name()) {
      findings_.changed(Rule::ARGUMENT_RENAMED, argument.span(),
                        what + " is called '" + argument.name() + "' now");
    }
    compare_word(Rule::COPY_CHANGED, after, old_argument.copy(), argument.copy(),
                 "copy for its argument '" + argument.name() + "'");
    const std::string old_extents = extents_text(old_argument.type(), positions);
    const std::string extents = extents_text(argument.type(), positions);
    if (old_extents == extents) continue;
    findings_.changed(Rule::EXTENT_CHANGED, argument.span(),
                      what + " has the extents (" + extents + "), and had (" + old_extents + ")");
  }
}

void ObjectDiff::compare_word(Rule rule, const Method& after, bool was, bool is,
                              const std::string& word) {
  if (was == is) return;
  findings_.changed(
      rule, after.span(),
      name(after) + (is ? " says " : " does not say ") + word + (is ? " now" : " any more"));
}

void ObjectDiff::words(const Method& before, const Method& after) {
  compare_word(Rule::ONEWAY_CHANGED, after, before.oneway(), after.oneway(), "oneway");
  compare_word(Rule::NONBLOCKING_CHANGED, after, before.nonblocking(), after.nonblocking(),
               "nonblocking");
  compare_word(Rule::LOCAL_CHANGED, after, before.local(), after.local(), "local");
  compare_word(Rule::COPY_CHANGED, after, before.copy(), after.copy(), "copy for its result");
  if (before.is_pure() && !after.is_pure()) {
    findings_.changed(Rule::PURE_REMOVED, after.span(), name(before) + " is not pure any more");
  }
}

using Assertions = google::protobuf::RepeatedPtrField<Assertion>;

std::vector<std::string_view> argument_names(const Method& method) {
  std::vector<std::string_view> names;
  for (const Argument& item : method.arguments()) names.emplace_back(item.name());
  return names;
}

// Assertions of one list that another one does not have, whatever they and arguments, of which
// there are `count`, are called.
std::vector<const Assertion*> missing_in(const Assertions& list, const Assertions& other,
                                         int count = 0) {
  std::vector<std::string> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back("argument" + std::to_string(i));
  const std::vector<std::string_view> names(numbers.begin(), numbers.end());
  std::unordered_set<std::string> known;
  for (const Assertion& each : other) known.insert(expression_text(each.expression(), names));
  std::vector<const Assertion*> result;
  for (const Assertion& each : list) {
    if (!known.contains(expression_text(each.expression(), names))) result.push_back(&each);
  }
  return result;
}

// A method that is inherited now has the contract of its new place.
void ObjectDiff::contract(const Method& before, const Method& after) {
  const auto& own = after_.object().methods();
  if (std::ranges::none_of(own, [&](const Method& each) { return &each == &after; })) return;
  const int count = std::max(before.arguments_size(), after.arguments_size());
  for (const Assertion* each : missing_in(after.require(), before.require(), count)) {
    findings_.changed(Rule::PRECONDITION_ADDED, each->span(),
                      name(before) + " requires '" +
                          expression_text(each->expression(), argument_names(after)) + "' now");
  }
  for (const Assertion* each : missing_in(before.ensure(), after.ensure(), count)) {
    findings_.changed(Rule::POSTCONDITION_REMOVED, after.span(),
                      name(before) + " does not ensure '" +
                          expression_text(each->expression(), argument_names(before)) +
                          "' any more");
  }
}

void ObjectDiff::invariants() {
  for (const Assertion* each :
       missing_in(before_.object().invariants(), after_.object().invariants())) {
    findings_.changed(Rule::INVARIANT_REMOVED, after_.span(),
                      "'" + before_.name() + "' has no invariant '" +
                          expression_text(each->expression(), {}) + "' any more");
  }
}

void ObjectDiff::throws(const Method& before, const Method& after) {
  const auto old_throws = set_of(before.throws());
  const auto new_throws = set_of(after.throws());
  for (const std::string& item : before.throws()) {
    if (new_throws.contains(item)) continue;
    findings_.changed(Rule::THROWS_REMOVED, after.span(),
                      name(before) + " does not throw '" + item + "' any more");
  }
  for (const std::string& item : after.throws()) {
    if (old_throws.contains(item)) continue;
    findings_.changed(Rule::THROWS_ADDED, after.span(),
                      name(before) + " throws '" + item + "' now");
  }
}

}  // namespace

void compare_objects(const Type& before, const TypeTable& old_types, const Type& after,
                     const TypeTable& new_types, Findings& findings) {
  ObjectDiff(before, old_types, after, new_types, findings).run();
}

}  // namespace shinar::ir
