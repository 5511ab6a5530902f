// Shared by the files that restore declarations: packages and types, and what is in these.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "ir/restore.hpp"

namespace shinar::ir {

using Names = std::vector<std::string_view>;
using Place = shinar::Span;  // in the text

template <typename List>
Names names_of(const List& list) {
  Names names;
  for (const auto& item : list) names.emplace_back(item.name());
  return names;
}

// The package around it, or "".
inline std::string_view outer_of(std::string_view package) {
  const std::size_t dot = package.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : package.substr(0, dot);
}

inline ast::Integer number(std::int64_t value, Place span) {
  ast::Integer result;
  result.value = value;
  result.span = span;
  return result;
}

// Makes declarations and their text in one go: what has a span is written when it is made.
class Restorer {
 public:
  Restorer(const Module& module, std::uint32_t source) : source_(source) {
    result_.file.source = source;
    for (const Package& package : module.packages()) {
      inner_[outer_of(package.name())].push_back(&package);
    }
  }

  void add(const Type& type) { types_[type.package()].push_back(&type); }
  // The packages that the module has of its own; or `only`, and the names of those around it.
  void write(std::string_view only);
  Restored take() { return std::move(result_); }

 private:
  using Item = std::variant<const Type*, const Package*>;

  bool is_wanted(const Package& package) const;
  bool is_whole(const Package& package) const { return only_.empty() || package.name() == only_; }
  bool says_something(const Package& package) const;
  std::vector<Item> items_of(const Package& package) const;

  ast::Declaration package(const Package& first, std::string_view outer_version);
  ast::Declaration type(const Type& from);
  ast::Enum enumeration(const Type& from);
  ast::Struct structure(const Type& from);
  ast::Object object(const Type& from);
  void parents(const Object& from, ast::Object& to);
  ast::Method method(const Method& from, bool in_class);
  ast::Argument argument(const Argument& from, const Names& variables);
  ast::FromClause from_clause(const Method& method);

  // What an argument or a member is declared as.
  struct Variable {
    ast::TypeRef type;
    std::unique_ptr<ast::RawArray> raw;
    ast::Name name;
  };
  Variable variable(const TypeRef& type, const std::string& name, const Names& variables);
  ast::TypeRef type_ref(const TypeRef& from);
  ast::TypeRef array(const TypeRef& from);
  ast::RawArray raw_array(const TypeRef& from, const std::string& name, const Names& variables,
                          ast::Name& to);

  void clause(ast::Clause::Kind kind, std::string_view keyword,
              const google::protobuf::RepeatedPtrField<Assertion>& assertions,
              const Names& variables, bool is_pure, std::vector<ast::Clause>& to);
  ast::Expression expression(const Expression& from, const Names& variables, Place span);

  std::vector<ast::Attribute> attributes(
      const google::protobuf::RepeatedPtrField<Attribute>& entries);
  void word(bool is_there, ast::Word word, std::string_view text,
            std::vector<ast::Attribute>& attributes);

  ast::Name name(const std::string& text);
  ast::ScopedName type_name(const std::string& absolute);
  std::vector<ast::ScopedName> type_names(
      const google::protobuf::RepeatedPtrField<std::string>& names);
  Place put(std::string_view text);
  Place since(std::uint32_t begin) const { return {source_, begin, here()}; }
  std::uint32_t here() const { return static_cast<std::uint32_t>(result_.text.size()); }
  void end_line(std::string_view end);
  void fault(std::string what);

  const std::uint32_t source_;
  std::string_view only_;
  std::unordered_map<std::string_view, std::vector<const Package*>> inner_;
  std::unordered_map<std::string_view, std::vector<const Type*>> types_;
  std::size_t depth_ = 0;  // of braces
  Restored result_;
};

}  // namespace shinar::ir
