#include "ir/digests.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ir/expression_form.hpp"
#include "ir/hash.hpp"
#include "ir/knots.hpp"
#include "ir/text.hpp"

namespace shinar::ir {
namespace {

std::string hex(std::uint64_t value) {
  std::array<char, 20> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(value));
  return digits.data();
}

std::string in_any_order(std::vector<std::uint64_t> parts) {
  std::ranges::sort(parts);
  std::string text;
  for (const std::uint64_t part : parts) text += hex(part);
  return text;
}

// Arguments and members are identified by position, not by name: "#0", "#1"; made once per method
// or struct, as each of its extents may name each of them.
class Places {
 public:
  explicit Places(int count) {
    for (int i = 0; i < count; ++i) names_.push_back("#" + std::to_string(i));
    views_.assign(names_.begin(), names_.end());
  }

  const std::vector<std::string_view>& names() const { return views_; }

 private:
  std::vector<std::string> names_;
  std::vector<std::string_view> views_;
};

std::string extents_text(const TypeRef& type, const Places& places) {
  if (type.extents().empty()) return "";
  std::string text;
  for (const Expression& extent : type.extents()) {
    text += (text.empty() ? "(" : ",") + expression_text(extent, places.names());
  }
  return text + ")";
}

// An array whose extents are numbers lies in its struct, which it did not before version 5.3 of the
// object model.
bool lies_in_struct(const TypeRef& member) {
  return member.kind() == TypeRef::RARRAY && !names_variable(member);
}

// ---- values: methods, structs and enums ---------------------------------------------------------

// The digests of the structs and enums of a module, by name.
class Values {
 public:
  explicit Values(const Module& module) {
    for (const Type& type : module.types()) {
      if (type.has_enumeration()) digests_[type.name()] = fnv1a(enum_text(type));
    }
    for (const std::vector<int>& knot : find_knots(structs_in_structs(module))) {
      if (module.types(knot.front()).has_structure()) set_structs(module, knot);
    }
  }

  // "demo.Stats#0123456789abcdef", "array<double,1>", "demo.Solver"
  std::string text(const TypeRef& type) const {
    const bool is_array = type.kind() == TypeRef::ARRAY || type.kind() == TypeRef::RARRAY;
    if (is_array && type.has_element()) {
      std::string text = type.kind() == TypeRef::ARRAY ? "array<" : "rarray<";
      text += this->text(type.element()) + "," + std::to_string(type.dimension());
      if (type.order() == TypeRef::COLUMN_MAJOR) text += ",column-major";
      if (type.order() == TypeRef::ROW_MAJOR) text += ",row-major";
      return text + ">";
    }
    return type_text(type, [this](const std::string& name) {
      const auto found = digests_.find(name);
      return found == digests_.end() ? name : name + "#" + hex(found->second);
    });
  }

  std::string method_text(const Method& method) const {
    std::string text = method.oneway() ? "oneway " : "";
    if (method.copy()) text += "copy ";
    text += this->text(method.result()) + " " + method.long_name() + "(";
    const Places places(method.arguments_size());
    for (const Argument& argument : method.arguments()) {
      if (text.back() != '(') text += ',';
      if (argument.copy()) text += "copy ";
      text += std::string(mode_text(argument.mode())) + " " + this->text(argument.type()) +
              extents_text(argument.type(), places);
    }
    return text + ")";
  }

  static std::string enum_text(const Type& type) {
    // Sorted by value: the order of declaration does not matter.
    std::vector<std::pair<int, std::string>> items;
    for (const Enumerator& item : type.enumeration().enumerators()) {
      items.emplace_back(item.value(), item.name());
    }
    std::ranges::sort(items);
    std::string text = "enum " + type.name() + "{";
    for (const auto& [value, name] : items) text += name + "=" + std::to_string(value) + ";";
    return text + "}";
  }

  // Of structs that are not known yet, there is the name alone.
  std::string struct_text(const Type& type) const {
    std::string text = "struct " + type.name() + "{";
    const Places places(type.structure().members_size());
    for (const Member& item : type.structure().members()) {
      if (lies_in_struct(item.type())) text += "inline ";
      text += this->text(item.type()) + extents_text(item.type(), places) + " " + item.name() + ";";
    }
    return text + "}";
  }

 private:
  static References structs_in_structs(const Module& module) {
    std::unordered_map<std::string_view, int> index;
    for (int i = 0; i < module.types_size(); ++i) index.emplace(module.types(i).name(), i);
    References references(static_cast<std::size_t>(module.types_size()));
    for (int i = 0; i < module.types_size(); ++i) {
      for (const Member& item : module.types(i).structure().members()) {
        const TypeRef& held = item.type().has_element() ? item.type().element() : item.type();
        if (held.kind() != TypeRef::STRUCT) continue;
        const auto found = index.find(held.name());
        if (found != index.end()) references[i].push_back(found->second);
      }
    }
    return references;
  }

