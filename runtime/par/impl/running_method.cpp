#include "impl/running_method.hpp"

#include <new>

#include "impl/misfits.hpp"
#include "sidl_skel.hxx"

namespace shinar::par {
namespace {

template <typename Work>
sidl_bool without_exception(sidl_BaseInterface__object** ex, Work work) noexcept {
  try {
    translated([&] {
      work();
      return 0;
    });
    return *ex == nullptr ? TRUE : FALSE;
  } catch (...) {
    *ex = ::sidl::current_exception();
    return FALSE;
  }
}

}  // namespace

RunningMethod::RunningMethod(const Items& arguments, const MethodPlan* plan)
    : sidl_rmi_frame(), arguments_(arguments), plan_(plan) {
  take = &take_arguments;
  give = &give_results;
}

sidl_bool RunningMethod::take_arguments(sidl_rmi_frame* self, const sidl_method_info* method,
                                        void* const* args, sidl_BaseInterface__object** ex) {
  auto& running = *static_cast<RunningMethod*>(self);
  ItemSource source = source_of(running.arguments_);
  if (!sidl_rmi_take_arguments(&source.base, method, args, ex)) return FALSE;
  running.has_arguments = without_exception(ex, [&] { running.take_pieces(args); }) != FALSE;
  return running.has_arguments ? TRUE : FALSE;
}

void RunningMethod::take_pieces(void* const* args) {
  if (plan_ == nullptr) return;
  std::vector<::sidl::basearray> made;
  for (const DistributedArgument& each : plan_->arguments()) {
    made.push_back(each.receives ? each.new_piece() : ::sidl::basearray());
  }
  for (const auto& [rank, elements] : pieces) plan_->unpack(rank, elements, made);
  for (std::size_t i = 0; i < made.size(); ++i) {
    const int index = plan_->arguments()[i].index;
    if (made[i]._not_nil()) *static_cast<struct sidl__array**>(args[index]) = made[i]._give();
  }
}

void RunningMethod::give_results(sidl_rmi_frame* self, const sidl_method_info* method,
                                 void* const* args, void* result, sidl_BaseInterface__object** ex) {
  auto& running = *static_cast<RunningMethod*>(self);
  if (*ex == nullptr) {
    without_exception(ex, [&] {
      running.give_pieces(args);
      ItemSink sink = sink_of(running.results, true);
      sidl_rmi_put_outputs(&sink.base, method, args, result, ex);
    });
  }
  running.thrown = ::sidl::BaseInterface(std::exchange(*ex, nullptr));
}

// Takes the arrays that go to the callers in pieces out of the outputs.
void RunningMethod::give_pieces(void* const* args) {
  if (plan_ == nullptr) return;
  for (const DistributedArgument& each : plan_->arguments()) {
    arrays.emplace_back();
    if (!each.sends) continue;
    struct sidl__array** const variable = static_cast<struct sidl__array**>(args[each.index]);
    if (*variable == nullptr) throw Misfit("the method gives no array for '" + each.name + "'");
    struct sidl__array* const kept = sidl__array_smartCopy(*variable);
    if (kept == nullptr) throw std::bad_alloc();
    arrays.back() = ::sidl::basearray(kept);
    sidl__array_deleteRef(std::exchange(*variable, nullptr));
  }
  plan_->check_empty(arrays);
}

}  // namespace shinar::par
