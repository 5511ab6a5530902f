#include "ir/build.hpp"

#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/digests.hpp"
#include "ir/hash.hpp"

namespace shinar::ir {
namespace {

// The types of a module: the requested ones, and everything they refer to, directly or not.
class Closure {
 public:
  explicit Closure(const model::Model& model) {
    for (const auto& type : model.types) {
      const bool always = type->name == "sidl.BaseInterface" || type->name == "sidl.BaseClass" ||
                          type->name == "sidl.BaseException" ||
                          type->name == "sidl.RuntimeException";
      if (always || !type->is_external) add(type.get());
      if (type->name == "sidl.rmi.Ticket") ticket_ = type.get();
    }
    while (!open_.empty()) {
      const model::Type* type = open_.back();
      open_.pop_back();
      follow(*type);
    }
  }

  bool contains(const model::Type* type) const { return types_.contains(type); }

 private:
  void add(const model::Type* type) {
    if (type != nullptr && types_.insert(type).second) open_.push_back(type);
  }

  void follow(const model::Type& type) {
    add(type.parent);
    for (const model::Type* interface : type.direct_interfaces) add(interface);
    for (const model::Member& member : type.members) add(member.type.type);
    for (const auto& method : type.methods) {
      add(method->result.type);
      for (const model::Argument& argument : method->arguments) add(argument.type.type);
      for (const model::Method::Thrown& thrown : method->throws) add(thrown.type);
      if (method->nonblocking) add(ticket_);
    }
  }

  const model::Type* ticket_ = nullptr;  // returned by stubs of nonblocking methods
  std::unordered_set<const model::Type*> types_;
  std::vector<const model::Type*> open_;
};

TypeRef::Kind kind_of(model::Kind kind) {
  switch (kind) {
    case model::Kind::Error:
      return TypeRef::KIND_UNSPECIFIED;
    case model::Kind::Void:
      return TypeRef::VOID;
#define SIDL_BASIC_TYPE(identifier, token, kind, name, number, bytes, alignment) \
  case model::Kind::identifier:                                                  \
    return TypeRef::kind;
#include "frontend/basic_types.def"
#undef SIDL_BASIC_TYPE
    case model::Kind::Enum:
      return TypeRef::ENUM;
    case model::Kind::Struct:
      return TypeRef::STRUCT;
    case model::Kind::Interface:
      return TypeRef::INTERFACE;
    case model::Kind::Class:
      return TypeRef::CLASS;
    case model::Kind::Array:
      return TypeRef::ARRAY;
    case model::Kind::Rarray:
      return TypeRef::RARRAY;
  }
  return TypeRef::KIND_UNSPECIFIED;
}

Argument::Mode mode_of(model::Direction direction) {
  switch (direction) {
    case model::Direction::In:
      return Argument::IN;
    case model::Direction::Out:
      return Argument::OUT;
    case model::Direction::InOut:
      return Argument::INOUT;
  }
  return Argument::MODE_UNSPECIFIED;
}

TypeRef::Order order_of(model::Order order) {
  switch (order) {
    case model::Order::Any:
      return TypeRef::ANY_ORDER;
    case model::Order::ColumnMajor:
      return TypeRef::COLUMN_MAJOR;
    case model::Order::RowMajor:
      return TypeRef::ROW_MAJOR;
  }
  return TypeRef::ANY_ORDER;
}

Expression::Kind kind_of(model::Expression::Kind kind) {
  switch (kind) {
    case model::Expression::Kind::Literal:
      return Expression::LITERAL;
    case model::Expression::Kind::Variable:
      return Expression::VARIABLE;
    case model::Expression::Kind::Result:
      return Expression::RESULT;
    case model::Expression::Kind::Unary:
      return Expression::UNARY;
    case model::Expression::Kind::Chain:
      return Expression::CHAIN;
    case model::Expression::Kind::Call:
      return Expression::CALL;
    case model::Expression::Kind::Builtin:
      return Expression::BUILTIN;
  }
  return Expression::KIND_UNSPECIFIED;
}

void put(const model::TypeRef& from, TypeRef& to) {
  to.set_kind(kind_of(from.kind));
  const bool is_array = from.kind == model::Kind::Array || from.kind == model::Kind::Rarray;
  if (!is_array) {
    if (from.type != nullptr) to.set_name(from.type->name);
    return;
  }
  if (from.is_generic_array()) return;
  TypeRef& element = *to.mutable_element();
  element.set_kind(kind_of(from.element));
  if (from.type != nullptr) element.set_name(from.type->name);
  to.set_dimension(from.dimension);
  to.set_order(order_of(from.order));
}

class Builder {
 public:
  Builder(const Sources& sources, const std::vector<std::uint32_t>& files) : sources_(sources) {
    for (std::uint32_t i = 0; i < files.size(); ++i) {
      file_index_.emplace(files[i], i);
      module_.add_files(sources[files[i]].name());
    }
    module_.set_schema(kSchema);
  }

