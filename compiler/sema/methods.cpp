// The methods a type declares in its own text: attributes, arguments, throws.

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "sema/attributes.hpp"
#include "sema/members.hpp"
#include "sema/names.hpp"
#include "sema/raw_arrays.hpp"

namespace shinar::sema {
namespace {

std::string_view word_text(ast::Word word) {
  switch (word) {
    case ast::Word::Final:
      return "final";
    case ast::Word::Abstract:
      return "abstract";
    case ast::Word::Static:
      return "static";
    case ast::Word::Oneway:
      return "oneway";
    case ast::Word::Local:
      return "local";
    case ast::Word::Nonblocking:
      return "nonblocking";
    case ast::Word::Copy:
      return "copy";
    default:
      return "%attrib";
  }
}

class MethodReader {
 public:
  MethodReader(const Declared& declared, const Resolver& resolver, Diagnostics& diagnostics)
      : declared_(declared), resolver_(resolver), diagnostics_(diagnostics) {}

  std::unique_ptr<model::Method> read(const ast::Method& tree) const;

 private:
  void names(const ast::Method& tree, model::Method& method) const;
  void attributes(const ast::Method& tree, model::Method& method) const;
  bool possible(const ast::Attribute& attribute) const;
  void arguments(const ast::Method& tree, model::Method& method) const;
  void throws(const ast::Method& tree, model::Method& method) const;