  // Structs that contain arrays of each other all have the contents of all of them.
  void set_structs(const Module& module, const std::vector<int>& knot) {
    std::vector<std::uint64_t> parts;
    for (const int each : knot) parts.push_back(fnv1a(struct_text(module.types(each))));
    if (knot.size() == 1) {
      digests_[module.types(knot.front()).name()] = parts.front();
      return;
    }
    const std::string all = in_any_order(std::move(parts));
    for (const int each : knot) {
      const std::string& name = module.types(each).name();
      digests_[name] = fnv1a("structs " + name + ":" + all);
    }
  }

  std::unordered_map<std::string_view, std::uint64_t> digests_;
};

// ---- layouts ------------------------------------------------------------------------------------

bool is_of_libsidl(std::string_view name) {
  return name.starts_with("sidl.");
}

// The types of a module and which of them mention which.
class Layouts {
 public:
  Layouts(Module& module, const Values& values) : module_(module), values_(values) {
    for (int i = 0; i < module.types_size(); ++i) index_.emplace(module.types(i).name(), i);
    for (const Type& type : module.types()) mentions_.push_back(mentions_of(type));
  }

  void set();

 private:
  std::string own_text(const Type& type) const;
  std::string object_text(const Type& type) const;
  std::vector<int> mentions_of(const Type& type) const;
  void set(const std::vector<int>& knot);

  Module& module_;
  const Values& values_;
  std::unordered_map<std::string_view, int> index_;
  References mentions_;
};

std::vector<int> Layouts::mentions_of(const Type& type) const {
  std::vector<int> result;
  if (is_of_libsidl(type.name())) return result;
  const auto add = [&](const std::string& name) {
    const auto found = index_.find(name);
    if (found != index_.end() && !is_of_libsidl(name)) result.push_back(found->second);
  };
  const auto add_type = [&](const TypeRef& mentioned) {
    add(mentioned.has_element() ? mentioned.element().name() : mentioned.name());
  };
  for (const Member& item : type.structure().members()) add_type(item.type());
  add(type.object().parent());
  for (const std::string& name : type.object().direct_interfaces()) add(name);
  for (const Method& method : type.object().methods()) {
    add_type(method.result());
    for (const Argument& argument : method.arguments()) add_type(argument.type());
    for (const std::string& name : method.throws()) add(name);
  }
  return result;
}

std::string Layouts::object_text(const Type& type) const {
  const Object& object = type.object();
  std::string text = object.kind() == Object::CLASS ? "class " : "interface ";
  text += type.name() + (object.abstract() ? " abstract" : "") + " extends " + object.parent();
  for (const std::string& name : object.direct_interfaces()) text += "," + name;
  text += " as";
  for (const std::string& name : object.interfaces()) text += "," + name;
  text += "{";
  for (const Slot& slot : object.slots()) {
    const auto introducer = index_.find(slot.introducer());
    const auto owner = index_.find(slot.owner());
    if (introducer == index_.end() || owner == index_.end()) continue;
    const auto method = [&](int at, std::uint32_t number) -> const Method& {
      return module_.types(at).object().methods(static_cast<int>(number));
    };
    text += slot.introducer() + " " +
            values_.method_text(method(introducer->second, slot.introducer_method())) + " as " +
            method(owner->second, slot.owner_method()).long_name() + ";";
  }
  for (const Method& method : object.methods()) {
    text += method.is_static() ? "static " : "";
    text += method.nonblocking() ? "nonblocking " : "";
    text += method.local() ? "local " : "";
    text += values_.method_text(method);
    for (const std::string& name : method.throws()) text += " throws " + name;
    text += ";";
  }
  return text + "}";
}

std::string Layouts::own_text(const Type& type) const {
  if (type.has_enumeration()) return Values::enum_text(type);
  return type.has_structure() ? values_.struct_text(type) : object_text(type);
}

// Types that mention each other share one layout, made of their own texts and of the layouts of the
// other types they mention, independent of order.
void Layouts::set(const std::vector<int>& knot) {
  std::vector<std::uint64_t> parts;
  std::vector<std::uint64_t> others;
  for (const int each : knot) {
    parts.push_back(fnv1a(own_text(module_.types(each))));
    for (const int mentioned : mentions_[each]) {
      // Types without a layout belong to this knot.
      if (module_.types(mentioned).layout() != 0) {
        others.push_back(module_.types(mentioned).layout());
      }
    }
  }
  std::ranges::sort(others);
  others.erase(std::unique(others.begin(), others.end()), others.end());
  std::string text = in_any_order(std::move(parts)) + ":";
  for (const std::uint64_t other : others) text += hex(other);
  for (const int each : knot) {
    Type& type = *module_.mutable_types(each);
    type.set_layout(fnv1a(type.name() + ":" + text));
  }
}

void Layouts::set() {
  for (const std::vector<int>& knot : find_knots(mentions_)) set(knot);
}

}  // namespace

void set_digests(Module& module) {
  const Values values(module);
  for (Type& type : *module.mutable_types()) {
    if (!type.has_object()) continue;
    for (Method& method : *type.mutable_object()->mutable_methods()) {
      method.set_digest(fnv1a(values.method_text(method)));
    }
  }
  Layouts(module, values).set();
}

}  // namespace shinar::ir