  void package(const model::Package& from);
  void type(const model::Type& from);
  Module take() { return std::move(module_); }

 private:
  template <typename Message>
  void put_span(const shinar::Span& from, Message& to);
  void expression(const model::Expression& from, Expression& to);
  void assertion(const model::Assertion& from, Assertion& to);
  template <typename Message>
  void put_attributes(const std::vector<model::Attribute>& from, Message& to);
  void object(const model::Type& from, Object& to);
  void method(const model::Method& from, Method& to);
  void argument(const model::Argument& from, Argument& to);
  void slot(const model::Slot& from, Slot& to);

  const Sources& sources_;
  std::unordered_map<std::uint32_t, std::uint32_t> file_index_;
  Module module_;
};

template <typename Message>
void Builder::put_span(const shinar::Span& from, Message& to) {
  const auto index = file_index_.find(from.file);
  if (index == file_index_.end()) return;
  const Source& source = sources_[from.file];
  const Position begin = source.position(from.begin);
  const Position end = source.position(from.end);
  Span& span = *to.mutable_span();
  span.set_file(index->second);
  span.set_line(begin.line);
  span.set_column(begin.column);
  span.set_end_line(end.line);
  span.set_end_column(end.column);
}

void Builder::expression(const model::Expression& from, Expression& to) {
  to.set_kind(kind_of(from.kind));
  to.set_text(from.text);
  to.set_index(from.index);
  for (const std::string& item : from.operators) to.add_operators(item);
  for (const model::Expression& item : from.operands) expression(item, *to.add_operands());
  put(from.type, *to.mutable_type());
  put_span(from.span, to);
}

void Builder::assertion(const model::Assertion& from, Assertion& to) {
  to.set_name(from.name);
  expression(from.expression, *to.mutable_expression());
  put_span(from.span, to);
}

template <typename Message>
void Builder::put_attributes(const std::vector<model::Attribute>& from, Message& to) {
  for (const model::Attribute& item : from) {
    Attribute& attribute = *to.add_attributes();
    attribute.set_key(item.key);
    if (item.value) attribute.set_value(*item.value);
    put_span(item.span, attribute);
  }
}

void Builder::package(const model::Package& from) {
  Package& to = *module_.add_packages();
  to.set_name(from.name);
  to.set_version(from.version);
  to.set_doc(from.doc);
  to.set_final(from.is_final);
  to.set_external(from.is_external);
  put_span(from.span, to);
  put_attributes(from.attributes, to);
}

void Builder::type(const model::Type& from) {
  Type& to = *module_.add_types();
  to.set_name(from.name);
  to.set_package(from.package->name);
  to.set_local_name(from.local_name);
  to.set_version(from.package->version);
  to.set_doc(from.doc);
  to.set_id(fnv1a(from.name));
  to.set_external(from.is_external);
  put_span(from.span, to);
  put_attributes(from.attributes, to);
  switch (from.kind) {
    case model::Kind::Enum:
      for (const model::Enumerator& item : from.enumerators) {
        Enumerator& enumerator = *to.mutable_enumeration()->add_enumerators();
        enumerator.set_name(item.name);
        enumerator.set_value(item.value);
        enumerator.set_doc(item.doc);
        put_span(item.span, enumerator);
      }
      break;
    case model::Kind::Struct:
      for (const model::Member& item : from.members) {
        Member& member = *to.mutable_structure()->add_members();
        member.set_name(item.name);
        put(item.type, *member.mutable_type());
        for (const model::Expression& extent : item.extents) {
          expression(extent, *member.mutable_type()->add_extents());
        }
        member.set_doc(item.doc);
        put_span(item.span, member);
      }
      break;
    default:
      object(from, *to.mutable_object());
      break;
  }
}

// Frees all but the names and the owner, which slots need.
void release(model::Method& method) {
  std::exchange(method.doc, {});
  std::exchange(method.arguments, {});
  std::exchange(method.throws, {});
  std::exchange(method.attributes, {});
  std::exchange(method.require, {});
  std::exchange(method.ensure, {});
}

void Builder::object(const model::Type& from, Object& to) {
  to.set_kind(from.kind == model::Kind::Class ? Object::CLASS : Object::INTERFACE);
  to.set_abstract(from.is_abstract);
  if (from.parent != nullptr) to.set_parent(from.parent->name);
  for (const model::Type* type : from.direct_interfaces) to.add_direct_interfaces(type->name);
  for (const model::Type* type : from.ancestors) to.add_ancestors(type->name);
  for (const model::Type* type : from.interfaces) to.add_interfaces(type->name);
  for (const auto& item : from.methods) {
    method(*item, *to.add_methods());
    release(*item);
  }
  for (const model::Slot& item : from.slots) slot(item, *to.add_slots());
  to.set_is_exception(from.is_exception);
  for (const model::Type* type : from.implements_all) to.add_implements_all(type->name);
  for (const model::Facet& item : from.facets) {
    Facet& facet = *to.add_facets();
    facet.set_interface(item.interface->name);
    facet.mutable_slots()->Add(item.slots.begin(), item.slots.end());
  }
  for (const model::Assertion& item : from.invariants) assertion(item, *to.add_invariants());
}

void Builder::method(const model::Method& from, Method& to) {
  to.set_name(from.name);
  to.set_extension(from.extension);
  to.set_long_name(from.long_name);
  to.set_doc(from.doc);
  put_span(from.span, to);
  to.set_is_static(from.is_static);
  to.set_abstract(from.is_abstract);
  to.set_final(from.is_final);
  put(from.result, *to.mutable_result());
  for (const model::Argument& item : from.arguments) argument(item, *to.add_arguments());
  for (const model::Method::Thrown& thrown : from.throws) to.add_throws(thrown.type->name);
  to.set_from_implements_all(from.from_implements_all);
  to.set_oneway(from.oneway);
  to.set_nonblocking(from.nonblocking);
  to.set_local(from.local);
  to.set_copy(from.copy);
  if (from.from != nullptr) {
    to.mutable_from()->set_interface(from.from_interface->name);
    to.mutable_from()->set_long_name(from.from->long_name);
  }
  put_attributes(from.attributes, to);
  for (const model::Assertion& item : from.require) assertion(item, *to.add_require());
  for (const model::Assertion& item : from.ensure) assertion(item, *to.add_ensure());
  to.set_is_pure(from.is_pure);
}

void Builder::argument(const model::Argument& from, Argument& to) {
  to.set_mode(mode_of(from.direction));
  put(from.type, *to.mutable_type());
  for (const model::Expression& extent : from.extents) {
    expression(extent, *to.mutable_type()->add_extents());
  }
  to.set_name(from.name);
  put_span(from.span, to);
  to.set_copy(from.copy);
  put_attributes(from.attributes, to);
}

void Builder::slot(const model::Slot& from, Slot& to) {
  to.set_introducer(from.introducer->owner->name);
  to.set_introducer_method(from.introducer->index);
  to.set_owner(from.method->owner->name);
  to.set_owner_method(from.method->index);
  to.set_abstract(from.is_abstract);
}

}  // namespace

Module build(model::Model model, const Sources& sources, const std::vector<std::uint32_t>& files) {
  const Closure closure(model);
  // A package is in the module if one of its types, or one of a nested package, is.
  std::unordered_set<std::string_view> packages;
  for (const model::Type* type : model.order) {
    if (!closure.contains(type)) continue;
    for (std::string_view name = type->package->name; packages.insert(name).second;) {
      const std::size_t dot = name.rfind('.');
      if (dot == std::string_view::npos) break;
      name = name.substr(0, dot);
    }
  }
  Builder builder(sources, files);
  for (const auto& package : model.packages) {
    if (!package->is_external || packages.contains(package->name)) builder.package(*package);
  }
  for (const model::Type* type : model.order) {
    if (closure.contains(type)) builder.type(*type);
  }
  Module module = builder.take();
  set_digests(module);
  return module;
}

}  // namespace shinar::ir
