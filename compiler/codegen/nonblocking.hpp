// In: a nonblocking method m as the IR holds it.
// Out: its two halves as methods of their own: `Ticket m_send(in and inout arguments)`, which
// begins a call, and `R m_recv(in Ticket, inout and out arguments)`, which ends it. In the IOR
// there are none: stubs give the arguments of both to libsidl (sidl_rmi_send, sidl_rmi_receive).
#pragma once

#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::codegen {

inline constexpr const char* kTicketType = "sidl.rmi.Ticket";

// The name of the ticket among the arguments of m_recv; no SIDL name begins with '_'.
inline constexpr const char* kTicketName = "_ticket";

// A nonblocking method has three stubs: its own and one for each half.
enum class Part { whole, send, receive };

// One half of a nonblocking method.
struct Half {
  Part part;
  ir::Method method;
  // For each argument of the whole method, the number of the half's that stands for it; -1: none.
  std::vector<int> arguments;
};

// All arguments are `in`, and what extents name is numbered anew: what becomes of an inout one is
// the business of the other half.
Half send_half(const ir::Method& method);

// The ticket comes first. Raw arrays lose their extents, which name arguments that are not there.
Half receive_half(const ir::Method& method);

// Both, the one that sends first; none of a method that blocks.
std::vector<Half> halves_of(const ir::Method& method);

// Where libsidl finds the table of a method that `type` has in slot `position`, or as its static
// method number `position`: "demo_Solver__info.slots[7]", "&demo_Solver__info.statics[0]".
std::string slot_info(const ir::Type& type, std::size_t position);
std::string static_info(const ir::Type& type, std::size_t position);

}  // namespace shinar::codegen
