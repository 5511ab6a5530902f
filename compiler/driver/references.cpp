#include "driver/references.hpp"

#include <algorithm>
#include <set>

namespace shinar::driver {
namespace {

std::string join(const std::string& outer, const std::string& inner) {
  if (outer.empty() || inner.empty()) return outer + inner;
  return outer + "." + inner;
}

std::string outer_of(const std::string& package) {
  const std::size_t dot = package.rfind('.');
  return dot == std::string::npos ? std::string() : package.substr(0, dot);
}

// The first `count` parts, with dots between them.
std::string prefix(const ast::ScopedName& name, std::size_t count) {
  std::string result;
  for (std::size_t i = 0; i < std::min(count, name.parts.size()); ++i) {
    result = join(result, name.parts[i].text);
  }
  return result;
}

class Collector {
 public:
  explicit Collector(References& result) : result_(result) {}

  void file(const ast::File& file);

 private:
  void statement(const ast::Import& import);
  void declarations(const std::vector<ast::Declaration>& list, const std::string& package);
  void package(const ast::Package& body, const std::string& outer);
  void object(const ast::Object& object);
  void method(const ast::Method& method);
  void type(const ast::TypeRef& type);
  // `behind`: how many parts at the end of the name are not packages.
  void name(const ast::ScopedName& name, std::size_t behind = 1);

  References& result_;
  const ast::File* file_ = nullptr;
  std::string package_;  // the current one
  std::map<std::string, std::string> versions_;
  std::set<std::pair<std::string, std::string>> seen_;  // package, name in it
};

void Collector::file(const ast::File& file) {
  file_ = &file;
  seen_.clear();
  for (const ast::Import& import : file.imports) statement(import);
  declarations(file.declarations, {});
}

void Collector::statement(const ast::Import& import) {
  const std::size_t size = import.name.parts.size();
  Statement statement{
      {{prefix(import.name, size)}, import.name.span}, prefix(import.name, size), import.version};
  // It may name a type.
  if (size > 1) statement.reference.packages.push_back(prefix(import.name, size - 1));
  result_.statements.push_back(std::move(statement));
}

void Collector::declarations(const std::vector<ast::Declaration>& list, const std::string& outer) {
  for (const ast::Declaration& item : list) {
    package_ = outer;
    if (const auto* body = std::get_if<ast::Package>(&item.body)) {
      package(*body, outer);
    } else if (const auto* structure = std::get_if<ast::Struct>(&item.body)) {
      for (const ast::Member& member : structure->members) type(member.type);
    } else if (const auto* object_body = std::get_if<ast::Object>(&item.body)) {
      object(*object_body);
    }
  }
}

// A package that only contains packages is not declared here: its types may be external.
void Collector::package(const ast::Package& body, const std::string& outer) {
  const std::size_t size = body.name.parts.size();
  const std::string start = body.name.absolute ? std::string() : outer;
  const std::string full = join(start, prefix(body.name, size));
  const bool only_packages =
      !body.declarations.empty() &&
      std::ranges::all_of(body.declarations, [](const ast::Declaration& item) {
        return std::holds_alternative<ast::Package>(item.body);
      });
  std::string& version = versions_[full];
  if (body.version && version.empty()) version = body.version->text;
  // A nested package inherits the version of the enclosing one.
  const auto around = versions_.find(outer_of(full));
  if (version.empty() && around != versions_.end()) version = around->second;
  if (!only_packages) result_.declared[full] = version;
  for (std::string outside = only_packages ? full : outer_of(full); !outside.empty();
       outside = outer_of(outside)) {
    result_.around.insert(outside);
  }
  declarations(body.declarations, full);
}

void Collector::object(const ast::Object& object) {
  for (const ast::ScopedName& item : object.extends) name(item);
  for (const ast::Object::Implements& item : object.implements) name(item.name);
  for (const ast::Method& item : object.methods) method(item);
}

void Collector::method(const ast::Method& method) {
  type(method.result);
  for (const ast::Argument& item : method.arguments) {
    if (!item.raw) type(item.type);
  }
  for (const ast::ScopedName& item : method.throws) name(item);
  if (method.from) name(method.from->name, 2);
}

void Collector::type(const ast::TypeRef& type) {
  if (type.kind == ast::TypeRef::Kind::Named) name(type.name);
  if (type.array && type.array->element) this->type(*type.array->element);
}

void Collector::name(const ast::ScopedName& name, std::size_t behind) {
  if (name.parts.size() <= behind) return;  // in the same package, or imported by name
  const std::string written = prefix(name, name.parts.size() - behind);
  if (!seen_.emplace(package_, (name.absolute ? "." : "") + written).second) return;
  Reference reference;
  reference.span = name.span;
  if (!name.absolute) {
    for (std::string scope = package_; !scope.empty(); scope = outer_of(scope)) {
      reference.packages.push_back(join(scope, written));
    }
  }
  reference.packages.push_back(written);
  if (!name.absolute) {
    for (const ast::Import& import : file_->imports) {
      const bool opens = !import.is_require;
      const std::string imported = prefix(import.name, import.name.parts.size());
      if (opens) reference.packages.push_back(join(imported, written));
    }
  }
  result_.references.push_back(std::move(reference));
}

}  // namespace

References references_of(const std::vector<Unit>& units) {
  References result;
  Collector collector(result);
  for (const Unit& unit : units) collector.file(*unit.file);
  return result;
}

}  // namespace shinar::driver
