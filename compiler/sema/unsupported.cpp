// Refuses what the language has and this version of sidlc has not. One diagnostic names each
// construct; nothing that parses is ever silently ignored.

#include "sema/context.hpp"

namespace shinar::sema {
namespace {

class Refusals {
 public:
  explicit Refusals(Diagnostics& diagnostics) : diagnostics_(diagnostics) {}

  void declaration(const ast::Declaration& declaration);

 private:
  void object(const ast::Object& object);
  void method(const ast::Method& method);
  void attributes(const std::vector<ast::Attribute>& attributes);
  void clauses(const std::vector<ast::Clause>& clauses);
  void raw_array(const std::optional<ast::RawArray>& raw);
  void refuse(Code code, Span span, std::string_view construct) {
    diagnostics_.report(code, span, std::string(construct) + " not supported yet");
  }

  Diagnostics& diagnostics_;
};

void Refusals::declaration(const ast::Declaration& declaration) {
  attributes(declaration.attributes);
  if (const auto* package = std::get_if<ast::Package>(&declaration.body)) {
    for (const ast::Declaration& item : package->declarations) this->declaration(item);
  } else if (const auto* structure = std::get_if<ast::Struct>(&declaration.body)) {
    for (const ast::Member& member : structure->members) raw_array(member.raw);
  } else if (const auto* body = std::get_if<ast::Object>(&declaration.body)) {
    object(*body);
  }
}

void Refusals::object(const ast::Object& object) {
  clauses(object.invariants);
  for (const ast::Method& item : object.methods) method(item);
}

void Refusals::method(const ast::Method& method) {
  attributes(method.attributes);
  for (const ast::Argument& argument : method.arguments) {
    attributes(argument.attributes);
    raw_array(argument.raw);
  }
  if (method.from) refuse(Code::NoFrom, method.from->span, "from clauses are");
  clauses(method.clauses);
}

void Refusals::attributes(const std::vector<ast::Attribute>& attributes) {
  for (const ast::Attribute& attribute : attributes) {
    switch (attribute.word) {
      case ast::Word::Oneway:
        refuse(Code::NoOneway, attribute.span, "oneway methods are");
        break;
      case ast::Word::Nonblocking:
        refuse(Code::NoNonblocking, attribute.span, "nonblocking methods are");
        break;
      case ast::Word::Local:
        refuse(Code::NoLocal, attribute.span, "local methods are");
        break;
      case ast::Word::Copy:
        refuse(Code::NoCopy, attribute.span, "passing by 'copy' is");
        break;
      case ast::Word::Attrib:
        refuse(Code::NoAttrib, attribute.span, "%attrib lists are");
        break;
      default:
        break;
    }
  }
}

void Refusals::clauses(const std::vector<ast::Clause>& clauses) {
  for (const ast::Clause& clause : clauses) {
    switch (clause.kind) {
      case ast::Clause::Kind::Invariant:
        refuse(Code::NoContracts, clause.keyword, "contracts (invariant clauses) are");
        break;
      case ast::Clause::Kind::Require:
        refuse(Code::NoContracts, clause.keyword, "contracts (require clauses) are");
        break;
      case ast::Clause::Kind::Ensure:
        refuse(Code::NoContracts, clause.keyword, "contracts (ensure clauses) are");
        break;
    }
  }
}

void Refusals::raw_array(const std::optional<ast::RawArray>& raw) {
  if (raw) refuse(Code::NoRarray, raw->span, "raw arrays (rarray) are");
}

}  // namespace

void refuse_unsupported(Context& context) {
  Refusals refusals(context.diagnostics);
  for (const Unit& unit : context.units) {
    for (const ast::Declaration& item : unit.file->declarations) refusals.declaration(item);
  }
}

}  // namespace shinar::sema