  const Declared& declared_;
  const Resolver& resolver_;
  Diagnostics& diagnostics_;
};

std::unique_ptr<model::Method> MethodReader::read(const ast::Method& tree) const {
  auto method = std::make_unique<model::Method>();
  method->owner = declared_.type;
  method->doc = tree.doc;
  method->span = tree.name.span;
  names(tree, *method);
  attributes(tree, *method);
  method->result = resolver_.type_ref(tree.result, declared_);
  method->result_span = tree.result.span;
  arguments(tree, *method);
  throws(tree, *method);
  return method;
}

void MethodReader::names(const ast::Method& tree, model::Method& method) const {
  method.name = tree.name.text;
  if (tree.extension) {
    method.extension = tree.extension->text;
    check_extension(*tree.extension, diagnostics_);
  }
  method.long_name = method.name + method.extension;
  method.key = lower(method.long_name);
  check_reserved(tree.name, diagnostics_);
  if (tree.extension) check_reserved({method.long_name, tree.name.span}, diagnostics_);
  const std::string& type_name = declared_.type->local_name;
  if (method.name == type_name || method.long_name == type_name) {
    diagnostics_
        .report(Code::NamedLikeType, tree.name.span,
                "the method " + in_quotes(method.long_name) + " has the same name as its type")
        .note(declared_.type->span, "the type is declared here");
  }
}

// Methods of interfaces cannot be static or final, and are always abstract.
bool MethodReader::possible(const ast::Attribute& attribute) const {
  if (declared_.type->kind == model::Kind::Class) return true;
  const std::string word(word_text(attribute.word));
  if (attribute.word == ast::Word::Abstract) {
    diagnostics_.report(Code::AttributeIgnored, attribute.span,
                        "'abstract' has no effect on a method of an interface and is ignored");
  } else {
    diagnostics_.report(Code::InterfaceMethod, attribute.span,
                        "a method of an interface cannot be " + word);
  }
  return false;
}

void MethodReader::attributes(const ast::Method& tree, model::Method& method) const {
  std::set<ast::Word> seen;
  std::optional<ast::Word> binding;        // abstract, final and static exclude each other
  std::optional<ast::Word> communication;  // and so do oneway, nonblocking and local
  for (const ast::Attribute& attribute : tree.attributes) {
    if (attribute.word == ast::Word::Attrib) continue;
    const std::string word = in_quotes(word_text(attribute.word));
    if (!seen.insert(attribute.word).second) {
      diagnostics_.report(Code::AttributeRepeated, attribute.span, word + " is given twice");
      continue;
    }
    if (attribute.word == ast::Word::Copy) continue;
    const bool binds = attribute.word == ast::Word::Abstract ||
                       attribute.word == ast::Word::Final || attribute.word == ast::Word::Static;
    if (binds && !possible(attribute)) continue;
    std::optional<ast::Word>& chosen = binds ? binding : communication;
    if (chosen) {
      diagnostics_.report(
          Code::AttributeConflict, attribute.span,
          "a method cannot be both " + in_quotes(word_text(*chosen)) + " and " + word);
      continue;
    }
    chosen = attribute.word;
  }
  method.is_abstract =
      declared_.type->kind == model::Kind::Interface || binding == ast::Word::Abstract;
  method.is_final = binding == ast::Word::Final;
  method.is_static = binding == ast::Word::Static;
  method.oneway = communication == ast::Word::Oneway;
  method.nonblocking = communication == ast::Word::Nonblocking;
  method.local = communication == ast::Word::Local;
  method.copy = seen.contains(ast::Word::Copy);
  method.attributes = read_attributes(tree.attributes, diagnostics_);
}

void MethodReader::arguments(const ast::Method& tree, model::Method& method) const {
  NameSet names;
  method.arguments.reserve(tree.arguments.size());
  for (const ast::Argument& item : tree.arguments) {
    check_reserved(item.name, diagnostics_);
    names.add(item.name, "argument", diagnostics_);
    model::Argument& argument = method.arguments.emplace_back();
    argument.direction = item.direction;
    argument.name = item.name.text;
    argument.span = item.name.span;
    argument.type_span = item.raw ? item.raw->span : item.type.span;
    if (!item.raw) argument.type = resolver_.type_ref(item.type, declared_);
    argument.copy = std::ranges::any_of(
        item.attributes, [](const ast::Attribute& a) { return a.word == ast::Word::Copy; });
    argument.attributes = read_attributes(item.attributes, diagnostics_);
  }
  fill_raw_arguments(tree, method, diagnostics_);
}

void MethodReader::throws(const ast::Method& tree, model::Method& method) const {
  std::set<const model::Type*> seen;
  for (const ast::ScopedName& name : tree.throws) {
    const model::Type* type = resolver_.type(name, declared_);
    if (type == nullptr) {
      method.throws_unknown = true;
      continue;
    }
    if (!seen.insert(type).second) {
      diagnostics_.report(Code::ListedTwice, name.span,
                          in_quotes(name.text()) + " is listed twice");
      continue;
    }
    method.throws.push_back({type, name.span});
  }
}

}  // namespace

namespace {

// `from demo.Shape.area[Exact]`: the last part is the method, the rest its interface. False, and a
// diagnostic, when it is not.
bool read_from(const ast::FromClause& from, model::Method& method, Declared& declared,
               const Resolver& resolver, Diagnostics& diagnostics) {
  if (from.name.parts.size() < 2) {
    diagnostics.report(Code::FromForm, from.span,
                       "'from' names the interface as well: from Interface." + from.name.text());
    return false;
  }
  ast::ScopedName interface = from.name;
  const ast::Name renamed = interface.parts.back();
  interface.parts.pop_back();
  interface.span.end = interface.parts.back().span.end;
  const model::Type* type = resolver.type(interface, declared);
  if (type == nullptr) return false;
  if (type->kind != model::Kind::Interface) {
    if (type->is_damaged) return false;
    diagnostics
        .report(Code::FromNotInterface, interface.span,
                in_quotes(interface.text()) +
                    " is not an interface: 'from' renames methods that are "
                    "inherited from interfaces")
        .note(type->span, "it is declared here");
    return false;
  }
  const std::string extension = from.extension ? from.extension->text : "";
  Span place = renamed.span;
  if (from.extension) place.end = from.extension->span.end;
  if (renamed.text == method.name) {
    declared.renames.push_back({&method, type, renamed.text + extension, place});
    return true;
  }
  diagnostics
      .report(Code::FromShortName, renamed.span,
              "'from' can only change the extension of a method: " + in_quotes(method.name) +
                  " must be called " + in_quotes(renamed.text) + ", with a different extension")
      .suggest(method.span, renamed.text);
  return false;
}

}  // namespace

void fill_methods(const ast::Object& body, Declared& declared, const Resolver& resolver,
                  Diagnostics& diagnostics) {
  MethodReader reader(declared, resolver, diagnostics);
  std::map<std::string, const model::Method*> taken;
  for (const ast::Method& item : body.methods) {
    std::unique_ptr<model::Method> method = reader.read(item);
    const auto [place, is_new] = taken.emplace(method->key, method.get());
    if (!is_new) {
      const model::Method& other = *place->second;
      const bool same = other.long_name == method->long_name;
      std::string message = "the method " + in_quotes(method->long_name);
      message += same ? " is declared twice"
                      : " differs from " + in_quotes(other.long_name) + " in case only";
      if (same) message += "; give overloads an extension, like " + method->name + "[Ext]";
      diagnostics.report(Code::SameLongName, method->span, std::move(message))
          .note(other.span, in_quotes(other.long_name) + " is declared here");
      continue;
    }
    method->index = static_cast<std::uint32_t>(declared.type->methods.size());
    if (item.from && !read_from(*item.from, *method, declared, resolver, diagnostics)) {
      declared.type->is_broken = true;
    }
    declared.type->methods.push_back(std::move(method));
  }
}

namespace {

// A nonblocking method m implies m_send and m_recv.
void check_halves(const model::Type& type, Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, const model::Method*> by_key;
  for (const auto& method : type.methods) by_key.emplace(method->key, method.get());
  for (const auto& method : type.methods) {
    if (!method->nonblocking) continue;
    for (const char* half : {"_send", "_recv"}) {
      const auto other = by_key.find(method->key + half);
      if (other == by_key.end()) continue;
      diagnostics
          .report(Code::NonblockingName, other->second->span,
                  "the nonblocking method " + in_quotes(method->long_name) +
                      " generates the method " + in_quotes(method->long_name + half) +
                      "; choose another name")
          .note(method->span, in_quotes(method->long_name) + " is declared here");
    }
  }
}

// Frees what is in the model now; contracts are read later, and find their methods by name.
void release(decltype(ast::Declaration::body)& body) {
  if (auto* enumeration = std::get_if<ast::Enum>(&body)) {
    std::exchange(enumeration->enumerators, {});
  } else if (auto* structure = std::get_if<ast::Struct>(&body)) {
    std::exchange(structure->members, {});
  } else if (auto* object = std::get_if<ast::Object>(&body)) {
    const auto has_clauses = [](const ast::Method& method) { return !method.clauses.empty(); };
    if (std::ranges::none_of(object->methods, has_clauses)) std::exchange(object->methods, {});
    for (ast::Method& method : object->methods) {
      ast::Method rest;
      rest.name = std::move(method.name);
      rest.clauses = std::move(method.clauses);
      method = std::move(rest);
    }
  }
}

}  // namespace

void resolve_members(Context& context, const Resolver& resolver) {
  for (Declared& declared : context.declared) {
    auto& body = declared.declaration->body;
    if (const auto* enumeration = std::get_if<ast::Enum>(&body)) {
      fill_enum(*enumeration, *declared.type, context.diagnostics);
    } else if (const auto* structure = std::get_if<ast::Struct>(&body)) {
      fill_struct(*structure, declared, resolver, context.diagnostics);
    } else {
      fill_methods(std::get<ast::Object>(body), declared, resolver, context.diagnostics);
      check_halves(*declared.type, context.diagnostics);
    }
    const auto& attributes = declared.declaration->attributes;
    declared.type->attributes = read_attributes(attributes, context.diagnostics);
    if (!declared.unit->is_kept) release(body);
  }
}

}  // namespace shinar::sema
