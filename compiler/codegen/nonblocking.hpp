// In: a nonblocking method m as the IR holds it.
// Out: its two halves as separate methods: `Ticket m_send(in and inout arguments)`, which begins a
// call, and `R m_recv(in Ticket, inout and out arguments)`, which ends it. The IOR has neither:
// stubs pass the arguments of both to libsidl (sidl_rmi_send, sidl_rmi_receive).
#pragma once

#include <string>
#include <vector>

#include "codegen/type_index.hpp"

namespace shinar::codegen {

inline constexpr const char* kTicketType = "sidl.rmi.Ticket";

// The name of m_recv's ticket argument; no SIDL name begins with '_'.
inline constexpr const char* kTicketName = "_ticket";

// A nonblocking method has three stubs: its own and one for each half.
enum class Part { whole, send, receive };

// One half of a nonblocking method.
struct Half {
  Part part;
  ir::Method method;
  // For each argument of the whole method, the index of the half's argument for it; -1: none.
  std::vector<int> arguments;
};

// All arguments are `in`, also the inout ones, whose new values the other half returns. Variables
// in extents are renumbered.
Half send_half(const ir::Method& method);

// The ticket comes first. Raw arrays lose their extents, which would name missing arguments.
Half receive_half(const ir::Method& method);

// Both, the sending half first; empty for a blocking method.
std::vector<Half> halves_of(const ir::Method& method);

// Where libsidl finds the table of the method in slot `position` of `type`, or of its static method
// number `position`: "demo_Solver__info.slots[7]", "&demo_Solver__info.statics[0]".
std::string slot_info(const ir::Type& type, std::size_t position);
std::string static_info(const ir::Type& type, std::size_t position);

}  // namespace shinar::codegen
