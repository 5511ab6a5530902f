// The methods a type declares in its own text: attributes, arguments, throws.

#include <array>
#include <map>
#include <optional>
#include <set>

#include "sema/members.hpp"
#include "sema/names.hpp"

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
  arguments(tree, *method);
  throws(tree, *method);
  return method;
}

void MethodReader::names(const ast::Method& tree, model::Method& method) const {
  method.name = tree.name.text;
  if (tree.extension) method.extension = tree.extension->text;
  method.long_name = method.name + method.extension;
  method.key = lower(method.long_name);
  check_reserved(tree.name, diagnostics_);
  if (tree.extension) check_reserved({method.long_name, tree.name.span}, diagnostics_);
  const std::string& type_name = declared_.type->local_name;
  if (method.name == type_name || method.long_name == type_name) {
    diagnostics_
        .report(Code::NamedLikeType, tree.name.span,
                "the method " + quoted(method.long_name) + " has the name of its type")
        .note(declared_.type->span, "the type is declared here");
  }
}

// An interface has neither static nor final methods, and its methods are abstract anyhow.
bool MethodReader::possible(const ast::Attribute& attribute) const {
  if (declared_.type->kind == model::Kind::Class) return true;
  const std::string word(word_text(attribute.word));
  if (attribute.word == ast::Word::Abstract) {
    diagnostics_.report(Code::AttributeIgnored, attribute.span,
                        "'abstract' says nothing on a method of an interface and is ignored");
  } else {
    diagnostics_.report(Code::InterfaceMethod, attribute.span,
                        "a method of an interface cannot be " + word);
  }
  return false;
}

void MethodReader::attributes(const ast::Method& tree, model::Method& method) const {
  std::set<ast::Word> seen;
  std::optional<ast::Word> chosen;  // abstract, final and static exclude each other
  for (const ast::Attribute& attribute : tree.attributes) {
    if (attribute.word == ast::Word::Attrib) continue;
    const std::string word = quoted(word_text(attribute.word));
    if (!seen.insert(attribute.word).second) {
      diagnostics_.report(Code::AttributeRepeated, attribute.span, word + " is given twice");
      continue;
    }
    const bool decides = attribute.word == ast::Word::Abstract ||
                         attribute.word == ast::Word::Final || attribute.word == ast::Word::Static;
    if (!decides || !possible(attribute)) continue;
    if (chosen) {
      diagnostics_.report(Code::AttributeConflict, attribute.span,
                          "a method cannot be both " + quoted(word_text(*chosen)) + " and " + word);
      continue;
    }
    chosen = attribute.word;
  }
  method.is_abstract =
      declared_.type->kind == model::Kind::Interface || chosen == ast::Word::Abstract;
  method.is_final = chosen == ast::Word::Final;
  method.is_static = chosen == ast::Word::Static;
}

void MethodReader::arguments(const ast::Method& tree, model::Method& method) const {
  NameSet names;
  for (const ast::Argument& argument : tree.arguments) {
    check_reserved(argument.name, diagnostics_);
    names.add(argument.name, "argument", diagnostics_);
    model::TypeRef type;
    if (!argument.raw) type = resolver_.type_ref(argument.type, declared_);
    model::Argument& added = method.arguments.emplace_back();
    added.direction = argument.direction;
    added.type = type;
    added.name = argument.name.text;
    added.span = argument.name.span;
  }
}

void MethodReader::throws(const ast::Method& tree, model::Method& method) const {
  std::set<const model::Type*> seen;
  for (const ast::ScopedName& name : tree.throws) {
    const model::Type* type = resolver_.type(name, declared_);
    if (type == nullptr) continue;
    if (!seen.insert(type).second) {
      diagnostics_.report(Code::ListedTwice, name.span, quoted(name.text()) + " is listed twice");
      continue;
    }
    method.throws.push_back({type, name.span});
  }
}

}  // namespace

void fill_methods(const ast::Object& body, const Declared& declared, const Resolver& resolver,
                  Diagnostics& diagnostics) {
  MethodReader reader(declared, resolver, diagnostics);
  std::map<std::string, const model::Method*> taken;
  for (const ast::Method& item : body.methods) {
    std::unique_ptr<model::Method> method = reader.read(item);
    const auto [place, is_new] = taken.emplace(method->key, method.get());
    if (!is_new) {
      const model::Method& other = *place->second;
      const bool same = other.long_name == method->long_name;
      std::string message = "the method " + quoted(method->long_name);
      message += same ? " is declared twice"
                      : " differs from " + quoted(other.long_name) + " in case only";
      if (same) message += "; give overloads an extension, like " + method->name + "[Ext]";
      diagnostics.report(Code::SameLongName, method->span, std::move(message))
          .note(other.span, quoted(other.long_name) + " is declared here");
      continue;
    }
    // from renames an inherited method; refused, and therefore without consequences.
    if (item.from) declared.type->is_broken = true;
    method->index = static_cast<std::uint32_t>(declared.type->methods.size());
    declared.type->methods.push_back(std::move(method));
  }
}

void resolve_members(Context& context, const Resolver& resolver) {
  for (const Declared& declared : context.declared) {
    const auto& body = declared.declaration->body;
    if (const auto* enumeration = std::get_if<ast::Enum>(&body)) {
      fill_enum(*enumeration, *declared.type, context.diagnostics);
    } else if (const auto* structure = std::get_if<ast::Struct>(&body)) {
      fill_struct(*structure, declared, resolver, context.diagnostics);
    } else {
      fill_methods(std::get<ast::Object>(body), declared, resolver, context.diagnostics);
    }
  }
}

}  // namespace shinar::sema
