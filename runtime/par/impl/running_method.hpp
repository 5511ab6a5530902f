// The values of a method of a published object that runs.
#pragma once

#include <utility>
#include <vector>

#include "impl/items.hpp"
#include "impl/method_plan.hpp"
#include "sidl_BaseInterface.hxx"
#include "sidl_protocol.h"

namespace shinar::par {

// A frame for sidl_rmi_run.
class RunningMethod : public sidl_rmi_frame {
 public:
  // The plan of a collective method; null: it is none.
  RunningMethod(const Items& arguments, const MethodPlan* plan);

  // Of distributed arguments, by the client's rank that has sent them.
  std::vector<std::pair<int, ::sidl::array<char>>> pieces;

  // Whether it has got its arguments; else it has not begun, and what was thrown says why.
  bool has_arguments = false;

  // What has come of it.
  ::sidl::BaseInterface thrown;
  Items results;
  std::vector<::sidl::basearray> arrays;  // of the plan's arguments

 private:
  static sidl_bool take_arguments(sidl_rmi_frame* self, const sidl_method_info* method,
                                  void* const* args, sidl_BaseInterface__object** ex);
  static void give_results(sidl_rmi_frame* self, const sidl_method_info* method, void* const* args,
                           void* result, sidl_BaseInterface__object** ex);
  void take_pieces(void* const* args);
  void give_pieces(void* const* args);

  const Items& arguments_;
  const MethodPlan* const plan_;
};

}  // namespace shinar::par
