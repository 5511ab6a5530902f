#include "sema/members.hpp"
#include "sema/names.hpp"
#include "sema/raw_arrays.hpp"

namespace shinar::sema {

void fill_struct(const ast::Struct& body, const Declared& declared, const Resolver& resolver,
                 Diagnostics& diagnostics) {
  if (body.members.empty() && !declared.type->is_damaged) {
    diagnostics.report(Code::EmptyStruct, body.name.span,
                       "the struct " + in_quotes(body.name.text) + " has no members");
  }
  NameSet names;
  for (const ast::Member& item : body.members) {
    check_reserved(item.name, diagnostics);
    names.add(item.name, "member", diagnostics);
    model::Member& member = declared.type->members.emplace_back();
    member.name = item.name.text;
    member.doc = item.doc;
    member.span = item.name.span;
    if (!item.raw) member.type = resolver.type_ref(item.type, declared);
  }
  fill_raw_members(body, *declared.type, diagnostics);
}

}  // namespace shinar::sema
