#include "ir/restore.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "diagnostics/diagnostic.hpp"
#include "frontend/limits.hpp"
#include "frontend/words.hpp"
#include "ir/restore_parts.hpp"
#include "ir/text.hpp"

namespace shinar::ir {
namespace {

std::string local_of(std::string_view name) {
  return std::string(name.substr(name.rfind('.') + 1));
}

}  // namespace

// ---- text ---------------------------------------------------------------------------------------

Place Restorer::put(std::string_view text) {
  const std::uint32_t begin = here();
  if (begin + text.size() > limits::kFileBytes) {
    fault("it is larger than " + std::to_string(limits::kFileMegabytes) + " MiB");
  } else {
    result_.text += text;
  }
  return since(begin);
}

void Restorer::end_line(std::string_view end) {
  put(end);
  put("\n");
  put(std::string(2 * depth_, ' '));
}

void Restorer::fault(std::string what) {
  if (result_.fault.empty()) result_.fault = std::move(what);
}

ast::Name Restorer::name(const std::string& text) {
  if (!is_name(text)) fault(in_quotes(text) + " is no name");
  return {text, put(text)};
}

// ".demo.Solver", which means the same wherever it stands.
ast::ScopedName Restorer::type_name(const std::string& absolute) {
  ast::ScopedName result;
  result.absolute = true;
  const std::uint32_t begin = here();
  for (std::size_t at = 0; at <= absolute.size();) {
    const std::size_t end = std::min(absolute.find('.', at), absolute.size());
    put(".");
    result.parts.push_back(name(absolute.substr(at, end - at)));
    at = end + 1;
  }
  result.span = since(begin);
  return result;
}

std::vector<ast::ScopedName> Restorer::type_names(
    const google::protobuf::RepeatedPtrField<std::string>& names) {
  std::vector<ast::ScopedName> result;
  for (const std::string& each : names) {
    if (!result.empty()) put(", ");
    result.push_back(type_name(each));
  }
  return result;
}

// ---- packages -----------------------------------------------------------------------------------

bool Restorer::is_wanted(const Package& package) const {
  if (only_.empty()) return !package.external();
  return package.name() == only_ || only_.starts_with(package.name() + ".");
}

bool Restorer::says_something(const Package& package) const {
  if (!is_whole(package)) return false;
  return !package.doc().empty() || package.attributes_size() > 0 ||
         (only_.empty() && package.final());
}

// As they stood in the source; where a module knows no places, in its own order.
std::vector<Restorer::Item> Restorer::items_of(const Package& package) const {
  std::vector<Item> items;
  if (const auto own = types_.find(package.name()); own != types_.end()) {
    items.assign(own->second.begin(), own->second.end());
  }
  if (const auto inner = inner_.find(package.name()); inner != inner_.end()) {
    std::ranges::copy_if(inner->second, std::back_inserter(items),
                         [&](const Package* each) { return is_wanted(*each); });
  }
  std::ranges::stable_sort(items, {}, [](const Item& item) {
    const auto place = [](const auto* each) {
      return std::tuple(each->span().file(), each->span().line(), each->span().column());
    };
    return std::visit(place, item);
  });
  return items;
}

void Restorer::write(std::string_view only) {
  only_ = only;
  for (const Package* each : inner_[{}]) {
    if (is_wanted(*each)) result_.file.declarations.push_back(package(*each, {}));
  }
}

// One that holds another one and says nothing itself is part of that one's name: "a.b".
ast::Declaration Restorer::package(const Package& first, std::string_view outer_version) {
  std::vector<const Package*> line{&first};
  std::vector<Item> items = items_of(first);
  while (items.size() == 1 && !says_something(*line.back())) {
    const auto* const* inner = std::get_if<const Package*>(&items.front());
    if (inner == nullptr || (*inner)->version() != line.back()->version()) break;
    line.push_back(*inner);
    items = items_of(**inner);
  }
  const Package& last = *line.back();
  ast::Declaration result;
  if (is_whole(last)) {
    result.doc = comment_text(last.doc());
    result.attributes = attributes(last.attributes());
    word(only_.empty() && last.final(), ast::Word::Final, "final", result.attributes);
  }
  ast::Package body;
  put("package ");
  const std::uint32_t begin = here();
  for (const Package* each : line) {
    if (each != &first) put(".");
    body.name.parts.push_back(name(local_of(each->name())));
  }
  body.name.span = since(begin);
  if (first.version() != outer_version) {
    put(" version ");
    body.version = ast::Version{last.version(), put(last.version())};
  }
  ++depth_;
  for (const Item& item : items) {
    end_line(&item == &items.front() ? " {" : "");
    const auto* own = std::get_if<const Type*>(&item);
    body.declarations.push_back(
        own != nullptr ? type(**own) : package(*std::get<const Package*>(item), last.version()));
  }
  --depth_;
  end_line(items.empty() ? " {" : "");
  end_line("}");
  result.body = std::move(body);
  return result;
}

// ---- types --------------------------------------------------------------------------------------

ast::Declaration Restorer::type(const Type& from) {
  ast::Declaration result;
  result.doc = comment_text(from.doc());
  result.attributes = attributes(from.attributes());
  if (from.has_enumeration()) {
    result.body = enumeration(from);
  } else if (from.has_structure()) {
    result.body = structure(from);
  } else {
    word(from.object().abstract(), ast::Word::Abstract, "abstract", result.attributes);
    result.body = object(from);
  }
  end_line("}");
  return result;
}

ast::Enum Restorer::enumeration(const Type& from) {
  ast::Enum result;
  put("enum ");
  result.name = name(from.local_name());
  end_line(" {");
  for (const Enumerator& item : from.enumeration().enumerators()) {
    ast::Enumerator& to = result.enumerators.emplace_back();
    to.doc = comment_text(item.doc());
    put("  ");
    to.name = name(item.name());
    put(" = ");
    to.value = number(item.value(), put(std::to_string(item.value())));
    end_line(",");
  }
  return result;
}

ast::Struct Restorer::structure(const Type& from) {
  ast::Struct result;
  put("struct ");
  result.name = name(from.local_name());
  end_line(" {");
  const Names variables = names_of(from.structure().members());
  for (const Member& item : from.structure().members()) {
    ast::Member& to = result.members.emplace_back();
    to.doc = comment_text(item.doc());
    put("  ");
    Variable variable = this->variable(item.type(), item.name(), variables);
    to.type = std::move(variable.type);
    to.raw = std::move(variable.raw);
    to.name = std::move(variable.name);
    end_line(";");
  }
  return result;
}

ast::Object Restorer::object(const Type& from) {
  const Object& object = from.object();
  ast::Object result;
  result.is_class = object.kind() == Object::CLASS;
  put(result.is_class ? "class " : "interface ");
  result.name = name(from.local_name());
  parents(object, result);
  end_line(" {");
  clause(ast::Clause::Kind::Invariant, "invariant", object.invariants(), {}, false,
         result.invariants);
  for (const Method& item : object.methods()) {
    // Others are declared by `implements-all`.
    if (!item.from_implements_all()) result.methods.push_back(method(item, result.is_class));
  }
  return result;
}

// What every type has goes without saying.
void Restorer::parents(const Object& from, ast::Object& to) {
  if (!to.is_class) {
    const bool by_default =
        from.direct_interfaces_size() == 1 && from.direct_interfaces(0) == "sidl.BaseInterface";
    if (from.direct_interfaces().empty() || by_default) return;
    put(" extends ");
    to.extends = type_names(from.direct_interfaces());
    return;
  }
  if (!from.parent().empty() && from.parent() != "sidl.BaseClass") {
    put(" extends ");
    to.extends.push_back(type_name(from.parent()));
  }
  for (const std::string& item : from.direct_interfaces()) {
    const bool all = std::ranges::find(from.implements_all(), item) != from.implements_all().end();
    put(all ? " implements-all " : " implements ");
    to.implements.push_back({all, type_name(item)});
  }
}

Restored restore(const Module& module, std::uint32_t source) {
  Restorer writer(module, source);
  for (const Type& type : module.types()) {
    if (!type.external()) writer.add(type);
  }
  writer.write({});
  return writer.take();
}

Restored restore(const Module& module, std::string_view package,
                 const std::vector<const Type*>& types, std::uint32_t source) {
  Restorer writer(module, source);
  for (const Type* type : types) writer.add(*type);
  writer.write(package);
  return writer.take();
}

}  // namespace shinar::ir
