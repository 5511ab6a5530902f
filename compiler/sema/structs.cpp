#include "sema/members.hpp"
#include "sema/names.hpp"

namespace shinar::sema {

void fill_struct(const ast::Struct& body, const Declared& declared, const Resolver& resolver,
                 Diagnostics& diagnostics) {
  if (body.members.empty()) {
    diagnostics.report(Code::EmptyStruct, body.name.span,
                       "the struct " + quoted(body.name.text) + " has no members");
  }
  NameSet names;
  for (const ast::Member& item : body.members) {
    check_reserved(item.name, diagnostics);
    names.add(item.name, "member", diagnostics);
    if (item.raw) continue;  // refused
    const model::TypeRef type = resolver.type_ref(item.type, declared);
    if (type.kind == model::Kind::Opaque) {
      diagnostics.report(Code::NoOpaqueMember, item.type.span,
                         "opaque struct members are not supported yet");
    }
    if (type.kind == model::Kind::Class || type.kind == model::Kind::Interface) {
      diagnostics.report(Code::NoObjectMember, item.type.span,
                         "struct members of class or interface type are not supported yet");
    }
    declared.type->members.push_back({item.name.text, type, {}, item.doc, item.name.span});
  }
}

}  // namespace shinar::sema
