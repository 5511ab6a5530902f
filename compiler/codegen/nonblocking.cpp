#include "codegen/nonblocking.hpp"

#include "codegen/names.hpp"
#include "codegen/raw_arrays.hpp"

namespace shinar::codegen {
namespace {

// The method by another name, without arguments and attributes that only the whole method has.
ir::Method renamed(const ir::Method& method, const std::string& suffix) {
  ir::Method half = method;
  half.set_name(method.name() + suffix);
  half.set_long_name(method.long_name() + suffix);
  half.clear_arguments();
  half.set_nonblocking(false);
  return half;
}

void set_ticket(ir::TypeRef& type) {
  type.Clear();
  type.set_kind(ir::TypeRef::INTERFACE);
  type.set_name(kTicketType);
}

// "solve[Raw]", as in SIDL.
std::string sidl_name(const ir::Method& method) {
  return method.name() + (method.extension().empty() ? "" : "[" + method.extension() + "]");
}

ir::Argument& add(Half& half, const ir::Argument& argument) {
  half.arguments.push_back(half.method.arguments_size());
  ir::Argument& added = *half.method.add_arguments();
  added = argument;
  return added;
}

}  // namespace

Half send_half(const ir::Method& method) {
  Half half{Part::send, renamed(method, "_send"), {}};
  set_ticket(*half.method.mutable_result());
  half.method.clear_throws();
  half.method.set_copy(false);
  half.method.set_doc("Begins a call of " + sidl_name(method) + "; " + method.name() +
                      "_recv() ends it, with the ticket.");
  for (const ir::Argument& argument : method.arguments()) {
    if (argument.mode() == ir::Argument::OUT) {
      half.arguments.push_back(-1);
    } else {
      add(half, argument).set_mode(ir::Argument::IN);
    }
  }
  renumber_extents(half.method, half.arguments);
  return half;
}

Half receive_half(const ir::Method& method) {
  Half half{Part::receive, renamed(method, "_recv"), {}};
  ir::Argument& ticket = *half.method.add_arguments();
  ticket.set_name(kTicketName);
  ticket.set_mode(ir::Argument::IN);
  set_ticket(*ticket.mutable_type());
  half.method.set_doc("Ends the call of " + sidl_name(method) +
                      " that gave the ticket: waits for the answer and takes it.");
  for (const ir::Argument& argument : method.arguments()) {
    if (argument.mode() == ir::Argument::IN) {
      half.arguments.push_back(-1);
    } else {
      add(half, argument).mutable_type()->clear_extents();
    }
  }
  return half;
}

std::vector<Half> halves_of(const ir::Method& method) {
  std::vector<Half> halves;
  if (!method.nonblocking()) return halves;
  halves.push_back(send_half(method));
  halves.push_back(receive_half(method));
  return halves;
}

std::string slot_info(const ir::Type& type, std::size_t position) {
  return Namer::symbol(type.name()) + "__info.slots[" + std::to_string(position) + "]";
}

std::string static_info(const ir::Type& type, std::size_t position) {
  return "&" + Namer::symbol(type.name()) + "__info.statics[" + std::to_string(position) + "]";
}

}  // namespace shinar::codegen
